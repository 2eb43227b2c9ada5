"""Kernels on ids and lengths at the edges of each dtype and threshold, against the textbook."""

from functools import partial

import numpy as np
import pytest

from helpers.kernels import as_pairs, as_tokens, joined, weighted_lcs_positions
from rouge_bleu import plain, rouge
from rouge_bleu.kernels import bit_rows, ngrams, skip_bigrams, union_lcs, weighted_lcs
from rouge_bleu.rouge_types import lcs, summary_lcs
from rouge_bleu.tokens import SharedTokens

F = [float(k) ** 1.2 for k in range(100)]
LIMITS = {
    "columns": {"_MAX_PLAIN_TOKENS": 0, "_MAX_PLAIN_STEPS": 0},
    "machine words": {"_MAX_PLAIN_TOKENS": 0, "_MAX_PLAIN_STEPS": 0, "_MIN_TABLES_IN_WORDS": 1},
    "one by one": {
        **{"_MAX_PLAIN_TOKENS": 0, "_MAX_PLAIN_STEPS": 0, "MAX_PACKED_BITS": 0, "_MAX_TABLE": 0},
        **{"_MAX_ROWS": 1, "_MAX_MATCHES": 1, "_MAX_CELLS": 9},
        **{"_MAX_SKIP_BIGRAMS": 20, "_MAX_CELLS_OF_LISTED": 0},
    },
}


@pytest.fixture(params=LIMITS.values(), ids=LIMITS)
def limits(request, monkeypatch):
    for name, limit in request.param.items():
        for module in (bit_rows, lcs, ngrams, skip_bigrams, summary_lcs, union_lcs, weighted_lcs):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, limit)


def drawn_pair(rng, edge):
    """Return two texts of two sentences, whose ids are 0, 1 and those around the edge.

    Each has ids that only the common second sentence of the other one has: a kernel that drops
    common ends sees ids on one side that are higher than all of the other side. The second sentence
    has around 8 tokens, the fewest that are dropped.
    """
    pool = [0, 1, edge - 2, edge - 1, edge, edge + 1]
    tail = rng.permutation([*pool, *rng.choice(pool, rng.integers(1, 5))]).tolist()
    first = (
        rng.choice(rng.choice(pool, rng.integers(1, 4)), rng.integers(0, 14)).tolist()
        for _ in range(2)
    )
    return [[sentence, tail] for sentence in first]


def as_shared_ids(prediction, reference, n_ids):
    """Return a pair as the kernels take it, with the given ids, which both sides have."""
    sides = as_tokens([prediction]), as_tokens([reference])
    return SharedTokens(*sides, np.zeros(1, dtype=np.int64), np.zeros(n_ids, dtype=np.int64))


@pytest.mark.parametrize("edge", [2**7, 2**8, 2**15, 2**16])
def test_ids_at_the_edges_of_integers(limits, edge):
    rng = np.random.default_rng(edge)
    for _ in range(40):
        prediction, reference = drawn_pair(rng, edge)
        shared = as_shared_ids(prediction, reference, edge + 2)
        whole = joined(prediction), joined(reference)
        assert lcs.lcs_lengths(shared).tolist() == [plain.lcs_length(*whole)]
        union = plain.union_lcs_length(prediction, reference)
        assert summary_lcs.union_lcs_lengths(shared).tolist() == [union]
        for units, kernel in (
            (partial(plain.ngrams, order=2), lambda tokens: ngrams.ngram_matches(tokens, 2)[1]),
            (plain.skip_bigrams, skip_bigrams.skip_bigram_matches),
        ):
            assert kernel(shared).tolist() == [plain.clipped_matches(*map(units, whole))]
        weighted = plain.rouge_w(*whole, 1.2).matches
        np.testing.assert_allclose(weighted_lcs.wlcs_scores(shared, 1.2), weighted, rtol=1e-12)
        mask = weighted_lcs.weighted_lcs_mask(shared, np.array(F))
        first = 0
        for sentence in reference:
            taken = set().union(*(weighted_lcs_positions(p, sentence, F) for p in prediction))
            found = np.flatnonzero(mask[first : first + len(sentence)])
            assert found.tolist() == sorted(taken)
            first += len(sentence)


@pytest.mark.parametrize("edge", [2**8, 2**16])
def test_lengths_at_the_edges_of_integers(limits, edge):
    """Predictions with that many tokens, which are walked through, and one of a single token."""
    rng = np.random.default_rng(edge)
    predictions = [rng.integers(0, 3, edge + step).tolist() for step in (-1, 0, 1)] + [[1]]
    references = [rng.integers(0, 3, 60).tolist() for _ in predictions]
    expected = list(map(plain.lcs_length, predictions, references))
    assert lcs.lcs_lengths(as_pairs(predictions, references)).tolist() == expected


TAIL = " ".join(f"t{k}" for k in range(300))
# Options, prediction, reference and F of tables with too many matches to list them. Ids of the common
# end, which the rows lack, do not fit into the integers of the ids of the rows.
LONG_TABLES = [
    # A loop over the cells of Lin 2004, section 4: 2388.740393359569 of 1750 and 3200 tokens.
    ({}, "a " * 1450 + TAIL, "a t255 " * 1450 + TAIL, 0.2639766975126081),
    # rouge-metric 1.0.1.
    (
        {"preset": "pyrouge-metric", "output": "fmeasure"},
        *("a t255 " * 3000 + TAIL, "a " * 4000 + "\n" + TAIL, 0.22349182556125805),
    ),
]


@pytest.mark.parametrize(("options", "prediction", "reference", "expected"), LONG_TABLES)
def test_ids_of_long_weighted_tables(options, prediction, reference, expected):
    (score,) = rouge([prediction], [reference], rouge_types=["rougeW"], **options).values()
    assert score == pytest.approx(expected, rel=1e-12)
