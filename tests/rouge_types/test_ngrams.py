"""N-grams and skip-bigrams against the textbook, on every path through the code."""

from functools import lru_cache, partial

import numpy as np
import pytest

from helpers.kernels import (
    EDGE_LENGTHS,
    VOCABULARIES,
    as_pairs,
    as_shared,
    joined,
    random_pairs,
    random_texts,
    record,
    together,
)
from rouge_bleu import plain
from rouge_bleu import tokens as token_kernels
from rouge_bleu.kernels import ngrams as ngram_kernels
from rouge_bleu.kernels import skip_bigrams as kernels
from rouge_bleu.kernels.ngrams import ngram_matches, ngram_totals
from rouge_bleu.kernels.skip_bigrams import skip_bigram_matches, skip_bigram_totals
from rouge_bleu.kernels.weighted_lcs import wlcs_scores
from rouge_bleu.rouge_types.lcs import lcs_lengths
from rouge_bleu.rouge_types.summary_lcs import union_lcs_lengths

MAX_ORDER = 6
MAX_SKIPS = [None, 0, 4, 10**30]


def expected_matches(units, predictions, references, cross_sentences):
    """Return the clipped matches of each prediction and its references."""

    def units_of(text):
        parts = [joined(text)] if cross_sentences else text
        return [unit for part in parts for unit in units(part)]

    return [
        plain.clipped_matches(units_of(text), *map(units_of, texts))
        for text, texts in zip(predictions, references, strict=True)
    ]


# --- n-grams --------------------------------------------------------------------------------------

# Limits of the ways to number n-grams and tokens. With many keys, more than fit into a table, an
# n-gram that is there once has one key.
LIMITS = {
    "few keys": {},
    "many keys": {"_MAX_TABLE": 0},
    "ranges of keys": {"_MAX_KEYS": 100, "_LEAST_TOKENS_OF_RANGE": 0},
    "sorted": {
        **{"_MAX_KEYS": 100, "_LEAST_TOKENS_OF_RANGE": 10**6},
        **{"_MAX_TABLE": 0, "_MAX_PLACES_OF_KEY": 0},
    },
}


@pytest.fixture(params=LIMITS.values(), ids=LIMITS)
def limits(request, monkeypatch):
    for name, limit in request.param.items():
        module = ngram_kernels if hasattr(ngram_kernels, name) else token_kernels
        monkeypatch.setattr(module, name, limit)
    sorted_once = record(monkeypatch, ngram_kernels, "dense_ids")
    yield
    assert not sorted_once or "_MAX_TABLE" in request.param
    has_few = "_MAX_PLACES_OF_KEY" not in request.param or "1000000" in request.node.name
    assert sorted_once or has_few


@pytest.mark.parametrize("cross_sentences", [True, False])
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_ngram_matches_of_several_references(limits, n_types, cross_sentences):
    rng = np.random.default_rng(n_types + 1)
    lengths = rng.permutation(np.concatenate([EDGE_LENGTHS * 4, rng.integers(0, 20, 60)]))
    flat = random_texts(rng, lengths, n_types, max_sentences=4)
    example_of_reference = np.sort(np.append(np.arange(30), rng.integers(0, 30, len(flat) - 30)))
    predictions = random_texts(rng, rng.choice(lengths, 30), n_types, max_sentences=4)
    shared = as_shared(predictions, flat, example_of_reference)
    matches = ngram_matches(shared, MAX_ORDER, cross_sentences=cross_sentences)
    references = [[flat[k] for k in np.flatnonzero(example_of_reference == i)] for i in range(30)]
    assert matches.tolist() == [
        expected_matches(
            partial(plain.ngrams, order=order), predictions, references, cross_sentences
        )
        for order in range(1, MAX_ORDER + 1)
    ]


@pytest.mark.parametrize("cross_sentences", [True, False])
@pytest.mark.parametrize("max_order", [2, 5, 64, 130])
def test_long_orders_of_unique_ngrams(monkeypatch, limits, max_order, cross_sentences):
    """Runs that both texts have, in another order, next to each other and apart; what is there
    twice is counted order by order.
    """
    of_runs, rng = record(monkeypatch, ngram_kernels, "_matches_of_runs"), np.random.default_rng(21)
    predictions, references = [], []
    for length in EDGE_LENGTHS:
        text = rng.permutation(length).tolist()
        cuts = np.sort(rng.integers(0, length + 1, 3)).tolist()
        runs = [text[a:b] for a, b in zip([0, *cuts], [*cuts, length], strict=True)]
        predictions.append([text[: cuts[1]], text[cuts[1] :]])
        references.append([runs[2] + runs[0], [1000] + runs[1] + runs[3]])
    for extra in ([], [[[7, 8, 7, 8, 7, 8, 7]]]):
        sides = (predictions + extra, references + extra)
        matches = ngram_matches(as_shared(*sides), max_order, cross_sentences=cross_sentences)
        lists = sides[0], [[text] for text in sides[1]]
        assert matches.tolist() == [
            expected_matches(partial(plain.ngrams, order=order), *lists, cross_sentences)
            for order in range(1, max_order + 1)
        ]
    assert of_runs


