"""What a comparison is, and how it is measured."""

from __future__ import annotations

import gc
import os
import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("HF_HOME", tempfile.mkdtemp(prefix="bench_"))

import evaluate

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))  # for the functions of rouge_bleu
_SECONDS_OF_ROUND = 0.2
_CachedFunction = type(lru_cache(len))

warnings.filterwarnings("ignore", message="rougeLsum takes each line")
evaluate.disable_progress_bar()


@dataclass(frozen=True, kw_only=True)
class Row:
    """One comparison.

    Parameters
    ----------
    what, peer : str
        The first two columns of the table.
    ours, theirs : function
        What is timed.
    n_ours, n_theirs : int
        Pairs that they take.
    difference : function
        Compares the results, untimed, and returns the largest difference.
    wanted : float or None
        The least ratio of their time to ours.
    tolerance : float
        The greatest difference that is none.
    before_theirs : function
        Called before each call of theirs, untimed.
    has_two_levels : bool
        Their time jumps from round to round between two levels, so there are three
        times as many rounds.
    """

    what: str
    peer: str
    ours: Callable[[], Any]
    n_ours: int
    theirs: Callable[[], Any]
    n_theirs: int
    difference: Callable[[], float]
    wanted: float | None = None
    tolerance: float = 1e-12
    before_theirs: Callable[[], None] = lambda: None
    has_two_levels: bool = False

    def measured(self, n_rounds: int) -> Measured:
        """Return the best time of all rounds, in which ours and theirs take turns."""
        difference = self.difference()  # also warms both sides up
        ours, theirs = [], []
        for _ in range(3 * n_rounds if self.has_two_levels else n_rounds):
            ours.append(_seconds(self.ours))
            theirs.append(_seconds(self.theirs, self.before_theirs))
        return Measured(
            row=self,
            ours=_best(ours).of_a_pair(self.n_ours),
            theirs=_best(theirs).of_a_pair(self.n_theirs),
            difference=difference,
        )


@dataclass(frozen=True, kw_only=True)
class KnownTimeRow(Row):
    """A comparison with a time that was measured elsewhere, `known` seconds a pair."""

    known: float

    def measured(self, n_rounds: int) -> Measured:
        difference = self.difference()
        ours = _best([_seconds(self.ours) for _ in range(n_rounds)])
        return Measured(
            row=self,
            ours=ours.of_a_pair(self.n_ours),
            theirs=Seconds(self.known, self.known),
            difference=difference,
        )


class Seconds(NamedTuple):
    """What a call takes: elapsed time, and that of all processors, its processes' too."""

    elapsed: float
    of_processors: float

    def of_a_pair(self, n_pairs: int) -> Seconds:
        return Seconds(self.elapsed / n_pairs, self.of_processors / n_pairs)


def _seconds(run: Callable[[], Any], before: Callable[[], None] = lambda: None) -> Seconds:
    """Return the seconds of a call, the mean of as many as fill a round."""
    gc.collect()
    n_calls = 0
    elapsed = of_processors = 0.0
    while elapsed < _SECONDS_OF_ROUND:
        before()
        start, start_of_processors = time.perf_counter(), _processor_seconds()
        run()
        elapsed += time.perf_counter() - start
        of_processors += _processor_seconds() - start_of_processors
        n_calls += 1
    return Seconds(elapsed / n_calls, of_processors / n_calls)


def _best(rounds: list[Seconds]) -> Seconds:
    """Return the least of each clock: what else runs on a machine only adds to it."""
    return Seconds(*map(min, zip(*rounds, strict=True)))


def _processor_seconds() -> float:
    """Return the processor time of this process and of those that it has ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


@dataclass(frozen=True)
class Skipped:
    """A row that cannot be measured, and why."""

    what: str
    peer: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Measured:
    """Seconds a pair, and the largest difference of any result."""

    row: Row
    ours: Seconds
    theirs: Seconds
    difference: float

    @property
    def ratio(self) -> float:
        return self.theirs.elapsed / self.ours.elapsed

    @property
    def processor_ratio(self) -> float:
        return self.theirs.of_processors / self.ours.of_processors

    @property
    def is_same(self) -> bool:
        """Whether the results are the same; NaN is a difference."""
        return self.difference <= self.row.tolerance

    @property
    def verdict(self) -> str:
        """The ratio that was wanted, and by how much the row misses it."""
        wanted = self.row.wanted
        if wanted is None:
            return ""
        if self.ratio >= wanted:
            return f"{wanted:.3g}"
        return f"{wanted:.3g} (missed by {1 - self.ratio / wanted:.0%})"


@lru_cache
def metric(name: str) -> Any:
    """Return rouge_full or bleu_full, loaded by the path of its script."""
    return evaluate.load(str(ROOT / f"{name}.py"), keep_in_memory=True)


def knows_option(name: str, option: str, value: Any) -> bool:
    """Return whether `compute` of a metric takes an option."""
    try:
        metric(name).compute(predictions=["a"], references=["a"], **{option: value})
    except TypeError:
        return False
    return True


def clear_caches(*packages: str) -> None:
    """Empty the caches of all functions and methods in these packages."""
    for module in [
        module for name, module in list(sys.modules.items()) if name.startswith(packages)
    ]:
        classes = [value for value in vars(module).values() if isinstance(value, type)]
        for owner in (module, *classes):
            for value in vars(owner).values():
                if isinstance(value, _CachedFunction):
                    value.cache_clear()
