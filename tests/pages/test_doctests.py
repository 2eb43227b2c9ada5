"""The examples in docstrings: of every module that has some, and of tokenizers of the tests."""

import doctest
import importlib
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from helpers.metrics import loaded
from helpers.repository import ROOT

MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for folder in ("rouge_bleu", "rouge_bleu_tools")
    for path in (ROOT / folder).rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", [*MODULES, "helpers.tokenizers"])
def test_examples(name):
    if name.startswith("rouge_bleu_tools.app") and find_spec("gradio") is None:
        pytest.skip("the page is not installed here")
    result = doctest.testmod(importlib.import_module(name))
    assert (result.failed, result.attempted > 0) == (0, True)


def test_examples_of_the_metrics(metric):
    """Those that users read in `metric.inputs_description`. They load the metric by its name, which
    is on the Hub: here it comes from this folder.
    """
    names = {"evaluate": SimpleNamespace(load=loaded)}
    description, parser = metric.inputs_description, doctest.DocTestParser()
    test = parser.get_doctest(description, names, metric.name, None, None)
    assert test.examples
    assert doctest.DocTestRunner().run(test).failed == 0
