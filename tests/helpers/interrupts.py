"""Interrupts at a chosen place of whatever runs: before its line of a number."""

import contextlib
import gc
import sys
from collections.abc import Callable, Iterator
from types import FrameType, SimpleNamespace


@contextlib.contextmanager
def before_line(
    number: int, act: Callable[[], None], *, repeats: bool = True
) -> Iterator[SimpleNamespace]:
    """Act before the line of this number of all that runs in here, in whatever module.

    Without repeats a line counts once for each line that called it. What this gives has `n_lines`,
    the number of lines that have come.
    """
    seen = SimpleNamespace(n_lines=0)
    places = set()

    def trace(frame, event, argument):
        if event == "line" and frame.f_code is not before_line.__wrapped__.__code__:
            place = (*_line(frame), *_line(frame.f_back))
            if repeats or place not in places:
                places.add(place)
                seen.n_lines += 1
                if seen.n_lines == number:
                    act()
        return trace

    before = sys.gettrace()
    gc.disable()  # it has functions of Hypothesis, in which an interrupt is lost
    sys.settrace(trace)
    try:
        yield seen
    finally:
        sys.settrace(before)
        gc.enable()


def _line(frame: FrameType | None) -> tuple[object, object]:
    return (None, None) if frame is None else (frame.f_code, frame.f_lineno)
