"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> counts of each item -> sums over the corpus
          -> precisions and brevity penalty -> BLEU -> result

With the clipped n-gram `matches` and the number `totals` of n-grams of all predictions,
c tokens in all predictions and r in the references,

    p_n  = matches_n / totals_n
    BP   = 1 if c >= r else exp(1 - r / c)
    BLEU = BP exp(sum over n of w_n log p_n),   sum of w_n = 1

after Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine
translation" (https://aclanthology.org/P02-1040). Where an item has several references a
count is clipped at the highest count in any of them, and r takes the length that
`reference_length` says (`bleu/brevity.py`). How p_n is smoothed stands in `bleu/smoothing.py`.

All of BLEU is a function of numbers per item that add up; sentence BLEU is the same
function of one item. Python loops run over chunks of items, orders and weightings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.corpus import Corpus
from ..data.lost_text import warn_of_unspaced_text
from ..ground.lazy import lazy_property
from ..resampling.uncertainty import uncertainty, with_uncertainty
from .brevity import brevity_penalty
from .counts import BleuStatistics, bleu_item_statistics, statistics_of_items
from .options import BLEU_COUNTS, BLEU_PARTS, BleuOptions
from .smoothing import SMOOTHINGS, OrderCounts, plus_one


def bleu(
    corpus: Corpus,
    options: BleuOptions,
    seed: int = 0,
    baseline: Corpus | None = None,
) -> dict[str, Any]:
    """Return the result of `bleu_full`.

    Its values are those of the whole corpus, or without `use_aggregator` lists with one
    value for each item. `seed` is what `options.seed` is without a value. A baseline
    has the predictions of another system for the same references.
    """
    warn_of_unspaced_text(corpus, options.tokenizer)
    is_resampled = options.confidence_level is not None or baseline is not None
    keeps_items = is_resampled or not options.use_aggregator
    corpora = [corpus] if baseline is None else [corpus, baseline]
    items = [bleu_item_statistics(one, options, keeps_items) for one in corpora]
    sums = items
    if options.use_aggregator:
        sums = [statistics.summed() for statistics in items]
    # A tiny score is 0, whatever numpy is set to.
    with np.errstate(under="ignore", over="ignore"):
        factors = [BleuFactors(statistics, options) for statistics in sums]
        scores = [bleu_scores(of_system) for of_system in factors]
        parts = bleu_parts(factors[0])
        if not options.use_aggregator:
            return with_uncertainty(list(options.weights_of_name), scores) | parts
        of_corpus = [of_system[:, 0] for of_system in scores]
        bounds = {}
        if is_resampled:
            bounds = _bounds_and_p_values(items, of_corpus, options, seed)
    return with_uncertainty(list(options.weights_of_name), of_corpus, bounds) | {
        key: values[0] for key, values in parts.items()
    }


def bleu_of_item(
    corpus: Corpus, options: BleuOptions
) -> tuple[BleuStatistics, dict[str, Any]]:
    """Return the statistics and the result of a corpus of one item."""
    statistics = statistics_of_items(options, True, corpus, 0, 1)
    with np.errstate(under="ignore", over="ignore"):
        factors = BleuFactors(statistics, options)
        scores, parts = bleu_scores(factors), bleu_parts(factors)
    result = with_uncertainty(list(options.weights_of_name), [scores]) | parts
    return statistics, {key: values[0] for key, values in result.items()}


# --- statistics -> scores -------------------------------------------------------------


