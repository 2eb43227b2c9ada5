"""One score for several processes (`num_process` > 1): each sends its items to process 0 in a file.

    ID.open      process 0 waits for the others, and touches this file as long as it waits
    ID.1, ...    the items of process 1, and so on, complete
    ID.end       process 0 has read them all, or gave up: then the file says why
    lock         process 0 holds it from the opening to the end

ID is random. The others answer only to a file that they saw being touched, not to a killed run's.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

from filelock import FileLock, Timeout

from .corpus import Corpus, are_tokenized

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.005, 0.1  # in seconds


def gathered(
    corpus: Corpus, folder: str, process: int, n_processes: int, seconds: float
) -> Corpus | None:
    """Return the items of all processes in process 0, and None in the others."""
    try:
        os.makedirs(folder, exist_ok=True)
        if process == 0:
            return _collected(corpus, Path(folder), n_processes, seconds)
        _hand_over(corpus, Path(folder), process, seconds)
    except TimeoutError:
        raise
    except OSError as error:
        reason = f"num_process > 1 needs a folder that all processes can write to: {error.strerror}"
        raise OSError(error.errno, reason, folder) from error
    return None


def _collected(corpus: Corpus, folder: Path, n_processes: int, seconds: float) -> Corpus:
    """Open a run, wait for the items of all other processes, and end it."""
    run = folder / uuid.uuid4().hex
    opened = run.with_suffix(".open")
    paths = {process: run.with_suffix(f".{process}") for process in range(1, n_processes)}
    try:
        lock = FileLock(folder / "lock", thread_local=False).acquire(timeout=0)
    except Timeout:
        raise _taken(0, folder) from None
    with lock:
        try:
            opened.touch()
            for _ in _looks(seconds):
                os.utime(opened)
                missing = [process for process, path in paths.items() if not path.exists()]
                if not missing:
                    break
            else:
                raise _missing(missing, seconds, folder)
            parts = [json.loads(path.read_text("utf-8")) for path in paths.values()]
            parts = [corpus.items, *parts]
            if len({are_tokenized(part) for part in parts if part}) > 1:
                raise TypeError(
                    "predictions must be strings in all processes, or lists of tokens in all"
                )
        except BaseException as error:
            with suppress(OSError):
                reason = f"process_id 0 gave up: {str(error) or repr(error)}"
                _write(run.with_suffix(".end"), reason)
            raise
        _write(run.with_suffix(".end"), "")
        # All others have left earlier runs. They may still wait for the end of this one.
        for path in folder.iterdir():
            if path.name not in ("lock", f"{run.name}.end"):
                path.unlink(missing_ok=True)
    return Corpus.of_items(list(chain.from_iterable(parts)))


def _hand_over(corpus: Corpus, folder: Path, process: int, seconds: float) -> None:
    """Write items for the run that process 0 opens, and wait for its end."""
    run = _living_run(folder, seconds)
    own, end = run.with_suffix(f".{process}"), run.with_suffix(".end")
    if own.exists():
        raise _taken(process, folder)
    try:
        _write(own, json.dumps(corpus.items))
        # Process 0 may wait for others as long again, and then says so.
        for _ in _looks(2 * seconds):
            if end.exists():
                break
        else:
            raise _missing([0], seconds, folder)
        if reason := end.read_text("utf-8"):
            raise RuntimeError(reason)
    except BaseException:
        own.unlink(missing_ok=True)
        raise


def _living_run(folder: Path, seconds: float) -> Path:
    """Wait for a file of an open run that is touched after it was first seen."""
    first_seen: dict[Path, int] = {}
    for _ in _looks(seconds):
        for path in folder.glob("*.open"):
            with suppress(FileNotFoundError):  # that run has just ended
                touched = path.stat().st_mtime_ns
                if first_seen.setdefault(path, touched) != touched:
                    return path
    raise _missing([0], seconds, folder)


def _write(path: Path, text: str) -> None:
    """Write a file that gets its name when it is complete."""
    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(text, "utf-8", "replace")
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _looks(seconds: float) -> Iterator[None]:
    """Yield at once, again after short pauses, and a last time when the seconds are over."""
    end, pause = time.monotonic() + seconds, _SHORTEST_PAUSE
    while time.monotonic() < end:
        yield
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
    yield


def _missing(processes: list[int], seconds: float, folder: Path) -> TimeoutError:
    names = ", ".join(map(str, processes))
    return TimeoutError(
        f"process_id {names} did not come to compute() within {seconds:g} seconds, in {folder}: "
        "each process must call it, also one without items. Look for an error in its log and run "
        "all processes again, or give load() a longer timeout"
    )


def _taken(process: int, folder: Path) -> RuntimeError:
    return RuntimeError(
        f"process_id {process} is taken, in {folder}: metrics that are used at the same time need "
        "different values of experiment_id in load()"
    )
