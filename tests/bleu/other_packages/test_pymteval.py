"""Preset "pymteval" against figures of e2e-metrics' stand-in for mteval."""

import numpy as np
import pytest

from helpers.published import texts, values
from rouge_bleu import bleu, explain_bleu

PRESET = {"preset": "pymteval"}


@pytest.mark.parametrize(
    ("name", "options"), [("{}", {}), ("{'case_sensitive': True}", {"lowercase": False})]
)
def test_corpus_and_items(name, options):
    expected = values(f"e2e-metrics pymteval BLEUScore {name}")
    corpus = bleu(**texts(), **PRESET, **options)["bleu"]
    assert corpus == pytest.approx(expected["BLEU"], rel=1e-12)
    items = bleu(**texts(), **PRESET, **options, use_aggregator=False)["bleu"]
    np.testing.assert_allclose(items, expected["per_item"], rtol=1e-12)


def test_a_short_text_takes_ngrams_off():
    """Three words and one have 2 + 0 pairs, and 1 - 1 trigrams, of which 1 matches."""
    short = {"predictions": ["a b c", "a"], "references": ["a b c", "a"]}
    found = bleu(**short, **PRESET, weights={"two": [0, 1], "three": [0, 0, 1]})
    assert found["two"] == 1
    assert found["three"] == pytest.approx(1 / 1e-9)
    long = {**PRESET, "max_order": 6}
    assert [one["total"] for one in explain_bleu("a", "a", **long)["orders"]] == [
        *(1, 0, -1, -2, -3, -4)
    ]


def test_an_empty_text_has_an_empty_word():
    found = bleu(["", "x"], ["", ""], **PRESET)
    assert (found["translation_length"], found["reference_length"]) == (2, 2)
    assert found["precisions"][0] == 1 / 2
    shown = explain_bleu("", "", **PRESET)
    assert shown["orders"][0]["prediction_spans"] == [None]


def test_no_tokens_on_either_side():
    """`append([], [[]])` of e2e-metrics takes 1e-5 for a length of 0, in a quotient alone: 1 - 0 / 1e-5.

    4 precisions of 1e-15 / 1e-9, and the penalty exp(1), by hand.
    """
    found = bleu([[]], [[[]]], **PRESET)
    assert found["brevity_penalty"] == pytest.approx(2.718281828459045, rel=1e-15)
    assert found["bleu"] == pytest.approx(2.718281828459045e-6, rel=1e-12)
    lengths = [([], ["a"], 0), (["a"], [], 1), (["a"], ["a"], 1), (["a", "b"], ["a"], 1)]
    for prediction, reference, penalty in lengths:
        found = bleu([prediction, ["a"]], [[reference], [["a"]]], **PRESET, use_aggregator=False)
        assert found["brevity_penalty"] == [penalty, 1]


def test_a_hyphen_at_the_end_joins_nothing(bleu_full):
    """Ends of lines are not taken off first, so that "word-" and the end of the text is "word"."""
    data = {"predictions": ["a b c word-\n"], "references": ["a b c word"]}
    assert bleu_full.compute(**data, preset="pymteval")["bleu"] == pytest.approx(1, abs=1e-8)
