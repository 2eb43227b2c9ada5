"""BLEU of pymteval, the stand-in for mteval in e2e-metrics and GEM-metrics.

Facts about what pymteval.py of e2e-metrics computes; none of its code is here. Words are
those of 13a, lowercased then, and an empty text has one, which is empty. A text of c
words has c - n + 1 n-grams, also below 0, so that one of a single word takes 2 off the
4-grams of a corpus. With matches m and n-grams t of the corpus, c words of the
predictions and the closest reference length r,

    p_n = max(m_n, 1e-15) / max(t_n, 1e-9),   BP = 1 if c > r, else exp(1 - r / c)

so that a segment may be above 1. For a c of 0 the quotient has 1e-5, so that BP is e where
r is 0 too, as with lists of no tokens. Its smoothing is not here.
"""

from __future__ import annotations

import numpy as np

from ..smoothing import OrderCounts
from .formula import Formula

_TINY, _SMALL = 1e-15, 1e-9
_LEAST_LENGTH = 1e-5


def _precisions(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    matches = np.maximum(counts.matches[:n_orders], _TINY)
    return matches / np.maximum(counts.totals[:n_orders], _SMALL)


def _penalty(translation_length: np.ndarray, reference_length: np.ndarray) -> np.ndarray:
    length = np.maximum(translation_length, _LEAST_LENGTH)
    is_long = translation_length > reference_length
    return np.where(is_long, 1.0, np.exp(1.0 - reference_length / length))


PYMTEVAL = Formula(precisions=_precisions, penalty=_penalty, is_complete=True)
