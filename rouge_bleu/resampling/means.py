"""Intervals and p-values of means over items.

    scores of items -> sums of scores and of how many there are -> means -> bounds, p-values

A score that is NaN is left out of the mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .uncertainty import Resampling, uncertainty


def uncertainty_of_item_means(
    items: Sequence[np.ndarray],
    averages: Sequence[np.ndarray],
    scores_of_means: Callable[[np.ndarray], np.ndarray],
    resampling: Resampling,
) -> dict[str, np.ndarray]:
    """Return bounds and p-values of what follows from means of items.

    Parameters
    ----------
    items : sequence of ndarray of float64, shape (n_columns, n_items)
        Those of the system, and of the baseline if there is one.
    averages : sequence of ndarray of float64, shape (n_scores,)
        The scores of the corpus of each.
    scores_of_means : function
        From means of the columns, shape (n_columns, n_means), to scores, shape
        (n_scores, n_means).
    resampling : Resampling
    """
    n_columns, n_items = items[0].shape
    has_undefined = any(np.isnan(scores).any() for scores in items)
    # A mean is made of two sums, of scores and of how many there are.
    columns = [
        np.concatenate(
            [
                np.where(np.isnan(scores), 0.0, scores),
                ~np.isnan(scores) if has_undefined else np.ones((1, n_items)),
            ]
        )
        for scores in items
    ]

    def scores_of_sums(sums: np.ndarray) -> np.ndarray:
        totals, numbers = sums[:n_columns], sums[n_columns:]
        undefined = np.full_like(totals, np.nan)
        means = np.divide(totals, numbers, out=undefined, where=numbers > 0)
        return scores_of_means(means)

    return uncertainty(columns, averages, scores_of_sums, resampling)
