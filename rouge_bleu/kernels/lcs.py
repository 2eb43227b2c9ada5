"""Token ids -> lengths of longest common subsequences of pairs.

The LCS is defined in Lin 2004, section 3.1 (https://aclanthology.org/W04-1013).

Vectorised: each pair has a table with a row for each token of one text and a column for
each token of the other one. A row is a bit vector, thousands of tables are filled at once
(`bit_rows.py`), and Python loops run over rows. Tokens that both texts begin or end with need no
table. The longest texts are counted one by one.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Ragged, offsets_of_lengths, rows_from
from .bit_rows import (
    WORD_BITS,
    BitTables,
    LongTable,
    batches_of_tables,
    position_masks,
    words_of_field,
)

# Shorter common ends cost less in tables.
_MIN_COMMON_END = 8


def lcs_lengths(prediction: Ragged, reference: Ragged, pairs: np.ndarray, n_ids: int) -> np.ndarray:
    """Return the LCS length of the pairs with the given numbers, int64; ids are below `n_ids`."""
    # Start and length of each text in `values`: the predictions of the pairs, their references.
    values = np.concatenate([prediction.values, reference.values])
    start = np.append(prediction.offsets[pairs], reference.offsets[pairs] + len(prediction.values))
    length = np.append(prediction.lengths[pairs], reference.lengths[pairs])
    # Some LCS has all tokens that both texts begin and end with.
    n_head = n_equal_in_row(values, start, length, 1)
    start, length = start + np.tile(n_head, 2), length - np.tile(n_head, 2)
    n_tail = n_equal_in_row(values, start + length - 1, length, -1)
    length -= np.tile(n_tail, 2)
    lcs = n_head + n_tail
    left = (np.minimum(*np.split(length, 2)) > 0).nonzero()[0]
    walked, in_bits = _shorter_walked(length, left, left + len(pairs))
    for kind, tables in batches_of_tables(length[walked], length[in_bits], WORD_BITS):
        rows, columns = (
            rows_from(values, start[side[tables]], length[side[tables]])
            for side in (walked, in_bits)
        )
        if kind == "long":
            lcs[left[tables]] += LongTable(rows.values, columns.values).lcs_lengths()
            continue
        in_words = kind == "words"
        n_words = np.full(n_ids, int(in_words))  # of the mask of each id
        if not in_words:
            for side in (rows, columns):
                n_words[side.values] = words_of_field(columns.lengths)[side.row_of_value]
        masks = position_masks(columns.values, columns.position_in_row, n_words)
        lcs[left[tables]] += BitTables(rows, masks, columns.lengths, in_words).lcs_lengths()
    return lcs


def n_equal_in_row(
    values: np.ndarray, start: np.ndarray, length: np.ndarray, step: int
) -> np.ndarray:
    """Return how many tokens the texts of each pair share from a position on, int64.

    Runs of few tokens are ignored: most texts differ at once. `start` and `length`, int64, shape
    (2 * n_pairs,), have the position in each prediction, then in each reference, and the tokens
    from there on; a step of -1 goes backwards.
    """
    left, right = np.split(start, 2)
    n_most = np.minimum(*np.split(length, 2))
    n_equal = np.zeros_like(n_most)
    pair = (n_most >= _MIN_COMMON_END).nonzero()[0]
    for ahead in (0, step * (_MIN_COMMON_END - 1)):
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


def _shorter_walked(
    length: np.ndarray, row: np.ndarray, other: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each pair the text to walk through, and the text in bits.

    The LCS is the same either way. The shorter text is walked through, unless the longer text
    takes more than one machine word and the shorter text takes one.
    """
    shorter = np.minimum(length[row], length[other])
    longer = np.maximum(length[row], length[other])
    walks_shorter = (longer <= WORD_BITS) | (shorter > WORD_BITS)
    is_walked = (length[row] <= length[other]) == walks_shorter
    return np.where(is_walked, row, other), np.where(is_walked, other, row)
