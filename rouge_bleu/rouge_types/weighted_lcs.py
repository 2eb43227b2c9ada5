"""ROUGE-W: the weighted LCS; a run of k matches counts f(k) = k ** weight (Lin 2004, section 4).

The inverse of f turns quotients back: precision = (matches / f(p)) ** (1 / weight).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..arrays import powers
from ..kernels.weighted_lcs import weighted_lcs_matches, weighted_traceback_pairs
from ..tokens import UNSHARED
from .family import ColumnPairs, Columns, Count, Family, PairLists, Positions, RougeType, as_counts
from .matches import Matches, PositionPairs, TokenList

DEFAULT_WEIGHT = RougeType.weight
MAX_WEIGHT = 20  # k ** 20 is finite for texts of any length

# The most cells of a table of lists. The kernel has a bit for each cell of a larger one: two texts of
# 40,000 tokens take 200 MB.
_MAX_CELLS = 1 << 15

# --- definition -----------------------------------------------------------------------------------


def weighted_lcs_table(
    prediction: TokenList, reference: TokenList, f: Sequence[float], *, adds_steps: bool = False
) -> list[list[float]]:
    """Return the table of the weighted LCS, a row for each token of the reference and one before.

    `f[k]` is the weight of k matches in a row. With `adds_steps` values are added up token by token, as in
    Lin 2004, section 4, and in ROUGE-1.5.5, otherwise run by run; the two differ only by rounding.
    """
    table = [[0.0] * (len(prediction) + 1)]
    runs: dict[int, int] = {}  # by position in the prediction, how long the run is that ends there
    for token in reference:
        above, last_runs, runs = table[-1], runs, {}
        value, row = 0.0, [0.0]
        for j, (other, value_above) in enumerate(zip(prediction, above[1:], strict=True)):
            if other == token:
                k = last_runs.get(j - 1, 0)
                by_run = table[-k - 1][j - k] + f[k + 1]
                value = (above[j] + f[k + 1]) - f[k] if adds_steps else by_run
                runs[j] = k + 1
            elif value_above > value:
                value = value_above
            row.append(value)
        table.append(row)
    return table


def weighted_lcs_pairs(
    prediction: TokenList, reference: TokenList, f: Sequence[float]
) -> PositionPairs:
    """Return the positions on the traceback through the weighted table, as in ROUGE-1.5.5.

    If the table is equal without a token of the reference and without one of the prediction,
    the token of the reference is left out.

    >>> weighted_lcs_pairs("ABXC", "ABCD", [0, 1, 4, 9, 16]), weighted_lcs_pairs("BA", "AB", [0, 1, 4])
    ([(0, 0), (1, 1), (3, 2)], [(1, 0)])
    """
    if len(prediction) * len(reference) > _MAX_CELLS:
        number = {token: k for k, token in enumerate({*prediction} & {*reference})}
        columns, rows = (
            np.array([number.get(token, UNSHARED) for token in text], dtype=np.int64)
            for text in (prediction, reference)
        )
        return [(i, j) for j, i in weighted_traceback_pairs(rows, columns, np.array(f))]
    table = weighted_lcs_table(prediction, reference, f, adds_steps=True)
    i, j, pairs = len(prediction), len(reference), []
    while i and j:
        if prediction[i - 1] == reference[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif table[j - 1][i] >= table[j][i - 1]:
            j -= 1
        else:
            i -= 1
    return pairs[::-1]


def rouge_w(prediction: TokenList, reference: TokenList, weight: float = DEFAULT_WEIGHT) -> Matches:
    """Return the weighted LCS. The paper's example, where Y1 has the tokens of X in one run of 4 and Y2
    has four runs of 1:

    >>> x, y1, y2 = "ABCDEFG", "ABCDHIK", "AHBKCID"
    >>> rouge_w(y1, x, 2).matches, rouge_w(y2, x, 2)
    (16.0, Matches(matches=4.0, prediction=[0, 2, 4, 6], reference=[0, 1, 2, 3]))
    """
    f = [float(k) ** weight for k in range(min(len(prediction), len(reference)) + 1)]
    value = weighted_lcs_table(prediction, reference, f)[-1][-1]
    pairs = weighted_lcs_pairs(prediction, reference, f)
    return Matches(value, [i for i, _ in pairs], [j for _, j in pairs])


# --- few pairs, columns, positions ----------------------------------------------------------------


def run_weights(longest: int, weight: float) -> list[float]:
    """Return f(0), ..., f(longest), with the rounding of the kernel."""
    return powers(np.arange(longest + 1.0), weight).tolist()


def _count_few(rouge_type: RougeType, pairs: PairLists) -> list[Count]:
    longest = max(len(text) for pair in pairs.texts for text in pair)
    f = run_weights(longest, rouge_type.weight)
    return [(weighted_lcs_table(p, r, f)[-1][-1], f[len(p)], f[len(r)]) for p, r in pairs.texts]


def _count_columns(rouge_type: RougeType, pairs: ColumnPairs) -> Columns:
    totals = [powers(n.astype(np.float64), rouge_type.weight) for n in pairs.shared_tokens.lengths]
    return as_counts(weighted_lcs_matches(pairs.shared_tokens, rouge_type.weight), totals)


def _positions(rouge_type: RougeType, pairs: ColumnPairs, pair: int) -> Positions:
    texts = pairs.listed_ids.texts[pair]
    matches = weighted_lcs_pairs(*texts, run_weights(max(map(len, texts)), rouge_type.weight))
    return [i for i, _ in matches], [j for _, j in matches]


WEIGHTED_LCS = Family(
    name="W",
    pattern=r"rougeW(-[0-9]+(?:\.[0-9]+)?|)",
    parse=lambda weight: RougeType("W", weight=float(weight.strip("-") or DEFAULT_WEIGHT)),
    example="rougeW",
    count_few=_count_few,
    n_steps=lambda rouge_type, pairs: sum(len(p) * len(r) for p, r in pairs.texts),
    count_columns=_count_columns,
    positions=_positions,
    inverse=lambda rouge_type, quotients: powers(quotients, 1.0 / rouge_type.weight),
    has_integers=False,
    least_weight=1.0,
)
