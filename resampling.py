"""Columns of scores of items -> averages over resamples.

`evaluate` averages rouge_score's scores with its `BootstrapAggregator`: the median of
1,000 means, each of as many items as there are, drawn with replacement by numpy's
legacy generator.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

_N_RESAMPLES = 1000
_MAX_DRAWN = 1 << 20  # scores drawn at once


def median_of_resampled_means(
    scores: Mapping[str, np.ndarray], seed: int
) -> dict[str, np.ndarray]:
    """Return for each rouge type the median over resamples of the mean of each output;
    ndarrays of float64, shape (n_outputs,).

    One generator draws for all types, in their order. Means are summed item after item,
    which is what `mean` over the first axis of an (n_items, 3) matrix does, so that the
    last digit agrees.

    Parameters
    ----------
    scores : mapping of str to ndarray of float64, shape (n_outputs, n_items)
    """
    random = np.random.RandomState(seed)
    medians = {}
    for name, all_columns in scores.items():
        columns = all_columns[:, ~np.isnan(all_columns[0])]
        n_items = columns.shape[1]
        if not n_items:
            medians[name] = np.full(len(columns), np.nan)
            continue
        means = np.concatenate(
            [
                _drawn_means(columns, random, n)
                for n in _shares(_N_RESAMPLES, max(1, _MAX_DRAWN // n_items))
            ],
            axis=1,
        )
        medians[name] = np.percentile(means, 50, axis=1)
    return medians


def _drawn_means(
    columns: np.ndarray, random: np.random.RandomState, n_resamples: int
) -> np.ndarray:
    """Return the means of so many resamples, ndarray of float64, shape (n_outputs,
    n_resamples).
    """
    n_items = columns.shape[1]
    drawn = np.ascontiguousarray(
        random.randint(0, n_items, size=(n_resamples, n_items)).T
    )
    # Rows of more than one number are added one after the other; a single column numpy
    # would add up in pairs.
    sums = [
        np.cumsum(column[drawn], axis=0)[-1]
        if n_resamples == 1
        else np.add.reduce(column[drawn], axis=0)
        for column in columns
    ]
    return np.stack(sums) / n_items


def _shares(total: int, share: int) -> list[int]:
    """Return parts of at most `share` that sum to `total`."""
    return [min(share, total - start) for start in range(0, total, share)]
