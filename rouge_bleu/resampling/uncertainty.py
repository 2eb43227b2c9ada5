"""How sure a score is: bootstrap intervals, and paired tests of two systems.

The scores of a corpus are a function of sums over its items. So a resample, in which
item i stands w_i times, costs one product of its weights and the items' numbers, and the
function of what comes out; resamples are rows of a matrix.

* Bootstrap: n items are drawn with replacement from n. An interval lies between the
  percentiles of the resampled scores (Koehn 2004, "Statistical Significance Tests for
  Machine Translation Evaluation", https://aclanthology.org/W04-3250).
* Approximate randomization: each item goes to the other system or stays, at random
  (Riezler and Maxwell 2005, https://aclanthology.org/W05-0908).

The draws are those of `numpy.random.default_rng(seed)`, in the order in which
`scipy.stats.bootstrap` and `sacrebleu.significance` make them. With k of n resamples
whose difference is at least as large as the real one,

    p-value = (k + 1) / (n + 1)

sacreBLEU counts only those that are larger. Where few items differ, many resamples have
exactly the real difference; they belong to the probability that is meant.

A sum in another order may have another last digit. So two numbers count as equal if they
differ by less than 1e-12 of the scores. That decides whether a difference is as large as
the real one, and whether a resampled score is that of the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

PAIRED_TESTS = ("randomization", "bootstrap")
MAX_RESAMPLES = 10**6
WHY_MAX_RESAMPLES = (
    "the scores of all resamples are held in memory, and a million of them tell a p-value to 0.001"
)

_MAX_WEIGHTS = 1 << 20  # of a block of resamples
_COINS_OF_DRAW = 32  # that the generator makes of one number
_TIE = 1e-12  # of the scores: what is closer is the same, summed in another order

ScoresOfSums = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """What is asked for, and how it is drawn.

    Parameters
    ----------
    confidence_level : float or None
        Of the intervals; None: no intervals.
    n_resamples, seed : int
    paired_test : str
        One of `PAIRED_TESTS`, where there is a baseline.
    """

    confidence_level: float | None
    n_resamples: int
    seed: int
    paired_test: str


def uncertainty(
    systems: Sequence[np.ndarray],
    scores: Sequence[np.ndarray],
    scores_of_sums: ScoresOfSums,
    resampling: Resampling,
) -> dict[str, np.ndarray]:
    """Return bounds and p-values of all scores, by the suffix that their keys have.

    Each is an ndarray of float64, shape (n_scores,). With a confidence level: "_low" and
    "_high". With a baseline: "_p_value". With both: also the bounds of the baseline and
    of the difference, such as "_delta_low".

    Parameters
    ----------
    systems : sequence of one or two ndarrays of float64, shape (n_columns, n_items)
        Numbers of each item that add up: those of a system, and of the baseline.
    scores : sequence of as many ndarrays of float64, shape (n_scores,)
        The scores of the corpus, for each system.
    scores_of_sums : function
        From sums of columns, shape (n_columns, n_sums), to scores, shape (n_scores,
        n_sums). A score that is not defined is NaN, and left out.
    resampling : Resampling
    """
    n_items = systems[0].shape[1]
    level, seed = resampling.confidence_level, resampling.seed
    is_paired = len(systems) == 2
    tests_by_bootstrap = is_paired and resampling.paired_test == "bootstrap"
    values_of_suffix: dict[str, np.ndarray] = {}
    if level is not None or tests_by_bootstrap:
        weights = resample_weights(n_items, resampling.n_resamples, seed)
        resampled = _scores_of_resamples(systems, scores_of_sums, weights)
    if level is not None:
        real, magnitude = _with_delta(scores), _magnitudes(scores)
        for suffix, values in _with_delta(resampled).items():
            low, high = percentile_bounds(values, real[suffix], magnitude[suffix], level)
            values_of_suffix |= {f"{suffix}_low": low, f"{suffix}_high": high}
    if is_paired:
        if not tests_by_bootstrap:
            masks = exchange_masks(n_items, resampling.n_resamples, seed)
            resampled = _scores_of_exchanges(systems, scores_of_sums, masks)
        differences = _absolute_differences(*resampled)
        centre = _mean_differences(differences) if tests_by_bootstrap else 0.0
        values_of_suffix["_p_value"] = _p_values(
            differences - centre, _absolute_differences(*scores), _magnitudes(scores)["_delta"]
        )
    return values_of_suffix


def with_uncertainty(
    keys: Sequence[str],
    scores: Sequence[np.ndarray],
    uncertainty_of_suffix: Mapping[str, np.ndarray] = {},
) -> dict[str, Any]:
    """Return a result: each score, that of the baseline, the difference, and their bounds.

    Parameters
    ----------
    keys : sequence of str
    scores : sequence of one or two ndarrays of float64, shape (n_keys,) or (n_keys, n_items)
        The scores of a system, and of the baseline.
    uncertainty_of_suffix : mapping of str to ndarray
        What `uncertainty` returned.
    """
    columns = {**_with_delta(scores), **uncertainty_of_suffix}
    in_order = keys_of_score("", "_low" in columns, "_delta" in columns)
    result = {}
    for row, key in enumerate(keys):
        for suffix in in_order:
            if suffix in columns:
                result[key + suffix] = columns[suffix][row].tolist()
    return result


def _with_delta(scores: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Return scores by the suffix of their keys: one's own, the baseline's, the difference."""
    if len(scores) == 1:
        return {"": scores[0]}
    own, baseline = scores
    return {"": own, "_baseline": baseline, "_delta": own - baseline}


