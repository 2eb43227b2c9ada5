"""Token ids -> numbers of distinct n-grams, of each text and shared by pairs.

However often a text has an n-gram, it counts once:

    matches = | n-grams of the prediction  ∩  n-grams of the reference |

as sets. The idea of the vectorisation: an n-gram is the (n-1)-gram at the same start and
one more token, numbered over all texts; what is distinct shows in sorted keys of text
and number. The Python loop runs over orders.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ...arrays import common_keys, dense_ids
from ...tokens import Tokens


def distinct_ngram_counts(
    prediction: Tokens, reference: Tokens, orders: Collection[int]
) -> dict[int, np.ndarray]:
    """Return the numbers of distinct n-grams of each pair, for each order asked for.

    Parameters
    ----------
    prediction, reference : Tokens, one row per pair
        Tokenized together: equal ids are equal tokens.
    orders : collection of int
        Lengths of n-grams, from 1.

    Returns
    -------
    dict of int to ndarray of int64, shape (3, n_pairs)
        Those that both texts have, those of the prediction, those of the reference.
    """
    sides = (prediction.ids, reference.ids)
    n_pairs = prediction.ids.n_rows
    n_types = max(prediction.n_types, reference.n_types, 1)
    starts = [np.arange(len(side.values)) for side in sides]
    n_following = [side.lengths[side.row_of_value] - 1 - side.position_in_row for side in sides]
    ngram_ids = [side.values for side in sides]
    counts = {}
    for order in range(1, max(orders, default=0) + 1):
        if order > 1:
            goes_on = [
                following[start] >= order - 1
                for following, start in zip(n_following, starts, strict=True)
            ]
            starts = [start[on] for start, on in zip(starts, goes_on, strict=True)]
            keys = [
                ngram_id[on] * n_types + side.values[start + order - 1]
                for ngram_id, on, side, start in zip(ngram_ids, goes_on, sides, starts, strict=True)
            ]
            ngram_ids, _ = dense_ids(keys)
        if order in orders:
            pairs = [side.row_of_value[start] for side, start in zip(sides, starts, strict=True)]
            counts[order] = counts_of_distinct(pairs, ngram_ids, n_pairs)
    return counts


def counts_of_distinct(pairs: list[np.ndarray], ids: list[np.ndarray], n_pairs: int) -> np.ndarray:
    """Return how many distinct ids both sides, the first and the second of a pair have.

    Parameters
    ----------
    pairs, ids : list of two ndarrays of int64
        The pair and the id of each thing of a side.
    n_pairs : int

    Returns
    -------
    ndarray of int64, shape (3, n_pairs)

    Examples
    --------
    >>> pairs = [np.array([0, 0, 0, 1]), np.array([0, 0, 1])]
    >>> ids = [np.array([5, 5, 6, 7]), np.array([5, 8, 5])]
    >>> counts_of_distinct(pairs, ids, 2).tolist()
    [[1, 0], [2, 1], [2, 1]]
    """
    n_ids = 1 + max(int(side.max(initial=0)) for side in ids)
    sides = [_distinct(pair * n_ids + id_) for pair, id_ in zip(pairs, ids, strict=True)]
    in_both, _ = common_keys(*sides)
    return np.stack([np.bincount(key // n_ids, minlength=n_pairs) for key in (in_both, *sides)])


def _distinct(keys: np.ndarray) -> np.ndarray:
    """Return the distinct keys, which are not negative; a sort outruns `numpy.unique`."""
    ascending = np.sort(keys)
    return ascending[np.diff(ascending, prepend=-1) > 0]
