"""Rounds in which several processes bring what they have to one of them, by files.

The processes share one folder. A lock says who is alive, since the system lets go of
the locks of a process that ends, also of one that is killed. A file says what was
done, with the random id of the round in its name:

    0.lock, 1.lock, ...    held by a process from its first step to its last
    ID.open                process 0 has begun a round
    ID.1.joined            process 1 takes part
    ID.ready               all processes take part: all go on
    ID.1.items             what process 1 brings, complete
    ID.read                process 0 has read all of it: all go on
    ID.0.failed            process 0 gave up, and so do all; the file says why

A file gets its name when it is complete, and is not changed after that. What a killed
run has left is of another round, so nobody takes it for something of this one; process
0 removes it when it opens the next.

Nobody waits for a process that is gone, and for a living one only some time.
"""

from __future__ import annotations

import os
import re
import time
import uuid
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from filelock import FileLock, Timeout

_ROUND_FILE = re.compile(r"(?P<id>[0-9a-f]{32})\.(?P<what>.+)")
_SECONDS_FOR_OWN_LOCK = 5.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.005, 0.1


@dataclass(frozen=True)
class ProcessGroup:
    """Processes with one folder, seen by one of them.

    `timeout` is in seconds. `experiment` is what the user gave to tell groups apart.
    """

    folder: str
    experiment: str
    n_processes: int
    process: int
    timeout: float

    @property
    def others(self) -> range:
        """The processes that bring something to process 0."""
        return range(1, self.n_processes)


@dataclass(frozen=True)
class ProcessRound:
    """A round in which a process takes part; `lock` says that it is alive."""

    group: ProcessGroup
    id: str
    lock: FileLock

    def path(self, what: str) -> str:
        """Return the path of a file of this round."""
        return os.path.join(self.group.folder, f"{self.id}.{what}")


def begun_round(group: ProcessGroup) -> ProcessRound:
    """Return the next round, as soon as all processes take part in it.

    Raises
    ------
    TimeoutError
        Not all processes have come.
    RuntimeError
        Another object has the part of this process, or process 0 has given up.
    OSError
        The folder cannot be read or written.
    """
    lock = FileLock(_lock_path(group, group.process), thread_local=False)
    try:
        lock.acquire(timeout=min(group.timeout, _SECONDS_FOR_OWN_LOCK))
    except Timeout:
        raise RuntimeError(
            f"process_id {group.process} of experiment_id {group.experiment!r} is taken by"
            " another metric, which has added and not yet computed: give load() another"
            " experiment_id, the same one in all processes"
        ) from None
    try:
        return _opened_round(group, lock) if group.process == 0 else _joined_round(group, lock)
    except BaseException:
        lock.release()
        raise


def _opened_round(group: ProcessGroup, lock: FileLock) -> ProcessRound:
    """Open a round and wait for the other processes."""
    _remove_rounds(group.folder)
    this_round = ProcessRound(group, uuid.uuid4().hex, lock)
    with _told_to_others(this_round):
        _post(this_round, "open")
        missing: Collection[int] = group.others
        for names, _ in _listings(group, group.timeout):
            missing = [
                process for process in missing if f"{this_round.id}.{process}.joined" not in names
            ]
            if not missing:
                break
        else:
            raise TimeoutError(_not_begun(group, missing, group.timeout))
        _post(this_round, "ready")
    return this_round


def _joined_round(group: ProcessGroup, lock: FileLock) -> ProcessRound:
    """Join the round that process 0 has open, and wait until all others have."""
    this_round = ProcessRound(group, "", lock)
    # Process 0 may come that late, and wait for others as long again.
    seconds = 2 * group.timeout
    for names, _ in _listings(group, seconds):
        if f"{this_round.id}.ready" in names:
            return this_round
        _raise_if_failed(this_round, [0], names)
        for open_round in _open_rounds(names) - {this_round.id}:
            this_round = ProcessRound(group, open_round, lock)
            _post(this_round, f"{group.process}.joined")
    raise TimeoutError(_not_begun(group, [0], seconds))


def hand_over(this_round: ProcessRound, write: Callable[[str], None]) -> None:
    """Write what this process brings to a path, and wait until process 0 has read it.

    Raises
    ------
    RuntimeError
        Process 0 has ended or given up.
    TimeoutError
        Process 0 has not read it in time.
    OSError
        The folder cannot be read or written.
    """
    group = this_round.group
    own = this_round.path(f"{group.process}.items")
    try:
        with _told_to_others(this_round):
            write(own + ".part")
            os.replace(own + ".part", own)
            _wait_until_read(this_round)
    finally:
        for path in (own, own + ".part"):
            with suppress(OSError):
                os.remove(path)


def _wait_until_read(this_round: ProcessRound) -> None:
    group = this_round.group
    seconds = 2 * group.timeout  # as in _joined_round
    for names, living in _listings(group, seconds, [0]):
        if f"{this_round.id}.read" in names:
            return
        _raise_if_failed(this_round, [0], names)
        if not living:
            raise RuntimeError(_ended(group, [0]))
    raise TimeoutError(_not_computed(group, [0], seconds))


