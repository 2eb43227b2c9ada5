"""Long work in a process of its own, so that nobody else waits for it.

The process ends with its work, or when its visitor stops. As a program, this module is that process.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import BoundedSemaphore
from typing import Any, BinaryIO, cast

from rouge_bleu_tools.app.settings import Refusal, reason_of

_SHORT = 4_000  # bytes of texts and settings; the server itself scores these in half a second
_MAX_MEMORY = 900 * 2**20  # bytes that a process may ask for; it uses half of what it asks for
_MAX_WAIT = 60  # seconds for a place
_PLACES = BoundedSemaphore(3)  # files and searches take two, so that one is left for long texts
_pipe: Any = None  # to the server, in a process


def result(function: Callable[..., Any], *given: Any, is_long: bool = False) -> Any:
    """Return `function(*given)`; a process computes it if it is long work, or its texts are long."""
    if not is_long and len(pickle.dumps(given)) <= _SHORT:
        return function(*given)
    return list(results(function, *given))[-1][1]


def results(function: Callable[..., Any], *given: Any) -> Iterator[tuple[str, Any]]:
    """Yield each ("step", what the function tells), and last ("result", what it returns)."""
    if not _PLACES.acquire(timeout=_MAX_WAIT):
        raise Refusal("Others score long texts now. Try again in a minute.")
    settings = {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    given_to_process: dict[str, Any] = {
        "args": [sys.executable, "-m", __name__],
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "env": os.environ | settings,
        "start_new_session": True,  # Ctrl-C is for the server
    }
    try:
        with subprocess.Popen(**given_to_process) as process:
            to_process, from_process = cast(BinaryIO, process.stdin), cast(BinaryIO, process.stdout)
            try:
                pickle.dump((function, given), to_process)
                to_process.flush()
                kind = "step"
                while kind == "step":
                    kind, value = pickle.load(from_process)
                    if kind == "refusal":
                        raise Refusal(value)
                    yield kind, value
            finally:
                process.kill()
    except (EOFError, OSError):  # the system ended it
        raise MemoryError from None
    finally:
        _PLACES.release()


def tell(*step: Any) -> None:
    """Let the server know how far the work is: how much of how much, and of what."""
    if _pipe:
        _pipe.write(pickle.dumps(("step", step)))
        _pipe.flush()


def work() -> None:
    """Call the function that the server sends, and send back what it returns."""
    global _pipe
    _pipe, sys.stdout = sys.stdout.buffer, sys.stderr
    with suppress(ImportError, AttributeError):  # Windows has neither
        os.nice(5)
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MAX_MEMORY, _MAX_MEMORY))
    function, given = pickle.load(sys.stdin.buffer)
    try:
        answer = "result", function(*given)
    except Exception as error:
        answer = "refusal", reason_of(error)
    _pipe.write(pickle.dumps(answer))
    _pipe.flush()


if __name__ == "__main__":
    from rouge_bleu_tools.app import worker

    worker.work()  # of the module that the function imports
