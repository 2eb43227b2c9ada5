"""Token ids -> the cells of weighted LCS tables that match.

Of all cells of a table few match. They are found by the ids that both sides have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Ragged, offsets_of_lengths, sorted_with_order, sums_of_groups
from ...tokens import ABSENT, SharedTokens

MAX_MATCHES = 1 << 18  # matches that are listed at once


def merged_gaps(ids: Ragged) -> np.ndarray:
    """Return which tokens matter to the table, ndarray of bool, shape (n_tokens,).

    Of each run of tokens that the other side lacks one is left, and none at the start:
    it ends the runs and passes the best value on; a second one changes nothing.
    """
    is_shared = ids.values != ABSENT
    is_kept = is_shared.copy()
    is_kept[1:] |= is_shared[:-1]
    first = ids.offsets[:-1][ids.lengths > 0]
    is_kept[first] = is_shared[first]
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
    shared = token_id.take(np.flatnonzero(token_id != ABSENT))
    return np.bincount(shared, minlength=n_ids + 1)


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
class Band:
    """The anti-diagonals first..end-1, and whether these are all."""

    first: int
    end: int
    is_all: bool


@dataclass(frozen=True)
class Matches:
    """Cells that match, by lane and row: ndarrays of int64, shape (n_matches,).

    Rows and columns count from 1.
    """

    lane: np.ndarray
    row: np.ndarray
    column: np.ndarray


def equal_tokens(
    row_id: np.ndarray, column_id: np.ndarray, band: Band | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the indices of tokens of two sides that are equal, by those of the rows.

    With a band only cells of its anti-diagonals count; both sides are of one table then.
    """
    row_token = np.flatnonzero(row_id != ABSENT)
    place = np.flatnonzero(column_id != ABSENT)
    order, _ = sorted_with_order(column_id[place])
    place = place[order]
    if band is None:
        n_ids = max(int(row_id.max(initial=0)), int(column_id.max(initial=0))) + 1
        offset_of_id = offsets_of_lengths(np.bincount(column_id[place], minlength=n_ids))
        start, end = (offset_of_id[row_id[row_token] + after] for after in (0, 1))
    else:
        start, end = _ranges_in_band(row_token, row_id, place, column_id, band)
    offsets = offsets_of_lengths(end - start)
    row_number = np.repeat(np.arange(len(row_token)), end - start)
    distance = start - offsets[:-1]  # from a match of a row to its token in `place`
    column = place[np.arange(offsets[-1]) + distance[row_number]]
    return row_token[row_number], column


def _ranges_in_band(
    row: np.ndarray, row_id: np.ndarray, column: np.ndarray, column_id: np.ndarray, band: Band
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each row where its columns start and end whose cells are in the band.

    Columns come by id and then by place. Rows and columns count from 0 here.
    """
    n_columns = len(column_id)
    key = column_id[column] * n_columns + column
    first, end = (
        row_id[row] * n_columns + np.clip(diagonal - 2 - row, 0, n_columns)
        for diagonal in (band.first, band.end)
    )
    return np.searchsorted(key, first), np.searchsorted(key, end)


def matches_of_lanes(rows: Ragged, columns: Ragged, band: Band) -> Matches:
    """Return the matches of lanes of which each has ids of its own.

    Where the band is not all of the table, there is one lane.
    """
    row, column = equal_tokens(rows.values, columns.values, None if band.is_all else band)
    return Matches(
        lane=rows.row_of_value[row],
        row=rows.position_in_row[row] + 1,
        column=columns.position_in_row[column] + 1,
    )
