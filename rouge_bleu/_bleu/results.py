"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> statistics of each example (`counts.py`) -> sums over the corpus
          -> precisions and brevity penalty (`smoothing.py`) -> BLEU -> result

`definition.bleu` has the formula.
"""

from __future__ import annotations

from functools import partial, reduce
from itertools import islice
from operator import add, mul
from typing import Any

import numpy as np

from ..arrays import argmax_per_row
from ..corpus import Corpus
from ..messages import text_warning_class, warn_caller
from ..metric import ScoringPlan
from .counts import statistics_of_corpus
from .options import BleuOptions
from .smoothing import BleuStatistics, Numerator

_MAX_FEW_COLUMNS = 8  # up to this many columns Python is faster than numpy


def bleu_plan(options: BleuOptions) -> BleuPlan:
    """Return how examples are scored: their counts are summed, or their scores averaged."""
    if options.multi_reference == "best" and not options.is_example_level:
        raise ValueError(
            "multi_reference='best' needs scores of single examples: pass "
            "level='sentence' or use_aggregator=False"
        )
    return SentenceBleuPlan(options) if options.is_example_level else BleuPlan(options)


class BleuPlan(ScoringPlan):
    """BLEU of a corpus: the statistics of examples are counts and lengths, which are summed."""

    def __init__(self, options: BleuOptions) -> None:
        super().__init__(options)
        self.kinds = options.kinds_of_statistics
        self.keys = list(options.named_weights)

    def count_examples(self, corpus: Corpus, keeps_examples: bool) -> np.ndarray:
        return statistics_of_corpus(self.options, corpus, keeps_examples)

    def score(self, sums: np.ndarray) -> np.ndarray:
        return scores_of_statistics(self.options, sums)

    def warn_of_scores(self, sums: np.ndarray, rows: np.ndarray) -> None:
        is_0 = 0.0 in rows[: len(self.keys), 0].tolist()
        if is_0 and _lack_matches(self.options, sums, rows).any():
            warn_caller(f"BLEU is 0 {_NO_LONG_MATCH}", text_warning_class())

    def score_examples(self, statistics: np.ndarray) -> np.ndarray:
        return sentence_scores(self.options.for_one_example(), statistics, np.empty(0))[0]

    def result_parts(self, rows: np.ndarray) -> dict[str, list[Any]]:
        parts: dict[str, list[Any]] = {}
        left = iter(rows.tolist())
        for name, kind, flat_names in self.options.result_parts:
            of_part = list(islice(left, len(flat_names)))
            if kind == "count":
                of_part = [list(map(int, row)) for row in of_part]
            if self.options.output == "all" and name not in flat_names:
                parts[name] = list(map(list, zip(*of_part, strict=True)))  # by example
            else:
                parts |= zip(flat_names, of_part, strict=True)
        return parts


class SentenceBleuPlan(BleuPlan):
    """BLEU of sentences: the statistics of examples are their scores, which are averaged."""

    def __init__(self, options: BleuOptions) -> None:
        super().__init__(options)
        self.n_scored = len(self.keys)
        self.kinds = {f"score_{n}": "score" for n in range(1, self.n_scored + 1)}
        self.kinds |= {one: kind for _, kind, names in options.result_parts for one in names}

    def count_examples(self, corpus: Corpus, keeps_examples: bool) -> np.ndarray:
        statistics = statistics_of_corpus(self.options, corpus)
        return sentence_scores(self.options, statistics, corpus.reference_offsets)[0]

    def score(self, sums: np.ndarray) -> np.ndarray:
        return sums

    warn_of_scores = ScoringPlan.warn_of_scores  # `sentence_scores` has warned

    def score_examples(self, statistics: np.ndarray) -> np.ndarray:
        return statistics


@np.errstate(under="ignore", over="ignore")  # underflow gives 0, as by default
def scores_of_statistics(options: BleuOptions, values: np.ndarray) -> np.ndarray:
    """Return each BLEU and the rows of `result_parts`, from the rows of `kinds_of_statistics`.

    A column is an example, a corpus or a resample; the result has shape (n_rows, n_columns), float64.
    Each step has flags of `Smoothing`, and a later step overrides an earlier one:

    1. Smooth precisions. A precision of 0 is left out (`skips_zero`), all are 0 (`needs_match`).
    2. Under effective order, leave out orders without n-grams (`adds_to_totals`).
    3. BLEU is the penalty times the mean, which an `is_complete` formula leaves unchanged.
    4. It is 0 for too few tokens (`needs_every_order`) or matches (`needs_every_match`).
    5. It is `zero_division` without references to match (`scores_against_nothing`).
    """
    method, constant = options.smoothing_method, options.smoothing_constant
    if method.numerator and 0 < values.shape[1] <= _MAX_FEW_COLUMNS:
        of_column = partial(_scores_of_column, options, method.numerator)
        columns = list(map(of_column, values.T.tolist()))
        if None not in columns:
            return np.array(columns).T
    statistics = BleuStatistics.from_rows(values)
    matches, totals, n_ngrams, (c, r, n_reference_tokens) = statistics
    # 1. The orders of a weighting are smoothed together, also those with weight 0; or all orders are.
    weightings, highest = options.named_weights.values(), options.highest_order
    n_smoothed = [highest if options.rules.next_order else len(one) for one in weightings]
    precisions_up_to = {}
    for n_orders in {*n_smoothed, highest}:
        precisions = method.precisions(statistics, n_orders, constant)
        if method.skips_zero:
            precisions = np.where(precisions > 0, precisions, 1.0)
        if method.needs_match:
            precisions = np.where(matches[0] > 0, precisions, 0.0)
        precisions_up_to[n_orders] = precisions
    # 2. Orders that count.
    is_counted = np.ones(n_ngrams.shape, dtype=bool)
    if options.uses_effective_order:
        is_counted = n_ngrams + (constant if method.adds_to_totals else 0.0) > 0
    penalty = method.penalty(c, r)
    is_undefined = n_reference_tokens == 0
    if method.scores_against_nothing:
        is_undefined &= c == 0
    rows = []
    for weights, n in zip(weightings, n_smoothed, strict=True):
        n_orders = len(weights)  # 3.
        precisions = precisions_up_to[n][:n_orders]
        score = penalty * _weighted_geometric_mean(precisions, weights, is_counted[:n_orders])
        rows.append(score)
        if method.is_complete:
            continue
        score[c < (n_orders if method.needs_every_order else 1)] = 0.0  # 4.
        if method.needs_every_match:
            score[~matches[:n_orders].all(axis=0)] = 0.0
        score[is_undefined] = options.zero_division  # 5.
    if options.output == "score":
        return np.array(rows)
    length_ratio = np.full(c.shape, float(options.zero_division))
    np.divide(c, r, out=length_ratio, where=r > 0)
    counts = [matches[:highest], totals[:highest]] if options.rules.returns_counts else []
    return np.concatenate([rows, precisions_up_to[highest], [penalty, length_ratio, c, r], *counts])


def _scores_of_column(
    options: BleuOptions, numerator: Numerator, column: list[float]
) -> list[float] | None:
    """Return `scores_of_statistics` of a column in Python's floats, which are rounded like numpy's.

    None if no word matches, or if an order has no n-grams.
    """
    method, constant = options.smoothing_method, options.smoothing_constant
    *counts, c, r, _ = column
    n_orders = options.highest_order
    matches, totals, n_ngrams = (counts[n * n_orders : (n + 1) * n_orders] for n in range(3))
    if not (matches[0] and n_ngrams[-1]):
        return None
    precisions, j = [], 0
    for m, t in zip(matches, totals, strict=True):
        j += not m
        precisions.append((m or numerator(constant, j, c)) / t)
    # `math.log` and `math.exp` may differ in the last bit.
    penalty = float(np.exp(min(1.0 - r / c, 0.0)))
    logarithms = np.log([one or 1.0 for one in precisions]).tolist()
    found = []
    for weights in options.named_weights.values():
        weights = weights.tolist()
        is_zero = any(w and not p for w, p in zip(weights, precisions, strict=False))
        is_zero |= method.needs_every_match and not all(matches[: len(weights)])
        mean = float(np.exp(reduce(add, map(mul, weights, logarithms))))
        found.append(0.0 if is_zero else penalty * mean)
    if options.output == "score":
        return found
    ratio = c / r if r else float(options.zero_division)
    counts = [*matches, *totals] if options.rules.returns_counts else []
    return [*found, *precisions, penalty, ratio, c, r, *counts]


_NO_LONG_MATCH = (
    "because no n-gram of max_order tokens (4 by default) matches. Pass smoothing, a smaller "
    "max_order or, for predictions with fewer tokens, effective_order=True. [no_long_match]"
)


def _lack_matches(options: BleuOptions, values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Whether a BLEU of each column is 0 only because no n-gram of an order matches."""
    lack_matches = np.zeros(rows.shape[1], dtype=bool)
    of_names = rows[: len(options.named_weights)]
    # Under some presets, such as "matlab", that is the definition.
    if of_names.all() or options.smoothing_method.needs_every_order:
        return lack_matches
    matches, _, n_ngrams, _ = BleuStatistics.from_rows(values)
    for weights, of_examples in zip(options.named_weights.values(), of_names, strict=True):
        orders = np.flatnonzero(weights)
        are_0 = matches[orders] == 0
        # Many sentences have none: if others are above 0, only those that are too short count.
        is_not_short = (are_0 & (n_ngrams[orders] > 0)).any(axis=0) & of_examples.any()
        lack_matches |= (of_examples == 0) & (matches[0] > 0) & are_0.any(axis=0) & ~is_not_short
    return lack_matches


