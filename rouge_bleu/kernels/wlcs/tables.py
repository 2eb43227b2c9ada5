"""Cells that match -> all values of weighted LCS tables, by anti-diagonals.

A cell that is no match is the larger one of above and left, and the cells of one
anti-diagonal do not depend on each other. So one maximum fills an anti-diagonal of many
tables, and then the few cells that match are set. Python loops run over anti-diagonals.
The time is that of a maximum for each cell, so it grows with the square of a text;
memory does not.

Tables stand one behind the other in an array that has a cell for each row of each of them:
that of the current anti-diagonal. Those with most anti-diagonals come first, so that the
tables that go on are the beginning of the array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np

from ...arrays import Ragged, differ_from_last, offsets_of_lengths, sorted_with_order
from ...lazy import lazy_property
from .matches import Band, Matches

MAX_TABLE_CELLS = 1 << 20  # of the tables that are held at once for the way back

# Given the cells two anti-diagonals before, and a step: the values of its matches.
ValuesOfMatches = Callable[[np.ndarray, int], np.ndarray]


def size_classes(size: np.ndarray, is_wanted: np.ndarray) -> list[np.ndarray]:
    """Return the lanes in classes whose tables differ by less than twice in size.

    They come by their size, since the ways back of a batch are held for as many
    anti-diagonals as its longest table has.
    """
    order = np.flatnonzero(is_wanted)
    order = order[np.argsort(size[order], kind="stable")]
    size_class = np.frexp(size[order])[1]
    return np.split(order, np.flatnonzero(np.diff(size_class)) + 1)


@dataclass(frozen=True)
class Tables:
    """Sizes of the tables of lanes, ndarrays of int64, shape (n_lanes,).

    Lanes come by height + width, the largest first.
    """

    height: np.ndarray
    width: np.ndarray

    @property
    def n_lanes(self) -> int:
        """Number of lanes."""
        return len(self.height)

    @lazy_property
    def n_rows(self) -> int:
        """Rows of the highest table, without row 0."""
        return int(self.height.max(initial=0))

    @lazy_property
    def n_columns(self) -> int:
        """Columns of the widest table, without column 0."""
        return int(self.width.max(initial=0))

    @lazy_property
    def last_diagonal(self) -> np.ndarray:
        """The anti-diagonal of the last cell of each table, ndarray of int64."""
        return self.height + self.width

    @lazy_property
    def n_diagonals(self) -> int:
        """Anti-diagonals of the longest table, with that of row 0 and column 0."""
        return int(self.last_diagonal.max(initial=0)) + 1

    @lazy_property
    def offsets(self) -> np.ndarray:
        """Where the rows of each table start, from row 0 on, shape (n_lanes + 1,)."""
        return offsets_of_lengths(self.height + 1)

    @property
    def rows(self) -> Ragged:
        """The number of each row in its table, from 0 on."""
        rows = Ragged(np.arange(self.offsets[-1]), self.offsets)
        return rows.with_values(rows.position_in_row)

    def bands(self, n_bands: int) -> list[Band]:
        """Return the anti-diagonals in so many bands, at least one."""
        size = -(-self.n_diagonals // max(n_bands, 1))
        return [
            Band(first, min(first + size, self.n_diagonals), size == self.n_diagonals)
            for first in range(0, self.n_diagonals, size)
        ]

    @lazy_property
    def longest(self) -> np.ndarray:
        """The larger one of height and width, ndarray of int64."""
        return np.maximum(self.height, self.width)

    @lazy_property
    def n_cells(self) -> np.ndarray:
        """What the ways back through a table take, ndarray of int64."""
        return (self.last_diagonal + 1) * (self.height + 1)

    @property
    def n_bands_of_cells(self) -> int:
        """Number of bands of one table, so that ways and states take little memory.

        A band of n anti-diagonals takes n bytes a row, a state some 64.
        """
        n_rows = self.n_rows + 1
        size = max(MAX_TABLE_CELLS // n_rows, isqrt(128 * n_rows))
        return -(-self.n_diagonals // size)

    @lazy_property
    def n_active(self) -> np.ndarray:
        """How many lanes end at each anti-diagonal or later, ndarray of int64."""
        diagonals = np.arange(self.n_diagonals + 1)
        return np.searchsorted(-self.last_diagonal, -diagonals, side="right")

    @lazy_property
    def filled_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the rows start and end that each anti-diagonal fills, two of int64.

        While several lanes go on these are all of theirs; of the longest one, once it is
        alone, those that have a cell there.
        """
        diagonals = np.arange(self.n_diagonals)
        n_active = self.n_active[:-1]
        first, end = np.ones_like(n_active), self.offsets[n_active]
        last_lane = diagonals[n_active == 1]
        first[last_lane] = np.maximum(last_lane - self.width[0], 1)
        end[last_lane] = np.clip(last_lane, first[last_lane], self.height[0] + 1)
        return first, end


