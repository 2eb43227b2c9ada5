"""Token ids -> lengths of longest common subsequences of pairs.

LCS is that of Lin 2004, section 3.1 (https://aclanthology.org/W04-1013).

How it is vectorised: each pair has a table with a row for each token of one text and a column for
each token of the other one. A row is a row of bits, thousands of tables are filled side by side
(`bit_rows.py`), and Python loops run over rows. A few pairs are counted one by one (`plain.py`),
and so are the longest texts.
"""

from __future__ import annotations

import numpy as np

from ..arrays import rows_from
from ..plain import lcs_length as plain_lcs_length
from ..tokens import UNSHARED, SharedTokens
from .bit_rows import (
    WORD_BITS,
    BitTables,
    LongTable,
    batches_of_tables,
    position_masks,
    words_of_field,
)

# So many tokens in common cost the same in columns and pair by pair; a pair by itself
# costs as much as some tokens.
_MAX_PLAIN_TOKENS = 3000
_TOKENS_OF_PLAIN_PAIR = 8


def lcs_lengths(tokens: SharedTokens, pairs: np.ndarray | None = None) -> np.ndarray:
    """Return the LCS length of each pair, or of those with the given numbers, int64."""
    if pairs is None:
        pairs = np.arange(tokens.n_items)
    # Tokens that the other side lacks are in no common subsequence.
    prediction, reference = (side.ids.keep(side.ids.values != UNSHARED) for side in tokens.sides)
    n_tokens = len(prediction.values) + len(reference.values)
    if n_tokens + _TOKENS_OF_PLAIN_PAIR * len(pairs) <= _MAX_PLAIN_TOKENS:
        lists = (side.take(pairs).to_lists() for side in (prediction, reference))
        return np.array(list(map(plain_lcs_length, *lists)), dtype=np.int64)
    # Start and length of each text in `values`: the predictions of the pairs, their references.
    values = np.concatenate([prediction.values, reference.values])
    start = np.stack([prediction.offsets[pairs], reference.offsets[pairs] + len(prediction.values)])
    length = np.stack([prediction.lengths[pairs], reference.lengths[pairs]])
    lcs = np.zeros(len(pairs), dtype=np.int64)
    shorter, longer = length.min(axis=0), length.max(axis=0)
    left = shorter.nonzero()[0]
    # The shorter text is walked through, unless it fits into a machine word and the longer does not.
    walks_shorter = (longer <= WORD_BITS) | (shorter > WORD_BITS)
    walked = ((length[0] <= length[1]) != walks_shorter).astype(np.int64)[left]  # side 0 or 1
    sides = walked, 1 - walked
    n_rows, n_bits = (length[side, left] for side in sides)
    for kind, tables in batches_of_tables(n_rows, n_bits, WORD_BITS):
        rows, columns = (
            rows_from(values, start[side[tables], left[tables]], length[side[tables], left[tables]])
            for side in sides
        )
        if kind == "long":
            lcs[left[tables]] = LongTable(rows.values, columns.values).lcs_lengths()
            continue
        in_words = kind == "words"
        n_words = np.full(tokens.n_ids, int(in_words))  # of the mask of each id
        if not in_words:
            for side in (rows, columns):
                n_words[side.values] = words_of_field(columns.lengths)[side.row_of_value]
        masks = position_masks(columns.values, columns.position_in_row, n_words)
        lcs[left[tables]] = BitTables(rows, masks, columns.lengths, in_words).lcs_lengths()
    return lcs
