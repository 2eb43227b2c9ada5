"""What was added stays whole: interrupts, forks, threads, copies, missing folders, full disks."""

import copy
import os
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pyarrow as pa
import pytest

from helpers.errors import error_of
from helpers.interrupts import before_line
from helpers.items import COPIES, PREDICTIONS, RAGGED, REFERENCES, expected
from helpers.ranks import in_processes
from helpers.repository import module_of
from helpers.systems import needs_fork


@pytest.fixture
def metric(load, name):
    return load(name)


# --- interrupts ---------------------------------------------------------------------------


class Interrupt(KeyboardInterrupt):
    pass


def interrupt():
    raise Interrupt


@pytest.mark.parametrize("tokens", [False, True], ids=["texts", "tokens"])
def test_an_interrupted_batch_is_added_as_a_whole_or_not_at_all(metric, tokens):
    """Interrupted before each line that it runs, one after the other."""
    split = (lambda texts: [text.split() for text in texts]) if tokens else list
    predictions, references = split(PREDICTIONS), split(REFERENCES)
    right = expected(metric, predictions, references)
    for number in range(1, 10_000, 3):
        metric.add_batch(predictions=predictions[:3], references=references[:3])
        try:
            with before_line(number, interrupt):
                metric.add_batch(predictions=predictions[3:7], references=references[3:7])
            was_interrupted = False
        except Interrupt:
            was_interrupted = True
        assert len(metric) in (3, 7)
        rest = slice(len(metric), None)
        metric.add_batch(predictions=predictions[rest], references=references[rest])
        assert metric.compute() == right, number
        if not was_interrupted:
            break
    assert number > 30  # lines were interrupted, and the last of them was reached


# --- forks --------------------------------------------------------------------------------


@needs_fork
def test_a_forked_process(load, name):
    """What this process added is not for it; an object that holds nothing is."""
    data = {"predictions": ["a b c", "a"], "references": ["a b d", "a"]}
    nothing = {"predictions": [], "references": []}
    full, empty = load(name), load(name)
    once = empty.compute(**data)
    full.add_batch(**data)

    def in_child():
        errors = [error_of(f, **data) for f in (full.add_batch, full.add, full.compute)]
        errors += [error_of(full.compute), error_of(full.add_batch, **nothing)]
        results = [empty.compute(**data), empty.add_batch(**data) or empty.compute()]
        return os.getpid(), errors, results

    ((child, errors, results),) = in_processes(in_child)
    message = (
        f"{name} holds what process {os.getpid()} added, and this is process {child}, forked"
        " from it: load a metric of its own here, or add and compute there"
    )
    assert errors == [(RuntimeError, message)] * 5
    assert results == [once] * 2
    full.add_batch(**data)
    twice = {key: column * 2 for key, column in data.items()}
    assert full.compute(use_aggregator=False) == empty.compute(**twice, use_aggregator=False)


# --- threads ------------------------------------------------------------------------------


def test_two_threads_at_the_same_time(metric, name, monkeypatch):
    """The second one gets an error and changes nothing; own data need no turn."""
    message = (
        f"{name} is at work for another thread, which adds to it or computes what was"
        " added: give each thread a metric of its own"
    )
    scoring, go_on, results = threading.Event(), threading.Event(), []

    data = {"predictions": PREDICTIONS, "references": REFERENCES}
    metric.add_batch(**data)
    first = threading.Thread(target=lambda: results.append(metric.compute()))
    scorer = type(metric).scorer

    def score_and_wait(*given):
        if threading.current_thread() is first:
            scoring.set()
            assert go_on.wait(30)
        return scorer.score(*given)

    monkeypatch.setattr(type(metric), "scorer", replace(scorer, score=score_and_wait))
    first.start()
    assert scoring.wait(30)
    try:
        assert error_of(metric.add_batch, **data) == (RuntimeError, message)
        assert error_of(metric.add, prediction="a", reference="a") == (RuntimeError, message)
        assert metric.compute(**data) == expected(metric)
        assert len(metric) == 0
    finally:
        go_on.set()
        first.join()
    assert results == [expected(metric)]
    metric.add_batch(**data)
    assert metric.compute() == expected(metric)


def test_a_thread_does_not_add_to_what_another_one_has_added(metric, name):
    """It gets an error as long as the other one lives; no result has items of both."""
    added, go_on, messages = threading.Event(), threading.Event(), []

    def add():
        metric.add_batch(predictions=PREDICTIONS[:5], references=REFERENCES[:5])
        added.set()
        assert go_on.wait(30)

    first = threading.Thread(target=add, name="first")
    first.start()
    assert added.wait(30)
    own = {"predictions": PREDICTIONS[5:], "references": REFERENCES[5:]}
    try:
        item = {"prediction": "a", "reference": "b"}
        for method, given in [(metric.add_batch, own), (metric.add, item), (metric.compute, own)]:
            messages.append(error_of(method, **given))
        assert metric.explain(prediction="a", reference="a")
        assert len(metric) == 5
    finally:
        go_on.set()
        first.join()
    message = (
        f"{name} holds what thread 'first' added, and this is thread"
        f" {threading.current_thread().name!r}: give each thread a metric of its own"
    )
    assert messages == [(RuntimeError, message)] * 3
    assert metric.compute(**own) == expected(metric)  # the other one has ended


