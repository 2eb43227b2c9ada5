"""Pair by pair against the oracles: `Counter`s and the table of the textbook."""

import numpy as np
import pytest

from helpers.oracles import (
    VOCABULARIES,
    clipped_matches,
    highest_counts,
    ngrams,
    random_pairs,
    random_texts,
    summed,
)
from rouge_bleu.kernels.plain_counts import (
    plain_ngram_matches,
)

MAX_ORDER = 5
VOCABULARY = pytest.mark.parametrize("n_types", VOCABULARIES)


def counted(sentences, order):
    return summed(ngrams(sentence, order) for sentence in sentences)


@VOCABULARY
def test_ngram_matches(n_types):
    """Within sentences of one reference, and with several ones."""
    rng = np.random.default_rng(n_types)
    items = [(p, [r]) for p, r in zip(*random_pairs(rng, n_types, max_sentences=5), strict=True)]
    for n_references in (2, 3):
        for lengths in rng.integers(0, 20, (60, 1 + n_references)):
            prediction, *references = random_texts(rng, lengths, n_types)
            items.append((prediction, references))
    for prediction, references in items:
        expected = [
            clipped_matches(
                counted(prediction, order),
                highest_counts(counted(reference, order) for reference in references),
            )
            for order in range(1, MAX_ORDER + 1)
        ]
        assert plain_ngram_matches(prediction, references, MAX_ORDER) == expected
