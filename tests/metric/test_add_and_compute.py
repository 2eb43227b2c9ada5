"""`add`, `add_batch` and `compute` in any order: all or nothing, after errors and interrupts too."""

import copy
import itertools
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from unittest.mock import Mock

import dill
import evaluate
import pyarrow as pa
import pytest

from helpers.interrupts import before_line
from helpers.items import PREDICTIONS, RAGGED, REFERENCES, boom, expected
from helpers.metrics import loaded


def tokens(texts):
    return [tokens(one) if isinstance(one, list) else one.split() for one in texts]


def given(predictions, references, start=0, end=None):
    return {"predictions": predictions[start:end], "references": references[start:end]}


def rows(start=0, end=None):
    return given(PREDICTIONS, REFERENCES, start, end)


DATA, MORE = rows(), rows(4, 6)
FORMS = {
    "texts": (PREDICTIONS, REFERENCES),
    "texts, several references": (PREDICTIONS, RAGGED),
    "tokens": (tokens(PREDICTIONS), tokens(REFERENCES)),
    "tokens, several references": (tokens(PREDICTIONS), tokens(RAGGED)),
}


# --- every order ----------------------------------------------------------------------------------

# How the ten items are handed over: numbers of items, "a" for add (one), "b" for add_batch; the
# rest goes to compute, if there is a rest.
WAYS = ["10a", "3b 0b 3b 4b", "2a 3b 2a 3b", "1a", "9b", "5b 1a 0b", ""]


def hand_over(metric, way, predictions, references, **options):
    """Hand the items over and return the result of `compute`."""
    start = 0
    for part in way.split():
        end = start + int(part[:-1])
        if part[-1] == "b":
            metric.add_batch(**given(predictions, references, start, end))
        for i in range(start, end) if part[-1] == "a" else []:
            metric.add(prediction=predictions[i], reference=references[i])
        start = end
    assert len(metric) == start
    rest = given(predictions, references, start) if start < len(predictions) else {}
    return metric.compute(**rest, **options)


@pytest.mark.parametrize("form", FORMS)
def test_every_way_gives_the_result_of_one_call(metric, form):
    """In the order of the items, and again: nothing stays."""
    predictions, references = FORMS[form]
    options = {"use_aggregator": False, "lowercase": False}
    once = metric.compute(predictions=predictions, references=references, **options)
    for way in WAYS:
        assert hand_over(metric, way, predictions, references, **options) == once, way
        assert len(metric) == 0
    with pytest.raises(ValueError, match="nothing to score"):
        metric.compute()


def test_forms_of_references_may_follow_each_other(metric):
    """One string and lists of strings may alternate; an empty batch is nothing."""
    nested = [[text] for text in REFERENCES]
    forms = {"a": RAGGED, "b": REFERENCES, "c": nested}
    parts = {"a": slice(0, 3), "b": slice(3, 6), "c": slice(6, None)}
    for order in itertools.permutations("abc"):
        predictions, references = [], []
        for form in order:
            part = parts[form]
            metric.add_batch(predictions=PREDICTIONS[part], references=forms[form][part])
            metric.add_batch(predictions=[], references=[])
            predictions += PREDICTIONS[part]
            references += (RAGGED if form == "a" else nested)[part]
        assert metric.compute(predictions=(), references=()) == expected(
            metric, predictions, references
        )
    with pytest.raises(ValueError, match="predictions is empty"):
        metric.compute(predictions=[], references=[])


def test_lists_that_are_changed_after_they_were_added(metric):
    for predictions, references in FORMS.values():
        columns = copy.deepcopy([predictions, references])
        metric.add_batch(**given(*columns))
        for column in columns:
            for value in column:
                if type(value) is list:
                    value.clear()
            column[0] = "something else"
        assert metric.compute() == expected(metric, predictions, references)


def test_one_process_writes_nothing(load, name, tmp_path):
    (tmp_path / "file").write_text("in the way")
    for keep_in_memory in (False, True):
        metric = load(name, cache_dir=str(tmp_path / "file"), keep_in_memory=keep_in_memory)
        metric.add_batch(**DATA)
        assert metric.compute() == metric.compute(**DATA)


@pytest.mark.parametrize("way", ["copy", "deepcopy", "pickle", "dill"])
def test_a_copy_has_items_of_its_own(metric, way):
    """And an object that is in a list twice stays one."""
    metric.add_batch(**rows(0, 5))
    if way == "copy":
        other = same = copy.copy(metric)
    elif way == "deepcopy":
        other, same = copy.deepcopy([metric] * 2)
    else:
        library = {"pickle": pickle, "dill": dill}[way]
        other, same = library.loads(library.dumps([metric] * 2))
    assert other is same
    metric.add_batch(**rows(5))
    other.add_batch(**rows(5, 6))
    assert (len(metric), len(other)) == (10, 6)
    assert other.compute() == expected(metric, PREDICTIONS[:6], REFERENCES[:6])
    assert metric.compute() == expected(metric)


