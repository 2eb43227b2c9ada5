"""Tasks shared out among this process and forks of it.

    tickets   a pipe with the number of each task; whoever is free reads the next one
    results   a pipe from each fork to this process, (number, result) by (number, result)

A fork sees all data of this process, so nothing is sent to it or imported again, and it
starts in some milliseconds; daemonic processes may fork too. This process takes tickets
like the others. A fork has some 50 MB of its own, and the texts that it scores.

One rule keeps it safe: what no fork has delivered is done here. A task that raises or
warns in a fork is not delivered, so that its error and its warnings are those of this
process, in the order of the tasks. The same holds for a fork that is killed, runs out of
memory, or waits in vain for a lock that another thread held at the time of the fork.

Functions that the program has for signals, as Python has one for Ctrl-C, run only while
this process works or waits: else what they raise could be lost within a fork, or leave a
process or a lock behind.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import pyarrow as pa

Outcome = TypeVar("Outcome")
Task = Callable[[int], Outcome]
SignalFunction = Callable[[int, FrameType | None], Any]

_BYTES_OF_TICKET = 4
# Any pipe holds their 4096 bytes. Where there are more tasks, a ticket is for several.
_MAX_TICKETS = 1024
_SECONDS_BETWEEN_LOOKS = 0.1
_PATIENCE = 5.0  # seconds without a result and without processor time

# Python 3.12 warns of forks beside threads, JAX of any fork: locks of other threads stay
# locked in a fork for ever. Forks here take no lock but that of the allocator, which is
# made for it, and are given up if they hang all the same.
_FORK_WARNINGS = r"This process .* is multi-threaded|os\.fork\(\) was called"


def can_fork() -> bool:
    """Whether forks are possible and safe: not on Windows, nor with Apple's libraries."""
    return sys.platform.startswith("linux") and hasattr(os, "fork")


def results_of_forks(
    n_tasks: int, task: Task[Outcome], n_workers: int
) -> Generator[tuple[int, Outcome], None, None]:
    """Yield (number, `task(number)`) of the tasks 0..n_tasks-1, in any order.

    Parameters
    ----------
    n_tasks : int
    task : callable
        Its results can be pickled. It changes nothing that is looked at later.
    n_workers : int
        Forks, and this process. Fewer forks are made where the system refuses more.

    Raises
    ------
    Exception
        That of the first task which raises one, or what a function of the program raises
        on a signal, such as KeyboardInterrupt. All forks have ended then.
    """
    _give_back_free_memory()
    with _deferred_signals() as signals:
        tickets = _Tickets.of_tasks(n_tasks)
        forks: list[_Fork] = []
        results = _results_of_all(tickets, task, forks)
        try:
            while len(forks) < n_workers - 1 and _start_fork(tickets, task, forks):
                signals.hear()
            while found := signals.heard_while(partial(next, results, None)):
                yield found
        finally:  # and no fork is kept: it would call a `__del__` later
            results.close()
            while forks:
                forks.pop().end()
            tickets.close()


def _results_of_all(
    tickets: _Tickets, task: Task[Outcome], forks: list[_Fork]
) -> Generator[tuple[int, Outcome], None, None]:
    is_done = [False] * tickets.n_tasks
    at_work = forks.copy()
    for number, result in chain(
        _results_of_this_process(tickets, task, at_work), _last_results(at_work)
    ):
        is_done[number] = True
        yield number, result
    for number in range(tickets.n_tasks):
        if not is_done[number]:
            yield number, task(number)


def _results_of_this_process(
    tickets: _Tickets, task: Task[Outcome], at_work: list[_Fork]
) -> Iterator[tuple[int, Outcome]]:
    """Do tasks until none is left, and yield what forks deliver in between."""
    for number in tickets.taken():
        try:
            result = task(number)
        except Exception:  # raised again later, unless an earlier task has an error too
            tickets.take_all()
            return
        yield number, result
        yield from _delivered(at_work, 0)


