"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> statistics of each example (`counts.py`) -> sums over the corpus
          -> precisions and brevity penalty (`smoothing.py`) -> BLEU -> result

    p_n  = matches_n / totals_n
    BP   = 1 if c >= r else exp(1 - r / c)
    BLEU = BP exp(sum over n of w_n log p_n),   sum of w_n = 1

with c tokens in the predictions and r in the references (Papineni et al. 2002, "BLEU: a
method for automatic evaluation of machine translation", https://aclanthology.org/P02-1040).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ..arrays import first_of_highest
from ..corpus import Corpus
from ..messages import warn_of_text
from ..metric import ScoringPlan, score_corpora
from .counts import statistics_of_corpus
from .options import BleuOptions
from .smoothing import BleuStatistics


def bleu_result(
    corpus: Corpus, options: BleuOptions, seed: int = 0, baseline: Corpus | None = None
) -> dict[str, Any]:
    """Return the result of `bleu_full`; `seed` is the default of `options.seed`."""
    plan = bleu_plan(options)
    if options.rules.warn_of_references is not None:
        options.rules.warn_of_references(int(np.diff(corpus.reference_offsets).max()))
    corpora = [corpus] if baseline is None else [corpus, baseline]
    return score_corpora(plan, corpora, options, seed)


def bleu_plan(options: BleuOptions) -> BleuPlan:
    """Return how examples are scored: their counts are summed, or their scores averaged."""
    if options.multi_reference == "best" and not options.scores_examples:
        raise ValueError(
            "multi_reference='best' needs scores of single examples: pass "
            "level='sentence' or use_aggregator=False"
        )
    return SentenceBleuPlan(options) if options.scores_examples else BleuPlan(options)


class BleuPlan(ScoringPlan):
    """BLEU of a corpus: the statistics of examples are counts and lengths, which are summed."""

    def __init__(self, options: BleuOptions) -> None:
        self.options = options
        self.kinds = kinds_of_statistics(len(options.counted_orders), options.reference_length)
        self.keys = list(options.weights_of_name)

    def count_examples(self, corpus: Corpus, keeps_examples: bool) -> np.ndarray:
        return statistics_of_corpus(self.options, corpus, keeps_examples)

    def score(self, sums: np.ndarray) -> np.ndarray:
        rows = scores(self.options, sums)
        # The first column is the corpus, others are resamples.
        if _are_short(self.options, sums[:, :1], rows[:, :1]).any():
            warn_of_text(f"BLEU is 0 because all predictions have {_SHORT}")
        return rows

    def score_examples(self, statistics: np.ndarray) -> np.ndarray:
        return sentence_rows(self.options.for_one_example(), statistics, np.empty(0))[0]

    def parts(self, rows: np.ndarray) -> dict[str, list[Any]]:
        return parts_of_rows(self.options, rows)


class SentenceBleuPlan(BleuPlan):
    """BLEU of sentences: the statistics of examples are their scores, which are averaged."""

    def __init__(self, options: BleuOptions) -> None:
        super().__init__(options)
        self.n_scored = len(self.keys)
        names = (f"score_{number}" for number in range(1, self.n_scored + 1))
        self.kinds = dict.fromkeys(names, "score") | kinds_of_parts(options)

    def count_examples(self, corpus: Corpus, keeps_examples: bool) -> np.ndarray:
        statistics = statistics_of_corpus(self.options, corpus)
        return sentence_rows(self.options, statistics, corpus.reference_offsets)[0]

    def score(self, sums: np.ndarray) -> np.ndarray:
        return sums

    def score_examples(self, statistics: np.ndarray) -> np.ndarray:
        return statistics


# --- statistics of examples -----------------------------------------------------------------------


@cache
def kinds_of_statistics(n_orders: int, reference_length: str) -> dict[str, str]:
    """Return the names of the statistics in the order of `BleuStatistics`, and their kinds."""
    names = ("matches", "totals", "ngrams")
    orders = range(1, n_orders + 1)
    kinds = {f"{name}_{order}": "count" for name in names for order in orders}
    kind_of_length = "length" if reference_length == "average" else "count"
    kinds |= {"translation_length": "count", "reference_length": kind_of_length}
    return {**kinds, "n_reference_tokens": "count"}


# --- statistics -> scores ---------------------------------------------------------------


def scores(options: BleuOptions, values: np.ndarray) -> np.ndarray:
    """Return each BLEU and the rows of `kinds_of_parts`, from the rows of `kinds_of_statistics`.

    A column is an example, a corpus or a resample; the result has shape (n_rows, n_columns), float64.
    """
    statistics, rules = BleuStatistics.of_values(values), options.rules
    matches, totals, n_ngrams, (c, r, n_reference_tokens) = statistics
    method, constant = options.smoothing_method, options.smoothing_constant
    every_order_matches = matches.all()  # then nothing is empty or too short
    with np.errstate(under="ignore", over="ignore"):  # underflow gives 0, as by default
        penalty = method.penalty(c, r)
        precisions_up_to = {}
        for n_orders in {*options.smoothed_orders, options.highest_order}:
            precisions = method.precisions(statistics, n_orders, constant)
            if method.skips_zero:
                precisions = np.where(precisions > 0, precisions, 1.0)
            if method.needs_match and not every_order_matches:
                precisions = np.where(matches[0] > 0, precisions, 0.0)
            precisions_up_to[n_orders] = precisions
        is_counted = None
        if options.uses_effective_order and not every_order_matches:
            is_counted = n_ngrams + (constant if method.adds_to_totals else 0.0) > 0
        rows = []
        for weights, n_smoothed in zip(
            options.weights_of_name.values(), options.smoothed_orders, strict=True
        ):
            n_orders = len(weights)
            mean = _weighted_geometric_mean(
                precisions_up_to[n_smoothed][:n_orders],
                weights,
                None if is_counted is None else is_counted[:n_orders],
            )
            score = penalty * mean
            rows.append(score)
            if method.is_complete or every_order_matches:
                continue
            score[c < (len(weights) if method.needs_every_order else 1)] = 0.0
            if method.needs_every_match:
                score[~matches[: len(weights)].all(axis=0)] = 0.0
            is_undefined = n_reference_tokens == 0
            if method.scores_against_nothing:
                is_undefined &= c == 0
            score[is_undefined] = options.zero_division
        if options.output == "score":
            return np.array(rows)
        length_ratio = np.full(c.shape, float(options.zero_division))
        np.divide(c, r, out=length_ratio, where=r > 0)
        highest = options.highest_order
        parts = [precisions_up_to[highest], np.array([penalty, length_ratio, c, r])]
        if rules.returns_counts:
            parts += [matches[:highest], totals[:highest]]
        return np.concatenate([np.array(rows), *parts])


_SHORT = (
    "fewer tokens than max_order (4 by default). Pass effective_order=True, which leaves out longer "
    "n-grams, a smaller max_order, or smoothing. [short_predictions]"
)


def _are_short(options: BleuOptions, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Whether a BLEU of each column is 0 only because it has fewer tokens than orders."""
    are_short = np.zeros(rows.shape[1], dtype=bool)
    of_names = rows[: len(options.weights_of_name)]
    # Under some presets, such as "matlab", that is the definition.
    if of_names.all() or options.smoothing_method.needs_every_order:
        return are_short
    statistics = BleuStatistics.of_values(values)
    for weights, of_examples in zip(options.weights_of_name.values(), of_names, strict=True):
        orders = np.flatnonzero(weights)
        has_ngrams = statistics.n_ngrams[orders] > 0
        has_matches = (statistics.matches[orders] > 0) | ~has_ngrams
        is_short = (statistics.matches[0] > 0) & ~has_ngrams[-1] & has_matches.all(axis=0)
        are_short |= is_short & (of_examples == 0)
    return are_short


def kinds_of_parts(options: BleuOptions) -> dict[str, str]:
    """Return the keys that output="flat" adds to BLEU, and their kinds in `ScoringPlan`."""
    if options.output == "score":
        return {}
    orders = range(1, options.highest_order + 1)
    kinds = {f"precision_{order}": "score" for order in orders}
    kinds |= {"brevity_penalty": "score", "length_ratio": "score", "translation_length": "count"}
    kinds["reference_length"] = "length" if options.reference_length == "average" else "count"
    if options.rules.returns_counts:
        kinds |= {f"{name}_{order}": "count" for name in ("count", "total") for order in orders}
    return kinds


def parts_of_rows(options: BleuOptions, rows: np.ndarray) -> dict[str, list[Any]]:
    """Return the rows of `kinds_of_parts` by result key, with a value for each example."""
    if options.output != "all":
        return {
            name: (row.astype(np.int64) if kind == "count" else row).tolist()
            for (name, kind), row in zip(kinds_of_parts(options).items(), rows, strict=True)
        }
    n_orders = options.highest_order
    precisions, factors, counts = rows[:n_orders], rows[n_orders:], rows[n_orders + 2 :]
    names = ("brevity_penalty", "length_ratio", "translation_length", "reference_length")
    counts = counts.astype(np.int64)
    parts = {"precisions": precisions.T.tolist()}
    parts |= zip(names, [*factors[:2].tolist(), *counts[:2].tolist()], strict=False)
    if options.reference_length == "average":
        parts["reference_length"] = factors[3].tolist()
    if options.rules.returns_counts:
        counts = counts[2:].T
        parts |= {"counts": counts[:, :n_orders].tolist(), "totals": counts[:, n_orders:].tolist()}
    return parts


def sentence_rows(
    options: BleuOptions, values: np.ndarray, reference_offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the `scores` of examples, and the pair chosen by multi_reference="best".

    Then the columns of `values` are pairs. The first pair with the highest score counts, for each BLEU
    separately; the other parts of the result come from the pair of the first BLEU.
    """
    rows = scores(options, values)
    are_short = _are_short(options, values, rows)
    if are_short.any():
        is_of_pairs = options.multi_reference == "best"
        starts = reference_offsets[:-1] if is_of_pairs else np.arange(values.shape[1])
        n_short = np.count_nonzero(np.logical_or.reduceat(are_short, starts))
        warn_of_text(f"BLEU is 0 for {n_short} of {len(starts)} predictions, which have {_SHORT}")
    if options.multi_reference == "clip":
        return rows, None
    n_scores = len(options.weights_of_name)
    of_pairs = rows[:n_scores]
    by = np.where(np.isnan(of_pairs), -1.0, of_pairs)
    chosen = first_of_highest(by, reference_offsets)
    best = np.take_along_axis(of_pairs, chosen, axis=1)
    return np.concatenate([best, rows[n_scores:, chosen[0]]]), chosen[0]


def _weighted_geometric_mean(
    values: np.ndarray, weights: np.ndarray, is_counted: np.ndarray | None
) -> np.ndarray:
    """Return exp(sum of w log v) over the counted orders, shape (n_examples,).

    If orders are left out, the other weights are scaled to the same sum.
    """
    used = weights > 0
    if not used.all():
        values, weights = values[used], weights[used]
    weight = weights[:, np.newaxis]
    if is_counted is None and values.all():
        return np.exp(_sum_of_orders(weight * np.log(values)))
    is_zero = values == 0
    logarithm = np.log(np.where(is_zero, 1.0, values))
    if is_counted is None or is_counted[used].all():
        exponent = _sum_of_orders(weight * logarithm)
        return np.where(is_zero.any(axis=0), 0.0, np.exp(exponent))
    is_counted = is_counted[used]
    is_left_out = ~is_counted.all(axis=0)
    weight = weight * is_counted
    is_zero = (is_zero & (weight > 0)).any(axis=0)
    # The remaining weights may be tiny; scaling by powers of 2 is exact.
    _, power = np.frexp(weight.max(axis=0))
    weight = np.ldexp(weight, np.where(is_left_out, -power, 0))
    exponent, total = _sum_of_orders(weight * logarithm), _sum_of_orders(weight)
    has_weight = total > 0
    # A precision of 1 stays 1 with any weight, even if the sum of weights is infinite.
    is_scaled = has_weight & is_left_out & (exponent != 0)
    exponent *= np.where(is_scaled, weights.sum() / np.where(has_weight, total, 1.0), 1.0)
    return np.where(is_zero | ~has_weight, 0.0, np.exp(exponent))


def _sum_of_orders(values: np.ndarray) -> np.ndarray:
    """Return sums over the first axis, in order; numpy would add a single example in pairs."""
    return sum(values[1:], start=values[0])
