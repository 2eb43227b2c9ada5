"""BLEU of NLTK before 3.6, by its releases.

Facts about what the releases compute, found by running them; none of their code is here.
What they do otherwise than those of today:

    3.2.2 to 3.2.5  without smoothing the first order without match and all above are
                    left out, and the weights of the others stay: a sentence that shares
                    only words has p_1 to the power of 1/4
    to 3.5          method2, here "add-k", adds one to unigrams too
    3.2.2 to 3.4.5  method4, here "chen-cherry-4", has 1 / (i + 5 / ln c) for the order
                    n = i + 1 without match, of predictions with c tokens
    3.5             method4 has (i + 5 / ln c) / t, with t n-grams

For a corpus 3.2.2 to 3.3 take the ln c of its last sentence, so that method4 depends on
their order. Here c is that of the whole corpus, as in NLTK since 3.4.

method7, "chen-cherry-7", is method4 and then method5. Of one token, whose ln c is 0,
these releases make an error; here such an order is left out, as in NLTK since 3.6.6.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..smoothing import OrderCounts, averaged_precisions, plain_precisions
from .formula import Formula

_Precisions = Callable[[OrderCounts, int, float], np.ndarray]
_K = 5.0


def _without_missed(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    has_matches = np.logical_and.accumulate(counts.matches[:n_orders] > 0, axis=0)
    return np.where(has_matches, plain_precisions(counts, n_orders, value), 1.0)


def _add_to_all(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    totals = counts.totals[:n_orders] + value
    matches = counts.matches[:n_orders] + value
    return np.divide(matches, totals, out=np.zeros(totals.shape), where=totals > 0)


def _missed_sum(counts: OrderCounts, n_orders: int) -> np.ndarray:
    """Return i + 5 / ln c for each order, infinite for a single token."""
    logarithm = np.log(np.maximum(counts.translation_length, 1))
    with np.errstate(divide="ignore"):
        return np.arange(n_orders)[:, np.newaxis] + _K / logarithm


def _method4_of_3_4_5(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    return _where_missed(counts, n_orders, 1.0 / _missed_sum(counts, n_orders))


def _method4_of_3_5(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    totals = np.maximum(counts.totals[:n_orders], 1)
    return _where_missed(counts, n_orders, _missed_sum(counts, n_orders) / totals)


def _where_missed(counts: OrderCounts, n_orders: int, smoothed: np.ndarray) -> np.ndarray:
    """Return the precisions, smoothed for orders without match; 1 leaves an order out."""
    smoothed = np.where(counts.translation_length > 1, smoothed, 1.0)
    plain = plain_precisions(counts, n_orders, 0.0)
    return np.where(counts.matches[:n_orders] > 0, plain, smoothed)


def _method7_after(method4: _Precisions) -> _Precisions:
    def method7(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
        next_order = plain_precisions(counts, n_orders + 1, value)[n_orders:]
        smoothed = method4(counts, n_orders, value)
        return averaged_precisions(np.concatenate([smoothed, next_order]))

    return method7


def _formulas(method4: _Precisions, **others: _Precisions) -> dict[str, Formula]:
    precisions = {
        "add-k": _add_to_all,
        "chen-cherry-4": method4,
        "chen-cherry-7": _method7_after(method4),
        **others,
    }
    return {
        name: Formula(precisions=function, penalty=None, is_complete=False)
        for name, function in precisions.items()
    }


# By the last release that has them.
NLTK_3_2_5 = _formulas(_method4_of_3_4_5, none=_without_missed)
NLTK_3_4_5 = _formulas(_method4_of_3_4_5)
NLTK_3_5 = _formulas(_method4_of_3_5)
