"""Token ids -> weighted LCS of pairs: runs of k consecutive matches count f(k) = k ** w.

WLCS is defined in Lin 2004, section 4 (https://aclanthology.org/W04-1013). On a match
the cell is always reached on the diagonal, as in the paper's program, although another
way may be worth more. The Perl script ROUGE-1.5.5 takes only the way back through such
a table, sentence by sentence: `weighted_lcs_mask`.

The idea of the vectorisation: cells are real numbers, so there are no rows of bits; but
the cells of one anti-diagonal depend on the two before only, and those of many tables
are computed at once. Python loops run over anti-diagonals, and over steps back.
"""

from __future__ import annotations

import numpy as np

from .ragged import Ragged, batches
from .tokens import ABSENT, Sentences, SharedTokens, sentence_lanes

# Cells in the longest anti-diagonals of all lanes together: a step stays in the cache.
_MAX_WLCS_CELLS = 1 << 15
_MAX_TABLE_CELLS = 1 << 20  # of the tables that are held at once for the way back
_UP, _LEFT, _DIAGONAL = range(3)


def wlcs_scores(tokens: SharedTokens, weight: float) -> np.ndarray:
    """Return the weighted LCS of each pair with f(k) = k ** weight.

    Result: ndarray of float64, shape (n_pairs,).
    """
    prediction, reference = (
        side.ids.keep(_merged_gaps(side.ids)) for side in tokens.sides
    )
    scores = np.zeros(tokens.n_items)
    is_empty = (prediction.lengths == 0) | (reference.lengths == 0)
    longest = np.where(is_empty, 0, np.maximum(prediction.lengths, reference.lengths))
    # The tables of a batch have the size of its largest one: at most twice any other's.
    size_class = np.frexp(longest)[1]
    for this_class in np.unique(size_class[longest > 0]).tolist():
        members = np.flatnonzero(size_class == this_class)
        for first, end in batches(longest[members], _MAX_WLCS_CELLS):
            pairs = members[first:end]
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


def _wlcs_scores_of_lanes(
    prediction: Ragged, reference: Ragged, weight: float
) -> np.ndarray:
    """Walk the anti-diagonals i + j = d of all tables at once.

    i counts tokens of the prediction, j those of the reference. On a match
    a run of length k goes on and its value is f(k) more than where the run began;
    elsewhere it is the larger one of above and left.
    """
    n_lanes = prediction.n_rows
    height, width = int(prediction.lengths.max()), int(reference.lengths.max())
    rows = _padded(prediction, height)
    columns = _other_gaps(_padded(reference, width)[::-1])
    f = np.arange(min(height, width) + 1, dtype=np.float64) ** weight

    # Cells of this diagonal and of the two before it, row by row: a match has its run
    # and the value before that run, elsewhere the run is 0.
    size = (height + 1) * n_lanes
    value, above, above_left = (np.zeros(size) for _ in range(3))
    run, run_above, run_above_left = (np.zeros(size, dtype=np.int64) for _ in range(3))
    before, before_above, before_above_left = (np.zeros(size) for _ in range(3))
    last_diagonal = prediction.lengths + reference.lengths
    by_last = np.argsort(last_diagonal, kind="stable")
    end_of_diagonal = np.searchsorted(
        last_diagonal[by_last], np.arange(height + width + 1), side="right"
    )
    scores = np.zeros(n_lanes)
    for diagonal in range(2, height + width + 1):
        cell, cell_above, column = _diagonal_cells(diagonal, height, width)
        match = np.flatnonzero(rows[cell_above] == columns[column])
        match += cell.start * n_lanes
        here = slice(cell.start * n_lanes, cell.stop * n_lanes)
        one_above = slice(cell_above.start * n_lanes, cell_above.stop * n_lanes)
        np.maximum(above[one_above], above[here], out=value[here])
        run[here] = 0
        length = run_above_left[match - n_lanes] + 1
        start = np.where(
            length > 1, before_above_left[match - n_lanes], above_left[match - n_lanes]
        )
        run[match], before[match], value[match] = length, start, start + f[length]
        ending = by_last[end_of_diagonal[diagonal - 1] : end_of_diagonal[diagonal]]
        scores[ending] = value[prediction.lengths[ending] * n_lanes + ending]
        value, above, above_left = above_left, value, above
        run, run_above, run_above_left = run_above_left, run, run_above
        before, before_above, before_above_left = (
            before_above_left,
            before,
            before_above,
        )
    return scores


