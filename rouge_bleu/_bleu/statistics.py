"""The statistics of items: numbers that add up, from which BLEU is made.

matches      n-grams of the prediction that are in a reference. Each counts at most as
             often as in the reference that has it most often (Papineni et al. 2002,
             section 2.1, https://aclanthology.org/P02-1040)
totals       what matches are divided by: the n-grams of the prediction, unless a preset
             has a least total
lengths      of the prediction, of the reference that the brevity penalty compares with,
             and of all references together
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ..arrays import first_of_highest


class BleuStatistics(NamedTuple):
    """The statistics of items, or sums of them, with a column for each."""

    matches: np.ndarray  # clipped; shape (n_orders, n_items), as `totals` and `n_ngrams`
    totals: np.ndarray
    n_ngrams: np.ndarray  # of the predictions
    lengths: np.ndarray  # the three lengths, shape (3, n_items)

    @classmethod
    def of_values(cls, values: np.ndarray) -> BleuStatistics:
        """Return the statistics in a matrix with the rows of `kinds_of_statistics`."""
        n_orders = len(values) // 3 - 1
        return cls(
            values[:n_orders],
            values[n_orders : 2 * n_orders],
            values[2 * n_orders : -3],
            values[-3:],
        )


@cache
def kinds_of_statistics(n_orders: int, reference_length: str) -> dict[str, str]:
    """Return the names of the statistics in their order, and the kind of each.

    >>> list(kinds_of_statistics(1, "closest"))[:3]
    ['matches_1', 'totals_1', 'ngrams_1']
    """
    names = ("matches", "totals", "ngrams")
    orders = range(1, n_orders + 1)
    kinds = {f"{name}_{order}": "count" for name in names for order in orders}
    kind_of_length = "length" if reference_length == "average" else "count"
    kinds |= {"translation_length": "count", "reference_length": kind_of_length}
    return {**kinds, "n_reference_tokens": "count"}


# --- reference lengths ----------------------------------------------------------------
#
# Each function takes the lengths of all references, the offsets of the items' references and
# the lengths of the predictions, and returns the length that each prediction is compared
# with, shape (n_items,).

ReferenceLength = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _closest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    """The length closest to that of the prediction, on a tie the shorter."""
    if len(reference) == len(prediction):  # one reference each
        return reference
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    limit = int(reference.max(initial=0)) + 1
    return np.minimum.reduceat(distance * limit + reference, offsets[:-1]) % limit


def first_closest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    """Return the length closest to that of the prediction, on a tie the first one.

    >>> first_closest_length(np.array([8, 4]), np.array([0, 2]), np.array([6])).tolist()
    [8]
    """
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    return reference[first_of_highest(-distance, offsets)]


REFERENCE_LENGTHS: dict[str, ReferenceLength] = {
    "closest": _closest_length,
    "shortest": lambda reference, offsets, prediction: np.minimum.reduceat(reference, offsets[:-1]),
    "average": lambda reference, offsets, prediction: (
        np.add.reduceat(reference, offsets[:-1]) / np.diff(offsets)
    ),
}
