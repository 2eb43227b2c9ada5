"""What a loaded metric says of itself and of one item: help, the console, `explain`, versions."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import rouge_bleu
from helpers.errors import error_of
from helpers.metrics import loaded
from rouge_bleu.metric import docstring_without_examples

FUNCTIONS = {
    "rouge_full": (rouge_bleu.rouge, rouge_bleu.explain_rouge),
    "bleu_full": (rouge_bleu.bleu, rouge_bleu.explain_bleu),
}


def parameters(function):
    return dict(inspect.signature(function).parameters)


def test_help_and_completion(metric):
    """On the class, on an object, and on copies of it."""
    function, explain = FUNCTIONS[metric.name]
    texts, expected = {"predictions", "references"}, parameters(function)
    for one in (metric, copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        found = parameters(one.compute)
        assert list(found) == list(expected)
        assert {parameter.kind.name for parameter in found.values()} == {"KEYWORD_ONLY"}
        for key, parameter in found.items():
            assert parameter.default == (None if key in texts else expected[key].default)
    assert list(parameters(type(metric).compute)) == ["self", *expected]
    for method in (metric.compute, metric.add, metric.add_batch):
        assert metric.inputs_description in method.__doc__
    assert list(parameters(metric.explain)) == list(parameters(explain))
    assert docstring_without_examples(explain) in metric.explain.__doc__
    assert (metric.module_type, len(metric.features)) == ("metric", 4)
    assert all(url.startswith("https:") for url in metric.info.reference_urls)


def test_a_class_of_the_user_keeps_its_own_compute(metric):
    class Longer(type(metric)):
        def compute(self, *, predictions, references):
            """Score."""
            return super().compute(predictions=predictions, references=references, n_jobs=1)

    own = Longer()
    assert list(parameters(own.compute)) == ["predictions", "references"]
    assert own.compute(predictions=["a"], references=["a"])


def test_the_repr_is_short(name):
    """`evaluate` prints thousands of characters of help."""
    metric = loaded(name, tokenizer="13a", preset="evaluate", seed=3)
    metric.add(prediction="a", reference="b")
    for part in (f"{name} {metric.version}", "tokenizer='13a', preset='evaluate'", "added: 1"):
        assert part in repr(metric)
    text = repr(loaded("rouge_full", stopwords=[f"word{number}" for number in range(999)]))
    assert "stopwords=" in text
    assert len(text) < 300


# --- explain --------------------------------------------------------------------------------------

PAIR = {"prediction": "the cat", "reference": "the cat sat"}


def test_one_reference_or_several(metric):
    one = metric.explain(**PAIR)
    for references in (["the cat sat"], np.array(["the cat sat"])):
        assert metric.explain(prediction="the cat", reference=references) == one
    assert metric.explain(prediction="the cat", reference=["the cat sat", "a"]) != one
    tokens = metric.explain(prediction=["the", "cat"], reference=["the", "cat", "sat"])
    assert metric.explain(prediction=("the", "cat"), reference=[["the", "cat", "sat"]]) == tokens


BOTH = "rouge_full bleu_full"
ERRORS = [
    (BOTH, ValueError, "reference is missing", {"prediction": "a"}),
    (BOTH, TypeError, "prediction must be a string or a list of", PAIR | {"prediction": 3}),
    (BOTH, ValueError, "reference is empty", PAIR | {"reference": []}),
    (BOTH, ValueError, "one text", {"prediction": ["the cat"], "reference": ["the cat"]}),
    (BOTH, TypeError, "Did you mean 'prediction'", {"predictions": "a"}),
    (BOTH, ValueError, "'13b'", PAIR | {"tokenizer": "13b"}),
    ("rouge_full", TypeError, "smoothing_value", PAIR | {"smoothing_value": 1}),  # of bleu_full
]


@pytest.mark.parametrize(("names", "kind", "named", "arguments"), ERRORS)
def test_errors_of_explain_leave_what_was_added(load, names, kind, named, arguments):
    for name in names.split():
        metric = load(name)
        metric.add(prediction="a b", reference="a c")
        assert metric.explain(**PAIR)
        found, message = error_of(metric.explain, **arguments)
        assert found is kind
        assert named in message
        assert len(metric) == 1


def test_options_at_load_are_defaults():
    of_load = {"rouge_types": ["rouge2"], "output": "precision", "use_aggregator": False}
    metric = loaded("rouge_full", **of_load)
    assert list(metric.explain(**PAIR)) == ["rouge2"]
    perl = loaded("rouge_full", "rouge-1.5.5", confidence_level=0.9)
    assert perl.explain(**PAIR)["rougeL"]["recall"] == 0.66667
    own = {"preset": None, "rouge_types": ["rougeL"], "confidence_level": None}
    assert perl.explain(**PAIR, **own)["rougeL"]["recall"] == pytest.approx(2 / 3, rel=1e-15)
