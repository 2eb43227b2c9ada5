"""Tasks shared out among this process and forks of it: every result once, whatever happens to a
fork, and nothing left over.
"""

import gc
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

import pytest

from helpers.forks import HERE, is_fork, nothing_is_left  # noqa: F401
from helpers.programs import wait_until
from helpers.repository import ROOT
from rouge_bleu.data.workers import forks
from rouge_bleu.data.workers.forks import can_fork, results_of_forks

pytestmark = pytest.mark.skipif(not can_fork(), reason="forks are for Linux")


def only_in_fork(harm):
    """A task that does harm in a fork; without it the result is the number."""

    def task(number):
        if is_fork():
            harm()
        return number

    return task


def sorted_results(n_tasks, task, n_workers=3):
    """The results by number; each number has to come once."""
    results = list(results_of_forks(n_tasks, task, n_workers))
    assert sorted(number for number, _ in results) == list(range(n_tasks))
    return [result for _, result in sorted(results, key=lambda pair: pair[0])]


def megabytes():
    """The memory that this process holds."""
    n_pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return n_pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_free_memory_is_given_back_before_a_fork():
    """100 MB in pieces of 100 kB, freed but for the last one, which lies behind them and keeps glibc
    from giving them back by itself.
    """
    pieces = [bytes(100_000) for _ in range(1000)]
    kept = pieces.pop()
    del pieces
    before = megabytes()
    assert sorted_results(2, abs, 2) == [0, 1]
    assert megabytes() < before - 50
    assert len(kept) == 100_000


@pytest.mark.parametrize("error", [ImportError, OSError, AttributeError])
def test_systems_without_glibc_fork_too(monkeypatch, error):
    monkeypatch.setattr("ctypes.CDLL", Mock(side_effect=error))
    assert sorted_results(5, abs) == list(range(5))


@pytest.mark.parametrize(("n_tasks", "n_workers"), [(30, 1), (1, 2), (2, 2), (1, 5), (30, 5)])
def test_each_task_is_done_once(n_tasks, n_workers):
    squares = [number**2 for number in range(n_tasks)]
    assert sorted_results(n_tasks, lambda number: number**2, n_workers) == squares


def test_this_process_and_all_forks_work(together):
    processes = sorted_results(40, together(lambda number: os.getpid()))
    assert len(set(processes)) == 3
    assert HERE in processes


def test_more_tasks_than_tickets(monkeypatch):
    assert sorted_results(2500, lambda number: -number) == [-number for number in range(2500)]
    monkeypatch.setattr(forks, "_MAX_TICKETS", 3)
    assert sorted_results(20, lambda number: -number) == [-number for number in range(20)]


def test_a_pipe_holds_all_tickets():
    """POSIX: a write of 512 bytes is never cut. On Linux it is a page, even where pipes are
    reduced to one (man 7 pipe: PIPE_BUF, pipe-user-pages-soft).
    """
    assert forks._MAX_TICKETS * forks._BYTES_OF_TICKET <= 4096
    assert forks._MAX_TICKETS <= 256**forks._BYTES_OF_TICKET


def test_results_larger_than_a_pipe(together):
    results = sorted_results(9, together(lambda number: bytes([number]) * 300_000))
    assert results == [bytes([number]) * 300_000 for number in range(9)]


# --- what happens to forks ------------------------------------------------------------------------


