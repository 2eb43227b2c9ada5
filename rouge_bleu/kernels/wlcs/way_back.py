"""Token ids -> the matches on a way back through weighted LCS tables.

The Perl script ROUGE-1.5.5 takes only the way back through such a table, sentence by
sentence. Where the matches of two sentences all go down and right no table is needed;
most are so. A long table is walked through in bands of anti-diagonals: the ways of one
band are held, and those of earlier bands are made again from states that were kept.
Python loops run over anti-diagonals, over steps back, and over pairs of sentences that
are too long for a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ...ground.lazy import lazy_property
from ...ground.ragged import Ragged, batches, offsets_of_lengths
from ...ground.tokens import ABSENT, SharedTokens, Tokens
from .matches import (
    MAX_MATCHES,
    Band,
    Line,
    Matches,
    common_end,
    counts_of_ids,
    equal_tokens,
    matches_of_lanes,
    merged_gaps,
    n_equal_pairs,
    one_row,
    sorting_order,
)
from .tables import (
    MAX_TABLE_CELLS,
    Runs,
    State,
    Tables,
    ValueOfMatch,
    size_classes,
    walk,
)

_UP, _LEFT, _DIAGONAL, _END = range(4)
# Into so many parts the sentences of a text are cut, or more: the first ones tell what the
# others can add.
_N_PARTS = 8
_MAX_FILTERED_LANES = 1 << 22  # of which those that can add nothing are looked for


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
        row, _ = _on_ways_back(tokens, rows, columns, mask[rows], f)
        mask[row] = True
    return mask


def weighted_lcs_partners(tokens: SharedTokens, f: np.ndarray) -> np.ndarray:
    """Return what each token of the references is matched with on the way back.

    It is the index of a token of the predictions, ABSENT off the way. Each text is one
    sentence, so that a pair has one table. Result: ndarray of int64, shape (n_tokens,).

    Parameters
    ----------
    f : ndarray of float64, shape (longest text + 1,)
        What a run of k matches counts.
    """
    partner = np.full(len(tokens.reference.ids.values), ABSENT)
    for rows, columns in _ranges_of_sentences(tokens):
        row, column = _on_ways_back(tokens, rows, columns, partner[rows] != ABSENT, f)
        partner[row] = column
    return partner


def _ranges_of_sentences(tokens: SharedTokens) -> Iterator[tuple[slice, slice]]:
    """Yield ranges of tokens of the references and of those of the predictions.

    Between them they have a bounded number of matches, or are of one sentence each. The
    predictions' come a few at a time where all are of one text: what the first ones mark
    is known then.
    """
    prediction, reference = tokens.sides
    n_matches = counts_of_ids(prediction.ids.values, tokens.n_ids)[reference.ids.values]
    for rows in _sentence_ranges(reference, 0, n_matches, MAX_MATCHES):
        texts = reference.ids.row_of_value[[rows.start, rows.stop - 1]]
        start, end = prediction.ids.offsets[texts + np.arange(2)].tolist()
        if texts[0] < texts[1]:
            yield rows, slice(start, end)
            continue
        count = counts_of_ids(reference.ids.values[rows], tokens.n_ids)
        n_in_sentence = count[prediction.ids.values[start:end]]
        for columns in _sentence_ranges(
            prediction, start, n_in_sentence, MAX_MATCHES // _N_PARTS
        ):
            yield rows, columns


def _sentence_ranges(
    side: Tokens, start: int, n_matches: np.ndarray, limit: int
) -> Iterator[slice]:
    """Yield ranges of whole sentences by a bounded number of matches.

    `n_matches` is that of each token from `start` on. What has none is left out.
    """
    sentence = side.sentence[start : start + len(n_matches)]
    first_token = np.flatnonzero(np.diff(sentence, prepend=-1))
    if not len(first_token):
        return
    edges = np.append(first_token, len(sentence)) + start
    n_of_sentence = np.add.reduceat(n_matches, first_token)
    for first, end in batches(n_of_sentence, limit):
        if n_of_sentence[first:end].any():
            yield slice(int(edges[first]), int(edges[end]))


def _on_ways_back(
    tokens: SharedTokens,
    rows: slice,
    columns: slice,
    is_known: np.ndarray,
    f: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens of the references in a range that are on a way back.

    Second comes the token of the predictions that each is matched with. Lanes are the
    sentences of both ranges. Those whose rows that match are all known, `is_known`, to be
    on another way back are left out.
    """
    row_ids = tokens.reference.ids.values[rows]
    column_ids = tokens.prediction.ids.values[columns]
    if n_equal_pairs(row_ids, column_ids) > MAX_MATCHES:  # one sentence each
        row, column = _on_way_of_long_lane(row_ids, column_ids, f)
        return rows.start + row, columns.start + column
    row_sentence, column_sentence = (
        side.sentence[place] - side.sentence[place.start]
        for side, place in ((tokens.reference, rows), (tokens.prediction, columns))
    )
    row, column, previous, _ = equal_tokens(
        Line.of_tokens(row_ids, np.diff(row_sentence, prepend=-1) > 0, -1),
        Line.of_tokens(column_ids, np.diff(column_sentence, prepend=-1) > 0, -2),
    )
    n_columns = int(column_sentence[-1]) + 1
    lane = row_sentence[row] * n_columns + column_sentence[column]
    n_lanes = (int(row_sentence[-1]) + 1) * n_columns
    if is_known.any() and n_lanes <= _MAX_FILTERED_LANES:
        has_new = np.zeros(n_lanes, dtype=bool)
        has_new[lane[np.flatnonzero(~is_known[row])]] = True
        is_new = np.flatnonzero(has_new[lane])
        order = is_new[sorting_order(lane[is_new])]
    else:
        order = sorting_order(lane)
    row, column, lane = row[order], column[order], lane[order]

    needs_table = _needs_table(row, column, lane, f)
    taken = [(row[~needs_table], column[~needs_table])]
    kept = np.flatnonzero(needs_table)
    new_index = np.empty(len(previous), dtype=np.int64)
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
    for lane in np.flatnonzero(load > MAX_TABLE_CELLS).tolist():
        place, partner_place = lanes.sentences(lane)
        row, column = _on_way_of_long_lane(row_ids[place], column_ids[partner_place], f)
        taken.append((place.start + row, partner_place.start + column))
    classes = size_classes(lanes.tables.longest, load <= MAX_TABLE_CELLS, bits=1)
    for members in classes:
        for first, end in batches(load[members], MAX_TABLE_CELLS):
            taken.append(lanes.tokens_on_ways(members[first:end], f))
    row, column = map(np.concatenate, zip(*taken, strict=True))
    return rows.start + row, columns.start + column


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
        As in `Matches`, but rows and columns are indices of tokens.
    row_sentence, column_sentence : ndarray of int64
        Sentence of each token, ascending.
    """

    lane: np.ndarray
    row: np.ndarray
    column: np.ndarray
    previous: np.ndarray
    row_sentence: np.ndarray
    column_sentence: np.ndarray

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
        order = sorting_order(self.lane * len(self.column_sentence) + self.column)
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
                np.maximum.reduceat(values, self.offsets[:-1])
                for values in (token, position)
            )
            sizes.append(size + has_next[last])  # one gap behind the last match
        return Tables(*sizes)

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

    def tokens_on_ways(
        self, lanes: np.ndarray, f: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the tokens in rows and columns of some lanes that are on a way back."""
        all_tables = self.tables
        last_diagonal = (all_tables.height + all_tables.width)[lanes]
        lanes = lanes[np.argsort(-last_diagonal, kind="stable")]
        tables = Tables(all_tables.height[lanes], all_tables.width[lanes])
        index, offsets = Ragged(self.lane, self.offsets).index_of_rows(lanes)
        lane = np.repeat(np.arange(len(lanes)), np.diff(offsets))
        matches = Matches(
            lane=lane,
            row=self.table_row[index],
            column=self.table_column[index],
            previous=self.previous[index] - (self.offsets[lanes] - offsets[:-1])[lane],
            is_carried=np.zeros(len(index), dtype=bool),
        )
        row, column, way_lane = _cells_on_way_back(
            tables, tables.bands(1), lambda band: matches, f
        )
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


