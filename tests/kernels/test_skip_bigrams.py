"""Skip-bigrams against counting with `Counter`."""

from functools import lru_cache

import numpy as np
import pytest

from helpers.kernels import (
    EDGE_LENGTHS,
    as_shared,
    expected_pair_matches,
    random_pairs,
    recording,
)
from rouge_bleu import plain
from rouge_bleu.kernels import skip_bigrams as kernels
from rouge_bleu.kernels.ngrams import ngram_matches
from rouge_bleu.kernels.skip_bigrams import skip_bigram_matches, skip_bigram_totals


def test_no_items_and_no_tokens():
    assert ngram_matches(as_shared([], []), 2).shape == (2, 0)
    assert ngram_matches(as_shared([[]], [[]]), 2).tolist() == [[0], [0]]
    assert ngram_matches(as_shared([[[1]]], [[[2]], [[3]]], np.array([0, 0])), 2).tolist() == [
        [0],
        [0],
    ]
    assert skip_bigram_matches(as_shared([], [])).tolist() == []
    assert skip_bigram_matches(as_shared([[]], [[[1, 2]]])).tolist() == [0]


@lru_cache
def corpus_of_all_vocabularies():
    rng = np.random.default_rng(7)
    columns = [random_pairs(rng, n_types, max_sentences=4, n_short=30) for n_types in (1, 5, 10**6)]
    return tuple([text for column in columns for text in column[side]] for side in (0, 1))


@lru_cache  # the same for each way to count
def expected_in_that_corpus(max_skip, cross_sentences):
    return expected_pair_matches(
        lambda tokens: plain.skip_bigrams(tokens, max_skip),
        *corpus_of_all_vocabularies(),
        cross_sentences=cross_sentences,
    )


TABLE, SORTING = "_matches_by_table", "_matches_by_sorting"
LONG_ITEM, COUNTED = "_matches_of_long_item", "_counted_skip_bigram_matches"
# What is listed at once, cells of a table, the cost of a listed one, and the ways that are gone then.
LIMITS = [
    (kernels._MAX_SKIP_BIGRAMS, kernels._MAX_CELLS_OF_LISTED, kernels._COST_OF_LISTED, {TABLE}),
    (3000, 0, kernels._COST_OF_LISTED, {SORTING}),
    (100, 10**6, 0, {TABLE, LONG_ITEM}),
    (100, 8, 10**9, {TABLE, LONG_ITEM, COUNTED}),
    (1, 8, 0, {TABLE, LONG_ITEM}),
]


@pytest.mark.parametrize("cross_sentences", [True, False])
@pytest.mark.parametrize("max_skip", [None, 0, 4, 10**30])
@pytest.mark.parametrize(("max_listed", "max_cells", "cost_of_listed", "ways"), LIMITS)
def test_skip_bigram_matches(
    monkeypatch, max_listed, max_cells, cost_of_listed, ways, max_skip, cross_sentences
):
    """By tables or sorted; with few listed at once, items are taken by blocks of types, listed or
    counted without a list: in one block, several and one for each type.
    """
    monkeypatch.setattr(kernels, "_MAX_SKIP_BIGRAMS", max_listed)
    monkeypatch.setattr(kernels, "_MAX_CELLS_OF_LISTED", max_cells)
    monkeypatch.setattr(kernels, "_COST_OF_LISTED", cost_of_listed)
    monkeypatch.setattr(kernels, "_MAX_COUNTED_CELLS", max_listed)
    taken = set()
    for name in (TABLE, SORTING, LONG_ITEM, COUNTED):
        monkeypatch.setattr(kernels, name, recording(getattr(kernels, name), name, taken))
    matches = skip_bigram_matches(
        as_shared(*corpus_of_all_vocabularies()), max_skip, cross_sentences=cross_sentences
    )
    assert matches.dtype == np.int64
    assert matches.tolist() == expected_in_that_corpus(max_skip, cross_sentences)
    assert ways <= taken


def test_skip_bigram_gaps_count_tokens_that_the_other_side_lacks():
    prediction, reference = [[1, 8, 8, 2]], [[1, 2]]
    assert [
        skip_bigram_matches(as_shared([prediction], [reference]), skip).tolist()
        for skip in (0, 1, 2)
    ] == [[0], [0], [1]]


def test_skip_bigram_counts_beyond_32_bits():
    """n (n - 1) / 2 skip-bigrams of one kind: Lin 2004, section 5; 70,000 tokens have more than 2
    ** 31.
    """
    text = [[0] * 70_000]
    assert skip_bigram_matches(as_shared([text], [text])).tolist() == [70_000 * 69_999 // 2]
    assert skip_bigram_totals(np.array([70_000])).tolist() == [70_000 * 69_999 // 2]


@pytest.mark.parametrize("max_skip", [None, 0, 1, 4, 63, 10**30])
def test_skip_bigram_totals(max_skip):
    lengths = list(range(12)) + list(EDGE_LENGTHS)
    assert skip_bigram_totals(np.array(lengths), max_skip).tolist() == [
        len(plain.skip_bigrams([0] * length, max_skip)) for length in lengths
    ]
