"""The examples in docstrings: of every module of the package, and of the oracles."""

import doctest
import importlib
from types import SimpleNamespace

import pytest

from helpers import oracles
from helpers.repository import ROOT

METRICS = ("rouge_full", "bleu_full")
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in (ROOT / "rouge_bleu").rglob("*.py")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    if name in ("rouge_bleu.ground.ragged", "rouge_bleu.bleu.brevity"):
        assert result.attempted > 0


@pytest.mark.parametrize("name", METRICS)
def test_examples_of_the_metrics(name):
    """Those that users read in `metric.inputs_description`. They load the metric by its name, which
    is on the Hub: here it comes from this folder.
    """
    evaluate = importlib.import_module("evaluate")
    local = SimpleNamespace(load=lambda metric: evaluate.load(str(ROOT / f"{metric}.py")))
    description = evaluate.load(str(ROOT / f"{name}.py")).inputs_description
    test = doctest.DocTestParser().get_doctest(description, {"evaluate": local}, name, None, None)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_examples_of_the_oracles():
    assert doctest.testmod(oracles).failed == 0
