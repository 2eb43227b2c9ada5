"""Skip-bigrams against counting with `Counter`."""

from functools import lru_cache

import numpy as np
import pytest

from helpers.oracles import (
    EDGE_LENGTHS,
    as_shared,
    expected_pair_matches,
    random_pairs,
    skip_bigrams,
)
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
        lambda tokens: skip_bigrams(tokens, max_skip),
        *corpus_of_all_vocabularies(),
        cross_sentences=cross_sentences,
    )


@pytest.mark.parametrize("cross_sentences", [True, False])
@pytest.mark.parametrize("max_skip", [None, 0, 4, 10**30])
@pytest.mark.parametrize(
    ("max_listed", "max_cells", "cost_of_listed"),
    [
        (kernels._MAX_SKIP_BIGRAMS, kernels._MAX_CELLS_OF_LISTED, kernels._COST_OF_LISTED),
        (3000, 0, kernels._COST_OF_LISTED),
        (100, 10**6, 0),
        (100, 8, 10**9),
        (1, 8, 0),
    ],
)
def test_skip_bigram_matches(
    monkeypatch, max_listed, max_cells, cost_of_listed, max_skip, cross_sentences
):
    """By tables or sorted; with few listed at once, items are taken by blocks of types, listed or
    counted without a list: in one block, several and one for each type.
    """
    monkeypatch.setattr(kernels, "_MAX_SKIP_BIGRAMS", max_listed)
    monkeypatch.setattr(kernels, "_MAX_CELLS_OF_LISTED", max_cells)
    monkeypatch.setattr(kernels, "_COST_OF_LISTED", cost_of_listed)
    monkeypatch.setattr(kernels, "_MAX_COUNTED_CELLS", max_listed)
    matches = skip_bigram_matches(
        as_shared(*corpus_of_all_vocabularies()), max_skip, cross_sentences=cross_sentences
    )
    assert matches.dtype == np.int64
    assert matches.tolist() == expected_in_that_corpus(max_skip, cross_sentences)


def recording(kernel, name, taken):
    """Return the kernel as a function that notes its name when it is called."""

    def recorded(*sides):
        taken.append(name)
        return kernel(*sides)

    return recorded


@pytest.mark.parametrize(
    ("constants", "expected"),
    [
        ({}, ["_matches_by_table"]),
        ({"_MAX_CELLS_OF_LISTED": 0}, ["_matches_by_sorting"]),
        (
            {"_MAX_SKIP_BIGRAMS": 20, "_COST_OF_STEP": 1},
            ["_matches_by_table", "_matches_of_long_item", "_counted_skip_bigram_matches"],
        ),
        (
            {"_MAX_SKIP_BIGRAMS": 20, "_COST_OF_LISTED": 0},
            ["_matches_by_table", "_matches_of_long_item"],
        ),
    ],
)
def test_each_way_of_counting_skip_bigrams_is_taken(monkeypatch, constants, expected):
    """The test above would not notice thresholds that lead nowhere. 90 skip-bigrams in 20 tokens of
    one type, and 12 in 8.
    """
    taken = []
    kernel_names = ["_matches_by_table", "_matches_by_sorting", "_counted_skip_bigram_matches"]
    for name in [*kernel_names, "_matches_of_long_item"]:
        monkeypatch.setattr(kernels, name, recording(getattr(kernels, name), name, taken))
    for name, value in constants.items():
        monkeypatch.setattr(kernels, name, value)
    tokens = as_shared([[[0] * 10], [[0] * 4]], [[[0] * 10], [[0] * 4]])
    assert skip_bigram_matches(tokens).tolist() == [45, 6]
    assert taken == expected


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
        skip_bigrams([0] * length, max_skip).total() for length in lengths
    ]