HARMS = {
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "no memory": Mock(side_effect=MemoryError),
    "gone": lambda: os._exit(0),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_what_a_fork_does_not_deliver_is_done_here(together, harm):
    assert sorted_results(10, together(only_in_fork(harm))) == list(range(10))


def test_a_fork_that_dies_within_a_result(together):
    """The result is larger than the pipe, and this process does not read before the fork ends."""

    def task(number):
        if is_fork():
            threading.Timer(0.1, os._exit, [1]).start()
            return bytes(5_000_000)
        time.sleep(0.3)
        return number

    assert sorted_results(3, together(task, 2), 2) == [0, 1, 2]


def test_a_result_that_cannot_be_pickled_is_made_here(together):
    results = sorted_results(6, together(lambda number: lambda: number))
    assert [result() for result in results] == list(range(6))


@pytest.mark.parametrize("stop", [lambda: time.sleep(1000), lambda: os.kill(os.getpid(), 19)])
def test_a_fork_that_hangs_is_given_up(together, monkeypatch, stop):
    """It sleeps for ever, or is stopped (signal 19), as one that waits for a lock would."""
    monkeypatch.setattr(forks, "_PATIENCE", 0.3)
    assert sorted_results(6, together(only_in_fork(stop))) == list(range(6))


def test_a_fork_that_works_long_is_waited_for(together, monkeypatch):
    """Its processor time says that it works; five times the patience, and the result is the fork's."""
    monkeypatch.setattr(forks, "_PATIENCE", 0.1)

    def task(number):
        end = time.process_time() + is_fork() / 2
        while time.process_time() < end:
            pass
        return os.getpid()

    assert set(sorted_results(2, together(task, 2), 2)) - {HERE}


def test_a_fork_that_rests_for_a_while_is_waited_for(together):
    """Less than the patience, as on a busy machine."""

    def task(number):
        time.sleep(is_fork() / 4)
        return os.getpid()

    assert set(sorted_results(2, together(task, 2), 2)) - {HERE}


@pytest.mark.parametrize("error", [OSError(11, "EAGAIN"), RuntimeError("at the end of Python")])
def test_where_no_fork_is_possible_all_is_done_here(monkeypatch, error):
    monkeypatch.setattr(os, "fork", Mock(side_effect=error))
    assert sorted_results(5, lambda number: os.getpid()) == [HERE] * 5


# --- errors and warnings --------------------------------------------------------------------------


@pytest.mark.parametrize("n_workers", [2, 4])
def test_the_error_is_that_of_the_first_task_and_of_this_process(together, n_workers):
    begun = []

    def task(number):
        begun.append(number)
        if number in (3, 4, 5, 6, 17):
            raise ArithmeticError(number, os.getpid())
        return number

    with pytest.raises(ArithmeticError) as raised:
        list(results_of_forks(500, together(task, n_workers), n_workers))
    assert raised.value.args == (3, HERE)
    assert len(begun) < 20  # no other task begins


def test_results_that_nobody_takes_end_all(together):
    results = results_of_forks(10, together(lambda number: time.sleep(is_fork() * 1000)), 3)
    next(results)
    results.close()


@pytest.mark.parametrize(("action", "n"), [("always", 4), ("default", 2), ("error", 0)])
def test_warnings_are_those_of_one_process(together, action, n):
    """A registry for each run, as it remembers what was shown."""

    def shown_by(n_workers):
        registry = {}

        def task(number):
            if number % 5 == 2:
                warnings.warn_explicit(
                    f"task {number % 2}", UserWarning, "file.py", 1, registry=registry
                )
            return number

        with warnings.catch_warnings(record=True) as shown:
            warnings.simplefilter(action)
            try:
                results = sorted_results(20, together(task, n_workers), n_workers)
            except UserWarning as error:
                results = str(error)
        return results, sorted(str(warning.message) for warning in shown)

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
        assert len(set(sorted_results(10, together(lambda number: os.getpid())))) == 3
        with pytest.raises(category):  # but that of others does
            os.fork()


# --- what a fork does to others -------------------------------------------------------------------


def test_a_fork_frees_nothing(together):
    """What it frees may stand for more than memory of its own, such as that of a GPU."""
    task = together(lambda number: (is_fork(), gc.isenabled()))
    assert set(sorted_results(10, task)) == {(False, True), (True, False)}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGUSR1, signal.SIGTERM])
def test_a_fork_calls_no_function_of_the_program_on_a_signal(together, tmp_path, number):
    path = tmp_path / "called"

    def task(_):
        if is_fork():
            signal.raise_signal(number)
        return is_fork()

    before = signal.signal(number, lambda *_: path.touch())
    try:
        are_of_forks = sorted_results(10, together(task))
        # SIGTERM ends a fork, so that it delivers nothing.
        assert any(are_of_forks) == (number != signal.SIGTERM)
        assert not path.exists()
        signal.raise_signal(number)
        assert path.exists()
    finally:
        signal.signal(number, before)


def test_a_program_that_waits_for_all_its_children(together):
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert sorted_results(10, together(abs)) == list(range(10))
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
        results = pool.map(lambda _: sorted_results(20, lambda number: number, 3), range(8))
        assert list(results) == [list(range(20))] * 8
        is_over.set()
        assert [one.result() for one in beside] == [None, None]


# --- programs of their own ------------------------------------------------------------------------

PROGRAM = """
import atexit, os, signal, sys, time
sys.path.insert(0, sys.argv[1])
from rouge_bleu.data.workers.forks import results_of_forks
"""


def program(text):
    """Start a program in a session of its own, with its output in a pipe."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM + text, str(ROOT)],
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
        "list(results_of_forks(20, lambda number: time.sleep(0.01), 3))\n"
        "def task(number):\n"
        "    os.write(2, b'%d\\n' % os.getpid())\n"
        "    time.sleep(1000)\n"
        "try:\n"
        "    list(results_of_forks(20, task, 3))\n"
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
        "list(results_of_forks(1000, task, 3))\n"
    )
    processes = {int(run.stdout.readline()) for _ in range(3)}
    run.kill()
    run.communicate(timeout=100)  # ends when no fork has its output open
    wait_until(lambda: not any(map(exists, processes)), seconds=60)


def exists(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
