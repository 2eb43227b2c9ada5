"""LCS, union LCS and weighted LCS against tables, on every way through the code."""

from math import sqrt

import numpy as np
import pytest
from full_metrics import lcs, lcs_rows, union_lcs, weighted_lcs
from full_metrics.lcs import lcs_lengths
from full_metrics.tokens import shared_tokens
from full_metrics.union_lcs import best_sentence_lcs_lengths, union_lcs_lengths, union_lcs_mask
from full_metrics.weighted_lcs import wlcs_scores

from oracles import (
    EDGE_LENGTHS,
    VOCABULARIES,
    as_shared,
    as_tokens,
    joined,
    lcs_length,
    lcs_positions,
    long_lcs_positions,
    random_pairs,
    random_texts,
    union_lcs_length,
    wlcs_score,
)
from oracles import best_sentence_lcs_lengths as expected_best_sentence_lcs_lengths

WEIGHTS = (1.0, 1.2, 1.5, 2.0)


def long_texts(seed, n_types, lengths=(20_000, 19_000)):
    """Return a prediction and a reference whose common tokens come in runs: the reference has parts
    of the prediction in it.
    """
    rng = np.random.default_rng(seed)
    prediction, reference = (rng.integers(0, n_types, length) for length in lengths)
    for start in range(0, 15_000, 1_000):
        reference[start : start + 400] = prediction[start + 50 : start + 450]
    return prediction, reference


# --- LCS ------------------------------------------------------------------------------------------

# MIN_LANES_IN_WORDS, MAX_PACKED_WORDS, _CELLS_OF_MATCH
LCS_PATHS = {
    "default thresholds": (300, 1 << 16, 5000),
    "machine words": (1, 1 << 16, 5000),
    "one integer for all lanes": (10**9, 1 << 16, 5000),
    "one integer for some lanes": (10**9, 300, 5000),
    "an integer for each lane": (10**9, 0, 10**12),
    "match by match": (10**9, 0, 0),
}


def set_lcs_path(monkeypatch, path):
    names = ("MIN_LANES_IN_WORDS", "MAX_PACKED_WORDS", "_CELLS_OF_MATCH")
    for name, value in zip(names, LCS_PATHS[path], strict=True):
        monkeypatch.setattr(lcs, name, value)