def _last_results(at_work: list[_Fork]) -> Iterator[tuple[int, Any]]:
    """Yield results until all forks have ended, or those that are left do nothing."""
    used, since = -1.0, 0.0
    while at_work:
        yield from _delivered(at_work, _SECONDS_BETWEEN_LOOKS)
        now_used = sum(fork.processor_seconds for fork in at_work)
        if now_used != used:
            used, since = now_used, time.monotonic()
        elif time.monotonic() - since > _PATIENCE:
            return


def _delivered(at_work: list[_Fork], seconds: float) -> Iterator[tuple[int, Any]]:
    """Yield the results that are there, or the first that come within some seconds.

    A fork from which nothing more will come is taken out of those at work.
    """
    from multiprocessing.connection import wait

    fork_of_pipe = {fork.results: fork for fork in at_work}
    ready: list[Any] = wait(list(fork_of_pipe), seconds)
    for pipe in ready:
        with suppress(EOFError, OSError):  # it was killed, perhaps within a result
            while pipe.poll():
                yield pipe.recv()
            continue
        at_work.remove(fork_of_pipe[pipe])


# --- tickets --------------------------------------------------------------------------


@dataclass(frozen=True)
class _Tickets:
    """The pipe of tickets. A read takes one as a whole, whoever else reads."""

    reader: int
    n_tasks: int

    @classmethod
    def of_tasks(cls, n_tasks: int) -> _Tickets:
        """Return a ticket for each task, or for each of `_MAX_TICKETS` parts of them."""
        reader, writer = os.pipe()
        tickets = range(min(n_tasks, _MAX_TICKETS))
        os.write(
            writer, b"".join(i.to_bytes(_BYTES_OF_TICKET, "little") for i in tickets)
        )
        os.close(writer)  # so that the pipe has an end
        return cls(reader, n_tasks)

    def taken(self) -> Iterator[int]:
        """Take tickets, one by one, and yield the numbers of their tasks."""
        while ticket := os.read(self.reader, _BYTES_OF_TICKET):
            first = int.from_bytes(ticket, "little")
            yield from range(first, self.n_tasks, _MAX_TICKETS)

    def take_all(self) -> None:
        """Leave nobody any work."""
        while os.read(self.reader, _BYTES_OF_TICKET * _MAX_TICKETS):
            pass

    def close(self) -> None:
        os.close(self.reader)


# --- signals --------------------------------------------------------------------------


@dataclass
class _DeferredSignals:
    """Signals that wait for their functions to be called.

    Python calls such a function between any two steps of the main thread.

    Parameters
    ----------
    function_of : dict
        From the number of a signal to the function that the program has for it.
    arrived : list
        The arguments of calls that wait.
    is_open : bool
        Whether functions are called at once. One that raises ends that: the work ends,
        and the next Ctrl-C must not disturb this.
    is_over : bool
        Whether nothing waits any more.
    error : BaseException or None
        What a function has raised at once, and a step may have caught.
    """

    function_of: dict[int, SignalFunction]
    arrived: list[tuple[int, FrameType | None]]
    is_open: bool = False
    is_over: bool = False
    error: BaseException | None = None

    def receive(self, number: int, frame: FrameType | None) -> None:
        """Take the place of the functions."""
        if not self.is_open:
            self.arrived.append((number, frame))
            return
        try:
            self.function_of[number](number, frame)
        except BaseException as error:
            if not self.is_over:
                self.is_open = False
                self.error = error
            raise

    def hear(self) -> None:
        """Call the functions of all signals that wait, also where one of them raises."""
        if self.arrived:
            number, frame = self.arrived.pop(0)
            try:
                self.function_of[number](number, frame)
            finally:
                self.hear()

    def heard_while(self, step: Callable[[], Outcome]) -> Outcome:
        """Return what a step returns. A signal ends it, if its function raises.

        That is raised also where the step has caught it.
        """
        self.is_open = True
        try:
            self.hear()
            return step()
        except BaseException as error:
            if error is self.error:
                self.error = None
            raise
        finally:
            self.is_open = False
            if self.error is not None:
                raise self.error


