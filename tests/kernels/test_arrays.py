"""Ragged arrays, groups and dense ids against Python lists."""

from collections import Counter
from itertools import pairwise, starmap

import numpy as np
import pytest

from rouge_bleu.arrays import (
    Ragged,
    batches,
    common_keys,
    dense_ids,
    flattened,
    shared_numbers,
    sorted_with_order,
)


def random_lists(rng, n_rows):
    return [rng.integers(0, 9, length).tolist() for length in rng.integers(0, 4, n_rows)]


def as_ragged(lists):
    values, offsets = flattened(lists)
    return Ragged(np.array(values, dtype=np.int64), offsets)


@pytest.fixture(params=[0, 1, 2, 50], ids="{} rows".format)
def lists(request):
    return random_lists(np.random.default_rng(request.param), request.param)


def test_rows(lists):
    rows = as_ragged(lists)
    before = rows.values.copy(), rows.offsets.copy()
    assert rows.n_rows == len(lists)
    assert rows.to_lists() == lists
    assert rows.lengths.tolist() == list(map(len, lists))
    row_of_value = [row for row, values in enumerate(lists) for _ in values]
    assert rows.row_of_value.tolist() == row_of_value
    position_in_row = [position for values in lists for position in range(len(values))]
    assert rows.position_in_row.tolist() == position_in_row
    # Rows in any order and more than once.
    chosen = np.random.default_rng(1).integers(0, max(len(lists), 1), 2 * len(lists))
    assert rows.take(chosen).to_lists() == [lists[row] for row in chosen]
    index, offsets = rows.index_of_rows(chosen)
    assert Ragged(rows.values[index], offsets).to_lists() == [lists[row] for row in chosen]
    # Values are dropped, and no row.
    even = [[value for value in values if value % 2 == 0] for values in lists]
    assert rows.keep(rows.values % 2 == 0).to_lists() == even
    assert rows.keep(rows.values < 0).to_lists() == [[] for _ in lists]
    higher = [[value + 1 for value in values] for values in lists]
    assert rows.with_values(rows.values + 1).to_lists() == higher
    dense_ids([rows.values, rows.values[:1]])
    assert all(map(np.array_equal, before, (rows.values, rows.offsets))), "nothing is changed"


@pytest.mark.parametrize("highest_key", [1, 2, 1000, 2**31, 2**52, 2**62], ids="up to {}".format)
@pytest.mark.parametrize("lengths", [(0,), (1,), (0, 0), (1, 0, 2), (500, 700), (1025,)], ids=str)
def test_dense_ids_number_distinct_keys_in_ascending_order(lengths, highest_key):
    """Keys of 53 bits and more take the other way of sorting, since they share 63 bits with their
    position.
    """
    rng = np.random.default_rng(4)
    keys = [rng.integers(0, highest_key, length) for length in lengths]
    ids, key_of_id = dense_ids(iter(keys))
    distinct = sorted({key for part in keys for key in part.tolist()})
    assert key_of_id.tolist() == distinct
    assert [part.tolist() for part in ids] == [
        [distinct.index(key) for key in part.tolist()] for part in keys
    ]


@pytest.mark.parametrize("n_keys_of_range", [1, 7, 1000])
@pytest.mark.parametrize("lengths", [(0, 0), (0, 3), (3, 0), (1, 1), (300, 400)], ids=str)
def test_keys_that_two_arrays_share_are_numbered(lengths, n_keys_of_range):
    """Against a dictionary; one table serves ranges of keys in turn."""
    rng = np.random.default_rng(7)
    left, right = (np.sort(rng.integers(0, 200, length)) for length in lengths)
    if n_keys_of_range == 1000:  # one range needs no order
        rng.shuffle(left)
        rng.shuffle(right)
        *numbers, place_of_number = shared_numbers(left, right, 200)
    else:
        first_key = [*range(0, 200, n_keys_of_range), 200]
        slices = (
            starmap(slice, pairwise(np.searchsorted(side, first_key).tolist()))
            for side in (left, right)
        )
        ranges = zip(first_key[:-1], *slices, strict=True)
        *numbers, place_of_number = shared_numbers(left, right, n_keys_of_range, ranges)
    last = {key: place for place, key in enumerate(left.tolist())}
    shared = sorted(last[key] for key in set(left.tolist()) & set(right.tolist()))
    number_of = {int(left[place]): number for number, place in enumerate(shared)}
    assert place_of_number.tolist() == shared
    for side, number in zip((left, right), numbers, strict=True):
        assert number.tolist() == [number_of.get(key, -1) for key in side.tolist()]


@pytest.mark.parametrize("n_low_bits", [62, 53, 52], ids="{} bits".format)
def test_dense_ids_at_the_edge_of_63_bits(n_low_bits):
    key = np.array([2**n_low_bits - 1, 0, 2**n_low_bits - 1] * 400)  # 1,200 positions take 11 bits
    (ids,), key_of_id = dense_ids([key])
    assert key_of_id.tolist() == [0, 2**n_low_bits - 1]
    assert ids.tolist() == [1, 0, 1] * 400


@pytest.mark.parametrize("highest_key", [1, 2, 30, 2**62], ids="up to {}".format)
@pytest.mark.parametrize("lengths", [(0, 0), (0, 3), (1, 1), (5, 2), (300, 400)], ids=str)
def test_common_keys(lengths, highest_key):
    rng = np.random.default_rng(6)
    left, right = (rng.integers(0, highest_key, length) for length in lengths)
    left[: lengths[1] // 3] = right[: min(lengths[0], lengths[1] // 3)]
    key, n_common = common_keys(left, right)
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
        order, sorted_key = sorted_with_order(key)
        assert order.tolist() == sorted(range(len(key)), key=key.tolist().__getitem__)
        assert sorted_key.tolist() == key[order].tolist()
