"""Token ids -> clipped matches and totals of skip-bigrams.

A skip-bigram is two tokens in their order, with at most some tokens between them (Lin
2004, section 5, https://aclanthology.org/W04-1013). Matches are clipped as those of
n-grams are.

The idea of the vectorisation: for each distance between the two tokens all skip-bigrams
of all pairs are listed at once, as keys, and sorted. A pair that has too many of them
is counted without a list, some types of first tokens at a time. Python loops run over
distances, or over blocks of types.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .ragged import batches, common_keys, dense_ids, offsets_of_lengths, sums_of_groups
from .tokens import ABSENT, SharedTokens, Tokens

# So many are listed at once. A pair that has more by itself is counted without a list,
# unless they are few for each of its tokens.
_MAX_SKIP_BIGRAMS = 1 << 20
_MAX_LISTED_OF_TOKEN = 64


def skip_bigram_matches(
    tokens: SharedTokens, max_skip: int | None = None, *, cross_sentences: bool = True
) -> np.ndarray:
    """Return the clipped matches of skip-bigrams.

    Result: ndarray of int64, shape (n_items,). Items must be pairs.

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
        n_tokens = sum(len(side.row) for side in batch)
        if n_listed[first_item] > max(
            _MAX_SKIP_BIGRAMS, _MAX_LISTED_OF_TOKEN * n_tokens
        ):
            matches[first_item] = _counted_skip_bigram_matches(*batch)
            continue
        keys = [side.skip_bigrams(tokens.n_ids) for side in batch]
        key, n_common = common_keys(*keys)
        item = tokens.item_of_id[key // max(tokens.n_ids, 1)]
        matches += sums_of_groups(n_common, item, tokens.n_items)
    return matches


def skip_bigram_totals(lengths: np.ndarray, max_skip: int | None = None) -> np.ndarray:
    """Return the number of skip-bigrams of texts of the given lengths.

    Result: ndarray of int64.

    Without a limit n (n - 1) / 2; a limit takes away those of a text that is `max_skip`
    + 1 tokens shorter.

    >>> skip_bigram_totals(np.array([0, 1, 4, 7])).tolist()
    [0, 0, 6, 21]
    >>> skip_bigram_totals(np.array([4, 7]), 1).tolist()
    [5, 11]
    """
    lengths = lengths.astype(np.int64)
    longest = int(lengths.max(initial=0))
    limit = longest if max_skip is None else min(max_skip, longest)
    n_beyond = np.maximum(lengths - 1 - limit, 0)
    return lengths * (lengths - 1) // 2 - n_beyond * (n_beyond - 1) // 2


@dataclass(frozen=True)
class _SkipSide:
    """The shared tokens of one side, all rows together.

    Columns are ndarrays of int64, shape (n_shared_tokens,).

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
        place = np.flatnonzero(side.ids.values != ABSENT)
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
        """Return the key of each skip-bigram, ndarray of int64.

        It is the number of the first token * n_ids + that of the second.
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
    """Return how often each type of `types` stands before each type.

    All `n_types` types occur in `token_id`. Result: ndarray of int32, shape
    (len(types), n_types).
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
