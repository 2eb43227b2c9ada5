"""Forks of this process, which represent the processes of a distributed run."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

KILLED = f"killed by signal {int(getattr(signal, 'SIGKILL', 9))}"


def kill_oneself() -> None:
    """End as `kill -9` ends a process: nothing is tidied up."""
    os.kill(os.getpid(), signal.SIGKILL)


def in_processes(*functions: Callable[[], Any]) -> list[Any]:
    """Call each function in a separate process, all at once.

    Returns what they return, the exceptions that they raise, or how they were ended.
    """
    children = [_forked(function) for function in functions]
    answers = []
    for process, readable in children:
        with open(readable, "rb") as pipe:
            answer = pipe.read()
        status = os.waitpid(process, 0)[1]
        if os.WIFSIGNALED(status):
            answers.append(f"killed by signal {os.WTERMSIG(status)}")
        else:
            answers.append(pickle.loads(answer))
    return answers


def _forked(function: Callable[[], Any]) -> tuple[int, int]:
    readable, writable = os.pipe()
    process = os.fork()
    if process:
        os.close(writable)
        return process, readable
    os.close(readable)
    try:
        result = function()
    except BaseException as error:
        result = error
        result.__traceback__ = result.__context__ = result.__cause__ = None
    with suppress(BaseException), open(writable, "wb") as pipe:
        pipe.write(pickle.dumps(result))
    os._exit(0)
