"""Several processes that compute one score (`num_process` > 1)."""

import errno
import functools
import itertools
import os
import random
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import evaluate
import pytest

from helpers.errors import error_of
from helpers.items import PREDICTIONS, RAGGED, boom, expected
from helpers.ranks import KILLED, in_processes, kill_oneself
from helpers.repository import ROOT
from helpers.systems import needs_fork

PATH = str(ROOT / "rouge_full.py")
DATA = [
    {"predictions": PREDICTIONS[:4], "references": RAGGED[:4]},
    {"predictions": PREDICTIONS[4:], "references": RAGGED[4:]},
]


@pytest.fixture
def ranks(tmp_path):
    """Loads one score for so many processes: the metric of each rank."""

    def ranks(n=2, **options):
        options = {"cache_dir": str(tmp_path), "num_process": n, "timeout": 20, **options}
        return [evaluate.load(PATH, process_id=rank, **options) for rank in range(n)]

    return ranks


def at_once(*functions):
    """What functions return or raise, each in a separate thread that represents a process."""
    with ThreadPoolExecutor(len(functions)) as pool:
        futures = [pool.submit(function) for function in functions]
        return [future.exception(60) or future.result() for future in futures]


def calls(metrics, data=DATA, **options):
    pairs = zip(metrics, data, strict=True)
    return [functools.partial(metric.compute, **given, **options) for metric, given in pairs]


def computing(metrics, data=DATA, **options):
    return at_once(*calls(metrics, data, **options))


def files(metric):
    return sorted(path.suffix for path in Path(metric.data_dir).iterdir())


# --- processes ------------------------------------------------------------------------------------

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
    """Process 0 gets the result of all items in the order of the processes, the others get None.

    Some have nothing to add: the first, the last, and one in between. A score follows at once on
    the one before.
    """
    path, starts = str(ROOT / f"{name}.py"), [0, 0, 3, 3, len(PREDICTIONS), len(PREDICTIONS)]
    once = evaluate.load(path).compute(predictions=PREDICTIONS, references=RAGGED, **OPTIONS)
    load = {"cache_dir": str(tmp_path), "num_process": len(starts) - 1}
    processes = []
    for rank, (start, end) in enumerate(itertools.pairwise(starts)):
        data = PREDICTIONS[start:end], RAGGED[start:end]
        of_rank = {**load, "process_id": rank}
        processes.append(functools.partial(scores_of_rank, path, of_rank, *data))
    assert in_processes(*processes) == [[once] * 3, *[[None] * 3] * 4]


def of_rank(rank, load, act):
    metric = evaluate.load(PATH, process_id=rank, num_process=2, **load)
    act(rank, metric)
    return metric.compute(**DATA[rank])


def two_processes(tmp_path, act=lambda rank, metric: None, timeout=20):
    load = {"cache_dir": str(tmp_path), "timeout": timeout}
    return in_processes(*(functools.partial(of_rank, rank, load, act) for rank in range(2)))


@needs_fork
@pytest.mark.parametrize("victim", [0, 1])
@pytest.mark.parametrize("moment", ["before", "while it waits"])
def test_a_killed_process_is_named_and_its_files_are_not_read(tmp_path, rouge_full, victim, moment):
    """The other process waits for it as long as it waits for anybody."""

    def act(rank, metric):
        if moment == "before" and rank == victim:
            kill_oneself()
        if moment != "before" and rank == victim:
            threading.Timer(0.3, kill_oneself).start()
        elif moment != "before":
            time.sleep(0.6)

    results = two_processes(tmp_path, act, timeout=0.8)
    assert results[victim] == KILLED
    assert type(results[1 - victim]) is TimeoutError
    assert f"process_id {victim} did not come" in str(results[1 - victim])
    right = rouge_full.compute(predictions=PREDICTIONS, references=RAGGED)
    assert two_processes(tmp_path) == [right, None]


@needs_fork
def test_an_interrupt_while_process_1_waits(tmp_path, rouge_full):
    """It takes its items back, and can start again with the same object."""

    def act(rank, metric):
        if rank == 0:
            time.sleep(1.5)
            return
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            metric.compute(predictions=["other items"], references=["other items"])

    right = rouge_full.compute(predictions=PREDICTIONS, references=RAGGED)
    assert two_processes(tmp_path, act) == [right, None]


@needs_fork
def test_an_interrupt_while_process_0_waits(tmp_path):
    """For a third process; the second one learns of it at once."""

    def of_rank(rank):
        metric = evaluate.load(PATH, process_id=rank, num_process=3, cache_dir=str(tmp_path))
        if rank == 0:
            threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        return metric.compute(**DATA[rank])

    first, second = in_processes(*(functools.partial(of_rank, rank) for rank in range(2)))
    assert type(first) is KeyboardInterrupt
    assert type(second) is RuntimeError
    assert "process_id 0 gave up: KeyboardInterrupt" in str(second)


@needs_fork
def test_a_disk_that_is_full(tmp_path):
    """The system lets process 1 write 200 bytes into a file."""
    resource = pytest.importorskip("resource")

    def act(rank, metric):
        if rank == 1:
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))

    missing, full = two_processes(tmp_path, act, timeout=0.5)
    assert type(missing) is TimeoutError
    assert type(full) is OSError
    assert full.errno == errno.EFBIG
    assert "num_process > 1 needs a folder that all processes can write to" in str(full)


