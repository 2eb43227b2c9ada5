"""Chunks of a corpus, computed by this process or shared with forks of it.

A worker is a fork that computes every n-th chunk and sends its results through a pipe. Chunks that it did
not deliver, because it was killed, hung, raised or warned, are computed here, so errors and warnings
are those of one process. Forks are safe on Linux only; other systems use one process.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import sys
import time
import warnings
from _thread import start_new_thread
from collections.abc import Callable
from contextlib import suppress
from ctypes import CDLL
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar

from .corpus import Corpus

Result = TypeVar("Result")

_CAN_FORK = sys.platform.startswith("linux")
_MIN_CHARACTERS_PER_WORKER = 1 << 20  # with fewer, a worker costs more than it gains
_GRACE_SECONDS = 5.0  # seconds that workers may need beyond five times the time of this process
_FORK_WARNINGS = r"This process .* is multi-threaded|os\.fork\(\) was called"  # Python 3.12, JAX


def n_workers_of_jobs(n_jobs: int) -> int:
    """Return the number of processes for an option `n_jobs`; -1 is all cores, -2 all but one."""
    return n_jobs if n_jobs > 0 else max(1, _n_usable_cores() + 1 + n_jobs)


def _n_usable_cores() -> int:
    """Return how many cores this process may use; a container may see more of them."""
    return len(os.sched_getaffinity(0)) if _CAN_FORK else os.cpu_count() or 1


def results_of_chunks(
    corpus: Corpus, score: Callable[..., Result], n_workers: int = 1, *, is_program: bool = False
) -> list[Result]:
    """Return `score(corpus, first, end)` of each chunk; chunks are large if each starts a process."""
    if n_workers > 1:
        most_workers = corpus.n_pair_characters // _MIN_CHARACTERS_PER_WORKER if _CAN_FORK else 1
        n_workers = max(1, min(n_workers, _n_usable_cores(), most_workers))
    chunks = corpus.chunk_ranges(n_workers, are_large=is_program)
    if len(chunks) == 1:
        return [score(corpus, *chunks[0])]
    return _results_of_tasks(lambda number: score(corpus, *chunks[number]), len(chunks), n_workers)


def _results_of_tasks(task: Callable[[int], Result], n_tasks: int, n_workers: int) -> list[Result]:
    results: dict[int, Result] = {}
    shares = [range(first, n_tasks, n_workers) for first in range(min(n_workers, n_tasks))]
    if len(shares) > 1:
        workers = _ForkedWorkers(task, shares[1:])
        try:
            # The loop below raises the error of the first chunk that has one.
            with workers.are_wanted, suppress(ValueError):
                workers.begin()
                start = time.monotonic()
                for number in shares[0]:
                    results[number] = task(number)
                workers.wait(_GRACE_SECONDS + 5 * (time.monotonic() - start))
        finally:
            workers.wait()
        results |= workers.results
    for number in range(n_tasks):
        if number not in results:
            results[number] = task(number)
    return [results[number] for number in range(n_tasks)]


class _ForkedWorkers:
    """Forks that compute shares of the tasks, and a thread that starts, reads and ends them.

    Python raises KeyboardInterrupt in the main thread only, so none comes between a fork and its end.
    It cannot leave a flag or a `Lock` half changed, as it might a `threading.Event`.
    """

    def __init__(self, task: Callable[[int], Any], shares: list[range]) -> None:
        self._task, self._shares = task, shares
        self.are_wanted = Lock()  # held by the caller, who lets it go when interrupted
        self._have_begun = self._are_at_work = False
        self.results: dict[int, Any] = {}

    def begin(self) -> None:
        """Start all; the caller must do nothing meanwhile, as forks would keep its locks."""
        with suppress(RuntimeError):  # the system allows no more threads
            start_new_thread(self._manage_forks, ())
            while not self._have_begun:
                time.sleep(0.001)

    def wait(self, seconds: float = float("inf")) -> None:
        end = time.monotonic() + seconds
        while self._are_at_work and time.monotonic() < end:
            time.sleep(0.001)

    def _manage_forks(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # in forks too
        self._are_at_work = True
        processes: list[int] = []
        received: dict[int, bytearray] = {}  # by the pipe of each fork
        poll = select.poll()
        try:
            # A page that both sides of a fork write to takes five times as long as a fresh one.
            import_module("pyarrow").default_memory_pool().release_unused()
            with suppress(OSError, AttributeError):  # there is no glibc
                CDLL(None).malloc_trim(0)
            with suppress(OSError, RuntimeError):  # the system allows no more processes
                while self._shares and self.are_wanted.locked():
                    process, pipe = _fork(self._task, self._shares.pop())
                    processes.append(process)
                    received[pipe] = bytearray()
                    poll.register(pipe, select.POLLIN)
            self._have_begun = True
            n_open = len(received)
            while n_open and self.are_wanted.locked():
                for pipe, _ in poll.poll(50):
                    if part := os.read(pipe, 1 << 20):
                        received[pipe] += part
                    else:
                        poll.unregister(pipe)
                        n_open -= 1
        finally:
            self._have_begun = True
            for process, pipe in zip(processes, received, strict=True):
                os.close(pipe)
                with suppress(ProcessLookupError, ChildProcessError):  # somebody has waited for it
                    if os.waitpid(process, os.WNOHANG) == (0, 0):
                        os.kill(process, signal.SIGKILL)
                        os.waitpid(process, 0)
            for data in received.values():
                with suppress(Exception):  # it ended while it sent, or before
                    self.results |= pickle.loads(data)
            self._are_at_work = False


def _fork(task: Callable[[int], Any], share: range) -> tuple[int, int]:
    """Return a fork that computes some tasks, and the pipe with its results."""
    # The filter stays, as to take it away again is not safe beside threads.
    warnings.filterwarnings("ignore", message=_FORK_WARNINGS, module=__name__)
    pipe, sender = os.pipe()
    parent = os.getpid()
    try:
        process = os.fork()
    except BaseException:
        os.close(pipe)
        os.close(sender)
        raise
    if process:
        os.close(sender)
        return process, pipe
    try:
        gc.disable()  # it might free memory of a GPU
        os.closerange(3, sender)  # pipes of other forks, which would not end otherwise
        os.closerange(sender + 1, os.sysconf("SC_OPEN_MAX"))
        results = {}
        for number in share:
            if os.getppid() != parent:
                break
            with warnings.catch_warnings(record=True) as caught:
                result = task(number)
            if not caught:
                results[number] = result
        with open(sender, "wb") as opened:
            pickle.dump(results, opened, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)  # all else is the parent's
