"""Work in chunks of items, by one thread or several.

Arrays of a chunk stay in the cache, and memory stays flat. numpy and pyarrow release the
interpreter's lock while they work, so that threads score chunks side by side; as the
scores of an item do not depend on its chunk, any number of threads gives the same result.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import evaluate

from .corpus import Corpus

_MIN_CHUNKS_OF_BAR = 8
_SECONDS_BEFORE_BAR = 2
_CHUNKS_OF_THREAD = 4  # so that no thread waits long for the last one

Result = TypeVar("Result")


def results_of_chunks(
    corpus: Corpus, score: Callable[[int, int], Result], n_threads: int = 1
) -> list[Result]:
    """Return `score(first, end)` of each chunk of items, in order.

    A long corpus shows a progress bar, if `evaluate` is set to show them.
    """
    n_parts = 1 if n_threads == 1 else _CHUNKS_OF_THREAD * n_threads
    ranges = corpus.chunks(n_parts)
    results = _results(ranges, score, min(n_threads, len(ranges)))
    if len(ranges) < _MIN_CHUNKS_OF_BAR:
        return list(results)
    kept = []
    with evaluate.logging.tqdm(
        total=len(corpus), unit=" items", delay=_SECONDS_BEFORE_BAR, leave=False
    ) as bar:
        for (first, end), result in zip(ranges, results, strict=True):
            kept.append(result)
            bar.update(end - first)
    return kept


def _results(
    ranges: list[tuple[int, int]], score: Callable[[int, int], Result], n_threads: int
) -> Iterator[Result]:
    """Yield the result of each range; an error ends all work that has not begun."""
    if n_threads <= 1:
        for first, end in ranges:
            yield score(first, end)
        return
    pool = ThreadPoolExecutor(n_threads)
    try:
        yield from pool.map(score, *zip(*ranges, strict=True))
    finally:
        pool.shutdown(cancel_futures=True)


def n_threads_of_jobs(n_jobs: int) -> int:
    """Return the number of threads for an option `n_jobs`.

    A negative one counts from the cores that this process may use: -1 is all of them, -2
    all but one.
    """
    return n_jobs if n_jobs > 0 else max(1, _n_cores() + 1 + n_jobs)


def _n_cores() -> int:
    """Return how many cores this process may use; a container may see more of them."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
