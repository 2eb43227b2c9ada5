"""Token ids -> weighted LCS of pairs: runs of k consecutive matches count f(k) = k ** w.

WLCS is defined in Lin 2004, section 4 (https://aclanthology.org/W04-1013). On a match
the cell is always reached on the diagonal, as in the paper's program, although another
way may be worth more. `kernels/wlcs/way_back.py` has what ROUGE-1.5.5 takes from such tables.

The idea of the vectorisation stands in `kernels/wlcs/tables.py`. Python loops run over batches
of pairs and over anti-diagonals.
"""

from __future__ import annotations

import numpy as np

from ...ground.ragged import Ragged, batches, rows_from
from ...ground.tokens import ABSENT, SharedTokens
from ..common_ends import n_equal_in_row
from .matches import (
    MAX_MATCHES,
    Matches,
    matches_of_lanes,
    merged_gaps,
    n_equal_pairs,
    n_matches_of_items,
)
from .tables import Runs, State, Tables, ValueOfMatch, size_classes, walk

# Cells in the longest anti-diagonals of all lanes together: a step stays in the cache.
_MAX_WLCS_CELLS = 1 << 15


def wlcs_scores(tokens: SharedTokens, weight: float) -> np.ndarray:
    """Return the weighted LCS of each pair with f(k) = k ** weight.

    Result: ndarray of float64, shape (n_pairs,).
    """
    prediction, reference = (
        side.ids.keep(merged_gaps(side.ids)) for side in tokens.sides
    )
    n_tail = _common_tails(prediction, reference)
    height, width = prediction.lengths - n_tail, reference.lengths - n_tail
    n_matches = n_matches_of_items(tokens)
    last_diagonal, longest = height + width, np.maximum(height, width)
    # What a pair takes of a batch, in cells of an anti-diagonal:
    load = np.maximum(longest, -(-n_matches * _MAX_WLCS_CELLS // MAX_MATCHES))
    scores = np.zeros(tokens.n_items)
    is_wanted = (n_matches > 0) & (np.minimum(height, width) > 0)
    for members in size_classes(longest, is_wanted, bits=3):
        for first, end in batches(load[members], _MAX_WLCS_CELLS):
            pairs = members[first:end]
            pairs = pairs[np.argsort(-last_diagonal[pairs], kind="stable")]
            rows = rows_from(
                prediction.values, prediction.offsets[pairs], height[pairs]
            )
            columns = rows_from(
                reference.values, reference.offsets[pairs], width[pairs]
            )
            scores[pairs] = _wlcs_scores_of_lanes(rows, columns, weight)
    f = np.arange(n_tail.max(initial=0) + 1, dtype=np.float64) ** weight
    return scores + f[n_tail]


def _common_tails(prediction: Ragged, reference: Ragged) -> np.ndarray:
    """Return how many shared tokens both texts of each pair end with.

    They are the last run of the table, which begins in the last cell without them.
    """
    of_reference = np.where(reference.values == ABSENT, ABSENT - 1, reference.values)
    values = np.concatenate([prediction.values, of_reference])
    last = (
        np.append(
            prediction.offsets[1:], reference.offsets[1:] + len(prediction.values)
        )
        - 1
    )
    return n_equal_in_row(
        values, last, np.append(prediction.lengths, reference.lengths), -1
    )


def _wlcs_scores_of_lanes(
    prediction: Ragged, reference: Ragged, weight: float
) -> np.ndarray:
    """Return the value of the last cell of each lane's table.

    A run of length k is worth f(k) more than the cell where it began. Lanes come by the
    length of both sides together, the longest first.
    """
    tables = Tables(prediction.lengths, reference.lengths)
    f = np.arange(tables.longest_run + 1, dtype=np.float64) ** weight
    n_bands = 1
    if tables.n_lanes == 1:
        n_bands = -(-n_equal_pairs(prediction.values, reference.values) // MAX_MATCHES)
    state = State.at_start(tables)
    scores, lane = np.zeros(tables.n_lanes), np.arange(tables.n_lanes)
    for band in tables.bands(n_bands):
        matches = matches_of_lanes(prediction, reference, band)
        runs = Runs.of_matches(matches, tables, state, band)
        start, value_of_match = _values_by_start(matches, runs, state, f)
        for diagonal in walk(tables, runs, state, value_of_match, band):
            ending = lane[tables.n_active[diagonal + 1] : tables.n_active[diagonal]]
            if len(ending):
                row = tables.height[ending]
                scores[ending] = state.value[diagonal % 2][row, ending]
        if not band.is_all:
            state.carry(runs, start[matches.first])
    return scores


def _values_by_start(
    matches: Matches, runs: Runs, state: State, f: np.ndarray
) -> tuple[np.ndarray, ValueOfMatch]:
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
