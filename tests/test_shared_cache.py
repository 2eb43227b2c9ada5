"""Several processes that compute one score, with the files and locks of `evaluate`.

Most tests let two threads stand for two processes: each has its own metric and its own locks,
and what happens between them can be put in an order.
"""

import copy
import errno
import json
import os
import shutil
import subprocess
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import datasets.arrow_writer
import evaluate
import filelock
import pytest

from conftest import ROOT
from items import NAMES, PREDICTIONS, RAGGED, REFERENCES, boom, expected, files_of


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def ranks(tmp_path, name):
    """Load one score for two processes: the metric of each rank."""

    def ranks(**options):
        path, options = str(ROOT / f"{name}.py"), {"timeout": 20, **options}
        options = {"cache_dir": str(tmp_path / "cache"), "num_process": 2, **options}
        return [evaluate.load(path, process_id=rank, **options) for rank in range(2)]

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


def adding(metrics):
    return [lambda m=m, d=d: m.add_batch(**d) for m, d in zip(metrics, DATA, strict=True)]


def computing(metrics, **options):
    return [lambda m=m: m.compute(**options) for m in metrics]


# --- processes ----------------------------------------------------------------------------

PROCESS = """
import json, sys
import evaluate

def results_of_case(name, cache_dir, experiment_id, corpus):
    results = []
    for way in ("batch", "add and compute", "compute", "options at load"):
        of_load, of_compute = (options, {}) if way == "options at load" else ({}, options)
        metric = evaluate.load(
            name, cache_dir=cache_dir, experiment_id=experiment_id + way,
            num_process=2, process_id=rank, **of_load,
        )
        predictions, references = corpus[rank]
        if way == "batch":
            metric.add_batch(predictions=predictions, references=references)
            predictions = references = None
        elif way == "add and compute" and predictions:
            metric.add(prediction=predictions[0], reference=references[0])
            predictions, references = predictions[1:], references[1:]
        results.append(metric.compute(predictions=predictions, references=references, **of_compute))
    return results

rank, options, cases = json.loads(sys.argv[1])
print(json.dumps([results_of_case(*case) for case in cases]))
"""


def test_two_processes(tmp_path):
    """Rank 0 gets the result of all data in the order of the ranks, rank 1 gets None.

    Both metrics, and for each a corpus of which both processes have some, and one of which the
    second has none: all in two processes, as each takes seconds to start.
    """
    options = {"use_aggregator": False, "tokenizer": "char"}
    cache, cases, expected = tmp_path / "cache", [], []
    for name in NAMES:
        script = str(ROOT / f"{name}.py")
        alone = evaluate.load(script, cache_dir=str(tmp_path))
        once = alone.compute(predictions=PREDICTIONS, references=RAGGED, **options)
        for n_of_first in (4, len(PREDICTIONS)):
            corpus = [
                (PREDICTIONS[:n_of_first], RAGGED[:n_of_first]),
                (PREDICTIONS[n_of_first:], RAGGED[n_of_first:]),
            ]
            cases.append([script, str(cache), uuid.uuid4().hex, corpus])
            expected.append([once] * 4)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, json.dumps([rank, options, cases])],
            env={**os.environ, "HF_HOME": str(tmp_path / f"home{rank}")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(2)
    ]
    outputs = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outputs
    results = [json.loads(output) for output, _ in outputs]
    assert results == [expected, [[None] * 4] * len(cases)]
    assert list(cache.rglob("*.arrow")) == []


# --- threads of two ranks -------------------------------------------------------------------


def test_several_scores_one_after_the_other(ranks, on_both):
    metrics = ranks()
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    for _ in range(3):
        assert on_both(*adding(metrics)) == [None, None]
        assert len(files_of(metrics[0])) == 2
        assert list(map(len, metrics)) == [4, 6]
        assert on_both(*computing(metrics)) == [right, None]
        assert list(map(len, metrics)) == [0, 0]
        assert files_of(metrics[0]) == []


def test_tokens_after_an_empty_batch(ranks, on_both):
    tokens = [text.split() for text in PREDICTIONS]
    references = [text.split() for text in REFERENCES]

    def add(metric, start, end):
        metric.add_batch(predictions=[], references=[])
        metric.add_batch(predictions=tokens[start:end], references=references[start:end])

    metrics = ranks()
    right = expected(metrics[0], tokens, references)
    parts = [lambda: add(metrics[0], 0, 4), lambda: add(metrics[1], 4, 10)]
    assert on_both(*parts) == [None, None]
    assert on_both(*computing(metrics)) == [right, None]


