"""Token ids -> weighted LCS of pairs: runs of k consecutive matches count f(k) = k ** w.

WLCS is defined in Lin 2004, section 4 (https://aclanthology.org/W04-1013). On a match
the cell is always reached on the diagonal, as in the paper's program, although another
way may be worth more. `kernels/wlcs/way_back.py` has what ROUGE-1.5.5 takes from such tables.

The idea of the vectorisation stands in `kernels/wlcs/tables.py`. Python loops run over batches
of pairs and over anti-diagonals.
"""

from __future__ import annotations

import numpy as np

from ...ground.ragged import Ragged, batches
from ...ground.tokens import SharedTokens
from .matches import (
    MAX_MATCHES,
    Matches,
    common_end,
    matches_of_lanes,
    merged_gaps,
    n_equal_pairs,
    n_matches_of_items,
    one_row,
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
    n_matches = n_matches_of_items(tokens)
    last_diagonal = prediction.lengths + reference.lengths
    longest = np.maximum(prediction.lengths, reference.lengths)
    # What a pair takes of a batch, in cells of an anti-diagonal:
    load = np.maximum(longest, -(-n_matches * _MAX_WLCS_CELLS // MAX_MATCHES))
    scores = np.zeros(tokens.n_items)
    for members in size_classes(longest, n_matches > 0, bits=3):
        for first, end in batches(load[members], _MAX_WLCS_CELLS):
            pairs = members[first:end]
            pairs = pairs[np.argsort(-last_diagonal[pairs], kind="stable")]
            lanes = prediction.take(pairs), reference.take(pairs)
            scores[pairs] = _wlcs_scores_of_lanes(*lanes, weight)
    return scores


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
        if n_bands > 1:
            n_common = common_end(prediction.values, reference.values)
            if n_common:  # the last run
                before = _wlcs_scores_of_lanes(
                    _without_end(prediction, n_common),
                    _without_end(reference, n_common),
                    weight,
                )
                return before + f[n_common]
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


def _without_end(row: Ragged, n_values: int) -> Ragged:
    """Return the only row without its last values."""
    return one_row(row.values[: len(row.values) - n_values])


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