@dataclass(frozen=True)
class BleuFactors:
    """What BLEU is a product of, for each item; computed when it is first asked for.

    Parameters
    ----------
    statistics : BleuStatistics
    options : BleuOptions
    """

    statistics: BleuStatistics
    options: BleuOptions

    @lazy_property
    def brevity_penalty(self) -> np.ndarray:
        """BP, ndarray of float64, shape (n_items,)."""
        statistics = self.statistics
        return brevity_penalty(
            statistics.translation_length, statistics.float_reference_length
        )

    @lazy_property
    def precisions(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        """The smoothed precisions of the first n orders, and which of them count, by n.

        Two ndarrays, of float64 and of bool, shape (n, n_items).
        """
        options = self.options
        return {
            n_orders: _precisions(self.statistics, options, n_orders)
            for n_orders in {*options.smoothed_orders, options.highest_order}
        }


def bleu_scores(factors: BleuFactors) -> np.ndarray:
    """Return each BLEU of each item, ndarray of float64, shape (n_weightings, n_items)."""
    statistics, options = factors.statistics, factors.options
    translation_length = statistics.translation_length
    is_undefined = statistics.n_reference_tokens == 0
    if options.rules.scores_against_nothing:
        is_undefined &= translation_length == 0
    scores = []
    for weights, n_smoothed in zip(
        options.weights_of_name.values(), options.smoothed_orders, strict=True
    ):
        n_orders = len(weights)
        precisions, is_counted = factors.precisions[n_smoothed]
        # Orders behind those that are smoothed have weight 0.
        score = factors.brevity_penalty * weighted_geometric_mean(
            precisions[:n_orders], weights[: len(precisions)], is_counted[:n_orders]
        )
        least_length = n_orders if options.rules.needs_every_order else 1
        score[translation_length < least_length] = 0.0
        if options.rules.needs_every_match:
            score[~statistics.matches[:n_orders].all(axis=0)] = 0.0
        score[is_undefined] = options.zero_division
        scores.append(score)
    return np.stack(scores)


def bleu_parts(factors: BleuFactors) -> dict[str, list[Any]]:
    """Return what scores are made of, each with one value for each item."""
    statistics, options = factors.statistics, factors.options
    if options.output == "score":
        return {}
    translation_length = statistics.translation_length
    reference_length = statistics.float_reference_length
    has_length = reference_length > 0
    length_ratio = translation_length / np.where(has_length, reference_length, 1)
    length_ratio[~has_length] = options.zero_division
    precisions, _ = factors.precisions[options.highest_order]
    columns = (
        precisions.T,
        factors.brevity_penalty,
        length_ratio,
        translation_length,
        reference_length,
    )
    parts = {
        name: column.tolist() for name, column in zip(BLEU_PARTS, columns, strict=True)
    }
    if options.rules.returns_counts:
        counts = statistics.of_orders(np.arange(options.highest_order))
        parts |= {
            name: count.T.tolist()
            for name, count in zip(
                BLEU_COUNTS, (counts.matches, counts.totals), strict=True
            )
        }
    return _flat(parts) if options.output == "flat" else parts


def _flat(parts: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the parts with a key for each order, such as "precision_1", for each list."""
    flat: dict[str, list[Any]] = {}
    for name, values in parts.items():
        if name not in ("precisions", *BLEU_COUNTS):
            flat[name] = values
            continue
        for order, column in enumerate(zip(*values, strict=True), start=1):
            flat[f"{name.removesuffix('s')}_{order}"] = list(column)
    return flat


def _bounds_and_p_values(
    items: list[BleuStatistics],
    scores: list[np.ndarray],
    options: BleuOptions,
    seed: int,
) -> dict[str, np.ndarray]:
    """Return bounds and p-values of each BLEU, whose numbers are summed anew.

    Parameters
    ----------
    items : list of BleuStatistics
        The items of the system, and of the baseline if there is one.
    scores : list of ndarray of float64, shape (n_weightings,)
        The BLEUs of the corpus of each.
    """

    def scores_of_sums(sums: np.ndarray) -> np.ndarray:
        return bleu_scores(BleuFactors(BleuStatistics.of_stacked(sums), options))

    columns = [statistics.stacked() for statistics in items]
    return uncertainty(columns, scores, scores_of_sums, options.resampling(seed))


def _precisions(
    statistics: BleuStatistics, options: BleuOptions, n_orders: int
) -> tuple[np.ndarray, np.ndarray]:
    counts = OrderCounts(
        matches=statistics.matches,
        totals=statistics.totals,
        n_ngrams=statistics.n_ngrams,
        translation_length=statistics.translation_length,
    )
    of_orders = counts.first(n_orders)
    n_added = 0.0
    if options.smooth:
        precisions = plus_one(of_orders)
    else:
        smoothing = SMOOTHINGS[options.smoothing]
        value = options.smoothing_constant
        precisions = smoothing.precisions(counts, n_orders, value)
        if options.smoothing in options.rules.skips_zero_with:
            precisions = np.where(precisions > 0, precisions, 1.0)
        # Where an item has no match at all, no smoothing helps.
        precisions = np.where(of_orders.matches.any(axis=0), precisions, 0.0)
        if smoothing.adds_to_totals:
            n_added = value
    if not options.uses_effective_order:
        return precisions, np.ones(precisions.shape, dtype=bool)
    return precisions, of_orders.n_ngrams + n_added > 0


def weighted_geometric_mean(
    values: np.ndarray, weights: np.ndarray, is_counted: np.ndarray
) -> np.ndarray:
    """Return exp(sum of w log v) over the orders that are counted.

    Where orders are left out, the other weights grow to the same sum. It is 0 where a
    value of positive weight is 0, and where no weight is left.

    Parameters
    ----------
    values : ndarray of float64, shape (n_orders, n_items)
    weights : ndarray of float64, shape (n_orders,)
    is_counted : ndarray of bool, shape (n_orders, n_items)

    Returns
    -------
    ndarray of float64, shape (n_items,)
    """
    weight = weights[:, np.newaxis] * is_counted
    is_zero = ((values == 0) & (weight > 0)).any(axis=0)
    logarithm = np.log(values, out=np.zeros_like(values), where=values > 0)
    is_left_out = ~is_counted.all(axis=0)
    if is_left_out.any():  # what is left may be tiny; powers of 2 change no digit
        _, power = np.frexp(weight.max(axis=0))
        weight = np.ldexp(weight, np.where(is_left_out, -power, 0))
    exponent = _sum_of_orders(weight * logarithm)
    if is_left_out.any():
        total = _sum_of_orders(weight)
        has_weight = total > 0
        # A precision of 1 stays 1 under any weight, infinite sums of weights too.
        is_scaled = has_weight & is_left_out & (exponent != 0)
        scale = weights.sum() / np.where(has_weight, total, 1.0)
        exponent *= np.where(is_scaled, scale, 1.0)
        is_zero |= ~has_weight
    return np.where(is_zero, 0.0, np.exp(exponent))


def _sum_of_orders(values: np.ndarray) -> np.ndarray:
    """Return the sums over the first axis, one after the other.

    Numpy adds the orders of a single item in another order than those of several.
    """
    return sum(values, start=np.zeros(values.shape[1]))
