"""Token ids -> the matches on a way back through weighted LCS tables.

The Perl script ROUGE-1.5.5 takes only the way back through such a table, sentence by
sentence. Sentences are taken in ranges that have a bounded number of matches; Python
loops run over ranges.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...arrays import batches
from ...tokens import ABSENT, SharedTokens, Tokens
from .lanes import SentenceMatches, tokens_on_ways_back
from .matches import MAX_MATCHES, counts_of_ids, n_equal_pairs
from .steps_back import tokens_on_long_way

# The sentences of a text are cut into at least so many parts: the first ones tell what the
# others can add.
_N_PARTS = 8


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
        for columns in _sentence_ranges(prediction, start, n_in_sentence, MAX_MATCHES // _N_PARTS):
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
    tokens: SharedTokens, rows: slice, columns: slice, is_known: np.ndarray, f: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the tokens of the references in a range that are on a way back.

    Second comes the token of the predictions that each is matched with. Sentences that
    can add nothing to the rows that are known, `is_known`, are left out.
    """
    row_id = tokens.reference.ids.values[rows]
    column_id = tokens.prediction.ids.values[columns]
    if n_equal_pairs(row_id, column_id) > MAX_MATCHES:  # one sentence each
        row, column = tokens_on_long_way(row_id, column_id, f)
    else:
        row_sentence = tokens.reference.sentence[rows]
        column_sentence = tokens.prediction.sentence[columns]
        sentences = row_sentence - row_sentence[0], column_sentence - column_sentence[0]
        matches = SentenceMatches.of_ids((row_id, column_id), sentences)
        ways = tokens_on_ways_back(matches, is_known, f)
        row, column = map(np.concatenate, zip(*ways, strict=True))
    return rows.start + row, columns.start + column
