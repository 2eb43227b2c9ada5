"""Statistics of items -> scores of a corpus, for `compute` and for batches (`streaming.py`).

    corpus -> statistics of its items -> their sums or means -> scores -> result

Statistics are a matrix with a row for each statistic and a column for each item, or for
each sum. What a metric keeps of an item, and what it makes of sums, is an `ItemStatistics`.
No order of the items changes a digit: integers are summed, and means of floats are rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from .corpus import Corpus
from .resampling import Resampling, uncertainty, uncertainty_of_item_means, with_uncertainty

_MAX_LISTED = 1 << 16  # floats that are Python objects at once


@dataclass(frozen=True, kw_only=True)
class ItemStatistics:
    """What a metric keeps of each item, and the result that it makes of that.

    `scores` and `item_scores` return rows: the scores, one for each key, and what `parts`
    shows beside them.
    """

    # What happens to each statistic: "count" and "length" are summed, "score" is averaged
    # without NaN. A length may have a fraction, a count is an integer.
    kinds: Mapping[str, str]
    # (corpus, keeps_items) -> (n_statistics, n_items); sums of items unless these are kept
    of_corpus: Callable[[Corpus, bool], np.ndarray]
    keys: list[str]  # the scores
    scores: Callable[[np.ndarray], np.ndarray]  # (n_statistics, n_sums) -> (n_rows, n_sums)
    item_scores: Callable[[np.ndarray], np.ndarray]  # the same for items by themselves
    # The other rows -> what a result has beside the scores, with a value for each column
    parts: Callable[[np.ndarray], dict[str, list[Any]]] = lambda rows: {}
    warn: Callable[[Corpus], None]  # of texts and options that do not go together
    n_scored: int | None = None  # scores depend on so many first statistics only; None: all


def aggregated(statistics: ItemStatistics, values: np.ndarray) -> np.ndarray:
    """Return the sums and means of statistics of items, shape (n_statistics, 1)."""
    if values.shape[1] == 1:
        return values
    if values.dtype == np.int64:
        return values.sum(axis=1, keepdims=True)
    kinds = statistics.kinds.values()
    return np.array([[_AGGREGATES[kind](row)] for kind, row in zip(kinds, values, strict=True)])


def result_of_statistics(
    statistics: ItemStatistics, corpora: Sequence[Corpus], options: Any, seed: int
) -> dict[str, Any]:
    """Return the result for a corpus, and for a baseline if there is a second one."""
    statistics.warn(corpora[0])
    is_resampled = options.confidence_level is not None or len(corpora) > 1
    keeps_items = is_resampled or not options.use_aggregator
    items = [statistics.of_corpus(corpus, keeps_items) for corpus in corpora]
    keys, n_keys = statistics.keys, len(statistics.keys)
    if not options.use_aggregator:
        rows = [statistics.item_scores(values) for values in items]
        found = with_uncertainty(keys, [of_system[:n_keys] for of_system in rows])
        return found | statistics.parts(rows[0][n_keys:])
    rows = [statistics.scores(aggregated(statistics, values)) for values in items]
    scores = [of_system[:n_keys, 0] for of_system in rows]
    bounds = {}
    if is_resampled:
        with np.errstate(invalid="ignore"):  # weights such as 1e300 make infinite scores
            bounds = _uncertainty(statistics, items, scores, options.resampling(seed))
    parts = statistics.parts(rows[0][n_keys:])
    return with_uncertainty(keys, scores, bounds) | {name: of[0] for name, of in parts.items()}


def _uncertainty(
    statistics: ItemStatistics,
    items: Sequence[np.ndarray],
    scores: Sequence[np.ndarray],
    resampling: Resampling,
) -> dict[str, np.ndarray]:
    n_keys = len(statistics.keys)

    def scores_of(sums: np.ndarray) -> np.ndarray:
        return statistics.scores(sums)[:n_keys]

    if "score" not in statistics.kinds.values():
        columns = [values.astype(np.float64) for values in items]
        return uncertainty(columns, scores, scores_of, resampling)
    columns = [values[: statistics.n_scored] for values in items]
    return uncertainty_of_item_means(columns, scores, scores_of, resampling)


# --- means ----------------------------------------------------------------------------


def mean_rounded_once(values: np.ndarray) -> float:
    """Return the mean of floats, of which only the result is rounded.

    So the order changes no digit, and the mean of equal numbers is that number.

    >>> mean_rounded_once(np.full(50, 5 / 6)) == 5 / 6
    True
    """
    if not math.isfinite(values.sum()):
        return float(values.mean())
    total = math.fsum(_python_floats(values))
    # What `total` was rounded by.
    rest = math.fsum(chain(_python_floats(values), [-total]))
    (high, high_unit), (low, low_unit) = map(float.as_integer_ratio, (total, rest))
    # Python divides whole numbers with one rounding.
    return (high * low_unit + low * high_unit) / (high_unit * low_unit * len(values))


def mean_of_defined(scores: np.ndarray) -> float:
    """Return the mean of the scores that are not NaN; NaN where none is."""
    if len(scores) == 1:
        return float(scores[0])
    scores = scores[~np.isnan(scores)]
    return mean_rounded_once(scores) if len(scores) else math.nan


def _python_floats(values: np.ndarray) -> Iterator[float]:
    starts = range(0, len(values), _MAX_LISTED)
    blocks = (values[start : start + _MAX_LISTED].tolist() for start in starts)
    return chain.from_iterable(blocks)


_AGGREGATES: Mapping[str, Callable[[np.ndarray], Any]] = {
    "count": np.sum,
    "length": lambda values: math.fsum(_python_floats(values)),
    "score": mean_of_defined,
}