def _on_way_of_long_lane(
    reference: np.ndarray, prediction: np.ndarray, f: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the positions of two sentences that are on the way back, given token ids.

    What both sentences end in is.
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
    row_place, column_place = (
        np.flatnonzero(merged_gaps(side)) for side in (rows, columns)
    )
    rows, columns = rows.keep(merged_gaps(rows)), columns.keep(merged_gaps(columns))
    tables = Tables(rows.lengths, columns.lengths)
    n_matches = n_equal_pairs(rows.values, columns.values)
    row, column, _ = _cells_on_way_back(
        tables,
        tables.bands(max(-(-n_matches // MAX_MATCHES), tables.n_bands_of_cells)),
        lambda band: matches_of_lanes(rows, columns, band),
        f,
    )
    return (
        np.concatenate([row_place[row - 1], row_end]),
        np.concatenate([column_place[column - 1], column_end]),
    )


def _cells_on_way_back(
    tables: Tables,
    bands: list[Band],
    matches_of_band: Callable[[Band], Matches],
    f: np.ndarray,
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
    diagonal, row_and_lane = np.divmod(np.concatenate(matched), n_rows * n_lanes)
    row, lane = np.divmod(row_and_lane, n_lanes)
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

    Result: ndarray of uint8, flat, shape (n_diagonals of the band * (n_rows + 1) *
    n_lanes,); _END where i or j is 0.
    """
    runs = Runs.of_matches(matches, tables, state, band)
    n_diagonals = band.end - band.first if is_held else 0
    ways = np.full((n_diagonals, tables.n_rows + 1, tables.n_lanes), _END, np.uint8)
    is_left = ways.view(bool) if is_held else None
    for _ in walk(tables, runs, state, _values_by_step(runs, f), band, is_left):
        pass
    if not band.is_all:
        state.carry(runs, np.zeros(len(runs.length)))
    flat = ways.reshape(-1)
    if is_held:
        size = (tables.n_rows + 1) * tables.n_lanes
        step = (matches.row + matches.column - band.first)[runs.order]
        flat[step * size + runs.cell] = _DIAGONAL
    return flat


def _values_by_step(runs: Runs, f: np.ndarray) -> ValueOfMatch:
    """Return the rule of the Perl script.

    After k matches in a row it is (diagonal + f(k + 1)) - f(k): in this order, since the
    last digit decides near-ties.
    """
    length = runs.length[runs.order]
    added, taken = f[length], f[length - 1]

    def value_of_match(up_left: np.ndarray, here: slice) -> np.ndarray:
        return (up_left + added[here]) - taken[here]

    return value_of_match
