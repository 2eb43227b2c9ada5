"""Rows of LCS tables as rows of bits, in many tables side by side.

The cells of an LCS table differ from their neighbours by 0 or 1, so a row of it is a row
of bits (Hyyro 2004, "Bit-parallel LCS-length computation revisited"): bit i is 0 where
the tokens so far have a longer LCS with the first i + 1 tokens of the reference than
with the first i. A token whose matching positions are the bits of `mask` changes it to

    (row + match) | (row - match)        with match = row & mask

A *lane* is one table among those computed side by side: a pair, or a sentence of the
reference with a sentence of the prediction. Here each lane has one machine word;
`kernels/lcs/integers.py` holds rows as Python integers, for lanes that are few or long.

The way back through a table starts at its last cell. In each row it goes down to the
highest position not yet passed that is a match, or where the bit is 0 and so the LCS
grew; a match is taken and passed. Python loops run over tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...arrays import Ragged, differ_from_last, offsets_of_lengths
from ...lazy import lazy_property

WORD_BITS = 64
_LOG_WORD_BITS = 6
EXACT_BITS = 53  # integers of so many bits are exact as float64
WORD = np.dtype("<u8")  # in the order of bytes that `int.from_bytes` is told
_MANTISSA = np.int64((1 << 52) - 1)

_ONES_OF_BYTE = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.int64)


@dataclass(frozen=True)
class Lanes:
    """Rows of tokens walked side by side, one token of each row at a step.

    The longest come first, so that those not yet at their end are always the first. An
    *entry* is a token of a lane. Entries stand step by step: of the rows `7 8 9`, `5 4`
    and `6` as 7 5 6, 8 4, 9.

    >>> rows = Ragged(np.array([6, 7, 8, 9, 5, 4]), np.array([0, 1, 4, 6]))
    >>> lanes = Lanes.longest_first(rows)
    >>> rows.values[lanes.place].tolist(), lanes.steps
    ([7, 5, 6, 8, 4, 9], [(0, 3), (3, 5), (5, 6)])
    """

    order: np.ndarray
    start: np.ndarray
    length: np.ndarray

    @classmethod
    def longest_first(cls, rows: Ragged) -> Lanes:
        """Return a lane of each row."""
        longest = int(rows.lengths.max(initial=0))
        # Numpy sorts integers of 16 bits by radix.
        shortness = (longest - rows.lengths).astype(np.min_scalar_type(longest))
        order = np.argsort(shortness, kind="stable")
        return cls(order, rows.offsets[:-1][order], rows.lengths[order])

    @lazy_property
    def step_offsets(self) -> np.ndarray:
        """Where the entries of each step start, ndarray of int64, shape (n_steps + 1,)."""
        n_ended = np.bincount(self.length).cumsum()
        return offsets_of_lengths(len(self.length) - n_ended[:-1])

    @property
    def steps(self) -> list[tuple[int, int]]:
        """The first entry of each step, and the end of its entries."""
        return list(pairwise(self.step_offsets.tolist()))

    @lazy_property
    def place(self) -> np.ndarray:
        """Where the token of each entry stands, ndarray of int64, shape (n_entries,)."""
        n_active = np.diff(self.step_offsets)
        step_start = self.step_offsets[:-1].repeat(n_active)
        lane = np.arange(self.step_offsets[-1]) - step_start
        return self.start[lane] + np.arange(len(n_active)).repeat(n_active)

    @property
    def last_entry(self) -> np.ndarray:
        """The last entry of each lane; each has at least one."""
        return self.step_offsets[self.length - 1] + np.arange(len(self.length))

    def in_input_order(self, value: np.ndarray) -> np.ndarray:
        """Return what is known of each lane in the order of the rows."""
        result = np.empty_like(value)
        result[self.order] = value
        return result


# --- one machine word for each lane ---------------------------------------------------


def rows_behind(lanes: Lanes, mask: np.ndarray) -> np.ndarray:
    """Return the row of the table behind each entry.

    `mask` has the matching positions of each entry, at most 64. Both are ndarrays of
    uint64, shape (n_entries,).
    """
    rows = np.empty_like(mask)
    row = np.full(len(lanes.length), ~np.uint64(0))
    for first, end in lanes.steps:
        before, row = row[: end - first], rows[first:end]
        match = before & mask[first:end]
        np.subtract(before, match, out=row)
        match += before
        row |= match
    return rows


def taken_in_words(
    lanes: Lanes, mask: np.ndarray, is_before_gap: np.ndarray, n_bits: np.ndarray
) -> np.ndarray:
    """Return the positions that the LCS of each lane takes, as bits.

    Parameters
    ----------
    lanes : Lanes
    mask : ndarray of uint64, shape (n_entries,)
        The matching positions of each entry.
    is_before_gap : ndarray of bool, shape (n_entries,)
        Whether tokens without a match follow an entry. In their rows nothing is a stop
        but where the LCS grew.
    n_bits : ndarray of int64, shape (n_lanes,)
        Tokens of the reference, at most `EXACT_BITS`.

    Returns
    -------
    taken : ndarray of uint64, shape (n_lanes,)
    """
    stop = rows_behind(lanes, mask)
    np.invert(stop, out=stop)
    stop |= np.where(is_before_gap, np.uint64(0), mask)
    stop, mask = stop.view(np.int64), mask.view(np.int64)
    below = low_bits(n_bits).view(np.int64)
    taken = np.zeros_like(below)
    for first, end in reversed(lanes.steps):
        n_active = end - first
        reached = _filled(stop[first:end] & below[:n_active])
        match = reached ^ (reached >> 1)
        match &= mask[first:end]
        taken[:n_active] |= match
        np.bitwise_xor(reached, match, out=below[:n_active])
    return taken.view(np.uint64)


def _filled(words: np.ndarray) -> np.ndarray:
    """Return words with all bits up to the highest one set, ndarray of int64.

    As a float64 a word has its highest bit in the exponent. Ones in the whole mantissa
    are the bits below.

    >>> _filled(np.array([0b1001, 0b10, 0])).tolist() == [0b1111, 0b11, 0]
    True
    """
    bits = words.astype(np.float64).view(np.int64)
    bits |= _MANTISSA
    return bits.view(np.float64).astype(np.int64)


# --- masks and bits -------------------------------------------------------------------


def position_masks(index: np.ndarray, position: np.ndarray, n_words: np.ndarray) -> Ragged:
    """Return masks with the bit of each position set in the mask of that index.

    `n_words` has the words of each mask. Result: Ragged of uint64, one row per mask.
    """
    offsets = offsets_of_lengths(n_words)
    masks = np.zeros(offsets[-1], dtype=WORD)
    word = offsets[index] + (position >> _LOG_WORD_BITS)
    bit = single_bits(position)
    masks[word] = bit
    is_lost = masks[word] != bit  # where a later position is in the same word
    np.add.at(masks, word[is_lost], bit[is_lost])
    return Ragged(masks, offsets)


def sorted_masks(index: np.ndarray, position: np.ndarray, n_words: np.ndarray) -> Ragged:
    """Return the `position_masks` of indices that ascend, as do the positions of each.

    An index without words gets no mask.
    """
    offsets = offsets_of_lengths(n_words)
    if not n_words.all():
        has_words = n_words[index] > 0
        index, position = index[has_words], position[has_words]
    masks = np.zeros(offsets[-1], dtype=WORD)
    word = offsets[index] + (position >> _LOG_WORD_BITS)
    if len(word):
        start = differ_from_last(word).nonzero()[0]
        masks[word[start]] = np.add.reduceat(single_bits(position), start)
    return Ragged(masks, offsets)


def single_bits(position: np.ndarray) -> np.ndarray:
    """Return words with the bit of the position, modulo 64, set."""
    return np.uint64(1) << (position & (WORD_BITS - 1)).astype(np.uint64)


def low_bits(n_bits: np.ndarray) -> np.ndarray:
    """Return words in which the lowest `n_bits`, 1 to 64, are set, ndarray of uint64."""
    return ~np.uint64(0) >> (WORD_BITS - n_bits).astype(np.uint64)


def bit_counts(words: np.ndarray) -> np.ndarray:
    """Return the number of 1 bits of each word, ndarray of int64."""
    return _ONES_OF_BYTE[words.view(np.uint8)].reshape(*words.shape, 8).sum(axis=-1)


def bit_positions(words: np.ndarray) -> np.ndarray:
    """Return where the 1 bits stand; bit 0 of the second word is at 64."""
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return bits.view(bool).nonzero()[0]
