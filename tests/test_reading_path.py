"""The call that CONTRIBUTING.md follows step by step."""

import re
import sys

from helpers.repository import ROOT
from rouge_bleu import rouge

PREDICTIONS = ["the cat sat on the mat\nit slept"]
REFERENCES = [["a cat sat on the mat\nit slept well", "the cat slept"]]


def traced_call():
    """The functions of the package that a call enters, in order; the files and types of these."""
    called, files, types = {}, set(), set()

    def record(frame, event, _):
        module = frame.f_globals.get("__name__", "")
        is_lazy = frame.f_code.co_name == "__get__"  # what it computes is another call
        if event != "call" or is_lazy or not module.startswith("rouge_bleu."):
            return
        called[f"{module.removeprefix('rouge_bleu.')}.{frame.f_code.co_name}"] = None
        files.add(frame.f_code.co_filename)
        owner = frame.f_locals.get("self")
        types.update(
            kind.__name__ for kind in type(owner).__mro__ if "rouge_bleu" in kind.__module__
        )

    sys.setprofile(record)
    try:
        rouge(PREDICTIONS, REFERENCES, rouge_types=["rougeLsum"])
    finally:
        sys.setprofile(None)
    return list(called), files - {"<string>"}, types


def test_the_steps_are_the_calls():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.partition("## One call, step by step")[2].partition("\n## ")[0]
    steps = re.findall(r"^[0-9]+\. `([\w.]+)`", section, re.MULTILINE)
    steps = [re.sub(r"\.[A-Z]\w*", "", step) for step in steps]  # a method by its module
    called, files, types = traced_call()
    assert len(steps) == 10
    assert [step for step in steps if step not in called] == []
    assert sorted(steps, key=called.index) == steps
    assert len(files) <= 10
    assert types <= set(re.findall(r"`([A-Z]\w+)`", section))
