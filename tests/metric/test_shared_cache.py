"""Several processes that compute one score, with the files and locks of `evaluate`.

Most tests let two threads stand for two processes: each has its own metric and its own locks,
and what happens between them can be put in an order.
"""

import copy
import errno
import functools
import gc
import itertools
import os
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import evaluate
import pytest

from helpers.errors import error_of
from helpers.items import PREDICTIONS, RAGGED, boom, expected
from helpers.ranks import KILLED, in_processes, kill_oneself
from helpers.repository import ROOT
from helpers.systems import needs_fork

PATH = str(ROOT / "rouge_full.py")


@pytest.fixture
def ranks(tmp_path):
    """Load one score for two processes: the metric of each rank."""

    def ranks(**options):
        options = {"cache_dir": str(tmp_path / "cache"), "num_process": 2, "timeout": 20} | options
        return [evaluate.load(PATH, process_id=rank, **options) for rank in range(2)]

    return ranks


@pytest.fixture
def on_both():
    """Call a function with the number of each rank, each time in the thread of that rank.

    Returns what they return, or the exception that they raise.
    """
    threads = [ThreadPoolExecutor(1), ThreadPoolExecutor(1)]

    def on_both(*functions):
        calls = zip(threads, functions, strict=True)
        futures = [thread.submit(function) for thread, function in calls]
        return [future.exception(60) or future.result() for future in futures]

    yield on_both
    for thread in threads:
        thread.shutdown()


DATA = [
    {"predictions": PREDICTIONS[:4], "references": RAGGED[:4]},
    {"predictions": PREDICTIONS[4:], "references": RAGGED[4:]},
]


def data_files(folder):
    """What holds items; the locks of processes stay, and the last word of the last round."""
    return sorted(path.name for path in folder.rglob("*.items*"))


def adding(metrics):
    return [lambda m=m, d=d: m.add_batch(**d) for m, d in zip(metrics, DATA, strict=True)]


def computing(metrics, **options):
    return [lambda m=m: m.compute(**options) for m in metrics]


# --- processes ----------------------------------------------------------------------------

OPTIONS = {"use_aggregator": False, "tokenizer": "char"}


def scores_of_rank(path, load, predictions, references):
    """Add some and compute with the rest, add all, and give all to another object, at once."""

    def rows(start, end=None):
        return {"predictions": predictions[start:end], "references": references[start:end]}

    metric = evaluate.load(path, **load)
    metric.add_batch(**rows(0, 2))
    results = [metric.compute(**rows(2), **OPTIONS)]
    metric.add_batch(**rows(0))
    results.append(metric.compute(**OPTIONS))
    return [*results, evaluate.load(path, **load, **OPTIONS).compute(**rows(0))]


@needs_fork
def test_the_result_is_that_of_one_process(tmp_path, name):
    """Process 0 gets the result of all data in the order of the processes, the others get None.

    Some have nothing to add: the first, the last, and one in between. A score follows at once on
    the one before.
    """
    path, starts = str(ROOT / f"{name}.py"), [0, 0, 3, 3, len(PREDICTIONS), len(PREDICTIONS)]
    once = evaluate.load(path).compute(predictions=PREDICTIONS, references=RAGGED, **OPTIONS)
    load = {"cache_dir": str(tmp_path / "cache"), "num_process": len(starts) - 1}
    ranks = []
    for rank, (start, end) in enumerate(itertools.pairwise(starts)):
        data = PREDICTIONS[start:end], RAGGED[start:end]
        of_rank = {**load, "process_id": rank}
        ranks.append(functools.partial(scores_of_rank, path, of_rank, *data))
    first, *others = in_processes(*ranks)
    assert first == [once] * 3
    assert others == [[None] * 3] * 4
    assert data_files(tmp_path) == []


def four_ranks(tmp_path, act=lambda rank, step, metric: None):
    """Run four processes that add and compute; `act(rank, step, metric)` may do something else."""
    options = {"cache_dir": str(tmp_path / "cache"), "num_process": 4, "timeout": 20}

    def of_rank(rank):
        metric = evaluate.load(PATH, process_id=rank, **options)
        rows = slice(rank, None, 4)
        act(rank, "add", metric)
        metric.add_batch(predictions=PREDICTIONS[rows], references=RAGGED[rows])
        act(rank, "compute", metric)
        return metric.compute()

    began = time.monotonic()
    results = in_processes(*(functools.partial(of_rank, rank) for rank in range(4)))
    return results, time.monotonic() - began


def right_results():
    """What the ranks return: the result of all items is that of process 0."""
    rows = [index for rank in range(4) for index in range(rank, len(PREDICTIONS), 4)]
    result = evaluate.load(PATH).compute(
        predictions=[PREDICTIONS[row] for row in rows], references=[RAGGED[row] for row in rows]
    )
    return [result, None, None, None]