def test_a_thread_scores_what_others_have_added(metric):
    """One after another."""
    for start in range(0, 10, 5):
        rows = slice(start, start + 5)
        given = {"predictions": PREDICTIONS[rows], "references": REFERENCES[rows]}
        thread = threading.Thread(target=metric.add_batch, kwargs=given)
        thread.start()
        thread.join()
    assert metric.compute() == expected(metric)


def test_eight_threads_with_one_object_that_holds_nothing(metric):
    """What keeps nothing in the object gives in each thread what it gives alone."""

    def results(number):
        data = {"predictions": PREDICTIONS[number:], "references": RAGGED[number:]}
        statistics = metric.batch_statistics(pa.table(data), **order)
        return (
            metric.compute(**data),
            metric.explain(prediction=PREDICTIONS[number], reference=RAGGED[number]),
            metric.item_scores(statistics, **order).to_pylist(),
            metric.fold([metric.sum_statistics(statistics, **order)], **order),
        )

    order = {} if metric.name == "rouge_full" else {"max_order": 2}
    right = [results(number) for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(results, [*range(8)] * 2)) == right * 2


# --- copies -------------------------------------------------------------------------------


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_has_items_of_its_own(metric, copied):
    metric.add_batch(predictions=PREDICTIONS[:5], references=REFERENCES[:5])
    other = copied(metric)
    metric.add_batch(predictions=PREDICTIONS[5:], references=REFERENCES[5:])
    other.add(prediction=PREDICTIONS[7], reference=REFERENCES[7])
    predictions = [*PREDICTIONS[:5], PREDICTIONS[7]]
    references = [*REFERENCES[:5], REFERENCES[7]]
    assert (len(metric), len(other)) == (10, 6)
    assert other.compute() == expected(metric, predictions, references)
    assert metric.compute() == expected(metric)


def test_lists_that_are_changed_after_they_were_added(metric):
    texts, lists = PREDICTIONS[:], [list(references) for references in RAGGED]
    metric.add_batch(predictions=texts, references=lists)
    texts[0] = lists[1][0] = "something else"
    lists[2].clear()
    assert metric.compute() == expected(metric, PREDICTIONS, RAGGED)
    tokens = [text.split() for text in PREDICTIONS]
    references = [[text.split() for text in texts] for texts in RAGGED]
    right = expected(metric, copy.deepcopy(tokens), copy.deepcopy(references))
    metric.add_batch(predictions=tokens, references=references)
    tokens[0][0] = "something else"
    references[1][0].clear()
    references[3][0].append("something else")
    assert metric.compute() == right


# --- folders ------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written(load, name, tmp_path):
    """One process writes nothing."""
    file = tmp_path / "file"
    file.write_text("in the way")
    for keep_in_memory in (False, True):
        metric = load(name, cache_dir=str(file / "cache"), keep_in_memory=keep_in_memory)
        metric.add_batch(predictions=PREDICTIONS, references=REFERENCES)
        assert metric.compute() == expected(metric)


# --- python -OO -----------------------------------------------------------------------------


def test_without_docstrings(metric, monkeypatch):
    """`evaluate` appends to the docstrings of a metric, and cannot where there are none: python -OO,
    which leaves the docstring of each function None, would first compile all packages anew.
    """
    safe = module_of(metric, "metric.safe")
    monkeypatch.setattr(safe.SafeMetric.compute, "__doc__", None)
    message = (
        "evaluate cannot load metrics under python -OO or PYTHONOPTIMIZE=2, which strip the"
        " docstrings that it appends to: use python -O or PYTHONOPTIMIZE=1"
    )
    with pytest.raises(RuntimeError, match=re.escape(message)):
        type(metric)()


def test_what_was_added_stays_where_data_of_compute_is_refused(rouge_full):
    """Tokens were added; a text in a list is refused, together with them or alone."""
    rouge_full.add_batch(predictions=[["yes"], ["no"]], references=[["yes"], ["yes"]])
    with pytest.raises(ValueError, match="is a list with one text"):
        rouge_full.compute(predictions=[["the cat sat"]], references=[["a", "cat"]])
    assert len(rouge_full) == 2
    assert rouge_full.compute(rouge_types=["rouge1"]) == {"rouge1": 0.5}
