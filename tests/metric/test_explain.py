"""`explain` of both metrics: its input, its errors, and that it changes nothing else."""

import math

import evaluate
import numpy as np
import pytest

from helpers.repository import ROOT

PAIR = {"prediction": "the cat", "reference": "the cat sat"}


def test_one_reference_or_several(metric):
    one = metric.explain(**PAIR)
    assert metric.explain(prediction="the cat", reference=["the cat sat"]) == one
    assert metric.explain(prediction="the cat", reference=np.array(["the cat sat"])) == one
    assert metric.explain(prediction="the cat", reference=["the cat sat", "a"]) != one
    tokens = metric.explain(prediction=["the", "cat"], reference=["the", "cat", "sat"])
    assert metric.explain(prediction=("the", "cat"), reference=[["the", "cat", "sat"]]) == tokens


ERRORS = [
    (ValueError, "reference is missing", {"prediction": "a"}),
    (ValueError, "prediction is missing", {"reference": "a"}),
    (TypeError, "prediction must be a string or a list of tokens", PAIR | {"prediction": 3}),
    (ValueError, "reference is empty", PAIR | {"reference": []}),
    (ValueError, "a list with one text", {"prediction": ["the cat"], "reference": ["the cat"]}),
    (TypeError, "'predictions'. Did you mean 'prediction'", {"predictions": "a"}),
    (ValueError, "got '13b'", PAIR | {"tokenizer": "13b"}),
    (TypeError, "use_aggregator must be True or", PAIR | {"use_aggregator": 2}),
]


@pytest.mark.parametrize(("kind", "message", "arguments"), ERRORS)
def test_errors(metric, kind, message, arguments):
    with pytest.raises(kind) as raised:
        metric.explain(**arguments)
    assert message in str(raised.value)


def test_other_errors(rouge_full):
    with pytest.raises(TypeError):
        rouge_full.explain("a", "a")
    with pytest.raises(TypeError, match="smoothing_value"):  # an option of bleu_full
        rouge_full.explain(**PAIR, smoothing_value=1)
    with pytest.raises(ValueError, match="max_bytes"):
        rouge_full.explain(prediction=["a"], reference=["a"], max_bytes=2)


def test_options_at_load_are_defaults():
    path = str(ROOT / "rouge_full.py")
    metric = evaluate.load(path, rouge_types=["rouge2"], output="precision", use_aggregator=False)
    assert list(metric.explain(**PAIR)) == ["rouge2"]
    assert list(metric.explain(**PAIR, rouge_types=["rougeL"])) == ["rougeL"]
    perl = evaluate.load(path, "rouge-1.5.5", confidence_level=0.9)
    assert perl.explain(**PAIR)["rougeL"]["recall"] == 0.66667
    own = {"preset": None, "rouge_types": ["rougeL"], "confidence_level": None}
    assert perl.explain(**PAIR, **own)["rougeL"]["recall"] == pytest.approx(2 / 3, rel=1e-15)


def test_what_was_added_is_left_alone(load, name):
    metric = load(name)
    metric.add(prediction="a b", reference="a c")
    metric.explain(**PAIR)
    with pytest.raises(ValueError, match="reference is missing"):
        metric.explain(prediction="a")
    assert len(metric) == 1


def test_nan_is_the_score_where_there_is_nothing_to_match(rouge_full, bleu_full):
    nothing = {"prediction": "", "reference": ["", ""], "zero_division": math.nan}
    explanation = rouge_full.explain(**nothing, rouge_types=["rouge1"])["rouge1"]
    assert math.isnan(explanation["fmeasure"])
    assert [math.isnan(entry["recall"]) for entry in explanation["references"]] == [True, True]
    assert math.isnan(bleu_full.explain(**nothing)["bleu"])
