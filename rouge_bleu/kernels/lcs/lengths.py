"""Token ids -> lengths of longest common subsequences of pairs.

LCS is the length of the longest common subsequence (Lin 2004, section 3.1,
https://aclanthology.org/W04-1013).

The idea of the vectorisation stands in `kernels/lcs/rows.py`: rows of thousands of tables lie
side by side as bits, and Python loops run over tokens. A few pairs are taken one by one
(`plain.py`), and so are the longest texts; of these, texts with hardly a word in
common by the method of Hunt and Szymanski 1977, "A fast algorithm for computing longest
common subsequences" (https://doi.org/10.1145/359581.359603), whose work grows with the
number of matches.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from ...arrays import Ragged, batches, rows_from
from ...plain import lcs_length as plain_lcs_length
from ...tokens import ABSENT, SharedTokens
from ..common_ends import n_equal_in_row
from .integers import LongLane, PackedLanes, words_of_field
from .rows import WORD_BITS, Lanes, bit_counts, position_masks, rows_behind

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
    prediction, reference = (side.ids.keep(side.ids.values != ABSENT) for side in tokens.sides)
    n_tokens = len(prediction.values) + len(reference.values)
    if n_tokens + _TOKENS_OF_PLAIN_PAIR * len(wanted) <= _MAX_PLAIN_TOKENS:
        lists = (side.take(wanted).to_lists() for side in (prediction, reference))
        return np.array(list(map(plain_lcs_length, *lists)), dtype=np.int64)
    texts = _Slices.of_pairs(prediction, reference, wanted)
    lengths, texts = _without_common_ends(texts)
    lanes = (np.minimum(*np.split(texts.length, 2)) > 0).nonzero()[0]
    sides = _shorter_walk(texts.length, lanes, lanes + len(wanted))
    lengths[lanes] += _lengths_of_lanes(texts, *sides, tokens.n_ids)
    return lengths


@dataclass(frozen=True)
class _Slices:
    """Parts of texts: the predictions of some pairs, then their references.

    Parameters
    ----------
    values : ndarray of int64
        The ids of all texts.
    start, length : ndarray of int64, shape (2 * n_pairs,)
        Where each part starts, and its tokens.
    """

    values: np.ndarray
    start: np.ndarray
    length: np.ndarray

    @classmethod
    def of_pairs(cls, prediction: Ragged, reference: Ragged, pairs: np.ndarray) -> _Slices:
        return cls(
            np.concatenate([prediction.values, reference.values]),
            np.append(prediction.offsets[pairs], reference.offsets[pairs] + len(prediction.values)),
            np.append(prediction.lengths[pairs], reference.lengths[pairs]),
        )

    def take(self, rows: np.ndarray) -> Ragged:
        return rows_from(self.values, self.start[rows], self.length[rows])


def _without_common_ends(texts: _Slices) -> tuple[np.ndarray, _Slices]:
    """Return how many tokens both texts begin and end with, and what lies between.

    Some LCS has all of these tokens. First comes an ndarray of int64, shape (n_pairs,).
    """
    values, start, length = texts.values, texts.start, texts.length
    n_head = n_equal_in_row(values, start, length, 1)
    start, length = start + np.tile(n_head, 2), length - np.tile(n_head, 2)
    n_tail = n_equal_in_row(values, start + length - 1, length, -1)
    return n_head + n_tail, _Slices(values, start, length - np.tile(n_tail, 2))


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
    rows: _Slices, walked: np.ndarray, in_bits: np.ndarray, n_ids: int
) -> np.ndarray:
    """Return LCS lengths of lanes, given by two rows with at least one token each.

    No id is in two lanes.
    """
    lengths = np.zeros(len(walked), dtype=np.int64)
    n_bits = rows.length[in_bits]
    is_short = n_bits <= WORD_BITS
    if np.count_nonzero(is_short) < MIN_LANES_IN_WORDS:
        is_short[:] = False
    n_words = rows.length[walked] * words_of_field(n_bits)
    is_packed = ~is_short & (n_words <= MAX_PACKED_WORDS)
    for lane in (~is_short & ~is_packed).nonzero()[0].tolist():
        texts = (rows.take(side[[lane]]).values for side in (walked, in_bits))
        lengths[lane] = _length_of_long_lane(*texts)
    packed = is_packed.nonzero()[0]
    for first, end in batches(n_words[packed], MAX_PACKED_WORDS):
        some = packed[first:end]
        sides = rows.take(walked[some]), rows.take(in_bits[some])
        lengths[some] = _packed_lengths(*sides, n_ids)
    short = is_short.nonzero()[0]
    sides = rows.take(walked[short]), rows.take(in_bits[short])
    lengths[short] = _lengths_in_words(*sides, n_ids)
    return lengths


def _lengths_in_words(walked: Ragged, in_bits: Ragged, n_ids: int) -> np.ndarray:
    """Return LCS lengths of lanes with at most 64 bits: the number of 0 bits."""
    masks = position_masks(in_bits.values, in_bits.position_in_row, np.ones(n_ids, dtype=np.int64))
    lanes = Lanes.longest_first(walked)
    rows = rows_behind(lanes, masks.values[walked.values[lanes.place]])
    return lanes.in_input_order(bit_counts(~rows[lanes.last_entry]))


def _packed_lengths(walked: Ragged, in_bits: Ragged, n_ids: int) -> np.ndarray:
    """Return LCS lengths of lanes as one integer."""
    n_words = np.zeros(n_ids, dtype=np.int64)
    for side in (walked, in_bits):
        n_words[side.values] = words_of_field(in_bits.lengths)[side.row_of_value]
    masks = position_masks(in_bits.values, in_bits.position_in_row, n_words)
    lanes = Lanes.longest_first(walked)
    packed = PackedLanes(
        lanes, masks.take(walked.values[lanes.place]), in_bits.lengths[lanes.order]
    )
    return lanes.in_input_order(packed.lcs_lengths())


def _length_of_long_lane(walked: np.ndarray, in_bits: np.ndarray) -> int:
    """Return the LCS length of two long texts, ndarrays of token ids."""
    both = np.concatenate([walked, in_bits])
    first_id, n_ids = int(both.min()), int(np.ptp(both)) + 1
    n_walked, n_in_bits = (
        np.bincount(side - first_id, minlength=n_ids) for side in (walked, in_bits)
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