# --- errors ---------------------------------------------------------------------------------------

BAD_BATCHES = [
    (["a", None], ["b", "c"]),
    (["a", "b"], ["c"]),
    (["a"], [2]),
    (None, ["a"]),
    ([["a"]], [["a"]]),  # tokens after texts
]
BAD_OPTIONS = [{"frobnicate": 1}, {"zero_division": 7}]


def test_a_refused_batch_or_option_loses_nothing(metric):
    metric.add_batch(**given(PREDICTIONS, RAGGED, 0, 6))
    rest = given(PREDICTIONS, RAGGED, 6)
    calls = [(metric.compute, data | options) for data in ({}, rest) for options in BAD_OPTIONS]
    calls += [(metric.add, {"prediction": one, "reference": one}) for one in (2, ["a"])]
    for predictions, references in BAD_BATCHES:
        batch = {"predictions": predictions, "references": references}
        calls += [(metric.add_batch, batch), (metric.compute, batch)]
    for method, arguments in calls:
        with pytest.raises((TypeError, ValueError)):
            method(**arguments)
        assert len(metric) == 6
    assert metric.compute(**rest) == expected(metric, PREDICTIONS, RAGGED)
    some = tokens(PREDICTIONS)
    metric.add_batch(predictions=some, references=some)
    for method in (metric.add_batch, metric.compute):
        with pytest.raises(TypeError, match="lists of tokens like earlier ones, got strings"):
            method(**DATA)
    assert metric.compute() == expected(metric, some, some)


def test_what_was_added_stays_where_other_data_or_an_option_is_refused(load):
    """Tokens were added; a text in a list is refused together with them. Refused itself, what was
    added goes, or the object would be stuck.
    """
    rouge_full = load("rouge_full")
    rouge_full.add_batch(predictions=[["yes"], ["no"]], references=[["yes"], ["yes"]])
    with pytest.raises(ValueError, match="a list with one text"):
        rouge_full.compute(predictions=[["the cat sat"]], references=[["a", "cat"]])
    with pytest.raises(ValueError, match=r"^max_bytes needs texts, got lists of tokens$"):
        rouge_full.compute(max_bytes=4)
    assert len(rouge_full) == 2
    assert rouge_full.compute(rouge_types=["rouge1"]) == {"rouge1": 0.5}
    rouge_full.add(prediction=["the cat sat"], reference=["a", "cat"])
    with pytest.raises(ValueError, match="a list with one text"):
        rouge_full.compute()
    assert len(rouge_full) == 0


def test_an_exception_while_scoring(metric):
    """A tokenizer that fails: the error comes through, and nothing is left over."""
    right = metric.compute(**DATA)
    for way in ("10b", "4b", "1a", ""):
        with pytest.raises(ArithmeticError, match="the cat a sat"):
            hand_over(metric, way, PREDICTIONS, REFERENCES, tokenizer=boom)
        assert len(metric) == 0
        metric.add_batch(**DATA)
        assert metric.compute() == right


# --- Ctrl-C ---------------------------------------------------------------------------------------


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.parametrize("form", ["texts", "tokens"])
def test_an_interrupted_batch_is_added_as_a_whole_or_not_at_all(metric, form):
    """Interrupted before each line that it runs, in turn."""
    data = FORMS[form]
    right = expected(metric, *data)
    was_interrupted, number = True, 1
    while was_interrupted:
        metric.add_batch(**given(*data, 0, 3))
        was_interrupted = False
        try:
            with before_line(number, interrupt):
                metric.add_batch(**given(*data, 3, 7))
        except KeyboardInterrupt:
            was_interrupted = True
        assert len(metric) in (3, 7)
        assert metric.compute(**given(*data, len(metric))) == right, number
        number += 3
    assert number > 30  # lines were interrupted, and the last of them was reached


BASELINE = {"baseline_predictions": REFERENCES[:2], "n_resamples": 1, "signature": True}

