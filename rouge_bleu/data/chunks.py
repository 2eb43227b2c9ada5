"""Work in chunks of items, by one worker or several.

Arrays of a chunk stay in the cache, and memory stays flat. As the scores of an item do
not depend on its chunk, any number of workers gives the same result. They are this process
and forks of it on Linux, Python programs that it starts elsewhere (`data/workers/`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..corpus import Corpus
from .workers.forks import can_fork, results_of_forks
from .workers.programs import can_start_programs, results_of_programs

_MIN_CHUNKS_OF_BAR = 8
_SECONDS_BEFORE_BAR = 2
# With fewer, a worker costs what it gains. A program imports for 0.4 s of processor time
# before it works, in which one core scores some 14 million characters.
_MIN_CHARACTERS_OF_FORK = 1 << 20
_MIN_CHARACTERS_OF_PROGRAM = 1 << 24

Result = TypeVar("Result")
# From a corpus, the first of its items and their end to what becomes of these.
Score = Callable[[Corpus, int, int], Result]
_Ranges = list[tuple[int, int]]
_CHARACTERS_OF_PROGRAM = 1 << 24  # of a chunk, where each of them starts one


def results_of_chunks(
    corpus: Corpus, score: Score[Result], n_workers: int = 1, *, is_program: bool = False
) -> list[Result]:
    """Return `score(corpus, first, end)` of each chunk of items, in order.

    A long corpus shows a progress bar. Where `evaluate` is loaded its settings hold.

    Parameters
    ----------
    corpus : Corpus
    score : callable
        It can be pickled, and its results too. They are those that it has for the items of
        the chunk alone.
    n_workers : int
        The most that work at a time: never more than there are cores, nor than the corpus
        is worth.
    is_program : bool
        A program is started for each chunk, so they are few, and larger than usual.
    """
    if n_workers > 1:
        n_workers = min(n_workers, _n_cores(), _n_workers_worth(corpus))
    ranges = corpus.chunks(n_workers, _CHARACTERS_OF_PROGRAM if is_program else None)
    chunks = _Chunks(corpus, score, ranges)
    with closing(_results(chunks, min(n_workers, len(ranges)))) as results:
        has_bar = len(ranges) >= _MIN_CHUNKS_OF_BAR
        result_of_chunk = dict(_with_bar(results, ranges) if has_bar else results)
    return [result_of_chunk[number] for number in range(len(ranges))]


@dataclass(frozen=True)
class _Chunks(Generic[Result]):
    """The chunks of a corpus, by their numbers."""

    corpus: Corpus
    score: Score[Result]
    ranges: _Ranges

    def result(self, number: int) -> Result:
        return self.score(self.corpus, *self.ranges[number])

    def alone(self, number: int) -> tuple[Corpus, int, int]:
        """Return the arguments of `score` for a chunk that is a corpus of its own."""
        first, end = self.ranges[number]
        return self.corpus.part(first, end), 0, end - first


def _with_bar(
    results: Iterator[tuple[int, Result]], ranges: _Ranges
) -> Iterator[tuple[int, Result]]:
    n_items = ranges[-1][1]
    with _bar_class()(total=n_items, unit=" items", delay=_SECONDS_BEFORE_BAR, leave=False) as bar:
        for number, result in results:
            yield number, result
            first, end = ranges[number]
            bar.update(end - first)


def _bar_class() -> Any:
    if "evaluate" in sys.modules:
        import evaluate

        return evaluate.logging.tqdm
    from tqdm.auto import tqdm

    return tqdm


def _results(chunks: _Chunks[Result], n_workers: int) -> Generator[tuple[int, Result], None, None]:
    """Yield the number and the result of each chunk, in any order.

    An error ends all work that has not begun.
    """
    n_chunks = len(chunks.ranges)
    if n_workers <= 1:
        return ((number, chunks.result(number)) for number in range(n_chunks))
    if can_fork():
        return results_of_forks(n_chunks, chunks.result, n_workers)
    return results_of_programs(n_chunks, chunks.score, chunks.alone, chunks.result, n_workers)


def _n_workers_worth(corpus: Corpus) -> int:
    """Return how many workers at most gain more by a corpus than their start costs."""
    if can_fork():
        return corpus.n_characters // _MIN_CHARACTERS_OF_FORK
    if can_start_programs():
        return corpus.n_characters // _MIN_CHARACTERS_OF_PROGRAM
    return 1


def n_workers_of_jobs(n_jobs: int) -> int:
    """Return the number of workers for an option `n_jobs`, this process among them.

    A negative one counts from the cores that this process may use: -1 is all of them, -2
    all but one.
    """
    return n_jobs if n_jobs > 0 else max(1, _n_cores() + 1 + n_jobs)


def _n_cores() -> int:
    """Return how many cores this process may use; a container may see more of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
