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
    """Print microseconds for each row, the best of some rounds."""
    predictions, references = paragraphs(N_ITEMS)
    columns = {"predictions": predictions, "references": references}
    rows = pa.table({**columns, "id": range(N_ITEMS)})
    print("| metric | compute | statistics | sums | sums of 1,000 resamples |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, options in OPTIONS.items():
        metric = evaluate.load(str(ROOT / f"{name}.py"), **options)
        best = [seconds / N_ITEMS * 1e6 for seconds in _best(metric, columns, rows)]
        print(f"| {name} | " + " | ".join(f"{value:.1f}" for value in best) + " |")


def _best(metric: Any, columns: dict[str, list[str]], rows: pa.Table) -> list[float]:
    """Return the seconds of each case, measured one beside the other."""
    batches = rows.to_batches(max_chunksize=ROWS_OF_BATCH)
    some = [metric.batch_statistics(batch, item="id") for batch in batches]
    cases: list[Callable[[], Any]] = [
        lambda: metric.compute(**columns),
        lambda: [metric.batch_statistics(batch, item="id") for batch in batches],
        lambda: metric.sum_statistics(some),
        lambda: metric.sum_statistics(some, confidence_level=0.95),
    ]
    rounds = [[_seconds(case) for case in cases] for _ in range(N_ROUNDS)]
    return [min(of_case) for of_case in zip(*rounds, strict=True)]


def _seconds(case: Callable[[], Any]) -> float:
    start = time.process_time()
    case()
    return time.process_time() - start


if __name__ == "__main__":
    print_batches()
