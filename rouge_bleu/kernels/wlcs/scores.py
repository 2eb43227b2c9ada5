"""Token ids -> weighted LCS of pairs: runs of k consecutive matches count f(k) = k ** w.

WLCS is defined in Lin 2004, section 4 (https://aclanthology.org/W04-1013). On a match
the cell is always reached on the diagonal, as in the paper's program, although another
way may be worth more. `kernels/wlcs/way_back.py` has what ROUGE-1.5.5 takes from such tables.

The idea of the vectorisation stands in `kernels/wlcs/tables.py`. Python loops run over batches
of pairs and over anti-diagonals.
"""

from __future__ import annotations

import numpy as np

from ...arrays import Ragged, batches, rows_from
from ...tokens import ABSENT, SharedTokens
from ..common_ends import n_equal_in_row
from .matches import MAX_MATCHES, matches_of_lanes, merged_gaps, n_equal_pairs, n_matches_of_items
from .tables import Runs, State, Tables, ValuesOfMatches, walk

_MAX_WLCS_CELLS = 1 << 15  # of an anti-diagonal: a step stays in the cache


def wlcs_scores(tokens: SharedTokens, weight: float) -> np.ndarray:
    """Return the weighted LCS of each pair with f(k) = k ** weight.

    Result: ndarray of float64, shape (n_pairs,).
    """
    sides = [side.ids.keep(merged_gaps(side.ids)) for side in tokens.sides]
    n_tail = _common_tails(*sides)
    # Rows and columns count alike: the shorter text has the rows.
    lengths = np.stack([side.lengths - n_tail for side in sides])
    height, width = lengths.min(0), lengths.max(0)
    prediction, reference = sides
    values = np.concatenate([prediction.values, reference.values])
    start = np.stack([prediction.offsets[:-1], reference.offsets[:-1] + len(prediction.values)])
    row_side = (lengths[0] > lengths[1]).astype(np.int64)
    pairs = np.flatnonzero(height)
    pairs = pairs[np.argsort(-(height + width)[pairs], kind="stable")]
    # What a pair takes of a batch, in cells of an anti-diagonal:
    n_matches = n_matches_of_items(tokens)
    load = np.maximum(height + 1, -(-n_matches * _MAX_WLCS_CELLS // MAX_MATCHES))
    scores = np.zeros(tokens.n_items)
    for first, end in batches(load[pairs], _MAX_WLCS_CELLS):
        lanes = pairs[first:end]
        rows = rows_from(values, start[row_side[lanes], lanes], height[lanes])
        columns = rows_from(values, start[1 - row_side[lanes], lanes], width[lanes])
        scores[lanes] = _wlcs_scores_of_lanes(rows, columns, weight)
    f = np.arange(n_tail.max(initial=0) + 1, dtype=np.float64) ** weight
    return scores + f[n_tail]


def _common_tails(prediction: Ragged, reference: Ragged) -> np.ndarray:
    """Return how many shared tokens both texts of each pair end with.

    They are the last run of the table, which begins in the last cell without them.
    """
    of_reference = np.where(reference.values == ABSENT, ABSENT - 1, reference.values)
    values = np.concatenate([prediction.values, of_reference])
    last = np.append(prediction.offsets[1:], reference.offsets[1:] + len(prediction.values)) - 1
    return n_equal_in_row(values, last, np.append(prediction.lengths, reference.lengths), -1)


def _wlcs_scores_of_lanes(rows: Ragged, columns: Ragged, weight: float) -> np.ndarray:
    """Return the value of the last cell of each lane's table.

    A run of length k is worth f(k) more than the cell where it began. Lanes come by the
    length of both sides together, the longest first.
    """
    tables = Tables(rows.lengths, columns.lengths)
    f = np.arange(tables.n_rows + 1, dtype=np.float64) ** weight
    n_bands = 1
    if tables.n_lanes == 1:  # several have no more matches than fit
        n_bands = -(-n_equal_pairs(rows.values, columns.values) // MAX_MATCHES)
    state = State.at_start(tables)
    last_cell, n_active = tables.offsets[1:] - 1, tables.n_active.tolist()
    scores = np.zeros(tables.n_lanes)
    for band in tables.bands(n_bands):
        matches = matches_of_lanes(rows, columns, band)
        runs = Runs.of_matches(matches, tables, state, band)
        start = np.zeros(len(runs.first))
        if runs.n_carried:
            carried = runs.first[: runs.n_carried]
            start[: runs.n_carried] = state.run_start[runs.diagonals(tables)[carried]]
        values_of_matches = _values_by_start(runs, start, f)
        for diagonal in walk(tables, runs, state, values_of_matches):
            if n_active[diagonal + 1] < n_active[diagonal]:
                ending = slice(n_active[diagonal + 1], n_active[diagonal])
                scores[ending] = state.value[diagonal % 2][last_cell[ending]]
        if not band.is_all:
            state.carry(runs, tables, start)
    return scores


def _values_by_start(runs: Runs, start: np.ndarray, f: np.ndarray) -> ValuesOfMatches:
    """Return the rule: the value of a match is the start of its run + f(length).

    `start` is filled in by the walk.
    """
    before = runs.cell[runs.first] - 1
    run, gain = runs.run, f[runs.length]
    offsets = runs.offsets.tolist()
    first_offsets = np.searchsorted(runs.first[runs.n_carried :], offsets)
    first_offsets = (first_offsets + runs.n_carried).tolist()

    def values_of_matches(value: np.ndarray, step: int) -> np.ndarray:
        begun = slice(first_offsets[step], first_offsets[step + 1])
        here = slice(offsets[step], offsets[step + 1])
        # All places are there: "clip" writes into `out` without a copy.
        value.take(before[begun], out=start[begun], mode="clip")
        return start[run[here]] + gain[here]

    return values_of_matches
