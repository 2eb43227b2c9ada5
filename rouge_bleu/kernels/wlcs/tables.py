"""Cells that match -> all values of weighted LCS tables, by anti-diagonals.

A cell that is no match is the larger one of above and left, and the cells of one
anti-diagonal do not depend on each other. So one maximum fills an anti-diagonal of many
tables, and then the few cells that match are set. Python loops run over anti-diagonals.
The time is that of a maximum for each cell, so it grows with the square of a text;
memory does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np

from ...ground.lazy import lazy_property
from ...ground.ragged import offsets_of_lengths
from .matches import Band, Matches, sorting_order

MAX_TABLE_CELLS = 1 << 20  # of the tables that are held at once for the way back

ValueOfMatch = Callable[[np.ndarray, slice], np.ndarray]


def size_classes(
    size: np.ndarray, is_wanted: np.ndarray, bits: int
) -> list[np.ndarray]:
    """Return the lanes in classes whose tables differ by less than 2 ** bits times in size.

    They come by their size, since a batch is padded to its largest table.
    """
    order = np.flatnonzero(is_wanted)
    order = order[np.argsort(size[order], kind="stable")]
    size_class = np.frexp(size[order])[1] // bits
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
        """Rows of the highest table."""
        return int(self.height.max(initial=0))

    @lazy_property
    def n_columns(self) -> int:
        """Columns of the widest table."""
        return int(self.width.max(initial=0))

    @property
    def longest_run(self) -> int:
        """No run is longer."""
        return min(self.n_rows, self.n_columns)

    def bands(self, n_bands: int) -> list[Band]:
        """Return the anti-diagonals in so many bands, at least one."""
        n_diagonals = self.n_rows + self.n_columns + 1
        size = -(-n_diagonals // max(n_bands, 1))
        return [
            Band(first, min(first + size, n_diagonals), size == n_diagonals)
            for first in range(0, n_diagonals, size)
        ]

    @lazy_property
    def longest(self) -> np.ndarray:
        """The larger one of height and width, ndarray of int64."""
        return np.maximum(self.height, self.width)

    @lazy_property
    def n_cells(self) -> np.ndarray:
        """What the ways back through a table take, ndarray of int64."""
        return (self.height + self.width + 1) * (self.height + 1)

    @property
    def n_bands_of_cells(self) -> int:
        """Number of bands of one table, so that ways and states take little memory.

        A band of n anti-diagonals takes n bytes a row, a state some 32.
        """
        n_rows = self.n_rows + 1
        size = max(MAX_TABLE_CELLS // n_rows, isqrt(64 * n_rows))
        return -(-(self.n_rows + self.n_columns + 1) // size)

    @lazy_property
    def n_active(self) -> list[int]:
        """How many lanes end at each anti-diagonal or later."""
        last = self.height + self.width
        diagonals = np.arange(self.n_rows + self.n_columns + 2)
        return np.searchsorted(-last, -diagonals, side="right").tolist()


@dataclass(frozen=True)
class State:
    """What a walk knows between two anti-diagonals; a walk changes these arrays.

    Parameters
    ----------
    value : ndarray of float64, shape (2, n_rows + 1, n_lanes)
        value[d % 2, i, lane] is the cell (i, d - i), for the last two anti-diagonals d.
    run_length, run_start : ndarray, shape ((n_rows + n_columns + 1) * n_lanes,)
        For each diagonal of each lane the length of its last run, and the value before.
    """

    value: np.ndarray
    run_length: np.ndarray
    run_start: np.ndarray

    @classmethod
    def at_start(cls, tables: Tables) -> State:
        n_diagonals = (tables.n_rows + tables.n_columns + 1) * tables.n_lanes
        return cls(
            value=np.zeros((2, tables.n_rows + 1, tables.n_lanes)),
            run_length=np.zeros(n_diagonals, dtype=np.int64),
            run_start=np.zeros(n_diagonals),
        )

    def copied(self) -> State:
        return State(self.value.copy(), self.run_length.copy(), self.run_start.copy())

    def carry(self, runs: Runs, start: np.ndarray) -> None:
        """Keep length and start of each match's run; the last of each run stay."""
        self.run_length[runs.diagonal] = runs.length
        self.run_start[runs.diagonal] = start


@dataclass(frozen=True)
class Runs:
    """Matches as steps of a walk.

    Columns are ndarrays of int64, shape (n_matches,).

    Parameters
    ----------
    length
        Length of the run up to each match.
    diagonal
        Diagonal of each match, as an index into `State.run_length`.
    order
        The matches by anti-diagonal.
    cell
        Row and lane of each match in that order, as an index into `State.value[0]`.
    offsets
        Where the matches of each anti-diagonal of the band start in that order.
    """

    length: np.ndarray
    diagonal: np.ndarray
    order: np.ndarray
    cell: np.ndarray
    offsets: np.ndarray

    @classmethod
    def of_matches(
        cls, matches: Matches, tables: Tables, state: State, band: Band
    ) -> Runs:
        row, first = matches.row, matches.first
        diagonal = matches.column - row + tables.n_rows
        diagonal = diagonal * tables.n_lanes + matches.lane
        length = row - row[first] + 1
        if not band.is_all:
            is_carried = matches.is_carried[first]
            length += np.where(is_carried, state.run_length[diagonal], 0)
        step = row + matches.column - band.first
        order = sorting_order(step)
        cell = (row * tables.n_lanes + matches.lane)[order]
        n_of_step = np.bincount(step, minlength=band.end - band.first)
        return cls(length, diagonal, order, cell, offsets_of_lengths(n_of_step))


def walk(
    tables: Tables,
    runs: Runs,
    state: State,
    value_of_match: ValueOfMatch,
    band: Band,
    is_left: np.ndarray | None = None,
) -> Iterator[int]:
    """Fill the cells i + j = d of all tables for each d of a band, and yield d.

    Parameters
    ----------
    is_left : ndarray of bool, shape (n_diagonals of the band, n_rows + 1, n_lanes)
        Gets whether left is larger than above.
    """
    n_rows, n_columns = tables.n_rows, tables.n_columns
    cell, cell_up_left = runs.cell, runs.cell - tables.n_lanes
    even, odd = ((value, value.reshape(-1)) for value in state.value)
    offsets = runs.offsets.tolist()
    for step, diagonal in enumerate(range(band.first, band.end)):
        first, last = max(1, diagonal - n_columns), min(n_rows, diagonal - 1)
        if first > last:
            continue
        n_active = tables.n_active[diagonal]
        (old, _), (new, flat_new) = (even, odd) if diagonal % 2 else (odd, even)
        left, up = old[first : last + 1, :n_active], old[first - 1 : last, :n_active]
        here = slice(offsets[step], offsets[step + 1])
        up_left = flat_new[cell_up_left[here]]
        np.maximum(up, left, out=new[first : last + 1, :n_active])
        flat_new[cell[here]] = value_of_match(up_left, here)
        if is_left is not None:
            np.less(up, left, out=is_left[step, first : last + 1, :n_active])
        yield diagonal
