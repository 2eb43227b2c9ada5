"""Tasks shared out among this process and Python programs that it starts.

For systems where forks are not safe. A program begins with nothing: it imports what it
needs in a second or so, and is sent what it works on.

    to a program     the path of modules, what it runs, the function; then the arguments of
                     one task after the other
    from a program   that it has the function; then the result of each task, or an error

`multiprocessing` starts such programs too, but each of them runs the main module of the
user again, the whole of it where a script has no `if __name__ == "__main__"`. Here they
import nothing of the user. What they print goes nowhere.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic

from .shared_out import Outcome, Task, results_of_all

# Processor time of a program is not known everywhere, and it waits for no lock of others.
_PATIENCE = 60.0  # seconds
# A program that has the next task need not wait until this process, at work, sends one.
_TASKS_AHEAD = 2

# No module of the current folder may take the place of `pickle`.
_PROGRAM = (
    "import sys; sys.path[:] = filter(None, sys.path); import pickle;"
    " sys.path[:] = pickle.load(sys.stdin.buffer); pickle.load(sys.stdin.buffer)()"
)


def can_start_programs() -> bool:
    """Whether `sys.executable` is a Python, and not the program of a user as a whole."""
    name = PurePath(sys.executable or "").name.lower()
    return name.startswith(("python", "pypy")) and not hasattr(sys, "frozen")


def results_of_programs(
    n_tasks: int,
    function: Callable[..., Outcome],
    arguments: Callable[[int], tuple[Any, ...]],
    task: Task[Outcome],
    n_workers: int,
) -> Generator[tuple[int, Outcome], None, None]:
    """Yield (number, `task(number)`) of all tasks: see `results_of_all`.

    Parameters
    ----------
    n_tasks : int
    function : callable
        What programs run; it can be pickled, and so can its results.
    arguments : callable
        From the number of a task to the arguments by which `function` gives its result.
    task : callable
    n_workers : int
    """
    with_programs = partial(_Programs, n_tasks, function, arguments)
    return results_of_all(n_tasks, task, n_workers, with_programs)


class _Programs(Generic[Outcome]):
    """The programs of one call, each with a thread that sends to it and waits for it."""

    def __init__(
        self,
        n_tasks: int,
        function: Callable[..., Outcome],
        arguments: Callable[[int], tuple[Any, ...]],
    ) -> None:
        self.patience = _PATIENCE
        self._function = function
        self._arguments = arguments
        self._tickets = deque(range(n_tasks))
        self._programs: list[_Program] = []
        self._results: SimpleQueue[tuple[int, Outcome]] = SimpleQueue()
        self._lock = Lock()
        self._at_work: set[int] = set()  # the programs that have a task

    def start(self) -> bool:
        try:  # in the folder of this process, which the path of modules may name
            process = subprocess.Popen(
                [sys.executable, "-c", _PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:  # no memory, too many processes
            return False
        thread = Thread(target=self._serve, args=[process], daemon=True)
        program = _Program(process, thread)
        self._programs.append(program)
        try:
            thread.start()
        except RuntimeError:  # too many threads; the end of Python
            self._programs.pop().end()
            return False
        return True

    def tickets(self) -> Iterator[int]:
        with suppress(IndexError):
            while True:
                yield self._tickets.popleft()

    def take_all(self) -> None:
        self._tickets.clear()

    def delivered(self, seconds: float) -> Iterator[tuple[int, Outcome]]:
        with suppress(Empty):
            yield self._results.get(seconds > 0, seconds)
            while True:
                yield self._results.get(False)

    def processes_at_work(self) -> list[int]:
        with self._lock:
            return list(self._at_work)

    def end(self) -> None:
        self.take_all()
        while self._programs:
            self._programs.pop().end()

    def _serve(self, process: subprocess.Popen[bytes]) -> None:
        """Send tasks to a program, and wait for their results, until none is left.

        Whatever goes wrong, such as a program that is killed, or something that cannot be
        pickled: what is not delivered is done by this process.
        """
        with suppress(Exception):
            _send(process, list(sys.path), _work_for_others, self._function)
            _receive(process)
            self._serve_tasks(process)
        self._at_work.discard(process.pid)

    def _serve_tasks(self, process: subprocess.Popen[bytes]) -> None:
        sent: deque[int] = deque()
        while True:
            while len(sent) < _TASKS_AHEAD and (number := self._ticket_for(process)) >= 0:
                _send(process, self._arguments(number))
                sent.append(number)
            if not sent:
                return
            answer = _receive(process)
            if answer is None:  # an error
                self.take_all()
                return
            number = sent.popleft()
            for result in answer:
                self._results.put((number, result))
            if not sent:
                self._at_work.discard(process.pid)

    def _ticket_for(self, process: subprocess.Popen[bytes]) -> int:
        """Return the number of a task for a program, or -1 where none is left."""
        with self._lock:  # else it would seem that nobody has the last task
            number = next(self.tickets(), -1)
            if number >= 0:
                self._at_work.add(process.pid)
            return number


# --- a program, seen from this process ------------------------------------------------


@dataclass(frozen=True)
class _Program:
    """A program, and the thread that waits for it."""

    process: subprocess.Popen[bytes]
    thread: Thread

    def end(self) -> None:
        """End the program, and then the thread, which has lost it."""
        self.process.kill()
        if self.thread.ident is not None:
            self.thread.join()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was not sent has nowhere to go
                pipe.close()  # type: ignore[union-attr]
        self.process.wait()


def _send(process: subprocess.Popen[bytes], *objects: Any) -> None:
    for object_ in objects:
        pickle.dump(object_, process.stdin, pickle.HIGHEST_PROTOCOL)  # type: ignore[arg-type]
    process.stdin.flush()  # type: ignore[union-attr]


def _receive(process: subprocess.Popen[bytes]) -> Any:
    return pickle.load(process.stdout)  # type: ignore[arg-type]


# --- a program, seen from itself ------------------------------------------------------


def _work_for_others() -> None:
    """Do what the process asks for that started this one, until that ends.

    An interrupt is for that process. A task that raises or warns gives no result: it is
    done there.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    try:
        function = pickle.load(sys.stdin.buffer)
        asked: SimpleQueue[tuple[Any, ...]] = SimpleQueue()
        Thread(target=_read, args=[asked], daemon=True).start()
        answer: list[Any] | None = []
        while True:
            pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
            answers.flush()
            answer = _answer(function, asked.get())
    finally:
        os._exit(0)  # nobody waits for a clean-up


def _read(asked: SimpleQueue[tuple[Any, ...]]) -> None:
    """Read what is asked for, also while this program works; end it with the other one."""
    try:
        while True:
            asked.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(0)


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...]) -> list[Any] | None:
    """Return the result in a list, nothing in it after a warning, or None for an error."""
    try:
        with warnings.catch_warnings(record=True) as shown:
            result = function(*arguments)
    except Exception:
        return None
    return [] if shown else [result]
