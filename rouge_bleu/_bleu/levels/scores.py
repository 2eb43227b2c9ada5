"""Statistics -> precisions and brevity penalty -> BLEU.

Everything here is a function of numbers that add up over items, so that it holds for
items, for sums over a corpus and for resamples alike. Arrays have one column for each of
these. Python loops run over orders and weightings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...lazy import lazy_property
from ...messages import warn_caller
from ..brevity import brevity_penalty
from ..counts import BleuStatistics
from ..options import BleuOptions
from ..smoothing import SMOOTHINGS, OrderCounts, plus_one

_SHORT_PREDICTIONS = (
    "BLEU is 0 here only because predictions have fewer tokens than max_order (4 by default), "
    "however well they match. Pass effective_order=True, which leaves longer n-grams out, or a "
    "smaller max_order, or smoothing."
)


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
        statistics, formula = self.statistics, self.options.formula
        lengths = statistics.translation_length, statistics.float_reference_length
        if formula is not None and formula.penalty is not None:
            return formula.penalty(*lengths)
        return brevity_penalty(*lengths)

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
    is_complete = options.formula is not None and options.formula.is_complete
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
        scores.append(score)
        if is_complete:
            continue
        least_length = n_orders if options.rules.needs_every_order else 1
        score[translation_length < least_length] = 0.0
        if options.rules.needs_every_match:
            score[~statistics.matches[:n_orders].all(axis=0)] = 0.0
        score[is_undefined] = options.zero_division
    return np.array(scores)


def warn_of_short_predictions(factors: BleuFactors, scores: np.ndarray) -> None:
    """Warn where a BLEU is 0 only because the predictions have fewer tokens than it has orders."""
    # Under some presets, such as "matlab", that is the definition.
    if scores.all() or factors.options.rules.needs_every_order:
        return
    statistics = factors.statistics
    for weights, of_items in zip(factors.options.weights_of_name.values(), scores, strict=True):
        orders = np.flatnonzero(weights)
        is_there = statistics.n_ngrams[orders] > 0
        has_matches = (statistics.matches[orders] > 0) | ~is_there
        is_short = (statistics.matches[0] > 0) & ~is_there[-1] & has_matches.all(axis=0)
        if (is_short & (of_items == 0)).any():
            warn_caller(_SHORT_PREDICTIONS)
            return


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
        smoothing, formula = SMOOTHINGS[options.smoothing], options.formula
        value = options.smoothing_constant
        if formula is None:
            precisions = smoothing.precisions(counts, n_orders, value)
        else:
            precisions = formula.precisions(counts, n_orders, value)
            if formula.is_complete:
                return precisions, np.ones(precisions.shape, dtype=bool)
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
