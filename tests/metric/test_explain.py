"""`explain` of both metrics: what it takes, what it refuses, and what it leaves alone."""

import math

import evaluate
import numpy as np
import pytest

from helpers.errors import DECODE_IDS, error_of
from helpers.repository import ROOT

PAIR = {"prediction": "the cat", "reference": "the cat sat"}


def test_one_reference_or_several(metric):
    one = metric.explain(**PAIR)
    assert metric.explain(prediction="the cat", reference=["the cat sat"]) == one
    assert metric.explain(prediction="the cat", reference=np.array(["the cat sat"])) == one
    assert metric.explain(prediction="the cat", reference=["the cat sat", "a"]) != one
    tokens = metric.explain(prediction=["the", "cat"], reference=["the", "cat", "sat"])
    assert metric.explain(prediction=("the", "cat"), reference=[["the", "cat", "sat"]]) == tokens


UNKNOWN = "explain() got an unexpected keyword argument "
MISSING = "{} is missing: give prediction and reference together"
A_NUMBER = f"prediction must be a string or a list of tokens, got int 3{DECODE_IDS}"
NO_REFERENCE = "reference is empty: each prediction needs at least one reference"
WRAPPED = (
    "predictions[0] is a list with one text, which would count as one token, got list "
    "['the cat']: give the text itself"
)
PLURAL = UNKNOWN + "'predictions'. Did you mean 'prediction'?"
ERRORS = [
    (ValueError, MISSING.format("reference"), {"prediction": "a"}),
    (ValueError, MISSING.format("prediction"), {"reference": "a"}),
    (TypeError, A_NUMBER, PAIR | {"prediction": 3}),
    (ValueError, NO_REFERENCE, PAIR | {"reference": []}),
    (ValueError, WRAPPED, {"prediction": ["the cat"], "reference": ["the cat"]}),
    (TypeError, PLURAL, {"predictions": "a", "references": "a"}),
    (ValueError, "Did you mean 'unicode'?", PAIR | {"tokenizer": "unicod"}),
    (TypeError, "use_aggregator must be True or", PAIR | {"use_aggregator": 2}),
]


@pytest.mark.parametrize(("kind", "message", "arguments"), ERRORS)
def test_errors(metric, kind, message, arguments):
    found, text = error_of(metric.explain, **arguments)
    assert found is kind
    assert message in text


def test_other_errors(rouge_full):
    message = "explain() takes its arguments by name: prediction=..., reference=..."
    assert error_of(rouge_full.explain, "a", "a") == (TypeError, message)
    message = "max_bytes needs texts, got lists of tokens"
    found = error_of(rouge_full.explain, prediction=["a"], reference=["a"], max_bytes=2)
    assert found == (ValueError, message)


def test_options_at_load_are_defaults():
    path = str(ROOT / "rouge_full.py")
    metric = evaluate.load(path, rouge_types=["rouge2"], output="precision", use_aggregator=False)
    assert list(metric.explain(**PAIR)) == ["rouge2"]
    assert list(metric.explain(**PAIR, rouge_types=["rougeL"])) == ["rougeL"]
    perl = evaluate.load(path, "rouge-1.5.5", confidence_level=0.9)
    assert perl.explain(**PAIR)["rougeL"]["recall"] == 0.66667
    assert perl.explain(**PAIR, preset=None, rouge_types=["rougeL"], confidence_level=None)[
        "rougeL"
    ]["recall"] == pytest.approx(2 / 3, rel=1e-15)


def test_what_was_added_is_left_alone(metric):
    metric.add(prediction="a b", reference="a c")
    metric.explain(**PAIR)
    with pytest.raises(ValueError, match="reference is missing"):
        metric.explain(prediction="a")
    assert len(metric) == 1
    alone = metric.compute(predictions=["a b"], references=["a c"], use_aggregator=False)
    assert all(value == [value[0]] * 2 for value in alone.values())


def test_nan_is_the_score_where_there_is_nothing_to_match(rouge_full, bleu_full):
    nothing = {"prediction": "", "reference": ["", ""], "zero_division": math.nan}
    explanation = rouge_full.explain(**nothing, rouge_types=["rouge1"])["rouge1"]
    assert math.isnan(explanation["fmeasure"])
    assert [math.isnan(entry["recall"]) for entry in explanation["references"]] == [True, True]
    assert math.isnan(bleu_full.explain(**nothing)["bleu"])
