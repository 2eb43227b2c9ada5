"""LCS tables whose rows are bit vectors, many filled at once.

A table has a row for each token of one text and a bit for each token of the other, the reference: 0
if the tokens so far have a longer LCS with the first i + 1 tokens of the reference than with the
first i (Hyyro 2004, "Bit-parallel LCS-length computation revisited",
http://www.cs.uta.fi/~helmu/pubs/awoca04.pdf). A token whose matching positions are the bits of
`mask` changes the row to

    (row + match) | (row - match)        with match = row & mask

All bits of `match` are in `row`, so in integers row - match is row ^ match, which is faster. The
traceback goes in each row, from the last, down to the highest position not yet passed that is a
match, or whose bit is 0; a match is taken and passed. Python loops run over rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import isqrt

import numpy as np

from ..arrays import Ragged, batches, lazy_property, offsets_of_lengths

WORD_BITS = 64
EXACT_BITS = 53  # integers of up to this many bits are exact as float64
_LOG_WORD_BITS = 6
_WORD = np.dtype("<u8")  # in the byte order passed to `int.from_bytes`
_MANTISSA = np.int64((1 << 52) - 1)

_ONES_OF_BYTE = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.int64)
# Bits, pairs and fours of bits: how far they move, and which of them are the lower ones.
_HALVES_OF_BYTE = [
    (np.uint64(1), np.uint64(0x5555555555555555)),
    (np.uint64(2), np.uint64(0x3333333333333333)),
    (np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)),
]

# With at least this many tables, rows in machine words are faster than packed rows.
_MIN_TABLES_IN_WORDS = 64
MAX_PACKED_BITS = 1 << 12  # of a table that is packed
_MAX_PACKED_WORDS = 1 << 16  # of all rows of the tables that are packed together
_MAX_MASKS = 1000  # kept by a long table


def batches_of_tables(
    n_rows: np.ndarray, n_bits: np.ndarray, max_bits_in_word: int
) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the method for some tables, "words", "packed" or "long" (alone), and their numbers."""
    n_words = n_rows * words_of_field(n_bits)
    is_long = (n_bits > MAX_PACKED_BITS) | (n_words > _MAX_PACKED_WORDS)
    in_words = ~is_long & (n_bits <= max_bits_in_word)
    if np.count_nonzero(in_words) < _MIN_TABLES_IN_WORDS:
        in_words[:] = False
    else:
        yield "words", in_words.nonzero()[0]
    packed = (~in_words & ~is_long).nonzero()[0]
    for first, end in batches(n_words[packed], _MAX_PACKED_WORDS):
        yield "packed", packed[first:end]
    for table in is_long.nonzero()[0].tolist():
        yield "long", np.array([table])


# --- masks and bits -------------------------------------------------------------------


def words_of_field(n_bits: np.ndarray) -> np.ndarray:
    """Return how many words a table takes in a packed row: one bit stays unused."""
    return n_bits // WORD_BITS + 1


def position_masks(index: np.ndarray, position: np.ndarray, n_words: np.ndarray) -> Ragged:
    """Return masks of `n_words` each, with the bit of each position set in that of its index."""
    offsets = offsets_of_lengths(n_words)
    masks = np.zeros(offsets[-1], dtype=_WORD)
    word = offsets[index] + (position >> _LOG_WORD_BITS)
    bit = _single_bits(position)
    masks[word] = bit
    is_lost = masks[word] != bit  # if a later position is in the same word
    np.add.at(masks, word[is_lost], bit[is_lost])
    return Ragged(masks, offsets)


def _single_bits(position: np.ndarray) -> np.ndarray:
    """Return words with the bit of the position, modulo 64, set."""
    return np.uint64(1) << (position & (WORD_BITS - 1)).astype(np.uint64)


def _bit_counts(words: np.ndarray) -> np.ndarray:
    """Return the number of 1 bits of each word, ndarray of int64."""
    return _ONES_OF_BYTE[words.view(np.uint8)].reshape(len(words), 8).sum(axis=-1)


