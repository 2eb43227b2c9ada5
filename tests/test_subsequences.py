"""LCS, union LCS and weighted LCS against tables, on every way through the code."""

from math import sqrt

import numpy as np
import pytest
from full_metrics import lcs, union_lcs, weighted_lcs, wlcs_tables, wlcs_way_back
from full_metrics import tokens as token_columns
from full_metrics.lcs import lcs_lengths
from full_metrics.tokens import shared_tokens
from full_metrics.union_lcs import best_sentence_lcs_lengths, union_lcs_lengths, union_lcs_mask
from full_metrics.weighted_lcs import wlcs_scores
from full_metrics.wlcs_way_back import weighted_lcs_mask

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
    weighted_lcs_positions,
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


@pytest.mark.parametrize("max_rows", [union_lcs._MAX_UNION_ROWS, 50, 1])
@pytest.mark.parametrize("n_types", [1, 2, 3, 5, 8, 40])
def test_union_lcs_lengths_of_short_documents(monkeypatch, n_types, max_rows):
    monkeypatch.setattr(union_lcs, "_MAX_UNION_ROWS", max_rows)
    predictions, references = random_documents(np.random.default_rng(n_types), n_types, 300)
    lengths = union_lcs_lengths(as_shared(predictions, references))
    assert lengths.dtype == np.int64
    assert lengths.tolist() == [
        union_lcs_length(p, r) for p, r in zip(predictions, references, strict=True)
    ]


@pytest.mark.parametrize("max_rows", [union_lcs._MAX_UNION_ROWS, 500])
@pytest.mark.parametrize("max_sentences", [1, 3])
@pytest.mark.parametrize("n_types", VOCABULARIES)
def test_union_lcs_lengths_of_long_sentences(monkeypatch, n_types, max_sentences, max_rows):
    """Sentences up to 64 shared tokens go side by side in words, longer ones alone as Python
    integers.
    """
    monkeypatch.setattr(union_lcs, "_MAX_UNION_ROWS", max_rows)
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


@pytest.mark.parametrize("max_tokens", [token_columns._MAX_LANE_TOKENS, 200, 1])
@pytest.mark.parametrize("n_types", [1, 3, 8, 40])
def test_best_sentence_lcs_lengths(monkeypatch, n_types, max_tokens):
    monkeypatch.setattr(token_columns, "_MAX_LANE_TOKENS", max_tokens)
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


@pytest.mark.parametrize("max_matches", [1, 30, 2000])
@pytest.mark.parametrize("n_types", [1, 2, 5, 40])
def test_wlcs_scores_in_bands_of_anti_diagonals(monkeypatch, n_types, max_matches):
    """With few matches listed at once, a table is walked through band by band. Runs go on over the
    edge of a band; the last one is cut off before.
    """
    whole = as_shared(*random_pairs(np.random.default_rng(n_types), n_types, n_short=20))
    expected = wlcs_scores(whole, 1.3)
    monkeypatch.setattr(weighted_lcs, "MAX_MATCHES", max_matches)
    assert wlcs_scores(whole, 1.3).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "limits",
    [{}, {"MAX_MATCHES": 20}, {"MAX_TABLE_CELLS": 100}, {"MAX_MATCHES": 3, "MAX_TABLE_CELLS": 9}],
    ids=str,
)
@pytest.mark.parametrize("weight", [0.5, 1.2, 30.0])
@pytest.mark.parametrize("n_types", [1, 3, 8, 40])
def test_weighted_lcs_mask(monkeypatch, n_types, weight, limits):
    """Sentence with sentence against the table of each; with small limits in bands and parts. With
    weights of 0.5 and 30 the value of a match may be lost to rounding.
    """
    for name, limit in limits.items():
        monkeypatch.setattr(wlcs_way_back, name, limit)
        monkeypatch.setattr(wlcs_tables, name, limit, raising=False)
    rng = np.random.default_rng(n_types)
    predictions, references = random_documents(rng, n_types, 25)
    edges = random_pairs(rng, n_types, max_sentences=2, n_short=0)
    predictions, references = predictions + edges[0][:5], references + edges[1][:5]
    f = np.array([float(k) ** weight for k in range(1000)])
    mask = weighted_lcs_mask(as_shared(predictions, references), f)
    expected = []
    for prediction, reference in zip(predictions, references, strict=True):
        for sentence in reference:
            taken = set()
            for partner in prediction:
                taken |= weighted_lcs_positions(partner, sentence, f)
            expected += [place in taken for place in range(len(sentence))]
    assert mask.tolist() == expected


def test_a_match_that_rounding_takes_away_is_not_on_the_way_back():
    """By hand: after a run of 10 the value is 10 ** 30, and 1 more is no more, so the way back goes
    up past the last match; with weight 1.2 it is taken.
    """
    reference, prediction = [*range(10), 20, 10], [*range(10), 21, 10]
    taken = {}
    for weight in (1.2, 30.0):
        f = np.array([float(k) ** weight for k in range(20)])
        mask = weighted_lcs_mask(as_shared([[prediction]], [[reference]]), f)
        taken[weight] = np.flatnonzero(mask).tolist()
        assert set(taken[weight]) == weighted_lcs_positions(prediction, reference, f)
    assert taken == {1.2: [*range(10), 11], 30.0: list(range(10))}


def test_weighted_lcs_mask_of_lines_with_one_long_line():
    """A line of 700 words and 30 of 10 on the one side against lines of 600 and 10 on the other:
    parts of the prediction, tables in bands.
    """
    rng = np.random.default_rng(5)
    lengths = ([700] + [10] * 30, [600] + [10] * 20)
    sides = [[rng.integers(0, 3, n).tolist() for n in of_side] for of_side in lengths]
    f = np.array([float(k) ** 1.2 for k in range(2000)])
    mask = weighted_lcs_mask(as_shared([sides[0]], [sides[1]]), f)
    ways = [[weighted_lcs_positions(p, r, f) for p in sides[0]] for r in sides[1]]
    expected = [
        place in set().union(*of_sentence)
        for sentence, of_sentence in zip(sides[1], ways, strict=True)
        for place in range(len(sentence))
    ]
    assert mask.tolist() == expected


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
    assert lcs.WORD_BITS == 64
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
