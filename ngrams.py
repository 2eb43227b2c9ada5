"""Token ids -> clipped matches and totals of n-grams and skip-bigrams.

    matches = sum over n-grams g of min(count of g in the prediction, count of g in the
    reference)

Several references of one item are taken together as BLEU does: the second count is then
the highest in any one reference (Papineni et al. 2002, section 2.1,
https://aclanthology.org/P02-1040). ROUGE-N and ROUGE-S (Lin 2004, sections 2 and 5,
https://aclanthology.org/W04-1013) have pairs: items of one reference each.

The idea of the vectorisation: tokens are numbered per item, so that one number says
which token of which item it is, and counting in all items is one `bincount`. An n-gram
is the number of the (n-1)-gram at the same start and that of one more token; it can
match only where both (n-1)-grams in it match, so ever fewer starts are left. Python
loops run over orders and skip distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .ragged import (
    Tokens,
    batches,
    common_keys,
    dense_ids,
    offsets_of_lengths,
    sums_of_groups,
)

MAX_ORDER = 1000  # of n-grams; longer ones are surely a mistake

_ABSENT = -1  # the id of a token that the other side lacks
_MAX_SKIP_BIGRAMS = (
    1 << 20
)  # so many are listed at once; an item that has more by itself is counted without a list,
_MAX_LISTED_OF_TOKEN = 64  # unless they are few for each of its tokens


@dataclass(frozen=True)
class SharedTokens:
    """Predictions and references with tokens numbered per item, as far as they occur on
    both sides.

    Tokens that the other side lacks match nothing; their id is -1.

    Parameters
    ----------
    prediction : Tokens, one row per item
    reference : Tokens, one row per reference
    item_of_reference : ndarray of int64, shape (n_references,)
        Ascending. `arange(n_items)` where items are pairs.
    item_of_id : ndarray of int64, shape (n_ids,)
        Item of each number, ascending.
    """

    prediction: Tokens
    reference: Tokens
    item_of_reference: np.ndarray
    item_of_id: np.ndarray

    @property
    def n_items(self) -> int:
        return self.prediction.ids.n_rows

    @property
    def n_ids(self) -> int:
        return len(self.item_of_id)

    @property
    def sides(self) -> tuple[Tokens, Tokens]:
        return self.prediction, self.reference


def shared_tokens(
    prediction: Tokens, reference: Tokens, item_of_reference: np.ndarray | None = None
) -> SharedTokens:
    """Number the tokens of each item.

    Parameters
    ----------
    prediction, reference : Tokens
        Tokenized together: equal ids are equal tokens.
    item_of_reference : ndarray of int64 or None
        Ascending, each item at least once; None: reference i belongs to prediction i.
    """
    if item_of_reference is None:
        item_of_reference = np.arange(reference.ids.n_rows)
    n_types = max(prediction.n_types, reference.n_types, 1)
    prediction_key = prediction.ids.row_of_value * n_types + prediction.ids.values
    reference_key = (
        np.repeat(item_of_reference, reference.ids.lengths) * n_types
        + reference.ids.values
    )
    (prediction_id, reference_id), key_of_id = dense_ids(
        [prediction_key, reference_key]
    )
    n_ids = len(key_of_id)
    is_shared = (np.bincount(prediction_id, minlength=n_ids) > 0) & (
        np.bincount(reference_id, minlength=n_ids) > 0
    )
    shared_id = np.where(is_shared, np.cumsum(is_shared) - 1, _ABSENT)
    n_shared = int(np.count_nonzero(is_shared))
    return SharedTokens(
        Tokens(
            prediction.ids.with_values(shared_id[prediction_id]),
            prediction.sentence,
            n_shared,
        ),
        Tokens(
            reference.ids.with_values(shared_id[reference_id]),
            reference.sentence,
            n_shared,
        ),
        item_of_reference,
        key_of_id[is_shared] // n_types,
    )


def ngram_matches(
    tokens: SharedTokens, max_order: int, *, cross_sentences: bool = True
) -> np.ndarray:
    """Return the clipped matches of all orders up to `max_order`, ndarray of int64,
    shape (max_order, n_items).

    Without `cross_sentences` an n-gram lies within one sentence.
    """
    matches = np.zeros((max_order, tokens.n_items), dtype=np.int64)
    prediction, reference = (_NgramStarts.of_tokens(side) for side in tokens.sides)
    item_of_ngram = tokens.item_of_id
    for order in range(1, max_order + 1):
        if order > 1:
            if not (len(prediction.start) and len(reference.start)):
                break
            prediction, reference = (
                starts.extended(side, order, cross_sentences)
                for starts, side in zip(
                    (prediction, reference), tokens.sides, strict=True
                )
            )
            (prediction_ngram, reference_ngram), key_of_ngram = dense_ids(
                [prediction.ngram, reference.ngram]
            )
            prediction, reference = (
                prediction.renamed(prediction_ngram),
                reference.renamed(reference_ngram),
            )
            item_of_ngram = item_of_ngram[key_of_ngram // max(tokens.n_ids, 1)]
        clipped = _clipped_counts(prediction, reference, len(item_of_ngram), tokens)
        matches[order - 1] = sums_of_groups(clipped, item_of_ngram, tokens.n_items)
        prediction, reference = (
            prediction.kept(clipped > 0),
            reference.kept(clipped > 0),
        )
    return matches


def ngram_totals(lengths: np.ndarray, max_order: int) -> np.ndarray:
    """Return how many n-grams of each order texts of the given lengths have, ndarray of
    int64, shape (max_order, n_texts).

    >>> ngram_totals(np.array([0, 1, 4]), 2).tolist()
    [[0, 1, 4], [0, 0, 3]]
    """
    return np.maximum(lengths - np.arange(max_order)[:, np.newaxis], 0)


def totals_of_texts(
    side: Tokens,
    totals: Callable[[np.ndarray], np.ndarray],
    *,
    cross_sentences: bool = True,
) -> np.ndarray:
    """Return `totals`, a function of lengths, of each text, or summed over the
    sentences of each text; ndarray of int64, shape (n_texts,).
    """
    if cross_sentences:
        return totals(side.ids.lengths)
    first = np.flatnonzero(np.diff(side.sentence, prepend=-1))
    lengths = np.diff(np.append(first, len(side.sentence)))
    return sums_of_groups(
        totals(lengths), side.ids.row_of_value[first], side.ids.n_rows
    )


@dataclass(frozen=True)
class _NgramStarts:
    """Where on one side an n-gram starts that may match, ascending, and the number of
    that n-gram; ndarrays of int64.
    """

    start: np.ndarray
    ngram: np.ndarray

    @classmethod
    def of_tokens(cls, side: Tokens) -> _NgramStarts:
        start = np.flatnonzero(side.ids.values != _ABSENT)
        return cls(start, side.ids.values[start])

    def renamed(self, ngram: np.ndarray) -> _NgramStarts:
        return _NgramStarts(self.start, ngram)

    def kept(self, is_kept_ngram: np.ndarray) -> _NgramStarts:
        is_kept = is_kept_ngram[self.ngram]
        return _NgramStarts(self.start[is_kept], self.ngram[is_kept])

    def extended(self, side: Tokens, order: int, cross_sentences: bool) -> _NgramStarts:
        """Return the n-grams of this order under keys: the (n-1)-gram at the same
        start, and one more token.
        """
        is_followed = self.start[1:] == self.start[:-1] + 1
        if order == 2:  # longer ones overlap, so they cannot lie in different texts
            unit = side.ids.row_of_value if cross_sentences else side.sentence
            is_followed &= unit[self.start[1:]] == unit[self.start[:-1]]
        start = self.start[:-1][is_followed]
        return _NgramStarts(
            start,
            self.ngram[:-1][is_followed] * side.n_types
            + side.ids.values[start + order - 1],
        )


def _clipped_counts(
    prediction: _NgramStarts,
    reference: _NgramStarts,
    n_ngrams: int,
    tokens: SharedTokens,
) -> np.ndarray:
    """Return min(count in the prediction, highest count in a reference) of each n-gram,
    ndarray of int64, shape (n_ngrams,).
    """
    prediction_count = np.bincount(prediction.ngram, minlength=n_ngrams)
    n_references = tokens.reference.ids.n_rows
    if n_references == tokens.n_items:
        return np.minimum(
            prediction_count, np.bincount(reference.ngram, minlength=n_ngrams)
        )
    (ngram_in_reference,), key = dense_ids(
        [
            reference.ngram * n_references
            + tokens.reference.ids.row_of_value[reference.start]
        ]
    )
    ngram = key // n_references
    highest_count = np.zeros(n_ngrams, dtype=np.int64)
    np.maximum.at(
        highest_count, ngram, np.bincount(ngram_in_reference, minlength=len(key))
    )
    return np.minimum(prediction_count, highest_count)


# --- skip-bigrams ---------------------------------------------------------------------


def skip_bigram_matches(
    tokens: SharedTokens, max_skip: int | None = None, *, cross_sentences: bool = True
) -> np.ndarray:
    """Return the clipped matches of skip-bigrams, ndarray of int64, shape (n_items,).
    Items must be pairs.

    A skip-bigram is two tokens in their order with at most `max_skip` tokens between
    them (None: any number); without `cross_sentences` both are in one sentence.
    """
    sides = [
        _SkipSide.of_tokens(side, max_skip, cross_sentences) for side in tokens.sides
    ]
    # Not more than these are listed; items are taken together up to a bounded sum.
    n_listed = np.sum([side.n_skip_bigrams(tokens.n_items) for side in sides], axis=0)
    matches = np.zeros(tokens.n_items, dtype=np.int64)
    for first_item, end_item in batches(n_listed, _MAX_SKIP_BIGRAMS):
        batch = [side.rows(first_item, end_item) for side in sides]
        if n_listed[first_item] > max(
            _MAX_SKIP_BIGRAMS,
            _MAX_LISTED_OF_TOKEN * sum(len(side.row) for side in batch),
        ):
            matches[first_item] = _counted_skip_bigram_matches(*batch)
            continue
        key, n_common = common_keys(
            *(side.skip_bigrams(tokens.n_ids) for side in batch)
        )
        matches += sums_of_groups(
            n_common, tokens.item_of_id[key // max(tokens.n_ids, 1)], tokens.n_items
        )
    return matches


def skip_bigram_totals(lengths: np.ndarray, max_skip: int | None = None) -> np.ndarray:
    """Return the number of skip-bigrams of texts of the given lengths, ndarray of
    int64.

    Without a limit n (n - 1) / 2; a limit takes away those of a text that is `max_skip`
    + 1 tokens shorter.

    >>> skip_bigram_totals(np.array([0, 1, 4, 7])).tolist(), skip_bigram_totals(np.array([4, 7]), 1).tolist()
    ([0, 0, 6, 21], [5, 11])
    """
    lengths = lengths.astype(np.int64)
    longest = int(lengths.max(initial=0))
    n_beyond = np.maximum(
        lengths - 1 - (longest if max_skip is None else min(max_skip, longest)), 0
    )
    return lengths * (lengths - 1) // 2 - n_beyond * (n_beyond - 1) // 2


@dataclass(frozen=True)
class _SkipSide:
    """The shared tokens of one side, all rows together; ndarrays of int64, shape
    (n_shared_tokens,).

    `first[k]` is the first token, as an index into these arrays, that makes a
    skip-bigram with token k. The tokens from there up to k - 1 all do.
    """

    token_id: np.ndarray
    row: np.ndarray
    first: np.ndarray

    @classmethod
    def of_tokens(
        cls, side: Tokens, max_skip: int | None, cross_sentences: bool
    ) -> _SkipSide:
        place = np.flatnonzero(side.ids.values != _ABSENT)
        row = side.ids.row_of_value[place]
        unit = row if cross_sentences else side.sentence[place]
        first = np.searchsorted(unit, unit)
        if max_skip is not None:
            first = np.maximum(
                first,
                np.searchsorted(place, place - min(max_skip, len(side.ids.values)) - 1),
            )
        return cls(side.ids.values[place], row, first)

    def n_skip_bigrams(self, n_rows: int) -> np.ndarray:
        return sums_of_groups(np.arange(len(self.row)) - self.first, self.row, n_rows)

    def rows(self, first_row: int, end_row: int) -> _SkipSide:
        start, end = np.searchsorted(self.row, [first_row, end_row])
        return _SkipSide(
            self.token_id[start:end], self.row[start:end], self.first[start:end] - start
        )

    def skip_bigrams(self, n_ids: int) -> np.ndarray:
        """Return the key of each skip-bigram, ndarray of int64: number of the first
        token * n_ids + number of the second.
        """
        second = np.arange(len(self.token_id))
        keys = [np.zeros(0, dtype=np.int64)]
        for distance in range(1, len(second)):
            second = second[second - distance >= self.first[second]]
            if not len(second):
                break
            keys.append(
                self.token_id[second - distance] * n_ids + self.token_id[second]
            )
        return np.concatenate(keys)


def _counted_skip_bigram_matches(prediction: _SkipSide, reference: _SkipSide) -> int:
    """Return the clipped matches of one long pair without a list of its skip-bigrams.

    For a block of types a, the number of skip-bigrams (a, b) on a side is the number of
    a in the window before each b, summed over the b. Memory is the block size times the
    number of tokens.
    """
    (prediction_id, reference_id), type_of_id = dense_ids(
        [prediction.token_id, reference.token_id]
    )
    n_types = len(type_of_id)
    block = max(1, _MAX_SKIP_BIGRAMS // max(len(prediction_id), len(reference_id)))
    matches = 0
    for start in range(0, n_types, block):
        types = np.arange(start, min(start + block, n_types))
        counts = [
            _skip_bigram_counts(ids, side.first, types, n_types)
            for ids, side in ((prediction_id, prediction), (reference_id, reference))
        ]
        matches += int(np.minimum(*counts).sum())
    return matches


def _skip_bigram_counts(
    token_id: np.ndarray, first: np.ndarray, types: np.ndarray, n_types: int
) -> np.ndarray:
    """Return how often each type of `types` stands before each type, ndarray of int32,
    shape (len(types), n_types).

    All `n_types` types occur in `token_id`.
    """
    n_before = np.zeros((len(types), len(token_id) + 1), dtype=np.int32)
    np.cumsum(
        token_id == types[:, np.newaxis], axis=1, out=n_before[:, 1:], dtype=np.int32
    )
    by_type = np.argsort(token_id, kind="stable")
    in_window = n_before[:, by_type] - n_before[:, first[by_type]]
    return np.add.reduceat(
        in_window,
        offsets_of_lengths(np.bincount(token_id, minlength=n_types))[:-1],
        axis=1,
    )
