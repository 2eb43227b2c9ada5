"""Token ids -> clipped matches and totals of skip-bigrams.

A skip-bigram is two tokens in their order, with at most some tokens between them (Lin 2004,
section 5, https://aclanthology.org/W04-1013). Matches are clipped like n-grams.

Vectorised: the skip-bigrams of many pairs are listed as keys, and keys on both sides are counted.
For a pair with few distinct tokens the keys are cells of a table with a row for each first token and
a column for each second one; others are sorted. A long pair with many more skip-bigrams than tokens
is counted without a list. Python loops run over batches, and over the tokens of such a pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from ..arrays import Ragged, batches, key_overlap, offsets_of_lengths, span_indices, sums_of_groups
from ..tokens import UNSHARED, SharedTokens, Tokens

_MAX_SKIP_BIGRAMS = 1 << 18  # listed at once, or cells of tables in memory
_MAX_CELLS_PER_SKIP_BIGRAM = 8  # of a table; a larger one is not made
_MAX_COUNTED_CELLS = 1 << 22  # counts of a long pair in memory
_MAX_SKIP_BIGRAMS_PER_TOKEN = 200  # skip-bigrams of a long pair, on average


def skip_bigram_matches(
    tokens: SharedTokens, max_skip: int | None = None, *, cross_sentences: bool = True
) -> np.ndarray:
    """Return the clipped matches of skip-bigrams of pairs, ndarray of int64, shape (n_pairs,).

    At most `max_skip` tokens are between both (None: any number); without `cross_sentences` both
    are in one sentence.
    """
    sides = [_Windows.from_side(side, max_skip, cross_sentences) for side in tokens.sides]
    # An upper bound of listed skip-bigrams; batches of pairs have a bounded sum.
    n_listed = sides[0].n_skip_bigrams_of_row + sides[1].n_skip_bigrams_of_row
    first_id = tokens.first_id_of_example
    n_ids = np.diff(first_id)
    n_cells = n_ids * n_ids
    has_table = n_cells <= np.minimum(_MAX_CELLS_PER_SKIP_BIGRAM * n_listed, _MAX_SKIP_BIGRAMS)
    n_tokens = sides[0].ids.lengths + sides[1].ids.lengths
    is_long = n_listed > np.maximum(_MAX_SKIP_BIGRAMS, _MAX_SKIP_BIGRAMS_PER_TOKEN * n_tokens)
    matches = np.zeros(tokens.n_examples, dtype=np.int64)
    for counted, load, is_wanted in (
        (partial(_matches_by_keys, in_tables=True), n_listed + n_cells, has_table & ~is_long),
        (partial(_matches_by_keys, in_tables=False), n_listed, ~has_table & ~is_long),
        (_matches_of_long_pair, np.maximum(n_listed, _MAX_SKIP_BIGRAMS), is_long),
    ):
        pairs = np.flatnonzero(is_wanted & (n_listed > 0))
        for first, end in batches(load[pairs], _MAX_SKIP_BIGRAMS):
            batch = pairs[first:end]
            prediction, reference = (side.take(batch, first_id) for side in sides)
            matches[batch] = counted(prediction, reference, n_ids[batch])
    return matches


def skip_bigram_totals(lengths: np.ndarray, max_skip: int | None = None) -> np.ndarray:
    """Return the number of skip-bigrams of texts of given lengths, ndarray of int64.

    Without a limit it is n (n - 1) / 2; a limit subtracts the number for a text `max_skip` + 1
    tokens shorter.

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
class _Windows:
    """The shared tokens of one side, and the window before each, with which it forms skip-bigrams."""

    ids: Ragged  # int64, one row per text
    n_before: np.ndarray  # how many tokens right before each one form a skip-bigram with it, int64

    @classmethod
    def from_side(cls, side: Tokens, max_skip: int | None, cross_sentences: bool) -> _Windows:
        """Return the shared tokens of a side; skip-bigrams stay within a `unit`."""
        is_shared = side.ids.values != UNSHARED
        ids = side.ids.keep(is_shared)
        place = np.flatnonzero(is_shared)
        number = np.arange(len(place))
        unit = ids.row_of_value if cross_sentences else side.sentence_of_token[place]
        is_first = np.diff(unit, prepend=-1) > 0
        first = np.maximum.accumulate(np.where(is_first, number, 0))
        if max_skip is not None:
            n_shared_before = offsets_of_lengths(is_shared)
            window = min(max_skip, len(is_shared)) + 1
            in_window = n_shared_before[np.maximum(place - window, 0)]
            first = np.maximum(first, in_window)
        return cls(ids, number - first)

    @property
    def n_skip_bigrams_of_row(self) -> np.ndarray:
        """Number of skip-bigrams of each row, ndarray of int64."""
        return sums_of_groups(self.n_before, self.ids.row_of_value, self.ids.n_rows)

    def take(self, rows: np.ndarray, first_id: np.ndarray) -> _Windows:
        """Return some rows with ids from 0 on; `first_id` is the first id of each row."""
        index, offsets = self.ids.value_indices(rows)
        token_id = self.ids.values[index] - np.repeat(first_id[rows], np.diff(offsets))
        return _Windows(Ragged(token_id, offsets), self.n_before[index])

    def skip_bigram_keys(self, offset: np.ndarray, factor: np.ndarray) -> np.ndarray:
        """Return offset + first token * factor + second token of each skip-bigram, int64."""
        row, token_id = self.ids.row_of_value, self.ids.values
        key_of_first = offset[row] + token_id * factor[row]
        first, _ = span_indices(np.arange(len(token_id)) - self.n_before, self.n_before)
        return key_of_first[first] + token_id.repeat(self.n_before)


