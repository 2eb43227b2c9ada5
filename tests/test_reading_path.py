"""The call that CONTRIBUTING.md follows step by step."""

import re
import sys

from helpers.repository import ROOT
from rouge_bleu import rouge

PREDICTIONS = ["the cat sat on the mat\nit slept"]
REFERENCES = [["a cat sat on the mat\nit slept well", "the cat slept"]]


def called_functions():
    """The functions of the package that a call enters, in the order of their first entry."""
    called = {}

    def record(frame, event, _):
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("rouge_bleu."):
            name = frame.f_code.co_name
            called[f"{module.removeprefix('rouge_bleu.')}.{name}"] = None

    sys.setprofile(record)
    try:
        rouge(PREDICTIONS, REFERENCES, rouge_types=["rougeLsum"])
    finally:
        sys.setprofile(None)
    return list(called)


def test_the_steps_are_the_calls():
    section = (
        (ROOT / "CONTRIBUTING.md")
        .read_text("utf-8")
        .partition("## One call, step by step")[2]
        .partition("\n## ")[0]
    )
    steps = re.findall(r"^[0-9]+\. `([\w.]+)`", section, re.MULTILINE)
    steps = [re.sub(r"\.[A-Z]\w*", "", step) for step in steps]  # a method by its module
    called = called_functions()
    assert len(steps) == 10
    assert [step for step in steps if step not in called] == []
    assert sorted(steps, key=called.index) == steps
