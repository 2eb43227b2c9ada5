"""Numbers of distinct n-grams against Python's sets."""

import numpy as np
import pytest

from helpers import oracles
from rouge_bleu.rouge.distinct.ngrams import distinct_ngram_counts


def expected_counts(predictions, references, order):
    """Shared n-grams, those of the predictions and those of the references, as sets."""
    sets = [
        [set(oracles.ngrams(tokens, order)) for tokens in texts]
        for texts in (predictions, references)
    ]
    shared = [len(ours & theirs) for ours, theirs in zip(*sets, strict=True)]
    return [shared, *([len(each) for each in side] for side in sets)]


@pytest.mark.parametrize("n_types", [1, 2, 5, 1000])
def test_random_texts(n_types):
    rng = np.random.default_rng(n_types)
    sides = [
        [rng.integers(n_types, size=length).tolist() for length in rng.integers(0, 30, size=200)]
        for _ in range(2)
    ]
    tokens = oracles.as_tokens([[text] for side in sides for text in side])
    prediction, reference = tokens.between(0, 200), tokens.between(200, 400)
    counts = distinct_ngram_counts(prediction, reference, {1, 2, 3, 7, 29, 40})
    assert list(counts) == [1, 2, 3, 7, 29, 40]
    for order, columns in counts.items():
        assert columns.tolist() == expected_counts(*sides, order)
        assert columns.dtype == np.int64


def test_only_orders_that_are_asked_for():
    tokens = oracles.as_tokens([[[1, 2, 1, 2]], [[1, 2, 3, 1, 2]]])
    counts = distinct_ngram_counts(tokens.between(0, 1), tokens.between(1, 2), [2])
    assert {order: columns.tolist() for order, columns in counts.items()} == {2: [[1], [2], [3]]}


def test_texts_without_tokens():
    tokens = oracles.as_tokens([[], [[]], [], [[]]])
    counts = distinct_ngram_counts(tokens.between(0, 2), tokens.between(2, 4), [1, 2])
    assert {order: columns.tolist() for order, columns in counts.items()} == {
        1: [[0, 0]] * 3,
        2: [[0, 0]] * 3,
    }
