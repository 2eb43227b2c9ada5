"""Pairs of sentences that share tokens, for the kernels that compare sentences.

One side has the rows of tables: its shared tokens. They match *cells* of the other side, the
columns: tokens, or each id of a sentence once. Cells are listed by id, so that the tokens of many
sentences are matched at once, and sorting these matches by pair of sentences gives the tables.
Rows are the sentences `a b` and `c` (tokens 0 to 2), columns `b a b` and `c a` (here cells are tokens):

    cells of      a: 1 4   b: 0 2   c: 3        cell 1 is the second token of `b a b`, 4 that of `c a`
    matches       0-1 0-4  1-0 1-2  2-3         of a token and a cell
    `a b`, `b a b`    token  0 1 1   cell  1 0 2
    `a b`, `c a`      token  0       cell  4
    `c`, `c a`        token  2       cell  3

If at most 4 matches are listed at a time, `a b` comes alone. If at most 3, its cells are halved by
their sentences: first those of `b a b`, then those of `c a`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..arrays import Ragged, argsort_and_sorted, batches, is_run_start, offsets_of_lengths
from ..tokens import Sentences


@dataclass(frozen=True)
class MatchingPairs:
    """Some pairs of sentences, each with its matches by token and by cell: arrays of int64."""

    row: np.ndarray  # the sentence of each pair that has the rows
    column: np.ndarray  # and the one that has the columns
    token: np.ndarray  # the token in a row of each match
    cell: np.ndarray  # the cell that it matches
    offsets: np.ndarray  # the first match of each pair of sentences, and the end


def matching_pairs(
    rows: Sentences,
    columns: Sentences,
    cells: Ragged,
    sentence: np.ndarray,
    limit: int,
    *,
    lists_all: bool = True,
) -> Iterator[MatchingPairs]:
    """Yield all pairs of sentences that share tokens, some at a time, with at most `limit` matches.

    `cells` has their numbers, one row per id, and `sentence` the sentence of each. A pair of more
    matches comes alone, without a list of them unless it `lists_all`.
    """
    for tokens, some in _token_ranges_and_cells(rows, cells, sentence, limit):
        ids = rows.ids.values[tokens]
        n_matches = some.lengths[ids]
        row_of_token = rows.ids.row_of_value[tokens]
        if not lists_all and n_matches.sum() > limit:
            first = n_matches.nonzero()[0][:1]
            column = sentence[some.take(ids[first]).values[:1]]
            none = first[:0]
            yield MatchingPairs(row_of_token[first], column, none, none, np.zeros(2, np.int64))
            continue
        cell = some.take(ids).values
        number = np.arange(len(ids)).repeat(n_matches)
        # Pairs of sentences are numbered, those of the same row sentence in sequence.
        text = rows.text_of_sentence[row_of_token[0] : row_of_token[-1] + 1]
        of_text = columns.by_text
        first_pair = offsets_of_lengths(of_text.lengths[text])[:-1] - of_text.offsets[text]
        pair = first_pair[row_of_token.take(number) - row_of_token[0]]
        pair += sentence.take(cell)
        order, pair = argsort_and_sorted(pair)
        number, cell = number.take(order), cell.take(order)
        first = is_run_start(pair).nonzero()[0]
        yield MatchingPairs(
            row_of_token.take(number.take(first)),
            sentence.take(cell.take(first)),
            number + tokens.start,
            cell,
            np.append(first, len(cell)),
        )


def _token_ranges_and_cells(
    rows: Sentences, cells: Ragged, sentence: np.ndarray, limit: int
) -> Iterator[tuple[slice, Ragged]]:
    """Yield ranges of tokens of whole sentences, and cells: with at most `limit` matches, or of one pair."""
    n_matches = cells.lengths[rows.ids.values]
    n_of_sentence = np.diff(offsets_of_lengths(n_matches)[rows.ids.offsets])
    if n_of_sentence.max(initial=0) > limit:
        of_cell = sentence[cells.values]
        distinct = np.unique(of_cell)
        if len(distinct) > 1:
            is_low = of_cell < distinct[len(distinct) // 2]
            for half in (is_low, ~is_low):
                yield from _token_ranges_and_cells(rows, cells.keep(half), sentence, limit)
            return
    for first, end in batches(n_of_sentence, limit):
        if n_of_sentence[first:end].any():
            yield slice(*rows.ids.offsets[[first, end]].tolist()), cells
