"""Tasks shared with forks: the results, errors and warnings of one process, whatever happens to a
fork, and nothing left over.
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
from unittest.mock import Mock

import pytest

from helpers.forks import HERE, is_fork, left, nothing_is_left, results  # noqa: F401
from helpers.interrupts import before_line
from helpers.programs import wait_until
from helpers.repository import ROOT
from rouge_bleu import parallel

pytestmark = [
    pytest.mark.skipif(not parallel._CAN_FORK, reason="forks are for Linux"),
    pytest.mark.usefixtures("nothing_is_left"),
]


def only_in_fork(harm):
    """A task that does harm in a fork; its result is the number."""

    def task(number):
        if is_fork():
            harm()
        return number

    return task


@pytest.mark.parametrize(("n_tasks", "n_workers"), [(30, 2), (1, 2), (2, 2), (1, 5), (30, 5)])
def test_each_task_is_done(n_tasks, n_workers):
    squares = [number**2 for number in range(n_tasks)]
    assert results(lambda number: number**2, n_tasks, n_workers) == squares


def test_all_processes_work(together):
    processes = results(together(lambda number: os.getpid()), 40)
    assert len(set(processes)) == 3
    assert HERE in processes


def test_results_larger_than_a_pipe(together):
    found = results(together(lambda number: bytes([number]) * 300_000), 9)
    assert found == [bytes([number]) * 300_000 for number in range(9)]


# --- what happens to forks ------------------------------------------------------------------------

HARMS = {
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "no memory": Mock(side_effect=MemoryError),
    "gone": lambda: os._exit(0),
    "asleep": lambda: time.sleep(1000),
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
def test_what_a_fork_does_not_deliver_is_done_here(together, monkeypatch, harm):
    monkeypatch.setattr(parallel, "_PATIENCE", 0.3)
    assert results(together(only_in_fork(harm)), 10) == list(range(10))


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_fork_that_is_harmed_while_it_sends(together, monkeypatch, harm):
    monkeypatch.setattr(parallel, "_PATIENCE", 0.3)

    def task(number):
        return (bytes(5_000_000), WhenSent(harm)) if is_fork() else number

    assert results(together(task)) == list(range(6))


def test_a_result_that_cannot_be_pickled_is_made_here(together):
    found = results(together(lambda number: lambda: number))
    assert [result() for result in found] == list(range(6))


def test_a_slow_fork_is_waited_for(together):
    """It may take five times as long as this process, and some seconds more."""

    def task(number):
        time.sleep(is_fork() / 4)
        return os.getpid()

    assert set(results(together(task, 2), 2, 2)) - {HERE}


@pytest.mark.parametrize("error", [OSError(11, "EAGAIN"), RuntimeError("at the end of Python")])
@pytest.mark.parametrize("where", ["os.fork", "os.pipe", "thread"])
def test_where_nothing_can_be_started_all_is_done_here(monkeypatch, where, error):
    if where == "thread":
        where = "rouge_bleu.parallel.start_new_thread"
        error = RuntimeError("can't start new thread")
    with monkeypatch.context() as patch:
        patch.setattr(where, Mock(side_effect=error))
        assert results(lambda number: os.getpid()) == [HERE] * 6


# --- errors and warnings --------------------------------------------------------------------------


@pytest.mark.parametrize("n_workers", [2, 4])
@pytest.mark.parametrize("first", [3, 4])
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
    assert len(begun) < 20


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


# Of Python 3.12, Modules/posixmodule.c, and of jax/_src/xla_bridge.py.
OF_PYTHON = (
    "This process (pid=7) is multi-threaded, use of fork() may lead to deadlocks in the child."
)
OF_JAX = (
    "os.fork() was called. os.fork() is incompatible with multithreaded code, and JAX is "
    "multithreaded, so this will likely lead to a deadlock."
)


@pytest.mark.parametrize(
    ("message", "category"), [(OF_PYTHON, DeprecationWarning), (OF_JAX, RuntimeWarning)]
)
def test_a_fork_gives_no_warning(together, monkeypatch, message, category):
    def fork(fork=os.fork):
        warnings.warn(message, category, stacklevel=2)
        return fork()

    monkeypatch.setattr(os, "fork", fork)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(set(results(together(lambda number: os.getpid())))) == 3
        with pytest.raises(category):  # but that of others does
            os.fork()


# --- who calls ------------------------------------------------------------------------------------


def test_a_fork_frees_nothing(together):
    """It may free more than its own memory, such as that of a GPU."""
    task = together(lambda number: (is_fork(), gc.isenabled()))
    assert set(results(task)) == {(False, True), (True, False)}


def test_a_program_that_waits_for_all_its_children(together):
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert results(together(abs)) == list(range(6))
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_in_several_threads_beside_locks_that_others_hold():
    """Forks are made while other threads of Python work, print, and hold a lock."""
    lock, is_over = threading.Lock(), threading.Event()

    def busy():
        while not is_over.is_set():
            with lock:
                sorted(range(1000))

    with ThreadPoolExecutor(6) as pool:
        beside = [pool.submit(busy) for _ in range(2)]
        found = pool.map(lambda _: results(lambda number: number, 20), range(8))
        assert list(found) == [list(range(20))] * 8
        is_over.set()
        assert [one.result() for one in beside] == [None, None]


def test_a_daemonic_process_as_those_of_a_data_loader(together):
    """It may have no children by multiprocessing, and forks all the same."""
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    task = together(lambda number: os.getpid())
    process = context.Process(target=lambda: queue.put(results(task)), daemon=True)
    process.start()
    assert len(set(queue.get())) == 3
    process.join()
    process.close()
    queue.close()


# --- signals --------------------------------------------------------------------------------------


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_of_a_task_is_heard_at_once(together):
    begun = []

    def task(number):
        if not is_fork():
            begun.append(number)
            interrupt()
        time.sleep(is_fork() * 1000)

    with pytest.raises(KeyboardInterrupt):
        results(together(task))
    assert len(begun) == 1


def test_a_second_interrupt_disturbs_nothing(together, monkeypatch):
    """Impatient users press Ctrl-C again while forks are ended."""
    wait = parallel._Workers.wait

    def wait_interrupted(workers, seconds=-1):
        interrupt()
        wait(workers, seconds)

    monkeypatch.setattr(parallel._Workers, "wait", wait_interrupted)

    def task(number):
        if is_fork():
            time.sleep(1000)
        interrupt()

    with pytest.raises(KeyboardInterrupt):
        results(together(task))


def test_what_a_function_of_a_signal_raises_is_no_error_of_a_task(together):
    """As that of a time limit: no task is done again."""

    def raise_timeout(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGUSR1, raise_timeout)
    begun = []

    def task(number):
        if not is_fork():
            begun.append(number)
            os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(is_fork() * 1000)

    try:
        with pytest.raises(TimeoutError):
            results(together(task))
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert begun == [0]


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGUSR1, signal.SIGTERM])
def test_a_fork_calls_no_function_of_the_program_on_a_signal(together, tmp_path, number):
    path = tmp_path / "called"

    def task(_):
        if is_fork():
            signal.raise_signal(number)
        return is_fork()

    before = signal.signal(number, lambda *_: path.touch())
    try:
        assert any(results(together(task)))
        assert not path.exists()
        signal.raise_signal(number)
        assert path.exists()
    finally:
        signal.signal(number, before)


PROGRAM = """
import atexit, os, signal, sys, time
sys.path[:0] = sys.argv[1:]
from helpers.forks import results
"""


def program(text):
    """Start a program in a separate session, with its output in a pipe."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM + text, str(ROOT), str(ROOT / "tests")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
    )


