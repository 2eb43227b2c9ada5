"""Token ids -> lengths of longest common subsequences of pairs.

LCS is that of Lin 2004, section 3.1 (https://aclanthology.org/W04-1013).

How it is vectorised: rows of thousands of tables are rows of bits, side by side
(`bit_rows.py`), and Python loops run over tokens. Tokens that both texts begin or end with need
no table. A few pairs are counted one by one (`plain.py`), and so are the longest texts; those
with hardly a word in common by the method of Hunt and Szymanski 1977, "A fast algorithm for
computing longest common subsequences" (https://doi.org/10.1145/359581.359603), whose work grows
with the number of matches.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

import numpy as np

from ..arrays import Ragged, batches, offsets_of_lengths, rows_from
from ..plain import lcs_length as plain_lcs_length
from ..tokens import UNSHARED, SharedTokens
from .bit_rows import (
    WORD_BITS,
    LongTable,
    PackedTables,
    Steps,
    bit_counts,
    position_masks,
    rows_in_words,
    words_of_field,
)

# From so many tables on, rows in machine words are faster than packed ones.
MIN_TABLES_IN_WORDS = 300
# Words of all rows of the tables that are packed together.
MAX_PACKED_WORDS = 1 << 16
# So many tokens in common cost the same in columns and pair by pair; a pair by itself
# costs as much as some tokens.
_MAX_PLAIN_TOKENS = 3000
_TOKENS_OF_PLAIN_PAIR = 8
# Where fewer than one cell of so many is a match, matches are few.
_CELLS_OF_MATCH = 5000
# Common ends that are shorter cost less in tables.
_MIN_COMMON_END = 8


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
    lcs[left] += _lengths_by_tables((values, start, length), walked, in_bits, tokens.n_ids)
    return lcs


def n_equal_in_row(
    values: np.ndarray, start: np.ndarray, length: np.ndarray, step: int
) -> np.ndarray:
    """Return how many tokens the texts of each pair have in common from a place on, int64.

    A few tokens are not looked for: most texts differ at once. `start` and `length`, int64, shape
    (2 * n_pairs,), have the place in each prediction and then in each reference, and the tokens
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
    """Return for each two texts which one is walked through, and which one is in bits.

    The LCS is the same either way. The shorter one is walked through, unless the longer one
    takes more than one machine word and the shorter one takes one.
    """
    shorter = np.minimum(length[row], length[other])
    longer = np.maximum(length[row], length[other])
    walks_shorter = (longer <= WORD_BITS) | (shorter > WORD_BITS)
    is_walked = (length[row] <= length[other]) == walks_shorter
    return np.where(is_walked, row, other), np.where(is_walked, other, row)


def _lengths_by_tables(
    texts: tuple[np.ndarray, np.ndarray, np.ndarray],
    walked: np.ndarray,
    in_bits: np.ndarray,
    n_ids: int,
) -> np.ndarray:
    """Return LCS lengths of texts, given by their values, starts and lengths.

    Each table has two of them, with at least one token each and ids of its own.
    """
    values, start, length = texts

    def take(rows: np.ndarray) -> Ragged:
        return rows_from(values, start[rows], length[rows])

    lengths = np.zeros(len(walked), dtype=np.int64)
    n_bits = length[in_bits]
    is_short = n_bits <= WORD_BITS
    if np.count_nonzero(is_short) < MIN_TABLES_IN_WORDS:
        is_short[:] = False
    n_words = length[walked] * words_of_field(n_bits)
    is_packed = ~is_short & (n_words <= MAX_PACKED_WORDS)
    for table in (~is_short & ~is_packed).nonzero()[0].tolist():
        lengths[table] = _length_of_long_table(
            take(walked[[table]]).values, take(in_bits[[table]]).values
        )
    packed = is_packed.nonzero()[0]
    for first, end in batches(n_words[packed], MAX_PACKED_WORDS):
        some = packed[first:end]
        lengths[some] = _lengths_packed(take(walked[some]), take(in_bits[some]), n_ids)
    short = is_short.nonzero()[0]
    lengths[short] = _lengths_in_words(take(walked[short]), take(in_bits[short]), n_ids)
    return lengths


def _lengths_in_words(walked: Ragged, in_bits: Ragged, n_ids: int) -> np.ndarray:
    """Return LCS lengths of tables with at most 64 bits: the number of 0 bits."""
    masks = position_masks(in_bits.values, in_bits.position_in_row, np.ones(n_ids, dtype=np.int64))
    steps = Steps.longest_first(walked)
    rows = rows_in_words(steps, masks.values[walked.values[steps.place]])
    return steps.in_input_order(bit_counts(~rows[steps.last_token]))


def _lengths_packed(walked: Ragged, in_bits: Ragged, n_ids: int) -> np.ndarray:
    """Return LCS lengths of tables whose rows are one integer."""
    n_words = np.zeros(n_ids, dtype=np.int64)
    for side in (walked, in_bits):
        n_words[side.values] = words_of_field(in_bits.lengths)[side.row_of_value]
    masks = position_masks(in_bits.values, in_bits.position_in_row, n_words)
    steps = Steps.longest_first(walked)
    masks_of_tokens = masks.take(walked.values[steps.place])
    packed = PackedTables(steps, masks_of_tokens, in_bits.lengths[steps.order])
    return steps.in_input_order(packed.lcs_lengths())


def _length_of_long_table(walked: np.ndarray, in_bits: np.ndarray) -> int:
    """Return the LCS length of two long texts, ndarrays of token ids."""
    both = np.concatenate([walked, in_bits])
    first_id, n_ids = int(both.min()), int(np.ptp(both)) + 1
    n_walked, n_in_bits = (
        np.bincount(side - first_id, minlength=n_ids) for side in (walked, in_bits)
    )
    n_matches = int(n_walked @ n_in_bits)
    if n_matches * _CELLS_OF_MATCH < len(walked) * len(in_bits):
        return _length_by_matches(walked.tolist(), in_bits.tolist())
    return LongTable(walked, in_bits).lcs_length()


def _length_by_matches(prediction: list[int], reference: list[int]) -> int:
    """Return the LCS length by Hunt and Szymanski's method.

    `first_end[k]` is the first position of the reference at which a common subsequence of k + 1
    tokens ends. Each match lowers one of them, or adds one.
    """
    positions = defaultdict(list)
    for position, token_id in enumerate(reference):
        positions[token_id].append(position)
    first_end: list[int] = []
    for token_id in prediction:
        for position in reversed(positions[token_id]):
            k = bisect_left(first_end, position)
            first_end[k : k + 1] = [position]
    return len(first_end)
