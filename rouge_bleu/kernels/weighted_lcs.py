"""Weighted longest common subsequences of pairs: a run of k matches counts f(k) = k ** weight.

The table of ROUGE-W (Lin 2004, section 4, https://aclanthology.org/W04-1013), where k matches in
a row end in the cell (i - 1, j - 1):

    value[i, j] = value[i - 1, j - 1] + f(k + 1) - f(k)      if tokens i and j are equal
                = max(value[i - 1, j], value[i, j - 1])      otherwise

As in the paper's algorithm, a match is always reached on the diagonal, although another path may be
worth more.

Vectorised: the cells of an anti-diagonal i + j = d do not depend on each other, so one
maximum fills those of many tables, and then the few cells that match are set. Tables are stored in
sequence in an array with an entry for each row: it has the cells of one anti-diagonal, of
row i the cell (i, d - i). The tables with most anti-diagonals come first, so that those not yet
finished are the beginning of the array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..arrays import (
    Ragged,
    argsort_and_sorted,
    batches,
    is_run_start,
    offsets_of_lengths,
    powers,
    sums_of_groups,
)
from ..tokens import UNSHARED, SharedTokens
from .sentence_pairs import matching_pairs

_MAX_MATCHES = 1 << 18  # listed at once; a table of more is filled alone, without a list
_MAX_ROWS = 1 << 15  # of the tables filled together: an anti-diagonal stays in the cache
_MAX_CELLS = 1 << 20  # of tables that are traced back together
_MAX_CELLS_OF_TABLE = 1 << 24  # that is traced back with others

_UP, _LEFT, _DIAGONAL, _END = range(4)  # directions of a traceback


# --- scores ---------------------------------------------------------------------------


def weighted_lcs_matches(tokens: SharedTokens, weight: float) -> np.ndarray:
    """Return the weighted LCS of each pair, ndarray of float64, shape (n_pairs,)."""
    prediction, reference = (one.ids.keep(_is_needed_in_table(one.ids)) for one in tokens.sides)
    height, width = reference.lengths, prediction.lengths
    longest = np.minimum(height, width).max(initial=0)  # of runs
    f = powers(np.arange(longest + 1.0), weight)
    pairs = np.minimum(height, width).nonzero()[0]
    pairs = pairs[np.argsort(-(height + width)[pairs], kind="stable")]
    counts = (
        np.bincount(side.values[side.values != UNSHARED], minlength=tokens.n_ids)
        for side in (prediction, reference)
    )
    n_matches = sums_of_groups(np.multiply(*counts), tokens.example_of_id, tokens.n_examples)
    load = np.maximum(height + 1, -(-n_matches * _MAX_ROWS // _MAX_MATCHES))
    scores = np.zeros(tokens.n_examples)
    for first, end in batches(load[pairs], _MAX_ROWS):
        batch = pairs[first:end]
        rows, columns = reference.take(batch), prediction.take(batch)
        if len(batch) == 1 and n_matches[batch[0]] > _MAX_MATCHES:
            scores[batch] = _fill_long_table(rows.values, columns.values, f)
        else:
            scores[batch] = _last_cells_of_tables(rows, columns, f)
    return scores


def _is_needed_in_table(ids: Ragged) -> np.ndarray:
    """Return which tokens a table needs, ndarray of bool, shape (n_tokens,).

    Of each run of tokens that the other side lacks it needs one, which ends a run of matches
    and passes the best value on, and none at the start of a text.
    """
    is_shared = ids.values != UNSHARED
    is_kept = is_shared.copy()
    is_kept[1:] |= is_shared[:-1]
    first = ids.offsets[:-1][ids.lengths > 0]
    is_kept[first] = is_shared[first]
    return is_kept


def _last_cells_of_tables(rows: Ragged, columns: Ragged, f: np.ndarray) -> np.ndarray:
    """Return the last cell of each table; pairs share no ids. A run of k adds f(k) to the cell before it."""
    row = (rows.values != UNSHARED).nonzero()[0]
    column = (columns.values != UNSHARED).nonzero()[0]
    order, column_id = argsort_and_sorted(columns.values[column])
    n_ids = 1 + int(max(side.values.max(initial=0) for side in (rows, columns)))
    columns_of_id = Ragged(
        column[order], offsets_of_lengths(np.bincount(column_id, minlength=n_ids))
    )
    matches = columns_of_id.take(rows.values[row])
    row, column = row[matches.row_of_value], matches.values
    layout = _lay_out(rows.lengths, columns.lengths)
    runs = _find_runs(
        layout,
        rows.row_of_value[row],
        rows.position_in_row[row] + 1,
        columns.position_in_row[column] + 1,
    )
    before, gain = runs.cell - 1, f[runs.length]
    start = np.zeros(len(before))  # the value before each match; the first one of a run is used

    def values_of_matches(here: slice, older: np.ndarray) -> np.ndarray:
        start[here] = older.take(before[here])
        return start.take(runs.first[here]) + gain[here]

    last_cell, n_active = layout.offsets[1:] - 1, layout.n_active
    scores = np.zeros(rows.n_rows)
    for diagonal, value in _fill_diagonals(layout, runs, values_of_matches):
        if n_active[diagonal + 1] < n_active[diagonal]:
            finished = slice(n_active[diagonal + 1], n_active[diagonal])
            scores[finished] = value[last_cell[finished]]
    return scores


# --- tracebacks -----------------------------------------------------------------------


def weighted_lcs_mask(tokens: SharedTokens, f: np.ndarray) -> np.ndarray:
    """Return which tokens of the references are on a traceback, ndarray of bool, shape (n_tokens,).

    Each sentence of a reference (rows) has a table with each sentence of its prediction (columns).
    `f` has the weights of runs of 0, 1, ... matches, ndarray of float64.
    """
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    columns, rows = tokens.sentences_of_shared
    # A cell is a token of the prediction.
    order, column_id = argsort_and_sorted(columns.ids.values)
    of_id = offsets_of_lengths(np.bincount(column_id, minlength=tokens.n_ids))
    sentence = columns.ids.row_of_value
    for pairs in matching_pairs(
        rows, columns, Ragged(order, of_id), sentence, _MAX_MATCHES, lists_all=False
    ):
        row, column = rows.token_index.values[pairs.token], columns.token_index.values[pairs.cell]
        if not len(row):  # too many to list
            row, column = (
                side.token_index.values[side.token_index.offsets[number]]
                for side, number in ((rows, pairs.row), (columns, pairs.column))
            )
            mask[_long_traceback(tokens, row[0], column[0], f)] = True
            continue
        for taken in _reference_tokens_on_tracebacks(tokens, row, column, pairs.offsets, f):
            mask[taken] = True
    return mask


def _reference_tokens_on_tracebacks(
    tokens: SharedTokens, row: np.ndarray, column: np.ndarray, offsets: np.ndarray, f: np.ndarray
) -> Iterator[np.ndarray]:
    """Yield the matching tokens of references that are on tracebacks.

    `row` and `column` have the token of the reference and of the prediction of each match, by
    table, row and column, and `offsets` the first match of each table, and the end: three of int64.
    """
    table = Ragged(row, offsets).row_of_value
    by_column, _ = argsort_and_sorted(table * len(tokens.prediction.sentence_of_token) + column)
    positions, sizes = [], []
    for side, token, order in (
        (tokens.reference, row, slice(None)),
        (tokens.prediction, column, by_column),
    ):
        # Tokens between two that match take one row or column together; so do those after the
        # last match, if more tokens of the sentence follow.
        step = np.minimum(np.diff(token[order], prepend=0), 2)
        step[offsets[:-1]] = 0
        distance = step.cumsum()
        position = np.empty_like(token)
        position[order] = distance - distance[offsets[:-1]][table] + 1
        positions.append(position)
        has_next = np.append(side.sentence_of_token[1:] == side.sentence_of_token[:-1], False)[
            token
        ]
        sizes.append(np.maximum.reduceat(position + has_next, offsets[:-1]))
    height, width = sizes
    largest_first = np.argsort(-(height + width), kind="stable")
    n_diagonals = (height + width + 1)[largest_first]
    end_row = (height + 1)[largest_first].cumsum()
    start = 0
    while start < len(largest_first):
        # All rows of a batch get the anti-diagonals of its first table.
        n_rows = _MAX_CELLS // n_diagonals[start] + (end_row[start - 1] if start else 0)
        end = max(start + 1, int(end_row.searchsorted(n_rows, side="right")))
        batch, start = largest_first[start:end], end
        size = height[batch[0]] + 1, width[batch[0]] + 1
        if len(batch) == 1 and size[0] * sum(size) > _MAX_CELLS_OF_TABLE:
            match = offsets[batch[0]]
            yield _long_traceback(tokens, row[match], column[match], f)
            continue
        matches = Ragged(np.arange(len(row)), offsets).take(batch)
        index, layout = matches.values, _lay_out(height[batch], width[batch])
        runs = _find_runs(layout, matches.row_of_value, *(side[index] for side in positions))
        yield row[index[_matches_on_tracebacks(layout, runs, f)]]


def _matches_on_tracebacks(layout: _Layout, runs: _Runs, f: np.ndarray) -> np.ndarray:
    """Return the indices of the matches on the tracebacks from the last cells.

    A traceback goes diagonally at a match, otherwise to the larger of above and left, and
    up if they are equal. After k matches in a row a match is worth (diagonal + f(k + 1)) -
    f(k), in this order: the last digit decides near-ties, as in ROUGE-1.5.5.
    """
    n_rows, n_diagonals = int(layout.offsets[-1]), len(layout.n_active) - 1
    before, added, subtracted = runs.cell - 1, f[runs.length], f[runs.length - 1]

    def values_of_matches(here: slice, older: np.ndarray) -> np.ndarray:
        return (older.take(before[here]) + added[here]) - subtracted[here]

    # The direction of row i of a table at anti-diagonal d.
    table_of_directions = np.zeros((n_diagonals, n_rows), dtype=np.uint8)
    is_left = table_of_directions.view(bool)
    for _ in _fill_diagonals(layout, runs, values_of_matches, is_left):
        pass
    table_of_directions[:, layout.offsets[:-1]] = _END
    directions = table_of_directions.reshape(-1)
    match = np.arange(n_diagonals).repeat(np.diff(runs.offsets)) * n_rows + runs.cell
    directions[match] = _DIAGONAL
    step = np.array([n_rows + 1, n_rows, 2 * n_rows + 1])  # back up, left and diagonally
    cell = (layout.height + layout.width) * n_rows + layout.offsets[1:] - 1
    is_taken = np.zeros(len(directions), dtype=bool)
    while len(cell):
        direction = directions[cell]
        is_taken[cell[direction == _DIAGONAL]] = True
        is_inside = direction != _END
        cell = cell[is_inside] - step[direction[is_inside]]
    return runs.order[is_taken[match]]


# --- many tables side by side ---------------------------------------------------------


@dataclass(frozen=True)
class _Layout:
    """Where the cells of one anti-diagonal of all tables are: an entry for each row of each table."""

    height: np.ndarray  # rows of each table without row 0, int64; height + width descends
    width: np.ndarray
    offsets: np.ndarray  # the first entry of each table, int64, shape (n_tables + 1,)
    n_active: list[int]  # how many tables have an anti-diagonal: of each one, and one more


@dataclass(frozen=True)
class _Runs:
    """The matches of all tables, by anti-diagonal, each in its run of matches: arrays of int64."""

    offsets: list[int]  # the first match of each anti-diagonal
    order: np.ndarray  # index of each match in the input
    cell: np.ndarray  # its entry in the layout
    length: np.ndarray  # of its run, up to this match
    first: np.ndarray  # the first match of its run


def _lay_out(height: np.ndarray, width: np.ndarray) -> _Layout:
    """Lay out tables of the given sizes, those with most anti-diagonals first.

    >>> layout = _lay_out(np.array([2, 1]), np.array([1, 1]))
    >>> layout.offsets.tolist(), layout.n_active
    ([0, 3, 5], [2, 2, 2, 1, 0])
    """
    diagonals = np.arange(int(height[0] + width[0]) + 2)
    n_active = (-height - width).searchsorted(-diagonals, side="right").tolist()
    return _Layout(height, width, offsets_of_lengths(height + 1), n_active)


def _find_runs(layout: _Layout, table: np.ndarray, row: np.ndarray, column: np.ndarray) -> _Runs:
    """Find the runs of matches; of each match its table, row and column from 1, sorted in this order.

    Of the matches (1, 1), (1, 3) and (2, 2) the last one ends a run of 2 with the first one:

    >>> one, row, column = _lay_out(np.array([2]), np.array([3])), [1, 1, 2], [1, 3, 2]
    >>> runs = _find_runs(one, np.zeros(3, dtype=np.int64), np.array(row), np.array(column))
    >>> runs.order.tolist(), runs.length.tolist(), runs.first.tolist(), runs.offsets
    ([0, 2, 1], [1, 2, 1], [0, 0, 2], [0, 0, 0, 1, 1, 3, 3])
    """
    highest = int(layout.height.max())
    order, diagonal = argsort_and_sorted(column - row + highest)  # then by table and row
    row = row.take(order)
    cell = layout.offsets.take(table.take(order)) + row
    is_first = is_run_start(diagonal)
    is_first[1:] |= cell[1:] != cell[:-1] + 1
    first = is_first.nonzero()[0][is_first.cumsum() - 1]
    length = np.arange(1, len(cell) + 1) - first
    anti_diagonal = diagonal - highest + 2 * row
    by_anti_diagonal, _ = argsort_and_sorted(anti_diagonal)
    place = np.empty_like(order)
    place[by_anti_diagonal] = np.arange(len(order))
    n_matches = np.bincount(anti_diagonal, minlength=len(layout.n_active) - 1)
    return _Runs(
        offsets_of_lengths(n_matches).tolist(),
        order[by_anti_diagonal],
        cell[by_anti_diagonal],
        length[by_anti_diagonal],
        place[first[by_anti_diagonal]],
    )


def _fill_diagonals(
    layout: _Layout,
    runs: _Runs,
    values_of_matches: Callable[[slice, np.ndarray], np.ndarray],
    is_left: np.ndarray | None = None,
) -> Iterator[tuple[int, np.ndarray]]:
    """Fill the cells i + j = d of all tables for each d, and yield d and these cells.

    `values_of_matches` returns the values of some matches, given the cells two anti-diagonals before.
    Right of the last column of a table the cells get values that no other cell needs; left of
    column 0 they stay 0, as row 0 does. `is_left`, ndarray of bool, shape (n_diagonals, n_rows), gets
    whether left is larger than above.
    """
    row_0, offsets = layout.offsets[1:], layout.offsets.tolist()
    # Row i of a table is its cell (i, d - i), for the last two d.
    newer, older = np.zeros((2, offsets[-1]))
    for diagonal in range(1, len(layout.n_active) - 1):
        n_active = layout.n_active[diagonal]
        matches = slice(runs.offsets[diagonal], runs.offsets[diagonal + 1])
        if matches.start < matches.stop:
            values = values_of_matches(matches, older)
        end = offsets[n_active]
        above, left = newer[: end - 1], newer[1:end]
        np.maximum(above, left, out=older[1:end])
        older[row_0[: n_active - 1]] = 0.0
        if matches.start < matches.stop:
            older[runs.cell[matches]] = values
        if is_left is not None:
            np.less(above, left, out=is_left[diagonal, 1:end])
        newer, older = older, newer
        yield diagonal, newer


def _long_traceback(tokens: SharedTokens, row: int, column: int, f: np.ndarray) -> np.ndarray:
    """Return the reference tokens on the traceback of two sentences, those of tokens `row` and `column`."""
    (first, row_id), (_, column_id) = (
        (start, side.ids.values[start:end])
        for side, token in ((tokens.reference, row), (tokens.prediction, column))
        for start, end in [
            side.sentence_of_token.searchsorted(side.sentence_of_token[token] + np.arange(2))
        ]
    )
    taken = [row for row, _ in weighted_traceback_pairs(row_id, column_id, f)]
    return first + np.array(taken, dtype=np.int64)


def weighted_traceback_pairs(
    row_id: np.ndarray, column_id: np.ndarray, f: np.ndarray
) -> list[tuple[int, int]]:
    """Return the positions on the traceback through the table of two texts, in one bit for each cell.

    Ids are of int64, `UNSHARED` if the other text lacks a token; `f` is that of `weighted_lcs_mask`.
    """
    lefts: list[bytes] = []
    _fill_long_table(row_id, column_id, f, lefts)
    rows, columns, width = row_id.tolist(), column_id.tolist(), len(column_id)
    i, j, pairs = len(rows), len(columns), []
    while i and j:
        if rows[i - 1] == columns[j - 1] != UNSHARED:
            i, j = i - 1, j - 1
            pairs.append((i, j))
            continue
        place = i - max(i + j - width, 1)
        if lefts[i + j][place >> 3] >> (place & 7) & 1:
            j -= 1
        else:
            i -= 1
    return pairs[::-1]


def _fill_long_table(
    row_id: np.ndarray, column_id: np.ndarray, f: np.ndarray, lefts: list[bytes] | None = None
) -> float:
    """Fill the table of two texts by anti-diagonals that find their matches; return its last value.

    With `lefts` each match adds up as in `_matches_on_tracebacks`, and the list gets for each
    anti-diagonal in which rows, as bits, left is larger than above.
    """
    height, width = len(row_id), len(column_id)
    # Row i is token i - 1; a token that the other text lacks matches nothing. Small integers are
    # compared faster; the columns may have higher ids than the rows.
    highest = max(int(side.max(initial=0)) for side in (row_id, column_id))
    dtype = np.min_scalar_type(-2 - highest)
    row_id = np.append(UNSHARED, row_id).astype(dtype)
    columns = np.where(column_id == UNSHARED, UNSHARED - 1, column_id)[::-1].astype(dtype)
    # Of the last two anti-diagonals, for each row: its value, the value before its run, and the length
    # of the run, 0 if the tokens differ.
    newer, older = (
        (np.zeros(height + 1), np.zeros(height + 1), np.zeros(height + 1, dtype=np.int64))
        for _ in range(2)
    )
    if lefts is not None:
        lefts.append(b"")
    for diagonal in range(1, height + width + 1):
        low, high = max(diagonal - width, 1), min(diagonal, height + 1)
        rows, rows_above = slice(low, high), slice(low - 1, high - 1)
        is_match = row_id[rows] == columns[low + width - diagonal : high + width - diagonal]
        match = is_match.nonzero()[0]
        above, left = newer[0][rows_above], newer[0][rows]
        value, start, length = (state[rows_above].take(match) for state in older)
        length += 1
        if lefts is None:
            np.copyto(start, value, where=length == 1)
            value = start + f.take(length)
        else:
            value = (value + f.take(length)) - f.take(length - 1)
            lefts.append(np.packbits(above < left, bitorder="little").tobytes())
        values, starts, lengths = (state[rows] for state in older)
        np.maximum(above, left, out=values)
        values[match], starts[match] = value, start
        lengths[:] = 0
        lengths[match] = length
        newer, older = older, newer
    return float(newer[0][-1])