def test_what_the_program_has_written_or_registered_is_not_done_twice():
    """The output is buffered, since it goes into a pipe. An interrupt from the keyboard reaches this
    process and all forks; none says anything, none stays.
    """
    run = program(
        "atexit.register(print, 'end')\n"
        "print('start')\n"
        "results(lambda number: time.sleep(0.01), 20)\n"
        "def task(number):\n"
        "    os.write(2, b'%d\\n' % os.getpid())\n"
        "    time.sleep(1000)\n"
        "try:\n"
        "    results(task, 20)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    processes = {int(run.stderr.readline()) for _ in range(3)}
    assert len(processes) == 3
    os.killpg(run.pid, signal.SIGINT)
    assert run.communicate(timeout=100) == ("start\ninterrupted\nend\n", "")
    assert run.returncode == 0
    assert not any(map(exists, processes))


def test_forks_end_when_the_program_is_killed():
    run = program(
        "def task(number):\n"
        "    os.write(1, b'%d\\n' % os.getpid())\n"
        "    time.sleep(0.1)\n"
        "results(task, 1000)\n"
    )
    processes = {int(run.stdout.readline()) for _ in range(3)}
    run.kill()
    run.communicate(timeout=100)  # ends when no fork has its output open
    wait_until(lambda: not any(map(exists, processes)), seconds=60)


def exists(process):
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, 0)
        return True
    return False
