"""N-grams against counting with `Counter`."""

import numpy as np
import pytest

from helpers.kernels import (
    EDGE_LENGTHS,
    VOCABULARIES,
    as_shared,
    expected_pair_matches,
    joined,
    random_texts,
)
from rouge_bleu import plain
from rouge_bleu import tokens as token_kernels
from rouge_bleu.kernels import ngrams as ngram_kernels
from rouge_bleu.kernels.ngrams import ngram_matches, ngram_totals, ngram_totals_of_order

MAX_ORDER = 6
# Limits of the ways to number n-grams and tokens.
LIMITS = {
    "few keys": {},
    "many keys": {"_MAX_TABLE": 0},
    "ranges of keys": {"_MAX_KEYS": 100, "_LEAST_TOKENS_OF_RANGE": 0},
    "sorted": {
        **{"_MAX_KEYS": 100, "_LEAST_TOKENS_OF_RANGE": 10**6},
        **{"_MAX_TABLE": 0, "_MAX_PLACES_OF_KEY": 0},
    },
}


@pytest.fixture(params=LIMITS.values(), ids=LIMITS, autouse=True)
def limits(request, monkeypatch):
    """With many keys, more than fit into a table, an n-gram that is there once has one key."""
    for name, limit in request.param.items():
        module = ngram_kernels if hasattr(ngram_kernels, name) else token_kernels
        monkeypatch.setattr(module, name, limit)


@pytest.mark.parametrize("cross_sentences", [True, False])
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_ngram_matches_of_several_references(n_types, cross_sentences):
    rng = np.random.default_rng(n_types + 1)
    lengths = rng.permutation(np.concatenate([EDGE_LENGTHS * 4, rng.integers(0, 20, 60)]))
    references = random_texts(rng, lengths, n_types, max_sentences=4)
    item_of_reference = np.sort(
        np.concatenate([np.arange(30), rng.integers(0, 30, len(references) - 30)])
    )
    predictions = random_texts(rng, rng.choice(lengths, 30), n_types, max_sentences=4)
    matches = ngram_matches(
        as_shared(predictions, references, item_of_reference),
        MAX_ORDER,
        cross_sentences=cross_sentences,
    )

    units = (lambda text: [joined(text)]) if cross_sentences else (lambda text: text)
    for order in range(1, MAX_ORDER + 1):
        listed = [
            [ngram for unit in units(text) for ngram in plain.ngrams(unit, order)]
            for text in predictions + references
        ]
        of_item = [
            [listed[30 + k] for k in np.flatnonzero(item_of_reference == item)]
            for item in range(30)
        ]
        assert matches[order - 1].tolist() == [
            plain.clipped_matches(listed[item], *of_item[item]) for item in range(30)
        ], order


@pytest.mark.parametrize("cross_sentences", [True, False])
@pytest.mark.parametrize("max_order", [2, 5, 64, 130])
def test_long_orders_of_unique_ngrams(max_order, cross_sentences):
    """Runs that both texts have, in another order, next to each other and apart; what stands
    twice is counted order by order.
    """
    rng = np.random.default_rng(21)
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
        for order in range(1, max_order + 1):
            expected = expected_pair_matches(
                lambda tokens, n=order: plain.ngrams(tokens, n),
                *sides,
                cross_sentences=cross_sentences,
            )
            assert matches[order - 1].tolist() == expected, order


def test_ngram_totals():
    lengths = np.array(EDGE_LENGTHS)
    expected = [
        [len(plain.ngrams([0] * length, order)) for length in EDGE_LENGTHS]
        for order in range(1, 70)
    ]
    assert ngram_totals(lengths, 69).tolist() == expected
    orders = range(1, 70)
    assert [ngram_totals_of_order(lengths, n).tolist() for n in orders] == expected
