"""Signals that wait while work is shared out.

Functions that the program has for signals, as Python has one for Ctrl-C, run only while
this process works or waits: else what they raise could be lost within a fork, or leave a
process or a lock behind.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any, TypeVar

Outcome = TypeVar("Outcome")
SignalFunction = Callable[[int, FrameType | None], Any]


@dataclass
class DeferredSignals:
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
def deferred_signals() -> Iterator[DeferredSignals]:
    """Let signals wait until the end of the block, and where it does not hear them.

    To block them for this thread would not do: any other one, as libraries have them,
    takes them then, and Python calls their functions here all the same.
    """
    is_main = threading.current_thread() is threading.main_thread()
    signals = DeferredSignals(signal_functions() if is_main else {}, arrived=[])
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


def signal_functions() -> dict[int, SignalFunction]:
    """Return the functions that the program has for signals, by their numbers."""
    found = {number: signal.getsignal(number) for number in signal.valid_signals()}
    return {number: value for number, value in found.items() if callable(value)}