def _padded(rows: Ragged, length: int) -> np.ndarray:
    """Return the rows as columns of a matrix filled up with -1.

    Result: ndarray of int64, shape (length, n_rows).
    """
    matrix = np.full((length, rows.n_rows), -1, dtype=np.int64)
    matrix[rows.position_in_row, rows.row_of_value] = rows.values
    return matrix


def _other_gaps(columns: np.ndarray) -> np.ndarray:
    """Return the matrix with -2 in place of -1, so that it never equals one in the rows.

    It is -1 where it is padding or a token that the other side lacks.
    """
    return np.where(columns < 0, -2, columns)


def _diagonal_cells(
    diagonal: int, height: int, width: int
) -> tuple[slice, slice, slice]:
    """Return where the cells i + j = diagonal of a table stand.

    Returns
    -------
    rows, rows_above, columns : slice
        The rows i, from 1; those above them; the columns in reversed order, from 0.
    """
    first, last = max(1, diagonal - width), min(height, diagonal - 1)
    column = width - diagonal
    rows, rows_above = slice(first, last + 1), slice(first - 1, last)
    return rows, rows_above, slice(column + first, column + last + 1)


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
    prediction, reference = (
        Sentences.of_tokens(side, np.flatnonzero(_merged_gaps(side.ids)))
        for side in tokens.sides
    )
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    for partner, sentence in sentence_lanes(prediction, reference):
        height = reference.place.lengths[sentence] + 1
        size = height * (prediction.place.lengths[partner] + 1)
        order = np.argsort(size, kind="stable")
        for first, end in batches(size[order], _MAX_TABLE_CELLS):
            lanes = order[first:end]
            place = reference.place.take(sentence[lanes])
            partner_place = prediction.place.take(partner[lanes])
            ids = place.with_values(tokens.reference.ids.values[place.values])
            partner_ids = partner_place.with_values(
                tokens.prediction.ids.values[partner_place.values]
            )
            on_way = _positions_on_way_back(ids, partner_ids, f)
            mask[place.values[on_way]] = True
    return mask


def _positions_on_way_back(
    reference: Ragged, prediction: Ragged, f: np.ndarray
) -> np.ndarray:
    """Return which values of `reference` are matched on the way back, as indices.

    The way starts at the last cell of each lane's table. On a match it is diagonal and
    the value (diagonal + f(k + 1)) - f(k) after k matches in a row: in this order, since
    the last digit decides near-ties. Elsewhere the value is the larger one of above and
    left, above on a tie, and so is the way.
    """
    n_lanes = reference.n_rows
    height, width = int(reference.lengths.max()), int(prediction.lengths.max())
    rows = _padded(reference, height)
    columns = _other_gaps(_padded(prediction, width)[::-1])
    way = np.zeros((height + 1, width + 1, n_lanes), dtype=np.uint8)
    value, above, above_left = (np.zeros((height + 1, n_lanes)) for _ in range(3))
    run, run_above, run_above_left = (
        np.zeros((height + 1, n_lanes), dtype=np.int64) for _ in range(3)
    )
    for diagonal in range(2, height + width + 1):
        cell, cell_above, column = _diagonal_cells(diagonal, height, width)
        is_match = rows[cell_above] == columns[column]
        length = run_above_left[cell_above]
        value_of_match = (above_left[cell_above] + f[length + 1]) - f[length]
        is_left = above[cell_above] < above[cell]
        larger = np.where(is_left, above[cell], above[cell_above])
        value[cell] = np.where(is_match, value_of_match, larger)
        run[cell] = np.where(is_match, length + 1, 0)
        step = np.where(is_left, _LEFT, _UP)
        i = np.arange(cell.start, cell.stop)
        way[i, diagonal - i] = np.where(is_match, _DIAGONAL, step)
        value, above, above_left = above_left, value, above
        run, run_above, run_above_left = run_above_left, run, run_above

    lane = np.arange(n_lanes)
    i, j = reference.lengths.copy(), prediction.lengths.copy()
    matched = []
    while len(lane):
        step = way[i, j, lane]
        is_match = step == _DIAGONAL
        matched.append(reference.offsets[lane[is_match]] + i[is_match] - 1)
        i, j = i - (step != _LEFT), j - (step != _UP)
        is_inside = (i > 0) & (j > 0)
        i, j, lane = i[is_inside], j[is_inside], lane[is_inside]
    return np.concatenate(matched)
