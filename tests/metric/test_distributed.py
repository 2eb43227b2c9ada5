"""Several processes that compute one score (`num_process` > 1), and forks of one metric."""

import functools
import multiprocessing
import os
import shutil
import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path
from random import Random

import evaluate
import pytest

import rouge_bleu
from helpers.errors import error_of
from helpers.items import PREDICTIONS, RAGGED, boom, expected
from helpers.repository import ROOT
from helpers.systems import needs_fork
from rouge_bleu import distributed

PATH = str(ROOT / "rouge_full.py")
SIGKILL = int(getattr(signal, "SIGKILL", 9))


def rows(start, end=None):
    return {"predictions": PREDICTIONS[start:end], "references": RAGGED[start:end]}


ALL, DATA = rows(0), [rows(0, 4), rows(4)]

# --- processes ------------------------------------------------------------------------------------


def in_processes(function, n=2):
    """What a function returns or raises for each rank, in a fork of this process, or the negative
    number of the signal that ended it.
    """

    def answer(rank, queue):
        try:
            queue.put(function(rank))
        except BaseException as error:
            queue.put(error)

    fork = multiprocessing.get_context("fork")
    queues = [fork.SimpleQueue() for _ in range(n)]
    processes = [fork.Process(target=answer, args=one) for one in enumerate(queues)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [one.exitcode or queue.get() for one, queue in zip(processes, queues, strict=True)]


@needs_fork
def test_the_result_is_that_of_one_process(tmp_path, name):
    """Process 0 gets the result of all items in the order of the processes, the others get None.

    Some have nothing to add: the first, the last, and one in between. A score follows at once on
    the one before: of some that are added and the rest, of all that are added, of another object.
    """
    path, starts = str(ROOT / f"{name}.py"), [0, 0, 3, 3, 10, 10]
    options = {"use_aggregator": False, "tokenizer": "char"}

    def scores(rank):
        start, end = starts[rank : rank + 2]
        middle = min(start + 2, end)
        load = {"cache_dir": str(tmp_path), "num_process": 5, "process_id": rank}
        metric = evaluate.load(path, **load)
        metric.add_batch(**rows(start, middle))
        results = [metric.compute(**rows(middle, end), **options)]
        metric.add_batch(**rows(start, end))
        results.append(metric.compute(**options))
        return [*results, evaluate.load(path, **load, **options).compute(**rows(start, end))]

    once = evaluate.load(path).compute(**ALL, **options)
    assert in_processes(scores, 5) == [[once] * 3, *[[None] * 3] * 4]


def two_processes(tmp_path, act=lambda rank, metric: None, **load):
    """Compute in two processes after an action."""

    def of_rank(rank):
        options = {"cache_dir": str(tmp_path), "timeout": 20, "num_process": 2, **load}
        metric = evaluate.load(PATH, process_id=rank, **options)
        act(rank, metric)
        return metric.compute(**DATA[rank])

    return in_processes(of_rank)


@needs_fork
@pytest.mark.parametrize("victim", [0, 1])
@pytest.mark.parametrize("moment", ["before", "while it waits"])
def test_a_killed_process_is_named_and_its_files_are_not_read(tmp_path, rouge_full, victim, moment):
    """The other process waits for it as long as it waits for anybody."""

    def act(rank, metric):
        kill = functools.partial(os.kill, os.getpid(), SIGKILL)
        if rank == victim:
            kill() if moment == "before" else threading.Timer(0.3, kill).start()
        elif moment != "before":
            time.sleep(0.6)

    results = two_processes(tmp_path, act, timeout=0.8)
    assert results[victim] == -SIGKILL
    assert type(results[1 - victim]) is TimeoutError
    assert f"process_id {victim} did not call" in str(results[1 - victim])
    assert two_processes(tmp_path) == [rouge_full.compute(**ALL), None]


ORDERS = list(permutations(["A0", "A1", "B0", "B1"]))


@needs_fork
@pytest.mark.parametrize("variable", ["TORCHELASTIC_RUN_ID", "SLURM_STEP_ID"])
def test_two_jobs_with_the_same_ids_start_in_any_order(tmp_path, variable):
    """Job A is perfect, and all of B is wrong."""
    all_started = multiprocessing.get_context("fork").Barrier(4)

    def results_of(number):
        job, rank = ORDERS[0][number]
        os.environ[variable] = job
        load = {"num_process": 2, "process_id": int(rank), "timeout": 2, "rouge_types": ["rouge1"]}
        folders = [str(tmp_path / "".join(order)) for order in ORDERS]
        metrics = [rouge_bleu.load("rouge_full", cache_dir=one, **load) for one in folders]
        data = {"predictions": ["a"], "references": [job.lower()]}

        def result(order, metric):
            time.sleep(0.15 * order.index(job + rank))
            return metric.compute(**data)

        all_started.wait(60)
        calls = zip(ORDERS, metrics, strict=True)
        return at_once(*(functools.partial(result, *one) for one in calls))

    for of_order in zip(*in_processes(results_of, 4), strict=True):
        assert of_order == ({"rouge1": 1.0}, None, {"rouge1": 0.0}, None)


@needs_fork
def test_who_has_met_others_more_often_is_of_another_job(tmp_path):
    """Nothing else tells these jobs apart: A0 and A1 have met, then A0 and B1 come."""
    turn = multiprocessing.get_context("fork").Barrier(3)

    def last_answer(number):  # of A0, A1, B1
        load = {"cache_dir": str(tmp_path), "num_process": 2, "timeout": 20}
        metric = evaluate.load(PATH, process_id=min(number, 1), **load)
        answer = None
        for who in ((0, 1), (0, 2)):
            turn.wait(60)
            if number in who:
                try:
                    answer = metric.compute(predictions=["a"], references=["a"])
                except RuntimeError as error:
                    answer = str(error)
        return answer

    of_a0, of_a1, of_b1 = in_processes(last_answer, 3)
    assert of_a1 is None
    assert "are not of one job" in of_a0
    assert of_a0 in of_b1


LAUNCHES = [  # two launches, and whether they are the same one
    ({"MASTER_PORT": "1"}, {"MASTER_PORT": "2"}, False),
    ({"MASTER_ADDR": "a"}, {"MASTER_ADDR": "b"}, False),
    ({"SLURM_STEP_ID": "0"}, {"SLURM_STEP_ID": "1"}, True),  # `srun` for each node
    *(
        ({"MASTER_PORT": "", name: "1"}, {"MASTER_PORT": "", name: "2"}, False)
        for name in (
            *("TORCHELASTIC_RUN_ID", "SLURM_JOB_ID", "SLURM_STEP_ID", "PMIX_NAMESPACE"),
            *("OMPI_MCA_ess_base_jobid", "PMI_JOBID", "I_MPI_HYDRA_UUID"),
        )
    ),
    ({"host": "a"}, {"host": "b"}, True),
    ({"host": "a", "MASTER_ADDR": "localhost"}, {"host": "b", "MASTER_ADDR": "localhost"}, False),
]


@pytest.mark.parametrize("launches", LAUNCHES, ids=str)
def test_what_identifies_a_launch(monkeypatch, launches):
    *both, is_same = launches
    found = []
    for launch in both:
        values = {"MASTER_ADDR": "node", "MASTER_PORT": "29500", "host": "node", **launch}
        monkeypatch.setattr(socket, "gethostname", lambda values=values: values["host"])
        monkeypatch.setattr(os, "environ", values)
        found.append(distributed.launch_identifiers())
    assert (found[0] == found[1]) is is_same


def interrupt_later(seconds):
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()


@needs_fork
def test_an_interrupt_while_a_process_waits(tmp_path, rouge_full):
    """Process 1 takes its items back, and can start again with the same object. Process 0, which
    waits for a third one, tells the second one at once.
    """

    def act(rank, metric):
        if rank == 0:
            time.sleep(1.5)
            return
        interrupt_later(0.3)
        with pytest.raises(KeyboardInterrupt):
            metric.compute(predictions=["other items"], references=["other items"])

    assert two_processes(tmp_path, act) == [rouge_full.compute(**ALL), None]
    results = two_processes(tmp_path, lambda rank, _: rank or interrupt_later(1.5), num_process=3)
    assert list(map(type, results)) == [KeyboardInterrupt, RuntimeError]
    assert "process_id 0 gave up: KeyboardInterrupt" in str(results[1])


@needs_fork
def test_a_forked_process(load, name):
    """What this process added is not for it; an object that holds nothing is."""
    full, empty = load(name), load(name)
    once = empty.compute(**ALL)
    full.add_batch(**ALL)

    def in_child(rank):
        item = {"prediction": "a", "reference": "b"}
        calls = (full.add_batch, ALL), (full.add, item), (full.compute, ALL), (full.compute, {})
        errors = [error_of(function, **arguments)[0] for function, arguments in calls]
        return errors, [empty.compute(**ALL), empty.add_batch(**ALL) or empty.compute()]

    assert in_processes(in_child, 1) == [([RuntimeError] * 4, [once] * 2)]
    assert full.compute() == once


# --- threads in place of processes ----------------------------------------------------------------


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


def right(metric):
    return [expected(metric, PREDICTIONS, RAGGED), None]


def files(metric):
    return sorted(path.suffix for path in Path(metric.data_dir).iterdir())


def test_runs_that_follow_each_other_never_mix(ranks):
    """Each process comes when it likes; remaining files do not grow."""
    metrics = ranks(3, rouge_types=["rouge1"], output="recall", use_aggregator=False)

    def scores(rank):
        results, random = [], Random(rank)
        for number in range(15):
            time.sleep(random.random() * 0.02)
            words = ["a"] * number + ["b"] * rank + ["c"]
            results.append(metrics[rank].compute(predictions=["c"], references=[" ".join(words)]))
        return results

    first, *others = at_once(*(functools.partial(scores, rank) for rank in range(3)))
    # One word of a reference of so many.
    assert first == [{"rouge1": [1 / (n + rank + 1) for rank in range(3)]} for n in range(15)]
    assert others == [[None] * 15] * 2
    assert files(metrics[0]) == [""]  # the lock


def test_what_a_killed_run_has_left_is_not_read(ranks, monkeypatch):
    """Nor is it kept longer than a meeting."""
    metrics = ranks(timeout=0.05)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *arguments, **options: None)
        at_once(*calls(metrics[1:], DATA[1:]))
    assert len(list(Path(metrics[0].data_dir).glob("*.*"))) == 1
    metrics = ranks()
    assert at_once(*calls(metrics)) == right(metrics[0])
    assert files(metrics[0]) == [""]


def test_all_who_do_not_come_are_named_to_all(ranks):
    metrics = ranks(4, timeout=0.3)
    errors = at_once(*calls(metrics[:2])) + at_once(*calls(metrics[3:], DATA[1:]))
    assert [type(error) for error in errors] == [TimeoutError, RuntimeError, TimeoutError]
    for error, missing in zip(errors, ("2, 3", "2, 3", "0"), strict=True):
        assert f"process_id {missing} did not call" in str(error)


def test_two_runs_at_once_need_two_experiments(ranks, monkeypatch):
    """All who are there raise an error that names two processes with the same number."""
    for twice in ([0, 1, 0], [0, 1, 1], [1, 1, 0]):
        metrics, data = ranks(3, timeout=60), [DATA[rank] for rank in twice]
        with monkeypatch.context() as patch:  # none has looked twice before the last one comes
            patch.setattr(time, "sleep", lambda pause, sleep=time.sleep: sleep(max(pause, 0.3)))
            errors = at_once(*calls([metrics[rank] for rank in twice], data))
        for error in errors:
            assert type(error) is RuntimeError
            assert (
                str(error).count(f"process_id {max(twice, key=twice.count)} (pid {os.getpid()} ")
                == 2
            )
    pairs = ranks(experiment_id="one"), ranks(experiment_id="other/" * 50)
    assert at_once(*calls(pairs[0]), *calls(pairs[1])) == right(pairs[0][0]) * 2


def test_metrics_with_different_options_do_not_meet(ranks):
    """Options of load or of compute; in another order in one process, neither has a score."""
    first, second = ranks(), ranks(rouge_types=["rouge1"])
    once = [evaluate.load(PATH).compute(**ALL, rouge_types=[name]) for name in ("rouge2", "rouge1")]
    results = at_once(*calls(first, rouge_types=["rouge2"]), *calls(second))
    assert results == [once[0], None, once[1], None]
    first, second = ranks(timeout=0.2), ranks(timeout=0.2, rouge_types=["rouge1"])
    for error in at_once(*calls([first[0], second[1]])):
        assert type(error) is TimeoutError
        assert "with the same options, and compute metrics in the same order" in str(error)


def test_tokens(ranks):
    """Also many of them; but not in one process only."""
    tokens = [text.split() for text in PREDICTIONS] * 150
    references = [[text.split() for text in texts] for texts in RAGGED] * 150
    halves = slice(None, 700), slice(700, None)
    data = [{"predictions": tokens[half], "references": references[half]} for half in halves]
    metrics = ranks()
    results = at_once(*calls(metrics, data))
    assert results == [expected(metrics[0], tokens, references), None]
    errors = at_once(*calls(metrics, [DATA[0], data[1]]))
    assert [type(error) for error in errors] == [TypeError, RuntimeError]
    assert all("lists of tokens" in str(error) for error in errors)


def test_errors_in_process_0(ranks):
    """The other processes have handed over their examples, and get None."""
    metrics = ranks()
    nothing = {"predictions": [], "references": []}
    for error, data, options in [
        (ValueError, [nothing, nothing], {}),
        (ArithmeticError, DATA, {"tokenizer": boom}),
    ]:
        raised, result = at_once(*calls(metrics, data, **options))
        assert (type(raised), result) == (error, None)
    assert at_once(*calls(metrics)) == right(metrics[0])
    with pytest.raises(ValueError, match="baseline_predictions needs num_process=1"):
        metrics[0].compute(**DATA[0], baseline_predictions=PREDICTIONS[:4])


def test_a_folder_that_cannot_be_used(ranks, tmp_path):
    """At the load; and one that was removed is made again."""
    (tmp_path / "file").write_text("in the way")
    kind, message = error_of(ranks, cache_dir=str(tmp_path / "file"))
    assert issubclass(kind, OSError)
    assert str(tmp_path / "file") in message
    metrics = ranks()
    shutil.rmtree(metrics[0].data_dir)
    assert at_once(*calls(metrics)) == right(metrics[0])
