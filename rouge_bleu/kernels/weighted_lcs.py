"""Weighted longest common subsequences of pairs: a run of k matches counts f(k) = k ** weight.

The table of ROUGE-W (Lin 2004, section 4, https://aclanthology.org/W04-1013), where k matches in
a row end in the cell (i - 1, j - 1):

    value[i, j] = value[i - 1, j - 1] + f(k + 1) - f(k)      if tokens i and j are equal
                = max(value[i - 1, j], value[i, j - 1])      otherwise

As in the paper's program, a match is always reached on the diagonal, although another way may be
worth more. ROUGE-1.5.5 takes only the traceback of such a table, sentence by sentence.

How it is vectorised: the cells of an anti-diagonal i + j = d do not depend on each other, so one
maximum fills those of many tables, and then the few cells that match are set. Tables are stored
one behind the other in an array with a cell for each row: that of the current anti-diagonal. The
tables with most anti-diagonals come first, so that those not yet finished are the beginning of
the array. Python loops run over batches and anti-diagonals. A pair with very many matches or
cells is filled on its own (`_LongTable`), in memory that grows with its length only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np

from ..arrays import (
    Ragged,
    batches,
    differ_from_last,
    offsets_of_lengths,
    rows_from,
    sorted_with_order,
    sums_of_groups,
)
from ..lazy import lazy_property
from ..tokens import UNSHARED, SharedTokens, Tokens
from .lcs import n_equal_in_row

_MAX_MATCHES = 1 << 18  # that are listed at once, of several tables
_MAX_MATCHES_OF_TABLE = 1 << 20
_MAX_ROWS = 1 << 15  # of the tables filled together: an anti-diagonal stays in the cache
_MAX_CELLS = 1 << 20  # of the tables that are traced back together
_MAX_CELLS_OF_TABLE = 1 << 24  # that is traced back in one piece

_UP, _LEFT, _DIAGONAL, _END = range(4)  # directions of a traceback

# Given an anti-diagonal and the cells of the one two before it: the values of its matches.
_ValuesOfMatches = Callable[[int, np.ndarray], np.ndarray]


# --- scores ---------------------------------------------------------------------------


def wlcs_scores(tokens: SharedTokens, weight: float) -> np.ndarray:
    """Return the weighted LCS of each pair, ndarray of float64, shape (n_pairs,)."""
    prediction, reference = (
        side.ids.keep(_without_repeated_gaps(side.ids)) for side in tokens.sides
    )
    values = np.concatenate([prediction.values, reference.values])
    start = np.stack([prediction.offsets[:-1], reference.offsets[:-1] + len(prediction.values)])
    # The tokens that both texts end with are the last run, which begins in the last cell of
    # the table without them.
    n_tail = _common_tails(prediction, reference)
    lengths = np.stack([prediction.lengths, reference.lengths]) - n_tail
    height, width = lengths.min(axis=0), lengths.max(axis=0)  # the shorter text has the rows
    row_side = (lengths[0] > lengths[1]).astype(np.int64)
    pairs = height.nonzero()[0]
    pairs = pairs[np.argsort(-(height + width)[pairs], kind="stable")]
    n_matches = _n_matches_of_pairs(tokens)
    load = np.maximum(height + 1, -(-n_matches * _MAX_ROWS // _MAX_MATCHES))
    scores = np.zeros(tokens.n_items)
    for first, end in batches(load[pairs], _MAX_ROWS):
        batch = pairs[first:end]
        rows = rows_from(values, start[row_side[batch], batch], height[batch])
        columns = rows_from(values, start[1 - row_side[batch], batch], width[batch])
        f = _weights(int(rows.lengths.max()), weight)
        is_alone = len(batch) == 1
        if is_alone and _n_equal_tokens(rows.values, columns.values) > _MAX_MATCHES_OF_TABLE:
            scores[batch] = _LongTable(rows.values, columns.values, f).score()
        else:
            scores[batch] = _scores_of_tables(rows, columns, f)
    return scores + _weights(int(n_tail.max(initial=0)), weight)[n_tail]


def _weights(longest: int, weight: float) -> np.ndarray:
    """Return f(k) of runs of 0 to `longest` tokens, ndarray of float64."""
    return np.arange(longest + 1, dtype=np.float64) ** weight


def _without_repeated_gaps(ids: Ragged) -> np.ndarray:
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


def _common_tails(prediction: Ragged, reference: Ragged) -> np.ndarray:
    """Return how many shared tokens both texts of each pair end with, ndarray of int64."""
    of_reference = np.where(reference.values == UNSHARED, UNSHARED - 1, reference.values)
    values = np.concatenate([prediction.values, of_reference])
    last = np.append(prediction.offsets[1:], reference.offsets[1:] + len(prediction.values)) - 1
    return n_equal_in_row(values, last, np.append(prediction.lengths, reference.lengths), -1)


def _scores_of_tables(rows: Ragged, columns: Ragged, f: np.ndarray) -> np.ndarray:
    """Return the value of the last cell of each pair's table; pairs have no ids in common.

    A run of k matches is worth f(k) more than the cell before it.
    """
    tables = _Tables(rows.lengths, columns.lengths)
    row, column = _equal_tokens(rows.values, columns.values)
    runs = _Runs.of_matches(
        tables,
        rows.row_of_value[row],
        rows.position_in_row[row] + 1,
        columns.position_in_row[column] + 1,
    )
    start = np.zeros(len(runs.first))  # the value before each run
    before, gain, run, offsets = runs.cell[runs.first] - 1, f[runs.length], runs.run, runs.offsets
    first_offsets = runs.first.searchsorted(offsets).tolist()

    def values_of_matches(diagonal: int, older: np.ndarray) -> np.ndarray:
        begun = slice(first_offsets[diagonal], first_offsets[diagonal + 1])
        here = slice(offsets[diagonal], offsets[diagonal + 1])
        # "clip" writes into `out` without a copy; no place is outside.
        older.take(before[begun], out=start[begun], mode="clip")
        return start[run[here]] + gain[here]

    last_cell, n_active = tables.offsets[1:] - 1, tables.n_active
    scores = np.zeros(rows.n_rows)
    for diagonal, value in _filled_diagonals(tables, runs, values_of_matches):
        if n_active[diagonal + 1] < n_active[diagonal]:
            finished = slice(n_active[diagonal + 1], n_active[diagonal])
            scores[finished] = value[last_cell[finished]]
    return scores


# --- tracebacks -----------------------------------------------------------------------


def weighted_lcs_mask(tokens: SharedTokens, f: np.ndarray) -> np.ndarray:
    """Return which tokens of the references are on a traceback, ndarray of bool, shape (n_tokens,).

    The tables are those of each sentence with each sentence of the prediction; `f` has the
    weights of runs of 0, 1, ... matches, ndarray of float64.
    """
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    for reference, _ in _tokens_on_tracebacks(tokens, f):
        mask[reference] = True
    return mask


def weighted_lcs_partners(tokens: SharedTokens, f: np.ndarray) -> np.ndarray:
    """Return the token of the predictions that the traceback pairs with each of the references.

    Each text must be one sentence. Result: ndarray of int64, shape (n_tokens,), UNSHARED for
    tokens that are not on it.
    """
    partner = np.full(len(tokens.reference.ids.values), UNSHARED)
    for reference, prediction in _tokens_on_tracebacks(tokens, f):
        partner[reference] = prediction
    return partner


def _tokens_on_tracebacks(
    tokens: SharedTokens, f: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the matches on tracebacks: tokens of the references, and those of the predictions."""
    for rows, columns in _ranges_of_sentences(tokens):
        row_id, column_id = tokens.reference.ids.values[rows], tokens.prediction.ids.values[columns]
        if _n_equal_tokens(row_id, column_id) > _MAX_MATCHES_OF_TABLE:  # a single sentence each
            matches = iter([_LongTable(row_id, column_id, f).traceback()])
        else:
            row_sentence = tokens.reference.sentence[rows]
            column_sentence = tokens.prediction.sentence[columns]
            matches = _matches_on_tracebacks(row_id, column_id, row_sentence, column_sentence, f)
        for row, column in matches:
            yield rows.start + row, columns.start + column


