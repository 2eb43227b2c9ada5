"""Bootstrap confidence intervals of scores, and paired tests of two systems.

Scores of a corpus are a function of sums over its examples. So a resample, in which example i occurs w_i
times, costs a product of its weights and the examples' numbers, and that function.

* Bootstrap: n examples are drawn with replacement; an interval is between percentiles of the
  resampled scores (Koehn 2004, https://aclanthology.org/W04-3250).
* Approximate randomization: each example goes to the other system or stays, at random
  (Riezler and Maxwell 2005, https://aclanthology.org/W05-0908).

Draws are those of `scipy.stats.bootstrap` and `sacrebleu.significance` with `default_rng(seed)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

PAIRED_TESTS = ("randomization", "bootstrap")
MAX_RESAMPLES = 10**6
WHY_MAX_RESAMPLES = "all scores are kept in memory, and a million resamples give p-values to 0.001"

_MAX_WEIGHTS = 1 << 20  # of a block of resamples
_MAX_SUMS = 1 << 20  # of a block of resamples
_MAX_KEPT = 1 << 23  # scores of all resamples
_COINS_PER_NUMBER = 32  # that the generator makes of one number
_RELATIVE_TIE = 1e-12  # of the scores

ScoresOfSums = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """The requested intervals and tests, and the settings of resampling."""

    confidence_level: float | None  # None: no intervals
    n_resamples: int
    seed: int
    paired_test: str  # one of `PAIRED_TESTS`, if there is a baseline


def bounds_and_p_values(
    systems: Sequence[np.ndarray],
    scores: Sequence[np.ndarray],
    scores_of_sums: ScoresOfSums,
    resampling: Resampling,
) -> dict[str, np.ndarray]:
    """Return bounds and p-values of all scores, shape (n_scores,), by suffix, such as "_delta_low".

    `systems` are one or two matrices of numbers that add up, (n_columns, n_examples), with `scores` of
    shape (n_scores,); `scores_of_sums` makes of (n_columns, n_sums) scores (n_scores, n_sums).
    Resamples are drawn again for each group of scores, so that memory is bounded.
    """
    n_of_group = max(1, _MAX_KEPT // resampling.n_resamples)
    parts = (slice(first, first + n_of_group) for first in range(0, len(scores[0]), n_of_group))
    groups = [_bounds_of_group(systems, scores, scores_of_sums, some, resampling) for some in parts]
    return {suffix: np.concatenate([of[suffix] for of in groups]) for suffix in groups[0]}


def _bounds_of_group(
    systems: Sequence[np.ndarray],
    all_scores: Sequence[np.ndarray],
    scores_of_sums: ScoresOfSums,
    some: slice,
    resampling: Resampling,
) -> dict[str, np.ndarray]:
    def scores_of(draws: Iterable[Sequence[np.ndarray]]) -> list[np.ndarray]:
        """Return the scores of each system, float64, shape (n_scores, n_resamples)."""
        # A view would keep all rows.
        blocks = [[scores_of_sums(sums)[some].copy() for sums in block] for block in draws]
        return [np.concatenate(of_system, axis=1) for of_system in zip(*blocks, strict=True)]

    scores = [of_system[some] for of_system in all_scores]
    level, is_paired = resampling.confidence_level, len(systems) == 2
    tests_by_bootstrap = is_paired and resampling.paired_test == "bootstrap"
    # Rounding errors are in proportion to this: the score, or the larger of two scores.
    magnitude = _scores_by_suffix([np.abs(of_system) for of_system in scores], np.fmax)
    found: dict[str, np.ndarray] = {}
    if level is not None or tests_by_bootstrap:
        resampled = scores_of(_sums_of_resamples(systems, resampling))
    if level is not None:
        real = _scores_by_suffix(scores)
        for suffix, values in _scores_by_suffix(resampled).items():
            low, high = percentile_bounds(values, real[suffix], magnitude[suffix], level)
            found |= {f"{suffix}_low": low, f"{suffix}_high": high}
    if is_paired:
        if not tests_by_bootstrap:
            resampled = scores_of(_sums_of_exchanges(systems, resampling))
        differences, real_difference = (np.abs(one[0] - one[1]) for one in (resampled, scores))
        found["_p_value"] = _p_values(
            differences, real_difference, magnitude["_delta"], less_effect=tests_by_bootstrap
        )
    return found


def scores_by_key(
    keys: Sequence[str],
    scores: Sequence[np.ndarray],
    bounds_of_suffix: Mapping[str, np.ndarray] = {},
) -> dict[str, Any]:
    """Return a result: each score of one or two systems, (n_keys,) or (n_keys, n_examples), by key."""
    columns = {**_scores_by_suffix(scores), **bounds_of_suffix}
    in_order = keys_of_score("", "_low" in columns, "_delta" in columns)
    return {
        key + suffix: columns[suffix][row].tolist()
        for row, key in enumerate(keys)
        for suffix in in_order
        if suffix in columns
    }


def _scores_by_suffix(
    scores: Sequence[np.ndarray], compare: Callable[..., np.ndarray] = np.subtract
) -> dict[str, np.ndarray]:
    """Return scores by the suffix of their keys: the system, the baseline, their difference."""
    if len(scores) == 1:
        return {"": scores[0]}
    return {"": scores[0], "_baseline": scores[1], "_delta": compare(*scores)}


def keys_of_score(key: str, has_intervals: bool, has_baseline: bool) -> list[str]:
    """Return the key of a score and those beside it in a result, in order."""
    ends = ("", "_low", "_high") if has_intervals else ("",)
    suffixes = ("", "_baseline", "_delta") if has_baseline else ("",)
    keys = [f"{key}{suffix}{end}" for suffix in suffixes for end in ends]
    return [*keys, f"{key}_p_value"] if has_baseline else keys


# --- draws ----------------------------------------------------------------------------


def _n_resamples_of_block(n_examples: int, n_columns: int) -> int:
    return max(1, min(_MAX_WEIGHTS // n_examples, _MAX_SUMS // n_columns))


def resample_weights(
    n_examples: int, n_resamples: int, seed: int, n_columns: int = 1
) -> Iterator[np.ndarray]:
    """Yield how often each example is drawn, ndarrays of float64, shape (some, n_examples)."""
    random = np.random.default_rng(seed)
    for n_rows in block_sizes(n_resamples, _n_resamples_of_block(n_examples, n_columns)):
        yield draw_counts(random.integers(n_examples, size=(n_rows, n_examples)))


def draw_counts(drawn: np.ndarray) -> np.ndarray:
    """Return how often each example is drawn, float64; `drawn`, of the same shape, is overwritten.

    >>> draw_counts(np.array([[2, 0, 2], [1, 1, 1]])).tolist()
    [[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]]
    """
    drawn += np.arange(0, drawn.size, drawn.shape[1])[:, np.newaxis]  # a copy would cost more
    counts = np.bincount(drawn.ravel(), minlength=drawn.size)
    return counts.reshape(drawn.shape).astype(np.float64)


def exchange_masks(
    n_examples: int, n_resamples: int, seed: int, n_columns: int = 1
) -> Iterator[np.ndarray]:
    """Yield which examples go to the other system, ndarrays of bool, shape (some, n_examples).

    The generator makes 32 coins of one number, and a call drops those that it does not need. So each
    call but the last takes a multiple of 32, which gives the coins of one single call.
    """
    random = np.random.default_rng(seed)
    n_of_block = _n_resamples_of_block(n_examples, n_columns)
    n_of_call = -(-n_of_block // _COINS_PER_NUMBER) * _COINS_PER_NUMBER
    for n_rows in block_sizes(n_resamples, n_of_call):
        masks = random.integers(2, size=(n_rows, n_examples), dtype=bool)
        for first in range(0, n_rows, n_of_block):
            yield masks[first : first + n_of_block]


def block_sizes(total: int, share: int) -> list[int]:
    """Return parts of at most `share` that sum to `total`."""
    return [min(share, total - start) for start in range(0, total, share)]


def _sums_of_resamples(
    systems: Sequence[np.ndarray], resampling: Resampling
) -> Iterator[list[np.ndarray]]:
    """Yield the sums of each system, (n_columns, some), from the same draws."""
    # The minimum of each column is subtracted: if all numbers of a column are the
    # same, the remaining sum is 0, and exact for any number of examples.
    least = [columns.min(axis=1, keepdims=True) for columns in systems]
    above = [columns - low for columns, low in zip(systems, least, strict=True)]
    n_columns, n = systems[0].shape
    for weights in resample_weights(n, resampling.n_resamples, resampling.seed, n_columns):
        yield [rest @ weights.T + low * n for rest, low in zip(above, least, strict=True)]


def _sums_of_exchanges(
    systems: Sequence[np.ndarray], resampling: Resampling
) -> Iterator[list[np.ndarray]]:
    """Yield the sums of both systems, (n_columns, some), after exchanges."""
    change = systems[1] - systems[0]
    own, other = (columns.sum(axis=1, keepdims=True) for columns in systems)
    n_columns, n = change.shape
    for mask in exchange_masks(n, resampling.n_resamples, resampling.seed, n_columns):
        exchanged = change @ mask.T.astype(np.float64)
        yield [own + exchanged, other - exchanged]


# --- bounds and p-values --------------------------------------------------------------


def percentile_bounds(
    resampled: np.ndarray, score: np.ndarray, magnitude: np.ndarray, level: float
) -> np.ndarray:
    """Return the percentiles between which a share `level` lies, shape (2, n_scores).

    `resampled` has shape (n_scores, n_resamples). Values that differ from `score`
    only by rounding, in proportion to `magnitude`, are set to it: equal examples have an interval of width 0.
    """
    score, tie = score[:, np.newaxis], _RELATIVE_TIE * magnitude[:, np.newaxis]
    with np.errstate(invalid="ignore"):  # a score may be infinite
        resampled = np.where(np.abs(resampled - score) <= tie, score, resampled)
    percents = (50.0 * (1.0 - level), 50.0 * (1.0 + level))
    bounds = np.percentile(resampled, percents, axis=1)
    for row in np.flatnonzero(np.isnan(resampled).any(axis=1)):
        defined = resampled[row][~np.isnan(resampled[row])]
        if len(defined):
            bounds[:, row] = np.percentile(defined, percents)
    return bounds


def _p_values(
    differences: np.ndarray, real: np.ndarray, magnitude: np.ndarray, *, less_effect: bool
) -> np.ndarray:
    """Return p-values: the share of resampled differences as large as the real one, (n_scores,).

    `differences` have shape (n_scores, n_resamples); with `less_effect` their mean is subtracted first.
    """
    is_defined = ~np.isnan(differences)
    n_defined = is_defined.sum(axis=1)
    if less_effect:
        total = np.where(is_defined, differences, 0.0).sum(axis=1)
        differences = differences - (total / np.maximum(n_defined, 1))[:, np.newaxis]
    with np.errstate(invalid="ignore"):  # a score may be infinite
        least = real - _RELATIVE_TIE * magnitude
    # sacreBLEU counts only larger ones; but many resamples may have exactly the real difference.
    n_as_large = (differences >= least[:, np.newaxis]).sum(axis=1)
    return np.where(np.isnan(real), np.nan, (n_as_large + 1) / (n_defined + 1))


def bounds_and_p_values_of_means(
    systems: Sequence[np.ndarray],
    scores: Sequence[np.ndarray],
    scores_of_means: ScoresOfSums,
    resampling: Resampling,
) -> dict[str, np.ndarray]:
    """Return the `bounds_and_p_values` of what follows from the means of columns, NaN left out."""
    n_columns, n_examples = systems[0].shape
    has_undefined = any(np.isnan(values).any() for values in systems)
    # A mean is made of two sums, of scores and of how many there are.
    columns = [
        np.concatenate(
            [
                np.where(np.isnan(values), 0.0, values),
                ~np.isnan(values) if has_undefined else np.ones((1, n_examples)),
            ]
        )
        for values in systems
    ]

    def scores_of_sums(sums: np.ndarray) -> np.ndarray:
        totals, numbers = sums[:n_columns], sums[n_columns:]
        undefined = np.full_like(totals, np.nan)
        return scores_of_means(np.divide(totals, numbers, out=undefined, where=numbers > 0))

    return bounds_and_p_values(columns, scores, scores_of_sums, resampling)


# --- weights of a Poisson bootstrap ---------------------------------------------------
#
# Where no machine has all examples, each weight is drawn by itself from a Poisson distribution of mean 1
# (Chamandy et al. 2012, https://research.google/pubs/estimating-uncertainty-for-massive-data-streams/). A
# resample has n examples only on average; a mean or a BLEU is a quotient of sums, where that cancels.
#
# Philox (Salmon et al. 2011, https://doi.org/10.1145/2063384.2063405) encrypts a counter with the key
# (seed, id), and resample r takes the r-th piece of 16 bits.

# How many of the 2^16 pieces give a weight of 0, 1, 2, ...: near the Poisson distribution, and with
# its mean and its variance, 1, exactly.
PIECES_OF_WEIGHT = (24109, 24110, 12055, 4017, 1005, 201, 34, 4, 1)

_LEAST_PIECES = np.cumsum(PIECES_OF_WEIGHT[:-1]).astype(np.uint16)


def poisson_weights(example_id: np.ndarray, n_resamples: int, seed: int) -> np.ndarray:
    """Return the weight of each example in each resample, float64, shape (n_examples, n_resamples).

    >>> poisson_weights(np.array([7, 8], dtype=np.uint64), 6, seed=0).astype(int).tolist()
    [[0, 2, 1, 1, 0, 0], [0, 1, 1, 2, 1, 0]]
    """
    n_numbers = -(-n_resamples // 4)  # of four pieces
    numbers = np.empty((len(example_id), n_numbers), dtype="<u8")
    philox = np.random.Philox(key=np.array([seed, 0], dtype=np.uint64))
    state = philox.state
    key = state["state"]["key"]
    for row, key[1] in enumerate(example_id):
        philox.state = state
        numbers[row] = philox.random_raw(n_numbers)
    piece = numbers.view("<u2")[:, :n_resamples]
    weight = np.zeros(piece.shape, dtype=np.uint8)
    for least in _LEAST_PIECES:
        weight += (piece >= least).view(np.uint8)
    return weight.astype(np.float64)