# What is added, what `compute` is called with, and of how many lines one is interrupted.
CALLS = {
    "texts": (rows(0, 2), {"use_aggregator": False}, 3),
    "tokens": (given(*FORMS["tokens"], 0, 2), {}, 11),
    "more texts": (rows(0, 2), MORE, 11),
    "baseline": (rows(0, 2), BASELINE, 23),
}
EACH_LINE = pytest.param(True, marks=pytest.mark.deep)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("each_line", [False, EACH_LINE])
def test_ctrl_c_drops_what_was_added_at_every_stage(load, name, call, each_line):
    """An interrupt before each line that runs, in whatever module: the cell can be run again."""
    added, called_with, step = CALLS[call]
    options = {"rouge_full": {"rouge_types": ["rouge1"]}, "bleu_full": {"max_order": 1}}
    metric = load(name, **options[name])  # with few lines to run
    metric.add_batch(**added)
    right = metric.compute(**called_with)
    for number in itertools.count(1, 1 if each_line else step):
        metric.add_batch(**added)
        result = None
        with suppress(KeyboardInterrupt), before_line(number, interrupt, repeats=False) as seen:
            result = metric.compute(**called_with)
        if len(metric):  # `compute` has not begun
            assert number <= 2  # its first line, and the `try` that the others are in
            assert len(metric) == len(added["predictions"])
            assert metric.compute(**called_with) == right
        elif seen.n_lines < number:
            break
        metric.add_batch(**added)
        assert metric.compute(**called_with) == right, number
    assert result == right
    assert number > 200  # lines had an interrupt, and the last of them was reached


# --- combine --------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", [KeyboardInterrupt, ArithmeticError])
@pytest.mark.parametrize("at", [0, 1])
def test_all_metrics_of_a_combination_drop_what_was_added(load, monkeypatch, at, error):
    """Also those that have not begun, which the cell would add to again."""
    metrics = [load("rouge_full", rouge_types=["rouge1"]), load("bleu_full", output="score")]
    combined = evaluate.combine(metrics)
    right = combined.compute(**DATA)
    for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True):
        combined.add(prediction, reference)
    with monkeypatch.context() as patch:
        kind = type(metrics[at])
        patch.setattr(kind, "scorer", replace(kind.scorer, plan=Mock(side_effect=error)))
        with pytest.raises(error):
            combined.compute()
    assert list(map(len, metrics)) == [0, 0]
    combined.add_batch(**DATA)
    assert combined.compute() == right


# --- threads --------------------------------------------------------------------------------------


def test_a_thread_does_not_add_to_what_another_one_has_added(metric):
    """It gets an error, also when the other one has ended; no result has items of both."""
    with ThreadPoolExecutor(1, thread_name_prefix="first") as pool:
        pool.submit(metric.add_batch, **rows(0, 5)).result()
        item = {"prediction": "a", "reference": "b"}
        calls = [(metric.add_batch, MORE), (metric.add, item), (metric.compute, MORE)]

        def refused():
            for method, data in calls:
                with pytest.raises(RuntimeError, match="thread 'first_0' of process"):
                    method(**data)
            assert metric.explain(**item)
            assert len(metric) == 5

        refused()
    refused()
    assert metric.compute() == expected(metric, PREDICTIONS[:5], REFERENCES[:5])
    metric.add_batch(**rows(0, 5))
    assert metric.compute(**rows(5)) == expected(metric)


def test_items_that_come_while_others_are_scored_are_not_lost(metric):
    """Neither are they in the result, nor does an interrupt of it drop them."""

    def adding(text):
        if not len(metric):
            thread = threading.Thread(target=metric.add_batch, kwargs=MORE)
            thread.start()
            thread.join()
        return text.split()

    right = metric.compute(**DATA, tokenizer=str.split)
    metric.add_batch(**DATA)
    assert metric.compute(tokenizer=adding) == right
    assert metric.compute() == metric.compute(**MORE)
    with pytest.raises(KeyboardInterrupt):
        metric.compute(**DATA, tokenizer=lambda text: adding(text) and interrupt())
    assert metric.compute() == metric.compute(**MORE)


def test_eight_threads(metric, tmp_path):
    """With one object that holds nothing, and with objects that they load and add to."""
    order = {} if metric.name == "rouge_full" else {"max_order": 2}
    barrier = threading.Barrier(8)

    def results(number):
        data = given(PREDICTIONS, RAGGED, number)
        statistics = metric.batch_statistics(pa.table(data), **order)
        own = loaded(metric.name, cache_dir=str(tmp_path))
        own.add_batch(**data)
        return (
            metric.compute(**data),
            metric.explain(prediction=PREDICTIONS[number], reference=RAGGED[number]),
            metric.item_scores(statistics, **order).to_pylist(),
            metric.fold([metric.sum_statistics(statistics, **order)], **order),
            own.compute(),
        )

    right = [results(number) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: barrier.wait(30) < 8 and results(number), range(8)))
    assert found == right
