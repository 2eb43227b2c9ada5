"""Token ids -> clipped matches and totals of n-grams.

`rouge_types/ngrams.py` has the formula. BLEU counts examples of several references (Papineni et al.
2002, section 2.1, https://aclanthology.org/P02-1040), ROUGE pairs: examples of one reference each.

Vectorised: tokens are numbered per example, so that counting in all of them is one
`bincount`. An n-gram is the number of the (n-1)-gram at the same start and that of one more
token; it can match only if both (n-1)-grams in it match, so ever fewer starts are left. Python loops
run over orders.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import dense_ids, number_shared_keys, offsets_of_lengths, sums_of_groups
from ..tokens import UNSHARED, SharedTokens, Tokens

MAX_ORDER = 1000  # of n-grams; a higher order must be a mistake

# A table with an entry for each possible key replaces a sort, unless it is larger than this and
# has more than this many entries per key.
_MAX_TABLE_ENTRIES = 1 << 16
_MAX_ENTRIES_PER_KEY = 32


def ngram_matches(
    tokens: SharedTokens, max_order: int, *, min_order: int = 1, cross_sentences: bool = True
) -> np.ndarray:
    """Return the clipped matches from `min_order` on, int64, shape (max_order, n_examples)."""
    matches = np.zeros((max_order, tokens.n_examples), dtype=np.int64)
    shared = [(side.ids.values != UNSHARED).nonzero()[0] for side in tokens.sides]
    prediction, reference = (
        _NgramStarts(start, side.ids.values.take(start))
        for start, side in zip(shared, tokens.sides, strict=True)
    )
    example_of_ngram = tokens.example_of_id
    for order in range(1, max_order + 1):
        if order > 1:
            followed = [
                _starts_with_next_token(starts, side, order, cross_sentences)
                for starts, side in zip((prediction, reference), tokens.sides, strict=True)
            ]
            prediction, reference, start = _longer_ngrams(tokens, example_of_ngram, *followed)
            example_of_ngram = tokens.prediction.ids.row_of_value[start]
        if not len(example_of_ngram):
            break
        if order >= min_order:
            clipped = _clipped_counts(tokens, example_of_ngram, prediction, reference)
            matches[order - 1] = sums_of_groups(clipped, example_of_ngram, tokens.n_examples)
    return matches


def ngram_totals(lengths: np.ndarray, order: int) -> np.ndarray:
    """Return the number of n-grams of one order, ndarray of int64, shape (n_texts,)."""
    return np.maximum(lengths - (order - 1), 0)


@dataclass(frozen=True)
class _NgramStarts:
    """The starts on one side of n-grams that the other side has too."""

    start: np.ndarray  # index of the first token, ascending, int64, shape (n_starts,)
    ngram: np.ndarray  # number of the n-gram, int64, shape (n_starts,)

    def take(self, index: np.ndarray) -> _NgramStarts:
        """Return some of the starts."""
        return _NgramStarts(self.start.take(index), self.ngram.take(index))


def _starts_with_next_token(
    starts: _NgramStarts, side: Tokens, order: int, cross_sentences: bool
) -> tuple[_NgramStarts, np.ndarray]:
    """Return the (n-1)-grams with which n-grams start, and the id of the token after each."""
    is_followed = starts.start[1:] == starts.start[:-1] + 1
    if order == 2:  # longer ones overlap, so they cannot cross texts
        unit = side.ids.row_of_value if cross_sentences else side.sentence_of_token
        goes_on = unit[1:] == unit[:-1]
        is_followed &= goes_on.take(starts.start[:-1])
    kept = starts.take(is_followed.nonzero()[0])
    return kept, side.ids.values.take(kept.start + (order - 1))


def _longer_ngrams(
    tokens: SharedTokens,
    example_of_ngram: np.ndarray,
    prediction: tuple[_NgramStarts, np.ndarray],
    reference: tuple[_NgramStarts, np.ndarray],
) -> tuple[_NgramStarts, _NgramStarts, np.ndarray]:
    """Number the n-grams that both sides have, given (n-1)-grams and the tokens after them.

    The last array has the start of each n-gram in the predictions, ascending, int64, shape (n_ngrams,).
    """
    # An (n-1)-gram has a key for each token of its example: `a b a c` with `a b c` has the ids 1 0 1 2
    # and 1 0 2, and the keys 3 · id + next id: 3 1 5 and 3 2. Both have 3, so `a b` is bigram 0. One
    # that the prediction has once needs one key, for the token after it: no other token matches.
    (ours, our_token), (theirs, their_token) = prediction, reference
    first_token = tokens.first_id_of_example.take(example_of_ngram)
    n_keys = tokens.first_id_of_example.take(example_of_ngram + 1) - first_token
    if n_keys.sum() > _MAX_TABLE_ENTRIES:  # else there is nothing to gain
        only_token = np.full(len(example_of_ngram), UNSHARED)
        only_token[ours.ngram] = our_token
        is_repeated = np.bincount(ours.ngram, minlength=len(example_of_ngram)) > 1
        may_match = only_token.take(theirs.ngram) == their_token
        may_match |= is_repeated.take(theirs.ngram)
        kept = may_match.nonzero()[0]
        theirs, their_token = theirs.take(kept), their_token.take(kept)
        n_keys = np.where(is_repeated, n_keys, 1)
        first_token = np.where(is_repeated, first_token, only_token)
    first_key = offsets_of_lengths(n_keys)
    key_of_ngram = first_key[:-1] - first_token
    keys = [key_of_ngram.take(ours.ngram) + our_token]
    keys.append(key_of_ngram.take(theirs.ngram) + their_token)
    n_all = int(first_key[-1])
    if n_all > max(_MAX_TABLE_ENTRIES, _MAX_ENTRIES_PER_KEY * sum(map(len, keys))):
        keys, key_of_id = dense_ids(keys)
        n_all = len(key_of_id)
    our_number, their_number, place = number_shared_keys(keys[0], keys[1], n_all)
    shared = []
    for starts, number in ((ours, our_number), (theirs, their_number)):
        kept = (number != UNSHARED).nonzero()[0]
        shared.append(_NgramStarts(starts.start.take(kept), number.take(kept)))
    return shared[0], shared[1], ours.start.take(place)


def _clipped_counts(
    tokens: SharedTokens,
    example_of_ngram: np.ndarray,
    prediction: _NgramStarts,
    reference: _NgramStarts,
) -> np.ndarray:
    """Return min(count in the prediction, highest count in a reference) of each n-gram, int64."""
    n_ngrams = len(example_of_ngram)
    count = np.bincount(prediction.ngram, minlength=n_ngrams)
    if tokens.reference.ids.n_rows == tokens.n_examples:
        return np.minimum(count, np.bincount(reference.ngram, minlength=n_ngrams))
    # A key is an n-gram and one of the references of its example.
    n_references_of_example = np.bincount(tokens.example_of_reference)
    first_of_example = offsets_of_lengths(n_references_of_example)
    first_key = offsets_of_lengths(n_references_of_example[example_of_ngram])
    key_of_ngram = first_key[:-1] - first_of_example[example_of_ngram]
    key = key_of_ngram.take(reference.ngram)
    key += tokens.reference.ids.row_of_value.take(reference.start)
    if first_key[-1] > max(_MAX_TABLE_ENTRIES, _MAX_ENTRIES_PER_KEY * len(key)):
        (key,), key_of_number = dense_ids([key])
        first_key = key_of_number.searchsorted(first_key)
    highest = np.maximum.reduceat(np.bincount(key, minlength=first_key[-1]), first_key[:-1])
    return np.minimum(count, highest)
