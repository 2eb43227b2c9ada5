"""Token ids -> lengths of longest common subsequences of pairs, and the tables for it.

LCS is the length of the longest common subsequence (Lin 2004, section 3.1,
https://aclanthology.org/W04-1013).

The idea of the vectorisation: the cells of an LCS table differ from their neighbours by
0 or 1, so a row of it is a row of bits (Hyyro 2004, "Bit-parallel LCS-length
computation revisited"), and the rows of thousands of pairs lie side by side as machine
words. Python loops run over tokens and words of 64 bits. Only texts beyond `_MAX_WORDS`
words are taken one by one, with Python's integers as rows of any length.

A *lane* is one table among those computed side by side: a pair, or a sentence of the
reference with a sentence of the prediction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isqrt

import numpy as np

from .ragged import Ragged
from .tokens import ABSENT, SharedTokens

WORD_BITS = 64
_MAX_WORDS = 8
# Below so many lanes Python's integers are faster than wide rows in numpy.
_MIN_LANES = 24
_ONES_OF_BYTE = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.int64)


def lcs_lengths(tokens: SharedTokens) -> np.ndarray:
    """Return the length of the longest common subsequence of each pair.

    Result: ndarray of int64, shape (n_pairs,).
    """
    return lcs_lengths_of_pairs(tokens, np.arange(tokens.n_items))


def lcs_lengths_of_pairs(tokens: SharedTokens, wanted: np.ndarray) -> np.ndarray:
    """Return the same for some pairs only; `wanted` has their numbers."""
    # Tokens that the other side lacks are in no common subsequence.
    prediction, reference = (
        side.ids.keep(side.ids.values != ABSENT).take(wanted) for side in tokens.sides
    )
    n_words = -(-reference.lengths // WORD_BITS)
    lengths = np.zeros(len(wanted), dtype=np.int64)
    for width in np.unique(n_words[n_words > 0]).tolist():
        pairs = np.flatnonzero(n_words == width)
        lanes = prediction.take(pairs), reference.take(pairs)
        if width == 1 or (width <= _MAX_WORDS and len(pairs) >= _MIN_LANES):
            lengths[pairs] = _lcs_lengths_in_words(*lanes, width, tokens.n_ids)
        else:
            lengths[pairs] = [
                LongLane.of_ids(*rows).lcs_length()
                for rows in zip(_rows_of(lanes[0]), _rows_of(lanes[1]), strict=True)
            ]
    return lengths


def _lcs_lengths_in_words(
    prediction: Ragged, reference: Ragged, n_words: int, n_ids: int
) -> np.ndarray:
    """Return LCS lengths of pairs whose references take `n_words` words.

    Each reference token is one bit of its pair's row. After some tokens of the
    prediction, bit i is 0 where they have a longer LCS with the first i + 1 reference
    tokens than with the first i. So the length is the number of 0 bits.
    """
    mask_of_id = position_masks(
        reference.values, reference.position_in_row, n_ids, n_words
    )
    lanes = Lanes.longest_first(prediction)
    row = np.full((n_words, prediction.n_rows), ~np.uint64(0))
    for n_active, place in lanes.steps():
        token_id = prediction.values[place]
        carry: np.ndarray | None = None
        for word in range(n_words):
            old = row[word, :n_active]
            match = old & mask_of_id[word, token_id]
            total = old + match
            if n_words > 1:
                overflow = total < old
                if carry is not None:
                    total += carry
                    overflow |= total < carry
                carry = overflow.astype(np.uint64)
            row[word, :n_active] = total | (old - match)
    return lanes.in_input_order(_bit_counts(~row).sum(axis=0))


# --- lanes ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Lanes:
    """Rows of tokens walked side by side.

    The longest come first, so that those not yet at their end are always the first.
    """

    order: np.ndarray
    start: np.ndarray
    length: np.ndarray

    @classmethod
    def longest_first(
        cls, rows: Ragged, row_of_lane: np.ndarray | None = None
    ) -> Lanes:
        """Return lanes of these rows, or of one row for each of `row_of_lane`."""
        length, start = rows.lengths, rows.offsets[:-1]
        if row_of_lane is not None:
            length, start = length[row_of_lane], start[row_of_lane]
        order = np.argsort(-length, kind="stable")
        return cls(order, start[order], length[order])

    def steps(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield for each step how many lanes still have a token, and where it stands."""
        n_steps = int(self.length.max(initial=0))
        n_active = np.searchsorted(-self.length, -np.arange(n_steps))
        for step in range(n_steps):
            yield n_active[step], self.start[: n_active[step]] + step

    def in_input_order(self, value: np.ndarray) -> np.ndarray:
        """Return what is known of each lane in the order of the rows."""
        result = np.empty_like(value)
        result[self.order] = value
        return result


