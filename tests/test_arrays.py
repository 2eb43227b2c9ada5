"""Ragged arrays, groups, dense ids and Arrow arrays against Python lists, dictionaries and pyarrow."""

import threading
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise, starmap

import numpy as np
import pyarrow as pa
import pytest

from rouge_bleu.arrays import (
    Ragged,
    argsort_and_sorted,
    arrow_numbers,
    arrow_strings,
    batches,
    dense_ids,
    flatten_with_offsets,
    key_overlap,
    lazy_property,
    number_shared_keys,
    numpy_of_arrow,
    powers,
)

some_lengths = pytest.mark.parametrize("lengths", [(0, 0), (0, 3), (1, 1), (5, 2), (300, 400)])


@pytest.mark.parametrize("exponent", [1.2, 1.5, 2.25, 1 / 1.2])
def test_powers_are_those_of_python(exponent):
    """Python uses C's pow. With AVX-512, numpy's power of arrays differs for one number in twenty."""
    numbers = [*range(2000), 0.3, 1 / 7]
    expected = [float(number) ** exponent for number in numbers]
    assert powers(np.array(numbers, dtype=np.float64), exponent).tolist() == expected


@pytest.mark.parametrize("n_rows", [0, 1, 2, 50])
def test_rows(n_rows):
    rng = np.random.default_rng(n_rows)
    lists = [rng.integers(0, 9, length).tolist() for length in rng.integers(0, 4, n_rows)]
    values, offsets = flatten_with_offsets(lists)
    rows = Ragged(np.array(values, dtype=np.int64), offsets)
    assert (rows.n_rows, rows.to_lists()) == (n_rows, lists)
    assert rows.lengths.tolist() == list(map(len, lists))
    places = [(row, place) for row, values in enumerate(lists) for place in range(len(values))]
    found = rows.row_of_value.tolist(), rows.position_in_row.tolist()
    assert list(zip(*found, strict=True)) == places
    # Rows in any order and more than once.
    chosen = rng.integers(0, max(n_rows, 1), 2 * n_rows)
    assert rows.take(chosen).to_lists() == [lists[row] for row in chosen]
    # Values are dropped; rows stay, even empty ones.
    even = [[value for value in values if value % 2 == 0] for values in lists]
    assert rows.keep(rows.values % 2 == 0).to_lists() == even
    assert rows.keep(rows.values < 0).to_lists() == [[] for _ in lists]
    higher = [[value + 1 for value in values] for values in lists]
    assert rows.with_values(rows.values + 1).to_lists() == higher
    assert rows.to_lists() == lists, "nothing is changed"


@pytest.mark.parametrize("highest_key", [1, 2, 1000, 2**31, 2**52 - 1, 2**53, 2**62])
@pytest.mark.parametrize("lengths", [(0,), (1,), (0, 0), (1, 0, 2), (500, 700), (1025,)])
def test_dense_ids_number_distinct_keys_in_ascending_order(lengths, highest_key):
    """Keys of 53 bits and more take the other way of sorting, since they share 63 bits with their
    position.
    """
    rng = np.random.default_rng(4)
    keys = [rng.integers(0, highest_key, length, endpoint=True) for length in lengths]
    for part in keys:
        part[-1:] = highest_key
    before = [part.tolist() for part in keys]
    ids, key_of_id = dense_ids(iter(keys))
    distinct = sorted({key for part in before for key in part})
    assert key_of_id.tolist() == distinct
    assert [part.tolist() for part in ids] == [list(map(distinct.index, part)) for part in before]
    assert [part.tolist() for part in keys] == before, "nothing is changed"


