"""One score for several processes (`num_process` > 1): each sends its examples to process 0 in a file.

    PLACE.RANK.ID.part     who a process is, and its examples; it touches this file while it waits
    PLACE.RANK.ID.answer   process 0 has read that file: empty, or why there is no result
    OPTIONS.last           who met last
    lock                   a process 0 holds it while it looks and answers

PLACE is a digest of the options and one of the launch, ID is random. A file of examples counts once
it was seen being touched, so those of a killed process do not. Two jobs that nothing else
distinguishes are noticed by their processes: two with the same rank at the same time, different
numbers of earlier calls, or one that has lived while another process had its rank.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from filelock import FileLock

from .corpus import Corpus, Example, are_tokenized

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.005, 0.1  # in seconds
_SILENCE = 1.0  # seconds without a touch after which a process counts as killed
_DAY = 86_400 * 10**9  # in nanoseconds

# What identifies a launch. A job with a master may be several steps of Slurm or several runs of MPI, so
# these count only without one.
_MASTER = ("MASTER_ADDR", "MASTER_PORT")
_LAUNCH = ("TORCHELASTIC_RUN_ID", "SLURM_JOB_ID")
_STEP = "SLURM_STEP_ID PMIX_NAMESPACE OMPI_MCA_ess_base_jobid PMI_JOBID I_MPI_HYDRA_UUID".split()

_n_calls: Counter[tuple[int, str, str, int]] = Counter()  # by process, folder, place and rank

Person = dict[str, Any]  # who a process is: process_id, host, pid, started, calls


def gathered(
    corpus: Corpus, folder: str, options: str, process: int, n_processes: int, seconds: float
) -> Corpus | None:
    """Return the examples of all processes in process 0, and None in the others.

    Processes with different `options`, or of different launches, do not meet.
    """
    place = f"{_digest(options)}-{_digest(launch())}"
    call = os.getpid(), folder, place, process
    person = {
        "process_id": process,
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "started": start_time(os.getpid()),
        "calls": _n_calls[call],
    }
    own = Path(folder, f"{place}.{process}.{uuid.uuid4().hex}.part")
    try:
        os.makedirs(folder, exist_ok=True)
        try:
            # Process 0 reads its own examples from memory.
            _write(own, json.dumps([person, corpus.examples if process else []]))
            if process:
                _hand_over(own, seconds)
                examples = None
            else:
                examples = _collected(own, corpus.examples, n_processes, seconds)
        finally:
            own.unlink(missing_ok=True)
            _answer_of(own).unlink(missing_ok=True)
    except OSError as error:
        if isinstance(error, TimeoutError):
            raise
        reason = f"num_process > 1 needs a folder that all processes can write to: {error.strerror}"
        raise OSError(error.errno, reason, folder) from error
    _n_calls[call] += 1
    return None if examples is None else Corpus.of_examples(examples)


def launch() -> list[str]:
    """Return what identifies this launch in the environment; nothing in two plain shells."""
    has_master = all(map(os.environ.get, _MASTER))
    names = [*_LAUNCH, *(_MASTER if has_master else _STEP)]
    found = [f"{name}={os.environ[name]}" for name in names if os.environ.get(name)]
    address = os.environ.get("MASTER_ADDR", "")
    if has_master and (address in ("localhost", "::1") or address.startswith("127.")):
        found.append(socket.gethostname())  # other machines have the same address
    return found


@cache
def start_time(pid: int) -> float:
    """Return when this process began to use the package; a fork has another time."""
    return time.time()


start_time(os.getpid())


# --- process 0 ------------------------------------------------------------------------


def _collected(
    own: Path, own_examples: list[Example], n_processes: int, seconds: float
) -> list[Any]:
    """Wait for the parts of all other processes, answer them, and return the examples of all."""
    first_seen: dict[Path, tuple[int, float]] = {}
    paths: list[Path] = []
    try:
        for _ in _looks(seconds):
            os.utime(own)
            _raise_answer(own)  # of another process 0
            with FileLock(own.with_name("lock")), suppress(FileNotFoundError):  # one has left
                paths, is_decided = _living(own, first_seen)
                missing = sorted({*range(n_processes)} - {*map(_rank, paths)})
                if len(paths) == n_processes - len(missing) and (missing or not is_decided):
                    continue
                parts = [json.loads(path.read_text("utf-8")) for path in paths]
                _check_and_record_job([person for person, _ in parts], own)
                examples = [own_examples, *(part for _, part in parts[1:])]
                if len({are_tokenized(part) for part in examples if part}) > 1:
                    raise TypeError(
                        "predictions must be strings in all processes, or lists of tokens in all"
                    )
                _answer(paths, own, "")
                _remove_remains(own, first_seen.keys() - {*paths})
                return list(chain.from_iterable(examples))
        raise _missing(missing, seconds, own)
    except BaseException as error:
        with suppress(OSError):
            _answer(paths, own, f"process_id 0 gave up: {str(error) or repr(error)}")
        raise


def _check_and_record_job(people: Sequence[Person], own: Path) -> None:
    """Record who met, or raise if these cannot be one job, by each other and by who met last."""
    place, last = _place(own), own.with_name(own.name.partition("-")[0] + ".last")
    for one, other in pairwise(people):
        if one["process_id"] == other["process_id"] or one["calls"] != other["calls"]:
            raise _two_jobs(one, other, last)
    record = json.loads(last.read_text("utf-8")) if last.exists() else {}
    before = record["people"] if record.get("place") == place else people
    for old, new in zip(before, people, strict=True):
        is_same = all(old[key] == new[key] for key in ("host", "pid", "started"))
        # Clocks of different hosts may differ.
        has_lived = old["host"] == new["host"] and new["started"] < record.get("ended", 0)
        if not is_same and (has_lived or new["calls"]):
            raise _two_jobs(old, new, last)
    _write(last, json.dumps({"place": place, "ended": time.time(), "people": people}))


def _answer(paths: Sequence[Path], own: Path, reason: str) -> None:
    for path in paths:
        if path != own:
            _write(_answer_of(path), reason)


def _remove_remains(own: Path, killed: set[Path]) -> None:
    """Remove the files of killed processes: here, and after a day in all places."""
    now = own.stat().st_mtime_ns
    for path in own.parent.iterdir():
        with suppress(FileNotFoundError):
            is_kept = path.name == "lock" or path.suffix == ".last"
            if path in killed or (not is_kept and path.stat().st_mtime_ns < now - _DAY):
                path.unlink()


# --- the other processes --------------------------------------------------------------


def _hand_over(own: Path, seconds: float) -> None:
    """Wait until process 0 has read a part."""
    first_seen: dict[Path, tuple[int, float]] = {}
    is_awaited = False
    for _ in range(2):  # process 0 may wait for others as long again, and then says so
        for _ in _looks(seconds):
            os.utime(own)
            if _raise_answer(own):
                return
            is_awaited = 0 in map(_rank, _living(own, first_seen)[0])
        if not is_awaited:
            break
    raise _missing([0], seconds, own)


# --- files ----------------------------------------------------------------------------


def _living(own: Path, first_seen: dict[Path, tuple[int, float]]) -> tuple[list[Path], bool]:
    """Return the parts that are touched, by rank, and whether all others are of killed processes.

    `first_seen` keeps what was seen of each part first: its time, and when that was.
    """
    living, is_decided, now = [], True, time.monotonic()
    for path in own.parent.glob(f"{_place(own)}.*.part"):
        if _answer_of(path).exists():
            continue
        with suppress(FileNotFoundError):
            touched = path.stat().st_mtime_ns
            first, since = first_seen.setdefault(path, (touched, now))
            if touched != first:
                living.append(path)
            elif now - since < _SILENCE:
                is_decided = False
    return sorted(living, key=_rank), is_decided


def _place(part: Path) -> str:
    return part.name.split(".")[0]


def _rank(part: Path) -> int:
    return int(part.name.split(".")[1])


def _answer_of(part: Path) -> Path:
    return part.with_suffix(".answer")


def _raise_answer(own: Path) -> bool:
    """Return whether a part is answered, or raise the error in the answer."""
    answer = _answer_of(own)
    if not answer.exists():
        return False
    if reason := answer.read_text("utf-8"):
        raise RuntimeError(reason)
    return True


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def _write(path: Path, text: str) -> None:
    """Write a file that gets its name when it is complete."""
    part = path.with_name(f"{path.name}.new")
    try:
        part.write_text(text, "utf-8", "replace")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _looks(seconds: float) -> Iterator[None]:
    """Yield at once, again after short pauses, and a last time when the seconds are over."""
    end, pause = time.monotonic() + seconds, _SHORTEST_PAUSE
    while time.monotonic() < end:
        yield
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
    yield


# --- errors ---------------------------------------------------------------------------


def _missing(processes: list[int], seconds: float, own: Path) -> TimeoutError:
    names = ", ".join(map(str, processes))
    return TimeoutError(
        f"process_id {names} did not call compute() within {seconds:g} seconds, in {own.parent}:"
        " each process must call it, even without examples, with the same options, and compute"
        " metrics in the same order. Look for an error in its log and run all processes again, or"
        " give load() a longer timeout"
    )


def _two_jobs(one: Person, other: Person, path: Path) -> RuntimeError:
    names = " and ".join(
        f"process_id {person['process_id']} (pid {person['pid']} on {person['host']}, started "
        f"{datetime.fromtimestamp(person['started']):%Y-%m-%d %H:%M:%S}, {person['calls']} calls"
        " before)"
        for person in (one, other)
    )
    return RuntimeError(
        f"{names} are not of one job, in {path.parent}: jobs and metrics that are used at the same"
        " time need different values of experiment_id in load()"
    )
