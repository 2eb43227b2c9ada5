"""Token ids -> lengths and positions of longest common subsequences, by tables whose rows are bit vectors.

A table has a row for each token of one text and a bit for each token of the other, the reference: 0
if the tokens so far have a longer LCS with the first i + 1 tokens of the reference than with the
first i (Hyyro 2004, "Bit-parallel LCS-length computation revisited",
http://www.cs.uta.fi/~helmu/pubs/awoca04.pdf). A token whose matching positions are the bits of
`mask` changes the row to

    (row + match) | (row - match)        with match = row & mask

All bits of `match` are in `row`, so in integers row - match is row ^ match, which is faster. The
traceback goes in each row, from the last, down to the highest position not yet passed that is a
match, or whose bit is 0; a match is taken and passed. Python loops run over rows.

One Python integer holds a row of many tables. Each table has a *field* in it: some words of 64 bits,
of which at least the highest bit is not used, so that an addition carries into no other field. So
thousands of tables are filled at once. The longest ones are filled one by one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from ..arrays import Ragged, argsort_and_sorted, batches, offsets_of_lengths

_WORD_BITS = 64
_LOG_WORD_BITS = 6
_WORD = np.dtype("<u8")  # in the byte order passed to `int.from_bytes`

_MAX_EXACT_BITS = 53  # integers of up to this many bits are exact as float64
_MANTISSA_BITS = np.int64((1 << 52) - 1)

_ONES_OF_BYTE = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.int64)
_REVERSED_BYTE = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))

MAX_PACKED_BITS = 1 << 12  # of a table that is filled with others
_MAX_PACKED_WORDS = 1 << 17  # of all rows of the tables that are filled together
_MAX_CACHED_MASKS = 1000  # kept by a long table


def n_field_words(n_bits: np.ndarray) -> np.ndarray:
    """Return how many words the field of a table has: one bit stays unused."""
    return n_bits // _WORD_BITS + 1


def masks_of_positions(index: np.ndarray, position: np.ndarray, n_words: np.ndarray) -> Ragged:
    """Return masks of `n_words` each, with the bit of each position set in that of its index."""
    offsets = offsets_of_lengths(n_words)
    masks = np.zeros(offsets[-1], dtype=_WORD)
    word = offsets[index] + (position >> _LOG_WORD_BITS)
    np.add.at(masks, word, _single_bits(position))
    return Ragged(masks, offsets)


def _single_bits(position: np.ndarray) -> np.ndarray:
    """Return words with the bit of the position, modulo 64, set."""
    return np.uint64(1) << (position & (_WORD_BITS - 1)).astype(np.uint64)


def _bits_reversed(words: np.ndarray) -> bytes:
    """Return the words with all their bits in reversed order."""
    return words.view(np.uint8)[::-1].tobytes().translate(_REVERSED_BYTE)


# --- many tables ----------------------------------------------------------------------


class BitTables:
    """Tables that are filled together, one row of each per step, those with most rows first.

    Tokens are ordered by step: those of `7 8 9`, `5 4` and `6` are 7 5 6, 8 4, 9. The tables that have
    a row in a step are at the low end of its integer.
    """

    def __init__(
        self, mask_of_token: Ragged, masks: Ragged, n_bits: np.ndarray, is_before_gap: np.ndarray
    ) -> None:
        """Take the number of the mask of each token that is walked through, one row per table.

        `is_before_gap` says whether tokens without a match follow: in their rows the traceback
        stops only at positions at which the LCS grew.
        """
        n_rows = mask_of_token.lengths
        n_active = len(n_rows) - np.bincount(n_rows).cumsum()[:-1]  # tables of each step
        step = Ragged(np.arange(n_active.sum()), offsets_of_lengths(n_active))
        place = mask_of_token.offsets.take(step.position_in_row)
        place += step.row_of_value
        self.n_bits = n_bits
        self.masks = masks.take(mask_of_token.values.take(place))  # one row per token
        self.is_before_gap = is_before_gap.take(place)
        self.first_word = offsets_of_lengths(n_field_words(n_bits))  # of the field of each table
        self.step_bytes = (8 * self.first_word[n_active]).tolist()
        # The bits of all tokens of the references.
        self.fields = np.full(self.first_word[-1], ~np.uint64(0), dtype=_WORD)
        self.fields[self.first_word[1:] - 1] = _single_bits(n_bits) - np.uint64(1)

    def _filled_rows(self) -> list[int]:
        """Return the row after each step, of the tables that have it."""
        fields = row = int.from_bytes(self.fields.tobytes(), "little")
        masks, start, n_before = self.masks.values.tobytes(), 0, self.step_bytes[0]
        rows = []
        for n_bytes in self.step_bytes:
            if n_bytes != n_before:
                fields &= (1 << 8 * n_bytes) - 1
                row, n_before = row & fields, n_bytes
            match = row & int.from_bytes(masks[start : start + n_bytes], "little")
            row = (row + match | row ^ match) & fields
            start += n_bytes
            rows.append(row)
        return rows

    def lcs_lengths(self) -> np.ndarray:
        """Return the length of the longest common subsequence of each table, int64."""
        ends = [*self.step_bytes[1:], 0]  # of the tables that have one more row
        last_rows = [
            (row >> 8 * end).to_bytes(n_bytes - end, "little")
            for row, n_bytes, end in zip(self._filled_rows(), self.step_bytes, ends, strict=True)
            if end < n_bytes
        ]
        last = np.frombuffer(b"".join(reversed(last_rows)), dtype=_WORD)
        bits = _ONES_OF_BYTE[(self.fields & ~last).view(np.uint8)].reshape(-1, 8).sum(axis=-1)
        return np.add.reduceat(bits, self.first_word[:-1])

    def traceback_positions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the reference positions in each LCS: their tables, and the positions."""
        stop = ~self._filled_rows_as_words()
        is_gap = self.is_before_gap.repeat(self.masks.lengths)
        stop |= np.where(is_gap, np.uint64(0), self.masks.values)
        taken = np.frombuffer(self._lcs_bits(stop), dtype=np.uint8)
        bit = np.unpackbits(taken, bitorder="little").view(bool).nonzero()[0]
        table_of_word = Ragged(self.fields, self.first_word).row_of_value
        table = table_of_word[bit >> _LOG_WORD_BITS]
        return table, bit - _WORD_BITS * self.first_word[table]

    def _filled_rows_as_words(self) -> np.ndarray:
        """Return the row after each token, as many words as its mask."""
        rows = zip(self._filled_rows(), self.step_bytes, strict=True)
        written = b"".join(row.to_bytes(n_bytes, "little") for row, n_bytes in rows)
        return np.frombuffer(written, dtype=_WORD)

    def _lcs_bits(self, stop: np.ndarray) -> bytes:
        """Return the positions of each LCS as bits of its field: those that a traceback takes.

        `below` are the positions not yet passed. In each row, from the last, the highest stop below is
        reached, and taken if it is a match. For `a b c b` with the reference `a c b b`, bit 0 at the right:

            token  row   mask  stop  below  reached  taken
            b      1000  1100  1111  1111   1000     1000
            c      1100  0010  0011  0111   0010     1010
            b      1010  1100  1101  0001   0001     1010   not a match, so it is not passed
            a      1110  0001  0001  0001   0001     1011   tokens 0, 1 and 3

        The bits of all integers are reversed, so that `_bits_down_to_stop` can find a highest stop in each
        field. Then the tables that have a row are at the high end; those with fewer rows join at the low end.
        """
        ends, guards = np.zeros((2, len(self.fields)), dtype=_WORD)
        last = self.n_bits - 1
        ends[self.first_word[:-1] + (last >> _LOG_WORD_BITS)] = _single_bits(last)
        guards[self.first_word[1:] - 1] = np.uint64(1) << np.uint64(_WORD_BITS - 1)
        all_fields, all_ends, all_guards = (
            int.from_bytes(_bits_reversed(words), "little") for words in (self.fields, ends, guards)
        )
        n_all = self.step_bytes[0]
        all_guards |= 1 << 8 * n_all  # the guard of the first field
        stops, masks = _bits_reversed(stop), _bits_reversed(self.masks.values)
        n_before = start = below = taken = 0
        for n_bytes in reversed(self.step_bytes):
            if n_bytes != n_before:  # tables join
                n_absent, n_joined = 8 * (n_all - n_bytes), 8 * (n_bytes - n_before)
                fields, ends_here = all_fields >> n_absent, all_ends >> n_absent
                guards_here = all_guards >> n_absent
                below = below << n_joined | fields & ((1 << n_joined) - 1)
                taken, n_before = taken << n_joined, n_bytes
            row = slice(start, start + n_bytes)
            start += n_bytes
            stop_below = below & int.from_bytes(stops[row], "little")
            passed = _bits_down_to_stop(stop_below, fields, ends_here, guards_here)
            reached = stop_below & passed
            match = reached & int.from_bytes(masks[row], "little")
            taken |= match
            below = fields ^ passed ^ reached ^ match  # a stop that is no match is not passed
        return _bits_reversed(np.frombuffer(taken.to_bytes(n_all, "little"), dtype=_WORD))