def test_ngram_totals():
    lengths, orders = np.array(EDGE_LENGTHS), range(1, 70)
    expected = [[len(plain.ngrams([0] * n, order)) for n in EDGE_LENGTHS] for order in orders]
    assert [ngram_totals(lengths, order).tolist() for order in orders] == expected


# --- skip-bigrams ---------------------------------------------------------------------------------


@lru_cache
def corpus_of_all_vocabularies():
    rng = np.random.default_rng(7)
    return together(*(random_pairs(rng, n, max_sentences=4, n_short=30) for n in (1, 5, 10**6)))


@lru_cache  # the same for each way to count
def expected_in_that_corpus(max_skip, cross_sentences):
    predictions, references = corpus_of_all_vocabularies()
    units = partial(plain.skip_bigrams, max_skip=max_skip)
    return expected_matches(units, predictions, [[text] for text in references], cross_sentences)


TABLE, SORTING, LONG_PAIR = "_matches_by_table", "_matches_by_sorting", "_matches_of_long_pair"
# What is listed at once, cells of a table, what is listed of each token, and the paths that are taken.
PATHS = [
    (kernels._MAX_SKIP_BIGRAMS, kernels._MAX_CELLS_OF_LISTED, 100, {TABLE}),
    (3000, 0, 100, {SORTING}),
    (100, 8, 0, {TABLE, LONG_PAIR}),
    (1, 8, 0, {LONG_PAIR}),
]


@pytest.mark.parametrize("cross_sentences", [True, False])
@pytest.mark.parametrize("max_skip", MAX_SKIPS)
@pytest.mark.parametrize(("max_listed", "max_cells", "max_of_token", "paths"), PATHS)
def test_skip_bigram_matches(
    monkeypatch, max_listed, max_cells, max_of_token, paths, max_skip, cross_sentences
):
    """By tables, sorted, or counted without a list: in several blocks and one for each type."""
    monkeypatch.setattr(kernels, "_MAX_SKIP_BIGRAMS", max_listed)
    monkeypatch.setattr(kernels, "_MAX_CELLS_OF_LISTED", max_cells)
    monkeypatch.setattr(kernels, "_MAX_LISTED_OF_TOKEN", max_of_token)
    monkeypatch.setattr(kernels, "_MAX_COUNTED_CELLS", max_listed)
    taken = record(monkeypatch, kernels, TABLE, SORTING, LONG_PAIR)
    shared = as_shared(*corpus_of_all_vocabularies())
    matches = skip_bigram_matches(shared, max_skip, cross_sentences=cross_sentences)
    assert matches.dtype == np.int64
    assert matches.tolist() == expected_in_that_corpus(max_skip, cross_sentences)
    assert paths <= taken


def test_skip_bigram_counts_beyond_32_bits():
    """n (n - 1) / 2 skip-bigrams of one kind: Lin 2004, section 5; 70,000 tokens have more than 2
    ** 31.
    """
    text = [0] * 70_000
    assert skip_bigram_matches(as_pairs([text], [text])).tolist() == [70_000 * 69_999 // 2]
    assert skip_bigram_totals(np.array([70_000])).tolist() == [70_000 * 69_999 // 2]


@pytest.mark.parametrize("max_skip", [*MAX_SKIPS, 1, 63])
def test_skip_bigram_totals(max_skip):
    lengths = [*range(12), *EDGE_LENGTHS]
    expected = [len(plain.skip_bigrams([0] * length, max_skip)) for length in lengths]
    assert skip_bigram_totals(np.array(lengths), max_skip).tolist() == expected


# --- all kernels ----------------------------------------------------------------------------------

KERNELS = {
    **{"lcs": lcs_lengths, "union lcs": union_lcs_lengths, "skip-bigrams": skip_bigram_matches},
    "weighted lcs": lambda tokens: wlcs_scores(tokens, 1.2),
    "bigrams": lambda tokens: ngram_matches(tokens, 2)[1],
}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_no_items_and_no_tokens(kernel):
    assert kernel(as_shared([], [])).tolist() == []
    empty, other = [[], [[]], [[1, 2]], [[3], []], [[1]]], [[], [[5]], [[]], [[4, 5]], [[2]]]
    for step in (1, -1):  # the last text is empty too
        assert kernel(as_shared(empty[::step], other[::step])).tolist() == [0] * 5
