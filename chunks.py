"""Work in chunks of items: arrays stay in the cache, memory stays flat, a bar shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import evaluate

from .corpus import Corpus

_MIN_CHUNKS_OF_BAR = 8
_SECONDS_BEFORE_BAR = 2

Result = TypeVar("Result")


def results_of_chunks(
    corpus: Corpus, score: Callable[[int, int], Result]
) -> list[Result]:
    """Return `score(first, end)` of each chunk of items, in order.

    A long corpus shows a progress bar, if `evaluate` is set to show them.
    """
    ranges = corpus.chunks()
    if len(ranges) < _MIN_CHUNKS_OF_BAR:
        return [score(first, end) for first, end in ranges]
    results = []
    with evaluate.logging.tqdm(
        total=len(corpus), unit=" items", delay=_SECONDS_BEFORE_BAR, leave=False
    ) as bar:
        for first, end in ranges:
            results.append(score(first, end))
            bar.update(end - first)
    return results
