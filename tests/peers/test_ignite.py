"""Preset "ignite" of both metrics beside pytorch-ignite, and BLEU beside torcheval."""

import math

import pytest

from helpers.hostile_text import items_of_words

nlp = pytest.importorskip("ignite.metrics.nlp")


@pytest.fixture(scope="module")
def data(hostile):
    return items_of_words(hostile)


@pytest.fixture(scope="module")
def words(data):
    """The same, as lists of words, which both packages take."""
    predictions = [text.split() for text in data["predictions"]]
    return predictions, [[text.split() for text in own] for own in data["references"]]


@pytest.mark.parametrize(("smooth", "smoothing"), [("smooth1", "floor"), ("nltk_smooth2", "add-k")])
def test_bleu_of_sentences(bleu_full, data, words, smooth, smoothing):
    metric = nlp.Bleu(ngram=4, smooth=smooth, average="macro")
    metric.update(words)
    found = bleu_full.compute(**data, preset="ignite", smoothing=smoothing)
    assert found["bleu"] == pytest.approx(float(metric.compute()), rel=1e-12)


@pytest.mark.parametrize("multi", ["average", "best"])
@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_rouge(rouge_full, data, words, multi, alpha):
    """alpha is the weight of precision: 0 is recall."""
    metric = nlp.Rouge(variants=["L", 1, 2], multiref=multi, alpha=alpha)
    metric.update(words)
    options = {"preset": "ignite", "beta": 1.0 if alpha else math.inf}
    if multi == "best":
        options["multi_reference"] = "recall"
    found = rouge_full.compute(**data, **options)
    outputs = {"P": "precision", "R": "recall", "F": "fmeasure"}
    for name, expected in metric.compute().items():
        _, rouge_type, letter = name.split("-")
        ours = found[f"rouge{rouge_type}_{outputs[letter]}"]
        assert ours == pytest.approx(float(expected), rel=1e-12), name


# The shortest reference of this item is not the closest one.
LONG = {"predictions": ["a b c d e f"], "references": [["a b c d", "a b c d e f g"]]}


@pytest.mark.parametrize("of_long", [False, True])
def test_torcheval(bleu_full, data, of_long):
    """It has 32 bits."""
    text = pytest.importorskip("torcheval.metrics.functional.text.bleu")
    data = LONG if of_long else data
    expected = float(text.bleu_score(*data.values()))
    options = {"tokenizer": "whitespace", "reference_length": "shortest"}
    found = bleu_full.compute(**data, **options)["bleu"]
    assert found == pytest.approx(expected, rel=3e-6)
