"""Rows of LCS tables as Python integers: of lanes that are few, or long.

The rows and the way back are those of `kernels/lcs/rows.py`, which holds them as machine words.
All bits of `match` are in `row`, so row - match is row ^ match, which is faster here.

    PackedLanes     one integer for all lanes: few lanes, long ones
    LongLane        one integer for the one lane: the longest ones

Python loops run over tokens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import isqrt

import numpy as np

from ...arrays import Ragged, offsets_of_lengths
from ...lazy import lazy_property
from .rows import WORD, WORD_BITS, Lanes, bit_counts, low_bits, single_bits

_MAX_MASK_BYTES = 1 << 25  # of the masks that a long lane keeps
_FEW = 32

# Bits, pairs and fours of bits: how far they move, and which of them are the lower ones.
_HALVES_OF_BYTE = [
    (np.uint64(1), np.uint64(0x5555555555555555)),
    (np.uint64(2), np.uint64(0x3333333333333333)),
    (np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)),
]


# --- one Python integer for all lanes -------------------------------------------------


@dataclass(frozen=True)
class PackedLanes:
    """Tables whose rows lie side by side as fields of one Python integer.

    A field is some machine words long and has at least one bit to spare at its top, so
    that no sum runs over into the next one.

    Parameters
    ----------
    lanes : Lanes
        Each has at least one token.
    masks : Ragged of uint64, one row per entry
        The matching positions of each entry, as many words as its field has.
    n_bits : ndarray of int64, shape (n_lanes,)
        Tokens of the reference.
    """

    lanes: Lanes
    masks: Ragged
    n_bits: np.ndarray

    @lazy_property
    def first_word(self) -> np.ndarray:
        """First word of each field, and the end, ndarray of int64, shape (n_lanes + 1,)."""
        return offsets_of_lengths(words_of_field(self.n_bits))

    @lazy_property
    def _step_bytes(self) -> list[int]:
        """Bytes of the fields of the lanes of each step."""
        return (8 * self.first_word[np.diff(self.lanes.step_offsets)]).tolist()

    @lazy_property
    def _field_words(self) -> np.ndarray:
        """Words with the bits of all tokens of the references, ndarray of uint64."""
        words = Ragged(np.zeros(self.first_word[-1]), self.first_word)
        n_left = self.n_bits.repeat(words.lengths) - 64 * words.position_in_row
        full = low_bits(np.clip(n_left, 1, WORD_BITS))
        return np.where(n_left > 0, full, np.uint64(0)).astype(WORD)

    def _rows(self) -> Iterator[int]:
        """Yield the row behind each step; it has the fields of its lanes only."""
        fields = row = _integer(self._field_words)
        masks, start, n_before = self.masks.values.tobytes(), 0, None
        for n_bytes in self._step_bytes:
            if n_bytes != n_before:
                fields &= (1 << 8 * n_bytes) - 1
                row, n_before = row & fields, n_bytes
            match = row & int.from_bytes(masks[start : start + n_bytes], "little")
            row = (row + match | row ^ match) & fields
            start += n_bytes
            yield row

    def lcs_lengths(self) -> np.ndarray:
        """Return the length of the longest common subsequence of each lane."""
        ended = []
        n_left = chain(self._step_bytes[1:], [0])
        for n_bytes, n_kept, row in zip(self._step_bytes, n_left, self._rows(), strict=True):
            if n_kept < n_bytes:
                ended.append((row >> 8 * n_kept).to_bytes(n_bytes - n_kept, "little"))
        last_row = np.frombuffer(b"".join(reversed(ended)), dtype=WORD)
        n_grown = bit_counts(self._field_words & ~last_row)
        return np.add.reduceat(n_grown, self.first_word[:-1])

    def taken(self, is_before_gap: np.ndarray) -> np.ndarray:
        """Return the positions that the LCS of each lane takes, as bits of its field.

        The bits of all integers are reversed: then the highest stop is the lowest one,
        which a subtraction finds in all fields at once. The lanes of a step are those
        at the high end. Result: ndarray of uint64, shape (first_word[-1],).

        Parameters
        ----------
        is_before_gap : ndarray of bool, shape (n_entries,)
            As in `taken_in_words`.
        """
        stops, masks = self._reversed_stops_and_masks(is_before_gap)
        all_fields, all_ends, all_guards = self._reversed_marks()
        n_all, n_before, start, below, taken = self._step_bytes[0], 0, 0, 0, 0
        for n_bytes in reversed(self._step_bytes):
            if n_bytes != n_before:  # lanes join, at the low end
                n_joined, n_absent = 8 * (n_bytes - n_before), 8 * (n_all - n_bytes)
                fields, ends = all_fields >> n_absent, all_ends >> n_absent
                guards = all_guards >> n_absent
                below = below << n_joined | fields & ((1 << n_joined) - 1)
                taken, n_before = taken << n_joined, n_bytes
            here = slice(start, start + n_bytes)
            start += n_bytes
            stop = below & int.from_bytes(stops[here], "little")
            guarded = stop | guards
            # Of each field the bits up to its stop, or all where it has none:
            passed = fields & (guarded ^ guarded - ends)
            reached = stop & passed
            match = reached & int.from_bytes(masks[here], "little")
            taken |= match
            below = fields ^ passed ^ reached ^ match
        return _reversed(np.frombuffer(taken.to_bytes(n_all, "little"), dtype=WORD))

    def _reversed_stops_and_masks(self, is_before_gap: np.ndarray) -> tuple[bytes, bytes]:
        """Return where the way back may stop, and the masks; the last step comes first."""
        masks = self.masks.values
        rows = zip(self._rows(), self._step_bytes, strict=True)
        stop = np.frombuffer(
            bytearray().join(row.to_bytes(n_bytes, "little") for row, n_bytes in rows), dtype=WORD
        )
        np.invert(stop, out=stop)
        stop |= np.where(is_before_gap[self.masks.row_of_value], np.uint64(0), masks)
        return _reversed(stop).tobytes(), _reversed(masks).tobytes()

    def _reversed_marks(self) -> tuple[int, int, int]:
        """Return the bits of all tokens, of the last of each field, and the guards.

        A guard is the bit above the first token: the spare one of the field before.
        """
        ends, guards = np.zeros((2, self.first_word[-1]), dtype=WORD)
        last = self.n_bits - 1
        ends[self.first_word[:-1] + last // 64] = single_bits(last)
        guards[self.first_word[1:] - 1] = np.uint64(1) << np.uint64(63)
        guard_of_first = 1 << 8 * self._step_bytes[0]
        fields, ends, guards = (
            _integer(_reversed(words)) for words in (self._field_words, ends, guards)
        )
        return fields, ends, guards | guard_of_first


def words_of_field(n_bits: np.ndarray) -> np.ndarray:
    """Return how many words a field of `PackedLanes` has: one bit is to spare."""
    return n_bits // WORD_BITS + 1


def _integer(words: np.ndarray) -> int:
    return int.from_bytes(words.tobytes(), "little")


def _reversed(words: np.ndarray) -> np.ndarray:
    """Return the words with all their bits in reversed order, ndarray of uint64.

    Words and bytes change places first, then bits, pairs and fours of bits in their bytes.
    """
    words = words[::-1].byteswap()
    for shift, lower in _HALVES_OF_BYTE:
        words = (words >> shift & lower) | (words & lower) << shift
    return words


# --- one Python integer for one lane --------------------------------------------------


@dataclass(frozen=True)
class LongLane:
    """One table whose rows are Python integers.

    Parameters
    ----------
    prediction, reference : ndarray of int64
        Token ids.
    """

    prediction: np.ndarray
    reference: np.ndarray

    @lazy_property
    def _mask_of_id(self) -> Callable[[int], int]:
        """The function from a token id to its matching positions.

        A table of all masks would grow with the square of the text, so only those last
        asked for are kept.
        """
        n_bits = len(self.reference)
        positions = defaultdict(list)
        for position, token_id in enumerate(self.reference.tolist()):
            positions[token_id].append(position)

        def mask(token_id: int) -> int:
            here = positions.get(token_id, [])
            if len(here) <= _FEW:
                return sum(1 << position for position in here)
            is_match = np.zeros(n_bits, dtype=bool)
            is_match[here] = True
            return _integer(np.packbits(is_match, bitorder="little"))

        return lru_cache(maxsize=max(8 * _MAX_MASK_BYTES // n_bits, 2))(mask)

    @property
    def _all_ones(self) -> int:
        """The row before any token: no bit is 0."""
        return (1 << len(self.reference)) - 1

    def _rows(self, row: int, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the mask of each of the tokens start..end-1, and the row behind it.

        `row` is the one before them.
        """
        all_ones, mask_of_id = self._all_ones, self._mask_of_id
        for token_id in self.prediction[start:end].tolist():
            mask = mask_of_id(token_id)
            match = row & mask
            row = (row + match | row ^ match) & all_ones
            yield mask, row

    def lcs_length(self) -> int:
        """Return the length of the longest common subsequence."""
        row = all_ones = self._all_ones
        mask_of_id = self._mask_of_id
        for token_id in self.prediction.tolist():
            match = row & mask_of_id(token_id)
            row = (row + match | row ^ match) & all_ones
        return len(self.reference) - bin(row).count("1")

    def taken(self, is_before_gap: np.ndarray) -> np.ndarray:
        """Return which tokens of the reference the LCS takes, ndarray of bool.

        Only some rows are kept, and the others made again.
        """
        n_rows = len(self.prediction)
        block = isqrt(n_rows) + 1
        starts = range(0, n_rows, block)
        row_before = [self._all_ones]
        for start in starts:
            *_, (_, last) = self._rows(row_before[-1], start, start + block)
            row_before.append(last)
        taken, below = 0, self._all_ones
        for start, row in zip(reversed(starts), row_before[-2::-1], strict=True):
            rows = list(self._rows(row, start, start + block))
            gaps = is_before_gap[start : start + block].tolist()
            for (mask, row), is_gap in zip(reversed(rows), reversed(gaps), strict=True):
                stop = below & (~row if is_gap else ~row | mask)
                highest = 1 << stop.bit_length() >> 1
                match = highest & mask
                taken |= match
                below = (highest << 1) - 1 - match if highest else 0
        bits = taken.to_bytes(-(-len(self.reference) // 8), "little")
        is_taken = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")
        return is_taken[: len(self.reference)].astype(bool)
