"""What an implementation makes of counts and lengths, in place of a smoothing of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..smoothing import OrderCounts


@dataclass(frozen=True, kw_only=True)
class Formula:
    """From the statistics of items, or from sums of them, to the factors of BLEU.

    BLEU is the penalty times the geometric mean of the precisions.

    Parameters
    ----------
    precisions : function
        From counts, the number of orders and the value of the smoothing to precisions,
        ndarray of float64, shape (n_orders, n_items).
    penalty : function or None
        From the lengths of predictions and of references, shape (n_items,), to the
        brevity penalty; None: the usual one.
    is_complete : bool
        What it gives stands as it is, also where nothing matches or a side is empty.
    """

    precisions: Callable[[OrderCounts, int, float], np.ndarray]
    penalty: Callable[[np.ndarray, np.ndarray], np.ndarray] | None
    is_complete: bool
