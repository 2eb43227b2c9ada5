"""Matches and totals -> smoothed n-gram precisions.

    none         p_n = m_n / t_n smooth=True  (m_n + 1) / (t_n + 1) for every n, as the
    `bleu` metric of evaluate floor        e / t_n where m_n = 0, e = 0.1
    (1) add-k        (m_n + k) / (t_n + k) for n > 1, k = 1
    (2) exp          1 / (2^j t_n) for the j-th order with m_n = 0
    (3) chen-cherry-4  ln(c) / (2^j K t_n) for the j-th order with m_n = 0, K = 5, c
    tokens chen-cherry-5  p'_n = (p'_(n-1) + p_n + p_(n+1)) / 3, p'_0 = p_1 + 1
    chen-cherry-6  for n > 2: (m_n + a q) / (l_n + a), q = p_(n-1)^2 / p_(n-2), a = 5,
    l_n n-grams in the prediction chen-cherry-7  4, then 5

(1) to (3) and 4 to 7 are the numbers of Chen and Cherry 2014, "A systematic comparison
of smoothing techniques for sentence-level BLEU" (https://aclanthology.org/W14-3346); 4
to 7 are computed as NLTK does, with its constants. none, floor, add-k and exp follow
sacreBLEU, and where an item has no match at all its precisions are 0. All are functions
of the summed statistics, so the order of segments cannot matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_CHEN_CHERRY_K = 5.0
_CHEN_CHERRY_ALPHA = 5.0


def smoothed_precisions(statistics: Any, options: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the precisions of each order, ndarray of float64, and which orders BLEU
    counts, ndarray of bool; shape (max_order, n_items).

    Parameters
    ----------
    statistics : BleuStatistics
    options : BleuOptions
    """
    n_orders = options.highest_order
    matches, totals, n_ngrams = (
        column[:n_orders]
        for column in (statistics.matches, statistics.totals, statistics.n_ngrams)
    )
    if options.smooth:
        precisions, is_defined = (matches + 1.0) / (totals + 1.0), n_ngrams > 0
    else:
        precisions = _SMOOTHINGS[options.smoothing](statistics, options)[:n_orders]
        is_defined = (
            n_ngrams
            + (options.smoothing_constant if options.smoothing == "add-k" else 0.0)
            > 0
        )
        if options.preset == "nltk" and options.smoothing == "chen-cherry-4":
            precisions = np.where(
                precisions > 0, precisions, 1.0
            )  # of a single token, whose ln(c) is 0; NLTK leaves such an order out
        precisions = np.where(matches.any(axis=0), precisions, 0.0)
    is_counted = (
        is_defined
        if options.uses_effective_order
        else np.ones(matches.shape, dtype=bool)
    )
    return precisions, is_counted


def _plain(statistics: Any, options: Any) -> np.ndarray:
    return statistics.matches / np.maximum(statistics.totals, 1)


def _floor(statistics: Any, options: Any) -> np.ndarray:
    return np.where(
        _is_missed(statistics), options.smoothing_constant, statistics.matches
    ) / np.maximum(statistics.totals, 1)


def _add_k(statistics: Any, options: Any) -> np.ndarray:
    added = np.full((len(statistics.matches), 1), options.smoothing_constant)
    added[0] = 0.0
    totals = statistics.totals + added
    return np.divide(
        statistics.matches + added, totals, out=np.zeros(totals.shape), where=totals > 0
    )


def _exp(statistics: Any, options: Any) -> np.ndarray:
    numerator = np.where(
        _is_missed(statistics), 0.5 ** _number_of_miss(statistics), statistics.matches
    )
    return numerator / np.maximum(statistics.totals, 1)


def _chen_cherry_4(statistics: Any, options: Any) -> np.ndarray:
    logarithm = np.log(np.maximum(statistics.translation_length, 1))
    is_missed = statistics.matches == 0
    numerator = np.where(
        is_missed,
        logarithm / (2.0 ** np.cumsum(is_missed, axis=0) * _CHEN_CHERRY_K),
        statistics.matches,
    )
    return numerator / np.maximum(statistics.totals, 1)


def _chen_cherry_5(statistics: Any, options: Any) -> np.ndarray:
    return _averaged(_plain(statistics, options), options.highest_order)


def _chen_cherry_6(statistics: Any, options: Any) -> np.ndarray:
    precisions = _plain(statistics, options)
    for n in range(2, options.highest_order):
        before, two_before = precisions[n - 1], precisions[n - 2]
        expected = np.divide(
            before**2, two_before, out=np.zeros_like(before), where=two_before > 0
        )
        precisions[n] = (statistics.matches[n] + _CHEN_CHERRY_ALPHA * expected) / (
            statistics.n_ngrams[n] + _CHEN_CHERRY_ALPHA
        )
    return precisions


def _chen_cherry_7(statistics: Any, options: Any) -> np.ndarray:
    extra = _plain(statistics, options)[options.highest_order :]
    return _averaged(
        np.concatenate(
            [_chen_cherry_4(statistics, options)[: options.highest_order], extra]
        ),
        options.highest_order,
    )


def _averaged(precisions: np.ndarray, n_orders: int) -> np.ndarray:
    averaged = [precisions[0] + 1.0]
    for n in range(n_orders):
        averaged.append((averaged[-1] + precisions[n] + precisions[n + 1]) / 3.0)
    return np.stack(averaged[1:])


def _is_missed(statistics: Any) -> np.ndarray:
    """Return where an order has n-grams and no match."""
    return (statistics.matches == 0) & (statistics.totals > 0)


def _number_of_miss(statistics: Any) -> np.ndarray:
    """Return the number, from 1, of each order without a match among those of its item."""
    return np.cumsum(_is_missed(statistics), axis=0)


_SMOOTHINGS: dict[str, Callable[[Any, Any], np.ndarray]] = {
    "none": _plain,
    "floor": _floor,
    "add-k": _add_k,
    "exp": _exp,
    "chen-cherry-4": _chen_cherry_4,
    "chen-cherry-5": _chen_cherry_5,
    "chen-cherry-6": _chen_cherry_6,
    "chen-cherry-7": _chen_cherry_7,
}
