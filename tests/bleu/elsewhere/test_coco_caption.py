"""Preset "coco-caption" of bleu_full against figures of pycocoevalcap 1.2."""

import numpy as np
import pytest

from helpers.published import ITEMS, texts, values
from rouge_bleu.options.signature import VERSION

NAMES = ["bleu_1", "bleu_2", "bleu_3", "bleu"]
SCORERS = "pycocoevalcap scorers on untokenized texts (= nlg-eval)"


def scores_of(result):
    return [result[name] for name in NAMES]


def test_corpus_and_items(bleu_full):
    expected = values(SCORERS)
    corpus = bleu_full.compute(**texts(), preset="coco-caption")
    items = bleu_full.compute(**texts(), preset="coco-caption", use_aggregator=False)
    np.testing.assert_allclose(scores_of(corpus), expected["Bleu_1..4"], rtol=1e-12)
    of_items = expected["Bleu_per_image_1..4"]
    np.testing.assert_allclose(scores_of(items), of_items, rtol=1e-12)
    assert list(corpus)[:4] == ["bleu", "bleu_1", "bleu_2", "bleu_3"]


def test_one_segment(bleu_full):
    """By the wrapper, and by its scorer with no option, which takes the average length."""
    expected = values("pycocoevalcap scorers, one segment (a1)")["Bleu_1..4"]
    corpus = bleu_full.compute(**texts(ITEMS[:1]), preset="coco-caption")
    np.testing.assert_allclose(scores_of(corpus), expected, rtol=1e-12)
    expected = values("BleuScorer with option=None, one segment (a1): average length")
    average = bleu_full.compute(
        **texts(ITEMS[:1]), preset="coco-caption", reference_length="average"
    )
    np.testing.assert_allclose(scores_of(average), expected["Bleu_1..4"], rtol=1e-12)


@pytest.mark.parametrize("edge", values("edges: COCO scorers"))
def test_edges(bleu_full, edge):
    pairs = {"predictions": [edge["prediction"]], "references": [edge["references"]]}
    found = bleu_full.compute(**pairs, preset="coco-caption")
    np.testing.assert_allclose(scores_of(found), edge["Bleu_1..4"], rtol=1e-12)


def test_bleu_rc(bleu_full):
    """BLEU-RC of CodeSumEvaluation is the mean of Bleu_4 of items, first references alone."""
    expected = values("CodeSumEvaluation, all items")["BLEU-RC"]
    options = {"preset": "coco-caption", "level": "sentence"}
    found = bleu_full.compute(**texts(first=True), **options)["bleu"]
    assert 100 * found == pytest.approx(expected, rel=1e-12)


def test_the_signature_has_what_acts(bleu_full):
    """No smoothing, no zero_division: the formula says what becomes of zeros."""
    signed = bleu_full.compute(**texts(), preset="coco-caption", signature=True)
    line = signed["signature"]
    assert line == (
        f"bleu_full|{VERSION}|preset:coco-caption|weights:bleu(0.25,0.25,0.25,0.25),bleu_1(1),"
        "bleu_2(0.5,0.5),bleu_3(0.333333333333333,0.333333333333333,0.333333333333333)"
        "|tok:whitespace|case:mixed|refs:1-4|reflen:closest|level:corpus"
    )
    again = bleu_full.compute(**texts(), **bleu_full.options_of_signature(line), signature=True)
    assert again == signed


def test_an_explanation_gives_the_factors(bleu_full):
    item = ITEMS[0]
    explanation = bleu_full.explain(
        prediction=item["prediction"], reference=item["references"], preset="coco-caption"
    )
    expected = values("pycocoevalcap scorers, one segment (a1)")["Bleu_1..4"]
    np.testing.assert_allclose(scores_of(explanation), expected, rtol=1e-12)
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
def test_what_the_formula_says_is_no_option(bleu_full, option, value, must):
    with pytest.raises(ValueError, match=f"{option} must be {must} with preset='coco-caption'"):
        bleu_full.compute(**texts(), preset="coco-caption", **{option: value})


def test_the_whole_evaluation(bleu_full):
    """On the tokens that pycocoevalcap made of the texts; tests/peers makes them anew."""
    expected = values("pycocoevalcap, full pipeline (PTB tokenizer)")
    tokens = texts(change=values("PTB tokens of the items").__getitem__)
    corpus = bleu_full.compute(**tokens, preset="coco-caption")
    np.testing.assert_allclose(scores_of(corpus), expected["Bleu_1..4"], rtol=1e-12)
    items = bleu_full.compute(**tokens, preset="coco-caption", use_aggregator=False)
    np.testing.assert_allclose(scores_of(items), expected["Bleu_per_image_1..4"], rtol=1e-12)
