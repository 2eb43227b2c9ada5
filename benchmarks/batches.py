"""What scoring in batches costs beside `compute`: seconds of one core, in one run.

    python benchmarks/batches.py

It needs nothing but the metrics' own requirements.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import evaluate
import pyarrow as pa
from paragraphs import paragraphs

ROOT = Path(__file__).resolve().parent.parent
N_ITEMS, N_ROUNDS, ROWS_OF_BATCH = 20_000, 3, 10_000
OPTIONS: dict[str, dict[str, Any]] = {
    "rouge_full": {"rouge_types": ["rouge1", "rouge2", "rougeL"]},
    "bleu_full": {},
}


def print_batches() -> None:
    """Print microseconds for each row, the best of some rounds, one beside the other."""
    predictions, references = paragraphs(N_ITEMS)
    rows = pa.table(
        {"predictions": predictions, "references": references, "id": range(N_ITEMS)}
    )
    batches = rows.to_batches(max_chunksize=ROWS_OF_BATCH)
    print("| metric | compute | statistics | sums | sums of 1,000 resamples |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, options in OPTIONS.items():
        metric = evaluate.load(str(ROOT / f"{name}.py"), **options)
        some = [metric.batch_statistics(batch, item="id") for batch in batches]
        texts = {"predictions": predictions, "references": references}
        cases: list[Callable[[], Any]] = [
            lambda: metric.compute(**texts),
            lambda: [metric.batch_statistics(batch, item="id") for batch in batches],
            lambda: metric.sum_statistics(some),
            lambda: metric.sum_statistics(some, confidence_level=0.95),
        ]
        rounds = [[_seconds(case) for case in cases] for _ in range(N_ROUNDS)]
        best = [min(of_case) / N_ITEMS * 1e6 for of_case in zip(*rounds, strict=True)]
        print(f"| {name} | " + " | ".join(f"{value:.1f}" for value in best) + " |")


def _seconds(case: Callable[[], Any]) -> float:
    start = time.process_time()
    case()
    return time.process_time() - start


if __name__ == "__main__":
    print_batches()
