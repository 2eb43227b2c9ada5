"""LCS lengths against the table of the textbook, on every way through the code."""

from functools import lru_cache
from itertools import chain

import numpy as np
import pytest

from helpers.oracles import (
    VOCABULARIES,
    as_shared,
    edited_documents,
    joined,
    lcs_length,
    random_pairs,
    word_edge_pairs,
)
from rouge_bleu.kernels.lcs import lengths as lcs
from rouge_bleu.kernels.lcs.lengths import lcs_lengths

# MIN_LANES_IN_WORDS, MAX_PACKED_WORDS, _CELLS_OF_MATCH, _MAX_PLAIN_TOKENS
LCS_PATHS = {
    "default thresholds": (300, 1 << 16, 5000, 3000),
    "machine words": (1, 1 << 16, 5000, 0),
    "one integer for all lanes": (10**9, 1 << 16, 5000, 0),
    "one integer for some lanes": (10**9, 300, 5000, 0),
    "an integer for each lane": (10**9, 0, 10**12, 0),
    "match by match": (10**9, 0, 0, 0),
    "pair by pair": (300, 1 << 16, 5000, 10**9),
}


def set_lcs_path(monkeypatch, path):
    names = ("MIN_LANES_IN_WORDS", "MAX_PACKED_WORDS", "_CELLS_OF_MATCH", "_MAX_PLAIN_TOKENS")
    for name, value in zip(names, LCS_PATHS[path], strict=True):
        monkeypatch.setattr(lcs, name, value)


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
    set_lcs_path(monkeypatch, path)
    sides, expected = corpus_and_expected(n_types)
    lengths = lcs_lengths(as_shared(*sides))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == expected


def test_common_ends_have_no_table(monkeypatch):
    """100 equal tokens; then 20 before and 30 behind two that change places, and 8, the fewest that
    are looked for, before two. In the last pair the common ends of the longer text overlap.
    """
    monkeypatch.setattr(lcs, "_MAX_PLAIN_TOKENS", 0)
    n_tokens = []
    kernel = lcs._lengths_of_lanes

    def recorded(texts, walked, in_bits, n_ids):
        n_tokens.extend(zip(texts.length[walked], texts.length[in_bits], strict=True))
        return kernel(texts, walked, in_bits, n_ids)

    monkeypatch.setattr(lcs, "_lengths_of_lanes", recorded)
    up = list(range(100))
    predictions = [up, up, up[:10], up[:9] * 2]
    references = [up, [*up[:20], 69, 20, *up[70:]], [*up[:8], 9, 8], up[:9]]
    shared = as_shared([[p] for p in predictions], [[r] for r in references])
    assert lcs_lengths(shared).tolist() == [100, 51, 9, 9]
    assert n_tokens == [(2, 2), (2, 2)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("default thresholds", {"packed", "matches"}),
        ("machine words", {"words", "packed", "matches"}),
        ("one integer for some lanes", {"packed", "integer", "matches"}),
        ("an integer for each lane", {"integer"}),
        ("match by match", {"matches"}),
        ("pair by pair", {"pair"}),
    ],
)
def test_lcs_lengths_go_the_way_that_thresholds_say(monkeypatch, path, expected):
    """10 pairs of 64 and of 65 tokens, all distinct, which is one match in 64 or 65 cells, and one
    of 6,000 tokens: one match in 6,000 cells, fewer than the default of one in 5,000. The first
    token of a prediction is the last one of its reference, so that no ends are common.
    """
    set_lcs_path(monkeypatch, path)
    ways = set()
    for module, name, way in (
        (lcs, "_lengths_in_words", "words"),
        (lcs, "_packed_lengths", "packed"),
        (lcs.LongLane, "lcs_length", "integer"),
        (lcs, "_length_by_matches", "matches"),
        (lcs, "plain_lcs_length", "pair"),
    ):
        kernel = getattr(module, name)

        def recorded(*arguments, kernel=kernel, way=way):
            if way != "words" or arguments[0].n_rows:
                ways.add(way)
            return kernel(*arguments)

        monkeypatch.setattr(module, name, recorded)
    lengths = [64, 65] * 10 + [6000]
    texts = [[list(range(length))] for length in lengths]
    if path == "one integer for some lanes":  # 10 of them: 10 * 200 words
        texts.append([[0, *[1] * 199]])
        lengths.append(200)
    references = [[[*text[1:], text[0]]] for [text] in texts]
    expected_lengths = [length - 1 for length in lengths]
    assert lcs_lengths(as_shared(texts, references)).tolist() == expected_lengths
    assert ways == expected


@pytest.mark.parametrize(("n_pairs", "is_plain"), [(100, True), (101, False)])
def test_few_tokens_go_pair_by_pair(monkeypatch, n_pairs, is_plain):
    """100 pairs with 2 x 11 tokens in common, and what a pair costs as 8 more: 3,000."""
    calls = []
    kernel = lcs.plain_lcs_length
    monkeypatch.setattr(
        lcs, "plain_lcs_length", lambda *texts: calls.append(texts) or kernel(*texts)
    )
    texts = [[list(range(11))]] * n_pairs
    shared = as_shared([[[*range(11), 99]]] * n_pairs, texts)  # 99 is in one text only
    assert lcs_lengths(shared).tolist() == [11] * n_pairs
    assert len(calls) == (n_pairs if is_plain else 0)


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
