"""LCS lengths against the table of the textbook, on every way through the code."""

from functools import lru_cache
from itertools import chain

import numpy as np
import pytest

from helpers.kernels import (
    VOCABULARIES,
    as_shared,
    edited_documents,
    joined,
    random_pairs,
    word_edge_pairs,
)
from rouge_bleu.kernels import bit_rows, lcs
from rouge_bleu.kernels.lcs import lcs_lengths
from rouge_bleu.plain import lcs_length

# Thresholds of the ways through the code, and how tables are filled then.
LCS_PATHS = {
    "machine words": ({"_MIN_TABLES_IN_WORDS": 1}, {"words", "packed"}),
    "one integer for all tables": ({"_MIN_TABLES_IN_WORDS": 10**9}, {"packed"}),
    "one integer for some tables": (
        {"_MIN_TABLES_IN_WORDS": 10**9, "_MAX_PACKED_WORDS": 300},
        {"packed", "long"},
    ),
    "an integer for each table": (
        {"_MIN_TABLES_IN_WORDS": 10**9, "MAX_PACKED_BITS": 0},
        {"long"},
    ),
    "pair by pair": ({"_MAX_PLAIN_TOKENS": 10**9}, set()),
}


@lru_cache
def corpus_and_expected(n_types):
    """Texts of all edge lengths, some around whole words, and some with common ends."""
    rng = np.random.default_rng(n_types)
    corpora = (
        random_pairs(rng, n_types),
        word_edge_pairs(1, n_types),
        edited_documents(rng, n_types, 80),
    )
    sides = [list(chain(*texts)) for texts in zip(*corpora, strict=True)]
    return sides, [lcs_length(joined(p), joined(r)) for p, r in zip(*sides, strict=True)]


@pytest.mark.parametrize("path", LCS_PATHS)
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_lcs_lengths(monkeypatch, n_types, path):
    limits, kinds = LCS_PATHS[path]
    monkeypatch.setattr(lcs, "_MAX_PLAIN_TOKENS", 0)
    for name, limit in limits.items():
        monkeypatch.setattr(bit_rows if hasattr(bit_rows, name) else lcs, name, limit)
    taken, batches = set(), lcs.batches_of_tables

    def recorded(*arguments):
        for kind, tables in batches(*arguments):
            taken.add(kind)
            yield kind, tables

    monkeypatch.setattr(lcs, "batches_of_tables", recorded)
    sides, expected = corpus_and_expected(n_types)
    lengths = lcs_lengths(as_shared(*sides))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == expected
    assert taken <= kinds
    assert kinds <= taken or n_types in (1, 10**6)  # common ends leave nothing, or a token


def test_common_ends_have_no_table(monkeypatch):
    """100 equal tokens; then 20 before and 30 behind two that change places, and 8, the fewest that
    are looked for, before two. In the last pair the common ends of the longer text overlap.
    """
    monkeypatch.setattr(lcs, "_MAX_PLAIN_TOKENS", 0)
    n_tokens = []
    batches = lcs.batches_of_tables

    def recorded(n_rows, n_bits, max_bits_in_word):
        n_tokens.extend(zip(n_rows, n_bits, strict=True))
        return batches(n_rows, n_bits, max_bits_in_word)

    monkeypatch.setattr(lcs, "batches_of_tables", recorded)
    up = list(range(100))
    predictions = [up, up, up[:10], up[:9] * 2]
    references = [up, [*up[:20], 69, 20, *up[70:]], [*up[:8], 9, 8], up[:9]]
    shared = as_shared([[p] for p in predictions], [[r] for r in references])
    assert lcs_lengths(shared).tolist() == [100, 51, 9, 9]
    assert n_tokens == [(2, 2), (2, 2)]


@pytest.mark.parametrize("n_between", [62, 126, 190, 318])
def test_carries_go_through_words_without_a_match(n_between):
    """Reference a b g ... g c d, prediction c d a b g: once a and b are found, c and d, whole words
    after them, are no longer. LCS a b g.
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
