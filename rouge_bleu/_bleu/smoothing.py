"""Matches and totals -> smoothed n-gram precisions.

    none           p_n = m_n / t_n
    floor          e / t_n where m_n = 0, e = 0.1                                    (1)
    add-k          (m_n + k) / (t_n + k) for n > 1, k = 1                            (2)
    exp            1 / (2^j t_n) for the j-th order with m_n = 0                     (3)
    chen-cherry-4  ln(c) / (2^j K t_n) for the j-th order with m_n = 0, K = 5, c tokens
    chen-cherry-5  p'_n = (p'_(n-1) + p_n + p_(n+1)) / 3, p'_0 = p_1 + 1
    chen-cherry-6  for n > 2: (m_n + a q) / (l_n + a), q = p_(n-1)^2 / p_(n-2), a = 5,
                   l_n n-grams in the prediction
    chen-cherry-7  4, then 5

(1) to (3) and 4 to 7 are the numbers of Chen and Cherry 2014, "A systematic comparison
of smoothing techniques for sentence-level BLEU" (https://aclanthology.org/W14-3346); 4
to 7 are computed as NLTK does, with its constants. none, floor, add-k and exp follow
sacreBLEU. `plus_one`, (m_n + 1) / (t_n + 1) for every n, is that of evaluate's `bleu`.

Where there are no n-grams, t_n = 0, the precision is 0; but add-k gives k / k, and
chen-cherry-4, as in NLTK, takes t_n for 1. All are functions of the summed counts, so
that the order of segments cannot matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

_CHEN_CHERRY_K = 5.0
_CHEN_CHERRY_ALPHA = 5.0


@dataclass(frozen=True, kw_only=True)
class OrderCounts:
    """The counts of n-grams of each order.

    Parameters
    ----------
    matches, totals, n_ngrams : ndarray of int64, shape (n_orders, n_items)
        Clipped matches, what they are divided by, and the n-grams of the prediction.
    translation_length : ndarray of int64, shape (n_items,)
    """

    matches: np.ndarray
    totals: np.ndarray
    n_ngrams: np.ndarray
    translation_length: np.ndarray

    def first(self, n_orders: int) -> OrderCounts:
        """Return the counts of the first orders only."""
        return OrderCounts(
            matches=self.matches[:n_orders],
            totals=self.totals[:n_orders],
            n_ngrams=self.n_ngrams[:n_orders],
            translation_length=self.translation_length,
        )

    @property
    def is_missed(self) -> np.ndarray:
        """Whether an order has n-grams and no match, ndarray of bool."""
        return (self.matches == 0) & (self.totals > 0)


@dataclass(frozen=True)
class Smoothing:
    """A way of smoothing.

    Parameters
    ----------
    precisions : callable
        From counts, the number of orders and the value of the smoothing to precisions,
        ndarray of float64, shape (n_orders, n_items).
    default_value : float or None
        The value where none is given; None: it has no value.
    looks_ahead : bool
        Whether it needs the counts of one order more.
    adds_to_totals : bool
        Whether its value counts as n-grams that the prediction has.
    """

    precisions: Callable[[OrderCounts, int, float], np.ndarray]
    default_value: float | None = None
    looks_ahead: bool = False
    adds_to_totals: bool = False


def plus_one(counts: OrderCounts) -> np.ndarray:
    """Return (m + 1) / (t + 1) of each order, ndarray of float64."""
    return (counts.matches + 1.0) / (counts.totals + 1.0)


def plain_precisions(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    """Return m / t of the first orders, 0 where t is."""
    return counts.matches[:n_orders] / np.maximum(counts.totals[:n_orders], 1)


def _floor(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    numerator = np.where(counts.is_missed, value, counts.matches)
    return (numerator / np.maximum(counts.totals, 1))[:n_orders]


def _add_k(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    added = np.full((n_orders, 1), value)
    added[0] = 0.0
    matches, totals = (counts.matches[:n_orders] + added, counts.totals[:n_orders] + added)
    return np.divide(matches, totals, out=np.zeros(totals.shape), where=totals > 0)


def _exp(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    number_of_miss = np.cumsum(counts.is_missed, axis=0)
    numerator = np.where(counts.is_missed, 0.5**number_of_miss, counts.matches)
    return (numerator / np.maximum(counts.totals, 1))[:n_orders]


def _chen_cherry_4(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    logarithm = np.log(np.maximum(counts.translation_length, 1))
    is_missed = counts.matches == 0  # an order without n-grams is one without matches
    number_of_miss = np.cumsum(is_missed, axis=0)
    smoothed = logarithm / (2.0**number_of_miss * _CHEN_CHERRY_K)
    numerator = np.where(is_missed, smoothed, counts.matches)
    return (numerator / np.maximum(counts.totals, 1))[:n_orders]


def _chen_cherry_5(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    return averaged_precisions(plain_precisions(counts, n_orders + 1, value))


def _chen_cherry_6(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    precisions = plain_precisions(counts, n_orders, value)
    for n in range(2, n_orders):
        before, two_before = precisions[n - 1], precisions[n - 2]
        expected = np.divide(before**2, two_before, out=np.zeros_like(before), where=two_before > 0)
        matches = counts.matches[n] + _CHEN_CHERRY_ALPHA * expected
        precisions[n] = matches / (counts.n_ngrams[n] + _CHEN_CHERRY_ALPHA)
    return precisions


def _chen_cherry_7(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    next_order = plain_precisions(counts, n_orders + 1, value)[n_orders:]
    smoothed = _chen_cherry_4(counts, n_orders, value)
    return averaged_precisions(np.concatenate([smoothed, next_order]))


def averaged_precisions(precisions: np.ndarray) -> np.ndarray:
    """Return each precision but the last averaged with its neighbours."""
    averaged = [precisions[0] + 1.0]
    for this, following in pairwise(precisions):
        averaged.append((averaged[-1] + this + following) / 3.0)
    return np.stack(averaged[1:])


SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(plain_precisions),
    "floor": Smoothing(_floor, default_value=0.1),
    "add-k": Smoothing(_add_k, default_value=1.0, adds_to_totals=True),
    "exp": Smoothing(_exp),
    "chen-cherry-4": Smoothing(_chen_cherry_4),
    "chen-cherry-5": Smoothing(_chen_cherry_5, looks_ahead=True),
    "chen-cherry-6": Smoothing(_chen_cherry_6),
    "chen-cherry-7": Smoothing(_chen_cherry_7, looks_ahead=True),
}
