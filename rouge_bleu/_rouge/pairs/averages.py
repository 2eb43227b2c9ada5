"""Scores of items -> those of the corpus, with intervals and p-values.

An average is the mean of items; evaluate's `rouge` takes what rouge_score's
`BootstrapAggregator` gives: the median of 1,000 means, each of as many items as there
are, drawn with replacement by numpy's legacy generator. Python loops run over rouge
types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ...folding.exact_sums import mean_of_defined
from ...resampling.means import uncertainty_of_item_means
from ...resampling.uncertainty import shares
from ..measures.scores import OUTPUTS, f_measure
from ..options import RougeOptions

# Of items for each rouge type, ndarrays of float64, shape (n_outputs, n_items); or of
# the corpus, shape (n_outputs,).
Scores = Mapping[str, np.ndarray]

_N_RESAMPLES = 1000
_MAX_DRAWN = 1 << 20  # scores drawn at once


def averaged(scores: Scores, options: RougeOptions, seed: int) -> Scores:
    """Return the scores of the corpus by the average of the preset."""
    return _AVERAGES[options.rules.average](scores, options, seed)


def _means(scores: Scores, options: RougeOptions, seed: int) -> Scores:
    """The means of the scores that are not NaN; NaN where none is."""
    return {
        name: outputs_of_means(np.array([mean_of_defined(column) for column in columns]), options)
        for name, columns in scores.items()
    }


def outputs_of_means(means: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the outputs that are asked for from the means of those that were scored.

    Under the average "f_of_means" F is that of the mean precision and the mean recall.
    Shape (n_outputs,) or (n_outputs, n_means).
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


_AVERAGES: dict[str, Callable[[Scores, RougeOptions, int], Scores]] = {
    "mean": _means,
    "resampled_median": lambda scores, options, seed: median_of_resampled_means(scores, seed),
    "f_of_means": _means,
}


# --- intervals and p-values -----------------------------------------------------------


def stacked(scores: Scores) -> np.ndarray:
    """Return the outputs of all types one below the other."""
    return np.concatenate(list(scores.values()))


def uncertainty_of_means(
    items: Sequence[Scores], averages: Sequence[np.ndarray], options: RougeOptions, seed: int
) -> dict[str, np.ndarray]:
    """Return bounds and p-values of the means of items, NaN left out.

    Parameters
    ----------
    items : sequence
        The scores of items of the system, and of the baseline if there is one.
    averages : sequence of ndarray of float64, shape (n_scores,)
        The scores of the corpus of each.
    options : RougeOptions
    seed : int
        That of `load`.
    """
    if options.confidence_level is None and len(items) == 1:
        return {}
    of_systems = [stacked(scores) for scores in items]

    def scores_of_means(means: np.ndarray) -> np.ndarray:
        of_types = np.split(means, len(items[0]))
        return np.concatenate([outputs_of_means(one, options) for one in of_types])

    return uncertainty_of_item_means(
        of_systems, averages, scores_of_means, options.resampling(seed)
    )
