"""ROUGE-S and ROUGE-SU: two tokens in their order, and in SU single tokens too (Lin 2004, section 5).

At most `max_skip` tokens are between the two. Matches are clipped like n-grams (`ngrams.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from ..kernels.skip_bigrams import skip_bigram_matches, skip_bigram_totals
from .family import ColumnPairs, Columns, Family, PairLists, Positions, RougeType, as_counts
from .matches import Matches, TokenList
from .ngrams import (
    clipped_matches_by_order,
    counts_of_pairs,
    matching_positions,
    positions_of_ngrams,
    rouge_n,
    unit_totals,
)

# Skip-bigrams of a token; with more, it takes less time to count them without a list.
_MAX_SKIP_BIGRAMS_PER_TOKEN = 20

# --- definition -----------------------------------------------------------------------------------


def skip_bigrams(tokens: TokenList, max_skip: int | None = None) -> list[tuple[object, object]]:
    """Return the pairs of tokens with at most `max_skip` tokens between them, by the second token.

    >>> skip_bigrams("abc", 0), len(skip_bigrams("abcd"))
    ([('a', 'b'), ('b', 'c')], 6)
    """
    n_before = len(tokens) if max_skip is None else max_skip + 1
    return [(a, b) for j, b in enumerate(tokens) for a in tokens[max(j - n_before, 0) : j]]


def rouge_s(prediction: TokenList, reference: TokenList, max_skip: int | None = None) -> Matches:
    """Return the clipped matches of skip-bigrams.

    >>> rouge_s("the gunman kill police".split(), "police killed the gunman".split())
    Matches(matches=1, prediction=[0, 1], reference=[2, 3])
    """
    return matching_skip_bigrams([prediction], [reference], max_skip)


def matching_skip_bigrams(
    prediction: Sequence[TokenList], reference: Sequence[TokenList], max_skip: int | None = None
) -> Matches:
    """Return the clipped matches of skip-bigrams inside sentences, and the positions in them.

    If a text has a skip-bigram more often than it counts, its first occurrences are taken. Many are not
    listed: those with the same second token are counted together, by their first token.
    """
    longest = max(map(len, chain(prediction, reference)), default=0)
    if longest <= _MAX_SKIP_BIGRAMS_PER_TOKEN or (
        max_skip is not None and max_skip < _MAX_SKIP_BIGRAMS_PER_TOKEN
    ):
        units = partial(skip_bigrams, max_skip=max_skip)
        matches, positions = matching_positions(units, prediction, reference)
        return Matches(matches, *positions)
    texts = [set(chain.from_iterable(sentences)) for sentences in (prediction, reference)]
    number = {token: k for k, token in enumerate(texts[0] & texts[1])}
    sides = [_SkipWindows(sentences, number, max_skip) for sentences in (prediction, reference)]
    n_matches, zeros = 0, np.zeros(len(number), dtype=np.int64)
    for second in range(len(number)):
        totals = [sum((n for *_, n in side.windows_before(second)), zeros) for side in sides]
        n_common = np.minimum(*totals)
        n_matches += int(n_common.sum())
        for side in sides:
            side.mark_first_matches(second, n_common)
    return Matches(n_matches, *(side.marked_positions() for side in sides))


class _SkipWindows:
    """The tokens of a text that the other text has, as numbers, and those before each of them."""

    def __init__(
        self, sentences: Sequence[TokenList], number: dict[Any, int], max_skip: int | None
    ) -> None:
        numbers = np.array([number.get(t, -1) for one in sentences for t in one], dtype=np.int64)
        lengths = np.array([len(one) for one in sentences], dtype=np.int64)
        first_of_sentence = (lengths.cumsum() - lengths).repeat(lengths)
        self.position = np.flatnonzero(numbers >= 0)
        self.number = numbers[self.position]
        n_before = len(numbers) if max_skip is None else min(max_skip + 1, len(numbers))
        first = np.maximum(self.position - n_before, first_of_sentence[self.position])
        self.first = self.position.searchsorted(first).tolist()  # the start of each window
        self.order = np.argsort(self.number, kind="stable")  # by number; where each one starts:
        self.start = self.number[self.order].searchsorted(np.arange(len(number) + 1))
        self.is_marked = np.zeros(len(self.number), dtype=bool)
        # By place in `order`: how many ranges of marked tokens begin, less those that end.
        self.change = np.zeros(len(self.number) + 1, dtype=np.int64)

    def windows_before(self, second: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Yield each place of a number, and how often each number is before its window and in it."""
        n_numbers = len(self.start) - 1
        before, until = np.zeros((2, n_numbers), dtype=np.int64)
        start = end = 0
        for place in self.order[self.start[second] : self.start[second + 1]].tolist():
            first = self.first[place]
            before += np.bincount(self.number[start:first], minlength=n_numbers)
            until += np.bincount(self.number[end:place], minlength=n_numbers)
            start, end = first, place
            yield place, before, until - before

    def mark_first_matches(self, second: int, n_common: np.ndarray) -> None:
        """Mark the tokens of the first `n_common` skip-bigrams with each first number."""
        left = n_common.copy()
        for place, n_before, n in self.windows_before(second):
            taken = np.minimum(left, n)
            left -= taken
            first = taken.nonzero()[0]
            self.is_marked[place] |= len(first) > 0
            start = self.start[first] + n_before[first]
            self.change[start] += 1
            self.change[start + taken[first]] -= 1

    def marked_positions(self) -> list[int]:
        self.is_marked[self.order[self.change[:-1].cumsum() > 0]] = True
        return self.position[self.is_marked].tolist()


