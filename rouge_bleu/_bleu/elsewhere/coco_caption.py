"""BLEU of coco-caption and pycocoevalcap, for MS-COCO and other captions.

Facts about what pycocoevalcap 1.2 computes; none of its code is here. With e = 1e-15,
s = 1e-9, m_n matches among t_n n-grams, c tokens and the closest reference length r,

    p_n = (m_n + e) / (t_n + s)
    BP  = min(1, exp(1 - 1 / q)),   q = (c + e) / (r + s)

So a perfect text has 0.9999999997, for q is just below 1; an order without n-grams has
1e-6, one without matches e / t, and an empty prediction exp(-huge), which is 0. The
corpus has the sums of m, t, c and r. nlg-eval has the same formula.
"""

from __future__ import annotations

import numpy as np

from ..smoothing import OrderCounts
from .formula import Formula

_TINY = 1e-15
_SMALL = 1e-9


def _precisions(counts: OrderCounts, n_orders: int, value: float) -> np.ndarray:
    return (counts.matches[:n_orders] + _TINY) / (counts.totals[:n_orders] + _SMALL)


def _penalty(translation_length: np.ndarray, reference_length: np.ndarray) -> np.ndarray:
    ratio = (translation_length + _TINY) / (reference_length + _SMALL)
    return np.exp(np.minimum(1.0 - 1.0 / ratio, 0.0))


COCO_CAPTION = Formula(precisions=_precisions, penalty=_penalty, is_complete=True)
