"""Scores of items -> those of the corpus, where they are not plain means.

An average is the mean of items; evaluate's `rouge` takes what rouge_score's
`BootstrapAggregator` gives: the median of 1,000 means, each of as many items as there
are, drawn with replacement by numpy's legacy generator. Python loops run over rouge
types.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...resampling import shares
from ..measures.scores import OUTPUTS, f_measure
from ..options import RougeOptions

# Of items for each rouge type, ndarrays of float64, shape (n_outputs, n_items); or of
# the corpus, shape (n_outputs,).
Scores = Mapping[str, np.ndarray]

_N_RESAMPLES = 1000
_MAX_DRAWN = 1 << 20  # scores drawn at once


def outputs_of_means(means: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the outputs that are asked for from the means of those that were scored.

    Under the average "f_of_means" F is that of the mean precision and the mean recall.
    Both have shape (n_outputs, n_means).
    """
    if options.rules.average != "f_of_means":
        return means
    f = f_measure(means[:1], means[1:2], options.beta)
    wanted = [OUTPUTS.index(output) for output in options.outputs]
    return np.concatenate([means[:2], f])[wanted]


# --- evaluate's medians ---------------------------------------------------------------


def median_of_resampled_means(scores: Scores, seed: int) -> Scores:
    """Return for each rouge type the median over resamples of the mean of each output.

    One generator draws for all types, in their order. Means are summed item after item,
    which is what `mean` over the first axis of an (n_items, 3) matrix does, so that the
    last digit agrees.
    """
    random = np.random.RandomState(seed)
    medians = {}
    for name, all_columns in scores.items():
        columns = all_columns[:, ~np.isnan(all_columns[0])]
        n_items = columns.shape[1]
        if not n_items:
            medians[name] = np.full(len(columns), np.nan)
            continue
        n_of_blocks = shares(_N_RESAMPLES, max(1, _MAX_DRAWN // n_items))
        means = [_drawn_means(columns, random, n) for n in n_of_blocks]
        medians[name] = np.percentile(np.concatenate(means, axis=1), 50, axis=1)
    return medians


def _drawn_means(
    columns: np.ndarray, random: np.random.RandomState, n_resamples: int
) -> np.ndarray:
    """Return the means of so many resamples.

    Result: ndarray of float64, shape (n_outputs, n_resamples).
    """
    n_items = columns.shape[1]
    drawn = random.randint(0, n_items, size=(n_resamples, n_items))
    drawn = np.ascontiguousarray(drawn.T)
    # Rows of more than one number are added one after the other; a single column numpy
    # would add up in pairs.
    sums = [
        np.cumsum(column[drawn], axis=0)[-1]
        if n_resamples == 1
        else np.add.reduce(column[drawn], axis=0)
        for column in columns
    ]
    return np.stack(sums) / n_items