@contextmanager
def handed_over(this_round: ProcessRound) -> Iterator[list[str]]:
    """Give the paths of what processes 1, 2, ... bring, as soon as all of it is there.

    The others go on after the block, or raise too where it raises.

    Raises
    ------
    RuntimeError
        A process has ended or given up.
    TimeoutError
        A process has not computed in time.
    OSError
        The folder cannot be read or written.
    """
    with _told_to_others(this_round):
        yield _paths_of_others(this_round)
        _post(this_round, "read")
    _remove_rounds(this_round.group.folder)


def _paths_of_others(this_round: ProcessRound) -> list[str]:
    group = this_round.group
    for names, living in _listings(group, group.timeout, group.others):
        _raise_if_failed(this_round, group.others, names)
        missing = [
            process for process in group.others if f"{this_round.id}.{process}.items" not in names
        ]
        if not missing:
            return [this_round.path(f"{process}.items") for process in group.others]
        gone = [process for process in missing if process not in living]
        if gone:
            raise RuntimeError(_ended(group, gone))
    raise TimeoutError(_not_computed(group, missing, group.timeout))


@contextmanager
def _told_to_others(this_round: ProcessRound) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        tell_others(this_round, error)
        raise


def tell_others(this_round: ProcessRound, error: BaseException) -> None:
    """Tell the other processes of an error of this one: it gives up."""
    process = this_round.group.process
    text = str(error) or type(error).__name__
    with suppress(OSError):
        _post(this_round, f"{process}.failed", f"process_id {process} gave up: {text}")


def left(this_round: ProcessRound) -> None:
    """Let go of all that a process holds: its next round starts afresh."""
    this_round.lock.release()


# --- files and locks ------------------------------------------------------------------


def _post(this_round: ProcessRound, what: str, text: str = "") -> None:
    path = this_round.path(what)
    with open(path + ".part", "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
    os.replace(path + ".part", path)


def _raise_if_failed(
    this_round: ProcessRound, processes: Collection[int], names: Collection[str]
) -> None:
    for process in processes:
        what = f"{process}.failed"
        if f"{this_round.id}.{what}" in names:
            with open(this_round.path(what), encoding="utf-8") as file:
                raise RuntimeError(file.read())


def _open_rounds(names: Collection[str]) -> set[str]:
    """Return the rounds that one can join."""
    of_kind: dict[str, set[str]] = {}
    for match in filter(None, map(_ROUND_FILE.fullmatch, names)):
        of_kind.setdefault(match["what"], set()).add(match["id"])
    is_over = (of_kind.get(kind, set()) for kind in ("ready", "read", "0.failed"))
    return of_kind.get("open", set()).difference(*is_over)


def _remove_rounds(folder: str) -> None:
    """Remove all files of rounds that are over but the last word of the last one.

    A process that is slow may not have seen it yet. No round is under way.
    """
    files = [entry for entry in os.scandir(folder) if _ROUND_FILE.fullmatch(entry.name)]
    ends = [file for file in files if file.name.endswith((".read", ".0.failed"))]
    last = max((file.stat().st_mtime_ns for file in ends), default=None)
    for file in files:
        if file in ends and file.stat().st_mtime_ns == last:
            continue
        with suppress(FileNotFoundError):
            os.remove(file.path)


def _lock_path(group: ProcessGroup, process: int) -> str:
    return os.path.join(group.folder, f"{process}.lock")


def _is_alive(group: ProcessGroup, process: int) -> bool:
    path = _lock_path(group, process)
    os.stat(path)  # it was there, and a lock would make a folder anew
    lock = FileLock(path, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    lock.release()
    return False


def _listings(
    group: ProcessGroup, seconds: float, processes: Collection[int] = ()
) -> Iterator[tuple[Collection[str], Collection[int]]]:
    """Yield the names of all files, and those of some processes that were alive before.

    Again and again until the time is over. A process lets go of its lock after its last
    file is there: what is not in the list, and of a process that was not alive before,
    will not come.
    """
    end = time.monotonic() + seconds
    pause = _SHORTEST_PAUSE
    while True:
        is_last = time.monotonic() >= end
        living = {process for process in processes if _is_alive(group, process)}
        yield set(os.listdir(group.folder)), living
        if is_last:
            return
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


# --- texts ----------------------------------------------------------------------------


def _names_of(group: ProcessGroup, processes: Collection[int]) -> str:
    numbers = ", ".join(map(str, processes))
    verb = "has" if len(processes) == 1 else "have"
    return f"process_id {numbers} of num_process={group.n_processes} {verb}"


def _not_begun(group: ProcessGroup, processes: Collection[int], seconds: float) -> str:
    return (
        f"{_names_of(group, processes)} not begun within {seconds:g} seconds with"
        f" experiment_id {group.experiment!r} in {group.folder}: each process must call add,"
        " add_batch or compute, also one that has nothing to add, and its input must not be"
        " refused. Look for an error in its log and run all processes again, or give load()"
        " a longer timeout if it needs more time"
    )


def _not_computed(group: ProcessGroup, processes: Collection[int], seconds: float) -> str:
    return (
        f"{_names_of(group, processes)} not computed within {seconds:g} seconds: look for an"
        " error in its log and run all processes again, or give load() a longer timeout if"
        " it needs more time"
    )


def _ended(group: ProcessGroup, processes: Collection[int]) -> str:
    return (
        f"{_names_of(group, processes)} ended before compute() was done: look for the reason"
        " in its log, and run all processes again"
    )
