"""Token ids -> weighted LCS of pairs: runs of k consecutive matches count f(k) = k ** w.

WLCS is defined in Lin 2004, section 4 (https://aclanthology.org/W04-1013). On a match
the cell is always reached on the diagonal, as in the paper's program, although another
way may be worth more. The Perl script ROUGE-1.5.5 takes only the way back through such
a table, sentence by sentence: `weighted_lcs_mask`.

The idea of the vectorisation: a cell that is no match is the larger one of above and
left, and the cells of one anti-diagonal do not depend on each other. So one maximum
fills an anti-diagonal of many tables, and then the few cells that match are set; they
are listed beforehand, run by run. Python loops run over anti-diagonals, and over steps
back. The time is that of a maximum for each cell, so it grows with the square of a
text; memory does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isqrt

import numpy as np

from .ragged import Ragged, batches, offsets_of_lengths, sums_of_groups
from .tokens import ABSENT, Sentences, SharedTokens, Tokens

# Cells in the longest anti-diagonals of all lanes together: a step stays in the cache.
_MAX_WLCS_CELLS = 1 << 15
_MAX_MATCHES = 1 << 18  # matches that are listed at once
_MAX_TABLE_CELLS = 1 << 20  # of the tables that are held at once for the way back
_UP, _LEFT, _DIAGONAL, _END = range(4)


def wlcs_scores(tokens: SharedTokens, weight: float) -> np.ndarray:
    """Return the weighted LCS of each pair with f(k) = k ** weight.

    Result: ndarray of float64, shape (n_pairs,).
    """
    prediction, reference = (
        side.ids.keep(_merged_gaps(side.ids)) for side in tokens.sides
    )
    n_matches = _n_matches_of_items(tokens)
    last_diagonal = prediction.lengths + reference.lengths
    longest = np.maximum(prediction.lengths, reference.lengths)
    # What a pair takes of a batch, in cells of an anti-diagonal:
    load = np.maximum(longest, -(-n_matches * _MAX_WLCS_CELLS // _MAX_MATCHES))
    scores = np.zeros(tokens.n_items)
    for members in _size_classes(longest, n_matches > 0, bits=3):
        for first, end in batches(load[members], _MAX_WLCS_CELLS):
            pairs = members[first:end]
            pairs = pairs[np.argsort(-last_diagonal[pairs], kind="stable")]
            lanes = prediction.take(pairs), reference.take(pairs)
            scores[pairs] = _wlcs_scores_of_lanes(*lanes, weight)
    return scores


def _merged_gaps(ids: Ragged) -> np.ndarray:
    """Return which tokens matter to the table, ndarray of bool, shape (n_tokens,).

    Of each run of tokens that the other side lacks one is left, and none at the start:
    it ends the runs and passes the best value on; a second one changes nothing.
    """
    is_shared = ids.values != ABSENT
    is_kept = is_shared.copy()
    is_kept[1:] |= is_shared[:-1] & (ids.position_in_row[1:] > 0)
    return is_kept


def _n_matches_of_items(tokens: SharedTokens) -> np.ndarray:
    """Return the number of cells of each pair's table that match, ndarray of int64."""
    prediction_count, reference_count = (
        _counts(side.ids.values, tokens.n_ids) for side in tokens.sides
    )
    n_matches = (prediction_count * reference_count)[: tokens.n_ids]
    return sums_of_groups(n_matches, tokens.item_of_id, tokens.n_items)


def _counts(token_id: np.ndarray, n_ids: int) -> np.ndarray:
    """Return how often each id stands there, and 0 for ABSENT, which is the last one."""
    return np.bincount(token_id[token_id != ABSENT], minlength=n_ids + 1)


def _size_classes(
    size: np.ndarray, is_wanted: np.ndarray, bits: int
) -> list[np.ndarray]:
    """Return lanes whose tables differ by less than a power of 2 ** bits in size.

    They come by their size, since a batch is padded to its largest table.
    """
    order = np.flatnonzero(is_wanted)
    order = order[np.argsort(size[order], kind="stable")]
    size_class = np.frexp(size[order])[1] // bits
    return np.split(order, np.flatnonzero(np.diff(size_class)) + 1)


