"""Union LCS and the best single sentence against tables."""

from functools import lru_cache
from itertools import chain

import numpy as np
import pytest

from helpers.kernels import (
    as_shared,
    edited_documents,
    lcs_positions,
    random_documents,
    random_pairs,
    word_edge_pairs,
)
from helpers.kernels import best_sentence_lcs_lengths as expected_best_sentence_lcs_lengths
from rouge_bleu.kernels import bit_rows, union_lcs
from rouge_bleu.kernels.union_lcs import (
    best_sentence_lcs_lengths,
    union_lcs_lengths,
    union_lcs_mask,
)
from rouge_bleu.plain import union_lcs_length


@pytest.mark.parametrize("n_types", [2, 8, 100])
def test_texts_of_which_one_is_an_edit_of_the_other(monkeypatch, n_types):
    """Sentences that are in the prediction, and words that the others of the same text take."""
    monkeypatch.setattr(union_lcs, "_MAX_PLAIN_STEPS", 0)
    predictions, references = edited_documents(np.random.default_rng(n_types), n_types, 200)
    pairs = list(zip(predictions, references, strict=True))
    shared = as_shared(predictions, references)
    assert union_lcs_lengths(shared).tolist() == [union_lcs_length(p, r) for p, r in pairs]
    expected = [
        np.isin(
            np.arange(len(sentence)),
            list(set().union(*(lcs_positions(p, sentence) for p in prediction))),
        )
        for prediction, reference in pairs
        for sentence in reference
    ]
    assert union_lcs_mask(shared).tolist() == np.concatenate(expected).tolist()


# Values of the thresholds below.
UNION_PATHS = {
    "default thresholds": (2000, 300, 1 << 16, 1 << 16, 1 << 12),
    "machine words": (0, 1, 1 << 16, 1 << 16, 1 << 12),
    "one integer": (0, 10**9, 1 << 16, 1 << 16, 1 << 12),
    "one integer for some tables": (0, 1, 300, 1 << 16, 1 << 12),
    "few matches at a time": (0, 1, 300, 500, 1 << 12),
    "very few matches at a time": (0, 10**9, 1 << 16, 50, 1 << 12),
    "long tables one by one": (0, 1, 20, 1 << 16, 1 << 12),
    "long sentences one by one": (0, 1, 1 << 16, 500, 53),
    "all one by one": (0, 1, 0, 1 << 16, 0),
    "pair by pair": (10**9, 300, 1 << 16, 1 << 16, 1 << 12),
}
_THRESHOLDS = (
    *("_MAX_PLAIN_STEPS", "_MIN_TABLES_IN_WORDS", "_MAX_PACKED_WORDS"),
    *("_MAX_MATCHES", "MAX_PACKED_BITS"),
)


def set_union_path(monkeypatch, path):
    for name, value in zip(_THRESHOLDS, UNION_PATHS[path], strict=True):
        for module in (bit_rows, union_lcs):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)


@lru_cache
def corpus_and_expected(n_types):
    """Short documents, and texts with lengths around the machine word; the union LCS of each pair,
    and the sums of the best sentences.
    """
    rng = np.random.default_rng(n_types)
    corpora = (
        random_documents(rng, n_types, 80),
        random_pairs(rng, n_types, max_sentences=3, n_short=0),
        word_edge_pairs(2, n_types, max_sentences=6),
    )
    sides = [list(chain(*texts)) for texts in zip(*corpora, strict=True)]
    pairs = list(zip(*sides, strict=True))
    union = [union_lcs_length(*pair) for pair in pairs]
    return sides, union, [expected_best_sentence_lcs_lengths(*pair) for pair in pairs]


@pytest.mark.parametrize("path", UNION_PATHS)
@pytest.mark.parametrize("n_types", [1, 3, 40])
def test_union_and_best_sentences(monkeypatch, n_types, path):
    """On every way through the tables."""
    set_union_path(monkeypatch, path)
    sides, union, best = corpus_and_expected(n_types)
    lengths = union_lcs_lengths(as_shared(*sides))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == union
    sums = best_sentence_lcs_lengths(as_shared(*sides))
    assert list(zip(*(column.tolist() for column in sums), strict=True)) == best


def test_union_lcs_of_a_long_pair_in_sentences():
    """20,000 distinct tokens in sentences of 10 against the same in sentences of 25: all are found.
    Backwards in one sentence: one of each.
    """
    up = list(range(20_000))
    of_10, of_25 = (
        [up[start : start + length] for start in range(0, 20_000, length)] for length in (10, 25)
    )
    assert union_lcs_lengths(as_shared([of_10], [of_25])).tolist() == [20_000]
    assert union_lcs_lengths(as_shared([[up[2000::-1]]], [of_25[:80]])).tolist() == [80]
