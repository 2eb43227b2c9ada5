"""Statistics -> the factors of BLEU: smoothed n-gram precisions, and the brevity penalty.

The docstring of `bleu` has the formulas of `SMOOTHINGS`. "floor", "add-k" and "exp" are methods 1 to 3
of Chen and Cherry 2014 (https://aclanthology.org/W14-3346), as sacreBLEU computes them; 4 to 7 are as in
NLTK. An order without n-grams has a precision of 0 with none, floor and exp, of 1 with add-k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

_CHEN_CHERRY_K = 5.0
_CHEN_CHERRY_ALPHA = 5.0


class BleuStatistics(NamedTuple):
    """The statistics of examples, or sums of them, with a column for each."""

    # n-grams of the prediction that are in a reference, each at most as often as in the reference
    # that has it most often (Papineni et al. 2002, section 2.1); shape (n_orders, n_columns)
    matches: np.ndarray
    totals: np.ndarray  # denominators: `n_ngrams`, or the least total of a preset
    n_ngrams: np.ndarray  # of the prediction
    lengths: np.ndarray  # c, r, and the tokens of all references together; shape (3, n_columns)

    @classmethod
    def from_rows(cls, values: np.ndarray) -> BleuStatistics:
        """Return the statistics in a matrix with the rows of `kinds_of_statistics`."""
        n = len(values) // 3 - 1  # orders
        return cls(values[:n], values[n : 2 * n], values[2 * n : -3], values[-3:])


# From statistics, the number of orders and the value of the smoothing to precisions of the
# first orders, shape (n_orders, n_columns).
Precisions = Callable[[BleuStatistics, int, float], np.ndarray]
# From the value of the smoothing, j and c to what replaces the matches of the j-th order without
# any; j and c are numbers, or arrays of a shape.
Numerator = Callable[[float, Any, Any], Any]


def brevity_penalty(translation_length: np.ndarray, reference_length: np.ndarray) -> np.ndarray:
    """Return 1 where c >= r, else exp(1 - r / c), which is 0 for an empty translation."""
    quotient = reference_length / np.maximum(translation_length, 1e-300)  # huge if c is 0
    return np.exp(np.minimum(1.0 - quotient, 0.0))


@dataclass(frozen=True)
class Smoothing:
    """Formulas for precisions and brevity penalty: a smoothing, or those of another package."""

    precisions: Precisions
    default_value: float | None = None  # of its parameter; None: it has no parameter
    # If all precisions are quotients by t, and the penalty is `brevity_penalty`.
    numerator: Numerator | None = None
    looks_ahead: bool = False  # whether it needs the counts of one more order
    adds_to_totals: bool = False  # whether its value counts as n-grams of the prediction
    needs_match: bool = True  # whether all precisions are 0 if no unigram matches
    needs_every_match: bool = False  # BLEU is 0 if any order has no match
    needs_every_order: bool = False  # BLEU is 0 if predictions have fewer tokens than orders
    # A prediction with tokens scores 0 if the references have none, instead of `zero_division`.
    scores_against_nothing: bool = False
    skips_zero: bool = False  # an order with a precision of 0 is left out
    penalty: Callable[[np.ndarray, np.ndarray], np.ndarray] = brevity_penalty  # of c and r
    # BLEU is the unchanged product, even if nothing matches or a side is empty.
    is_complete: bool = False


def _by_numerator(numerator: Numerator, has_empty: bool = False, **others: Any) -> Smoothing:
    """Return the smoothing by m / t, with a numerator for 0 matches; `has_empty`: also if t is 0, as 1."""

    def precisions(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
        matches, totals = statistics.matches[:n_orders], statistics.totals[:n_orders]
        is_missed = (matches == 0) & ((totals > 0) | has_empty)
        j = np.cumsum(is_missed, axis=0)
        smoothed = numerator(value, j, statistics.lengths[0])
        return np.where(is_missed, smoothed, matches) / np.maximum(totals, 1)

    return Smoothing(precisions, numerator=numerator, **others)


def add_k(
    statistics: BleuStatistics, n_orders: int, value: float, *, to_words: float = 0.0
) -> np.ndarray:
    """Return (m + k) / (t + k) of the first orders, with `to_words` as k for unigrams."""
    added = np.full((n_orders, 1), value)
    added[0] = to_words
    matches = statistics.matches[:n_orders] + added
    totals = statistics.totals[:n_orders] + added
    return np.divide(matches, totals, out=np.zeros(totals.shape), where=totals > 0)


def _chen_cherry_6(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    precisions = UNSMOOTHED.precisions(statistics, n_orders, value)
    for n in range(2, n_orders):
        before, two_before = precisions[n - 1], precisions[n - 2]
        expected = np.divide(before**2, two_before, out=np.zeros_like(before), where=two_before > 0)
        matches = statistics.matches[n] + _CHEN_CHERRY_ALPHA * expected
        precisions[n] = matches / (statistics.n_ngrams[n] + _CHEN_CHERRY_ALPHA)
    return precisions


def averaged_with_neighbours(method: Precisions) -> Smoothing:
    """Return the smoothing that averages the precisions of a method with their neighbours."""

    def precisions(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
        next_order = UNSMOOTHED.precisions(statistics, n_orders + 1, value)[n_orders:]
        found = np.concatenate([method(statistics, n_orders, value), next_order])
        averaged = [found[0] + 1.0]
        for this, following in pairwise(found):
            averaged.append((averaged[-1] + this + following) / 3.0)
        return np.stack(averaged[1:])

    return Smoothing(precisions, looks_ahead=True)


UNSMOOTHED = Smoothing(
    lambda statistics, n_orders, value: (
        statistics.matches[:n_orders] / np.maximum(statistics.totals[:n_orders], 1)
    ),
    numerator=lambda value, j, c: 0.0,
    needs_match=False,
)
_CHEN_CHERRY_4 = _by_numerator(
    lambda value, j, c: np.log(np.maximum(c, 1)) / (2.0**j * _CHEN_CHERRY_K), has_empty=True
)
# (m_n + 1) / (t_n + 1) for every n, as in evaluate's `bleu`.
PLUS_ONE = Smoothing(
    lambda statistics, n_orders, value: add_k(statistics, n_orders, 1.0, to_words=1.0),
    needs_match=False,
)
SMOOTHINGS: dict[str, Smoothing] = {  # those of the option
    "none": UNSMOOTHED,
    "floor": _by_numerator(lambda value, j, c: value, default_value=0.1),
    "add-k": Smoothing(add_k, default_value=1.0, adds_to_totals=True),
    "exp": _by_numerator(lambda value, j, c: 0.5**j),
    "chen-cherry-4": _CHEN_CHERRY_4,
    "chen-cherry-5": averaged_with_neighbours(UNSMOOTHED.precisions),
    "chen-cherry-6": Smoothing(_chen_cherry_6),
    "chen-cherry-7": averaged_with_neighbours(_CHEN_CHERRY_4.precisions),
}


def smoothings_with(**changes: Any) -> dict[str, Smoothing]:
    """Return all smoothings with some fields changed, by name; "plus-one" is smooth=True."""
    every = {**SMOOTHINGS, "plus-one": PLUS_ONE}
    return {name: replace(smoothing, **changes) for name, smoothing in every.items()}


# The formula of a preset replaces a smoothing: BLEU is the unchanged product.
Formula = partial(Smoothing, needs_match=False, is_complete=True)
