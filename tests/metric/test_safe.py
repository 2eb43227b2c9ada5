"""`add`, `add_batch` and `compute` in any order, and what is left behind after errors."""

import itertools
import json
import math
import time

import evaluate
import pytest

from helpers.errors import error_of
from helpers.items import OPTIONS, PREDICTIONS, RAGGED, REFERENCES, boom, expected, files_of

DATA = {"predictions": PREDICTIONS, "references": REFERENCES}


@pytest.fixture
def metric(load, name):
    return load(name)


# --- add, add_batch, compute ----------------------------------------------------------------------

# How the ten items are handed over: numbers of items, "a" for add (one), "b" for add_batch; the
# rest goes to compute, if there is a rest.
WAYS = ["10a", "3b 0b 3b 4b", "2a 3b 2a 3b", "1a", "9b", "5b 1a 0b", ""]


def given(predictions, references, start=0, end=None):
    return {"predictions": predictions[start:end], "references": references[start:end]}


def hand_over(metric, way, predictions, references, **options):
    """Hand the items over and return the result of `compute`."""
    start = 0
    for part in way.split():
        end = start + int(part[:-1])
        if part[-1] == "b":
            metric.add_batch(**given(predictions, references, start, end))
        else:
            for i in range(start, end):
                metric.add(prediction=predictions[i], reference=references[i])
        start = end
    assert len(metric) == start
    rest = given(predictions, references, start) if start < len(predictions) else {}
    return metric.compute(**rest, **options)


