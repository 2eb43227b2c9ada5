"""Rows of LCS tables as rows of bits: in machine words, or in Python integers.

Neighbouring cells of an LCS table differ by 0 or 1, so a row of it is a row of bits (Hyyro 2004,
"Bit-parallel LCS-length computation revisited", http://www.cs.uta.fi/~helmu/pubs/awoca04.pdf):
bit i is 0 where the tokens so far have a longer LCS with the first i + 1 tokens of the reference
than with the first i. A token whose matching positions are the bits of `mask` changes it to

    (row + match) | (row - match)        with match = row & mask

The traceback starts in the last cell. In each row it goes down to the highest position not yet
passed that is a match, or where the bit is 0 and so the LCS grew; a match is taken and passed.

    words          a machine word for each of many tables, which advance together
    PackedTables   one integer for all tables: they are few, or longer than a word
    LongTable      one integer for one table: the longest ones

All bits of `match` are in `row`, so in integers row - match is row ^ match, which is faster.
Python loops run over tokens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from math import isqrt

import numpy as np

from ..arrays import Ragged, differ_from_last, offsets_of_lengths
from ..lazy import lazy_property

WORD_BITS = 64
_LOG_WORD_BITS = 6
EXACT_BITS = 53  # integers of so many bits are exact as float64
WORD = np.dtype("<u8")  # in the order of bytes that `int.from_bytes` is told
_MANTISSA = np.int64((1 << 52) - 1)

_ONES_OF_BYTE = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.int64)


_MAX_MASK_BYTES = 1 << 25  # of the masks that a long table keeps
_FEW_POSITIONS = 32
# Bits, pairs and fours of bits: how far they move, and which of them are the lower ones.
_HALVES_OF_BYTE = [
    (np.uint64(1), np.uint64(0x5555555555555555)),
    (np.uint64(2), np.uint64(0x3333333333333333)),
    (np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)),
]


@dataclass(frozen=True)
class Steps:
    """Texts that tables walk through side by side, one token of each at a step.

    The longest come first, so that those not yet at their end are always the first. Tokens are
    ordered by step: those of the texts `7 8 9`, `5 4` and `6` are 7 5 6, 8 4, 9.

    >>> texts = Ragged(np.array([6, 7, 8, 9, 5, 4]), np.array([0, 1, 4, 6]))
    >>> steps = Steps.longest_first(texts)
    >>> texts.values[steps.place].tolist(), steps.spans
    ([7, 5, 6, 8, 4, 9], [(0, 3), (3, 5), (5, 6)])
    """

    order: np.ndarray  # the texts, longest first, int64, shape (n_texts,)
    start: np.ndarray  # where each of them starts, int64
    length: np.ndarray  # its tokens, int64

    @classmethod
    def longest_first(cls, rows: Ragged) -> Steps:
        """Return the steps through some texts."""
        longest = int(rows.lengths.max(initial=0))
        # Numpy sorts integers of 16 bits by radix.
        shortness = (longest - rows.lengths).astype(np.min_scalar_type(longest))
        order = np.argsort(shortness, kind="stable")
        return cls(order, rows.offsets[:-1][order], rows.lengths[order])

    @lazy_property
    def offsets(self) -> np.ndarray:
        """Where the tokens of each step start, int64, shape (n_steps + 1,)."""
        n_ended = np.bincount(self.length).cumsum()
        return offsets_of_lengths(len(self.length) - n_ended[:-1])

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Start and end of the tokens of each step."""
        return list(pairwise(self.offsets.tolist()))

    @lazy_property
    def place(self) -> np.ndarray:
        """Index of each token in the texts, int64, shape (n_tokens,)."""
        n_active = np.diff(self.offsets)
        text = np.arange(self.offsets[-1]) - self.offsets[:-1].repeat(n_active)
        return self.start[text] + np.arange(len(n_active)).repeat(n_active)

    @property
    def last_token(self) -> np.ndarray:
        """The last token of each text, in the order of steps; each text has at least one."""
        return self.offsets[self.length - 1] + np.arange(len(self.length))

    def in_input_order(self, value: np.ndarray) -> np.ndarray:
        """Return a value of each text in the order in which the texts were given."""
        result = np.empty_like(value)
        result[self.order] = value
        return result


# --- a machine word for each table ----------------------------------------------------


