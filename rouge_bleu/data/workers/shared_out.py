"""Tasks shared out among this process and others, whatever these are.

Whoever is free takes the next ticket, the number of a task; this process does so too.

One rule keeps it safe: what no other process has delivered is done here. A task that
raises or warns elsewhere is not delivered, so that its error and its warnings are those
of this process, in the order of the tasks. The same holds for a process that is killed,
runs out of memory, or does nothing any more.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Protocol, TypeVar

from .signals import deferred_signals

Outcome = TypeVar("Outcome")
OutcomeOfOthers = TypeVar("OutcomeOfOthers", covariant=True)
Task = Callable[[int], Outcome]

_SECONDS_BETWEEN_LOOKS = 0.1


class Others(Protocol[OutcomeOfOthers]):
    """The other processes, and the tickets of all.

    `patience` is how many seconds without a result and without processor time they have.
    """

    patience: float

    def start(self) -> bool:
        """Start one more; return False where the system allows none."""

    def tickets(self) -> Iterator[int]:
        """Take tickets for this process, one by one."""

    def take_all(self) -> None:
        """Leave nobody any work."""

    def delivered(self, seconds: float) -> Iterator[tuple[int, OutcomeOfOthers]]:
        """Yield the results that are there, or the first that come within some seconds."""

    def processes_at_work(self) -> list[int]:
        """Return the numbers of the processes that may still deliver something."""

    def end(self) -> None:
        """End all of them, and leave no zombie and no open pipe."""


def results_of_all(
    n_tasks: int, task: Task[Outcome], n_workers: int, with_others: Callable[[], Others[Outcome]]
) -> Generator[tuple[int, Outcome], None, None]:
    """Yield (number, `task(number)`) of the tasks 0..n_tasks-1, in any order.

    Parameters
    ----------
    n_tasks : int
    task : callable
        It changes nothing that is looked at later.
    n_workers : int
        This process and the others. Fewer are started where the system refuses more.
    with_others : callable
        Makes what starts the others.

    Raises
    ------
    Exception
        That of the first task which raises one, or what a function of the program raises
        on a signal, such as KeyboardInterrupt. All others have ended then.
    """
    with deferred_signals() as signals:
        others = with_others()
        results = _results(n_tasks, task, others)
        try:
            n_others = 0
            while n_others < n_workers - 1 and others.start():
                n_others += 1
                signals.hear()
            while found := signals.heard_while(partial(next, results, None)):
                yield found
        finally:
            results.close()
            others.end()


def _results(
    n_tasks: int, task: Task[Outcome], others: Others[Outcome]
) -> Generator[tuple[int, Outcome], None, None]:
    is_done = [False] * n_tasks
    for number, result in chain(_results_from_here(task, others), _last(others)):
        is_done[number] = True
        yield number, result
    for number in range(n_tasks):
        if not is_done[number]:
            yield number, task(number)


def _results_from_here(
    task: Task[Outcome], others: Others[Outcome]
) -> Iterator[tuple[int, Outcome]]:
    """Do tasks until none is left, and yield what others deliver in between."""
    for number in others.tickets():
        try:
            result = task(number)
        except Exception:  # raised again later, unless an earlier task has an error too
            others.take_all()
            return
        yield number, result
        yield from others.delivered(0)


def _last(others: Others[Outcome]) -> Iterator[tuple[int, Outcome]]:
    """Yield results until the others have no more, or those that are left do nothing."""
    used, since = -1.0, 0.0
    while at_work := others.processes_at_work():
        yield from others.delivered(_SECONDS_BETWEEN_LOOKS)
        now_used = sum(map(_processor_seconds, at_work))
        if now_used != used:
            used, since = now_used, time.monotonic()
        elif time.monotonic() - since > others.patience:
            break
    yield from others.delivered(0)


def _processor_seconds(process: int) -> float:
    """Return the processor time that a process has used; 0 where it is not known."""
    with suppress(OSError, ValueError, IndexError):
        status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
        user, system = status.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return 0.0
