"""LCS lengths against the table of the textbook, on every way through the code."""

import numpy as np
import pytest
from full_metrics import lcs
from full_metrics.lcs import lcs_lengths

from oracles import (
    EDGE_LENGTHS,
    VOCABULARIES,
    as_shared,
    joined,
    lcs_length,
    lcs_positions,
    long_lcs_positions,
    random_pairs,
    word_edge_pairs,
)

LCS_PATHS = {
    "default thresholds": (8, 24),
    "rows of several words": (8, 1),
    "Python integers from 65 tokens on": (1, 24),
    "Python integers from 129 tokens on": (2, 1),
    "one or the other by number of lanes": (8, 6),
}


@pytest.mark.parametrize("path", LCS_PATHS)
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_lcs_lengths(monkeypatch, n_types, path):
    max_words, min_lanes = LCS_PATHS[path]
    monkeypatch.setattr(lcs, "_MAX_WORDS", max_words)
    monkeypatch.setattr(lcs, "_MIN_LANES", min_lanes)
    predictions, references = random_pairs(np.random.default_rng(n_types), n_types)
    lengths = lcs_lengths(as_shared(predictions, references))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == [
        lcs_length(joined(p), joined(r)) for p, r in zip(predictions, references, strict=True)
    ]


@pytest.mark.parametrize(
    ("max_words", "min_lanes", "expected"),
    [(9, 24, {1, 2, 9, "integers"}), (9, 99, {1, "integers"}), (99, 1, {1, 2, 9, 10})],
)
def test_lcs_lengths_go_the_way_that_thresholds_say(monkeypatch, max_words, min_lanes, expected):
    """60 pairs of 1 word and of 2, 30 of 9, and one of 10."""
    monkeypatch.setattr(lcs, "_MAX_WORDS", max_words)
    monkeypatch.setattr(lcs, "_MIN_LANES", min_lanes)
    ways, in_words, in_integers = set(), lcs._lcs_lengths_in_words, lcs.LongLane.lcs_length
    monkeypatch.setattr(
        lcs,
        "_lcs_lengths_in_words",
        lambda p, r, n_words, n_ids: ways.add(n_words) or in_words(p, r, n_words, n_ids),
    )
    monkeypatch.setattr(
        lcs.LongLane, "lcs_length", lambda lane: ways.add("integers") or in_integers(lane)
    )
    lengths = [1, 64, 65, 128, 576] * 30 + [577]
    texts = [[list(range(length))] for length in lengths]
    assert lcs_lengths(as_shared(texts, texts)).tolist() == lengths
    assert ways == expected


def test_carries_go_from_word_to_word():
    """All tokens equal: every row adds a carry through all its words."""
    lengths = [64, 65, 128, 129, 320, 511, 512]
    texts = [[[0] * length] for length in lengths for _ in range(30)]
    single = [[[0]] for _ in texts]
    assert lcs_lengths(as_shared(texts, texts)).tolist() == [
        length for length in lengths for _ in range(30)
    ]
    assert lcs_lengths(as_shared(single, texts)).tolist() == [1] * len(texts)
    assert lcs_lengths(as_shared(texts, single)).tolist() == [1] * len(texts)


@pytest.mark.parametrize("n_between", [62, 126, 190, 318])
def test_carries_go_through_words_without_a_match(n_between):
    """Reference a b g ... g c d, prediction c d a b g: once a and b are found, c and d, whole words
    behind them, are no longer. LCS a b g.
    """
    a, b, c, d, g = range(5)
    predictions, references = [[[c, d, a, b, g]]] * 30, [[[a, b, *[g] * n_between, c, d]]] * 30
    assert lcs_lengths(as_shared(predictions, references)).tolist() == [3] * 30


def test_lcs_lengths_of_long_texts_that_are_known():
    up = list(range(20_000))
    predictions = [up, up, up, up[::2], up[5:] + up[:5]]
    references = [up, up[::-1], up[1::2], up, up]
    shared = as_shared([[p] for p in predictions], [[r] for r in references])
    assert lcs_lengths(shared).tolist() == [20_000, 1, 10_000, 10_000, 19_995]


def test_the_oracle_of_long_pairs_is_that_of_short_ones():
    predictions, references = random_pairs(np.random.default_rng(2), 4)
    for prediction, reference in zip(predictions, references, strict=True):
        p, r = (np.array(joined(text), dtype=np.int64) for text in (prediction, reference))
        assert long_lcs_positions(p, r) == lcs_positions(p.tolist(), r.tolist())


def test_edge_lengths_are_around_the_word():
    assert lcs.WORD_BITS == 64
    assert {63, 64, 65, 129} <= set(EDGE_LENGTHS)


@pytest.mark.parametrize("n_copies", [1, 30])
@pytest.mark.parametrize("n_types", [2, 40, 10**6])
def test_lcs_lengths_around_whole_words(n_types, n_copies):
    """One of each, and 30 of each, which may go another way through the code."""
    predictions, references = word_edge_pairs(1, n_types)
    expected = [
        lcs_length(joined(p), joined(r)) for p, r in zip(predictions, references, strict=True)
    ]
    shared = as_shared(predictions * n_copies, references * n_copies)
    assert lcs_lengths(shared).tolist() == expected * n_copies
