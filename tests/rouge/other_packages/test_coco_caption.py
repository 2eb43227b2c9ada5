"""Preset "coco-caption" of rouge_full against figures of pycocoevalcap 1.2."""

import pytest

from helpers.published import texts, values

SCORERS = "pycocoevalcap scorers on untokenized texts (= nlg-eval)"
PRESET = {"preset": "coco-caption"}


def test_corpus_and_items(rouge_full):
    expected = values(SCORERS)
    stripped = texts(change=str.strip)
    assert rouge_full.compute(**stripped, **PRESET)["rougeL"] == pytest.approx(
        expected["ROUGE_L"], rel=1e-12
    )
    items = rouge_full.compute(**stripped, **PRESET, use_aggregator=False)["rougeL"]
    assert items == pytest.approx(expected["ROUGE_L_per_image"], rel=1e-12)


@pytest.mark.parametrize("edge", values("edges: COCO scorers"))
def test_edges(rouge_full, edge):
    """Nothing against nothing is 1, and two spaces in a row make a word."""
    pairs = {"predictions": [edge["prediction"]], "references": [edge["references"]]}
    assert rouge_full.compute(**pairs, **PRESET)["rougeL"] == pytest.approx(
        edge["ROUGE_L"], rel=1e-12
    )


def test_given_tokens_are_the_same(rouge_full):
    tokens = texts(change=lambda text: text.split(" "))
    assert rouge_full.compute(**tokens, **PRESET) == rouge_full.compute(**texts(), **PRESET)
    nothing = {"predictions": [[]], "references": [[[]]]}
    assert rouge_full.compute(**nothing, **PRESET) == {"rougeL": 1.0}


def test_an_explanation(rouge_full):
    """The second reference has the highest recall, the first one the highest precision."""
    explanation = rouge_full.explain(
        prediction="a b x y", reference=["a b c d e f g", "y"], **PRESET
    )["rougeL"]
    assert explanation["chosen"] is None
    assert (explanation["precision"], explanation["recall"]) == (1 / 2, 1)
    first, second = explanation["references"]
    assert (first["precision"], second["recall"]) == (1 / 2, 1)
    assert first["prediction_spans"] == [[0, 1], [2, 3]]
    assert second["reference_spans"] == [[0, 1]]


def test_an_empty_word_has_no_span(rouge_full):
    explanation = rouge_full.explain(prediction="", reference="", **PRESET)["rougeL"]
    assert explanation["fmeasure"] == 1
    assert explanation["references"][0]["prediction_spans"] == [None]


def test_there_are_n_and_l_only(rouge_full):
    with pytest.raises(ValueError, match=r"must be rouge1, rouge2, ... or rougeL, got 'rougeW'"):
        rouge_full.compute(**texts(), **PRESET, rouge_types=["rougeW"])


def test_the_whole_evaluation(rouge_full):
    """On the tokens that pycocoevalcap made of the texts; tests/peers makes them anew."""
    expected = values("pycocoevalcap, full pipeline (PTB tokenizer)")
    tokens = texts(change=values("PTB tokens of the items").__getitem__)
    items = rouge_full.compute(**tokens, **PRESET, use_aggregator=False)["rougeL"]
    assert items == pytest.approx(expected["ROUGE_L_per_image"], rel=1e-12)
    mean = rouge_full.compute(**tokens, **PRESET)["rougeL"]
    assert mean == pytest.approx(expected["ROUGE_L"], rel=1e-12)
