"""Signals while work is shared out: each is heard once, nothing is left, no fork comes out of the call.

A second thread is always there. As libraries have them, it takes a signal that this one blocks, and
Python calls the function for it here all the same.
"""

import contextlib
import itertools
import logging
import os
import signal
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import pytest

from helpers.forks import HERE, children, is_fork, n_descriptors, nothing_is_left  # noqa: F401
from helpers.interrupts import before_line
from rouge_bleu.data.workers.forks import can_fork, results_of_forks

pytestmark = pytest.mark.skipif(not can_fork(), reason="forks are for Linux")

RESULTS = {number: number for number in range(6)}


# What `os.fork` calls here; it calls that for ever, so most often it is nothing.
AT_FORK = defaultdict(lambda: lambda: None)
if can_fork():
    os.register_at_fork(
        before=lambda: AT_FORK["before"](),
        after_in_parent=lambda: AT_FORK["after_in_parent"](),
        after_in_child=lambda: AT_FORK["after_in_child"](),
    )


@pytest.fixture(autouse=True)
def another_thread():
    is_over = threading.Event()
    thread = threading.Thread(target=is_over.wait)
    thread.start()
    yield
    is_over.set()
    thread.join()


@pytest.fixture(autouse=True)
def all_is_as_it_was():
    """Handlers, masks, and the lock that `os.fork` takes for `logging`."""
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGUSR1)
    yield
    AT_FORK.clear()
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGUSR1)) == before
    assert signal.pthread_sigmask(signal.SIG_BLOCK, []) == set()
    assert logging_goes_on()


def logging_goes_on():
    """Whether another thread can take the lock of `logging`."""
    thread = threading.Thread(target=logging.getLogger(__name__).setLevel, args=[0], daemon=True)
    thread.start()
    thread.join(30)
    return not thread.is_alive()


@pytest.fixture
def shared_out(tmp_path):
    """Shares tasks out, and gives what comes of it: the results, or what was raised.

    A fork that comes out ends there; the rest of these tests is not for it.
    """
    came_out = tmp_path / "a fork came out"

    def outcome(task=abs, n_tasks=6, n_workers=3):
        try:
            return dict(results_of_forks(n_tasks, task, n_workers))
        except BaseException as error:
            return error
        finally:
            if is_fork():
                came_out.touch()
                os._exit(1)

    yield outcome
    assert not came_out.exists()


def interrupt():
    """Ctrl-C, for this process only; the other thread has time to take it."""
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.002)


def once(act):
    """A function that acts when it is called for the first time in a process."""
    processes = set()

    def function():
        if os.getpid() not in processes:
            processes.add(os.getpid())
            act()

    return function


def calling(monkeypatch, where, before=None, after=None):
    """Call a function before or after each call of what stands at a place, such as "os.fork"."""
    module, name = where.split(".")
    module = __import__(module)
    function = getattr(module, name)

    def called(*given, **named):
        if before is not None:
            before()
        result = function(*given, **named)
        if after is not None:
            after()
        return result

    monkeypatch.setattr(module, name, called)


def only_here(act):
    return lambda: None if is_fork() else act()


def only_in_fork(act):
    return lambda: act() if is_fork() else None


# --- interrupts of this process -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "when"),
    [
        *(("os.pipe", "after"), ("multiprocessing.Pipe", "after")),
        *(("os.fork", "before"), ("os.fork", "after")),
        *(("os.waitpid", "before"), ("os.waitpid", "after")),
    ],
)
def test_an_interrupt_is_heard_and_leaves_nothing(shared_out, monkeypatch, where, when):
    calling(monkeypatch, where, **{when: only_here(once(interrupt))})
    assert type(shared_out()) is KeyboardInterrupt


@pytest.mark.parametrize("hook", ["before", "after_in_parent"])
def test_an_interrupt_within_a_fork_is_heard(shared_out, hook):
    """What is raised there goes no further: Python prints it, and no more. `logging` has hooks too,
    which take its lock and let it go.
    """
    AT_FORK[hook] = only_here(once(interrupt))
    assert type(shared_out()) is KeyboardInterrupt


def test_an_interrupt_of_a_task_is_heard_at_once(shared_out, together):
    begun = []

    def task(number):
        if not is_fork():
            begun.append(number)
            interrupt()
        time.sleep(0.01)

    assert type(shared_out(together(task))) is KeyboardInterrupt
    assert len(begun) == 1