@dataclass(frozen=True)
class State:
    """What a walk knows between two anti-diagonals; a walk changes these arrays.

    Several bands are there for one table only, and so are the runs that one carries to
    the next.

    Parameters
    ----------
    value : ndarray of float64, shape (2, rows of all tables with row 0)
        Row i of a table is the cell (i, d - i) of anti-diagonal d in value[d % 2], for the
        last two d.
    run_end, run_length, run_start : ndarray, shape (n_rows + n_columns + 1,)
        For each diagonal of a table the last row of its last run, the length of that, and
        the value before it.
    """

    value: np.ndarray
    run_end: np.ndarray
    run_length: np.ndarray
    run_start: np.ndarray

    @classmethod
    def at_start(cls, tables: Tables) -> State:
        n_diagonals = tables.n_rows + tables.n_columns + 1
        return cls(
            value=np.zeros((2, tables.offsets[-1])),
            run_end=np.full(n_diagonals, -1),
            run_length=np.zeros(n_diagonals, dtype=np.int64),
            run_start=np.zeros(n_diagonals),
        )

    def copied(self) -> State:
        return State(
            self.value.copy(), self.run_end.copy(), self.run_length.copy(), self.run_start.copy()
        )

    def carry(self, runs: Runs, tables: Tables, start: np.ndarray) -> None:
        """Keep the last run of each diagonal; `start` is the value before each run.

        Where no value of a match asks for that, any number does.
        """
        diagonal = runs.diagonals(tables)
        self.run_end[diagonal] = runs.cell
        self.run_length[diagonal] = runs.length
        self.run_start[diagonal] = start[runs.run]


@dataclass(frozen=True)
class Runs:
    """Matches as steps of a walk, and the runs that they make.

    Parameters
    ----------
    band : Band
    cell, length, run : ndarray of int64, shape (n_matches,)
        Row of each match among those of all tables, the length of its run up to it, and
        which run that is. Matches come by anti-diagonal.
    offsets : ndarray of int64
        Where the matches of each anti-diagonal of the band start.
    first : ndarray of int64, shape (n_runs,)
        The match with which each run begins in the band: first those that an earlier band
        began, then the others, by anti-diagonal.
    n_carried : int
        How many runs an earlier band began.
    """

    band: Band
    cell: np.ndarray
    length: np.ndarray
    run: np.ndarray
    offsets: np.ndarray
    first: np.ndarray
    n_carried: int

    @classmethod
    def of_matches(cls, matches: Matches, tables: Tables, state: State, band: Band) -> Runs:
        """Return the runs, found where the matches stand by diagonal, lane and row.

        Matches come by lane and by row.
        """
        diagonal = matches.column - matches.row + tables.n_rows
        order, diagonal = sorted_with_order(diagonal)
        row = matches.row.take(order)
        cell = tables.offsets.take(matches.lane.take(order)) + row
        is_first = differ_from_last(diagonal)
        is_first[1:] |= cell[1:] != cell[:-1] + 1
        step = diagonal - tables.n_rows + 2 * row - band.first
        run = np.cumsum(is_first) - 1
        first = np.flatnonzero(is_first)
        length = np.arange(1, len(cell) + 1) - first[run]
        is_carried = np.zeros(len(first), dtype=bool)
        if not band.is_all:
            first_diagonal = diagonal[first]
            is_carried = state.run_end[first_diagonal] == row[first] - 1
            length += (is_carried * state.run_length[first_diagonal])[run]

        order, _ = sorted_with_order(step)
        first, run = np.flatnonzero(is_first[order]), run[order]
        if is_carried.any():
            first = first[np.argsort(~is_carried[run[first]], kind="stable")]
        number = np.empty_like(first)
        number[run[first]] = np.arange(len(first))
        n_of_step = np.bincount(step, minlength=band.end - band.first)
        return cls(
            band=band,
            cell=cell[order],
            length=length[order],
            run=number[run],
            offsets=offsets_of_lengths(n_of_step),
            first=first,
            n_carried=int(is_carried.sum()),
        )

    def diagonals(self, tables: Tables) -> np.ndarray:
        """Return the diagonal of each match of one table, from 1 on."""
        step = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        return step + self.band.first - 2 * self.cell + tables.n_rows


def walk(
    tables: Tables,
    runs: Runs,
    state: State,
    values_of_matches: ValuesOfMatches,
    is_left: np.ndarray | None = None,
) -> Iterator[int]:
    """Fill the cells i + j = d of all tables for each d of a band, and yield d.

    Right of the last column of a table rows get values that no cell needs; left of its
    column 0 they stay 0, as row 0 does.

    Parameters
    ----------
    is_left : ndarray of bool, shape (n_diagonals of the band, rows of all tables)
        Gets whether left is larger than above.
    """
    row_0, cell, band = tables.offsets[1:], runs.cell, runs.band
    even, odd = state.value
    of_band = slice(band.first, band.end)
    steps = zip(
        (tables.n_active[of_band] - 1).tolist(),
        *(place[of_band].tolist() for place in tables.filled_rows),
        *(place.tolist() for place in (runs.offsets[:-1], runs.offsets[1:])),
        strict=True,
    )
    for step, (n_others, first, end, first_match, end_match) in enumerate(steps):
        diagonal = band.first + step
        old, new = (even, odd) if diagonal % 2 else (odd, even)
        values = values_of_matches(new, step)
        up, left = old[first - 1 : end - 1], old[first:end]
        np.maximum(up, left, out=new[first:end])
        new[row_0[:n_others]] = 0.0
        new[cell[first_match:end_match]] = values
        if is_left is not None:
            np.less(up, left, out=is_left[step, first:end])
        yield diagonal
