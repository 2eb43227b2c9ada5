"""What a comparison is, and how it is measured."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("HF_HOME", tempfile.mkdtemp(prefix="bench_"))

import evaluate

ROOT = Path(__file__).resolve().parent.parent
Clock = Callable[[], float]
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
    before : function
        Called before each call, untimed.
    n_calls : int
        Calls in a round, many where a call is short.
    is_best : bool
        The best round counts, of three times as many, and not the median: for a peer
        whose time has two levels, of which the median is now one, now the other.
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
    before: Callable[[], None] = lambda: None
    n_calls: int = 1
    is_best: bool = False

    def measured(self, n_rounds: int, clock: Clock = time.perf_counter) -> Measured:
        """Return the time over rounds, in which ours and theirs take turns."""
        difference = self.difference()  # also warms both sides up
        ours, theirs = [], []
        for _ in range(3 * n_rounds if self.is_best else n_rounds):
            ours.append(self._seconds(self.ours, clock))
            theirs.append(self._seconds(self.theirs, clock))
        of_rounds = min if self.is_best else median
        return Measured(
            row=self,
            ours=of_rounds(ours) / self.n_ours,
            theirs=of_rounds(theirs) / self.n_theirs,
            difference=difference,
        )

    def _seconds(self, run: Callable[[], Any], clock: Clock) -> float:
        """Return the seconds of a call, the mean of `n_calls`."""
        gc.collect()
        total = 0.0
        for _ in range(self.n_calls):
            self.before()
            start = clock()
            run()
            total += clock() - start
        return total / self.n_calls


@dataclass(frozen=True, kw_only=True)
class KnownTimeRow(Row):
    """A comparison with a time that was measured elsewhere, `known` seconds a pair."""

    known: float

    def measured(self, n_rounds: int, clock: Clock = time.perf_counter) -> Measured:
        difference = self.difference()
        seconds = [self._seconds(self.ours, clock) for _ in range(n_rounds)]
        return Measured(
            row=self,
            ours=median(seconds) / self.n_ours,
            theirs=self.known,
            difference=difference,
        )


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
    ours: float
    theirs: float
    difference: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

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
        module
        for name, module in list(sys.modules.items())
        if name.startswith(packages)
    ]:
        classes = [value for value in vars(module).values() if isinstance(value, type)]
        for owner in (module, *classes):
            for value in vars(owner).values():
                if isinstance(value, _CachedFunction):
                    value.cache_clear()