def test_a_file_is_removed_only_under_its_lock(ranks, on_both, monkeypatch):
    """As soon as rank 0 releases a lock, another process may take the name and write.

    Its file is left alone. This happens here at each release, and after the last one.
    """
    metrics, foreign = ranks(), []
    release = filelock.BaseFileLock.release

    def release_and_take(lock, force=False):
        held = lock.is_locked
        release(lock, force=force)
        path = Path(lock.lock_file.removesuffix(".lock"))
        if held and path.suffix == ".arrow" and is_computing and not path.exists():
            path.write_text("of another process")
            foreign.append(path)

    right = expected(metrics[0], PREDICTIONS, RAGGED)
    is_computing = False
    monkeypatch.setattr(filelock.BaseFileLock, "release", release_and_take)
    assert on_both(*adding(metrics)) == [None, None]
    is_computing = True
    assert on_both(*computing(metrics)) == [right, None]
    is_computing = False
    assert len(foreign) == 2
    assert [path.read_text() for path in foreign] == ["of another process"] * 2


def test_an_error_while_scoring(ranks, on_both):
    metrics = ranks()
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    for _ in range(2):
        on_both(*adding(metrics))
        error, result = on_both(*computing(metrics, tokenizer=boom))
        assert (type(error), result) == (ArithmeticError, None)
        assert files_of(metrics[0]) == []
        on_both(*adding(metrics))
        assert on_both(*computing(metrics)) == [right, None]


def test_a_disk_that_is_full(ranks, on_both, monkeypatch):
    metrics = ranks()
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    on_both(*adding(metrics))

    def write_batch(writer, batch, *arguments, **options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(datasets.arrow_writer.ArrowWriter, "write_batch", write_batch)
        errors = on_both(*computing(metrics))
    for error in errors:
        assert type(error) is OSError
        assert error.errno == errno.ENOSPC
        assert str(error) == (
            "[Errno 28] No space left on device: num_process > 1 needs a folder that all"
            f" processes can write to, and {metrics[0].data_dir} failed: give load() another"
            " cache_dir"
        )
    assert files_of(metrics[0]) == []
    on_both(*adding(metrics))
    assert on_both(*computing(metrics)) == [right, None]


def test_a_folder_that_cannot_be_made(ranks, tmp_path, name):
    file = tmp_path / "file"
    file.write_text("in the way")
    with pytest.raises(NotADirectoryError) as raised:
        ranks(cache_dir=str(file / "cache"))
    assert str(raised.value) == (
        "[Errno 20] Not a directory: num_process > 1 needs a folder that all processes can"
        f" write to, and {file / 'cache' / name / 'default'} failed: give load() another"
        " cache_dir"
    )


def test_a_folder_that_is_removed_after_load(ranks, on_both):
    metrics = ranks()
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    shutil.rmtree(metrics[0].data_dir)
    assert on_both(*adding(metrics)) == [None, None]
    assert on_both(*computing(metrics)) == [right, None]


def test_a_folder_that_is_removed_after_add(ranks, on_both):
    metrics = ranks()
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    on_both(*adding(metrics))
    shutil.rmtree(metrics[0].data_dir)
    for error in on_both(*computing(metrics)):
        assert type(error) is FileNotFoundError
        assert ".arrow was removed while in use: num_process > 1 needs" in str(error)
    on_both(*adding(metrics))
    assert on_both(*computing(metrics)) == [right, None]


def test_a_process_that_waits_in_vain(ranks, on_both):
    """It leaves neither file nor lock, and can start again."""
    _, late = ranks(timeout=0.2)
    with pytest.raises(ValueError, match="Expected to find locked file"):
        late.add_batch(**DATA[1])
    assert (len(late), files_of(late)) == (0, [])
    metrics = ranks()
    right = expected(metrics[0], PREDICTIONS, RAGGED)
    assert on_both(*adding(metrics)) == [None, None]
    assert on_both(*computing(metrics)) == [right, None]


def test_no_copy_of_a_metric_that_others_wait_for(ranks, on_both, name):
    metrics = ranks()
    assert copy.deepcopy(metrics[0]).num_process == 2
    on_both(*adding(metrics))
    with pytest.raises(TypeError) as raised:
        copy.deepcopy(metrics[0])
    assert str(raised.value) == (
        f"{name} cannot be copied between add and compute with num_process > 1: it holds a"
        " file that other processes wait for"
    )
    on_both(*computing(metrics))
    assert copy.deepcopy(metrics[0]).num_process == 2
