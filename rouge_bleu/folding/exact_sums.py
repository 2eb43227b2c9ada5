"""Sums that do not depend on the order, of integers and of floats.

Floats that are added in another order give other last digits. So a float is held as
whole numbers, which add up exactly:

    value = high 2^-30 + low 2^-60,        for a score, with high <= 2^30
    value = whole + high 2^-30 + low 2^-60,      for a length

What a value has below 2^-60 is rounded, once and by itself: an error of 2^-61 at most,
while scores of 2^-8 and more have none. 2^32 items fit into 64 bits.

    kind      held as
    count     itself
    score     whether it is defined (not NaN), high, low
    length    whole, high, low

`mean_rounded_once` needs no such parts: all scores are there at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain

import numpy as np

# The ends of the names under which the numbers of a column are held.
PARTS_OF_KIND = {
    "count": ("",),
    "score": ("_defined", "_high", "_low"),
    "length": ("_whole", "_high", "_low"),
}
MAX_SUMMED_ITEMS = 1 << 32

_PART_BITS = 30
_FRACTION_BITS = 2 * _PART_BITS
_PART = float(1 << _PART_BITS)
_MAX_LISTED = 1 << 16  # floats that are Python objects at once


def summands(values: np.ndarray, kind: str) -> np.ndarray:
    """Return the whole numbers as which values are held.

    Parameters
    ----------
    values : ndarray of int64 or float64, shape (n_items,)
    kind : str
        One of `PARTS_OF_KIND`.

    Returns
    -------
    ndarray of int64, shape (n_parts, n_items)
    """
    if kind == "count":
        return values[np.newaxis]
    if kind == "length":
        whole = np.floor(values)
        return np.stack([whole, *_fraction_parts(values - whole)]).astype(np.int64)
    is_defined = ~np.isnan(values)
    parts = _fraction_parts(np.where(is_defined, values, 0.0))
    return np.stack([is_defined, *parts]).astype(np.int64)


def _fraction_parts(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scaled = values * _PART
    high = np.floor(scaled)
    return high, np.rint((scaled - high) * _PART)


def values_of_sums(parts: np.ndarray, kind: str) -> np.ndarray:
    """Return what sums of `summands` stand for, rounded once.

    That is the sum of counts or lengths, and the mean of the scores that are defined.

    Parameters
    ----------
    parts : ndarray of int64, shape (n_parts, n_sums)
    kind : str

    Returns
    -------
    ndarray of int64 or float64, shape (n_sums,)
    """
    if kind == "count":
        return parts[0]
    first, high, low = parts.astype(object)  # Python's integers, which do not overflow
    fraction = (high << _PART_BITS) + low
    if kind == "length":
        total = (first << _FRACTION_BITS) + fraction
        return (total / (1 << _FRACTION_BITS)).astype(np.float64)
    mean = np.full(len(fraction), np.nan)
    has_mean = parts[0] > 0
    mean[has_mean] = fraction[has_mean] / (first[has_mean] << _FRACTION_BITS)
    return mean


def mean_rounded_once(values: np.ndarray) -> float:
    """Return the mean of floats, of which only the result is rounded.

    So the order changes no digit, and the mean of equal numbers is that number.

    >>> mean_rounded_once(np.full(50, 5 / 6)) == 5 / 6
    True

    Parameters
    ----------
    values : ndarray of float64, shape (n_items,), n_items >= 1
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
    """Return the mean of the scores of items that are not NaN; NaN where none is.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_items,), n_items >= 1
    """
    if len(scores) == 1:
        return float(scores[0])
    scores = scores[~np.isnan(scores)]
    return mean_rounded_once(scores) if len(scores) else math.nan


def _python_floats(values: np.ndarray) -> Iterator[float]:
    starts = range(0, len(values), _MAX_LISTED)
    blocks = (values[start : start + _MAX_LISTED].tolist() for start in starts)
    return chain.from_iterable(blocks)
