"""Long work in a process of its own, so that nobody else waits for it.

The process ends with its work, when its visitor stops, or with the server.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import BoundedSemaphore, Thread
from typing import Any, BinaryIO, cast

from rouge_bleu_tools.app.settings import Refusal, reason_of

_SHORT = 4_000  # bytes of texts and settings; the server itself scores these in half a second
_MAX_MEMORY = 900 * 2**20  # bytes that a process may ask for; it uses half of what it asks for
_MAX_WAIT = 60  # seconds for a place
_PLACES = BoundedSemaphore(3)  # files and searches take two, so that one is left for long texts
# Not `-m`: it imports modules from the current folder first, whose files may have their names.
_PROGRAM = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import work; work()"
_ROOT = str(Path(__file__).resolve().parents[2])
_NO_MEMORY = (-9, -signal.SIGABRT)  # without memory, Linux sends SIGKILL, libraries in C abort
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
    given_to_process: dict[str, Any] = {
        "args": [sys.executable, "-c", _PROGRAM, *(one or _ROOT for one in sys.path)],
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        "env": os.environ | {"OPENBLAS_NUM_THREADS": "1"},
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
            except (EOFError, OSError, pickle.UnpicklingError):
                with suppress(subprocess.TimeoutExpired):
                    process.wait(5)
                if process.returncode in _NO_MEMORY:
                    raise MemoryError from None
                reason = f"a process ended with status {process.returncode}; see above"
                raise RuntimeError(reason) from None
            finally:
                process.kill()
                with suppress(OSError):  # it did not read all
                    to_process.close()
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
    with suppress(ImportError, AttributeError, ValueError, OSError):  # Windows; a lower limit
        os.nice(5)
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (_MAX_MEMORY, hard))
    function, given = pickle.load(sys.stdin.buffer)
    Thread(target=_end_with_server, daemon=True).start()
    try:
        answer = "result", function(*given)
    except Exception as error:
        answer = "refusal", reason_of(error)
    _pipe.write(pickle.dumps(answer))
    _pipe.flush()


def _end_with_server() -> None:
    """End this process when the server closes its input, or dies."""
    os.read(0, 1)
    os._exit(1)