def _bits_down_to_stop(stop: int, fields: int, ends: int, guards: int) -> int:
    """Return in each field the bits from its last token to the stop that is next to it, or all.

    Bits are reversed: the first token of a field is its highest bit. Here fields have 4 bits, and the
    references of the two tables 3 and 2 tokens:

        fields             1110 1100   the tokens of both references
        ends               0010 0100   the last token of each
        guards           1 0001 0000   the unused bit in front of each field
        stop               1010 0000   tokens 0 and 2 of the first table, none of the second one
        stop | guards    1 1011 0000
        ... - ends       1 1000 1100   each end borrows from its stop, or from its guard
        changed            0011 1100
        of fields          0010 1100   token 2 of the first table, all tokens of the second one

    >>> f"{_bits_down_to_stop(0b1010_0000, 0b1110_1100, 0b0010_0100, 0b1_0001_0000):08b}"
    '00101100'
    """
    guarded = stop | guards
    return fields & (guarded ^ guarded - ends)


class Uint64Tables(BitTables):
    """Tables whose fields are one word each: a traceback takes less time in numpy than in integers."""

    def _filled_rows_as_words(self) -> np.ndarray:
        mask = self.masks.values
        rows = np.empty_like(mask)
        row, start = self.fields, 0
        for n_bytes in self.step_bytes:
            end = start + n_bytes // _WORD.itemsize
            before, row = row[: end - start], rows[start:end]
            match = before & mask[start:end]
            np.subtract(before, match, out=row)
            match += before
            row |= match
            start = end
        return rows

    def _lcs_bits(self, stop: np.ndarray) -> bytes:
        stop, mask = stop.view(np.int64), self.masks.values.view(np.int64)
        below = self.fields.view(np.int64).copy()  # not yet passed
        taken, end = np.zeros_like(below), len(stop)
        for n_bytes in reversed(self.step_bytes):
            n_active = n_bytes // _WORD.itemsize
            here = slice(end - n_active, end)
            reached = _bits_up_to_highest(stop[here] & below[:n_active])
            match = reached ^ (reached >> 1)
            match &= mask[here]
            taken[:n_active] |= match
            np.bitwise_xor(reached, match, out=below[:n_active])
            end -= n_active
        return taken.tobytes()