def _magnitudes(scores: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """Return what the rounding errors of `_with_delta` are in proportion to.

    For a score it is the score itself, for a difference the larger one of the two.
    """
    sizes = [np.abs(of_system) for of_system in scores]
    if len(sizes) == 1:
        return {"": sizes[0]}
    return {"": sizes[0], "_baseline": sizes[1], "_delta": np.fmax(*sizes)}


def keys_of_score(key: str, has_intervals: bool, has_baseline: bool) -> list[str]:
    """Return the key of a score and those beside it in a result, in order."""
    ends = ("", "_low", "_high") if has_intervals else ("",)
    suffixes = ("", "_baseline", "_delta") if has_baseline else ("",)
    keys = [f"{key}{suffix}{end}" for suffix in suffixes for end in ends]
    return [*keys, f"{key}_p_value"] if has_baseline else keys


# --- draws ----------------------------------------------------------------------------


def resample_weights(n_items: int, n_resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Yield how often each item is drawn, ndarrays of float64, shape (some, n_items).

    The draws are `default_rng(seed).integers(n_items, size=(n_resamples, n_items))`.
    """
    random = np.random.default_rng(seed)
    for n_rows in shares(n_resamples, max(1, _MAX_WEIGHTS // n_items)):
        drawn = random.integers(n_items, size=(n_rows, n_items))
        drawn += np.arange(n_rows)[:, np.newaxis] * n_items
        counts = np.bincount(drawn.ravel(), minlength=n_rows * n_items)
        yield counts.reshape(n_rows, n_items).astype(np.float64)


def exchange_masks(n_items: int, n_resamples: int, seed: int) -> Iterator[np.ndarray]:
    """Yield which items go to the other system, ndarrays of bool, shape (some, n_items).

    The coins are `default_rng(seed).integers(2, size=(n_resamples, n_items),
    dtype=bool)`. The generator makes 32 coins of one number, and a call drops those that
    it does not need. So each call but the last takes a multiple of 32 coins.
    """
    random = np.random.default_rng(seed)
    n_of_block = max(1, _MAX_WEIGHTS // n_items)
    n_of_call = -(-n_of_block // _COINS_OF_DRAW) * _COINS_OF_DRAW
    for n_rows in shares(n_resamples, n_of_call):
        masks = random.integers(2, size=(n_rows, n_items), dtype=bool)
        for first in range(0, n_rows, n_of_block):
            yield masks[first : first + n_of_block]


def shares(total: int, share: int) -> list[int]:
    """Return parts of at most `share` that sum to `total`."""
    return [min(share, total - start) for start in range(0, total, share)]


# --- scores of resamples --------------------------------------------------------------
# Scores of resamples are ndarrays of float64, shape (n_scores, n_resamples).


def _scores_of_resamples(
    systems: Sequence[np.ndarray],
    scores_of_sums: ScoresOfSums,
    blocks_of_weights: Iterator[np.ndarray],
) -> list[np.ndarray]:
    """Return the scores of each system, from the same draws."""
    # The least number of each column is taken off: where all numbers of a column are the
    # same, the sum of what is left is 0, and exact for any number of items.
    least = [columns.min(axis=1, keepdims=True) for columns in systems]
    above = [columns - low for columns, low in zip(systems, least, strict=True)]
    n_items = systems[0].shape[1]
    parts = [
        [
            scores_of_sums(rest @ weights.T + low * n_items)
            for rest, low in zip(above, least, strict=True)
        ]
        for weights in blocks_of_weights
    ]
    return [np.concatenate(of_system, axis=1) for of_system in zip(*parts, strict=True)]


def _scores_of_exchanges(
    systems: Sequence[np.ndarray], scores_of_sums: ScoresOfSums, masks: Iterator[np.ndarray]
) -> list[np.ndarray]:
    """Return the scores of both systems after each exchange."""
    change = systems[1] - systems[0]
    own, other = (columns.sum(axis=1, keepdims=True) for columns in systems)
    parts = []
    for mask in masks:
        exchanged = change @ mask.T.astype(np.float64)
        parts.append([scores_of_sums(own + exchanged), scores_of_sums(other - exchanged)])
    return [np.concatenate(of_system, axis=1) for of_system in zip(*parts, strict=True)]


def percentile_bounds(
    resampled: np.ndarray, score: np.ndarray, magnitude: np.ndarray, level: float
) -> np.ndarray:
    """Return the percentiles between which a share `level` lies, shape (2, n_scores).

    A resampled score that differs from that of the corpus by rounding only is set to it.
    So the interval of items that are all the same is their score.

    Parameters
    ----------
    resampled : ndarray of float64, shape (n_scores, n_resamples)
    score : ndarray of float64, shape (n_scores,)
        What the corpus itself has.
    magnitude : ndarray of float64, shape (n_scores,)
        What their rounding errors are in proportion to.
    level : float
    """
    score, tie = score[:, np.newaxis], _TIE * magnitude[:, np.newaxis]
    with np.errstate(invalid="ignore"):  # a score may be infinite
        resampled = np.where(np.abs(resampled - score) <= tie, score, resampled)
    percents = (50.0 * (1.0 - level), 50.0 * (1.0 + level))
    bounds = np.percentile(resampled, percents, axis=1)
    for row in np.flatnonzero(np.isnan(resampled).any(axis=1)):
        defined = resampled[row][~np.isnan(resampled[row])]
        if len(defined):
            bounds[:, row] = np.percentile(defined, percents)
    return bounds


# --- p-values -------------------------------------------------------------------------


def _absolute_differences(scores: np.ndarray, baseline: np.ndarray) -> np.ndarray:
    return np.abs(scores - baseline)


def _mean_differences(differences: np.ndarray) -> np.ndarray:
    """Return the mean of what is defined in each row, shape (n_rows, 1)."""
    is_defined = ~np.isnan(differences)
    total = np.where(is_defined, differences, 0.0).sum(axis=1, keepdims=True)
    return total / np.maximum(is_defined.sum(axis=1, keepdims=True), 1)


def _p_values(differences: np.ndarray, real: np.ndarray, magnitude: np.ndarray) -> np.ndarray:
    """Return how often chance alone makes a difference as large as the real one.

    It is (k + 1) / (n + 1) with such a difference in k of n resamples: 1 for a system
    and itself, NaN where a score is. Shape (n_scores,).

    Parameters
    ----------
    differences : ndarray of float64, shape (n_scores, n_resamples)
        Those of resamples; for the bootstrap less their mean, which is the effect.
    real : ndarray of float64, shape (n_scores,)
    magnitude : ndarray of float64, shape (n_scores,)
        What their rounding errors are in proportion to.
    """
    with np.errstate(invalid="ignore"):  # a score may be infinite
        least = real - _TIE * magnitude
    n_as_large = (differences >= least[:, np.newaxis]).sum(axis=1)
    n_defined = (~np.isnan(differences)).sum(axis=1)
    return np.where(np.isnan(real), np.nan, (n_as_large + 1) / (n_defined + 1))
