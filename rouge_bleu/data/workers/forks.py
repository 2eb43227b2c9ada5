"""Tasks shared out among this process and forks of it.

    tickets   a pipe with the number of each task; whoever is free reads the next one
    results   a pipe from each fork to this process, (number, result) by (number, result)

A fork sees all data of this process, so nothing is sent to it or imported again, and it
starts in some milliseconds; daemonic processes may fork too. A fork has some 50 MB of its
own, and the texts that it scores. One that waits in vain for a lock, which another thread
held at the time of the fork, is given up.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic

import pyarrow as pa

from .shared_out import Outcome, Task, results_of_all
from .signals import signal_functions

_BYTES_OF_TICKET = 4
# Any pipe holds their 4096 bytes. Where there are more tasks, a ticket is for several.
_MAX_TICKETS = 1024
_PATIENCE = 5.0  # seconds

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
    """Yield (number, `task(number)`) of all tasks: see `results_of_all`.

    Results can be pickled.
    """
    _give_back_free_memory()
    return results_of_all(n_tasks, task, n_workers, partial(_Forks.of_tasks, n_tasks, task))


class _Forks(Generic[Outcome]):
    """The forks of one call; those at work are left of them.

    None is kept at the end: it would call a `__del__` later.
    """

    def __init__(self, tickets: _Tickets, task: Task[Outcome]) -> None:
        self.patience = _PATIENCE
        self._tickets = tickets
        self._task = task
        self._forks: list[_Fork] = []
        self._at_work: list[_Fork] = []

    @classmethod
    def of_tasks(cls, n_tasks: int, task: Task[Outcome]) -> _Forks[Outcome]:
        return cls(_Tickets.of_tasks(n_tasks), task)

    def start(self) -> bool:
        from multiprocessing import Pipe

        reader, writer = Pipe(duplex=False)
        not_of_fork = [reader, *(fork.results for fork in self._forks)]
        work = partial(_work, self._tickets, self._task, writer, not_of_fork)
        try:
            process = _forked(work)
        except (OSError, RuntimeError):  # no memory, too many processes; the end of Python
            reader.close()
            writer.close()
            return False
        fork = _Fork(process, reader)
        self._forks.append(fork)
        self._at_work.append(fork)
        writer.close()
        return True

    def tickets(self) -> Iterator[int]:
        return self._tickets.taken()

    def take_all(self) -> None:
        self._tickets.take_all()

    def delivered(self, seconds: float) -> Iterator[tuple[int, Outcome]]:
        from multiprocessing.connection import wait

        fork_of_pipe = {fork.results: fork for fork in self._at_work}
        ready: list[Any] = wait(list(fork_of_pipe), seconds)
        for pipe in ready:
            with suppress(EOFError, OSError):  # it was killed, perhaps within a result
                while pipe.poll():
                    yield pipe.recv()
                continue
            self._at_work.remove(fork_of_pipe[pipe])

    def processes_at_work(self) -> list[int]:
        return [fork.process for fork in self._at_work]

    def end(self) -> None:
        self._at_work.clear()
        while self._forks:
            self._forks.pop().end()
        self._tickets.close()


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
        os.write(writer, b"".join(i.to_bytes(_BYTES_OF_TICKET, "little") for i in tickets))
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

    def end(self) -> None:
        """End the process, if it has not ended, and leave no zombie."""
        self.results.close()
        with suppress(ProcessLookupError, ChildProcessError):
            # The program may have waited for all its children, and this is no more one.
            if os.waitpid(self.process, os.WNOHANG) == (0, 0):
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)


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
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal_functions())
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
    for number in signal_functions():
        is_end = number == signal.SIGTERM
        signal.signal(number, signal.SIG_DFL if is_end else signal.SIG_IGN)


def _work(tickets: _Tickets, task: Task[Any], results: Any, not_ours: list[Any]) -> None:
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