@pytest.mark.parametrize("n_keys_of_range", [1, 7, 1000])
@some_lengths
def test_keys_that_two_arrays_share_are_numbered(lengths, n_keys_of_range):
    """Against a dictionary; one table serves ranges of keys in turn."""
    rng = np.random.default_rng(7)
    left, right = (np.sort(rng.integers(0, 200, length)) for length in lengths)
    if n_keys_of_range == 1000:  # one range needs no order
        rng.shuffle(left)
        rng.shuffle(right)
        *numbers, place_of_number = number_shared_keys(left, right, 200)
    else:
        first_key = [*range(0, 200, n_keys_of_range), 200]
        slices = (
            starmap(slice, pairwise(np.searchsorted(side, first_key).tolist()))
            for side in (left, right)
        )
        ranges = zip(first_key[:-1], *slices, strict=True)
        *numbers, place_of_number = number_shared_keys(left, right, n_keys_of_range, ranges)
    last = {key: place for place, key in enumerate(left.tolist())}
    shared = sorted(last[key] for key in set(left.tolist()) & set(right.tolist()))
    number_of = {int(left[place]): number for number, place in enumerate(shared)}
    assert place_of_number.tolist() == shared
    for side, number in zip((left, right), numbers, strict=True):
        assert number.tolist() == [number_of.get(key, -1) for key in side.tolist()]


@pytest.mark.parametrize("highest_key", [1, 2, 30, 2**62])
@some_lengths
def test_common_keys(lengths, highest_key):
    rng = np.random.default_rng(6)
    left, right = (rng.integers(0, highest_key, length) for length in lengths)
    left[: lengths[1] // 3] = right[: min(lengths[0], lengths[1] // 3)]
    key, n_common = key_overlap(left, right)
    expected = Counter(left.tolist()) & Counter(right.tolist())
    assert list(zip(key.tolist(), n_common.tolist(), strict=True)) == sorted(expected.items())


@pytest.mark.parametrize("limit", [0, 1, 7, 30, 10**9])
def test_batches_are_as_long_as_the_limit_allows(limit):
    size = np.random.default_rng(5).integers(0, 12, 200)
    ranges = list(batches(size, limit))
    assert [first for first, _ in ranges] == [0] + [end for _, end in ranges[:-1]]
    assert ranges[-1][1] == len(size)
    for first, end in ranges:
        assert size[first:end].sum() <= limit or end == first + 1
        assert end == len(size) or size[first : end + 1].sum() > limit, "one more would have fitted"


@pytest.mark.parametrize("n_digits", [16, 24, 62])
@pytest.mark.parametrize("n_keys", [0, 1, 3000])
def test_sorted_with_order_round_the_limits_of_its_digits(n_digits, n_keys):
    """A tenth of the keys are different, so that most have equals, which keep their order."""
    rng = np.random.default_rng(n_keys)
    limit = 1 << n_digits
    near = limit + np.arange(-2, 2)
    pool = np.append(rng.integers(0, limit, n_keys // 10), near)
    for highest in (limit - 1, limit, limit + 1):
        key = np.append(rng.choice(pool, n_keys), near)
        key = key[key <= highest]
        order, sorted_key = argsort_and_sorted(key)
        assert order.tolist() == sorted(range(len(key)), key=key.tolist().__getitem__)
        assert sorted_key.tolist() == key[order].tolist()


# --- Arrow ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "texts", [[], [""], ["a", "", "bc"], ["é", "", "a", "中文", "🎉x"]], ids=len
)
def test_arrow_texts(texts):
    for given in (texts, tuple(texts), iter(texts)):
        array = arrow_strings(given)
        array.validate(full=True)
        assert array.equals(pa.array(texts, pa.large_string()))


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint64"])
@pytest.mark.parametrize("length", [0, 1, 9])
def test_arrow_numbers(dtype, length):
    values = np.arange(2 * length, dtype=dtype)[::2]
    array = arrow_numbers(values)
    assert array.equals(pa.array(values))
    for first in (0, 3):
        assert numpy_of_arrow(array[first:]).tolist() == values[first:].tolist()


# --- properties that are computed once ------------------------------------------------------------


def test_a_lazy_property_is_computed_once_and_does_not_make_threads_wait():
    """In a frozen object; each computation waits until the other one has begun."""
    barrier, computed_in = threading.Barrier(2, timeout=30), []

    @dataclass(frozen=True)
    class Square:
        side: int

        @lazy_property
        def area(self):
            barrier.wait()
            computed_in.append(threading.get_ident())
            return self.side**2

    squares = [Square(3), Square(4)]
    threads = [threading.Thread(target=getattr, args=(square, "area")) for square in squares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [square.area for square in squares] == [9, 16]
    assert len(computed_in) == len(set(computed_in)) == 2
