"""Token ids -> lengths of longest common subsequences of pairs.

LCS is the length of the longest common subsequence (Lin 2004, section 3.1,
https://aclanthology.org/W04-1013).

The idea of the vectorisation stands in `kernels/lcs/rows.py`: rows of thousands of tables lie
side by side as bits, and Python loops run over tokens. A few pairs are taken one by one
(`kernels/plain_counts.py`), and so are the longest texts; of these, texts with hardly a word in
common by the method of Hunt and Szymanski 1977, "A fast algorithm for computing longest
common subsequences" (https://doi.org/10.1145/359581.359603), whose work grows with the
number of matches.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict

import numpy as np

from ...ground.ragged import Ragged, batches
from ...ground.tokens import ABSENT, SharedTokens
from ..plain_counts import plain_lcs_length
from .integers import LongLane, PackedLanes, words_of_field
from .rows import (
    WORD_BITS,
    Lanes,
    bit_counts,
    position_masks,
    rows_behind,
)

# From so many lanes on, rows in machine words are faster than packed ones.
MIN_LANES_IN_WORDS = 300
# Words of all rows of the lanes that are packed together.
MAX_PACKED_WORDS = 1 << 16
# So many tokens in common cost the same in columns and pair by pair; a pair by itself
# costs as much as some tokens.
_MAX_PLAIN_TOKENS = 3000
_TOKENS_OF_PLAIN_PAIR = 8
# Where fewer than one cell of so many is a match, matches are few.
_CELLS_OF_MATCH = 5000


def lcs_lengths(tokens: SharedTokens) -> np.ndarray:
    """Return the length of the longest common subsequence of each pair.

    Result: ndarray of int64, shape (n_pairs,).
    """
    return lcs_lengths_of_pairs(tokens, np.arange(tokens.n_items))


def lcs_lengths_of_pairs(tokens: SharedTokens, wanted: np.ndarray) -> np.ndarray:
    """Return the LCS length of some pairs, given their numbers, `wanted`."""
    # Tokens that the other side lacks are in no common subsequence.
    prediction, reference = (
        side.ids.keep(side.ids.values != ABSENT) for side in tokens.sides
    )
    lengths = np.zeros(len(wanted), dtype=np.int64)
    has_tokens = np.flatnonzero(prediction.lengths[wanted])
    pairs = wanted[has_tokens]
    n_tokens = len(prediction.values) + len(reference.values)
    if n_tokens + _TOKENS_OF_PLAIN_PAIR * len(pairs) <= _MAX_PLAIN_TOKENS:
        texts = (side.take(pairs).to_lists() for side in (prediction, reference))
        lengths[has_tokens] = list(map(plain_lcs_length, *texts))
        return lengths
    rows = _joined(prediction, reference)
    sides = _shorter_walk(rows.lengths, pairs, pairs + prediction.n_rows)
    lengths[has_tokens] = _lengths_of_lanes(rows, *sides, tokens.n_ids)
    return lengths


def _joined(first: Ragged, second: Ragged) -> Ragged:
    """Return the rows of both, one after the other."""
    offsets = [first.offsets[:-1], second.offsets + len(first.values)]
    return Ragged(
        np.concatenate([first.values, second.values]), np.concatenate(offsets)
    )


def _shorter_walk(
    lengths: np.ndarray, row: np.ndarray, other: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each two rows which one is walked, and which one is in bits.

    The LCS is the same either way. The shorter one is walked, unless the longer one
    takes more than one machine word and the shorter one takes one.
    """
    shorter = np.minimum(lengths[row], lengths[other])
    longer = np.maximum(lengths[row], lengths[other])
    walks_shorter = (longer <= WORD_BITS) | (shorter > WORD_BITS)
    is_walked = (lengths[row] <= lengths[other]) == walks_shorter
    return np.where(is_walked, row, other), np.where(is_walked, other, row)


def _lengths_of_lanes(
    rows: Ragged, walked: np.ndarray, in_bits: np.ndarray, n_ids: int
) -> np.ndarray:
    """Return LCS lengths of lanes, given by two rows with at least one token each.

    No id is in two lanes.
    """
    lengths = np.zeros(len(walked), dtype=np.int64)
    n_bits = rows.lengths[in_bits]
    is_short = n_bits <= WORD_BITS
    if np.count_nonzero(is_short) < MIN_LANES_IN_WORDS:
        is_short[:] = False
    n_words = rows.lengths[walked] * words_of_field(n_bits)
    is_packed = ~is_short & (n_words <= MAX_PACKED_WORDS)
    for lane in np.flatnonzero(~is_short & ~is_packed).tolist():
        texts = (rows.take(side[[lane]]).values for side in (walked, in_bits))
        lengths[lane] = _length_of_long_lane(*texts)
    packed = np.flatnonzero(is_packed)
    for first, end in batches(n_words[packed], MAX_PACKED_WORDS):
        some = packed[first:end]
        sides = rows.take(walked[some]), rows.take(in_bits[some])
        lengths[some] = _packed_lengths(*sides, n_ids)
    short = np.flatnonzero(is_short)
    sides = rows.take(walked[short]), rows.take(in_bits[short])
    lengths[short] = _lengths_in_words(*sides, n_ids)
    return lengths


def _lengths_in_words(walked: Ragged, in_bits: Ragged, n_ids: int) -> np.ndarray:
    """Return LCS lengths of lanes with at most 64 bits: the number of 0 bits."""
    masks = position_masks(
        in_bits.values, in_bits.position_in_row, np.ones(n_ids, dtype=np.int64)
    )
    lanes = Lanes.longest_first(walked)
    rows = rows_behind(lanes, masks.values[walked.values[lanes.place]])
    return lanes.in_input_order(bit_counts(~rows[lanes.last_entry]))


def _packed_lengths(walked: Ragged, in_bits: Ragged, n_ids: int) -> np.ndarray:
    """Return LCS lengths of lanes as one integer."""
    n_words = np.zeros(n_ids, dtype=np.int64)
    n_words[in_bits.values] = words_of_field(in_bits.lengths)[in_bits.row_of_value]
    masks = position_masks(in_bits.values, in_bits.position_in_row, n_words)
    lanes = Lanes.longest_first(walked)
    packed = PackedLanes(
        lanes, masks.take(walked.values[lanes.place]), in_bits.lengths[lanes.order]
    )
    return lanes.in_input_order(packed.lcs_lengths())


def _length_of_long_lane(walked: np.ndarray, in_bits: np.ndarray) -> int:
    """Return the LCS length of two long texts, ndarrays of token ids."""
    first_id = int(min(walked.min(), in_bits.min()))
    n_walked, n_in_bits = (
        np.bincount(side - first_id, minlength=int(in_bits.max()) - first_id + 1)
        for side in (walked, in_bits)
    )
    n_matches = int(n_walked @ n_in_bits)
    if n_matches * _CELLS_OF_MATCH < len(walked) * len(in_bits):
        return _length_by_matches(walked.tolist(), in_bits.tolist())
    return LongLane(walked, in_bits).lcs_length()


def _length_by_matches(prediction: list[int], reference: list[int]) -> int:
    """Return the LCS length by Hunt and Szymanski's method.

    `first_end[k]` is the first position of the reference at which a common subsequence
    of k + 1 tokens ends. Each match lowers one of them, or adds one.
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
