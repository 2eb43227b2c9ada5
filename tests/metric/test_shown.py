"""What `inspect.signature`, completion and the console show of a loaded metric."""

import copy
import inspect
import pickle

import pytest

import rouge_bleu
from helpers.metrics import loaded

FUNCTIONS = {
    "rouge_full": (rouge_bleu.rouge, rouge_bleu.explain_rouge),
    "bleu_full": (rouge_bleu.bleu, rouge_bleu.explain_bleu),
}


@pytest.fixture
def metric(name):
    return loaded(name)


def test_compute_shows_its_options(metric, name):
    """On the class, on an object, and on copies of it."""
    expected = dict(inspect.signature(FUNCTIONS[name][0]).parameters)
    options = {one: parameter for one, parameter in expected.items() if one != "predictions"}
    copies = copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))
    for one in (metric, *copies):
        parameters = inspect.signature(one.compute).parameters
        assert list(parameters) == list(expected)
        assert [parameters[key].default for key in options if key != "references"] == [
            expected[key].default for key in options if key != "references"
        ]
        assert {parameter.kind.name for parameter in parameters.values()} == {"KEYWORD_ONLY"}
        assert parameters["predictions"].default is parameters["references"].default is None
    assert list(inspect.signature(type(metric).compute).parameters) == ["self", *expected]


def test_explain_shows_its_options_and_the_text_of_its_function(metric, name):
    function = FUNCTIONS[name][1]
    parameters = inspect.signature(metric.explain).parameters
    assert list(parameters) == list(inspect.signature(function).parameters)
    assert "Returns:\n    dict: lists, dicts and numbers only." in metric.explain.__doc__
    assert inspect.getdoc(function).partition("\n\nExamples:")[0] in metric.explain.__doc__


def test_a_class_of_the_user_keeps_its_own_compute(metric):
    class Longer(type(metric)):
        def compute(self, *, predictions, references):
            """Score."""
            return super().compute(predictions=predictions, references=references, n_jobs=1)

    own = Longer()
    assert list(inspect.signature(own.compute).parameters) == ["predictions", "references"]
    assert own.compute(predictions=["a"], references=["a"]) == metric.compute(
        predictions=["a"], references=["a"]
    )


def test_the_repr_is_short(name):
    metric = loaded(name, tokenizer="13a", preset="evaluate", seed=3)
    metric.add(prediction="a", reference="b")
    lines = repr(metric).splitlines()
    assert lines == [
        f"{name} {metric.version}",
        "options of load: tokenizer='13a', preset='evaluate'",
        "items added: 1",
        "help(metric.compute) says what it takes and gives",
    ]


def test_a_long_option_is_cut_in_the_repr():
    text = repr(loaded("rouge_full", stopwords=[f"word{number}" for number in range(999)]))
    value = text.splitlines()[1].removeprefix("options of load: stopwords=")
    assert len(value) == 60
    assert value.endswith("...")


def test_where_to_read_on(name):
    urls = loaded(name).info.reference_urls
    assert [url.partition("/")[0] for url in urls] == ["https:"] * len(urls)