@contextmanager
def _deferred_signals() -> Iterator[_DeferredSignals]:
    """Let signals wait until the end of the block, and where it does not hear them.

    To block them for this thread would not do: any other one, as libraries have them,
    takes them then, and Python calls their functions here all the same.
    """
    is_main = threading.current_thread() is threading.main_thread()
    signals = _DeferredSignals(_signal_functions() if is_main else {}, arrived=[])
    try:
        for number in signals.function_of:
            signal.signal(number, signals.receive)
        yield signals
    finally:
        try:
            for number, function in reversed(signals.function_of.items()):
                if signal.getsignal(number) == signals.receive:
                    signal.signal(number, function)
        finally:  # a signal may have come after its own function was back
            signals.is_over = signals.is_open = True
            signals.hear()


def _signal_functions() -> dict[int, SignalFunction]:
    """Return the functions that the program has for signals, by their numbers."""
    found = {number: signal.getsignal(number) for number in signal.valid_signals()}
    return {number: value for number, value in found.items() if callable(value)}


# --- forks, seen from this process ----------------------------------------------------


@dataclass(frozen=True)
class _Fork:
    """A forked process, and the pipe with its results."""

    process: int
    results: Any  # a multiprocessing.connection.Connection

    @property
    def processor_seconds(self) -> float:
        """Processor time used so far; 0 where it is not known."""
        with suppress(OSError, ValueError, IndexError):
            status = Path(f"/proc/{self.process}/stat").read_text()
            user, system = status.rpartition(")")[2].split()[11:13]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        return 0.0

    def end(self) -> None:
        """End the process, if it has not ended, and leave no zombie."""
        self.results.close()
        with suppress(ProcessLookupError, ChildProcessError):
            # The program may have waited for all its children, and this is no more one.
            if os.waitpid(self.process, os.WNOHANG) == (0, 0):
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)


def _start_fork(tickets: _Tickets, task: Task[Any], forks: list[_Fork]) -> bool:
    """Add a fork at work to those that are; return False where the system allows none."""
    from multiprocessing import Pipe

    reader, writer = Pipe(duplex=False)
    not_of_fork = [reader, *(fork.results for fork in forks)]
    try:
        process = _forked(partial(_work, tickets, task, writer, not_of_fork))
    except (OSError, RuntimeError):  # no memory, too many processes; the end of Python
        reader.close()
        writer.close()
        return False
    forks.append(_Fork(process, reader))
    writer.close()
    return True


def _give_back_free_memory() -> None:
    """Give memory that is free, but kept for later, back to the system.

    Both sides of a fork write to it at once, and a page that they share takes five times
    as long as a fresh one.
    """
    pa.default_memory_pool().release_unused()
    with suppress(ImportError, OSError, AttributeError):  # not where there is no glibc
        from ctypes import CDLL

        CDLL(None).malloc_trim(0)


def _forked(work: Callable[[], None]) -> int:
    """Fork without a warning; return the number of the fork, which works and ends.

    It ends here whatever happens: behind this call is the program of this process. No
    clean-up of Python runs in it: buffers, and what is called at the end, are not its
    own.
    """
    # The filter stays: to take it away again is not safe beside threads.
    warnings.filterwarnings("ignore", message=_FORK_WARNINGS, module=__name__)
    this_process = os.getpid()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _signal_functions())
    try:
        process = os.fork()
        if process == 0:
            _leave_to_the_other_process()
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            work()
    finally:
        if os.getpid() != this_process:
            os._exit(0)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return process


# --- forks, seen from themselves ------------------------------------------------------


def _leave_to_the_other_process() -> None:
    """Free no object of others, which may stand for memory of a GPU, and call none of
    their functions on a signal; an interrupt is for the process that forked.
    """
    gc.disable()
    for number in _signal_functions():
        is_end = number == signal.SIGTERM
        signal.signal(number, signal.SIG_DFL if is_end else signal.SIG_IGN)


def _work(
    tickets: _Tickets, task: Task[Any], results: Any, not_ours: list[Any]
) -> None:
    """Do tasks and send their results."""
    try:
        for pipe in not_ours:  # else a write would not fail when that process is gone
            pipe.close()
        for number in tickets.taken():
            with warnings.catch_warnings(record=True) as shown:
                result = task(number)
            if not shown:
                results.send((number, result))
    except BaseException:
        tickets.take_all()
