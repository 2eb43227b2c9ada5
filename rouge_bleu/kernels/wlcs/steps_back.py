"""Tables of weighted LCS -> the matches on the way back from their last cells.

A table that is long is walked through in bands of anti-diagonals: the ways of one band
are held, and those of earlier bands are made again from states that were kept. Python
loops run over anti-diagonals, and over steps back.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...tokens import ABSENT
from .matches import (
    MAX_MATCHES,
    Band,
    Matches,
    common_end,
    matches_of_lanes,
    merged_gaps,
    n_equal_pairs,
    one_row,
)
from .tables import Runs, State, Tables, ValuesOfMatches, walk

_UP, _LEFT, _DIAGONAL, _END = range(4)


def tokens_on_long_way(
    reference: np.ndarray, prediction: np.ndarray, f: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions in two sentences that are on the way back, given token ids.

    The last tokens are, as far as both sentences end in the same.
    """
    n_common = common_end(reference, prediction)
    sides = [side[: len(side) - n_common] for side in (reference, prediction)]
    row_end, column_end = (np.arange(n_common) + len(side) for side in sides)
    if not n_equal_pairs(*sides):
        return row_end, column_end
    rows, columns = (
        one_row(np.where(np.isin(side, other), side, ABSENT))
        for side, other in (sides, sides[::-1])
    )
    row_place, column_place = (np.flatnonzero(merged_gaps(side)) for side in (rows, columns))
    rows, columns = rows.keep(merged_gaps(rows)), columns.keep(merged_gaps(columns))
    tables = Tables(rows.lengths, columns.lengths)
    n_matches = n_equal_pairs(rows.values, columns.values)
    row, column, _ = cells_on_way_back(
        tables,
        tables.bands(max(-(-n_matches // MAX_MATCHES), tables.n_bands_of_cells)),
        lambda band: matches_of_lanes(rows, columns, band),
        f,
    )
    return (
        np.concatenate([row_place[row - 1], row_end]),
        np.concatenate([column_place[column - 1], column_end]),
    )


def cells_on_way_back(
    tables: Tables, bands: list[Band], matches_of_band: Callable[[Band], Matches], f: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return row, column and lane of each match on the ways back from the last cells.

    On a match the way is diagonal, elsewhere to the larger one of above and left, above
    on a tie. One band's ways are held at a time; those of earlier bands are made again.
    """
    states = [State.at_start(tables)]
    for band in bands[:-1]:
        state = states[-1].copied()
        _ways(tables, band, matches_of_band(band), state, f, is_held=False)
        states.append(state)
    n_rows = int(tables.offsets[-1])
    cell = tables.last_diagonal * n_rows + tables.offsets[1:] - 1
    # How far back up, left and the diagonal are:
    step = np.array([n_rows + 1, n_rows, 2 * n_rows + 1])
    matched = [np.zeros(0, dtype=np.int64)]
    for band, state in zip(reversed(bands), reversed(states), strict=True):
        ways = _ways(tables, band, matches_of_band(band), state, f)
        start = band.first * n_rows
        # Where there are several bands there is one lane.
        while len(cell) and cell[0] >= start:
            way = ways[cell - start]
            matched.append(cell[way == _DIAGONAL])
            is_inside = way != _END
            cell = cell[is_inside] - step[way[is_inside]]
    diagonal, place = np.divmod(np.concatenate(matched), n_rows)
    rows = tables.rows
    lane, row = rows.row_of_value[place], rows.values[place]
    return row, diagonal - row, lane


def _ways(
    tables: Tables,
    band: Band,
    matches: Matches,
    state: State,
    f: np.ndarray,
    *,
    is_held: bool = True,
) -> np.ndarray:
    """Walk through a band and return the way back from each cell.

    Result: ndarray of uint8, flat, shape (n_diagonals of the band * rows of all tables,);
    _END where i is 0. Where j is 0 the way goes up to there.
    """
    runs = Runs.of_matches(matches, tables, state, band)
    n_diagonals = band.end - band.first if is_held else 0
    ways = np.zeros((n_diagonals, tables.offsets[-1]), np.uint8)
    is_left = ways.view(bool) if is_held else None
    for _ in walk(tables, runs, state, _values_by_step(runs, f), is_left):
        pass
    if not band.is_all:
        state.carry(runs, tables, np.zeros(len(runs.first)))
    if is_held:
        ways[:, tables.offsets[:-1]] = _END
        step = np.repeat(np.arange(n_diagonals), np.diff(runs.offsets))
        ways[step, runs.cell] = _DIAGONAL
    return ways.reshape(-1)


def _values_by_step(runs: Runs, f: np.ndarray) -> ValuesOfMatches:
    """Return the rule of the Perl script.

    After k matches in a row it is (diagonal + f(k + 1)) - f(k): in this order, since the
    last digit decides near-ties.
    """
    up_left, offsets = runs.cell - 1, runs.offsets.tolist()
    added, taken = f[runs.length], f[runs.length - 1]

    def values_of_matches(value: np.ndarray, step: int) -> np.ndarray:
        here = slice(offsets[step], offsets[step + 1])
        return (value[up_left[here]] + added[here]) - taken[here]

    return values_of_matches
