"""What two texts begin or end with, of all pairs of a column at once.

Tokens at both ends that two texts have in common need no table. Python loops run over
nothing.
"""

from __future__ import annotations

import numpy as np

from ..arrays import offsets_of_lengths

# Common ends that are shorter cost less in tables.
_LEAST_COMMON_END = 8


def n_equal_in_row(
    values: np.ndarray, start: np.ndarray, length: np.ndarray, step: int
) -> np.ndarray:
    """Return how many tokens two texts have in common from a place on.

    A few tokens are not looked for: most texts differ at once. Result: ndarray of int64,
    shape (n_pairs,).

    Parameters
    ----------
    start, length : ndarray of int64, shape (2 * n_pairs,)
        The place in each text, and the number of tokens from there on.
    step : int
        1, or -1 to go backwards.
    """
    left, right = np.split(start, 2)
    n_most = np.minimum(*np.split(length, 2))
    n_equal = np.zeros_like(n_most)
    pair = (n_most >= _LEAST_COMMON_END).nonzero()[0]
    for ahead in (0, step * (_LEAST_COMMON_END - 1)):
        left_id, right_id = (values.take(side[pair] + ahead) for side in (left, right))
        pair = pair[left_id == right_id]
    offsets = offsets_of_lengths(n_most[pair])
    number = np.arange(len(pair)).repeat(n_most[pair])
    distance = step * (np.arange(offsets[-1]) - offsets[number])
    left_id, right_id = (values.take(side[pair][number] + distance) for side in (left, right))
    differs = np.append(left_id != right_id, True).nonzero()[0]
    first = differs[differs.searchsorted(offsets[:-1])]
    n_equal[pair] = np.minimum(first, offsets[1:]) - offsets[:-1]
    return n_equal