def rouge_su(prediction: TokenList, reference: TokenList, max_skip: int | None = None) -> Matches:
    """Return the clipped matches of skip-bigrams and unigrams (Lin 2004, section 5.2).

    >>> rouge_su("gunman the killed police".split(), "police killed the gunman".split())
    Matches(matches=4, prediction=[0, 1, 2, 3], reference=[0, 1, 2, 3])
    """
    pairs, words = rouge_s(prediction, reference, max_skip), rouge_n(prediction, reference, 1)
    return Matches(pairs.matches + words.matches, *union_of_positions(pairs[1:], words[1:]))


def union_of_positions(first: Positions, second: Positions) -> Positions:
    """Return the positions of two kinds of units together."""
    return sorted({*first[0], *second[0]}), sorted({*first[1], *second[1]})


# --- few pairs, columns, positions ----------------------------------------------------------------


def _n_loop_steps(rouge_type: RougeType, pairs: PairLists) -> int:
    most = sys.maxsize if rouge_type.max_skip is None else rouge_type.max_skip + 1
    return sum(len(text) * min(len(text) // 2, most) for pair in pairs.texts for text in pair)


def skip_bigram_matches_of_pairs(pairs: ColumnPairs, max_skip: int | None) -> np.ndarray:
    """Return the clipped matches of skip-bigrams, ndarray of int64, shape (n_pairs,)."""
    across = pairs.crosses_sentences
    return skip_bigram_matches(pairs.tokens_for_ngrams, max_skip, cross_sentences=across)


def _count_columns(rouge_type: RougeType, pairs: ColumnPairs) -> Columns:
    total = partial(skip_bigram_totals, max_skip=rouge_type.max_skip)
    matches = pairs.count_once(skip_bigram_matches_of_pairs, rouge_type.max_skip)
    return as_counts(matches, unit_totals(pairs, total))


def _positions(rouge_type: RougeType, pairs: ColumnPairs, pair: int) -> Positions:
    prediction, reference = pairs.listed_ids.sentences_for_ngrams[pair]
    return matching_skip_bigrams(prediction, reference, rouge_type.max_skip)[1:]


SKIP_BIGRAMS = Family(
    name="S",
    pattern=r"rougeS(\*|[0-9]+|)",
    parse=lambda skip: RougeType("S", max_skip=int(skip) if skip.isdigit() else None),
    example="rougeS",
    by_sentence=None,
    count_few=lambda rouge_type, pairs: counts_of_pairs(
        partial(skip_bigrams, max_skip=rouge_type.max_skip), pairs.sentences_for_ngrams
    ),
    n_steps=_n_loop_steps,
    count_columns=_count_columns,
    positions=_positions,
)


def _count_columns_with_unigrams(rouge_type: RougeType, pairs: ColumnPairs) -> Columns:
    bigrams = pairs.count_once(skip_bigram_matches_of_pairs, rouge_type.max_skip)
    matches = bigrams + pairs.count_once(clipped_matches_by_order)[0]
    return as_counts(
        matches, unit_totals(pairs, lambda n: skip_bigram_totals(n, rouge_type.max_skip) + n)
    )


SKIP_BIGRAMS_AND_UNIGRAMS = replace(
    SKIP_BIGRAMS,
    name="SU",
    pattern=r"rougeSU(\*|[0-9]+|)",
    parse=lambda skip: RougeType("SU", max_skip=int(skip) if skip.isdigit() else None),
    example="rougeSU",
    count_few=lambda rouge_type, pairs: counts_of_pairs(
        lambda tokens: [*skip_bigrams(tokens, rouge_type.max_skip), *tokens],
        pairs.sentences_for_ngrams,
    ),
    count_columns=_count_columns_with_unigrams,
    positions=lambda rouge_type, pairs, pair: union_of_positions(
        _positions(rouge_type, pairs, pair),
        positions_of_ngrams(1, pairs.listed_ids.sentences_for_ngrams[pair]),
    ),
)
