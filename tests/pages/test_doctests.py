"""The examples in docstrings: of every module of the package, and of the oracles."""

import doctest
import importlib
from types import SimpleNamespace

import pytest

from helpers import oracles
from helpers.metrics import loaded
from helpers.repository import ROOT

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


def test_examples_of_the_metrics(metric):
    """Those that users read in `metric.inputs_description`. They load the metric by its name, which
    is on the Hub: here it comes from this folder.
    """
    names = {"evaluate": SimpleNamespace(load=loaded)}
    description, parser = metric.inputs_description, doctest.DocTestParser()
    test = parser.get_doctest(description, names, metric.name, None, None)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0


def test_examples_of_the_oracles():
    assert doctest.testmod(oracles).failed == 0
