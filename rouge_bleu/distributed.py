"""One score for several processes (`num_process` > 1): each sends its examples to process 0 in a file.

    PLACE.RANK.ID.part     who a process is, how often it has met others, its examples; it touches
                           this file while it waits
    PLACE.RANK.ID.answer   process 0 has read that file: empty, or why there is no result
    lock                   a process 0 holds it while it looks and answers

PLACE is a digest of the options and the launch, ID is random. A file of examples counts once it
was seen being touched, so those of a killed process do not. Two jobs at the same place are noticed
if two of their processes with the same rank come at the same time, or have met unequally often.
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
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from filelock import FileLock

from .corpus import Corpus, Example, are_tokenized

_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.005, 0.1  # in seconds
_SECONDS_UNTIL_DEAD = 1.0  # without a touch; then a process counts as killed

# What identifies a launch. A job with a master may be several steps of Slurm or several runs of MPI, so
# these count only without one.
_MASTER = ("MASTER_ADDR", "MASTER_PORT")
_LAUNCH = ("TORCHELASTIC_RUN_ID", "SLURM_JOB_ID")
_n_meetings: Counter[Any] = Counter()  # by folder, PLACE and RANK
_STEP = "SLURM_STEP_ID PMIX_NAMESPACE OMPI_MCA_ess_base_jobid PMI_JOBID I_MPI_HYDRA_UUID".split()


def gather_examples(
    corpus: Corpus, folder: str, options: str, process: int, n_processes: int, seconds: float
) -> Corpus | None:
    """Return the examples of processes of one launch with equal `options` in process 0, None in others."""
    place = hashlib.sha256(json.dumps([options, launch_identifiers()]).encode()).hexdigest()[:32]
    own = Path(folder, f"{place}.{process}.{uuid.uuid4().hex}.part")
    here = folder, place, process
    who = f"process_id {process} (pid {os.getpid()} on {socket.gethostname()})"
    try:
        os.makedirs(folder, exist_ok=True)
        try:
            # Process 0 reads its own examples from memory.
            sent = corpus.examples if process else []
            _write_atomically(own, json.dumps([who, _n_meetings[here], sent]))
            if process:
                _wait_for_answer(own, seconds)
                examples = None
            else:
                examples = _collect_examples(own, corpus.examples, n_processes, seconds)
        finally:
            own.unlink(missing_ok=True)
            _answer_path(own).unlink(missing_ok=True)
    except OSError as error:
        if isinstance(error, TimeoutError):
            raise
        reason = f"num_process > 1 needs a folder that all processes can write to: {error.strerror}"
        raise OSError(error.errno, reason, folder) from error
    _n_meetings[here] += 1
    return None if examples is None else Corpus.of_examples(examples)


def launch_identifiers() -> list[str]:
    """Return what identifies this launch in the environment; nothing in two plain shells."""
    has_master = all(map(os.environ.get, _MASTER))
    names = [*_LAUNCH, *(_MASTER if has_master else _STEP)]
    found = [f"{name}={os.environ[name]}" for name in names if os.environ.get(name)]
    address = os.environ.get("MASTER_ADDR", "")
    if has_master and (address in ("localhost", "::1") or address.startswith("127.")):
        found.append(socket.gethostname())  # other machines have the same address
    return found


def _collect_examples(
    own: Path, own_examples: list[Example], n_processes: int, seconds: float
) -> list[Any]:
    """Wait for the parts of all other processes, answer them, and return the examples of all."""
    first_seen: dict[Path, tuple[int, float]] = {}
    paths: list[Path] = []
    try:
        for _ in _poll(seconds):
            os.utime(own)
            _is_answered(own)  # of another process 0
            with FileLock(own.with_name("lock")), suppress(FileNotFoundError):  # one has left
                paths, rest_is_dead = _live_parts(own, first_seen)
                ranks = list(map(_rank_of_part, paths))
                missing = sorted({*range(n_processes)} - {*ranks})
                # Two parts of the same rank raise an error below, once all who are here can read it.
                is_each_rank_once = len(ranks) == len({*ranks})
                if not rest_is_dead or (is_each_rank_once and missing):
                    continue
                parts = [json.loads(path.read_text("utf-8")) for path in paths]
                people = [(rank, *part[:2]) for rank, part in zip(ranks, parts, strict=True)]
                for (rank, who, n), (other_rank, other, other_n) in pairwise(people):
                    if rank == other_rank or n != other_n:
                        raise RuntimeError(
                            f"{who} and {other} are not of one job, in {own.parent}: jobs and"
                            " metrics that are used at the same time need different values of"
                            " experiment_id in load()"
                        )
                examples = [own_examples, *(part for _, _, part in parts[1:])]
                if len({are_tokenized(part) for part in examples if part}) > 1:
                    raise TypeError(
                        "predictions must be strings in all processes, or lists of tokens in all"
                    )
                _write_answers(paths, own, "")
                for killed in first_seen.keys() - {*paths}:
                    killed.unlink(missing_ok=True)
                return list(chain.from_iterable(examples))
        raise _timeout_error(missing, seconds, own)
    except BaseException as error:
        with suppress(OSError):
            _write_answers(paths, own, f"process_id 0 gave up: {str(error) or repr(error)}")
        raise


def _write_answers(paths: Sequence[Path], own: Path, reason: str) -> None:
    for path in paths:
        if path != own:
            _write_atomically(_answer_path(path), reason)


def _wait_for_answer(own: Path, seconds: float) -> None:
    """Wait until process 0 has read a part."""
    first_seen: dict[Path, tuple[int, float]] = {}
    is_awaited = False
    for _ in range(2):  # process 0 may wait for others as long again, and then says so
        for _ in _poll(seconds):
            os.utime(own)
            if _is_answered(own):
                return
            is_awaited = 0 in map(_rank_of_part, _live_parts(own, first_seen)[0])
        if not is_awaited:
            break
    raise _timeout_error([0], seconds, own)


# --- files ----------------------------------------------------------------------------


def _live_parts(own: Path, first_seen: dict[Path, tuple[int, float]]) -> tuple[list[Path], bool]:
    """Return touched parts by rank, and whether the rest is of killed processes; `first_seen` keeps times."""
    living, rest_is_dead, now = [], True, time.monotonic()
    for path in own.parent.glob(f"{own.name.split('.')[0]}.*.part"):
        if _answer_path(path).exists():
            continue
        with suppress(FileNotFoundError):
            touched = path.stat().st_mtime_ns
            first, since = first_seen.setdefault(path, (touched, now))
            if touched != first:
                living.append(path)
            elif now - since < _SECONDS_UNTIL_DEAD:
                rest_is_dead = False
    return sorted(living, key=_rank_of_part), rest_is_dead


def _rank_of_part(part: Path) -> int:
    return int(part.name.split(".")[1])


def _answer_path(part: Path) -> Path:
    return part.with_suffix(".answer")


def _is_answered(own: Path) -> bool:
    """Return whether a part is answered, or raise the error in the answer."""
    answer = _answer_path(own)
    if not answer.exists():
        return False
    if reason := answer.read_text("utf-8"):
        raise RuntimeError(reason)
    return True


def _write_atomically(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.new")
    try:
        part.write_text(text, "utf-8", "replace")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def _poll(seconds: float) -> Iterator[None]:
    """Yield at once, again after short pauses, and a last time when the seconds are over."""
    end, pause = time.monotonic() + seconds, _SHORTEST_PAUSE
    while time.monotonic() < end:
        yield
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
    yield


def _timeout_error(processes: list[int], seconds: float, own: Path) -> TimeoutError:
    names = ", ".join(map(str, processes))
    return TimeoutError(
        f"process_id {names} did not call compute() within {seconds:g} seconds, in {own.parent}:"
        " each process must call it, even without examples, with the same options, and compute"
        " metrics in the same order. Look for an error in its log and run all processes again, or"
        " give load() a longer timeout"
    )
