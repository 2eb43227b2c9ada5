"""Skip-bigrams: the definition against a plainer form, columns against the definition."""

from functools import lru_cache, partial
from unittest import mock

import numpy as np
import pytest
from hypothesis import given

from helpers.kernels import (
    EDGE_LENGTHS,
    as_pairs,
    as_shared,
    expected_matches,
    random_pairs,
    record,
    together,
)
from helpers.plainer import limits, matches_of, sentences, tokens
from rouge_bleu import plain
from rouge_bleu.kernels import skip_bigrams as kernels
from rouge_bleu.kernels.skip_bigrams import skip_bigram_matches, skip_bigram_totals
from rouge_bleu.rouge_types import skip_bigrams

# --- the definition -------------------------------------------------------------------------------


@given(tokens, tokens, limits)
def test_skip_bigrams(prediction, reference, max_skip):
    def places(length):
        most = length if max_skip is None else max_skip
        return [(i, j) for j in range(length) for i in range(j) if j - i - 1 <= most]

    expected = matches_of(places, prediction, reference)
    assert plain.rouge_s(prediction, reference, max_skip) == expected
    unigrams = plain.rouge_n(prediction, reference, 1)
    assert plain.rouge_su(prediction, reference, max_skip) == (
        expected[0] + unigrams.matches,
        *(sorted({*a, *b}) for a, b in zip(expected[1:], unigrams[1:], strict=True)),
    )


def test_positions_of_repeated_skip_bigrams():
    """By hand: of "aa" once and "ab" twice, the first "aa" and both "ab" are taken: not the third a.

    Of "ab" once, the first: not the second b.
    """
    found = plain.rouge_s("a a a b".split(), "a a b".split())
    assert found == plain.Matches(3, [0, 1, 3], [0, 1, 2])
    assert plain.rouge_s("abb", "ab") == plain.Matches(1, [0, 1], [0, 1])


@given(sentences, sentences, limits)
def test_many_skip_bigrams(prediction, reference, max_skip):
    """A few for each token are listed, more are counted without a list."""
    listed = skip_bigrams.matching_skip_bigrams(prediction, reference, max_skip)
    with mock.patch.object(skip_bigrams, "_MAX_SKIP_BIGRAMS_PER_TOKEN", -1):
        assert skip_bigrams.matching_skip_bigrams(prediction, reference, max_skip) == listed


# --- columns ---------------------------------------------------------------------------------------

MAX_SKIPS = [None, 0, 4, 10**30]


@lru_cache
def corpus_of_all_vocabularies():
    rng = np.random.default_rng(7)
    return together(*(random_pairs(rng, n, max_sentences=4, n_short=30) for n in (1, 5, 10**6)))


@lru_cache  # the same for each way to count
def expected_in_that_corpus(max_skip, cross_sentences):
    predictions, references = corpus_of_all_vocabularies()
    units = partial(plain.skip_bigrams, max_skip=max_skip)
    return expected_matches(units, predictions, [[text] for text in references], cross_sentences)


# Pairs listed at once, cells of a table, pairs listed of each token; is a pair not listed?
PATHS = [
    (kernels._MAX_SKIP_BIGRAMS, kernels._MAX_CELLS_PER_SKIP_BIGRAM, 100, False),
    (3000, 0, 100, False),
    (100, 8, 0, True),
    (1, 8, 0, True),
]


@pytest.mark.parametrize("cross_sentences", [True, False])
@pytest.mark.parametrize("max_skip", MAX_SKIPS)
@pytest.mark.parametrize(("max_listed", "max_cells", "max_of_token", "has_long"), PATHS)
def test_skip_bigram_matches(
    monkeypatch, max_listed, max_cells, max_of_token, has_long, max_skip, cross_sentences
):
    """By tables, sorted, or counted without a list: in several blocks and one for each type."""
    monkeypatch.setattr(kernels, "_MAX_SKIP_BIGRAMS", max_listed)
    monkeypatch.setattr(kernels, "_MAX_CELLS_PER_SKIP_BIGRAM", max_cells)
    monkeypatch.setattr(kernels, "_MAX_SKIP_BIGRAMS_PER_TOKEN", max_of_token)
    monkeypatch.setattr(kernels, "_MAX_COUNTED_CELLS", max_listed)
    taken = record(monkeypatch, kernels, "_matches_of_long_pair")
    shared = as_shared(*corpus_of_all_vocabularies())
    matches = skip_bigram_matches(shared, max_skip, cross_sentences=cross_sentences)
    assert matches.dtype == np.int64
    assert matches.tolist() == expected_in_that_corpus(max_skip, cross_sentences)
    assert bool(taken) == has_long


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
