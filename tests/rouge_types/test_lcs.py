"""LCS: the definition against a plainer form, columns on every path against the definition."""

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given

from helpers.kernels import (
    VOCABULARIES,
    as_pairs,
    as_shared,
    edited_documents,
    joined,
    random_pairs,
    together,
    word_edge_pairs,
)
from helpers.plainer import lcs_taken, tokens
from rouge_bleu import plain
from rouge_bleu.kernels import lcs
from rouge_bleu.rouge_types import lcs as rouge_l


@given(tokens, tokens)
def test_longest_common_subsequence(prediction, reference):
    length, taken = lcs_taken(prediction, reference)
    found = plain.rouge_l(prediction, reference)
    assert (plain.lcs_length(prediction, reference), found.matches) == (length, length)
    assert found.reference == taken
    assert found.prediction == sorted({*found.prediction})
    assert [prediction[i] for i in found.prediction] == [reference[j] for j in taken]


@pytest.fixture
def tables(monkeypatch):
    """How tables were filled."""
    filled, batches = [], lcs.batches_of_tables

    def recorded(*sizes, **options):
        for kind, some in batches(*sizes, **options):
            filled.append(kind)
            yield kind, some

    monkeypatch.setattr(lcs, "batches_of_tables", recorded)
    return filled


@lru_cache
def corpus_and_expected(n_types):
    """Texts of all edge lengths, some around whole words, and some with common ends."""
    rng = np.random.default_rng(n_types)
    sides = together(
        random_pairs(rng, n_types),
        word_edge_pairs(rng, n_types),
        edited_documents(rng, n_types, 80),
    )
    return sides, [plain.lcs_length(joined(p), joined(r)) for p, r in zip(*sides, strict=True)]


# How tables are filled, and the limits for it.
PATHS = {
    "BitTables": {},
    "BitTables LongTable": {"_MAX_PACKED_WORDS": 300},
    "LongTable": {"MAX_PACKED_BITS": 0},
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_lcs_lengths(monkeypatch, tables, n_types, path):
    for name, limit in PATHS[path].items():
        monkeypatch.setattr(lcs, name, limit)
    sides, expected = corpus_and_expected(n_types)
    lengths = rouge_l.lcs_lengths(as_shared(*sides))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == expected
    kinds = {kind.__name__ for kind in tables}
    assert kinds <= {*path.split()}
    # Of 10 ** 6 types hardly a token is shared.
    assert kinds == {*path.split()} or n_types == 10**6


@pytest.mark.parametrize("n_between", [62, 126, 190, 318])
def test_carries_go_through_words_without_a_match(n_between):
    """Reference a b g ... g c d, prediction c d a b g: once a and b are found, c and d, whole words
    after them, are no longer. LCS a b g.
    """
    a, b, c, d, g = range(5)
    shared = as_pairs([[c, d, a, b, g]] * 30, [[a, b, *[g] * n_between, c, d]] * 30)
    assert rouge_l.lcs_lengths(shared).tolist() == [3] * 30
