"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> statistics of each item (`counts.py`) -> sums over the corpus
          -> precisions and brevity penalty (`smoothing.py`) -> BLEU -> result

    p_n  = matches_n / totals_n
    BP   = 1 if c >= r else exp(1 - r / c)
    BLEU = BP exp(sum over n of w_n log p_n),   sum of w_n = 1

with c tokens in the predictions and r in the references (Papineni et al. 2002, "BLEU: a
method for automatic evaluation of machine translation", https://aclanthology.org/P02-1040).
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np

from ..arrays import first_of_highest
from ..corpus import Corpus
from ..input_warnings import warn_of_tokenized_predictions, warn_of_unfit_tokenizer
from ..messages import warn_caller
from ..plain import bleu_matches
from ..scorer import ScoringPlan, score_corpora
from ..text.character_offsets import SourcedText, Span, given_token_spans, token_spans
from ..text.tokenizers import tokenized
from ..tokens import Tokens
from .counts import statistics_of_corpus
from .options import BleuOptions, warn_of_weights
from .other_lines import warn_of_references
from .smoothing import BleuStatistics


def bleu(
    corpus: Corpus, options: BleuOptions, seed: int = 0, baseline: Corpus | None = None
) -> dict[str, Any]:
    """Return the result of `bleu_full`; `seed` is the default of `options.seed`."""
    plan = bleu_plan(options)
    if options.preset is not None:
        warn_of_references(options.preset, int(np.diff(corpus.reference_offsets).max()))
    corpora = [corpus] if baseline is None else [corpus, baseline]
    return score_corpora(plan, corpora, options, seed)


def bleu_plan(options: BleuOptions) -> ScoringPlan:
    """Return the statistics kept of items: counts and lengths, or scores for item-level BLEU."""
    if options.multi_reference == "best" and not options.scores_items:
        raise ValueError(
            "multi_reference='best' needs scores of single examples: pass "
            "level='sentence' or use_aggregator=False"
        )
    keys = list(options.weights_of_name)
    if options.scores_items:
        kinds = {f"score_{number}": "score" for number in range(1, len(keys) + 1)}
        return ScoringPlan(
            kinds=kinds | kinds_of_parts(options),
            count=lambda corpus, keeps_items: sentence_rows(
                options, statistics_of_corpus(options, corpus), corpus.reference_offsets
            )[0],
            keys=keys,
            scores=lambda rows: rows,
            item_scores=lambda rows: rows,
            parts=partial(parts_of_rows, options),
            warn=partial(_warn, options),
            n_scored=len(keys),
        )
    return ScoringPlan(
        kinds=kinds_of_statistics(len(options.counted_orders), options.reference_length),
        count=partial(statistics_of_corpus, options),
        keys=keys,
        scores=partial(_corpus_rows, options),
        item_scores=lambda values: sentence_rows(options.for_one_example(), values, np.empty(0))[0],
        parts=partial(parts_of_rows, options),
        warn=partial(_warn, options),
    )


def _corpus_rows(options: BleuOptions, values: np.ndarray) -> np.ndarray:
    """Return the rows of a corpus, in the first column, and of its resamples."""
    rows = scores(options, values)
    warn_of_short_predictions(options, values[:, :1], rows[:, :1])
    return rows


def _warn(options: BleuOptions, corpus: Corpus) -> None:
    if not corpus.is_ascii:
        warn_of_unfit_tokenizer(corpus, options)
    warn_of_tokenized_predictions(corpus, options)
    warn_of_weights(options)


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

    A column is an item, a corpus or a resample; the result has shape (n_rows, n_columns), float64.
    """
    statistics, rules = BleuStatistics.of_values(values), options.rules
    matches, totals, n_ngrams, (c, r, n_reference_tokens) = statistics
    method, constant = options.smoothing_method, options.smoothing_constant
    with np.errstate(under="ignore", over="ignore"):  # underflow gives 0, as by default
        penalty = method.penalty(c, r)
        precisions_up_to = {}
        for n_orders in {*options.smoothed_orders, options.highest_order}:
            precisions = method.precisions(statistics, n_orders, constant)
            if options.smoothing in rules.skips_zero_with:
                precisions = np.where(precisions > 0, precisions, 1.0)
            if method.needs_match:
                precisions = np.where(matches[0] > 0, precisions, 0.0)
            precisions_up_to[n_orders] = precisions
        is_counted = None
        if options.uses_effective_order:
            is_counted = n_ngrams + (constant if method.adds_to_totals else 0.0) > 0
        is_undefined = n_reference_tokens == 0
        if rules.scores_against_nothing:
            is_undefined &= c == 0
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
            if method.is_complete:
                continue
            score[c < (len(weights) if rules.needs_every_order else 1)] = 0.0
            if rules.needs_every_match:
                score[~matches[: len(weights)].all(axis=0)] = 0.0
            score[is_undefined] = options.zero_division
        if options.output == "score":
            return np.array(rows)
        length_ratio = np.full(c.shape, float(options.zero_division))
        np.divide(c, r, out=length_ratio, where=r > 0)
        highest = options.highest_order
        rows += [*precisions_up_to[highest], penalty, length_ratio, c, r]
        if rules.returns_counts:
            rows += [*matches[:highest], *totals[:highest]]
        return np.array(rows)


def warn_of_short_predictions(options: BleuOptions, values: np.ndarray, rows: np.ndarray) -> None:
    """Warn if a BLEU is 0 only because predictions have fewer tokens than it has orders."""
    of_names = rows[: len(options.weights_of_name)]
    # Under some presets, such as "matlab", that is the definition.
    if of_names.all() or options.rules.needs_every_order:
        return
    statistics = BleuStatistics.of_values(values)
    for weights, of_items in zip(options.weights_of_name.values(), of_names, strict=True):
        orders = np.flatnonzero(weights)
        has_ngrams = statistics.n_ngrams[orders] > 0
        has_matches = (statistics.matches[orders] > 0) | ~has_ngrams
        is_short = (statistics.matches[0] > 0) & ~has_ngrams[-1] & has_matches.all(axis=0)
        if (is_short & (of_items == 0)).any():
            warn_caller(
                "BLEU is 0 because all predictions have fewer tokens than max_order (4 by default). "
                "Pass effective_order=True, which leaves out longer n-grams, a smaller max_order, "
                "or smoothing."
            )
            return


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
    """Return the rows of `kinds_of_parts` by result key, with a value for each item."""
    if options.output != "all":
        return {
            name: (row.astype(np.int64) if kind == "count" else row).tolist()
            for (name, kind), row in zip(kinds_of_parts(options).items(), rows, strict=True)
        }
    n_orders = options.highest_order
    penalty, length_ratio, c, r = rows[n_orders : n_orders + 4]
    r = r if options.reference_length == "average" else r.astype(np.int64)
    parts = {
        "precisions": rows[:n_orders].T.tolist(),
        "brevity_penalty": penalty.tolist(),
        "length_ratio": length_ratio.tolist(),
        "translation_length": c.astype(np.int64).tolist(),
        "reference_length": r.tolist(),
    }
    if options.rules.returns_counts:
        counts, totals = np.split(rows[n_orders + 4 :].astype(np.int64), 2)
        parts |= {"counts": counts.T.tolist(), "totals": totals.T.tolist()}
    return parts


def sentence_rows(
    options: BleuOptions, values: np.ndarray, reference_offsets: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the `scores` of items, and the pair chosen by multi_reference="best".

    Then the columns of `values` are pairs. The first pair with the highest score counts, for each BLEU
    separately; the other parts of the result come from the pair of the first BLEU.
    """
    rows = scores(options, values)
    warn_of_short_predictions(options, values, rows)
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
    """Return exp(sum of w log v) over the counted orders, shape (n_items,).

    If orders are left out, the other weights are scaled to the same sum.
    """
    used = weights > 0
    values, weights = values[used], weights[used]
    weight = weights[:, np.newaxis]
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
    """Return sums over the first axis, in order; numpy would add a single item in pairs."""
    return sum(values[1:], start=values[0])


# --- one item explained -----------------------------------------------------------------


def bleu_explanation(corpus: Corpus, options: BleuOptions) -> dict[str, Any]:
    """Return the explanation of a corpus of one item: its result, "chosen" and "orders"."""
    for name in {"chosen", "orders", "next_order"} & options.weights_of_name.keys():
        raise ValueError(
            f"weights must have names other than {name!r}, which is a key of an explanation"
        )
    options = options.for_one_example()
    warn_of_unfit_tokenizer(corpus, options)
    values = statistics_of_corpus(options, corpus)
    rows, chosen = sentence_rows(options, values, corpus.reference_offsets)
    best = None if chosen is None else int(chosen[0])
    statistics = BleuStatistics.of_values(values[:, [best or 0]])
    names = list(options.weights_of_name)
    result = dict(zip(names, rows[: len(names), 0].tolist(), strict=True))
    result |= {name: of[0] for name, of in parts_of_rows(options, rows[len(names) :]).items()}
    texts, _ = corpus.texts_of_items(0, 1)
    tokens = tokenized(texts, options.tokenizer_rules, is_tokenized=corpus.is_tokenized)
    if corpus.is_tokenized:
        spans = given_token_spans(texts, options.tokenizer_rules)
    else:
        spans = token_spans(list(map(SourcedText.of_source, texts)), options.tokenizer_rules)
    entries = []
    for row, order in enumerate(options.counted_orders):
        matches, total = statistics.matches[row, 0], statistics.totals[row, 0]
        entry = {"order": order, "matches": int(matches), "total": int(total)}
        if row < options.highest_order:
            entry["precision"] = result["precisions"][row]
        entries.append(entry | _shown_ngrams(tokens, spans, order, best))
    # The first reference with the reference length, unless all references count.
    if best is None and (len(texts) == 2 or options.reference_length != "average"):
        best = int((tokens.ids.lengths[1:] == result["reference_length"]).argmax())
    explanation = {**result, "chosen": best, "orders": entries[: options.highest_order]}
    if len(entries) > options.highest_order:
        explanation["next_order"] = entries[-1]
    return explanation


def _shown_ngrams(
    tokens: Tokens, spans: list[list[Span | None]], order: int, best: int | None
) -> dict[str, Any]:
    """Return the spans of n-grams that match, in all references or only in `best`."""
    of_references: list[list[Span | None]] = [[] for _ in spans[1:]]
    rows = range(len(of_references)) if best is None else [best]
    ids = tokens.ids.to_lists()
    _, in_prediction, in_references = bleu_matches(ids[0], [ids[1 + row] for row in rows], order)
    for reference, positions in zip(rows, in_references, strict=True):
        of_references[reference] = [spans[1 + reference][place] for place in positions]
    return {
        "prediction_spans": [spans[0][place] for place in in_prediction],
        "reference_spans": of_references,
    }
