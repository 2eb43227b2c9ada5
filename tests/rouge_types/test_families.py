"""What all families share: ids and lengths at the edges of each dtype, no tokens, memory and work."""

import tracemalloc
from functools import partial

import numpy as np
import pytest

from helpers.kernels import as_shared, as_tokens, joined, weighted_lcs_positions
from rouge_bleu import plain
from rouge_bleu.kernels import lcs as lcs_tables
from rouge_bleu.kernels import ngrams, skip_bigrams, union_lcs, weighted_lcs
from rouge_bleu.rouge_types import lcs, summary_lcs
from rouge_bleu.tokens import SharedTokens

F = [float(k) ** 1.2 for k in range(100)]
LIMITS = {
    "columns": {},
    "one by one": {
        **{"MAX_PACKED_BITS": 0, "_MAX_TABLE_ENTRIES": 0},
        **{"_MAX_ROWS": 1, "_MAX_MATCHES": 1, "_MAX_CELLS": 9},
        **{"_MAX_SKIP_BIGRAMS": 20, "_MAX_CELLS_PER_SKIP_BIGRAM": 0},
    },
}


@pytest.fixture(params=LIMITS.values(), ids=LIMITS)
def limits(request, monkeypatch):
    for name, limit in request.param.items():
        for module in (lcs_tables, ngrams, skip_bigrams, union_lcs, weighted_lcs):
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
        matches = weighted_lcs.weighted_lcs_matches(shared, 1.2)
        np.testing.assert_allclose(matches, plain.rouge_w(*whole, 1.2).matches, rtol=1e-12)
        mask = weighted_lcs.weighted_lcs_mask(shared, np.array(F))
        first = 0
        for sentence in reference:
            taken = set().union(*(weighted_lcs_positions(p, sentence, F) for p in prediction))
            found = np.flatnonzero(mask[first : first + len(sentence)])
            assert found.tolist() == sorted(taken)
            first += len(sentence)


# --- no tokens ------------------------------------------------------------------------------------

KERNELS = {
    **{"lcs": lcs.lcs_lengths, "union lcs": summary_lcs.union_lcs_lengths},
    "skip-bigrams": skip_bigrams.skip_bigram_matches,
    "weighted lcs": lambda tokens: weighted_lcs.weighted_lcs_matches(tokens, 1.2),
    "bigrams": lambda tokens: ngrams.ngram_matches(tokens, 2)[1],
}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_no_items_and_no_tokens(kernel):
    assert kernel(as_shared([], [])).tolist() == []
    empty, other = [[], [[]], [[1, 2]], [[3], []], [[1]]], [[], [[5]], [[]], [[4, 5]], [[2]]]
    for step in (1, -1):  # the last text is empty too
        assert kernel(as_shared(empty[::step], other[::step])).tolist() == [0] * 5


# --- what must not grow ---------------------------------------------------------------------------

UP = list(range(1_500))
# The memory that a call may take. A list would have an object for each cell or skip-bigram.
MEMORY = {
    # 1,500 * 1,500 cells are 281 KB of bits.
    "weighted LCS": (plain.weighted_lcs_pairs, UP, UP[::-1], [k**1.2 for k in range(1_501)], 1e6),
    "skip-bigrams": (plain.rouge_s, UP, UP[::-1], 1_000, 1e6),
    "best sentences": (plain.best_sentences, [[k, -1] for k in UP[:100]], [[-1]] * 100, None, 2e5),
}


@pytest.mark.parametrize(
    ("function", "prediction", "reference", "more", "limit"), MEMORY.values(), ids=MEMORY
)
def test_memory_is_not_that_of_a_table_of_objects(function, prediction, reference, more, limit):
    tracemalloc.start()
    try:
        function(prediction, reference, *([] if more is None else [more]))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < limit


class Token:
    """A token that counts how often tokens are looked up."""

    n_lookups = 0

    def __init__(self, name):
        self.name = name

    def __hash__(self):
        Token.n_lookups += 1
        return hash(self.name)

    def __eq__(self, other):
        return self.name == other.name


def bigrams_of_references(n):
    """n references of different tokens."""
    return plain.bleu_matches, ([Token(0)], [[Token(k), Token(-k)] for k in range(n)], 2)


def sentences_with_a_common_token(n):
    """n sentences, each with a token that is in one of the other side, and a full stop."""
    return plain.rouge_lsum, (
        [[Token(k), Token(".")] for k in range(n)],
        [[Token(k), Token(".")] for k in reversed(range(n))],
    )


@pytest.mark.parametrize(
    ("call", "growth"), [(bigrams_of_references, 2.2), (sentences_with_a_common_token, 2.2)]
)
def test_work_grows_with_length(call, growth):
    n_lookups = []
    for n in (200, 400):
        function, texts = call(n)
        Token.n_lookups = 0
        function(*texts)
        n_lookups.append(Token.n_lookups)
    assert n_lookups[1] < growth * n_lookups[0]