def _matches_by_keys(
    prediction: _Windows, reference: _Windows, n_ids: np.ndarray, *, in_tables: bool
) -> np.ndarray:
    """Return the matches of pairs by keys of skip-bigrams: in a table for each pair, or sorted."""
    offsets = offsets_of_lengths(n_ids * n_ids)
    keys = [side.skip_bigram_keys(offsets[:-1], n_ids) for side in (prediction, reference)]
    if in_tables:
        counts = [np.bincount(key, minlength=offsets[-1]) for key in keys]
        return np.add.reduceat(np.minimum(*counts), offsets[:-1])
    key, n_common = key_overlap(*keys)
    pair = np.searchsorted(offsets, key, side="right") - 1
    return sums_of_groups(n_common, pair, len(n_ids))


def _matches_of_long_pair(prediction: _Windows, reference: _Windows, n_ids: np.ndarray) -> int:
    """Return the matches of one pair without a list, for some ids of the first token at a time."""
    block = max(1, _MAX_COUNTED_CELLS // n_ids[0])
    matches = 0
    for first in range(0, n_ids[0], block):
        first_ids = range(first, min(first + block, n_ids[0]))
        sides = (prediction, reference)
        matches += np.minimum(*(_skip_bigram_counts(s, first_ids, n_ids[0]) for s in sides)).sum()
    return int(matches)


def _skip_bigram_counts(side: _Windows, first_ids: range, n_ids: int) -> np.ndarray:
    """Return how often each id of a range is before each id, int64, shape (n_ids, len(first_ids))."""
    counts = np.zeros((n_ids, len(first_ids)), dtype=np.int64)
    in_window = np.zeros(len(first_ids), dtype=np.int64)
    token_id, n_before = side.ids.values.tolist(), side.n_before.tolist()
    window_start = 0
    for place, second in enumerate(token_id):
        for left in token_id[window_start : place - n_before[place]]:
            if left in first_ids:
                in_window[left - first_ids.start] -= 1
        window_start = place - n_before[place]
        row = counts[second]
        np.add(row, in_window, out=row)
        if second in first_ids:
            in_window[second - first_ids.start] += 1
    return counts
