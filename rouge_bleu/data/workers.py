"""Tasks shared out among this process and forks of it.

    tickets   a pipe with the number of each task; whoever is free reads the next one
    results   a pipe from each fork to this process, (number, result) by (number, result)

A fork sees all data of this process as they are, so nothing is sent to it, nothing is
imported again, and it starts in some milliseconds; daemonic processes may fork too. The
tickets share the work evenly, as this process takes them like the others. A fork shares
the memory of this process but for pages that one of them writes: some 50 MB, and the
texts that the fork scores.

One rule keeps it safe: what no fork has delivered is done here. A task that raises or
warns in a fork is not delivered, so that its error and its warnings are those of this
process, in the order of the tasks. The same holds for a fork that is killed, runs out of
memory, or waits in vain for a lock that another thread held at the time of the fork.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import pyarrow as pa

Outcome = TypeVar("Outcome")
Task = Callable[[int], Outcome]

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
        That of the first task which raises one. All forks have ended then, as they have
        after an interrupt.
    """
    _give_back_free_memory()
    tickets = _Tickets.of_tasks(n_tasks)
    forks: list[_Fork] = []
    try:
        while len(forks) < n_workers - 1:
            fork = _started_fork(tickets, task, forks)
            if fork is None:
                break
            forks.append(fork)
        yield from _results_of_all(tickets, task, forks)
    finally:
        for fork in forks:
            fork.end()
        tickets.close()


def _results_of_all(
    tickets: _Tickets, task: Task[Outcome], forks: list[_Fork]
) -> Iterator[tuple[int, Outcome]]:
    is_done = [False] * tickets.n_tasks
    for number, result in chain(
        _results_of_this_process(tickets, task, forks), _last_results(forks)
    ):
        is_done[number] = True
        yield number, result
    for number in range(tickets.n_tasks):
        if not is_done[number]:
            yield number, task(number)


def _results_of_this_process(
    tickets: _Tickets, task: Task[Outcome], forks: list[_Fork]
) -> Iterator[tuple[int, Outcome]]:
    """Do tasks until none is left, and yield what forks deliver in between."""
    for number in tickets.taken():
        try:
            result = task(number)
        except Exception:  # raised again later, unless an earlier task has an error too
            tickets.take_all()
            return
        yield number, result
        yield from _delivered(forks, 0)


def _last_results(forks: list[_Fork]) -> Iterator[tuple[int, Any]]:
    """Yield results until all forks have ended, or those that are left do nothing."""
    used, since = -1.0, 0.0
    while any(fork.is_at_work for fork in forks):
        yield from _delivered(forks, _SECONDS_BETWEEN_LOOKS)
        now_used = sum(fork.processor_seconds for fork in forks if fork.is_at_work)
        if now_used != used:
            used, since = now_used, time.monotonic()
        elif time.monotonic() - since > _PATIENCE:
            return


def _delivered(forks: list[_Fork], seconds: float) -> Iterator[tuple[int, Any]]:
    """Yield the results that are there, or the first that come within some seconds."""
    from multiprocessing.connection import wait

    pipes = [fork.results for fork in forks if fork.is_at_work]
    ready: list[Any] = wait(pipes, seconds)
    for pipe in ready:
        with suppress(EOFError, OSError):  # it was killed, perhaps within a result
            while pipe.poll():
                yield pipe.recv()
            continue
        pipe.close()


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


# --- forks, seen from this process ----------------------------------------------------


@dataclass(frozen=True)
class _Fork:
    """A forked process, and the pipe with its results."""

    process: int
    results: Any  # a multiprocessing.connection.Connection

    @property
    def is_at_work(self) -> bool:
        """Whether results may come."""
        return not self.results.closed

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


def _started_fork(
    tickets: _Tickets, task: Task[Any], before: list[_Fork]
) -> _Fork | None:
    """Return a fork at work, or None where the system allows none."""
    from multiprocessing import Pipe

    reader, writer = Pipe(duplex=False)
    try:
        process = _forked()
    except (OSError, RuntimeError):  # no memory, too many processes; the end of Python
        reader.close()
        writer.close()
        return None
    if process == 0:
        _work_and_exit(
            tickets, task, writer, [reader, *(fork.results for fork in before)]
        )
    writer.close()
    return _Fork(process, reader)


def _give_back_free_memory() -> None:
    """Give memory that is free, but kept for later, back to the system.

    Both sides of a fork write to it at once, and a page that they share takes five times
    as long as a fresh one.
    """
    pa.default_memory_pool().release_unused()
    with suppress(ImportError, OSError, AttributeError):  # not where there is no glibc
        from ctypes import CDLL

        CDLL(None).malloc_trim(0)


def _forked() -> int:
    """Fork without a warning; return 0 in the fork, and its number here."""
    # The filter stays: to take it away again is not safe beside threads.
    warnings.filterwarnings("ignore", message=_FORK_WARNINGS, module=__name__)
    return os.fork()


# --- forks, seen from themselves ------------------------------------------------------


def _work_and_exit(
    tickets: _Tickets, task: Task[Any], results: Any, not_ours: list[Any]
) -> NoReturn:
    """Do tasks and send their results, then exit.

    No clean-up of Python runs: buffers, and what is called at the end, belong to the
    process that forked.
    """
    try:
        _leave_to_the_other_process()
        for pipe in not_ours:  # else a write would not fail when that process is gone
            pipe.close()
        for number in tickets.taken():
            with warnings.catch_warnings(record=True) as shown:
                result = task(number)
            if not shown:
                results.send((number, result))
    except BaseException:
        tickets.take_all()
    finally:
        os._exit(0)


def _leave_to_the_other_process() -> None:
    """Free no object of others, which may stand for memory of a GPU, and call none of
    their functions on a signal; an interrupt is for the process that forked.
    """
    gc.disable()
    for number in signal.valid_signals():
        if callable(signal.getsignal(number)):
            is_end = number == signal.SIGTERM
            signal.signal(number, signal.SIG_DFL if is_end else signal.SIG_IGN)