def check_next_run(tmp_path):
    """All goes well in the next run, and nothing is left of either."""
    assert four_ranks(tmp_path)[0] == right_results()
    assert data_files(tmp_path) == []


ENDED = (
    "process_id {0} of num_process=4 has ended before compute() was done: look for the reason in"
    " its log, and run all processes again"
)


@needs_fork
@pytest.mark.parametrize("victim", [0, 2])
def test_a_process_that_is_killed_between_add_and_compute(tmp_path, victim):
    """The others have an error that names it, long before the timeout; the next run is clean."""

    def act(rank, step, metric):
        if (rank, step) == (victim, "compute"):
            kill_oneself()

    results, seconds = four_ranks(tmp_path, act)
    assert results[victim] == KILLED
    told = ENDED.format(victim)
    for rank in {0, 1, 2, 3} - {victim}:
        assert type(results[rank]) is RuntimeError
        is_told = victim != 0 and rank != 0
        assert str(results[rank]) == (f"process_id 0 gave up: {told}" if is_told else told)
    assert seconds < 10  # of 20 that one would wait for a process that lives
    check_next_run(tmp_path)


@needs_fork
@pytest.mark.parametrize("n_bytes", [0, 200])
def test_a_disk_that_is_full(tmp_path, n_bytes):
    """The system lets process 1 write so many bytes into a file. The others learn the reason where
    there is room for it.
    """
    resource = pytest.importorskip("resource")

    def act(rank, step, metric):
        if (rank, step) == (1, "compute"):
            resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, resource.RLIM_INFINITY))

    results, seconds = four_ranks(tmp_path, act)
    folder = tmp_path / "cache" / "rouge_full" / "default" / "default_experiment-4"
    assert type(results[1]) is OSError
    assert results[1].errno == errno.EFBIG
    assert str(results[1]).endswith(
        ": num_process > 1 needs a folder that all processes can write to, and"
        f" {folder} failed: give load() another cache_dir"
    )
    if n_bytes:
        assert str(results[0]).startswith("process_id 1 gave up: ")
        assert "File too large" in str(results[0])
    else:
        assert str(results[0]) == ENDED.format(1)
    assert [str(results[rank]) for rank in (2, 3)] == [f"process_id 0 gave up: {results[0]}"] * 2
    assert seconds < 10
    assert data_files(tmp_path) == []
    check_next_run(tmp_path)


@needs_fork
@pytest.mark.parametrize("victim", [pytest.param(0, marks=pytest.mark.deep), 1])
def test_an_interrupt_while_a_process_waits(tmp_path, victim):
    """Ctrl-C ends the wait; the others are told, and the same objects can start again."""

    def act(rank, step, metric):
        if step == "compute" and metric.n_rounds_begun == 0:
            metric.n_rounds_begun = 1
            if rank == victim:
                threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            elif rank == 3:
                time.sleep(0.8)
            with pytest.raises(KeyboardInterrupt if rank == victim else RuntimeError):
                metric.compute()
            rows = slice(rank, None, 4)
            metric.add_batch(predictions=PREDICTIONS[rows], references=RAGGED[rows])
        elif step == "add":
            metric.n_rounds_begun = 0

    assert four_ranks(tmp_path, act)[0] == right_results()


# --- threads of two ranks -------------------------------------------------------------------


def check_next_score(metrics, on_both):
    """A score of all items goes well."""
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    assert on_both(*adding(metrics)) == [None, None]
    assert on_both(*computing(metrics)) == [right, None]


def test_several_scores_one_after_the_other(ranks, on_both, tmp_path):
    metrics = ranks()
    for _ in range(3):
        check_next_score(metrics, on_both)
        assert list(map(len, metrics)) == [0, 0]
        assert data_files(tmp_path) == []
    # What a score leaves does not add up: two locks, and the last word of the last round.
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == 3


def test_add_in_one_thread_and_compute_in_another(ranks, on_both):
    metrics = ranks()
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    assert on_both(*adding(metrics)) == [None, None]
    assert list(map(len, metrics)) == [4, 6]
    assert on_both(*reversed(computing(metrics))) == [None, right]


def test_many_tokens_after_an_empty_batch(ranks, on_both):
    """A file has a thousand items in a piece."""
    tokens = [text.split() for text in PREDICTIONS] * 150
    references = [[text.split() for text in texts] for texts in RAGGED] * 150

    def add(metric, rows):
        metric.add_batch(predictions=[], references=[])
        metric.add_batch(predictions=tokens[rows], references=references[rows])

    metrics = ranks()
    right = expected(metrics[0], tokens, references)
    parts = [lambda: add(metrics[0], slice(4)), lambda: add(metrics[1], slice(4, None))]
    assert on_both(*parts) == [None, None]
    assert on_both(*computing(metrics)) == [right, None]


