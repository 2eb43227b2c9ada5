"""Sentences of both sides that match -> the tokens on the ways back through their tables.

A lane is a sentence of the reference with one of the prediction. Where its matches all go
down and right, the way back has all of them, and no table is needed; most are so. Other
lanes have tables one behind the other; one that is too long for that has one by itself.
Python loops run over batches of lanes, and over long ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import Ragged, batches, offsets_of_lengths, sorted_with_order
from ...lazy import lazy_property
from .matches import Matches, equal_tokens
from .steps_back import cells_on_way_back, tokens_on_long_way
from .tables import MAX_TABLE_CELLS, Tables, size_classes

_MAX_FILTERED_LANES = 1 << 22  # of which those that can add nothing are looked for


@dataclass(frozen=True)
class SentenceMatches:
    """Where tokens of sentences are equal.

    Parameters
    ----------
    row_id, column_id : ndarray of int64
        The tokens of the references, and those of the predictions.
    row_sentence, column_sentence : ndarray of int64
        Sentence of each token, ascending from 0.
    row, column : ndarray of int64, shape (n_matches,)
        Indices of tokens that are equal.
    """

    row_id: np.ndarray
    column_id: np.ndarray
    row_sentence: np.ndarray
    column_sentence: np.ndarray
    row: np.ndarray
    column: np.ndarray

    @classmethod
    def of_ids(
        cls, ids: tuple[np.ndarray, np.ndarray], sentences: tuple[np.ndarray, np.ndarray]
    ) -> SentenceMatches:
        """Return the matches of two sides, rows first."""
        return cls(*ids, *sentences, *equal_tokens(*ids))

    def by_lane(self, is_known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the matches by lane, row and column, and the lane of each.

        Left out are lanes whose rows that match are all known, `is_known`, to be on
        another way back.
        """
        row, column = self.row, self.column
        n_columns = int(self.column_sentence[-1]) + 1
        lane = self.row_sentence[row] * n_columns + self.column_sentence[column]
        n_lanes = (int(self.row_sentence[-1]) + 1) * n_columns
        if not is_known.any() or n_lanes > _MAX_FILTERED_LANES:
            return sorted_with_order(lane)
        has_new = np.zeros(n_lanes, dtype=bool)
        has_new[lane[np.flatnonzero(~is_known[row])]] = True
        is_new = np.flatnonzero(has_new[lane])
        order, lane = sorted_with_order(lane[is_new])
        return is_new[order], lane


