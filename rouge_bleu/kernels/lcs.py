"""Token ids -> lengths of longest common subsequences of pairs.

The LCS is defined in Lin 2004, section 3.1 (https://aclanthology.org/W04-1013).

Vectorised: each pair has a table with a row for each token of one text and a column for
each token of the other one. A row is a bit vector, thousands of tables are filled at once
(`bit_rows.py`), and Python loops run over rows. The longest texts are counted one by one.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Ragged, rows_from
from .bit_rows import (
    WORD_BITS,
    BitTables,
    LongTable,
    batches_of_tables,
    position_masks,
    words_of_field,
)


def lcs_lengths(prediction: Ragged, reference: Ragged, pairs: np.ndarray, n_ids: int) -> np.ndarray:
    """Return the LCS length of the pairs with the given numbers, int64; ids are below `n_ids`."""
    # Start and length of each text in `values`: the predictions of the pairs, their references.
    values = np.concatenate([prediction.values, reference.values])
    start = np.append(prediction.offsets[pairs], reference.offsets[pairs] + len(prediction.values))
    length = np.append(prediction.lengths[pairs], reference.lengths[pairs])
    lcs = np.zeros(len(pairs), dtype=np.int64)
    left = (np.minimum(*np.split(length, 2)) > 0).nonzero()[0]
    walked, in_bits = _shorter_walked(length, left, left + len(pairs))
    for kind, tables in batches_of_tables(length[walked], length[in_bits], WORD_BITS):
        rows, columns = (
            rows_from(values, start[side[tables]], length[side[tables]])
            for side in (walked, in_bits)
        )
        if kind == "long":
            lcs[left[tables]] = LongTable(rows.values, columns.values).lcs_lengths()
            continue
        in_words = kind == "words"
        n_words = np.full(n_ids, int(in_words))  # of the mask of each id
        if not in_words:
            for side in (rows, columns):
                n_words[side.values] = words_of_field(columns.lengths)[side.row_of_value]
        masks = position_masks(columns.values, columns.position_in_row, n_words)
        lcs[left[tables]] = BitTables(rows, masks, columns.lengths, in_words).lcs_lengths()
    return lcs


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
