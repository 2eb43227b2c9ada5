"""Ctrl-C within `compute`: what was added is dropped, at whatever stage it comes.

So a cell that adds and computes can be run again. Kept, it would be scored twice; and a part of it
is never kept.
"""

import itertools
import threading
from dataclasses import replace
from unittest.mock import Mock

import evaluate
import pytest

from helpers.interrupts import before_line
from helpers.items import NAMES, PREDICTIONS, REFERENCES

DATA = {"predictions": PREDICTIONS[:2], "references": REFERENCES[:2]}
MORE = {"predictions": PREDICTIONS[4:6], "references": REFERENCES[4:6]}
TOKENS = {
    "predictions": [text.split() for text in DATA["predictions"]],
    "references": [text.split() for text in DATA["references"]],
}
BASELINE = {"baseline_predictions": REFERENCES[:2], "n_resamples": 1, "signature": True}

# What is added, what `compute` is called with, and of how many lines one is interrupted.
CALLS = {
    "texts": (DATA, {"use_aggregator": False}, 3),
    "tokens": (TOKENS, {}, 11),
    "more texts": (DATA, MORE, 11),
    "baseline": (DATA, BASELINE, 23),
}
IN_TURN = [pytest.param(*call, id=name) for name, call in CALLS.items()]
IN_TURN += [
    pytest.param(*call[:2], 1, id=f"{name}, each line", marks=pytest.mark.deep)
    for name, call in CALLS.items()
    if call[2] > 1
]


@pytest.fixture(params=NAMES)
def metric(request, load):
    """With few lines to run."""
    options = {"rouge_full": {"rouge_types": ["rouge1"]}, "bleu_full": {"max_order": 1}}
    return load(request.param, **options[request.param])


def interrupt():
    raise KeyboardInterrupt


def in_another_thread(function):
    """What a function returns or raises in a thread of its own."""
    outcomes = []

    def call():
        try:
            outcomes.append(function())
        except Exception as error:
            outcomes.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    return outcomes[0]


@pytest.mark.parametrize(("added", "given", "step"), IN_TURN)
def test_what_was_added_is_dropped_at_every_stage(metric, added, given, step):
    """An interrupt before each line that runs, in whatever module, one after the other."""
    metric.add_batch(**added)
    right = metric.compute(**given)
    for number in itertools.count(1, step):
        metric.add_batch(**added)
        result = None
        try:
            with before_line(number, interrupt, repeats=False) as seen:
                result = metric.compute(**given)
        except KeyboardInterrupt:
            pass
        if len(metric):  # `compute` has not begun
            assert number <= 2  # its first line, and the `try` that the others are in
            assert len(metric) == len(added["predictions"])
            assert metric.compute(**given) == right
        elif seen.n_lines < number:
            break
        # The cell is run again; that nobody else is at work is seen from another thread.
        assert in_another_thread(lambda: metric.add_batch(**added)) is None, number
        assert metric.compute(**given) == right, number
    assert result == right
    assert number > 200  # lines had an interrupt, and the last of them was reached


def test_nothing_is_dropped_that_was_not_there(metric):
    """What another thread adds meanwhile is its own."""

    def interrupted_tokenizer(text):
        in_another_thread(lambda: metric.add_batch(**MORE))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        metric.compute(**DATA, tokenizer=interrupted_tokenizer)
    assert len(metric) == 2
    assert metric.compute() == metric.compute(**MORE)


# --- evaluate.combine -----------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, ArithmeticError])
@pytest.mark.parametrize("at", [0, 1])
def test_all_metrics_of_a_combination_drop_what_was_added(load, monkeypatch, at, error):
    """Also those that have not begun, which the cell would add to again."""
    metrics = [load("rouge_full", rouge_types=["rouge1"]), load("bleu_full", output="score")]
    combined = evaluate.combine(metrics)
    right = combined.compute(**DATA)

    combined.add_batch(**DATA)
    with monkeypatch.context() as patch:
        kind = type(metrics[at])
        patch.setattr(kind, "scorer", replace(kind.scorer, score=Mock(side_effect=error)))
        with pytest.raises(error):
            combined.compute()
    assert list(map(len, metrics)) == [0, 0]
    combined.add_batch(**DATA)
    assert combined.compute() == right