@pytest.mark.parametrize("path", LCS_PATHS)
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_lcs_lengths(monkeypatch, n_types, path):
    set_lcs_path(monkeypatch, path)
    predictions, references = random_pairs(np.random.default_rng(n_types), n_types)
    lengths = lcs_lengths(as_shared(predictions, references))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == [
        lcs_length(joined(p), joined(r)) for p, r in zip(predictions, references, strict=True)
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("default thresholds", {"packed", "matches"}),
        ("machine words", {"words", "packed", "matches"}),
        ("one integer for some lanes", {"packed", "integer", "matches"}),
        ("an integer for each lane", {"integer"}),
        ("match by match", {"matches"}),
    ],
)
def test_lcs_lengths_go_the_way_that_thresholds_say(monkeypatch, path, expected):
    """10 pairs of 64 and of 65 tokens, all distinct, which is one match in 64 or 65 cells, and one
    of 6,000 tokens: one match in 6,000 cells, fewer than the default of one in 5,000.
    """
    set_lcs_path(monkeypatch, path)
    ways = set()
    for module, name, way in (
        (lcs, "_lengths_in_words", "words"),
        (lcs, "_packed_lengths", "packed"),
        (lcs.LongLane, "lcs_length", "integer"),
        (lcs, "_length_by_matches", "matches"),
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
        texts.append([[0] * 200])
        lengths.append(200)
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


# --- union LCS ------------------------------------------------------------------------------------


def random_documents(rng, n_types, n_documents):
    """Return short documents of several sentences; the vocabularies of both sides overlap, so that
    tokens which the other side lacks lie between.
    """
    predictions, references = (
        random_texts(rng, rng.integers(0, 25, n_documents), n_types, max_sentences=5)
        for _ in range(2)
    )
    shift = rng.integers(0, n_types, n_documents).tolist()
    return predictions, [
        [[token + k for token in sentence] for sentence in text]
        for text, k in zip(references, shift, strict=True)
    ]


@pytest.mark.parametrize("max_entries", [union_lcs._MAX_ENTRIES, 50, 1])
@pytest.mark.parametrize("min_lanes", [1, 10**9])
@pytest.mark.parametrize("n_types", [1, 2, 3, 5, 8, 40])
def test_union_lcs_lengths_of_short_documents(monkeypatch, n_types, min_lanes, max_entries):
    monkeypatch.setattr(union_lcs, "_MAX_ENTRIES", max_entries)
    monkeypatch.setattr(union_lcs, "MIN_LANES_IN_WORDS", min_lanes)
    predictions, references = random_documents(np.random.default_rng(n_types), n_types, 300)
    lengths = union_lcs_lengths(as_shared(predictions, references))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == [
        union_lcs_length(p, r) for p, r in zip(predictions, references, strict=True)
    ]


# MIN_LANES_IN_WORDS, MAX_PACKED_WORDS, _MAX_ENTRIES, _MAX_PACKED_BITS
UNION_PATHS = {
    "default thresholds": (300, 1 << 16, 1 << 16, 1 << 12),
    "machine words": (1, 1 << 16, 1 << 16, 1 << 12),
    "one integer for some lanes": (1, 300, 1 << 16, 1 << 12),
    "few matches at a time": (1, 300, 500, 1 << 12),
    "long tables one by one": (1, 20, 1 << 16, 1 << 12),
    "long sentences one by one": (1, 1 << 16, 500, 53),
    "all one by one": (1, 0, 1 << 16, 0),
}


def set_union_path(monkeypatch, path):
    names = ("MIN_LANES_IN_WORDS", "MAX_PACKED_WORDS", "_MAX_ENTRIES", "_MAX_PACKED_BITS")
    for name, value in zip(names, UNION_PATHS[path], strict=True):
        monkeypatch.setattr(union_lcs, name, value)


@pytest.mark.parametrize("path", UNION_PATHS)
@pytest.mark.parametrize("max_sentences", [1, 3])
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_union_lcs_lengths_of_long_sentences(monkeypatch, n_types, max_sentences, path):
    """Lengths around the machine word, on every way through the tables."""
    set_union_path(monkeypatch, path)
    predictions, references = random_pairs(
        np.random.default_rng(n_types + 1), n_types, max_sentences
    )
    lengths = union_lcs_lengths(as_shared(predictions, references))
    assert lengths.tolist() == [
        union_lcs_length(p, r) for p, r in zip(predictions, references, strict=True)
    ]


@pytest.mark.parametrize("n_tokens", [1, 2, 20, 63, 64, 65, 66, 129])
@pytest.mark.parametrize("n_types", [2, 4, 8])
def test_positions_that_the_lcs_takes(n_tokens, n_types):
    """One sentence on each side, before clipping: the tie rule alone. Tokens that the reference
    lacks may lead the way back to another cell.
    """
    rng = np.random.default_rng(n_tokens)
    references = [rng.integers(0, n_types, n_tokens).tolist() for _ in range(25)]
    predictions = [
        rng.integers(0, n_types + 2, length).tolist()
        for length in rng.integers(1, 2 * n_tokens + 2, 25)
    ]
    mask = union_lcs_mask(as_shared([[p] for p in predictions], [[r] for r in references]))
    for prediction, reference, is_taken in zip(
        predictions, references, np.split(mask, 25), strict=True
    ):
        assert set(np.flatnonzero(is_taken).tolist()) == lcs_positions(prediction, reference), (
            prediction,
            reference,
        )


def test_a_prediction_that_stands_several_times():
    """As rouge_full has it: one row of the prediction for each reference. The sentences of the
    copies must not run into each other.
    """
    rng = np.random.default_rng(3)
    item = np.repeat(np.arange(60), rng.integers(1, 4, 60))
    predictions = random_texts(rng, rng.integers(0, 12, 60), 4, max_sentences=3)
    references = random_texts(rng, rng.integers(0, 12, len(item)), 4, max_sentences=3)
    lengths = union_lcs_lengths(
        shared_tokens(as_tokens(predictions).take(item), as_tokens(references))
    )
    assert lengths.tolist() == [
        union_lcs_length(predictions[k], reference)
        for k, reference in zip(item, references, strict=True)
    ]


@pytest.mark.parametrize("n_types", [2, 1000])
def test_lcs_and_union_lcs_of_a_long_pair(n_types):
    """With one sentence on each side nothing is clipped: all that an LCS takes is in both."""
    prediction, reference = long_texts(4, n_types)
    shared = as_shared([[prediction.tolist()]], [[reference.tolist()]])
    expected = long_lcs_positions(prediction, reference)
    assert lcs_lengths(shared).tolist() == union_lcs_lengths(shared).tolist() == [len(expected)]
    assert set(np.flatnonzero(union_lcs_mask(shared)).tolist()) == expected


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


@pytest.mark.parametrize("path", UNION_PATHS)
@pytest.mark.parametrize("n_types", [1, 3, 8, 40])
def test_best_sentence_lcs_lengths(monkeypatch, n_types, path):
    set_union_path(monkeypatch, path)
    predictions, references = random_documents(np.random.default_rng(n_types), n_types, 100)
    edges = random_pairs(np.random.default_rng(n_types), n_types, max_sentences=4, n_short=0)
    predictions, references = predictions + edges[0], references + edges[1]
    sums = best_sentence_lcs_lengths(as_shared(predictions, references))
    expected = [
        expected_best_sentence_lcs_lengths(p, r)
        for p, r in zip(predictions, references, strict=True)
    ]
    assert list(zip(*(column.tolist() for column in sums), strict=True)) == expected


# --- weighted LCS ---------------------------------------------------------------------------------


@pytest.mark.parametrize("max_cells", [weighted_lcs._MAX_WLCS_CELLS, 200, 1])
@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_wlcs_scores(monkeypatch, n_types, weight, max_cells):
    """The oracle adds f(k + 1) - f(k) for each token, the kernel f(k) for each run: sums of at most
    129 terms, so equal to some 1e-14.
    """
    monkeypatch.setattr(weighted_lcs, "_MAX_WLCS_CELLS", max_cells)
    predictions, references = random_pairs(np.random.default_rng(n_types), n_types, n_short=40)
    scores = wlcs_scores(as_shared(predictions, references), weight)
    expected = [
        wlcs_score(joined(p), joined(r), weight)
        for p, r in zip(predictions, references, strict=True)
    ]
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=0)


