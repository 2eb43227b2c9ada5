"""Token ids -> union LCS of pairs, sentence by sentence.

For each sentence of the reference, the union LCS takes the positions of its LCS with any
sentence of the prediction; clipped unigram counts limit how many of these count (Lin
2004, section 3.2, https://aclanthology.org/W04-1013). The choice among several LCS follows
rouge_score (`_backtrack_norec`).

A table has a row for each token of a sentence of the prediction that a sentence of the reference
has, and a bit for each token of the latter. Tables are filled together (`lcs.py`). For `a c b`
in the prediction and `b a b` in the reference, which lacks c, cells are `a` and `b`, with the masks
010 and 101 of their positions. The rows are a, before a gap, and b.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..arrays import Ragged, argsort_and_sorted, is_run_start, offsets_of_lengths, sums_of_groups
from ..tokens import Sentences, SharedTokens
from .lcs import MAX_PACKED_BITS, LongTable, batches_of_tables, masks_of_positions, n_field_words
from .sentence_pairs import MatchingPairs, matching_pairs

_MAX_MATCHES = 1 << 16  # matching tokens of the tables that are found together


def union_lcs_mask(tokens: SharedTokens, is_wanted: np.ndarray | None = None) -> np.ndarray:
    """Return which tokens of the references the union LCS takes before clipping, ndarray of bool.

    `is_wanted`, bool, shape (n_pairs,), are the pairs that are counted; of the others none is taken.
    """
    prediction, reference = tokens.sentences_of_shared
    if is_wanted is None:
        is_wanted = np.ones(tokens.n_examples, dtype=bool)
    is_taken = np.zeros(len(reference.ids.values), dtype=bool)
    of_wanted = is_wanted[reference.text_of_sentence]
    for _, sentence, tables in _lcs_tables(prediction, reference, of_wanted, tokens.n_ids):
        table, position = tables.traceback_positions()
        is_taken[reference.ids.offsets[sentence[table]] + position] = True
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    mask[reference.token_index.values[is_taken]] = True
    return mask


def best_sentence_lcs_lengths(tokens: SharedTokens) -> tuple[np.ndarray, np.ndarray]:
    """Return the summed LCS of each sentence of both sides with the best one of the other side."""
    sides = prediction, reference = tokens.sentences_of_shared
    longest = [np.zeros(side.ids.n_rows, dtype=np.int64) for side in sides]
    is_wanted = np.ones(reference.ids.n_rows, dtype=bool)
    for *sentences, tables in _lcs_tables(prediction, reference, is_wanted, tokens.n_ids):
        lengths = tables.lcs_lengths()
        for longest_of_side, sentence in zip(longest, sentences, strict=True):
            np.maximum.at(longest_of_side, sentence, lengths)
    of_prediction, of_reference = (
        sums_of_groups(lengths, side.text_of_sentence, tokens.n_examples)
        for lengths, side in zip(longest, sides, strict=True)
    )
    return of_prediction, of_reference


def _cells_and_masks(
    reference: Sentences, is_wanted: np.ndarray, n_ids: int
) -> tuple[Ragged, np.ndarray, Ragged]:
    """Return the cells of the wanted sentences, one row per id, with the sentence and mask of each.

    A cell is an id in a sentence, and its mask has the positions of the id in the sentence.
    """
    token = is_wanted.repeat(reference.ids.lengths).nonzero()[0]
    order, token_id = argsort_and_sorted(reference.ids.values.take(token))
    token = token.take(order)
    cell_sentence = reference.ids.row_of_value.take(token)
    is_first = is_run_start(token_id) | is_run_start(cell_sentence)
    first = is_first.nonzero()[0]
    cell_sentence = cell_sentence.take(first)
    n_cells = np.bincount(token_id.take(first), minlength=n_ids)
    cells = Ragged(np.arange(len(first)), offsets_of_lengths(n_cells))
    # A long table has its own masks.
    n_bits = reference.ids.lengths.take(cell_sentence)
    n_words = np.where(n_bits <= MAX_PACKED_BITS, n_field_words(n_bits), 0)
    cell = is_first.cumsum() - 1
    kept = n_words[cell].nonzero()[0]
    position = reference.ids.position_in_row.take(token.take(kept))
    return cells, cell_sentence, masks_of_positions(cell.take(kept), position, n_words)


def _lcs_tables(
    prediction: Sentences, reference: Sentences, is_wanted: np.ndarray, n_ids: int
) -> Iterator[tuple[np.ndarray, np.ndarray, Any]]:
    """Yield the sentences of the prediction, the wanted ones of the reference, and their tables.

    A table has a row for each match of a token of the prediction and a cell of the reference. For the
    sentences `a c b` and `b a b` of the module docstring, the arrays are

        matches.token  0 1          a and b, the tokens that both sentences have
        matches.cell   0 1          masks 010 and 101
        offsets        0 2          of the matches of each table: there is one
        is_before_gap  True False   c follows a
        n_bits         3            positions in `b a b`
    """
    cells, cell_sentence, masks = _cells_and_masks(reference, is_wanted, n_ids)
    for matches in matching_pairs(prediction, reference, cells, cell_sentence, _MAX_MATCHES):
        rows = Ragged(matches.cell, matches.offsets)
        is_before_gap = _is_before_gap(prediction, matches)
        n_bits = reference.ids.lengths[matches.column]
        for table_class, batch in batches_of_tables(rows.lengths, n_bits, traces_back=True):
            row, offsets = rows.value_indices(batch)
            column = matches.column[batch]
            if table_class is LongTable:  # of one pair of sentences, by their token ids
                token_ids = prediction.ids.values[matches.token[row]]
                reference_ids = reference.ids.take(column).values
                tables = LongTable(token_ids, reference_ids, is_before_gap.take(row))
            else:
                cell_of_row = Ragged(matches.cell.take(row), offsets)
                tables = table_class(cell_of_row, masks, n_bits[batch], is_before_gap.take(row))
            yield matches.row[batch], column, tables


def _is_before_gap(prediction: Sentences, matches: MatchingPairs) -> np.ndarray:
    """Return after which matches the sentence goes on with tokens without a match, ndarray of bool."""
    sentence = prediction.side.sentence_of_token
    goes_on = np.append(sentence[1:] == sentence[:-1], False)
    place = prediction.token_index.values.take(matches.token)
    is_followed = np.append(place[1:] == place[:-1] + 1, False)  # by the next match
    is_followed[matches.offsets[1:] - 1] = False  # which is in another table
    return goes_on.take(place) & ~is_followed