@dataclass(frozen=True)
class LongLane:
    """One table whose rows are Python integers of `n_bits` bits.

    `masks` has the matching positions of each prediction token.
    """

    n_bits: int
    masks: Sequence[int]

    @classmethod
    def of_ids(cls, prediction: np.ndarray, reference: np.ndarray) -> LongLane:
        """Return the table of two texts, ndarrays of token ids."""
        mask_of_id: dict[int, int] = {}
        for position, token_id in enumerate(reference.tolist()):
            mask_of_id[token_id] = mask_of_id.get(token_id, 0) | 1 << position
        return cls(
            len(reference),
            [mask_of_id.get(token_id, 0) for token_id in prediction.tolist()],
        )

    @property
    def all_ones(self) -> int:
        """The row before any token: no bit is 0."""
        return (1 << self.n_bits) - 1

    def rows(self, row: int, start: int, end: int) -> Iterator[int]:
        """Yield the row behind each of the tokens start..end-1.

        `row` is the one before them.
        """
        all_ones = self.all_ones
        for mask in self.masks[start:end]:
            match = row & mask
            row = (row + match | row - match) & all_ones
            yield row

    def lcs_length(self) -> int:
        """Return the length of the longest common subsequence."""
        (last,) = deque(
            chain([self.all_ones], self.rows(self.all_ones, 0, len(self.masks))),
            maxlen=1,
        )
        return self.n_bits - bin(last).count("1")

    def taken_positions(self, is_before_gap: np.ndarray) -> int:
        """Return the reference positions that the LCS takes, as bits.

        Only some rows are kept, and the others made again.
        """
        n_rows = len(self.masks)
        block = isqrt(n_rows) + 1
        row_before = [self.all_ones]
        for start in range(0, n_rows, block):
            *_, last = self.rows(row_before[-1], start, start + block)
            row_before.append(last)
        taken, below = 0, self.all_ones
        for start in reversed(range(0, n_rows, block)):
            rows = list(self.rows(row_before[start // block], start, start + block))
            for token, row in reversed(list(enumerate(rows, start))):
                stop = below & (
                    ~row | (0 if is_before_gap[token] else self.masks[token])
                )
                highest = 1 << stop.bit_length() >> 1
                match = highest & self.masks[token]
                taken |= match
                below = (highest << 1) - 1 - match if highest else 0
        return taken


def position_masks(
    index: np.ndarray, position: np.ndarray, n_masks: int, n_words: int
) -> np.ndarray:
    """Return masks with the bit of each position set in the mask of that index.

    Result: ndarray of uint64, shape (n_words, n_masks).
    """
    masks = np.zeros(n_words * n_masks, dtype=np.uint64)
    bit = np.uint64(1) << (position % WORD_BITS).astype(np.uint64)
    np.add.at(
        masks, position // WORD_BITS * n_masks + index, bit
    )  # each bit is added once
    return masks.reshape(n_words, n_masks)


def low_bits(n_bits: np.ndarray) -> np.ndarray:
    """Return words in which the lowest `n_bits`, 1 to 64, are set, ndarray of uint64."""
    return ~np.uint64(0) >> (WORD_BITS - n_bits).astype(np.uint64)


def _bit_counts(words: np.ndarray) -> np.ndarray:
    """Return the number of 1 bits of each word, ndarray of int64."""
    return _ONES_OF_BYTE[words.view(np.uint8)].reshape(*words.shape, 8).sum(axis=-1)


def _rows_of(rows: Ragged) -> Iterator[np.ndarray]:
    return (
        rows.values[start:end]
        for start, end in zip(rows.offsets[:-1], rows.offsets[1:], strict=True)
    )
