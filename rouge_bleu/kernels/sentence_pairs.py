"""Pairs of sentences that share tokens, for the kernels that compare sentences.

The shared tokens of one side are rows. They match *cells* of the other side: tokens, or
each id of a sentence once. Cells are listed by id, so that the tokens of many sentences are matched
at once, and sorting these matches by pair of sentences gives the tables.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..arrays import Ragged, batches, differ_from_last, offsets_of_lengths, sorted_with_order
from ..tokens import Sentences


def ranges_of_rows(
    rows: Sentences, cells: Ragged, sentence: np.ndarray, limit: int
) -> Iterator[tuple[slice, Ragged]]:
    """Yield ranges of tokens of whole sentences, and the cells to match them with.

    `cells` has their numbers, one row per id, and `sentence` the sentence of each. A range has at
    most `limit` matches, unless it is one sentence and its cells are of one sentence.
    """
    n_matches = cells.lengths[rows.ids.values]
    n_of_sentence = np.diff(offsets_of_lengths(n_matches)[rows.ids.offsets])
    if n_of_sentence.max(initial=0) > limit:
        of_cell = sentence[cells.values]
        distinct = np.unique(of_cell)
        if len(distinct) > 1:
            is_low = of_cell < distinct[len(distinct) // 2]
            for half in (is_low, ~is_low):
                yield from ranges_of_rows(rows, cells.keep(half), sentence, limit)
            return
    for first, end in batches(n_of_sentence, limit):
        if n_of_sentence[first:end].any():
            yield slice(*rows.ids.offsets[[first, end]].tolist()), cells


def matches_of_rows(
    rows: Sentences, columns: Sentences, tokens: slice, cells: Ragged, sentence: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the token and the cell of each match in a range, and the first match of each table.

    A table is a pair of sentences. Matches come by table, by token and by cell: three of int64.
    """
    ids = rows.ids.values[tokens]
    cell = cells.take(ids).values
    token = np.arange(tokens.start, tokens.stop).repeat(cells.lengths[ids])
    # Pairs of sentences are numbered, those of the same row sentence in sequence.
    first, last = rows.ids.row_of_value[[tokens.start, tokens.stop - 1]]
    text, of_text = rows.text[first : last + 1], columns.of_text
    first_pair = offsets_of_lengths(of_text.lengths[text])[:-1] - of_text.offsets[text]
    pair = first_pair[rows.ids.row_of_value.take(token) - first]
    pair += sentence.take(cell)
    order, pair = sorted_with_order(pair)
    return token.take(order), cell.take(order), differ_from_last(pair).nonzero()[0]