# --- threads that represent processes -------------------------------------------------------------


def test_runs_that_follow_each_other_never_mix(ranks):
    """Each process comes when it likes; remaining files do not grow."""
    metrics = ranks(3, rouge_types=["rouge1"], output="recall", use_aggregator=False)
    moments = random.Random(0)
    pauses = [[moments.random() * 0.02 for _ in range(15)] for _ in metrics]

    def scores(rank):
        results = []
        for number, pause in enumerate(pauses[rank]):
            time.sleep(pause)
            words = ["a"] * number + ["b"] * rank + ["c"]
            results.append(metrics[rank].compute(predictions=["c"], references=[" ".join(words)]))
        return results

    first, *others = at_once(*(functools.partial(scores, rank) for rank in range(3)))
    # One word of a reference of so many.
    assert first == [{"rouge1": [1 / (n + rank + 1) for rank in range(3)]} for n in range(15)]
    assert others == [[None] * 15] * 2
    assert files(metrics[0]) == ["", ".end"]  # the lock, and the end of the last run


@pytest.mark.parametrize(
    "suffixes",
    [[".open"], [".open", ".1"], [".open", ".1", ".end"], [".1.part", ".open", ".end.part"]],
    ids="+".join,
)
def test_what_a_killed_run_has_left_is_not_read(ranks, suffixes):
    metrics = ranks()
    for suffix in suffixes:
        old = Path(metrics[0].data_dir, "0123456789abcdef" * 2 + suffix)
        old.write_text('[["a", ["b"]]]', encoding="utf-8")
    assert computing(metrics) == [expected(metrics[0], PREDICTIONS, RAGGED), None]
    assert files(metrics[0]) == ["", ".end"]


def test_all_who_do_not_come_are_named_to_all(ranks):
    metrics = ranks(4, timeout=0.3)
    errors = computing(metrics[:2])
    assert [type(error) for error in errors] == [TimeoutError, RuntimeError]
    assert all("process_id 2, 3 did not come" in str(error) for error in errors)
    kind, message = error_of(metrics[3].compute, **DATA[1])
    assert kind is TimeoutError
    assert "process_id 0 did not come" in message


def test_two_runs_at_once_need_two_experiments(ranks):
    """The second process 0 is refused, and the second process 1."""
    slow = ranks(3, timeout=1.5)

    def late(call):
        time.sleep(0.5)
        return call()

    others = [functools.partial(late, call) for call in calls(ranks(3, timeout=0.2)[:2])]
    *_, other_first, other_second = at_once(*calls(slow[:2]), *others)
    assert type(other_first) is type(other_second) is RuntimeError
    assert "process_id 0 is taken" in str(other_first)
    assert "process_id 1 is taken" in str(other_second)
    right = expected(slow[0], PREDICTIONS, RAGGED)
    pairs = ranks(experiment_id="one"), ranks(experiment_id="other/" * 50)
    assert at_once(*calls(pairs[0]), *calls(pairs[1])) == [right, None] * 2


def test_add_needs_nobody_else(ranks):
    """Processes meet in `compute`, in whatever threads."""
    metrics = ranks()
    for metric, data in zip(metrics, DATA, strict=True):
        metric.add_batch(**data)
    results = at_once(*[metric.compute for metric in metrics])
    assert results == [expected(metrics[0], PREDICTIONS, RAGGED), None]
    assert list(map(len, metrics)) == [0, 0]


def test_many_tokens(ranks):
    tokens = [text.split() for text in PREDICTIONS] * 150
    references = [[text.split() for text in texts] for texts in RAGGED] * 150
    rows = slice(None, 700), slice(700, None)
    data = [{"predictions": tokens[part], "references": references[part]} for part in rows]
    metrics = ranks()
    assert computing(metrics, data) == [expected(metrics[0], tokens, references), None]


def test_texts_in_one_process_and_tokens_in_the_other(ranks):
    tokens = [text.split() for text in PREDICTIONS[4:]]
    errors = computing(ranks(), [DATA[0], {"predictions": tokens, "references": tokens}])
    assert [type(error) for error in errors] == [TypeError, RuntimeError]
    assert all("lists of tokens" in str(error) for error in errors)


def test_nobody_has_added_anything(ranks):
    error, none = computing(ranks(), [{"predictions": [], "references": []}] * 2)
    assert (type(error), none) == (ValueError, None)


def test_an_error_while_scoring(ranks):
    metrics = ranks()
    error, result = computing(metrics, tokenizer=boom)
    assert (type(error), result) == (ArithmeticError, None)
    assert computing(metrics) == [expected(metrics[0], PREDICTIONS, RAGGED), None]


def test_a_folder_that_cannot_be_used(ranks, tmp_path):
    """At the load; and one that was removed is made again."""
    (tmp_path / "file").write_text("in the way")
    kind, message = error_of(ranks, cache_dir=str(tmp_path / "file"))
    assert issubclass(kind, OSError)
    assert str(tmp_path / "file") in message
    metrics = ranks()
    shutil.rmtree(metrics[0].data_dir)
    assert computing(metrics) == [expected(metrics[0], PREDICTIONS, RAGGED), None]


def test_a_baseline_needs_one_process(ranks):
    with pytest.raises(ValueError, match="baseline_predictions needs num_process=1"):
        ranks()[0].compute(**DATA[0], baseline_predictions=PREDICTIONS[:4])
