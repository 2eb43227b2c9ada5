"""Token ids -> the cells of weighted LCS tables that match, listed run by run.

Of all cells of a table few match. They are found by the ids that both sides have, and
each knows the match up left of it, so that its run needs no table. Python loops run over
doublings of a run.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...ground.lazy import lazy_property
from ...ground.ragged import Ragged, offsets_of_lengths, sums_of_groups
from ...ground.tokens import ABSENT, SharedTokens

MAX_MATCHES = 1 << 18  # matches that are listed at once


def merged_gaps(ids: Ragged) -> np.ndarray:
    """Return which tokens matter to the table, ndarray of bool, shape (n_tokens,).

    Of each run of tokens that the other side lacks one is left, and none at the start:
    it ends the runs and passes the best value on; a second one changes nothing.
    """
    is_shared = ids.values != ABSENT
    is_kept = is_shared.copy()
    is_kept[1:] |= is_shared[:-1] & (ids.position_in_row[1:] > 0)
    return is_kept


def n_matches_of_items(tokens: SharedTokens) -> np.ndarray:
    """Return the number of cells of each pair's table that match, ndarray of int64."""
    prediction_count, reference_count = (
        counts_of_ids(side.ids.values, tokens.n_ids) for side in tokens.sides
    )
    n_matches = (prediction_count * reference_count)[: tokens.n_ids]
    return sums_of_groups(n_matches, tokens.item_of_id, tokens.n_items)


def counts_of_ids(token_id: np.ndarray, n_ids: int) -> np.ndarray:
    """Return how often each id stands there, and 0 for ABSENT, which is the last one."""
    return np.bincount(token_id[token_id != ABSENT], minlength=n_ids + 1)


def common_end(left: np.ndarray, right: np.ndarray) -> int:
    """Return how many last values of two arrays are the same shared tokens."""
    length = min(len(left), len(right))
    left, right = left[len(left) - length :], right[len(right) - length :]
    differs = np.flatnonzero((left != right) | (left == ABSENT))
    return length - int(differs[-1]) - 1 if len(differs) else length


def one_row(values: np.ndarray) -> Ragged:
    return Ragged(values, np.array([0, len(values)]))


def n_equal_pairs(row_id: np.ndarray, column_id: np.ndarray) -> int:
    """Return how many pairs of a row and a column have the same id."""
    n_ids = max(int(row_id.max(initial=0)), int(column_id.max(initial=0))) + 1
    return int(counts_of_ids(row_id, n_ids) @ counts_of_ids(column_id, n_ids))


@dataclass(frozen=True)
class Matches:
    """Cells that match, by lane, row and column.

    Columns are ndarrays of int64, shape (n_matches,), and one of bool.

    Parameters
    ----------
    lane, row, column
        Rows and columns count from 1.
    previous
        The match up left of it, as an index; itself where a run begins.
    is_carried : ndarray of bool
        Whether the match up left of it is in an earlier band of anti-diagonals.
    """

    lane: np.ndarray
    row: np.ndarray
    column: np.ndarray
    previous: np.ndarray
    is_carried: np.ndarray

    @lazy_property
    def first(self) -> np.ndarray:
        """The first match of each match's run, as an index, by doubling of pointers."""
        first = self.previous
        while True:
            before = first[first]
            if np.array_equal(before, first):
                return first
            first = before


@dataclass(frozen=True)
class TokensInOrder:
    """Tokens in their order, and the token before each in its text or sentence.

    Ids are ABSENT where the other side lacks the token.
    """

    token_id: np.ndarray
    id_before: np.ndarray

    @classmethod
    def of_ids(
        cls, token_id: np.ndarray, is_first: np.ndarray, no_id: int
    ) -> TokensInOrder:
        """`no_id` stands for no shared token before; two sides need different ones."""
        before = np.empty_like(token_id)
        before[1:] = token_id[:-1]
        before[is_first] = ABSENT
        return cls(token_id, np.where(before == ABSENT, no_id, before))


@dataclass(frozen=True)
class EqualTokens:
    """Where tokens of two sides are equal, by row and column.

    Parameters
    ----------
    row, column : ndarray of int64, shape (n_matches,)
        Indices of tokens.
    previous, is_carried : ndarray of int64, ndarray of bool
        As in `Matches`.
    """

    row: np.ndarray
    column: np.ndarray
    previous: np.ndarray
    is_carried: np.ndarray