TOKENS = [text.split() for text in PREDICTIONS]
FORMS = {
    "texts": (PREDICTIONS, REFERENCES),
    "texts, several references": (PREDICTIONS, RAGGED),
    "tokens": (TOKENS, [text.split() for text in REFERENCES]),
    "tokens, several references": (TOKENS, [[text.split() for text in texts] for texts in RAGGED]),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_way_gives_the_result_of_one_call(metric, form):
    """In the order of the items, and again: nothing stays."""
    predictions, references = FORMS[form]
    options = {**OPTIONS[metric.name], "use_aggregator": False}
    once = metric.compute(predictions=predictions, references=references, **options)
    for way in WAYS:
        assert hand_over(metric, way, predictions, references, **options) == once, way
        assert len(metric) == 0
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()
    assert files_of(metric) == []


def test_forms_of_references_may_follow_each_other(metric):
    """One string and lists of strings may alternate, also where the first one is a list with
    several.
    """
    for order in itertools.permutations(range(3)):
        batches = [
            (PREDICTIONS[:3], REFERENCES[:3]),
            (PREDICTIONS[3:6], RAGGED[3:6]),
            (PREDICTIONS[6:], [[text] for text in REFERENCES[6:]]),
        ]
        predictions, references = [], []
        for number in order:
            texts, others = batches[number]
            metric.add_batch(predictions=texts, references=others)
            predictions += texts
            references += [[other] if isinstance(other, str) else other for other in others]
        metric.add(prediction="the cat", reference="the dog")
        metric.add(prediction="the cat", reference=["the dog", "a cat"])
        predictions += ["the cat"] * 2
        references += [["the dog"], ["the dog", "a cat"]]
        assert metric.compute() == expected(metric, predictions, references)


def test_empty_batches_are_nothing(metric):
    metric.add_batch(predictions=[], references=[])
    assert len(metric) == 0
    assert metric.writer is None
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()
    with pytest.raises(ValueError, match="predictions is empty"):
        metric.compute(predictions=[], references=[])
    metric.add_batch(**DATA)
    metric.add_batch(predictions=[], references=[])
    assert metric.compute(predictions=(), references=()) == expected(metric)


# --- after errors ---------------------------------------------------------------------------------

BAD_BATCHES = [(["a", None], ["b", "c"]), (["a", "b"], ["c"]), (["a"], [2]), (None, ["a"])]
OF_TOKENS = ([["a"]], [["a"]])  # refused where texts were added before


def test_a_refused_batch_leaves_the_metric_as_it_was(metric):
    metric.add_batch(**given(PREDICTIONS, RAGGED, 0, 6))
    for predictions, references in [*BAD_BATCHES, OF_TOKENS]:
        for method in (metric.add_batch, metric.compute):
            with pytest.raises((TypeError, ValueError)):
                method(predictions=predictions, references=references)
        if type(predictions) is list and len(predictions) == len(references) == 1:
            with pytest.raises((TypeError, ValueError)):
                metric.add(prediction=predictions[0], reference=references[0])
        assert len(metric) == 6
    metric.add_batch(**given(PREDICTIONS, REFERENCES, 6, 9))
    references = [*RAGGED[:6], *([text] for text in REFERENCES[6:])]
    result = metric.compute(**given(PREDICTIONS, REFERENCES, 9))
    assert result == expected(metric, PREDICTIONS, references)


def test_texts_after_tokens_and_the_reverse(metric):
    batches = {"strings": (["a b"], ["a c"]), "lists of tokens": ([["a", "b"]], [["a", "c"]])}
    for (kind, batch), (other_kind, other) in itertools.permutations(batches.items()):
        metric.add_batch(**given(*batch))
        message = f"predictions must be {kind} like those added before, got {other_kind}"
        item = {"prediction": other[0][0], "reference": other[1][0]}
        assert error_of(metric.add_batch, **given(*other)) == (TypeError, message)
        assert error_of(metric.compute, **given(*other)) == (TypeError, message)
        assert error_of(metric.add, **item) == (TypeError, message)
        assert metric.compute() == expected(metric, *batch)


def test_a_name_that_adding_does_not_take(metric):
    """Not the TypeError of Python, which names a class of ours."""
    names = "prediction=..., reference=..."
    plural = names.replace("=", "s=")
    for method, takes in ((metric.add, names), (metric.add_batch, plural)):
        for unknown in ("predicted", "lowercase"):
            message = f"{method.__name__}() got an unexpected keyword argument {unknown!r}: it takes {takes}"
            texts = {"predictions": ["a"], "references": ["b"]}
            assert error_of(method, **texts, **{unknown: True}) == (TypeError, message)
    assert len(metric) == 0


def test_a_refused_option_loses_nothing(metric):
    metric.add_batch(**given(PREDICTIONS, REFERENCES, 0, 5))
    rest = given(PREDICTIONS, REFERENCES, 5)
    for options in ({"frobnicate": 1}, {"zero_division": 7}):
        for data in ({}, rest):
            with pytest.raises((TypeError, ValueError)):
                metric.compute(**data, **options)
        assert len(metric) == 5
    assert metric.compute(**rest) == expected(metric)
    if metric.name == "rouge_full":  # one that does not go with what was added
        metric.add_batch(predictions=[["a", "b"]], references=[["a", "c"]])
        with pytest.raises(ValueError, match=r"^max_bytes needs texts, got lists of tokens$"):
            metric.compute(max_bytes=4)
        assert metric.compute(rouge_types=["rouge1"]) == {"rouge1": 0.5}


def test_an_exception_while_scoring(load, name):
    """A tokenizer that fails: the error comes through, nothing is left over, and no later call
    waits for a lock, for which evaluate takes a second.
    """
    metric, other = load(name), load(name)
    right = metric.compute(**DATA)
    other.add_batch(**DATA)
    began = time.perf_counter()
    for way in ("10b", "4b", "1a", ""):
        with pytest.raises(ArithmeticError, match="the cat a sat"):
            hand_over(metric, way, PREDICTIONS, REFERENCES, tokenizer=boom)
        assert len(metric) == 0
        metric.add_batch(**DATA)
        assert metric.compute() == right
    assert other.compute() == right
    assert time.perf_counter() - began < 0.9
    assert files_of(metric) == []


# --- with the rest of evaluate --------------------------------------------------------------------


def test_combine(load):
    data = {"predictions": PREDICTIONS, "references": RAGGED}
    both = {**load("rouge_full").compute(**data), **load("bleu_full").compute(**data)}
    combined = evaluate.combine([load("rouge_full"), load("bleu_full")])
    assert combined.compute(**data) == both
    combined.add_batch(**given(PREDICTIONS, RAGGED, 0, 5))
    for prediction, references in zip(PREDICTIONS[5:], RAGGED[5:], strict=True):
        combined.add(prediction, references)
    assert combined.compute() == both
    with pytest.raises(TypeError, match=r"predictions\[1\] must be a string"):
        combined.compute(predictions=["a", None], references=["a", "b"])
    assert combined.compute(**data) == both


def test_save(tmp_path, metric, name):
    """Compared as text, since NaN differs from itself."""
    for options in ({}, {"use_aggregator": False}, {"zero_division": math.nan}):
        result = metric.compute(predictions=["", "a b"], references=["", "a c"], **options)
        path = evaluate.save(tmp_path / "result.json", experiment=name, **result)
        saved = json.loads(path.read_text())
        assert repr({key: saved[key] for key in result}) == repr(result)


def test_module_info(metric, name):
    assert metric.name == name
    assert metric.module_type == "metric"
    assert "Args:" in metric.inputs_description
    for method in (metric.compute, metric.add, metric.add_batch):
        assert metric.inputs_description in method.__doc__
    assert len(metric.features) == 4
