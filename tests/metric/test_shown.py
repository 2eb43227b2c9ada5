"""What a loaded metric says of itself: help, completion, the console, and which packages it needs."""

import copy
import inspect
import pickle
import re
import warnings

import datasets
import pytest

import rouge_bleu
from helpers.metrics import loaded
from helpers.repository import ROOT
from rouge_bleu import evaluate_metric
from rouge_bleu.evaluate_metric import OLDEST_VERSIONS
from rouge_bleu.scorer import text_without_examples

FUNCTIONS = {
    "rouge_full": (rouge_bleu.rouge, rouge_bleu.explain_rouge),
    "bleu_full": (rouge_bleu.bleu, rouge_bleu.explain_bleu),
}


def test_module_info(metric):
    assert metric.name in FUNCTIONS
    assert metric.module_type == "metric"
    assert "predictions" in metric.inputs_description
    for method in (metric.compute, metric.add, metric.add_batch):
        assert metric.inputs_description in method.__doc__
    assert len(metric.features) == 4
    assert all(url.startswith("https:") for url in metric.info.reference_urls)


def test_compute_shows_its_options(metric):
    """On the class, on an object, and on copies of it."""
    expected = dict(inspect.signature(FUNCTIONS[metric.name][0]).parameters)
    texts = {"predictions", "references"}
    for one in (metric, copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        parameters = inspect.signature(one.compute).parameters
        assert list(parameters) == list(expected)
        assert {parameter.kind.name for parameter in parameters.values()} == {"KEYWORD_ONLY"}
        for key, parameter in parameters.items():
            assert parameter.default == (None if key in texts else expected[key].default)
    assert list(inspect.signature(type(metric).compute).parameters) == ["self", *expected]


def test_explain_shows_its_options_and_the_text_of_its_function(metric):
    function = FUNCTIONS[metric.name][1]
    parameters = inspect.signature(metric.explain).parameters
    assert list(parameters) == list(inspect.signature(function).parameters)
    assert text_without_examples(function) in metric.explain.__doc__


def test_a_class_of_the_user_keeps_its_own_compute(metric):
    class Longer(type(metric)):
        def compute(self, *, predictions, references):
            """Score."""
            return super().compute(predictions=predictions, references=references, n_jobs=1)

    own, texts = Longer(), {"predictions": ["a"], "references": ["a"]}
    assert list(inspect.signature(own.compute).parameters) == ["predictions", "references"]
    assert own.compute(**texts) == metric.compute(**texts)


def test_the_repr_is_short(name):
    """`evaluate` prints thousands of letters of help."""
    metric = loaded(name, tokenizer="13a", preset="evaluate", seed=3)
    metric.add(prediction="a", reference="b")
    for part in (f"{name} {metric.version}", "tokenizer='13a', preset='evaluate'", "added: 1"):
        assert part in repr(metric)
    text = repr(loaded("rouge_full", stopwords=[f"word{number}" for number in range(999)]))
    assert "stopwords=" in text
    assert len(text) < 300


# --- versions -------------------------------------------------------------------------------------


def test_a_package_that_is_too_old_is_named(metric, monkeypatch):
    """Pre-releases are older than the release; versions are compared as numbers."""
    for version in ("2.20.0", "2.9.0", "2.21.0rc1"):
        monkeypatch.setattr(datasets, "__version__", version)
        with pytest.raises(
            ImportError, match=rf"datasets must be 2\.21\.0 or later, got {version}"
        ):
            type(metric)()
    for version in ("2.21.0", "100.0.dev1+local"):
        monkeypatch.setattr(datasets, "__version__", version)
        type(metric)()


OF_INSTALL = "evaluate_modules.metrics.evaluate-metric--rouge_full.0123.rouge_full"
OF_SPACE = "evaluate_modules.metrics.your-name--rouge_full.0123.rouge_full"


@pytest.mark.parametrize(
    ("module", "installed", "is_said"),
    [(OF_INSTALL, "99.0", True), (OF_INSTALL, "0.0.1", False), (OF_SPACE, "99.0", False)],
)
def test_a_copy_that_is_older_than_the_package(monkeypatch, module, installed, is_said):
    monkeypatch.setattr(evaluate_metric.metadata, "version", {"rouge-bleu-full": installed}.get)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evaluate_metric._warn_of_old_copy(module)
    assert [installed in str(one.message) for one in caught] == [True] * is_said


def test_the_oldest_versions_are_those_of_the_requirements():
    needed = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    pinned = (ROOT / "requirements" / "oldest.txt").read_text(encoding="utf-8").splitlines()
    page = " ".join((ROOT / "docs" / "loading.md").read_text(encoding="utf-8").split())
    for package, oldest in OLDEST_VERSIONS.items():
        short = oldest.removesuffix(".0").removesuffix(".0")
        assert f"{package}>={short}" in needed
        assert f'"{package}>={short}"' in project
        assert f"{package}=={oldest}" in pinned
        assert re.search(f"`{package}` {re.escape(short)}", page)
