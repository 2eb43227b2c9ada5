"""Tokens of a column: parts of it, pairs, shared ids, sentences."""

import numpy as np
import pytest
from full_metrics.ngrams import ngram_totals
from full_metrics.skip_bigrams import skip_bigram_totals

from oracles import (
    EDGE_LENGTHS,
    as_tokens,
    joined,
    ngrams,
    random_texts,
    skip_bigrams,
)


@pytest.mark.parametrize("cross_sentences", [True, False])
def test_totals_of_texts(cross_sentences):
    texts = random_texts(np.random.default_rng(10), EDGE_LENGTHS * 5, 9, max_sentences=6)
    units = [[joined(text)] if cross_sentences else text for text in texts]
    for order in (1, 2, 5):
        totals = as_tokens(texts).totals(
            lambda lengths, n=order: ngram_totals(lengths, n)[-1],
            cross_sentences=cross_sentences,
        )
        assert totals.tolist() == [
            sum(ngrams(unit, order).total() for unit in text) for text in units
        ]
    for max_skip in (None, 0, 4):
        totals = as_tokens(texts).totals(
            lambda lengths, n=max_skip: skip_bigram_totals(lengths, n),
            cross_sentences=cross_sentences,
        )
        assert totals.tolist() == [
            sum(skip_bigrams(unit, max_skip).total() for unit in text) for text in units
        ]


def sentences_of(tokens):
    """Return the tokens of each text by sentence; sentences without tokens cannot be seen."""
    texts = []
    for start, end in zip(tokens.ids.offsets[:-1], tokens.ids.offsets[1:], strict=True):
        cuts = np.flatnonzero(np.diff(tokens.sentence[start:end])) + 1
        texts.append(
            [part.tolist() for part in np.split(tokens.ids.values[start:end], cuts) if len(part)]
        )
    return texts


@pytest.mark.parametrize("order", ["same", "reversed", "each twice", "random", "none"])
def test_tokens_taken_have_sentences_in_ascending_order(order):
    """A prediction is taken once for each of its references: its sentences must not run into those
    of the row before, which have the same numbers.
    """
    rng = np.random.default_rng(2)
    texts = [
        [sentence for sentence in text if sentence]
        for text in random_texts(rng, rng.integers(0, 8, 40), 5, max_sentences=4)
    ]
    rows = {
        "same": np.arange(40),
        "reversed": np.arange(40)[::-1],
        "each twice": np.repeat(np.arange(40), 2),
        "random": rng.integers(0, 40, 100),
        "none": np.zeros(0, dtype=np.int64),
    }[order]
    taken = as_tokens(texts).take(rows)
    assert sentences_of(taken) == [texts[row] for row in rows]
    assert (np.diff(taken.sentence) >= 0).all()
    rows_of_sentences = set(
        zip(taken.sentence.tolist(), taken.ids.row_of_value.tolist(), strict=True)
    )
    assert len(rows_of_sentences) == len(set(taken.sentence.tolist())), (
        "a sentence is in one row only"
    )