def sentence_scores(
    options: BleuOptions, values: np.ndarray, reference_offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the `scores_of_statistics` of examples, and the pair chosen by multi_reference="best".

    Then the columns of `values` are pairs. The first pair with the highest score counts, for each BLEU
    separately; the other parts of the result come from the pair of the first BLEU.
    """
    rows, is_clipped = scores_of_statistics(options, values), options.multi_reference == "clip"
    lack_matches = _lack_matches(options, values, rows)
    if lack_matches.any():
        starts = np.arange(len(lack_matches)) if is_clipped else reference_offsets[:-1]
        n = np.count_nonzero(np.logical_or.reduceat(lack_matches, starts))
        warn_caller(
            f"BLEU is 0 for {n} of {len(starts)} predictions {_NO_LONG_MATCH}", text_warning_class()
        )
    if is_clipped:
        return rows, None
    n_scores = len(options.named_weights)
    of_pairs = rows[:n_scores]
    by = np.where(np.isnan(of_pairs), -1.0, of_pairs)
    chosen = argmax_per_row(by, reference_offsets)
    best = np.take_along_axis(of_pairs, chosen, axis=1)
    return np.concatenate([best, rows[n_scores:, chosen[0]]]), chosen[0]


def _weighted_geometric_mean(
    values: np.ndarray, weights: np.ndarray, is_counted: np.ndarray
) -> np.ndarray:
    """Return exp(sum of w log v) over the counted orders, shape (n_examples,).

    If orders are left out, the other weights are scaled to the same sum.
    """
    used = weights > 0
    values, weights, is_counted = values[used], weights[used], is_counted[used]
    weight = weights[:, np.newaxis] * is_counted
    factor = np.ones(1)
    is_zero = ((values == 0) & is_counted).any(axis=0)
    if not is_counted.all():
        is_left_out = ~is_counted.all(axis=0)
        # The remaining weights may be tiny; scaling by powers of 2 is exact.
        _, power = np.frexp(weight.max(axis=0))
        weight = np.ldexp(weight, np.where(is_left_out, -power, 0))
        total = sum(weight)
        is_zero |= total == 0
        is_scaled = is_left_out & (total > 0)
        factor = np.where(is_scaled, weights.sum() / np.where(is_scaled, total, 1.0), 1.0)
    # A sum over orders, one by one; numpy would add a single example in pairs.
    exponent = sum(weight * np.log(np.where(values == 0, 1.0, values)))
    # A precision of 1 stays 1 with any weight, even if the sum of weights is infinite.
    np.multiply(exponent, factor, out=exponent, where=exponent != 0)
    return np.where(is_zero, 0.0, np.exp(exponent))
