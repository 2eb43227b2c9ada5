"""Long work in processes of its own, so that nobody else waits for it.

A process starts when it is needed first, does one task after another, and ends if its visitor stops.
As a program, this module is such a process.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO

from rouge_bleu_tools.app.settings import Refusal, reason_of

MAX_MEMORY = 900 * 2**20  # bytes that a process may ask for; it uses about half
_SHORT = 4_000  # bytes of texts and settings whose scores the server itself computes
_MAX_WAIT = 60  # seconds for a process that is free
# Files and searches take two of them, so that one is left for long texts.
_FREE: SimpleQueue[Any] = SimpleQueue()
for _ in range(3):
    _FREE.put(None)
_pipe: BinaryIO | None = None  # to the server, in a process


def result(function: Callable[..., Any], *given: Any, is_long: bool = False) -> Any:
    """Return `function(*given)`; a process computes it if it is long work, or its texts are long."""
    if not is_long and len(pickle.dumps(given)) <= _SHORT:
        return function(*given)
    return list(results(function, *given))[-1][1]


def results(function: Callable[..., Any], *given: Any) -> Iterator[tuple[str, Any]]:
    """Yield each ("step", what the function tells), and last ("result", what it returns)."""
    try:
        process = _FREE.get(timeout=_MAX_WAIT) or _started()
    except Empty:
        raise Refusal("Others score long texts now. Try again in a minute.") from None
    kind = "step"
    try:
        pickle.dump((function, given), process.stdin)
        process.stdin.flush()
        while kind == "step":
            kind, value = pickle.load(process.stdout)
            if kind == "refusal":
                raise Refusal(value)
            yield kind, value
    except (EOFError, OSError):  # the system ended it
        raise MemoryError from None
    finally:
        if kind == "step":  # it failed, or nobody waits for it
            process.kill()
            process.wait()
        _FREE.put(None if kind == "step" else process)


def _started() -> Any:
    settings = {"PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, **settings},
        start_new_session=True,  # Ctrl-C is for the server
    )


def tell(*step: Any) -> None:
    """Let the server know how far the work is: how much of how much, and of what."""
    if _pipe is not None:
        _pipe.write(pickle.dumps(("step", step)))


def serve() -> None:
    """Do tasks until the server closes the pipe."""
    global _pipe
    _pipe = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what is printed goes to the server's log
    with suppress(ImportError, AttributeError):  # Windows has neither
        os.nice(5)
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    with suppress(EOFError):
        while True:
            function, given = pickle.load(sys.stdin.buffer)
            try:
                answer = "result", function(*given)
            except Exception as error:
                answer = "refusal", reason_of(error)
            _pipe.write(pickle.dumps(answer))


if __name__ == "__main__":
    from rouge_bleu_tools.app import worker

    worker.serve()  # of the module that the tasks import