def rows_in_words(steps: Steps, mask: np.ndarray) -> np.ndarray:
    """Return the row of the table after each token, given the positions that match it.

    Both are ndarrays of uint64, shape (n_tokens,).
    """
    rows = np.empty_like(mask)
    row = np.full(len(steps.length), ~np.uint64(0))
    for first, end in steps.spans:
        before, row = row[: end - first], rows[first:end]
        match = before & mask[first:end]
        np.subtract(before, match, out=row)
        match += before
        row |= match
    return rows


def traceback_in_words(
    steps: Steps, mask: np.ndarray, is_before_gap: np.ndarray, n_bits: np.ndarray
) -> np.ndarray:
    """Return the positions that the LCS of each table takes, as bits, uint64, shape (n_tables,).

    `is_before_gap` says whether tokens without a match follow a token: in their rows the
    traceback stops only where the LCS grew. `n_bits`, at most `EXACT_BITS`, is the length of
    each reference.
    """
    stop = rows_in_words(steps, mask)
    np.invert(stop, out=stop)
    stop |= np.where(is_before_gap, np.uint64(0), mask)
    stop, mask = stop.view(np.int64), mask.view(np.int64)
    below = low_bits(n_bits).view(np.int64)  # positions not yet passed
    taken = np.zeros_like(below)
    for first, end in reversed(steps.spans):
        n_active = end - first
        reached = _filled(stop[first:end] & below[:n_active])
        match = reached ^ (reached >> 1)
        match &= mask[first:end]
        taken[:n_active] |= match
        np.bitwise_xor(reached, match, out=below[:n_active])
    return taken.view(np.uint64)


def _filled(words: np.ndarray) -> np.ndarray:
    """Return words with all bits up to the highest one set, ndarray of int64.

    As float64 a word has its highest bit in the exponent, and ones in the whole mantissa are
    the bits below.

    >>> _filled(np.array([0b1001, 0b10, 0])).tolist() == [0b1111, 0b11, 0]
    True
    """
    bits = words.astype(np.float64).view(np.int64)
    bits |= _MANTISSA
    return bits.view(np.float64).astype(np.int64)


# --- masks and bits -------------------------------------------------------------------


def position_masks(index: np.ndarray, position: np.ndarray, n_words: np.ndarray) -> Ragged:
    """Return masks with the bit of each position set in the mask of its index.

    `n_words` is the number of words of each mask. Result: Ragged of uint64, one row per mask.
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
    """Return the `position_masks` of ascending indices with ascending positions.

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
    """Return the positions of the 1 bits; bit 0 of the second word is at 64."""
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    return bits.view(bool).nonzero()[0]


# --- one Python integer for all tables ------------------------------------------------


@dataclass(frozen=True)
class PackedTables:
    """Tables whose rows are fields of one Python integer.

    A field is some machine words long and has at least one unused bit at its top, so that no
    sum carries into the next one.
    """

    steps: Steps
    masks: Ragged  # positions that match each token, uint64, as many words as its field
    n_bits: np.ndarray  # tokens of each reference, int64, shape (n_tables,)

    @lazy_property
    def first_word(self) -> np.ndarray:
        """First word of each field, and the end, int64, shape (n_tables + 1,)."""
        return offsets_of_lengths(words_of_field(self.n_bits))

    @lazy_property
    def _step_bytes(self) -> list[int]:
        """Bytes of the fields of the tables of each step."""
        return (8 * self.first_word[np.diff(self.steps.offsets)]).tolist()

    @lazy_property
    def _field_words(self) -> np.ndarray:
        """Words with the bits of all tokens of the references, ndarray of uint64."""
        words = Ragged(np.zeros(self.first_word[-1]), self.first_word)
        n_left = self.n_bits.repeat(words.lengths) - 64 * words.position_in_row
        full = low_bits(np.clip(n_left, 1, WORD_BITS))
        return np.where(n_left > 0, full, np.uint64(0)).astype(WORD)

    def _rows(self) -> Iterator[int]:
        """Yield the row after each step; it has the fields of its tables only."""
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
        """Return the length of the longest common subsequence of each table."""
        ended = []
        n_left = chain(self._step_bytes[1:], [0])
        for n_bytes, n_kept, row in zip(self._step_bytes, n_left, self._rows(), strict=True):
            if n_kept < n_bytes:
                ended.append((row >> 8 * n_kept).to_bytes(n_bytes - n_kept, "little"))
        last_row = np.frombuffer(b"".join(reversed(ended)), dtype=WORD)
        n_grown = bit_counts(self._field_words & ~last_row)
        return np.add.reduceat(n_grown, self.first_word[:-1])

    def traceback(self, is_before_gap: np.ndarray) -> np.ndarray:
        """Return the positions that each LCS takes, as bits of its field, ndarray of uint64.

        `is_before_gap` is that of `traceback_in_words`. The bits of all integers are reversed:
        then the highest stop is the lowest one, which a subtraction finds in all fields at
        once. The tables of a step are those at the high end.
        """
        stops, masks = self._reversed_stops_and_masks(is_before_gap)
        all_fields, all_ends, all_guards = self._reversed_marks()
        n_all, n_before, start, below, taken = self._step_bytes[0], 0, 0, 0, 0
        for n_bytes in reversed(self._step_bytes):
            if n_bytes != n_before:  # tables join, at the low end
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
        """Return where the traceback may stop, and the masks; the last step comes first."""
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

        A guard is the bit above the first token: the unused one of the field before.
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
    """Return how many words a field of `PackedTables` has: one bit stays unused."""
    return n_bits // WORD_BITS + 1


