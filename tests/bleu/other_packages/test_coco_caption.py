"""Preset "coco-caption" of bleu_full against figures of pycocoevalcap 1.2."""

import numpy as np
import pytest

from helpers.published import ITEMS, texts, values
from rouge_bleu import bleu, explain_bleu

NAMES = ["bleu_1", "bleu_2", "bleu_3", "bleu"]
COCO = {"preset": "coco-caption"}
# The tokens that pycocoevalcap made of the texts; tests/peers makes them anew.
TOKENS = texts(change=values("PTB tokens of the items").__getitem__)
ONE = values("pycocoevalcap scorers, one segment (a1)")["Bleu_1..4"]


def scores_of(result):
    return [result[name] for name in NAMES]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (texts(), "pycocoevalcap scorers on untokenized texts (= nlg-eval)"),
        (TOKENS, "pycocoevalcap, full pipeline (PTB tokenizer)"),
    ],
)
def test_corpus_and_items(data, name):
    expected = values(name)
    corpus = bleu(**data, **COCO)
    np.testing.assert_allclose(scores_of(corpus), expected["Bleu_1..4"], rtol=1e-12)
    items = bleu(**data, **COCO, use_aggregator=False)
    np.testing.assert_allclose(scores_of(items), expected["Bleu_per_image_1..4"], rtol=1e-12)
    assert list(corpus)[:4] == ["bleu", "bleu_1", "bleu_2", "bleu_3"]


def test_one_segment():
    """By the wrapper, and by its scorer with no option, which takes the average length."""
    corpus = bleu(**texts(ITEMS[:1]), **COCO)
    np.testing.assert_allclose(scores_of(corpus), ONE, rtol=1e-12)
    expected = values("BleuScorer with option=None, one segment (a1): average length")
    average = bleu(**texts(ITEMS[:1]), **COCO, reference_length="average")
    np.testing.assert_allclose(scores_of(average), expected["Bleu_1..4"], rtol=1e-12)


@pytest.mark.parametrize("edge", values("edges: COCO scorers"))
def test_edges(edge):
    found = bleu([edge["prediction"]], [edge["references"]], **COCO)
    np.testing.assert_allclose(scores_of(found), edge["Bleu_1..4"], rtol=1e-12)


def test_an_explanation_gives_the_factors():
    explanation = explain_bleu(ITEMS[0]["prediction"], ITEMS[0]["references"], **COCO)
    np.testing.assert_allclose(scores_of(explanation), ONE, rtol=1e-12)
    precisions = [entry["precision"] for entry in explanation["orders"]]
    product = np.prod(precisions) ** 0.25 * explanation["brevity_penalty"]
    assert explanation["bleu"] == pytest.approx(product, rel=1e-12)


@pytest.mark.parametrize(
    ("option", "value", "must"),
    [
        ("smoothing", "exp", "'none'"),
        ("zero_division", float("nan"), "0.0"),
        ("smooth", True, "False"),
    ],
)
def test_what_the_formula_says_is_no_option(option, value, must):
    with pytest.raises(ValueError, match=f"{option} must be {must} with preset='coco-caption'"):
        bleu(**texts(), **COCO, **{option: value})
