"""ROUGE-S and ROUGE-SU: two tokens in their order, and in SU single tokens too (Lin 2004, section 5).

At most `max_skip` tokens are between the two. Matches are clipped like n-grams (`ngrams.py`).
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial

import numpy as np

from ..kernels.skip_bigrams import skip_bigram_matches, skip_bigram_totals
from .family import (
    ColumnPairs,
    Columns,
    Count,
    Family,
    ListedPairs,
    Matches,
    Measure,
    Positions,
    Text,
    both_sides,
)
from .ngrams import (
    clipped_counts,
    matches_of_orders,
    matching_positions,
    positions_of_ngrams,
    rouge_n,
    totals_of_units,
)

# --- definition -----------------------------------------------------------------------------------


def skip_bigrams(tokens: Text, max_skip: int | None = None) -> list[tuple[object, object]]:
    """Return the pairs of tokens with at most `max_skip` tokens between them, by the second token.

    >>> skip_bigrams("abc", 0), len(skip_bigrams("abcd"))
    ([('a', 'b'), ('b', 'c')], 6)
    """
    n_before = len(tokens) if max_skip is None else max_skip + 1
    return [
        (other, token)
        for j, token in enumerate(tokens)
        for other in tokens[max(j - n_before, 0) : j]
    ]


def rouge_s(prediction: Text, reference: Text, max_skip: int | None = None) -> Matches:
    """Return the clipped matches of skip-bigrams.

    >>> rouge_s("the gunman kill police".split(), "police killed the gunman".split())
    Matches(matches=1, prediction=[0, 1], reference=[2, 3])
    """
    if max_skip is not None:
        units = partial(skip_bigrams, max_skip=max_skip)
        matches, positions = matching_positions(units, [prediction], [reference])
        return Matches(matches, *positions)
    types = list({*prediction} & {*reference})
    number = {token: k for k, token in enumerate(types)}
    texts = [[number.get(token, -1) for token in text] for text in (prediction, reference)]
    n_matches = np.minimum(*(_count_pairs(text, len(types)) for text in texts))
    marked = [_first_pairs(text, n_matches.copy()) for text in texts]
    return Matches(int(n_matches.sum()), *marked)


def _count_pairs(numbers: list[int], n_types: int) -> np.ndarray:
    """Return how often a text has each skip-bigram of any length, by its second and first token."""
    dtype = np.min_scalar_type(-1 - len(numbers) ** 2 // 2)  # of all skip-bigrams
    count = np.zeros((n_types, n_types), dtype=dtype)
    n_before = np.zeros(n_types, dtype=np.int32)
    for k in numbers:
        if k >= 0:
            count[k] += n_before
            n_before[k] += 1
    return count


def _first_pairs(numbers: list[int], left: np.ndarray) -> list[int]:
    """Return the positions in the first skip-bigrams of any length, as many of each as are `left`."""
    n_before = np.zeros(len(left), dtype=np.int32)
    n_first = n_before.copy()  # of each type: so many of its places are the first of a pair
    marked: set[int] = set()
    for j, k in enumerate(numbers):
        if k >= 0:
            taken = np.minimum(left[k], n_before)
            left[k] -= taken
            np.maximum(n_first, taken, out=n_first)
            if taken.any():
                marked.add(j)
            n_before[k] += 1
    n_left = n_first.tolist()
    for j, k in enumerate(numbers):
        if k >= 0 and n_left[k]:
            n_left[k] -= 1
            marked.add(j)
    return sorted(marked)


def rouge_su(prediction: Text, reference: Text, max_skip: int | None = None) -> Matches:
    """Return the clipped matches of skip-bigrams and unigrams (Lin 2004, section 5.2).

    >>> rouge_su("gunman the killed police".split(), "police killed the gunman".split())
    Matches(matches=4, prediction=[0, 1, 2, 3], reference=[0, 1, 2, 3])
    """
    pairs, words = rouge_s(prediction, reference, max_skip), rouge_n(prediction, reference, 1)
    return Matches(pairs.matches + words.matches, *united(pairs[1:], words[1:]))


def united(first: Positions, second: Positions) -> Positions:
    """Return the positions of two kinds of units together."""
    return sorted({*first[0], *second[0]}), sorted({*first[1], *second[1]})


# --- few pairs, columns, positions ----------------------------------------------------------------


def _n_steps(measure: Measure, pairs: ListedPairs) -> int:
    most = sys.maxsize if measure.max_skip is None else measure.max_skip + 1
    return sum(len(text) * min(len(text) // 2, most) for pair in pairs.texts for text in pair)


def _count_few(measure: Measure, pairs: ListedPairs) -> list[Count]:
    return clipped_counts(partial(skip_bigrams, max_skip=measure.max_skip), pairs.for_ngrams)


def matches_of_pairs(pairs: ColumnPairs, max_skip: int | None) -> np.ndarray:
    """Return the clipped matches of skip-bigrams, ndarray of int64, shape (n_pairs,)."""
    across = pairs.crosses_sentences
    return skip_bigram_matches(pairs.shared_for_ngrams, max_skip, cross_sentences=across)


def _count_columns(measure: Measure, pairs: ColumnPairs) -> Columns:
    total = partial(skip_bigram_totals, max_skip=measure.max_skip)
    matches = pairs.once(matches_of_pairs, measure.max_skip)
    return both_sides(matches, totals_of_units(pairs, total))


def _positions(measure: Measure, pairs: ColumnPairs, pair: int) -> Positions:
    texts = pairs.listed.for_ngrams[pair]
    if measure.max_skip is None and len(texts[0]) == len(texts[1]) == 1:
        return rouge_s(texts[0][0], texts[1][0])[1:]
    units = partial(skip_bigrams, max_skip=measure.max_skip)
    ours, theirs = matching_positions(units, *texts)[1]
    return ours, theirs


SKIP_BIGRAMS = Family(
    name="S",
    pattern=r"rougeS(\*|[0-9]+|)",
    measure=lambda skip: Measure("S", max_skip=int(skip) if skip.isdigit() else None),
    example="rougeS",
    by_sentence=None,
    count_few=_count_few,
    n_steps=_n_steps,
    count_columns=_count_columns,
    positions=_positions,
)

# --- with unigrams --------------------------------------------------------------------------------


def _count_few_with_words(measure: Measure, pairs: ListedPairs) -> list[Count]:
    return clipped_counts(
        lambda tokens: [*skip_bigrams(tokens, measure.max_skip), *tokens], pairs.for_ngrams
    )


def _count_columns_with_words(measure: Measure, pairs: ColumnPairs) -> Columns:
    matches = pairs.once(matches_of_pairs, measure.max_skip) + pairs.once(matches_of_orders)[0]
    return both_sides(
        matches,
        totals_of_units(pairs, lambda n: skip_bigram_totals(n, measure.max_skip) + n),
    )


SKIP_BIGRAMS_AND_UNIGRAMS = replace(
    SKIP_BIGRAMS,
    name="SU",
    pattern=r"rougeSU(\*|[0-9]+|)",
    measure=lambda skip: Measure("SU", max_skip=int(skip) if skip.isdigit() else None),
    example="rougeSU",
    count_few=_count_few_with_words,
    count_columns=_count_columns_with_words,
    positions=lambda measure, pairs, pair: united(
        _positions(measure, pairs, pair), positions_of_ngrams(1, pairs.listed.for_ngrams[pair])
    ),
)