@pytest.mark.parametrize("take", [next, lambda results: results.close()], ids=["next", "close"])
def test_an_interrupt_of_who_takes_results_is_heard_next(together, take):
    """It may take them anywhere, so that is not ended in between."""
    results = results_of_forks(6, together(abs), 3)
    next(results)
    interrupt()
    with pytest.raises(KeyboardInterrupt):
        take(results)


def test_a_second_interrupt_disturbs_nothing(shared_out, together, monkeypatch):
    """Impatient users press Ctrl-C again while forks are ended."""
    calling(monkeypatch, "os.waitpid", before=only_here(interrupt))

    def task(number):
        if is_fork():
            time.sleep(1000)
        interrupt()

    assert type(shared_out(together(task))) is KeyboardInterrupt


@pytest.mark.parametrize("step", [29, pytest.param(1, marks=pytest.mark.deep)])
def test_an_interrupt_before_each_line(shared_out, step):
    """Of all that this process runs, in whatever module, one after the other; each is heard."""
    before = n_descriptors(), children()
    act = only_here(lambda: signal.raise_signal(signal.SIGINT))
    for number in itertools.count(1, step):
        try:
            with before_line(number, act, repeats=False) as seen:
                outcome = shared_out(n_tasks=2, n_workers=2)
            is_heard = type(outcome) is KeyboardInterrupt
        except KeyboardInterrupt:
            is_heard = True
        if seen.n_lines < number:
            break
        assert is_heard, number
        assert (n_descriptors(), children()) == before, number
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, number
    assert outcome == {0: 0, 1: 1}
    assert number > 100  # lines had a signal, and the last of them was reached


# --- forks ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", [interrupt, Mock(side_effect=MemoryError)])
def test_a_fork_never_comes_out(shared_out, monkeypatch, act):
    """Behind the call is the program, which it would run a second time; from any thread."""
    calling(monkeypatch, "os.fork", after=only_in_fork(act))
    assert shared_out() == RESULTS
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(shared_out).result() == RESULTS


def test_a_fork_that_is_interrupted_works_on(shared_out, together):
    """The interrupt is for the process that forked."""
    AT_FORK["after_in_child"] = interrupt
    assert set(shared_out(together(lambda number: os.getpid())).values()) > {HERE}


# --- functions of the program ---------------------------------------------------------------------


@pytest.fixture
def on_signal():
    """Makes a function that of SIGUSR1."""
    before = signal.getsignal(signal.SIGUSR1)
    yield lambda function: signal.signal(signal.SIGUSR1, function)
    signal.signal(signal.SIGUSR1, before)


def other_signal():
    os.kill(os.getpid(), signal.SIGUSR1)


def raise_timeout(*_):
    raise TimeoutError("as a time limit may have it")


def test_what_a_function_raises_is_not_taken_for_an_error_of_a_task(
    shared_out, together, on_signal
):
    """Which would be done again, once all others are."""
    on_signal(raise_timeout)
    act = only_here(once(other_signal))
    assert type(shared_out(together(lambda number: act()))) is TimeoutError


def test_what_a_function_raises_is_heard_where_a_task_catches_it(shared_out, together):
    """As Python does itself in `__del__`."""

    def task(number):
        with contextlib.suppress(KeyboardInterrupt):
            only_here(interrupt)()

    assert type(shared_out(together(task))) is KeyboardInterrupt


def test_two_signals_at_once_are_both_heard(shared_out, on_signal):
    on_signal(raise_timeout)
    AT_FORK["before"] = only_here(once(lambda: (other_signal(), interrupt())))
    error = shared_out()
    assert {type(error), type(error.__context__)} == {TimeoutError, KeyboardInterrupt}


def test_a_function_that_raises_nothing_is_called_once_for_each_signal(
    shared_out, together, on_signal
):
    calls = []
    on_signal(lambda number, frame: calls.append(number))

    def signal_that_is_seen():  # two that wait are one
        other_signal()
        time.sleep(0.05)

    AT_FORK["before"] = only_here(signal_that_is_seen)
    act = only_here(once(signal_that_is_seen))
    assert shared_out(together(lambda number: act() or number)) == RESULTS
    assert calls == [signal.SIGUSR1] * 3  # two forks, and the first task of this process


def test_a_function_may_put_another_one_in_its_place(shared_out, together, on_signal):
    """As one does that ends at the second Ctrl-C."""
    on_signal(lambda *_: signal.signal(signal.SIGUSR1, raise_timeout))
    act = only_here(once(other_signal))
    assert shared_out(together(lambda number: act() or number)) == RESULTS
    assert signal.signal(signal.SIGUSR1, signal.SIG_DFL) is raise_timeout