def _filled(words: np.ndarray) -> np.ndarray:
    """Return words with all bits up to the highest one set, int64."""
    # As float64 a word has its highest bit in the exponent.
    bits = words.astype(np.float64).view(np.int64)
    bits |= _MANTISSA
    return bits.view(np.float64).astype(np.int64)


def _integer(words: np.ndarray) -> int:
    return int.from_bytes(words.tobytes(), "little")


def _reversed(words: np.ndarray) -> np.ndarray:
    """Return the words with all their bits in reversed order, ndarray of uint64."""
    words = words[::-1].byteswap()
    for shift, lower in _HALVES_OF_BYTE:
        words = (words >> shift & lower) | (words & lower) << shift
    return words


# --- many tables ----------------------------------------------------------------------


class BitTables:
    """Tables that are filled together, one row of each per step, tables with most rows first.

    Tokens are ordered by step: those of `7 8 9`, `5 4` and `6` are 7 5 6, 8 4, 9. In words
    a row of a table is a machine word. Packed, a row of all tables is one integer, in which each
    table has a field: some words with an unused bit at the top, for the carry.
    """

    def __init__(
        self,
        mask_of_token: Ragged,
        masks: Ragged,
        n_bits: np.ndarray,
        in_words: bool,
        is_before_gap: np.ndarray | None = None,
    ) -> None:
        """Take the number of the mask of each token that is walked through, one row per table.

        `is_before_gap` says whether tokens without a match follow: in their rows the traceback
        stops only at positions at which the LCS grew.
        """
        longest = int(mask_of_token.lengths.max(initial=0))
        # Numpy sorts integers of 16 bits by radix.
        shortness = (longest - mask_of_token.lengths).astype(np.min_scalar_type(longest))
        self.order = np.argsort(shortness, kind="stable")  # the table that comes first, ...
        n_rows = mask_of_token.lengths[self.order]
        n_active = len(n_rows) - np.bincount(n_rows).cumsum()[:-1]  # tables of each step
        self.offsets = offsets_of_lengths(n_active)  # the first token of each step
        self.last_token = self.offsets[n_rows - 1] + np.arange(len(n_rows))  # of each table
        table = np.arange(self.offsets[-1]) - self.offsets[:-1].repeat(n_active)
        place = mask_of_token.offsets[self.order].take(table)
        place += np.arange(len(n_active)).repeat(n_active)
        mask = mask_of_token.values.take(place)
        self.in_words = in_words
        self.n_bits = n_bits[self.order]
        if in_words:
            n_words = np.ones_like(self.n_bits)
            words = masks.values.take(masks.offsets.take(mask))
            self.masks = Ragged(words, np.arange(len(words) + 1))  # one row per token
        else:
            n_words = words_of_field(self.n_bits)
            self.masks = masks.take(mask)
        self.first_word = offsets_of_lengths(n_words)  # of the field of each table
        self.step_bytes = (8 * self.first_word[n_active]).tolist()
        no_gaps = np.zeros(len(place), dtype=bool)
        self.is_before_gap = no_gaps if is_before_gap is None else is_before_gap.take(place)

    def lcs_lengths(self) -> np.ndarray:
        """Return the length of the longest common subsequence of each table, int64."""
        last_rows = Ragged(self._rows(), self.masks.offsets).take(self.last_token).values
        n_grown = _bit_counts(self._field_words & ~last_rows)
        lengths = np.empty(len(self.order), dtype=np.int64)
        lengths[self.order] = np.add.reduceat(n_grown, self.first_word[:-1])
        return lengths

    def traceback(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the reference positions in each LCS: their tables, and the positions."""
        stop = self._rows()
        np.invert(stop, out=stop)
        is_gap = self.is_before_gap.repeat(self.masks.lengths)
        stop |= np.where(is_gap, np.uint64(0), self.masks.values)
        taken = self._traceback_in_words(stop) if self.in_words else self._packed_traceback(stop)
        bit = np.unpackbits(taken.view(np.uint8), bitorder="little").view(bool).nonzero()[0]
        table = np.arange(len(self.order)).repeat(np.diff(self.first_word))[bit >> _LOG_WORD_BITS]
        return self.order[table], bit - WORD_BITS * self.first_word[table]

    @lazy_property
    def _field_words(self) -> np.ndarray:
        """Words with the bits of all tokens of the references, ndarray of uint64."""
        words = np.full(self.first_word[-1], ~np.uint64(0), dtype=_WORD)
        if not self.in_words:
            words[self.first_word[1:] - 1] = _single_bits(self.n_bits) - np.uint64(1)
        return words

    def _rows(self) -> np.ndarray:
        """Return the row after each token, ndarray of uint64, as many words as its mask."""
        return self._rows_in_words() if self.in_words else self._packed_rows()

    def _rows_in_words(self) -> np.ndarray:
        mask = self.masks.values
        rows = np.empty_like(mask)
        row = np.full(len(self.order), ~np.uint64(0))
        for first, end in pairwise(self.offsets.tolist()):
            before, row = row[: end - first], rows[first:end]
            match = before & mask[first:end]
            np.subtract(before, match, out=row)
            match += before
            row |= match
        return rows

    def _traceback_in_words(self, stop: np.ndarray) -> np.ndarray:
        """Return the positions that the LCS of each table takes, as bits, ndarray of uint64."""
        stop, mask = stop.view(np.int64), self.masks.values.view(np.int64)
        below = (_single_bits(self.n_bits) - np.uint64(1)).view(np.int64)  # not yet passed
        taken = np.zeros_like(below)
        for first, end in reversed(list(pairwise(self.offsets.tolist()))):
            n_active = end - first
            reached = _filled(stop[first:end] & below[:n_active])
            match = reached ^ (reached >> 1)
            match &= mask[first:end]
            taken[:n_active] |= match
            np.bitwise_xor(reached, match, out=below[:n_active])
        return taken

    def _packed_rows(self) -> np.ndarray:
        fields = row = _integer(self._field_words)
        masks, start, n_before = self.masks.values.tobytes(), 0, None
        rows = []
        for n_bytes in self.step_bytes:
            if n_bytes != n_before:
                fields &= (1 << 8 * n_bytes) - 1
                row, n_before = row & fields, n_bytes
            match = row & int.from_bytes(masks[start : start + n_bytes], "little")
            row = (row + match | row ^ match) & fields
            start += n_bytes
            rows.append(row.to_bytes(n_bytes, "little"))
        return np.frombuffer(bytearray().join(rows), dtype=_WORD)

    def _packed_traceback(self, stop: np.ndarray) -> np.ndarray:
        """Return the positions that each LCS takes, as bits of its field, ndarray of uint64.

        The bits of all integers are reversed: then the highest stop of a field is its lowest bit, which
        a subtraction finds in all fields at once. Written from the highest bit on, with fields
        of 4 bits in place of 64, one row of two tables with references of 3 and 2 tokens:

            fields                1110 1100   bits of the tokens of both references
            ends                  0010 0100   the last token of each
            guards              1 0001 0000   the unused bit in front of each field
            stop                  1010 0000   positions 0 and 2 of the first table, none of the other
            guarded             1 1011 0000   stop | guards
            guarded - ends      1 1000 1100   each end borrows from its stop, or from its guard
            passed                0010 1100   what this changed inside of fields
            reached               0010 0000   the stop of the first table: position 2
            below                 1100 0000   if it is a match; otherwise the stop stays below

        The tables that have a row are at the high end; those with fewer rows join at the low end.
        """
        ends, guards = np.zeros((2, self.first_word[-1]), dtype=_WORD)
        last = self.n_bits - 1
        ends[self.first_word[:-1] + (last >> _LOG_WORD_BITS)] = _single_bits(last)
        guards[self.first_word[1:] - 1] = np.uint64(1) << np.uint64(63)
        in_all = [_integer(_reversed(words)) for words in (self._field_words, ends, guards)]
        n_all = self.step_bytes[0]
        in_all[2] |= 1 << 8 * n_all  # the guard of the first field
        stops, masks = _reversed(stop).tobytes(), _reversed(self.masks.values).tobytes()
        n_before = start = below = taken = 0
        for n_bytes in reversed(self.step_bytes):
            if n_bytes != n_before:
                fields, ends_here, guards_here = (bits >> 8 * (n_all - n_bytes) for bits in in_all)
                n_joined = 8 * (n_bytes - n_before)
                below = below << n_joined | fields & ((1 << n_joined) - 1)
                taken, n_before = taken << n_joined, n_bytes
            here = slice(start, start + n_bytes)
            start += n_bytes
            stop_here = below & int.from_bytes(stops[here], "little")
            guarded = stop_here | guards_here
            passed = fields & (guarded ^ guarded - ends_here)
            reached = stop_here & passed
            match = reached & int.from_bytes(masks[here], "little")
            taken |= match
            below = fields ^ passed ^ reached ^ match
        return _reversed(np.frombuffer(taken.to_bytes(n_all, "little"), dtype=_WORD))


# --- one long table -------------------------------------------------------------------


class LongTable:
    """One table whose rows are Python integers, of the token ids of two texts."""

    def __init__(
        self, walked: np.ndarray, reference: np.ndarray, is_before_gap: np.ndarray | None = None
    ) -> None:
        self.walked = walked.tolist()
        no_gaps = np.zeros(len(walked), dtype=bool)
        self.is_before_gap = no_gaps if is_before_gap is None else is_before_gap
        self.n_bits = len(reference)
        self.all_ones = (1 << self.n_bits) - 1  # the row before any token: no bit is 0
        positions = defaultdict(list)
        for position, token_id in enumerate(reference.tolist()):
            positions[token_id].append(position)
        # All masks together would grow with the square of the text.
        self.mask_of_id = lru_cache(maxsize=_MAX_MASKS)(
            lambda token_id: sum(1 << position for position in positions.get(token_id, []))
        )

    def _rows(self, row: int, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the mask of each of the tokens start..end-1 and the row after it."""
        for token_id in self.walked[start:end]:
            mask = self.mask_of_id(token_id)
            match = row & mask
            row = (row + match | row ^ match) & self.all_ones
            yield mask, row

    def lcs_lengths(self) -> np.ndarray:
        """Return the length of the longest common subsequence, int64, shape (1,)."""
        last = self.all_ones
        for _, last in self._rows(self.all_ones, 0, len(self.walked)):  # noqa: B007
            pass
        return np.array([self.n_bits - bin(last).count("1")])

    def traceback(self) -> tuple[np.ndarray, np.ndarray]:
        """Like `BitTables`; only some rows are kept, and the others are computed again."""
        block = isqrt(len(self.walked)) + 1
        starts = range(0, len(self.walked), block)
        row_before = [self.all_ones]
        for start in starts:
            *_, (_, last) = self._rows(row_before[-1], start, start + block)
            row_before.append(last)
        taken, below = 0, self.all_ones
        for start, row in zip(reversed(starts), row_before[-2::-1], strict=True):
            rows = list(self._rows(row, start, start + block))
            gaps = self.is_before_gap[start : start + block].tolist()
            for (mask, row), is_gap in zip(reversed(rows), reversed(gaps), strict=True):
                stop = below & (~row if is_gap else ~row | mask)
                highest = 1 << stop.bit_length() >> 1
                match = highest & mask
                taken |= match
                below = (highest << 1) - 1 - match if highest else 0
        bits = np.frombuffer(taken.to_bytes(-(-self.n_bits // 8), "little"), dtype=np.uint8)
        position = np.unpackbits(bits, bitorder="little").nonzero()[0]
        return np.zeros_like(position), position
