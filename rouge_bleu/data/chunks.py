"""Work in chunks of items, by one worker or several.

Arrays of a chunk stay in the cache, and memory stays flat. As the scores of an item do
not depend on its chunk, any number of workers gives the same result. They are forks of
this process (`data/workers.py`) on Linux. Elsewhere they are threads, which gain little: they
wait for the interpreter's lock between the short calls of numpy that a chunk is made of.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any, TypeVar

from .corpus import Corpus
from .workers import can_fork, results_of_forks

_MIN_CHUNKS_OF_BAR = 8
_SECONDS_BEFORE_BAR = 2
_MIN_CHARACTERS_OF_WORKER = 1 << 20  # with fewer, a fork costs what it gains

Result = TypeVar("Result")
_Ranges = list[tuple[int, int]]


def results_of_chunks(
    corpus: Corpus, score: Callable[[int, int], Result], n_workers: int = 1
) -> list[Result]:
    """Return `score(first, end)` of each chunk of items, in order.

    A long corpus shows a progress bar. Where `evaluate` is loaded its settings hold.
    """
    if n_workers > 1:
        n_workers = min(n_workers, corpus.n_characters // _MIN_CHARACTERS_OF_WORKER)
    ranges = corpus.chunks(n_workers)
    with closing(_results(ranges, score, min(n_workers, len(ranges)))) as results:
        has_bar = len(ranges) >= _MIN_CHUNKS_OF_BAR
        result_of_chunk = dict(_with_bar(results, ranges) if has_bar else results)
    return [result_of_chunk[number] for number in range(len(ranges))]


def _with_bar(
    results: Iterator[tuple[int, Result]], ranges: _Ranges
) -> Iterator[tuple[int, Result]]:
    n_items = ranges[-1][1]
    with _bar_class()(
        total=n_items, unit=" items", delay=_SECONDS_BEFORE_BAR, leave=False
    ) as bar:
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


def _results(
    ranges: _Ranges, score: Callable[[int, int], Result], n_workers: int
) -> Generator[tuple[int, Result], None, None]:
    """Yield the number and the result of each range, in any order.

    An error ends all work that has not begun.
    """

    def score_of_chunk(number: int) -> Result:
        return score(*ranges[number])

    if n_workers <= 1:
        return ((number, score_of_chunk(number)) for number in range(len(ranges)))
    way = results_of_forks if can_fork() else _results_of_threads
    return way(len(ranges), score_of_chunk, n_workers)


def _results_of_threads(
    n_tasks: int, task: Callable[[int], Result], n_workers: int
) -> Generator[tuple[int, Result], None, None]:
    pool = ThreadPoolExecutor(n_workers)
    try:
        yield from enumerate(pool.map(task, range(n_tasks)))
    finally:
        pool.shutdown(cancel_futures=True)


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
