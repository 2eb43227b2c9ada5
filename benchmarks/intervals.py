"""What intervals and a paired test cost above the scores themselves.

The peer is the `BootstrapAggregator` of rouge_score, given the scores of the same items.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from typing import Any

from corpora import Corpus
from rouge_rows import rouge
from rouge_score.scoring import BootstrapAggregator, Score

N_RESAMPLES = 1_000
N_ROUNDS = 3


def print_intervals(corpus: Corpus) -> None:
    """Print seconds and memory for seven types with precision, recall and F each."""
    baseline = {"baseline_predictions": corpus.predictions[::-1]}
    plain = _seconds(lambda: rouge(corpus, None, output="all"))
    items = rouge(corpus, None, output="all", use_aggregator=False)
    print(f"{len(corpus):,} items, 7 types with P, R and F, {N_RESAMPLES:,} resamples\n")
    print("| what | seconds | above scoring |\n| --- | ---: | ---: |")
    print(f"| scores | {plain:.2f} | |")
    cases: list[tuple[str, float, dict[str, Any]]] = [
        ("with intervals", 1, {"confidence_level": 0.95}),
        ("with a paired test", 2, baseline),
        ("with both", 2, {**baseline, "confidence_level": 0.95}),
    ]
    for what, n_systems, options in cases:
        seconds = _seconds(lambda given=options: rouge(corpus, None, output="all", **given))
        print(f"| {what} | {seconds:.2f} | {seconds - n_systems * plain:.2f} |")
    theirs = _seconds(lambda: _aggregated(items), n_rounds=1)
    print(f"| intervals of rouge_score's BootstrapAggregator | | {theirs:.2f} |")
    peak = _peak(lambda: rouge(corpus, None, output="all", confidence_level=0.95))
    peak -= _peak(lambda: rouge(corpus, None, output="all"))
    print(f"\nmemory of intervals above that of scoring: {peak / 1e6:.0f} MB")


def _aggregated(items: dict[str, list[float]]) -> Any:
    aggregator = BootstrapAggregator(n_samples=N_RESAMPLES)
    names = [key.removesuffix("_fmeasure") for key in items if key.endswith("_fmeasure")]
    columns = [
        list(map(Score, *(items[f"{name}_{output}"] for output in Score._fields))) for name in names
    ]
    for scores in zip(*columns, strict=True):
        aggregator.add_scores(dict(zip(names, scores, strict=True)))
    return aggregator.aggregate()


def _seconds(call: Callable[[], Any], n_rounds: int = N_ROUNDS) -> float:
    times = []
    for _ in range(n_rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return sorted(times)[n_rounds // 2]


def _peak(call: Callable[[], Any]) -> int:
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak
