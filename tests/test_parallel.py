"""A corpus in chunks, shared with forks: the results, errors and warnings of one process, whatever
happens to a fork, and nothing left over.
"""

import contextlib
import gc
import itertools
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from helpers.interrupts import before_line
from helpers.programs import wait_until
from helpers.repository import ROOT
from helpers.texts import random_text
from rouge_bleu import bleu, parallel, rouge
from rouge_bleu import corpus as corpus_module
from rouge_bleu._bleu.options import BleuOptions
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu.corpus import checked_corpus
from rouge_bleu.metric import n_allowed_workers
from rouge_bleu.parallel import n_workers_of_jobs, results_of_chunks

HERE = os.getpid()


def is_fork():
    return os.getpid() != HERE


def results(task, n_tasks=6, n_workers=3):
    """What `task(number)` returns for each number, of this process and forks of it."""
    return parallel._results_of_tasks(task, n_tasks, n_workers)


def left():
    """Open files, and processes that this one started, dead or alive; other tests may have left some."""
    children = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended by now
            name, parent = path.read_text().rpartition(")")[::2]
            if int(parent.split()[1]) == HERE:
                children.add(name)
    return len(os.listdir("/proc/self/fd")), children


@pytest.fixture
def nothing_is_left():
    """No process, dead or alive, and no open pipe."""
    results(abs, 2, 2)  # later imports may open files
    before = left()
    yield
    wait_until(lambda: left() == before)


pytestmark = [
    pytest.mark.skipif(not parallel._CAN_FORK, reason="forks are for Linux"),
    pytest.mark.usefixtures("nothing_is_left"),
]


@pytest.mark.parametrize(("n_tasks", "n_workers"), [(30, 2), (1, 2), (2, 2), (1, 5), (30, 5)])
def test_each_task_is_done(n_tasks, n_workers):
    """Also where results are larger than a pipe."""
    found = results(lambda number: bytes([number]) * 100_000, n_tasks, n_workers)
    assert found == [bytes([number]) * 100_000 for number in range(n_tasks)]


def test_all_processes_work(together):
    """A fork frees nothing: that may be more than its own memory, such as that of a GPU."""
    found = results(together(lambda number: (os.getpid(), gc.isenabled())), 40)
    assert len(set(found)) == 3
    assert {process == HERE for process, is_freeing in found if is_freeing} == {True}


# --- what happens to forks ------------------------------------------------------------------------

HARMS = {
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "no memory": Mock(side_effect=MemoryError),
    "stopped": lambda: os.kill(os.getpid(), signal.SIGSTOP),
}


class WhenSent:
    """Something that does harm in a fork when it is sent."""

    def __init__(self, harm):
        self.harm = harm

    def __reduce__(self):
        self.harm()
        return (str, ())


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
@pytest.mark.parametrize("is_sent", [False, True])
def test_what_a_fork_does_not_deliver_is_done_here(together, monkeypatch, harm, is_sent):
    """It is harmed at work, or while it sends."""
    monkeypatch.setattr(parallel, "_GRACE_SECONDS", 0.3)

    def task(number):
        if not is_fork():
            return number
        return (bytes(5_000_000), WhenSent(harm)) if is_sent else harm()

    assert results(together(task)) == list(range(6))


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ("os.fork", OSError(11, "EAGAIN")),
        ("os.fork", RuntimeError("at the end of Python")),
        ("os.pipe", OSError(24, "EMFILE")),
        ("rouge_bleu.parallel.start_new_thread", RuntimeError("can't start new thread")),
    ],
)
def test_where_nothing_can_be_started_all_is_done_here(monkeypatch, where, error):
    with monkeypatch.context() as patch:
        patch.setattr(where, Mock(side_effect=error))
        assert results(lambda number: os.getpid()) == [HERE] * 6


# --- errors and warnings --------------------------------------------------------------------------


@pytest.mark.parametrize(("n_workers", "first"), [(2, 3), (2, 4), (4, 3), (4, 4)])
def test_the_error_is_that_of_the_first_task_and_of_this_process(together, n_workers, first):
    begun = []

    def task(number):
        begun.append(number)
        if number in (first, 4, 5, 6, 8, 17):
            raise ValueError(number, os.getpid())
        return number

    with pytest.raises(ValueError, match=rf"\({first}, ") as raised:
        results(together(task, n_workers), 500, n_workers)
    assert raised.value.args == (first, HERE)
    assert len(begun) < 20  # of 500: none begins after the error is known


@pytest.mark.parametrize(("action", "n"), [("always", 4), ("default", 2), ("error", 0)])
def test_warnings_are_those_of_one_process(together, action, n):
    """A registry for each run, as it remembers shown warnings."""

    def shown_by(n_workers):
        registry = {}

        def task(number):
            if number % 5 == 2:
                text = f"task {number % 2}"
                warnings.warn_explicit(text, UserWarning, "file.py", 1, registry=registry)
            return number

        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter(action)
            try:
                found = results(together(task, n_workers), 20, n_workers)
            except UserWarning as error:
                found = str(error)
        return found, sorted(str(warning.message) for warning in shown)

    alone = shown_by(1)
    assert len(alone[1]) == n
    assert shown_by(3) == alone


def test_a_fork_gives_no_warning(together, monkeypatch):
    """Those of Python 3.12, Modules/posixmodule.c, and of jax/_src/xla_bridge.py."""

    def fork(fork=os.fork):
        warnings.warn("This process (pid=7) is multi-threaded, use ...", Warning, stacklevel=2)
        warnings.warn("os.fork() was called. os.fork() is ...", Warning, stacklevel=2)
        return fork()

    monkeypatch.setattr(os, "fork", fork)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(set(results(together(lambda number: os.getpid())))) == 3
        with pytest.raises(Warning):  # but that of others does
            os.fork()


# --- signals and programs -------------------------------------------------------------------------


@contextlib.contextmanager
def handled(number, handler):
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


def test_in_several_threads():
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda _: results(abs, 20), range(8))) == [list(range(20))] * 8


def test_a_daemonic_process_that_waits_for_all_its_children(together, monkeypatch):
    """As those of a DataLoader, which may have no children by multiprocessing, and forks all the same."""
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)
    with handled(signal.SIGCHLD, signal.SIG_IGN):
        assert len(set(results(together(lambda number: os.getpid())))) == 3


def test_what_a_signal_raises_is_no_error_of_a_task(together):
    """It is heard at once, and no task is done again."""
    begun = []

    def task(number):
        if not is_fork():
            begun.append(number)
            signal.raise_signal(signal.SIGUSR1)
        time.sleep(is_fork() * 1000)

    with handled(signal.SIGUSR1, Mock(side_effect=TimeoutError)), pytest.raises(TimeoutError):
        results(together(task))
    assert len(begun) == 1


def test_an_interrupt_before_each_line():
    """Of all that this process runs in its main thread, in turn; each is heard."""
    before = left()
    act = lambda: signal.raise_signal(signal.SIGINT)  # noqa: E731
    for number in itertools.count(1):
        is_heard = False
        try:
            with before_line(number, act, repeats=False) as seen:
                outcome = results(abs, 4, 2)
        except KeyboardInterrupt:
            is_heard = True
            wait_until(lambda: left() == before)
        if seen.n_lines < number:
            break
        assert is_heard, number
    assert outcome == [0, 1, 2, 3]
    assert number > 30  # lines had a signal, and the last of them was reached


def test_a_fork_calls_no_function_of_the_program_on_a_signal(together, tmp_path):
    path = tmp_path / "called"
    task = lambda _: is_fork() and (signal.raise_signal(signal.SIGTERM) or True)  # noqa: E731
    with handled(signal.SIGTERM, lambda *_: path.touch()):
        assert any(results(together(task)))
    assert not path.exists()


PROGRAM = """
import atexit, os, sys, time
sys.path.append(sys.argv[1])
from rouge_bleu import parallel
def results(task, n_tasks):
    return parallel._results_of_tasks(task, n_tasks, 3)
def task(number):
    os.write(2, b"%d\\n" % os.getpid())
    time.sleep(sleep)
"""
IS_INTERRUPTED = """
atexit.register(print, "end")
print("start")
results(lambda number: time.sleep(0.01), 20)
sleep = 1000
try:
    results(task, 20)
except KeyboardInterrupt:
    print("interrupted")
"""


@contextlib.contextmanager
def program(text):
    """A program in a separate session, with its output in a pipe, and its processes, which end."""
    arguments = [sys.executable, "-c", PROGRAM + text, str(ROOT)]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    run = subprocess.Popen(arguments, **pipes, start_new_session=True, env=environment)
    processes = {int(run.stderr.readline()) for _ in range(3)}
    assert len(processes) == 3
    yield run
    paths = [Path(f"/proc/{process}") for process in processes]
    wait_until(lambda: not any(map(Path.exists, paths)), seconds=60)


def test_what_the_program_has_written_or_registered_is_not_done_twice():
    """The output is buffered, since it goes into a pipe. An interrupt from the keyboard reaches this
    process and all forks; none says anything, none stays.
    """
    with program(IS_INTERRUPTED) as run:
        os.killpg(run.pid, signal.SIGINT)
        assert run.communicate(timeout=100) == ("start\ninterrupted\nend\n", "")
        assert run.returncode == 0


def test_forks_end_when_the_program_is_killed():
    with program("sleep = 0.1\nresults(task, 1000)") as run:
        run.kill()
        run.communicate(timeout=100)  # ends when no fork has its output open


# --- a corpus -------------------------------------------------------------------------------------

WORDS = "the a cat sat on mat dog ran İ Straße well-known 3.14 end. , Why?".split()
ITEMS = {"use_aggregator": False}
CASES = [
    (rouge, {"output": "all", "multi_reference": "jackknife", **ITEMS}),
    (rouge, {"preset": "evaluate", "seed": 3}),
    (rouge, {"preset": "rouge-1.5.5", "confidence_level": 0.95, "n_resamples": 20}),
    (rouge, {"use_stemmer": True, "tokenizer": "unicode", "sentence_splitter": "sentences"}),
    (bleu, {"preset": "sacrebleu", **ITEMS}),
    (bleu, {"reference_length": "average", "smoothing": "chen-cherry-7"}),
]


def random_corpus(n_items):
    rng = np.random.default_rng(0)
    texts = iter(lambda: random_text(rng, WORDS, 0, 40) + "a", None)
    references = [list(itertools.islice(texts, 1 + n % 3)) for n in range(n_items)]
    return {"predictions": list(itertools.islice(texts, n_items)), "references": references}


@pytest.fixture
def n_workers(monkeypatch):
    """How many workers each call has; a small corpus has many chunks, and is worth several workers,
    for which there are cores.
    """
    calls, results = [], parallel._results_of_tasks
    record = lambda *call: calls.append(call[2]) or results(*call)  # noqa: E731
    monkeypatch.setattr(parallel, "_results_of_tasks", record)
    monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", 2000)
    monkeypatch.setattr(corpus_module, "_MIN_CHUNK_CHARACTERS", 500)
    monkeypatch.setattr(parallel, "_MIN_CHARACTERS_PER_WORKER", 10)
    monkeypatch.setattr(parallel, "_n_usable_cores", lambda: 64)
    return calls


@pytest.mark.parametrize(("function", "options"), CASES)
def test_result_is_that_of_one_worker(n_workers, function, options):
    corpus = random_corpus(20)  # some 6 chunks
    alone = repr(function(**corpus, **options))
    assert repr(function(**corpus, **options, n_jobs=3)) == alone
    assert n_workers == [1, 3]


def test_forks_deliver(n_workers, monkeypatch, together):
    """What they do not deliver would be scored by this process as well, with the same result."""
    here, results = [], parallel._results_of_tasks

    def counted(task, n_tasks, n_workers):
        counted_task = lambda number: here.append(number) or task(number)  # noqa: E731
        found = results(together(counted_task, n_workers), n_tasks, n_workers)
        assert len(here) == -(-n_tasks // 3)  # what forks append stays with them
        return found

    monkeypatch.setattr(parallel, "_results_of_tasks", counted)
    bleu(**random_corpus(60), n_jobs=3)
    assert here


@pytest.mark.parametrize("argument", ["tokenizer", "stemmer", "sentence_splitter"])
def test_functions_of_the_user_are_called_by_the_caller(n_workers, argument):
    """In its process and its thread."""
    threads = set()

    def function(text):
        threads.add((os.getpid(), threading.get_ident()))
        return text if argument == "stemmer" else text.split()

    rouge(**random_corpus(100), n_jobs=4, **{argument: function})
    assert threads == {(HERE, threading.get_ident())}


@pytest.mark.parametrize("bad", [0, 70])
def test_error_is_that_of_one_worker(n_workers, bad):
    """It names the item by its place in the whole corpus; of several, the first one."""
    corpus = random_corpus(90)
    for item in (bad, 89):
        corpus["references"][item][0] = "..."
    options = {"preset": "rouge-1.5.5", "rouge_types": ["rougeW"]}
    for n_jobs in (1, 3):
        with pytest.raises(ValueError, match=rf"^references\[{bad}\]\[0\] has no tokens"):
            rouge(**corpus, **options, n_jobs=n_jobs)


# --- how many workers -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("constant", "value", "n_examples", "n_jobs", "expected"),
    [
        # Two workers are worth the start where each has its characters, and no more than that.
        ("_MIN_CHARACTERS_PER_WORKER", 1000, 199, 4, 1),
        ("_MIN_CHARACTERS_PER_WORKER", 1000, 299, 4, 2),
        ("_MIN_CHARACTERS_PER_WORKER", 1000, 900, 4, 4),
        ("_n_usable_cores", lambda: 3, 900, 2, 2),
        ("_n_usable_cores", lambda: 3, 900, 64, 3),
        ("_CAN_FORK", False, 900, 4, 1),
    ],
)
def test_workers_of_a_corpus(n_workers, monkeypatch, constant, value, n_examples, n_jobs, expected):
    """Of 10 characters an example."""
    monkeypatch.setattr(parallel, constant, value)
    corpus = checked_corpus(["four"] * n_examples, ["fiver"] * n_examples)
    results_of_chunks(corpus, lambda *_: 1, n_jobs)
    assert (n_workers or [1]) == [expected]  # a single chunk is scored at once


@pytest.mark.parametrize("kind", [RougeOptions, BleuOptions])
def test_tokenizers_of_sacrebleu_have_one_worker(kind):
    """What they keep may not be made for several."""
    names = ("rouge_score", "unicode", "13a", "whitespace", "char", "intl", "zh", str.split)
    n_workers = [n_allowed_workers(kind(tokenizer=name, n_jobs=4)) for name in names]
    assert n_workers == [4, 4, 4, 4, 4, 1, 1, 1]


def test_cores_are_those_that_the_process_may_use(monkeypatch):
    """Not those of the machine, which a container with a limit sees too."""
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2})
    assert [n_workers_of_jobs(n) for n in (1, 7, -1, -2, -3, -9)] == [1, 7, 3, 2, 1, 1]
    monkeypatch.setattr(parallel, "_CAN_FORK", False)  # as without sched_getaffinity
    assert n_workers_of_jobs(-1) == 64