def _ranges_of_sentences(tokens: SharedTokens) -> Iterator[tuple[slice, slice]]:
    """Yield ranges of tokens of the references and of those of the predictions.

    They are whole sentences, between which a bounded number of tokens match, or a single
    sentence each.
    """
    prediction, reference = tokens.sides
    count = _counts_of_ids(prediction.ids.values, tokens.n_ids)
    for rows, n_matches in _sentence_ranges(reference, 0, count[reference.ids.values]):
        first, last = reference.ids.row_of_value[[rows.start, rows.stop - 1]]
        start, end = prediction.ids.offsets[[first, last + 1]].tolist()
        if n_matches <= _MAX_MATCHES:
            yield rows, slice(start, end)
            continue
        count_in_sentence = _counts_of_ids(reference.ids.values[rows], tokens.n_ids)
        n_matches_of_token = count_in_sentence[prediction.ids.values[start:end]]
        for columns, _ in _sentence_ranges(prediction, start, n_matches_of_token):
            yield rows, columns


def _sentence_ranges(
    side: Tokens, start: int, n_matches: np.ndarray
) -> Iterator[tuple[slice, int]]:
    """Yield ranges of whole sentences with a bounded number of matches, and that number.

    `n_matches` is that of each token from `start` on.
    """
    sentence = side.sentence[start : start + len(n_matches)]
    first_token = differ_from_last(sentence).nonzero()[0] if len(sentence) else sentence
    if not len(first_token):
        return
    edges = np.append(first_token, len(sentence)) + start
    n_of_sentence = np.add.reduceat(n_matches, first_token)
    for first, end in batches(n_of_sentence, _MAX_MATCHES):
        n_of_range = int(n_of_sentence[first:end].sum())
        if n_of_range:
            yield slice(int(edges[first]), int(edges[end])), n_of_range


