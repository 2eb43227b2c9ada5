"""N-grams: the definition against a plainer form, columns on every path against the definition."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.kernels import (
    EDGE_LENGTHS,
    VOCABULARIES,
    as_shared,
    expected_matches,
    random_texts,
    record,
)
from helpers.plainer import matches_of, tokens
from rouge_bleu import plain
from rouge_bleu import tokens as token_kernels
from rouge_bleu.kernels import ngrams as ngram_kernels
from rouge_bleu.kernels.ngrams import ngram_matches, ngram_totals

MAX_ORDER = 6


@given(tokens, st.lists(tokens, min_size=1, max_size=3), st.integers(1, 4))
def test_ngrams(prediction, references, order):
    def places(length):
        return [range(end - order, end) for end in range(order, length + 1)]

    for some in (references, references[:1]):
        matches, *positions = matches_of(places, prediction, *some)
        assert plain.bleu_matches(prediction, some, order) == (matches, positions[0], positions[1:])
        units = (plain.ngrams(text, order) for text in (prediction, *some))
        assert plain.clipped_matches(*units) == matches
    assert plain.rouge_n(prediction, references[0], order) == (matches, *positions)


# Limits of the ways to number n-grams and tokens. With many keys, more than fit into a table, an
# n-gram that is there once has one key.
LIMITS = {
    "few keys": {},
    "many keys": {"_MAX_TABLE_ENTRIES": 0},
    "ranges of keys": {"_MAX_KEYS": 100},
    "sorted": {"_MAX_KEYS": 100, "_MAX_TABLE_ENTRIES": 0, "_MAX_ENTRIES_PER_KEY": 0},
}


@pytest.fixture(params=LIMITS.values(), ids=LIMITS)
def limits(request, monkeypatch):
    for name, limit in request.param.items():
        module = ngram_kernels if hasattr(ngram_kernels, name) else token_kernels
        monkeypatch.setattr(module, name, limit)
    sorted_once = record(monkeypatch, ngram_kernels, "dense_ids")
    yield
    assert not sorted_once or "_MAX_TABLE_ENTRIES" in request.param
    has_few = "_MAX_ENTRIES_PER_KEY" not in request.param or "1000000" in request.node.name
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


def test_ngram_totals():
    lengths, orders = np.array(EDGE_LENGTHS), range(1, 70)
    expected = [[len(plain.ngrams([0] * n, order)) for n in EDGE_LENGTHS] for order in orders]
    assert [ngram_totals(lengths, order).tolist() for order in orders] == expected