def test_wlcs_with_weight_1_is_the_lcs():
    """With f(k) = k a match is worth 1 wherever it stands, and then the diagonal is never worse
    than another way.
    """
    for n_types in VOCABULARIES:
        shared = as_shared(*random_pairs(np.random.default_rng(n_types), n_types))
        assert wlcs_scores(shared, 1.0).tolist() == lcs_lengths(shared).tolist()


def test_wlcs_takes_the_diagonal_even_where_another_way_is_worth_more():
    """The table of Lin 2004, section 4, is not the highest sum. By hand: both texts end in 1, which
    is matched there, although 0 1 is worth 4.
    """
    prediction, reference = [[0, 1, 2, 1]], [[2, 1, 0, 1]]
    assert wlcs_score(prediction[0], reference[0], 2) == 2
    assert wlcs_scores(as_shared([prediction], [reference]), 2.0).tolist() == [2]


def test_wlcs_scores_of_the_paper():
    """Lin 2004, section 4: X = [A B C D E F G], Y1 = [A B C D H I K], Y2 = [A H B K C I D], f(k) =
    k^2: ROUGE-W 0.571 and 0.286.
    """
    x, y1, y2 = (
        [["ABCDEFGHIK".index(letter) for letter in text]]
        for text in ("ABCDEFG", "ABCDHIK", "AHBKCID")
    )
    scores = wlcs_scores(as_shared([y1, y2], [x, x]), 2.0)
    assert [round(sqrt(score / 7**2), 3) for score in scores] == [0.571, 0.286]


@pytest.mark.parametrize("weight", [1.2, 2.0])
def test_wlcs_score_of_a_long_pair(weight):
    """20,000 distinct tokens of which the prediction has every tenth wrong: 2,000 runs of 9."""
    up = np.arange(20_000)
    prediction = np.where(up % 10 == 9, up + 20_000, up)
    scores = wlcs_scores(as_shared([[prediction.tolist()]], [[up.tolist()]]), weight)
    np.testing.assert_allclose(scores, 2_000 * 9.0**weight, rtol=1e-12)


def test_no_items_and_no_tokens():
    for kernel in (lcs_lengths, union_lcs_lengths, lambda tokens: wlcs_scores(tokens, 1.2)):
        assert kernel(as_shared([], [])).tolist() == []
        empty = [[], [[]], [[1, 2]], [[3], []], [[1]]]
        other = [[], [[5]], [[]], [[4, 5]], [[2]]]
        assert kernel(as_shared(empty, other)).tolist() == [0, 0, 0, 0, 0]


def test_edge_lengths_are_around_the_word():
    assert lcs_rows.WORD_BITS == 64
    assert {63, 64, 65, 129} <= set(EDGE_LENGTHS)


def test_one_long_text_does_not_make_the_tables_of_short_ones_long(monkeypatch):
    """WLCS pads the tables of a batch to the largest one, so that texts of very different lengths
    are not in one batch.
    """
    sizes = []
    kernel = weighted_lcs._wlcs_scores_of_lanes

    def recorded(prediction, reference, weight):
        sizes.append(
            (prediction.n_rows, int(max(prediction.lengths.max(), reference.lengths.max())))
        )
        return kernel(prediction, reference, weight)

    monkeypatch.setattr(weighted_lcs, "_wlcs_scores_of_lanes", recorded)
    tokens = as_shared([[[0]]] * 5000 + [[[0] * 3000]], [[[0]]] * 5001)
    assert wlcs_scores(tokens, 1.2).tolist() == [1.0] * 5001
    assert max(n_lanes * longest for n_lanes, longest in sizes) < 10_000
