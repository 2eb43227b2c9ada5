"""Rows of unequal length in two flat numpy arrays.

A column of texts becomes rows of token ids. Three rows `7 8 9`, (empty) and `7 5` are
stored as

    values   7  8  9  7  5
    offsets  0        3  3     5        row i is values[offsets[i]:offsets[i + 1]]

so one numpy call works on all rows at once (`values` and `offsets` are Arrow's terms). Python
loops run over batches, and over the lists that `flatten_with_offsets` takes, never over rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Generic, TypeVar

import numpy as np

Value = TypeVar("Value")


class lazy_property(Generic[Value]):
    """A property that is computed once; up to Python 3.11 `cached_property` makes threads wait."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute

    def __get__(self, owner: Any, kind: type) -> Value:
        # The object's own attribute is found before this one, in frozen dataclasses too.
        value = owner.__dict__[self.compute.__name__] = self.compute(owner)
        return value


@dataclass(frozen=True)
class Ragged:
    """Rows of unequal length.

    >>> rows = Ragged(np.array([7, 8, 9, 7, 5]), np.array([0, 3, 3, 5]))
    >>> rows.lengths.tolist(), rows.row_of_value.tolist(), rows.position_in_row.tolist()
    ([3, 0, 2], [0, 0, 0, 2, 2], [0, 1, 2, 0, 1])
    >>> rows.take(np.array([2, 0])).values.tolist()
    [7, 5, 7, 8, 9]
    """

    values: np.ndarray  # all rows in sequence, shape (n_values,)
    offsets: np.ndarray  # the start of each row, and the end, int64, shape (n_rows + 1,)

    @property
    def n_rows(self) -> int:
        return len(self.offsets) - 1

    @lazy_property
    def lengths(self) -> np.ndarray:
        """Number of values of each row, int64, shape (n_rows,)."""
        return self.offsets[1:] - self.offsets[:-1]

    @lazy_property
    def row_of_value(self) -> np.ndarray:
        """Row of each value, int64, shape (n_values,)."""
        return np.arange(self.n_rows).repeat(self.lengths)

    @lazy_property
    def position_in_row(self) -> np.ndarray:
        """Distance of each value from the start of its row, int64, shape (n_values,)."""
        return np.arange(len(self.values)) - self.offsets[:-1].repeat(self.lengths)

    def to_lists(self) -> list[list[Any]]:
        values = self.values.tolist()
        return [values[start:end] for start, end in pairwise(self.offsets.tolist())]

    def value_indices(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the indices of the values of some rows, row after row, and their offsets."""
        return span_indices(self.offsets[rows], self.lengths[rows])

    def take(self, rows: np.ndarray) -> Ragged:
        """Return the given rows, in that order; a row may occur more than once."""
        index, offsets = self.value_indices(rows)
        return Ragged(self.values[index], offsets)

    def keep(self, is_kept: np.ndarray) -> Ragged:
        """Return the rows with some of their values: `is_kept`, bool, shape (n_values,)."""
        # By index: with a mask numpy takes several times as long.
        index = is_kept.nonzero()[0]
        return Ragged(self.values.take(index), index.searchsorted(self.offsets))

    def with_values(self, values: np.ndarray) -> Ragged:
        """Return rows of the same lengths with other values."""
        return Ragged(values, self.offsets)


def offsets_of_lengths(lengths: np.ndarray) -> np.ndarray:
    """Return the offsets of rows of the given lengths, int64, shape (n_rows + 1,).

    >>> offsets_of_lengths(np.array([3, 0, 2])).tolist()
    [0, 3, 3, 5]
    """
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    lengths.cumsum(out=offsets[1:])
    return offsets


def span_indices(start: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices in spans, one span after the other, and where each starts.

    >>> [a.tolist() for a in span_indices(np.array([5, 0]), np.array([2, 1]))]
    [[5, 6, 0], [0, 2, 3]]
    """
    offsets = offsets_of_lengths(lengths)
    if (lengths == 1).all():
        return start, offsets
    index = np.arange(offsets[-1])
    index += (start - offsets[:-1]).repeat(lengths)
    return index, offsets


def flatten_with_offsets(lists: Sequence[Sequence[Any]]) -> tuple[list[Any], np.ndarray]:
    """Return the elements of all lists in one list, and the offsets of the lists in it."""
    lengths = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
    return list(chain.from_iterable(lists)), offsets_of_lengths(lengths)


def argmax_per_row(values: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """Return the index of the first of the highest values of each row, along the last axis.

    >>> argmax_per_row(np.array([[2, 5, 5, 1], [4, 3, 3, 0]]), np.array([0, 3, 4])).tolist()
    [[1, 3], [0, 3]]
    """
    starts, n_values = offsets[:-1], values.shape[-1]
    highest = np.maximum.reduceat(values, starts, axis=-1)
    is_below = values < highest.repeat(np.diff(offsets), axis=-1)
    place = np.where(is_below, n_values, np.arange(n_values))
    return np.minimum.reduceat(place, starts, axis=-1)


def sums_of_groups(value: np.ndarray, group: np.ndarray, n_groups: int) -> np.ndarray:
    """Return the sum of `value` in each group, int64; exact below 2**53, since `bincount` adds floats."""
    return np.bincount(group, weights=value, minlength=n_groups).astype(np.int64)


def powers(base: np.ndarray, exponent: float) -> np.ndarray:
    """Return base ** exponent, rounded as by C's pow; numpy's power of arrays depends on the processor."""
    return np.array([number**exponent for number in base.ravel()]).reshape(base.shape)


def is_run_start(values: np.ndarray) -> np.ndarray:
    """Return which values differ from the one before, bool; the first one does."""
    differs = np.ones(len(values), dtype=bool)
    np.not_equal(values[1:], values[:-1], out=differs[1:])
    return differs


def dense_ids(keys: Iterable[np.ndarray]) -> tuple[list[np.ndarray], np.ndarray]:
    """Number the distinct keys of several arrays from 0, in ascending order.

    Returned are the number of each key, and the distinct keys. Keys are int64, at least 0.

    >>> ids, key_of_id = dense_ids([np.array([30, 10]), np.array([10, 20])])
    >>> [i.tolist() for i in ids], key_of_id.tolist()
    ([[2, 0], [0, 1]], [10, 20, 30])
    """
    parts = list(keys)
    key = np.concatenate(parts) if len(parts) > 1 else parts[0]
    order, sorted_key = argsort_and_sorted(key)
    is_new = is_run_start(sorted_key)
    id_of_key = np.empty(len(key), dtype=np.int64)
    id_of_key[order] = is_new.cumsum() - 1
    ends = np.cumsum([len(part) for part in parts])[:-1]
    return np.split(id_of_key, ends), sorted_key.take(is_new.nonzero()[0])


def number_shared_keys(
    left: np.ndarray,
    right: np.ndarray,
    n_keys: int,
    ranges: Iterable[tuple[int, slice, slice]] = ((0, slice(None), slice(None)),),
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number the keys that both sides have, by their last position on the left side.

    Returned are the number of each key of both sides, -1 if the other side lacks it, and the last
    position of each number on the left side. A table of `n_keys` entries serves each of `ranges` in
    turn: the first key of each, and the positions of its keys on both sides.

    >>> left, right = np.array([7, 3, 7, 4]), np.array([3, 7, 8])
    >>> [numbers.tolist() for numbers in number_shared_keys(left, right, 9)]
    [[1, 0, 1, -1], [0, 1, -1], [1, 2]]
    """
    table = np.zeros(n_keys, dtype=np.int32)
    left_place = np.arange(len(left), dtype=np.int32)
    right_place = np.zeros(len(right), dtype=np.int32)
    for first_key, of_left, of_right in ranges:
        slot = left[of_left] - first_key
        table[slot] = left_place[of_left]  # of equal keys the last one is left
        left_place[of_left] = table.take(slot)
        right_place[of_right] = table.take(right[of_right] - first_key)
    # If the left side lacks a key, the table has a position of another key.
    is_absent = left.take(right_place) != right if len(left) else True
    right_place |= np.negative(is_absent, dtype=np.int32)  # 0, or -1: all bits set
    is_shared = np.zeros(len(left) + 1, dtype=bool)
    is_shared[right_place] = True
    is_shared[-1] = False  # where place -1 has been written
    place_of_number = is_shared.nonzero()[0]
    number = np.full(len(is_shared), -1)
    number[place_of_number] = np.arange(len(place_of_number))
    return number.take(left_place), number.take(right_place), place_of_number


def batches(size: np.ndarray, limit: int) -> Iterator[tuple[int, int]]:
    """Yield ranges (first, end) whose sizes sum to at most `limit`, or of one larger example.

    >>> list(batches(np.array([3, 4, 9, 1]), 8))
    [(0, 2), (2, 3), (3, 4)]
    """
    end_of_examples = size.cumsum()
    first = 0
    while first < len(size):
        already = end_of_examples[first - 1] if first else 0
        end = max(first + 1, int(end_of_examples.searchsorted(already + limit, side="right")))
        yield first, end
        first = end


def key_overlap(left: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys that two arrays share, and how often, at most, both have them.

    Keys are below 2**62.

    >>> [a.tolist() for a in key_overlap(np.array([5, 7, 5, 5]), np.array([5, 9, 5]))]
    [[5], [2]]
    """
    key_and_side = np.concatenate([left << 1, right << 1 | 1])
    key_and_side.sort()
    start = np.diff(key_and_side, prepend=-1).nonzero()[0]
    count = np.diff(np.append(start, len(key_and_side)))
    key = key_and_side[start] >> 1
    # The first of two neighbours is the left side.
    in_both = (key[1:] == key[:-1]).nonzero()[0]
    return key[in_both], np.minimum(count[in_both], count[in_both + 1])


def argsort_and_sorted(key: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a stable permutation that sorts `key`, and the sorted keys.

    >>> [a.tolist() for a in argsort_and_sorted(np.array([70000, 3, 70000, 1]))]
    [[3, 1, 0, 2], [1, 3, 70000, 70000]]
    """
    highest = int(key.max(initial=0))
    if highest < 1 << 24:  # numpy sorts integers of 8 and 16 bits by radix
        order = np.argsort(key.astype(np.uint16), kind="stable")
        if highest >= 1 << 16:
            high = (key >> 16).astype(np.uint8)
            order = order.take(np.argsort(high.take(order), kind="stable"))
        return order, key.take(order)
    # The low bits of larger keys are their positions: a sort is faster than an argsort.
    position_bits = max(len(key) - 1, 0).bit_length()
    if position_bits + highest.bit_length() > 63:
        order = np.argsort(key, kind="stable")
        return order, key[order]
    packed = key << position_bits
    packed |= np.arange(len(key))
    packed.sort()
    return packed & ((1 << position_bits) - 1), packed >> position_bits


# --- Arrow arrays, made from buffers -------------------------------------------------
#
# `pyarrow.array` and `to_numpy` import pandas, which takes as long as all else that a
# first score needs. These functions do not. pyarrow itself is imported when many texts need it.

ArrowArray = Any  # pyarrow.Array


def arrow_strings(texts: Iterable[str]) -> ArrowArray:
    """Return strings as a pyarrow array of large_string.

    >>> arrow_strings(["é", "", "ab"]).to_pylist()
    ['é', '', 'ab']
    """
    return arrow_strings_of_utf8(*utf8_and_offsets(list(texts)))


def utf8_and_offsets(texts: Sequence[str], between: str = "") -> tuple[bytes, np.ndarray]:
    """Return texts in UTF-8 with `between`, ASCII, between them, and where each starts.

    >>> written, offsets = utf8_and_offsets(["é", "", "ab"], between="-")
    >>> written.decode(), offsets.tolist()
    ('é--ab', [0, 3, 4, 7])
    """
    if all(map(str.isascii, texts)):
        written, lengths = between.join(texts).encode(), map(len, texts)
    else:
        encoded = list(map(str.encode, texts))
        written, lengths = between.encode().join(encoded), map(len, encoded)
    n_bytes = np.fromiter(lengths, dtype=np.int64, count=len(texts))
    return written, offsets_of_lengths(n_bytes + len(between))


def arrow_strings_of_utf8(written: bytes | np.ndarray, offsets: np.ndarray) -> ArrowArray:
    """Return parts of a buffer of bytes as an array of large_string; the last offset is the end."""
    import pyarrow as pa

    return pa.LargeStringArray.from_buffers(
        len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(written)
    )


def arrow_numbers(values: np.ndarray) -> ArrowArray:
    """Return a vector of numbers as a pyarrow array of the same type, without a copy."""
    import pyarrow as pa

    data = pa.py_buffer(np.ascontiguousarray(values))
    kind = pa.from_numpy_dtype(values.dtype)
    return pa.Array.from_buffers(kind, len(values), [None, data])


def numpy_of_arrow(array: ArrowArray) -> np.ndarray:
    """Return an array of numbers, none of them null, as a vector, without a copy.

    >>> numpy_of_arrow(arrow_numbers(np.array([3, 4, 5]))[1:])
    array([4, 5])
    """
    dtype = np.dtype(array.type.to_pandas_dtype())
    data = array.buffers()[1]
    if not len(array) or data is None:
        return np.zeros(0, dtype=dtype)
    return np.frombuffer(data, dtype=dtype)[array.offset : array.offset + len(array)]
