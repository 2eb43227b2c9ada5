"""BLEU of mteval-v13a.pl and of t2t-bleu, which differ from sacreBLEU for short texts.

Facts about what the programs compute; none of their code is here. With m_n matches among
t_n n-grams

    p_n = m_n / t_n,  1 / (2^k t_n) for the k-th order without match,  1 where t_n = 0

so that a text of two words has the root of p_1 p_2 to the power of 1/4, and a segment
that has nothing in common with the reference is above 0. An empty one has 0, also where
the reference is empty. Corpora of usual size have the BLEU of sacreBLEU. Without
smoothing mteval has nothing of its own.
"""

from __future__ import annotations

import numpy as np

from ..brevity import brevity_penalty
from ..smoothing import SMOOTHINGS, OrderCounts
from .formula import Formula


def _precisions(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    smoothed = SMOOTHINGS["exp"].precisions(counts, n_orders, value)
    return np.where(counts.totals[:n_orders] > 0, smoothed, 1.0)


def _penalty(translation_length: np.ndarray, reference_length: np.ndarray) -> np.ndarray:
    penalty = brevity_penalty(translation_length, reference_length)
    return np.where(translation_length > 0, penalty, 0.0)


MTEVAL = Formula(precisions=_precisions, penalty=_penalty, is_complete=True)
