"""Smooth BLEU-4 of CodeXGLUE's code-to-text task and of CodeNN, "BLEU-CN".

Facts about what the evaluator of CodeXGLUE computes; none of its code is here. With M =
2.2e-308, the least normal float, m_n matches among t_n n-grams, c tokens and the
shortest reference of r tokens,

    p_1 = (m_1 + M) / (t_1 + M),   p_n = (m_n + 1 + M) / (t_n + 1 + M) for n > 1
    BP  = min(1, exp(1 - (r + 1) / (c + 1)))

So a text without a word in common has some 1e-77, and an empty one exp(-r), 0.0067 for a
reference of five tokens. A corpus has the mean over its items.
"""

from __future__ import annotations

import sys

import numpy as np

from ..smoothing import OrderCounts
from .formula import Formula

_LEAST = sys.float_info.min


def _precisions(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    added = np.full((n_orders, 1), 1.0 + _LEAST)
    added[0] = _LEAST
    return (counts.matches[:n_orders] + added) / (counts.totals[:n_orders] + added)


def _penalty(translation_length: np.ndarray, reference_length: np.ndarray) -> np.ndarray:
    ratio = (reference_length + 1.0) / (translation_length + 1.0)
    return np.exp(np.minimum(1.0 - ratio, 0.0))


CODEXGLUE = Formula(precisions=_precisions, penalty=_penalty, is_complete=True)