def _bits_up_to_highest(words: np.ndarray) -> np.ndarray:
    """Return words with all bits up to the highest one set, int64."""
    # As float64 a word has its highest bit in the exponent.
    bits = words.astype(np.float64).view(np.int64)
    bits |= _MANTISSA_BITS
    return bits.view(np.float64).astype(np.int64)


class LongTable:
    """One table whose rows are Python integers, of the token ids of two texts."""

    def __init__(
        self, walked: np.ndarray, reference: np.ndarray, is_before_gap: np.ndarray
    ) -> None:
        self.walked, self.is_before_gap = walked.tolist(), is_before_gap.tolist()
        self.n_bits = len(reference)
        self.all_ones = (1 << self.n_bits) - 1  # the row before any token: no bit is 0
        positions = defaultdict(list)
        for position, token_id in enumerate(reference.tolist()):
            positions[token_id].append(position)
        # All masks together would grow with the square of the text.
        self.mask_of_id = lru_cache(maxsize=_MAX_CACHED_MASKS)(
            lambda token_id: sum(1 << position for position in positions.get(token_id, []))
        )

    def _filled_rows(self) -> Iterator[int]:
        """Yield the row after each token."""
        row = self.all_ones
        for mask in map(self.mask_of_id, self.walked):
            match = row & mask
            row = (row + match | row ^ match) & self.all_ones
            yield row

    def lcs_lengths(self) -> np.ndarray:
        """Return the length of the longest common subsequence, int64, shape (1,)."""
        last = deque(self._filled_rows(), maxlen=1).pop()
        return np.array([self.n_bits - last.bit_count()])

    def traceback_positions(self) -> tuple[np.ndarray, np.ndarray]:
        """Like `BitTables`; the rows of two sentences of 40,000 tokens take 200 MB."""
        taken, below = 0, self.all_ones
        steps = zip(self.walked, self._filled_rows(), self.is_before_gap, strict=True)
        for token_id, row, is_gap in reversed(list(steps)):
            mask = self.mask_of_id(token_id)
            stop = below & (~row if is_gap else ~row | mask)
            highest = 1 << stop.bit_length() >> 1
            match = highest & mask
            taken |= match
            below = (highest << 1) - 1 - match if highest else 0
        bits = np.frombuffer(taken.to_bytes(-(-self.n_bits // 8), "little"), dtype=np.uint8)
        position = np.unpackbits(bits, bitorder="little").nonzero()[0]
        return np.zeros_like(position), position


def batches_of_tables(
    n_rows: np.ndarray, n_bits: np.ndarray, *, traces_back: bool
) -> Iterator[tuple[Any, np.ndarray]]:
    """Yield the class for some tables, and their numbers, by descending rows; a `LongTable` alone."""
    n_words = n_rows * n_field_words(n_bits)
    is_long = (n_bits > MAX_PACKED_BITS) | (n_words > _MAX_PACKED_WORDS)
    is_small = (n_bits <= _MAX_EXACT_BITS) & traces_back  # lengths take as long in both
    for kind, is_wanted in ((Uint64Tables, is_small), (BitTables, ~is_small)):
        tables = (is_wanted & ~is_long).nonzero()[0]
        order, _ = argsort_and_sorted(n_rows.max(initial=0) - n_rows[tables])
        tables = tables[order]
        for first, end in batches(n_words[tables], _MAX_PACKED_WORDS):
            yield kind, tables[first:end]
    for table in is_long.nonzero()[0].tolist():
        yield LongTable, np.array([table])


def lcs_lengths_of_columns(
    prediction: Ragged, reference: Ragged, pair_of_id: np.ndarray, which: np.ndarray
) -> np.ndarray:
    """Return the LCS length of each pair in `which`, int64; no other pair has the ids of a pair."""
    lcs, n_words = np.zeros((2, prediction.n_rows), dtype=np.int64)
    filled = which[np.minimum(prediction.lengths, reference.lengths)[which] > 0]
    sizes = prediction.lengths[filled], reference.lengths[filled]
    for kind, tables in batches_of_tables(*sizes, traces_back=False):
        pairs = filled[tables]
        rows, columns = prediction.take(pairs), reference.take(pairs)
        no_gaps = np.zeros(len(rows.values), dtype=bool)
        if kind is LongTable:
            lcs[pairs] = LongTable(rows.values, columns.values, no_gaps).lcs_lengths()
            continue
        n_words[:] = 0  # of the masks of other pairs
        n_words[pairs] = n_field_words(columns.lengths)
        n_of_id = n_words.take(pair_of_id)
        masks = masks_of_positions(columns.values, columns.position_in_row, n_of_id)
        lcs[pairs] = kind(rows, masks, columns.lengths, no_gaps).lcs_lengths()
    return lcs[which]
