"""Token ids -> clipped matches and totals of n-grams.

    matches = sum over n-grams g of min(count of g in the prediction, count of g in the reference)

Several references of one item are taken together as BLEU does: the second count is then
the highest in any one reference (Papineni et al. 2002, section 2.1,
https://aclanthology.org/P02-1040). ROUGE-N (Lin 2004, section 2,
https://aclanthology.org/W04-1013) has pairs: items of one reference each.

The idea of the vectorisation: tokens are numbered per item, so that one number says
which token of which item it is, and counting in all items is one `bincount`. An n-gram
is the number of the (n-1)-gram at the same start and that of one more token; it can
match only where both (n-1)-grams in it match, so ever fewer starts are left. Python
loops run over orders.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .ragged import dense_ids, sums_of_groups
from .tokens import ABSENT, SharedTokens, Tokens

MAX_ORDER = 1000  # of n-grams; longer ones are surely a mistake


def ngram_matches(
    tokens: SharedTokens, max_order: int, *, cross_sentences: bool = True
) -> np.ndarray:
    """Return the clipped matches of all orders up to `max_order`.

    Result: ndarray of int64, shape (max_order, n_items).

    Without `cross_sentences` an n-gram lies within one sentence.
    """
    matches = np.zeros((max_order, tokens.n_items), dtype=np.int64)
    starts = [_NgramStarts.of_tokens(side) for side in tokens.sides]
    item_of_ngram = tokens.item_of_id
    for order in range(1, max_order + 1):
        if order > 1:
            if not all(len(side.start) for side in starts):
                break
            for k, side in enumerate(tokens.sides):
                starts[k] = starts[k].extended(side, order, cross_sentences)
            numbers, key_of_ngram = dense_ids([side.ngram for side in starts])
            for k, number in enumerate(numbers):
                starts[k] = _NgramStarts(starts[k].start, number)
            item_of_ngram = item_of_ngram[key_of_ngram // max(tokens.n_ids, 1)]
        clipped = _clipped_counts(tokens, len(item_of_ngram), *starts)
        matches[order - 1] = sums_of_groups(clipped, item_of_ngram, tokens.n_items)
        starts = [side.kept(clipped > 0) for side in starts]
    return matches


def ngram_totals(lengths: np.ndarray, max_order: int) -> np.ndarray:
    """Return how many n-grams of each order texts of the given lengths have.

    Result: ndarray of int64, shape (max_order, n_texts).

    >>> ngram_totals(np.array([0, 1, 4]), 2).tolist()
    [[0, 1, 4], [0, 0, 3]]
    """
    return np.maximum(lengths - np.arange(max_order)[:, np.newaxis], 0)


@dataclass(frozen=True)
class _NgramStarts:
    """Where on one side an n-gram starts that may match, and its number.

    Columns are ndarrays of int64, shape (n_starts,); `start` is ascending.
    """

    start: np.ndarray
    ngram: np.ndarray

    @classmethod
    def of_tokens(cls, side: Tokens) -> _NgramStarts:
        start = np.flatnonzero(side.ids.values != ABSENT)
        return cls(start, side.ids.values[start])

    def kept(self, is_kept_ngram: np.ndarray) -> _NgramStarts:
        is_kept = is_kept_ngram[self.ngram]
        return _NgramStarts(self.start[is_kept], self.ngram[is_kept])

    def extended(self, side: Tokens, order: int, cross_sentences: bool) -> _NgramStarts:
        """Return the n-grams of this order under keys.

        A key is made of the (n-1)-gram at the same start and one more token.
        """
        is_followed = self.start[1:] == self.start[:-1] + 1
        if order == 2:  # longer ones overlap, so they cannot lie in different texts
            unit = side.ids.row_of_value if cross_sentences else side.sentence
            is_followed &= unit[self.start[1:]] == unit[self.start[:-1]]
        start = self.start[:-1][is_followed]
        last_token = side.ids.values[start + order - 1]
        key = self.ngram[:-1][is_followed] * side.n_types + last_token
        return _NgramStarts(start, key)


def _clipped_counts(
    tokens: SharedTokens,
    n_ngrams: int,
    prediction: _NgramStarts,
    reference: _NgramStarts,
) -> np.ndarray:
    """Return min(count in the prediction, highest count in a reference) of each n-gram.

    Result: ndarray of int64, shape (n_ngrams,).
    """
    prediction_count = np.bincount(prediction.ngram, minlength=n_ngrams)
    n_references = tokens.reference.ids.n_rows
    if n_references == tokens.n_items:
        reference_count = np.bincount(reference.ngram, minlength=n_ngrams)
        return np.minimum(prediction_count, reference_count)
    row = tokens.reference.ids.row_of_value[reference.start]
    (ngram_in_reference,), key = dense_ids([reference.ngram * n_references + row])
    count = np.bincount(ngram_in_reference, minlength=len(key))
    highest_count = np.zeros(n_ngrams, dtype=np.int64)
    np.maximum.at(highest_count, key // n_references, count)
    return np.minimum(prediction_count, highest_count)