def test_texts_in_one_process_and_tokens_in_the_other(ranks, on_both):
    metrics = ranks()
    tokens = [text.split() for text in PREDICTIONS[4:]]
    parts = [
        lambda: metrics[0].add_batch(**DATA[0]),
        lambda: metrics[1].add_batch(predictions=tokens, references=tokens),
    ]
    message = (
        "predictions must be all strings or all lists of tokens, got strings from process_id 0 and"
        " lists of tokens from process_id 1"
    )
    assert on_both(*parts) == [None, None]
    errors = on_both(*computing(metrics))
    assert [type(error) for error in errors] == [TypeError, RuntimeError]
    assert [str(error) for error in errors] == [message, f"process_id 0 gave up: {message}"]


def test_nobody_has_added_anything(ranks, on_both):
    nothing = [lambda m=m: m.compute(predictions=[], references=[]) for m in ranks()]
    error, none = on_both(*nothing)
    assert (str(error), none) == ("predictions is empty: there is nothing to score", None)


def test_an_error_while_scoring(ranks, on_both, tmp_path):
    metrics = ranks()
    for _ in range(2):
        on_both(*adding(metrics))
        error, result = on_both(*computing(metrics, tokenizer=boom))
        assert (type(error), result) == (ArithmeticError, None)
        assert data_files(tmp_path) == []
        check_next_score(metrics, on_both)


@pytest.mark.parametrize("victim", [0, 1])
def test_an_interrupt_before_a_process_brings_its_items(ranks, on_both, monkeypatch, victim):
    """It drops what was added and its part in the score; the other is told, and both start again."""
    metrics, interrupt = ranks(), Mock(side_effect=KeyboardInterrupt)
    assert on_both(*adding(metrics)) == [None, None]
    with monkeypatch.context() as patch:
        patch.setattr(metrics[victim], "_check_same_form", interrupt)
        errors = on_both(*computing(metrics))
    assert type(errors[victim]) is KeyboardInterrupt
    assert str(errors[1 - victim]) == f"process_id {victim} gave up: KeyboardInterrupt"
    assert list(map(len, metrics)) == [0, 0]
    check_next_score(metrics, on_both)


def test_another_metric_with_the_same_experiment(ranks, on_both):
    metrics, others = ranks(), ranks(timeout=0.2)
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    assert on_both(*adding(metrics)) == [None, None]
    for process, error in enumerate(on_both(*adding(others))):
        assert type(error) is RuntimeError
        assert str(error) == (
            f"process_id {process} of experiment_id 'default_experiment' is taken by another"
            " metric, which has added and not yet computed: give load() another experiment_id, the"
            " same one in all processes"
        )
    others = ranks(experiment_id="other/" * 50)
    assert on_both(*adding(others)) == [None, None]
    assert on_both(*computing(metrics)) == [right, None]
    assert on_both(*computing(others)) == [right, None]


def test_a_folder_that_cannot_be_made(ranks, tmp_path):
    file = tmp_path / "file"
    file.write_text("in the way")
    message = (
        "[Errno 20] Not a directory: num_process > 1 needs a folder that all processes can"
        f" write to, and {file / 'cache' / 'rouge_full' / 'default'} failed: give load() another"
        " cache_dir"
    )
    assert error_of(ranks, cache_dir=str(file / "cache")) == (NotADirectoryError, message)


def test_a_folder_that_is_removed(ranks, on_both):
    """After the load, and after items were added."""
    metrics = ranks()
    shutil.rmtree(metrics[0].data_dir)
    on_both(*adding(metrics))
    shutil.rmtree(metrics[0].data_dir)
    for error in on_both(*computing(metrics)):
        assert type(error) is FileNotFoundError
        assert ": num_process > 1 needs a folder that all processes can" in str(error)
    check_next_score(metrics, on_both)


def test_a_metric_that_is_deleted(ranks, on_both):
    """Its place is free, and nobody waits for it."""
    first, second = ranks()
    assert on_both(*adding([first, second])) == [None, None]
    del second
    gc.collect()
    with pytest.raises(RuntimeError, match=r"^process_id 1 of num_process=2 has ended"):
        first.compute()
    check_next_score(ranks(), on_both)


def test_no_copy_of_a_metric_that_others_wait_for(ranks, on_both):
    metrics = ranks()
    assert copy.deepcopy(metrics[0]).num_process == 2
    on_both(*adding(metrics))
    message = (
        "rouge_full cannot be copied between add and compute with num_process > 1: other"
        " processes wait for it"
    )
    assert error_of(copy.deepcopy, metrics[0]) == (TypeError, message)
    on_both(*computing(metrics))
    assert copy.deepcopy(metrics[0]).num_process == 2