@dataclass(frozen=True)
class _TokensById:
    """The shared tokens of a side, by id and then by place."""

    place: np.ndarray
    token_id: np.ndarray
    n_places: int

    @classmethod
    def of_side(cls, side: TokensInOrder) -> _TokensById:
        place = np.flatnonzero(side.token_id != ABSENT)
        place = place[sorting_order(side.token_id[place])]
        return cls(place, side.token_id[place], len(side.token_id))

    def ranges(self, token_id: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return where the tokens of each id start, and their end."""
        n_ids = max(int(token_id.max(initial=0)), int(self.token_id.max(initial=0))) + 1
        offset_of_id = offsets_of_lengths(np.bincount(self.token_id, minlength=n_ids))
        return offset_of_id[token_id], offset_of_id[token_id + 1]

    def ranges_in_band(
        self, token_id: np.ndarray, row: np.ndarray, band: Band
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the ranges of those whose cell in a row is in the band.

        Rows and columns of cells count from 1, `row` and places from 0.
        """
        key = self.token_id * self.n_places + self.place
        start, end = (
            np.clip(diagonal - 2 - row, 0, self.n_places)
            for diagonal in (band.first, band.end)
        )
        first_key = token_id * self.n_places
        return np.searchsorted(key, first_key + start), np.searchsorted(
            key, first_key + end
        )


def equal_tokens(
    rows: TokensInOrder, columns: TokensInOrder, band: Band | None = None
) -> EqualTokens:
    """Return where the tokens of two sides are equal.

    With a band only cells of its anti-diagonals count; both sides are of one table then.
    """
    row_token = np.flatnonzero(rows.token_id != ABSENT)
    by_id = _TokensById.of_side(columns)
    if band is None:
        start, end = by_id.ranges(rows.token_id[row_token])
    else:
        start, end = by_id.ranges_in_band(rows.token_id[row_token], row_token, band)
    offsets = offsets_of_lengths(end - start)
    row_number = np.repeat(np.arange(len(row_token)), end - start)
    distance = start - offsets[:-1]  # from a match of a row to its token among `by_id`
    row = row_token[row_number]
    column = by_id.place[np.arange(offsets[-1]) + distance[row_number]]

    # The match up left: the row token before, and that token's column token.
    continues = rows.id_before[row] == columns.id_before[column]
    is_carried = np.zeros(len(row), dtype=bool)
    if band is not None:
        is_carried = continues & (row + column < band.first)
    has_previous = np.flatnonzero(continues & ~is_carried)
    index_of_place = np.empty(by_id.n_places, dtype=np.int64)
    index_of_place[by_id.place] = np.arange(len(by_id.place))
    previous = np.arange(len(row))
    previous[has_previous] = (
        index_of_place[column[has_previous] - 1]
        - distance[row_number[has_previous] - 1]
    )
    return EqualTokens(row, column, previous, is_carried)


def sorting_order(key: np.ndarray) -> np.ndarray:
    """Return a stable permutation that sorts small non-negative integers.

    The position goes into the low bits, since numpy sorts plain integers fastest.
    """
    bits = len(key).bit_length()
    packed = key << bits
    packed |= np.arange(len(key))
    packed.sort()
    return packed & ((1 << bits) - 1)


def matches_of_lanes(rows: Ragged, columns: Ragged, band: Band) -> Matches:
    """Return the matches of lanes of which each has ids of its own.

    Where the band is not all of the table, there is one lane.
    """
    of_rows, of_columns = (
        TokensInOrder.of_ids(side.values, side.offsets[:-1][side.lengths > 0], no_id)
        for side, no_id in ((rows, -1), (columns, -2))
    )
    equal = equal_tokens(of_rows, of_columns, None if band.is_all else band)
    return Matches(
        lane=rows.row_of_value[equal.row],
        row=rows.position_in_row[equal.row] + 1,
        column=columns.position_in_row[equal.column] + 1,
        previous=equal.previous,
        is_carried=equal.is_carried,
    )


@dataclass(frozen=True)
class Band:
    """The anti-diagonals first..end-1, and whether these are all."""

    first: int
    end: int
    is_all: bool
