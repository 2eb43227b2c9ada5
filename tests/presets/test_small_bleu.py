"""Preset "pymteval", the stand-in of e2e-metrics for mteval, and "fairseq": the counts of libbleu."""

import math

import pytest

from helpers.published import values
from rouge_bleu import bleu, explain_bleu

PYMTEVAL = {"preset": "pymteval"}


def test_a_short_text_takes_ngrams_off_in_pymteval():
    """Three words and one have 2 + 0 pairs, and 1 - 1 trigrams, of which 1 matches."""
    short = ["a b c", "a"]
    found = bleu(short, short, **PYMTEVAL, weights={"two": [0, 1], "three": [0, 0, 1]})
    assert (found["two"], found["three"]) == (1, pytest.approx(1 / 1e-9))
    orders = explain_bleu("a", "a", **PYMTEVAL, max_order=6)["orders"]
    assert [one["total"] for one in orders] == [1, 0, -1, -2, -3, -4]


def test_an_empty_text_of_pymteval_has_an_empty_word():
    found = bleu(["", "x"], ["", ""], **PYMTEVAL)
    assert (found["translation_length"], found["reference_length"]) == (2, 2)
    assert found["precisions"][0] == 1 / 2
    assert explain_bleu("", "", **PYMTEVAL)["orders"][0]["prediction_spans"] == [None]


def test_pymteval_of_no_tokens_on_either_side():
    """`append([], [[]])` takes 1e-5 for a length of 0, in a quotient alone: 1 - 0 / 1e-5.

    4 precisions of 1e-15 / 1e-9, and the penalty exp(1), by hand.
    """
    found = bleu([[]], [[[]]], **PYMTEVAL)
    assert found["brevity_penalty"] == pytest.approx(math.e, rel=1e-15)
    assert found["bleu"] == pytest.approx(math.e * 1e-6, rel=1e-12)
    lengths = [([], ["a"], 0), (["a"], [], 1), (["a"], ["a"], 1), (["a", "b"], ["a"], 1)]
    for prediction, reference, penalty in lengths:
        found = bleu([prediction, ["a"]], [[reference], [["a"]]], **PYMTEVAL, use_aggregator=False)
        assert found["brevity_penalty"] == [penalty, 1]


def test_a_hyphen_at_the_end_joins_nothing_in_pymteval():
    r"""Trailing line ends are not stripped first, so "word-\n" is "word"."""
    found = bleu(["a b c word-\n"], ["a b c word"], **PYMTEVAL)
    assert found["bleu"] == pytest.approx(1, abs=1e-8)


@pytest.mark.parametrize("edge", values("edges: fairseq counts"))
def test_counts_of_fairseq(edge):
    """An empty line has a token, <unk> matches nothing, </s> and <pad> go at the ends."""
    found = explain_bleu(edge["prediction"], edge["reference"], preset="fairseq")
    lengths = [found["translation_length"], found["reference_length"]]
    assert lengths == [edge["predlen"], edge["reflen"]]
    assert [one["matches"] for one in found["orders"]] == edge["matches"]
    assert [one["total"] for one in found["orders"]] == edge["counts"]


# What libbleu of fairseq 3d262bb2 gives for the two lines, each with </s> after it.
@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [("<pad>", "", 1.0), ("<pad>", "d <pad> d b e", 0.0), ("<pad> a", "a <pad>", 1.0)],
)
def test_fairseq_drops_padding_on_the_left_first(prediction, reference, expected):
    """Nothing but padding is the token </s> then, as an empty line is."""
    found = bleu([prediction], [reference], preset="fairseq", max_order=1)["bleu"]
    assert found == expected
