"""Token ids -> lengths of longest common subsequences of pairs.

Vectorised: each pair has a table with a row for each token of one text and a bit for each token of
the other one, and thousands of tables are filled at once (`bit_rows.py`). The longest texts are
counted one by one.
"""

from __future__ import annotations

import numpy as np

from ..arrays import Ragged, rows_from
from .bit_rows import LongTable, batches_of_tables, masks_of_positions, words_of_field


def lcs_lengths_of_columns(
    prediction: Ragged, reference: Ragged, pairs: np.ndarray, n_ids: int
) -> np.ndarray:
    """Return the LCS length of the pairs with the given numbers, int64; ids are below `n_ids`."""
    # Start and length of each text in `values`: the predictions of the pairs, their references.
    values = np.concatenate([prediction.values, reference.values])
    start = np.append(prediction.offsets[pairs], reference.offsets[pairs] + len(prediction.values))
    length = np.append(prediction.lengths[pairs], reference.lengths[pairs])
    lcs = np.zeros(len(pairs), dtype=np.int64)
    left = (np.minimum(*np.split(length, 2)) > 0).nonzero()[0]
    other = left + len(pairs)
    # The LCS is the same either way: the shorter text is walked through, the longer one is in bits.
    is_shorter = length[left] <= length[other]
    walked, in_bits = np.where(is_shorter, left, other), np.where(is_shorter, other, left)
    for kind, tables in batches_of_tables(length[walked], length[in_bits]):
        rows, columns = (
            rows_from(values, start[side[tables]], length[side[tables]])
            for side in (walked, in_bits)
        )
        no_gaps = np.zeros(len(rows.values), dtype=bool)
        if kind is LongTable:
            lcs[left[tables]] = LongTable(rows.values, columns.values, no_gaps).lcs_lengths()
            continue
        n_words = np.zeros(n_ids, dtype=np.int64)  # of the mask of each id
        for side in (rows, columns):
            n_words[side.values] = words_of_field(columns.lengths)[side.row_of_value]
        masks = masks_of_positions(columns.values, columns.position_in_row, n_words)
        lcs[left[tables]] = kind(rows, masks, columns.lengths, no_gaps).lcs_lengths()
    return lcs