def tokens_on_ways_back(
    matches: SentenceMatches, is_known: np.ndarray, f: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the tokens in rows that are on a way back, and those they are matched with.

    Lanes that can add nothing to the rows that are known, `is_known`, are left out.
    """
    order, lane = matches.by_lane(is_known)
    row, column = matches.row[order], matches.column[order]
    needs_table = _need_tables(row, column, lane, f)
    yield row[~needs_table], column[~needs_table]
    in_table = np.flatnonzero(needs_table)
    lanes = SentenceLanes.of_matches(matches, order[in_table], lane[in_table])
    n_cells = lanes.tables.n_cells
    for long in np.flatnonzero(n_cells > MAX_TABLE_CELLS).tolist():
        rows, columns = lanes.sentences(long)
        row, column = tokens_on_long_way(matches.row_id[rows], matches.column_id[columns], f)
        yield rows.start + row, columns.start + column
    fit = n_cells <= MAX_TABLE_CELLS
    for members in size_classes(lanes.tables.longest, fit):
        for first, end in batches(n_cells[members], MAX_TABLE_CELLS):
            yield lanes.tokens_on_ways(members[first:end], f)


def _need_tables(
    row: np.ndarray, column: np.ndarray, lane: np.ndarray, f: np.ndarray
) -> np.ndarray:
    """Return which matches are in lanes whose way back only a table tells.

    Matches come by lane, row and column.

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
class SentenceLanes:
    """Matches of sentences with sentences that need a table, by lane, row and column.

    Parameters
    ----------
    lane, row, column : ndarray of int64, shape (n_matches,)
        As in `Matches`, but rows and columns are indices of tokens.
    row_sentence, column_sentence : ndarray of int64
        Sentence of each token, ascending.
    """

    lane: np.ndarray
    row: np.ndarray
    column: np.ndarray
    row_sentence: np.ndarray
    column_sentence: np.ndarray

    @classmethod
    def of_matches(
        cls, matches: SentenceMatches, order: np.ndarray, lane: np.ndarray
    ) -> SentenceLanes:
        """Return the lanes of some matches, `order`; `lane` ascends."""
        return cls(
            lane=np.cumsum(np.diff(lane, prepend=-1) > 0) - 1,
            row=matches.row[order],
            column=matches.column[order],
            row_sentence=matches.row_sentence,
            column_sentence=matches.column_sentence,
        )

    @lazy_property
    def offsets(self) -> np.ndarray:
        """Where the matches of each lane start, ndarray of int64."""
        return offsets_of_lengths(np.bincount(self.lane))

    @lazy_property
    def table_row(self) -> np.ndarray:
        """Row of each match in its table, from 1."""
        return _table_positions(self.lane, self.row)

    @lazy_property
    def table_column(self) -> np.ndarray:
        """Column of each match in its table, from 1."""
        key = self.lane * len(self.column_sentence) + self.column
        order, _ = sorted_with_order(key)
        column = np.empty(len(order), dtype=np.int64)
        column[order] = _table_positions(self.lane[order], self.column[order])
        return column

    @lazy_property
    def tables(self) -> Tables:
        """The tables of all lanes."""
        if not len(self.lane):
            return Tables(self.lane, self.lane)
        ends = (
            (self.row, self.row_sentence, self.table_row),
            (self.column, self.column_sentence, self.table_column),
        )
        sizes = []
        for token, sentence, position in ends:
            has_next = np.append(sentence[1:] == sentence[:-1], False)
            last, size = (
                np.maximum.reduceat(values, self.offsets[:-1]) for values in (token, position)
            )
            sizes.append(size + has_next[last])  # one gap behind the last match
        return Tables(*sizes)

    def sentences(self, lane: int) -> tuple[slice, slice]:
        """Return where the tokens of the two sentences of a lane stand."""
        first = self.offsets[lane]
        ends = ((self.row[first], self.row_sentence), (self.column[first], self.column_sentence))
        places = (
            np.searchsorted(sentence, sentence[token] + np.arange(2)).tolist()
            for token, sentence in ends
        )
        row_place, column_place = (slice(*place) for place in places)
        return row_place, column_place

    def tokens_on_ways(self, lanes: np.ndarray, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the tokens in rows and columns of some lanes that are on a way back."""
        all_tables = self.tables
        last_diagonal = all_tables.last_diagonal[lanes]
        lanes = lanes[np.argsort(-last_diagonal, kind="stable")]
        tables = Tables(all_tables.height[lanes], all_tables.width[lanes])
        index, offsets = Ragged(self.lane, self.offsets).index_of_rows(lanes)
        lane = np.repeat(np.arange(len(lanes)), np.diff(offsets))
        matches = Matches(lane, self.table_row[index], self.table_column[index])
        row, column, way_lane = cells_on_way_back(tables, tables.bands(1), lambda band: matches, f)
        row_token, column_token = (
            np.empty((size + 1, tables.n_lanes), dtype=np.int64)
            for size in (tables.n_rows, tables.n_columns)
        )
        row_token[matches.row, lane] = self.row[index]
        column_token[matches.column, lane] = self.column[index]
        return row_token[row, way_lane], column_token[column, way_lane]


def _table_positions(lane: np.ndarray, token: np.ndarray) -> np.ndarray:
    """Return the positions of matched tokens in their tables, from 1.

    Tokens between two of them leave one gap. Both arrays are ascending, by lane first.
    """
    is_first = np.diff(lane, prepend=-1) > 0
    position = np.cumsum(np.minimum(np.diff(token, prepend=0), 2) * ~is_first)
    return position - position[is_first][lane] + 1
