"""Starts `worker.py`, tells how far it is, and ends it when nobody waits any more."""

from __future__ import annotations

import atexit
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rouge_bleu_tools.page.shared.limits import MAX_SECONDS, Refusal
from rouge_bleu_tools.page.shared.metrics import FOLDER

_BROKE_OFF = b'{"refusal": "The work broke off: it may need too much memory."}'
_SECONDS_BETWEEN = 0.3  # answers, so that a request can be stopped between them


@dataclass(frozen=True)
class Progress:
    """How far the work is: in words, and as a share from 0 to 1."""

    words: str
    share: float


class _Spare:
    """A worker that waits for work, since starting one takes seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start one if there is none."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._process = _started()

    def take(self) -> subprocess.Popen[bytes]:
        """Return the one that waits; there is none then."""
        self.start()
        with self._lock:
            taken, self._process = self._process, None
        return _started() if taken is None else taken  # taken by another thread

    def end(self) -> None:
        """End the one that waits, if there is one."""
        with self._lock:
            waiting, self._process = self._process, None
        if waiting is not None:
            _end(waiting)


SPARE = _Spare()
atexit.register(SPARE.end)


def _started() -> subprocess.Popen[bytes]:
    paths = [str(FOLDER), str(FOLDER / "examples")]
    return subprocess.Popen(
        [sys.executable, "-m", "rouge_bleu_tools.page.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=FOLDER,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()


def answers_of_worker(
    task: str, arguments: Mapping[str, Any]
) -> Generator[Progress | dict[str, Any], None, None]:
    """Yield `Progress` some times a second, and last the result.

    The process ends with this generator, also where it is closed or left before.

    Raises
    ------
    Refusal
        What the worker says is wrong, or that it took too long.
    """
    process = SPARE.take()
    try:
        yield from _answers(process, {"task": task, "arguments": dict(arguments)})
    finally:
        _end(process)
        SPARE.start()  # and not before, since both would share the cores


def _answers(process: Any, request: Mapping[str, Any]) -> Iterator[Progress | dict[str, Any]]:
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()
    lines: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    last = Progress("Starting", 0.0)
    start = shown = time.monotonic()
    while (now := time.monotonic()) - start < MAX_SECONDS:
        if now - shown > _SECONDS_BETWEEN:
            yield last
            shown = now
        try:
            line = lines.get(timeout=_SECONDS_BETWEEN)
        except queue.Empty:
            continue
        answer: dict[str, Any] = json.loads(line or _BROKE_OFF)
        if "refusal" in answer:
            raise Refusal(answer["refusal"])
        if "result" in answer:
            yield answer["result"]
            return
        last = Progress(*answer["progress"])
    raise Refusal(
        f"This takes more than {MAX_SECONDS} seconds, which is what the page works on a "
        "file: give it fewer rows, or score it in Python."
    )


def _read(stream: Any, lines: queue.Queue[bytes]) -> None:
    try:
        for line in stream:
            lines.put(line)
    except ValueError:  # closed
        pass
    lines.put(b"")