def _wlcs_scores_of_lanes(
    prediction: Ragged, reference: Ragged, weight: float
) -> np.ndarray:
    """Return the value of the last cell of each lane's table.

    A run of length k is worth f(k) more than the cell where it began. Lanes come by the
    length of both sides together, the longest first.
    """
    tables = _Tables(prediction.lengths, reference.lengths)
    f = np.arange(tables.longest_run + 1, dtype=np.float64) ** weight
    n_bands = 1
    if tables.n_lanes == 1:
        n_bands = -(-_n_matches(prediction.values, reference.values) // _MAX_MATCHES)
        if n_bands > 1:
            n_common = _common_end(prediction.values, reference.values)
            if n_common:  # the last run
                before = (_without_end(side, n_common) for side in (prediction, reference))
                return _wlcs_scores_of_lanes(*before, weight) + f[n_common]
    state = _State.at_start(tables)
    scores, lane = np.zeros(tables.n_lanes), np.arange(tables.n_lanes)
    for band in tables.bands(n_bands):
        matches = _matches_of_lanes(prediction, reference, band)
        runs = _Runs.of_matches(matches, tables, state, band)
        start, value_of_match = _values_by_start(matches, runs, state, f)
        for diagonal in _walk(tables, runs, state, value_of_match, band):
            ending = lane[tables.n_active[diagonal + 1] : tables.n_active[diagonal]]
            if len(ending):
                row = tables.height[ending]
                scores[ending] = state.value[diagonal % 2][row, ending]
        if not band.is_all:
            state.carry(runs, start[matches.first])
    return scores


def _common_end(left: np.ndarray, right: np.ndarray) -> int:
    """Return how many last values of two arrays are the same shared tokens."""
    length = min(len(left), len(right))
    left, right = left[len(left) - length :], right[len(right) - length :]
    differs = np.flatnonzero((left != right) | (left == ABSENT))
    return length - int(differs[-1]) - 1 if len(differs) else length


def _without_end(row: Ragged, n_values: int) -> Ragged:
    """Return the only row without its last values."""
    return _one_row(row.values[: len(row.values) - n_values])


def _one_row(values: np.ndarray) -> Ragged:
    return Ragged(values, np.array([0, len(values)]))


# --- cells that match -----------------------------------------------------------------


def _n_matches(row_id: np.ndarray, column_id: np.ndarray) -> int:
    """Return how many pairs of a row and a column have the same id."""
    n_ids = max(int(row_id.max(initial=0)), int(column_id.max(initial=0))) + 1
    return int(_counts(row_id, n_ids) @ _counts(column_id, n_ids))


@dataclass(frozen=True)
class _Matches:
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

    @cached_property
    def first(self) -> np.ndarray:
        """The first match of each match's run, as an index, by doubling of pointers."""
        first = self.previous
        while True:
            before = first[first]
            if np.array_equal(before, first):
                return first
            first = before


@dataclass(frozen=True)
class _Line:
    """Tokens in their order, and the token before each in its text or sentence.

    Ids are ABSENT where the other side lacks the token.
    """

    token_id: np.ndarray
    id_before: np.ndarray

    @classmethod
    def of_tokens(
        cls, token_id: np.ndarray, is_first: np.ndarray, no_id: int
    ) -> _Line:
        """`no_id` stands for no shared token before; two sides need different ones."""
        before = np.empty_like(token_id)
        before[1:] = token_id[:-1]
        before[is_first] = ABSENT
        return cls(token_id, np.where(before == ABSENT, no_id, before))


def _equal_tokens(
    rows: _Line, columns: _Line, band: tuple[int, int] | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return where the tokens of two sides are equal, by row and column.

    Parameters
    ----------
    band : (first, end), optional
        Only cells of these anti-diagonals; both sides are of one table then.

    Returns
    -------
    row, column : ndarray of int64, shape (n_matches,)
        Indices of tokens.
    previous, is_carried : ndarray of int64, ndarray of bool
        As in `_Matches`.
    """
    row_token = np.flatnonzero(rows.token_id != ABSENT)
    column_token = np.flatnonzero(columns.token_id != ABSENT)
    by_id = column_token[_order(columns.token_id[column_token])]
    token_id, column_id = rows.token_id[row_token], columns.token_id[by_id]
    n_ids = max(int(token_id.max(initial=0)), int(column_id.max(initial=0))) + 1
    offset_of_id = offsets_of_lengths(np.bincount(column_id, minlength=n_ids))
    start, end = offset_of_id[token_id], offset_of_id[token_id + 1]
    if band is not None:
        size = len(columns.token_id)
        key = column_id * size + by_id
        start, end = (
            np.searchsorted(
                key, token_id * size + np.clip(diagonal - 2 - row_token, 0, size)
            )
            for diagonal in band
        )
    offsets = offsets_of_lengths(end - start)
    row_number = np.repeat(np.arange(len(row_token)), end - start)
    place = np.arange(offsets[-1]) + (start - offsets[:-1])[row_number]
    row, column = row_token[row_number], by_id[place]

    # The match up left: the row token before, and that token's column token.
    continues = rows.id_before[row] == columns.id_before[column]
    is_carried = np.zeros(len(row), dtype=bool)
    if band is not None:
        is_carried = continues & (row + column < band[0])
    has_previous = np.flatnonzero(continues & ~is_carried)
    place_of_token = np.empty(len(columns.token_id), dtype=np.int64)
    place_of_token[by_id] = np.arange(len(by_id))
    before = row_number[has_previous] - 1
    previous = np.arange(len(row))
    previous[has_previous] = (
        offsets[before] + place_of_token[column[has_previous] - 1] - start[before]
    )
    return row, column, previous, is_carried


def _order(key: np.ndarray) -> np.ndarray:
    """Return a stable permutation that sorts small non-negative integers.

    The position goes into the low bits, since numpy sorts plain integers fastest.
    """
    bits = len(key).bit_length()
    packed = key << bits
    packed |= np.arange(len(key))
    packed.sort()
    return packed & ((1 << bits) - 1)


def _matches_of_lanes(rows: Ragged, columns: Ragged, band: _Band) -> _Matches:
    """Return the matches of lanes of which each has ids of its own.

    Where the band is not all of the table, there is one lane.
    """
    lines = (
        _Line.of_tokens(side.values, side.offsets[:-1][side.lengths > 0], no_id)
        for side, no_id in ((rows, -1), (columns, -2))
    )
    window = None if band.is_all else (band.first, band.end)
    row, column, previous, is_carried = _equal_tokens(*lines, window)
    return _Matches(
        lane=rows.row_of_value[row],
        row=rows.position_in_row[row] + 1,
        column=columns.position_in_row[column] + 1,
        previous=previous,
        is_carried=is_carried,
    )


# --- tables ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Band:
    """The anti-diagonals first..end-1, and whether these are all."""

    first: int
    end: int
    is_all: bool


@dataclass(frozen=True)
class _Tables:
    """Sizes of the tables of lanes, ndarrays of int64, shape (n_lanes,).

    Lanes come by height + width, the largest first.
    """

    height: np.ndarray
    width: np.ndarray

    @property
    def n_lanes(self) -> int:
        """Number of lanes."""
        return len(self.height)

    @cached_property
    def n_rows(self) -> int:
        """Rows of the highest table."""
        return int(self.height.max(initial=0))

    @cached_property
    def n_columns(self) -> int:
        """Columns of the widest table."""
        return int(self.width.max(initial=0))

    @property
    def longest_run(self) -> int:
        """No run is longer."""
        return min(self.n_rows, self.n_columns)

    def bands(self, n_bands: int) -> list[_Band]:
        """Return the anti-diagonals in so many bands, at least one."""
        n_diagonals = self.n_rows + self.n_columns + 1
        size = -(-n_diagonals // max(n_bands, 1))
        return [
            _Band(first, min(first + size, n_diagonals), size == n_diagonals)
            for first in range(0, n_diagonals, size)
        ]

    @cached_property
    def longest(self) -> np.ndarray:
        """The larger one of height and width, ndarray of int64."""
        return np.maximum(self.height, self.width)

    @cached_property
    def n_cells(self) -> np.ndarray:
        """What the ways back through a table take, ndarray of int64."""
        return (self.height + self.width + 1) * (self.height + 1)

    @property
    def n_bands_of_cells(self) -> int:
        """Number of bands of one table, so that ways and states take little memory.

        A band of n anti-diagonals takes n bytes a row, a state some 32.
        """
        n_rows = self.n_rows + 1
        size = max(_MAX_TABLE_CELLS // n_rows, isqrt(64 * n_rows))
        return -(-(self.n_rows + self.n_columns + 1) // size)

    @cached_property
    def n_active(self) -> list[int]:
        """How many lanes end at each anti-diagonal or later."""
        last = self.height + self.width
        diagonals = np.arange(self.n_rows + self.n_columns + 2)
        return np.searchsorted(-last, -diagonals, side="right").tolist()


@dataclass(frozen=True)
class _State:
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
    def at_start(cls, tables: _Tables) -> _State:
        n_diagonals = (tables.n_rows + tables.n_columns + 1) * tables.n_lanes
        return cls(
            value=np.zeros((2, tables.n_rows + 1, tables.n_lanes)),
            run_length=np.zeros(n_diagonals, dtype=np.int64),
            run_start=np.zeros(n_diagonals),
        )

    def copied(self) -> _State:
        return _State(self.value.copy(), self.run_length.copy(), self.run_start.copy())

    def carry(self, runs: _Runs, start: np.ndarray) -> None:
        """Keep length and start of each match's run; the last of each run stay."""
        self.run_length[runs.diagonal] = runs.length
        self.run_start[runs.diagonal] = start


@dataclass(frozen=True)
class _Runs:
    """Matches as steps of a walk.

    Columns are ndarrays of int64, shape (n_matches,).

    Parameters
    ----------
    length
        Length of the run up to each match.
    diagonal
        Diagonal of each match, as an index into `_State.run_length`.
    order
        The matches by anti-diagonal.
    cell
        Row and lane of each match in that order, as an index into `_State.value[0]`.
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
        cls, matches: _Matches, tables: _Tables, state: _State, band: _Band
    ) -> _Runs:
        row, first = matches.row, matches.first
        diagonal = matches.column - row + tables.n_rows
        diagonal = diagonal * tables.n_lanes + matches.lane
        length = row - row[first] + 1
        if not band.is_all:
            is_carried = matches.is_carried[first]
            length += np.where(is_carried, state.run_length[diagonal], 0)
        step = row + matches.column - band.first
        order = _order(step)
        cell = (row * tables.n_lanes + matches.lane)[order]
        n_of_step = np.bincount(step, minlength=band.end - band.first)
        return cls(length, diagonal, order, cell, offsets_of_lengths(n_of_step))


_ValueOfMatch = Callable[[np.ndarray, slice], np.ndarray]


def _values_by_start(
    matches: _Matches, runs: _Runs, state: _State, f: np.ndarray
) -> tuple[np.ndarray, _ValueOfMatch]:
    """Return the start of each run, filled in by a walk, and the rule that does so.

    The value of a match is the start of its run + f(length).
    """
    n_matches = len(matches.row)
    start = np.append(state.run_start[runs.diagonal], 0.0)
    target = np.where(matches.is_carried, n_matches, np.arange(n_matches))[runs.order]
    first = matches.first[runs.order]
    gain = f[runs.length[runs.order]]

    def value_of_match(up_left: np.ndarray, here: slice) -> np.ndarray:
        start[target[here]] = up_left
        return start[first[here]] + gain[here]

    return start, value_of_match


def _values_by_step(runs: _Runs, f: np.ndarray) -> _ValueOfMatch:
    """Return the rule of the Perl script.

    After k matches in a row it is (diagonal + f(k + 1)) - f(k): in this order, since the
    last digit decides near-ties.
    """
    length = runs.length[runs.order]
    added, taken = f[length], f[length - 1]

    def value_of_match(up_left: np.ndarray, here: slice) -> np.ndarray:
        return (up_left + added[here]) - taken[here]

    return value_of_match


def _walk(
    tables: _Tables,
    runs: _Runs,
    state: _State,
    value_of_match: _ValueOfMatch,
    band: _Band,
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


# --- the way back ---------------------------------------------------------------------


def weighted_lcs_mask(tokens: SharedTokens, f: np.ndarray) -> np.ndarray:
    """Return which tokens of the references lie on a way back through a weighted table.

    The tables are those of each sentence with each sentence of the prediction. Result:
    ndarray of bool, shape (n_tokens,).

    Parameters
    ----------
    f : ndarray of float64, shape (longest text + 1,)
        What a run of k matches counts.
    """
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    for rows, columns in _ranges_of_sentences(tokens):
        mask[_on_ways_back(tokens, rows, columns, f)] = True
    return mask


def _ranges_of_sentences(tokens: SharedTokens) -> Iterator[tuple[slice, slice]]:
    """Yield ranges of tokens of the references and of those of the predictions.

    Between them they have a bounded number of matches, or are of one sentence each.
    """
    prediction, reference = tokens.sides
    n_matches = _counts(prediction.ids.values, tokens.n_ids)[reference.ids.values]
    for rows, n_of_rows in _sentence_ranges(reference, 0, n_matches):
        texts = reference.ids.row_of_value[[rows.start, rows.stop - 1]]
        start, end = prediction.ids.offsets[texts + [0, 1]].tolist()
        if n_of_rows <= _MAX_MATCHES:
            yield rows, slice(start, end)
            continue
        count = _counts(reference.ids.values[rows], tokens.n_ids)
        n_in_sentence = count[prediction.ids.values[start:end]]
        for columns, _ in _sentence_ranges(prediction, start, n_in_sentence):
            yield rows, columns


def _sentence_ranges(
    side: Tokens, start: int, n_matches: np.ndarray
) -> Iterator[tuple[slice, int]]:
    """Yield ranges of whole sentences by a bounded number of matches, and that number.

    `n_matches` is that of each token from `start` on. What has none is left out.
    """
    sentence = side.sentence[start : start + len(n_matches)]
    first_token = np.flatnonzero(np.diff(sentence, prepend=-1))
    if not len(first_token):
        return
    edges = np.append(first_token, len(sentence)) + start
    n_of_sentence = np.add.reduceat(n_matches, first_token)
    for first, end in batches(n_of_sentence, _MAX_MATCHES):
        n_of_range = int(n_of_sentence[first:end].sum())
        if n_of_range:
            yield slice(int(edges[first]), int(edges[end])), n_of_range


def _on_ways_back(
    tokens: SharedTokens, rows: slice, columns: slice, f: np.ndarray
) -> np.ndarray:
    """Return the tokens of the references in a range that are on a way back.

    Lanes are their sentences with those of a range of the predictions.
    """
    row_ids = tokens.reference.ids.values[rows]
    column_ids = tokens.prediction.ids.values[columns]
    if _n_matches(row_ids, column_ids) > _MAX_MATCHES:  # one sentence each
        return rows.start + _on_way_of_long_lane(row_ids, column_ids, f)
    row_sentence, column_sentence = (
        side.sentence[place] - side.sentence[place.start]
        for side, place in ((tokens.reference, rows), (tokens.prediction, columns))
    )
    row, column, previous, _ = _equal_tokens(
        _Line.of_tokens(row_ids, np.diff(row_sentence, prepend=-1) > 0, -1),
        _Line.of_tokens(column_ids, np.diff(column_sentence, prepend=-1) > 0, -2),
    )
    lane = row_sentence[row] * (int(column_sentence[-1]) + 1) + column_sentence[column]
    order = _order(lane)
    row, column, lane = row[order], column[order], lane[order]

    needs_table = _needs_table(row, column, lane, f)
    taken = [row[~needs_table]]
    kept = np.flatnonzero(needs_table)
    new_index = np.empty(len(order), dtype=np.int64)
    new_index[order[kept]] = np.arange(len(kept))
    lanes = _SentenceLanes(
        lane=np.cumsum(np.diff(lane[kept], prepend=-1) > 0) - 1,
        row=row[kept],
        column=column[kept],
        previous=new_index[previous[order[kept]]],
        row_sentence=row_sentence,
        column_sentence=column_sentence,
    )
    load = lanes.tables.n_cells
    for lane in np.flatnonzero(load > _MAX_TABLE_CELLS).tolist():
        place, partner_place = lanes.sentences(lane)
        on_way = _on_way_of_long_lane(row_ids[place], column_ids[partner_place], f)
        taken.append(place.start + on_way)
    classes = _size_classes(lanes.tables.longest, load <= _MAX_TABLE_CELLS, bits=1)
    for members in classes:
        for first, end in batches(load[members], _MAX_TABLE_CELLS):
            taken.append(lanes.rows_on_ways(members[first:end], f))
    return rows.start + np.concatenate(taken)


def _needs_table(
    row: np.ndarray, column: np.ndarray, lane: np.ndarray, f: np.ndarray
) -> np.ndarray:
    """Return which matches are in lanes whose way back only a table tells.

    Where all matches of a lane go down and right, the value grows with each of them, and
    the way back has them all. That holds where f grows by more than rounding takes away.
    """
    is_steep = np.diff(f).min(initial=1.0) >= 0.5 and f[-1] < 2.0**40
    if not is_steep:
        return np.ones(len(lane), dtype=bool)
    is_first = np.diff(lane, prepend=-1) > 0
    goes_on = (np.diff(row, prepend=0) > 0) & (np.diff(column, prepend=0) > 0)
    number = np.cumsum(is_first) - 1
    has_turn = np.zeros(int(is_first.sum()), dtype=bool)
    has_turn[number[~(is_first | goes_on)]] = True
    return has_turn[number]


@dataclass(frozen=True)
class _SentenceLanes:
    """Matches of sentences with sentences, by lane, row and column.

    Parameters
    ----------
    lane, row, column, previous : ndarray of int64, shape (n_matches,)
        As in `_Matches`, but rows and columns are indices of tokens.
    row_sentence, column_sentence : ndarray of int64
        Sentence of each token, ascending.
    """

    lane: np.ndarray
    row: np.ndarray
    column: np.ndarray
    previous: np.ndarray
    row_sentence: np.ndarray
    column_sentence: np.ndarray

    @cached_property
    def offsets(self) -> np.ndarray:
        """Where the matches of each lane start, ndarray of int64."""
        return offsets_of_lengths(np.bincount(self.lane))

    @cached_property
    def table_row(self) -> np.ndarray:
        """Row of each match in its table, from 1."""
        return _table_positions(self.lane, self.row)

    @cached_property
    def table_column(self) -> np.ndarray:
        """Column of each match in its table, from 1."""
        order = _order(self.lane * len(self.column_sentence) + self.column)
        column = np.empty(len(order), dtype=np.int64)
        column[order] = _table_positions(self.lane[order], self.column[order])
        return column

    @cached_property
    def tables(self) -> _Tables:
        """The tables of all lanes."""
        if not len(self.lane):
            return _Tables(self.lane, self.lane)
        ends = (
            (self.row, self.row_sentence, self.table_row),
            (self.column, self.column_sentence, self.table_column),
        )
        sizes = []
        for token, sentence, position in ends:
            has_next = np.append(sentence[1:] == sentence[:-1], False)
            last, size = (
                np.maximum.reduceat(values, self.offsets[:-1])
                for values in (token, position)
            )
            sizes.append(size + has_next[last])  # one gap behind the last match
        return _Tables(*sizes)

    def sentences(self, lane: int) -> tuple[slice, slice]:
        """Return where the tokens of the two sentences of a lane stand."""
        first = self.offsets[lane]
        ends = (
            (self.row[first], self.row_sentence),
            (self.column[first], self.column_sentence),
        )
        places = (
            np.searchsorted(sentence, sentence[token] + np.arange(2)).tolist()
            for token, sentence in ends
        )
        row_place, column_place = (slice(*place) for place in places)
        return row_place, column_place

    def rows_on_ways(self, lanes: np.ndarray, f: np.ndarray) -> np.ndarray:
        """Return the tokens in rows of some lanes that are on a way back."""
        all_tables = self.tables
        last_diagonal = (all_tables.height + all_tables.width)[lanes]
        lanes = lanes[np.argsort(-last_diagonal, kind="stable")]
        tables = _Tables(all_tables.height[lanes], all_tables.width[lanes])
        index, offsets = Ragged(self.lane, self.offsets).index_of_rows(lanes)
        lane = np.repeat(np.arange(len(lanes)), np.diff(offsets))
        matches = _Matches(
            lane=lane,
            row=self.table_row[index],
            column=self.table_column[index],
            previous=self.previous[index] - (self.offsets[lanes] - offsets[:-1])[lane],
            is_carried=np.zeros(len(index), dtype=bool),
        )
        on_way = _cells_on_way_back(tables, tables.bands(1), lambda band: matches, f)
        token = np.empty((tables.n_rows + 1, tables.n_lanes), dtype=np.int64)
        token[matches.row, lane] = self.row[index]
        return token[on_way]


def _table_positions(lane: np.ndarray, token: np.ndarray) -> np.ndarray:
    """Return the positions of matched tokens in their tables, from 1.

    Tokens between two of them leave one gap. Both arrays are ascending, by lane first.
    """
    is_first = np.diff(lane, prepend=-1) > 0
    position = np.cumsum(np.minimum(np.diff(token, prepend=0), 2) * ~is_first)
    return position - position[is_first][lane] + 1


def _on_way_of_long_lane(
    reference: np.ndarray, prediction: np.ndarray, f: np.ndarray
) -> np.ndarray:
    """Return the positions of one sentence that are on the way back, given token ids.

    What both sentences end in is.
    """
    n_common = _common_end(reference, prediction)
    rest = len(reference) - n_common
    common = np.arange(rest, len(reference))
    sides = reference[:rest], prediction[: len(prediction) - n_common]
    if not _n_matches(*sides):
        return common
    rows, columns = (
        _one_row(np.where(np.isin(side, other), side, ABSENT))
        for side, other in (sides, sides[::-1])
    )
    place = np.flatnonzero(_merged_gaps(rows))
    rows, columns = rows.keep(_merged_gaps(rows)), columns.keep(_merged_gaps(columns))
    tables = _Tables(rows.lengths, columns.lengths)
    n_matches = _n_matches(rows.values, columns.values)
    row, _ = _cells_on_way_back(
        tables,
        tables.bands(max(-(-n_matches // _MAX_MATCHES), tables.n_bands_of_cells)),
        lambda band: _matches_of_lanes(rows, columns, band),
        f,
    )
    return np.concatenate([place[row - 1], common])


def _cells_on_way_back(
    tables: _Tables,
    bands: list[_Band],
    matches_of_band: Callable[[_Band], _Matches],
    f: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return row and lane of each match on the ways back from the last cells.

    On a match the way is diagonal, elsewhere to the larger one of above and left, above
    on a tie. One band's ways are held at a time; those of earlier bands are made again.
    """
    states = [_State.at_start(tables)]
    for band in bands[:-1]:
        state = states[-1].copied()
        _ways(tables, band, matches_of_band(band), state, f, is_held=False)
        states.append(state)
    n_rows, n_lanes = tables.n_rows + 1, tables.n_lanes
    last_diagonal = tables.height + tables.width
    cell = (last_diagonal * n_rows + tables.height) * n_lanes + np.arange(n_lanes)
    # How far back up, left and the diagonal are:
    step = np.array([n_rows + 1, n_rows, 2 * n_rows + 1]) * n_lanes
    matched = [np.zeros(0, dtype=np.int64)]
    for band, state in zip(reversed(bands), reversed(states), strict=True):
        ways = _ways(tables, band, matches_of_band(band), state, f)
        start = band.first * n_rows * n_lanes
        # Where there are several bands there is one lane.
        while len(cell) and cell[0] >= start:
            way = ways[cell - start]
            matched.append(cell[way == _DIAGONAL])
            is_inside = way != _END
            cell = cell[is_inside] - step[way[is_inside]]
    row_and_lane = np.concatenate(matched) % (n_rows * n_lanes)
    return row_and_lane // n_lanes, row_and_lane % n_lanes


def _ways(
    tables: _Tables,
    band: _Band,
    matches: _Matches,
    state: _State,
    f: np.ndarray,
    *,
    is_held: bool = True,
) -> np.ndarray:
    """Walk through a band and return the way back from each cell.

    Result: ndarray of uint8, flat, shape (n_diagonals of the band * (n_rows + 1) *
    n_lanes,); _END where i or j is 0.
    """
    runs = _Runs.of_matches(matches, tables, state, band)
    n_diagonals = band.end - band.first if is_held else 0
    ways = np.full((n_diagonals, tables.n_rows + 1, tables.n_lanes), _END, np.uint8)
    is_left = ways.view(bool) if is_held else None
    for _ in _walk(tables, runs, state, _values_by_step(runs, f), band, is_left):
        pass
    if not band.is_all:
        state.carry(runs, np.zeros(len(runs.length)))
    ways = ways.reshape(-1)
    if is_held:
        size = (tables.n_rows + 1) * tables.n_lanes
        step = (matches.row + matches.column - band.first)[runs.order]
        ways[step * size + runs.cell] = _DIAGONAL
    return ways