def _integer(words: np.ndarray) -> int:
    return int.from_bytes(words.tobytes(), "little")


def _reversed(words: np.ndarray) -> np.ndarray:
    """Return the words with all their bits in reversed order, ndarray of uint64."""
    words = words[::-1].byteswap()
    for shift, lower in _HALVES_OF_BYTE:
        words = (words >> shift & lower) | (words & lower) << shift
    return words


# --- one Python integer for one table -------------------------------------------------


class LongTable:
    """One table whose rows are Python integers, of the token ids of two texts."""

    def __init__(self, prediction: np.ndarray, reference: np.ndarray) -> None:
        self.prediction, self.n_bits = prediction.tolist(), len(reference)
        self.all_ones = (1 << self.n_bits) - 1  # the row before any token: no bit is 0
        self.mask_of_id = _mask_of_id(reference)

    def _rows(self, row: int, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the mask of each of the tokens start..end-1 and the row after it.

        `row` is the one before them.
        """
        for token_id in self.prediction[start:end]:
            mask = self.mask_of_id(token_id)
            match = row & mask
            row = (row + match | row ^ match) & self.all_ones
            yield mask, row

    def lcs_length(self) -> int:
        """Return the length of the longest common subsequence."""
        last = self.all_ones
        for _, last in self._rows(self.all_ones, 0, len(self.prediction)):  # noqa: B007
            pass
        return self.n_bits - bin(last).count("1")

    def traceback(self, is_before_gap: np.ndarray) -> np.ndarray:
        """Return which tokens of the reference the LCS takes, ndarray of bool.

        Only some rows are kept, and the others computed again.
        """
        n_rows = len(self.prediction)
        block = isqrt(n_rows) + 1
        starts = range(0, n_rows, block)
        row_before = [self.all_ones]
        for start in starts:
            *_, (_, last) = self._rows(row_before[-1], start, start + block)
            row_before.append(last)
        taken, below = 0, self.all_ones
        for start, row in zip(reversed(starts), row_before[-2::-1], strict=True):
            rows = list(self._rows(row, start, start + block))
            gaps = is_before_gap[start : start + block].tolist()
            for (mask, row), is_gap in zip(reversed(rows), reversed(gaps), strict=True):
                stop = below & (~row if is_gap else ~row | mask)
                highest = 1 << stop.bit_length() >> 1
                match = highest & mask
                taken |= match
                below = (highest << 1) - 1 - match if highest else 0
        bits = np.frombuffer(taken.to_bytes(-(-self.n_bits // 8), "little"), dtype=np.uint8)
        return np.unpackbits(bits, count=self.n_bits, bitorder="little").astype(bool)


def _mask_of_id(reference: np.ndarray) -> Callable[[int], int]:
    """Return the function from a token id to its positions in the reference, as bits.

    All masks together would grow with the square of the text, so only those last asked for are
    kept.
    """
    n_bits = len(reference)
    positions = defaultdict(list)
    for position, token_id in enumerate(reference.tolist()):
        positions[token_id].append(position)

    def mask(token_id: int) -> int:
        here = positions.get(token_id, [])
        if len(here) <= _FEW_POSITIONS:
            return sum(1 << position for position in here)
        is_match = np.zeros(n_bits, dtype=bool)
        is_match[here] = True
        return _integer(np.packbits(is_match, bitorder="little"))

    return lru_cache(maxsize=max(8 * _MAX_MASK_BYTES // n_bits, 2))(mask)