def _matches_on_tracebacks(
    row_id: np.ndarray,
    column_id: np.ndarray,
    row_sentence: np.ndarray,
    column_sentence: np.ndarray,
    f: np.ndarray,
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield row and column of matches on the traceback of each sentence with each other one."""
    row, column = _equal_tokens(row_id, column_id)
    n_column_sentences = int(column_sentence[-1] - column_sentence[0]) + 1
    table = (row_sentence - row_sentence[0])[row] * n_column_sentences
    table += (column_sentence - column_sentence[0])[column]
    order, table = sorted_with_order(table)  # by table, row and column
    row, column = row[order], column[order]
    needed = _need_table(row, column, table, f)
    yield row[~needed], column[~needed]
    if not needed.any():
        return
    row, column, table = row[needed], column[needed], table[needed]
    first = differ_from_last(table).nonzero()[0]
    n_of_table = np.diff(np.append(first, len(table)))
    table = np.arange(len(first)).repeat(n_of_table)
    table_row = _positions_in_table(table, row)
    by_column, _ = sorted_with_order(table * len(column_id) + column)
    table_column = np.empty_like(table_row)
    table_column[by_column] = _positions_in_table(table[by_column], column[by_column])
    height, width = (
        # The last match, and one more cell where more tokens of the sentence follow.
        np.maximum.reduceat(
            position + np.append(sentence[1:] == sentence[:-1], False)[token], first
        )
        for position, token, sentence in (
            (table_row, row, row_sentence),
            (table_column, column, column_sentence),
        )
    )
    for batch in _batches_of_tables(height, width):
        tables = _Tables(height[batch], width[batch])
        if len(batch) == 1 and tables.n_diagonals * (height[batch[0]] + 1) > _MAX_CELLS_OF_TABLE:
            rows = _tokens_of_sentence(row_sentence, row[first[batch[0]]])
            columns = _tokens_of_sentence(column_sentence, column[first[batch[0]]])
            long_row, long_column = _LongTable(row_id[rows], column_id[columns], f).traceback()
            yield rows.start + long_row, columns.start + long_column
            continue
        matches = Ragged(np.arange(len(row)), np.append(first, len(row))).take(batch)
        index = matches.values
        taken = _traceback(tables, matches.row_of_value, table_row[index], table_column[index], f)
        yield row[index[taken]], column[index[taken]]


def _need_table(
    row: np.ndarray, column: np.ndarray, table: np.ndarray, f: np.ndarray
) -> np.ndarray:
    """Return which matches are of tables that must be filled, ndarray of bool.

    Where all matches of a table go down and right, the value grows with each of them, if f
    grows by more than rounding takes away: then the traceback has them all.
    """
    if np.diff(f).min(initial=1.0) < 0.5 or f[-1] >= 2.0**40:
        return np.ones(len(table), dtype=bool)
    is_first = differ_from_last(table)
    goes_on = (np.diff(row, prepend=0) > 0) & (np.diff(column, prepend=0) > 0)
    number = is_first.cumsum() - 1
    turns = np.zeros(np.count_nonzero(is_first), dtype=bool)
    turns[number[~(is_first | goes_on)]] = True
    return turns[number]


def _positions_in_table(table: np.ndarray, token: np.ndarray) -> np.ndarray:
    """Return the row or column of each matching token, from 1; both arrays ascend.

    Tokens between two that match take one row or column together.
    """
    is_first = differ_from_last(table)
    position = (np.minimum(np.diff(token, prepend=0), 2) * ~is_first).cumsum()
    return position - position[is_first][table] + 1


def _tokens_of_sentence(sentence: np.ndarray, token: int) -> slice:
    """Return where the sentence of a token starts and ends."""
    start, end = sentence.searchsorted(sentence[token] + np.arange(2)).tolist()
    return slice(start, end)


def _batches_of_tables(height: np.ndarray, width: np.ndarray) -> Iterator[np.ndarray]:
    """Yield batches of tables, the largest first, whose directions have a bounded size."""
    tables = np.argsort(-(height + width), kind="stable")
    n_diagonals = (height + width + 1)[tables]
    end_row = (height + 1)[tables].cumsum()
    first = 0
    while first < len(tables):
        rows_before = end_row[first - 1] if first else 0
        n_rows = _MAX_CELLS // int(n_diagonals[first])
        end = max(first + 1, int(end_row.searchsorted(rows_before + n_rows, side="right")))
        yield tables[first:end]
        first = end


def _traceback(
    tables: _Tables, table: np.ndarray, row: np.ndarray, column: np.ndarray, f: np.ndarray
) -> np.ndarray:
    """Return the indices of the matches on the tracebacks from the last cells.

    A traceback goes diagonally at a match, elsewhere to the larger one of above and left, and
    up if they are equal. After k matches in a row a match is worth (diagonal + f(k + 1)) -
    f(k), in this order: the last digit decides near-ties, as in ROUGE-1.5.5.
    """
    runs = _Runs.of_matches(tables, table, row, column)
    n_rows = int(tables.offsets[-1])
    before, added, subtracted = runs.cell - 1, f[runs.length], f[runs.length - 1]
    offsets = runs.offsets

    def values_of_matches(diagonal: int, older: np.ndarray) -> np.ndarray:
        here = slice(offsets[diagonal], offsets[diagonal + 1])
        return (older[before[here]] + added[here]) - subtracted[here]

    # The direction of row i of a table at anti-diagonal d.
    table_of_directions = np.zeros((tables.n_diagonals, n_rows), dtype=np.uint8)
    is_left = table_of_directions.view(bool)
    for _ in _filled_diagonals(tables, runs, values_of_matches, is_left):
        pass
    table_of_directions[:, tables.offsets[:-1]] = _END
    directions = table_of_directions.reshape(-1)
    match = np.arange(tables.n_diagonals).repeat(np.diff(offsets)) * n_rows + runs.cell
    directions[match] = _DIAGONAL
    step = np.array([n_rows + 1, n_rows, 2 * n_rows + 1])  # back up, left and diagonally
    cell = (tables.height + tables.width) * n_rows + tables.offsets[1:] - 1
    is_taken = np.zeros(len(directions), dtype=bool)
    while len(cell):
        direction = directions[cell]
        is_taken[cell[direction == _DIAGONAL]] = True
        is_inside = direction != _END
        cell = cell[is_inside] - step[direction[is_inside]]
    return runs.order[is_taken[match]]


# --- many tables side by side ---------------------------------------------------------


@dataclass(frozen=True)
class _Tables:
    """Tables one behind the other, those with most anti-diagonals first."""

    height: np.ndarray  # rows without row 0, int64, shape (n_tables,)
    width: np.ndarray  # columns without column 0, int64, shape (n_tables,)

    @property
    def n_diagonals(self) -> int:
        """Anti-diagonals of the largest table, with those of row 0 and column 0."""
        return int(self.height[0] + self.width[0]) + 1

    @lazy_property
    def offsets(self) -> np.ndarray:
        """Where the rows of each table start, row 0 first, int64, shape (n_tables + 1,)."""
        return offsets_of_lengths(self.height + 1)

    @lazy_property
    def n_active(self) -> list[int]:
        """How many tables have an anti-diagonal, for each of them and one more."""
        last_diagonal = -(self.height + self.width)
        return last_diagonal.searchsorted(-np.arange(self.n_diagonals + 1), side="right").tolist()


@dataclass(frozen=True)
class _Runs:
    """Matches by anti-diagonal, and the runs that they form."""

    order: np.ndarray  # index of each match as it was given, int64, shape (n_matches,)
    cell: np.ndarray  # row of each match among those of all tables, int64
    length: np.ndarray  # of the run up to each match, int64
    run: np.ndarray  # the run that each match is in, int64
    first: np.ndarray  # the first match of each run, ascending, int64, shape (n_runs,)
    offsets: list[int]  # where the matches of each anti-diagonal start

    @classmethod
    def of_matches(
        cls, tables: _Tables, table: np.ndarray, row: np.ndarray, column: np.ndarray
    ) -> _Runs:
        """Return the runs of matches that are sorted by table and row; both count from 1."""
        highest = int(tables.height.max())
        order, diagonal = sorted_with_order(column - row + highest)  # then by table and row
        row = row.take(order)
        cell = tables.offsets.take(table.take(order)) + row
        is_first = differ_from_last(diagonal)
        is_first[1:] |= cell[1:] != cell[:-1] + 1
        run = is_first.cumsum() - 1
        length = np.arange(1, len(cell) + 1) - is_first.nonzero()[0][run]
        anti_diagonal = diagonal - highest + 2 * row
        by_anti_diagonal, _ = sorted_with_order(anti_diagonal)
        first = is_first[by_anti_diagonal].nonzero()[0]
        run = run[by_anti_diagonal]
        number = np.empty_like(first)
        number[run[first]] = np.arange(len(first))
        n_matches = np.bincount(anti_diagonal, minlength=tables.n_diagonals)
        return cls(
            order=order[by_anti_diagonal],
            cell=cell[by_anti_diagonal],
            length=length[by_anti_diagonal],
            run=number[run],
            first=first,
            offsets=offsets_of_lengths(n_matches).tolist(),
        )


def _filled_diagonals(
    tables: _Tables,
    runs: _Runs,
    values_of_matches: _ValuesOfMatches,
    is_left: np.ndarray | None = None,
) -> Iterator[tuple[int, np.ndarray]]:
    """Fill the cells i + j = d of all tables for each d, and yield d and these cells.

    Right of the last column of a table the cells get values that no other cell needs; left of
    column 0 they stay 0, as row 0 does. `is_left`, ndarray of bool, shape (n_diagonals,
    n_rows), gets whether left is larger than above.
    """
    row_0, cell, offsets = tables.offsets[1:], runs.cell, runs.offsets
    height, width = int(tables.height[0]), int(tables.width[0])
    ends, n_active_tables = tables.offsets.tolist(), tables.n_active
    # Row i of a table is its cell (i, d - i), for the last two d.
    newer, older = np.zeros((2, ends[-1]))
    for diagonal in range(1, tables.n_diagonals):
        n_active = n_active_tables[diagonal]
        first_match, end_match = offsets[diagonal], offsets[diagonal + 1]
        if first_match < end_match:
            values = values_of_matches(diagonal, older)
        first, end = 1, ends[n_active]
        if n_active == 1:  # the largest table is left: rows that have a cell here
            first, end = max(diagonal - width, 1), min(diagonal, height + 1)
        above, left = newer[first - 1 : end - 1], newer[first:end]
        np.maximum(above, left, out=older[first:end])
        if n_active > 1:
            older[row_0[: n_active - 1]] = 0.0
        if first_match < end_match:
            older[cell[first_match:end_match]] = values
        if is_left is not None:
            np.less(above, left, out=is_left[diagonal, first:end])
        newer, older = older, newer
        yield diagonal, newer


# --- one long table -------------------------------------------------------------------


class _LongTable:
    """The table of two long texts, filled by anti-diagonals that find their matches.

    Of each of the last two anti-diagonals it keeps the value in each row, and if the row has a
    match, the length of its run and the value before that run.
    """

    def __init__(self, row_id: np.ndarray, column_id: np.ndarray, f: np.ndarray) -> None:
        self.f = f
        self.height, self.width = len(row_id), len(column_id)
        # Row i is token i - 1; what the other text lacks matches nothing.
        dtype = np.min_scalar_type(-2 - int(row_id.max(initial=0)))
        self.row_id = np.append(UNSHARED, row_id).astype(dtype)
        self.reversed_columns = np.where(column_id == UNSHARED, UNSHARED - 1, column_id)[
            ::-1
        ].astype(dtype)
        self.n_diagonals = self.height + self.width + 1
        self.value, self.run_start = np.zeros((2, 2, self.height + 1))  # float64
        self.run_length = np.zeros((2, self.height + 1), dtype=np.int64)

    def score(self) -> float:
        """Return the value of the last cell, to which each run adds f of its length."""
        self._fill(1, self.n_diagonals, adds_runs=True)
        return float(self.value[(self.n_diagonals - 1) % 2, -1])

    def traceback(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the tokens of both texts that are matched on the way from the last cell.

        Directions are kept for some anti-diagonals at a time: first the states before each
        of these bands are computed, then the bands again, the last one first.
        """
        size = max(_MAX_CELLS // (self.height + 1), isqrt(128 * self.height))
        bands = [(d, min(d + size, self.n_diagonals)) for d in range(1, self.n_diagonals, size)]
        states = []
        for band in bands:
            states.append([side.copy() for side in self._state])
            if band != bands[-1]:
                self._fill(*band)
        row, column, rows, columns = self.height, self.width, [], []
        for (first, end), state in zip(reversed(bands), reversed(states), strict=True):
            for side, before in zip(self._state, state, strict=True):
                side[:] = before
            directions = np.zeros((end - first, self.height + 1), dtype=np.uint8)
            self._fill(first, end, directions)
            while row and column and row + column >= first:
                direction = directions[row + column - first, row]
                if direction == _DIAGONAL:
                    rows.append(row - 1)
                    columns.append(column - 1)
                row, column = row - (direction != _LEFT), column - (direction != _UP)
        return np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)

    @property
    def _state(self) -> tuple[np.ndarray, ...]:
        return self.value, self.run_start, self.run_length

    def _fill(
        self,
        first: int,
        end: int,
        directions: np.ndarray | None = None,
        *,
        adds_runs: bool = False,
    ) -> None:
        """Fill the anti-diagonals first..end-1, and their directions back if they are wanted."""
        f, height, width = self.f, self.height, self.width
        row_id, column_id = self.row_id, self.reversed_columns
        with_match = [length.nonzero()[0] for length in self.run_length]
        for diagonal in range(first, end):
            parity = diagonal % 2
            newer, older = self.value[1 - parity], self.value[parity]
            run_start, run_length = self.run_start[parity], self.run_length[parity]
            low, high = max(diagonal - width, 1), min(diagonal, height + 1)
            rows, rows_above = slice(low, high), slice(low - 1, high - 1)
            columns = slice(low + width - diagonal, high + width - diagonal)
            match = (row_id[rows] == column_id[columns]).nonzero()[0]
            length = run_length[rows_above].take(match)
            length += 1
            value = older[rows_above].take(match)
            if adds_runs:
                start = run_start[rows_above].take(match)
                np.copyto(start, value, where=length == 1)
                run_start[rows][match] = start
                value = start + f.take(length)
            else:
                value = (value + f.take(length)) - f.take(length - 1)
            above, left = newer[rows_above], newer[rows]
            np.maximum(above, left, out=older[rows])
            older[rows][match] = value
            run_length[with_match[parity]] = 0
            with_match[parity] = match + low
            run_length[rows][match] = length
            if directions is not None:
                direction = directions[diagonal - first, rows]
                np.less(above, left, out=direction.view(bool))
                direction[match] = _DIAGONAL


# --- tokens that match ----------------------------------------------------------------


def _counts_of_ids(token_id: np.ndarray, n_ids: int) -> np.ndarray:
    """Return how often each id occurs, and 0 for UNSHARED, which is the last one."""
    shared = token_id.take((token_id != UNSHARED).nonzero()[0])
    return np.bincount(shared, minlength=n_ids + 1)


def _n_matches_of_pairs(tokens: SharedTokens) -> np.ndarray:
    """Return how many cells of each pair's table match, ndarray of int64, shape (n_pairs,)."""
    counts = [_counts_of_ids(side.ids.values, tokens.n_ids) for side in tokens.sides]
    n_matches = (counts[0] * counts[1])[: tokens.n_ids]
    return sums_of_groups(n_matches, tokens.item_of_id, tokens.n_items)


def _n_equal_tokens(row_id: np.ndarray, column_id: np.ndarray) -> int:
    """Return how many pairs of a row and a column have the same id."""
    n_ids = max(int(row_id.max(initial=0)), int(column_id.max(initial=0))) + 1
    return int(_counts_of_ids(row_id, n_ids) @ _counts_of_ids(column_id, n_ids))


def _equal_tokens(row_id: np.ndarray, column_id: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and columns of cells with equal ids, two of int64, by row and column."""
    row = (row_id != UNSHARED).nonzero()[0]
    column = (column_id != UNSHARED).nonzero()[0]
    order, sorted_id = sorted_with_order(column_id[column])
    column = column[order]
    n_ids = max(int(row_id.max(initial=0)), int(column_id.max(initial=0))) + 1
    offset_of_id = offsets_of_lengths(np.bincount(sorted_id, minlength=n_ids))
    first = offset_of_id[row_id[row]]
    matches = rows_from(column, first, offset_of_id[row_id[row] + 1] - first)
    return row[matches.row_of_value], matches.values
