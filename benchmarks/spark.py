"""Scoring in parts: its cost on one machine, and on Apache Spark beside `compute`.

    PYTHONPATH=examples python benchmarks/spark.py --rows 2000000

The first table has microseconds of processor time a row. Spark then scores rows of Parquet on two
executors of 1 GB, with 1,000 resamples; `compute` scores them without. The scores must agree.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["PYSPARK_PYTHON"] = sys.executable

import evaluate
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import score_on_spark
from corpora import paragraphs

ROOT = Path(__file__).resolve().parent.parent
N_DIFFERENT, N_FILES, N_EXECUTORS = 20_000, 40, 2
OPTIONS: dict[str, dict[str, Any]] = {
    "rouge_full": {"rouge_types": ["rouge1", "rouge2", "rougeL"]},
    "bleu_full": {"output": "score"},
}


def timed(call: Callable[[], Any], clock: Any = time.perf_counter) -> tuple[Any, float]:
    start = clock()
    result = call()
    return result, clock() - start


def print_parts(metric: Any, rows: pa.Table) -> None:
    """Print the cost of the steps, the best of three rounds."""
    batches = rows.to_batches(max_chunksize=10_000)
    some = [metric.batch_statistics(batch, item="id") for batch in batches]
    columns = rows.drop(["id"]).to_pydict()
    steps: list[Callable[[], Any]] = [
        lambda: metric.compute(**columns),
        lambda: [metric.batch_statistics(batch, item="id") for batch in batches],
        lambda: metric.sum_statistics(some),
        lambda: metric.sum_statistics(some, confidence_level=0.95),
    ]
    best = [min(timed(step, time.process_time)[1] for _ in range(3)) for step in steps]
    cells = [f"{1e6 * seconds / rows.num_rows:.1f}" for seconds in best]
    print(f"| {metric.name} | {' | '.join(cells)} |", flush=True)


def is_equal(spark: Any, metric: Any, folder: str, rows: pa.Table, n_rows: int) -> bool:
    """Score by Spark and by `compute`, and print rows a second and core."""
    columns = {"predictions": "predictions", "references": "references", "item": "id"}
    data, resampled = spark.read.parquet(folder), {"confidence_level": 0.95}
    few = spark.read.parquet(str(min(Path(folder).iterdir())))
    score_on_spark.score(few, metric, columns, resampled)  # executors start and import
    result, on_spark = timed(lambda: score_on_spark.score(data, metric, columns, resampled))
    n_times = n_rows // rows.num_rows + 1
    texts = [(rows[column].to_pylist() * n_times)[:n_rows] for column in range(2)]
    expected, alone = timed(lambda: metric.compute(predictions=texts[0], references=texts[1]))
    print(
        f"{metric.name}: Spark {on_spark:.0f} s, {n_rows / on_spark / N_EXECUTORS:,.0f} rows a second and "
        f"core; compute {alone:.0f} s, {n_rows / alone:,.0f}"
    )
    return all(abs(result[key] - score) <= 1e-12 for key, score in expected.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=2_000_000)
    n_rows = parser.parse_args().rows
    evaluate.disable_progress_bar()
    corpus = paragraphs(N_DIFFERENT)
    rows = pa.table({**corpus._asdict(), "id": range(corpus.size)})
    metrics = [evaluate.load(str(ROOT / f"{name}.py"), **OPTIONS[name]) for name in OPTIONS]
    print("| metric | compute | batch_statistics | sum_statistics | with 1,000 resamples |")
    for metric in metrics:
        print_parts(metric, rows)
    with tempfile.TemporaryDirectory() as folder:
        for number, ids in enumerate(np.array_split(np.arange(n_rows), N_FILES)):
            part = rows.take(ids % N_DIFFERENT).set_column(2, "id", pa.array(ids))
            pq.write_table(part, f"{folder}/{number:03}.parquet")
        spark = score_on_spark.session(f"local-cluster[{N_EXECUTORS},1,1024]")
        try:
            equal = [is_equal(spark, metric, folder, rows, n_rows) for metric in metrics]
        finally:
            spark.stop()
    return 0 if all(equal) else 1


if __name__ == "__main__":
    sys.exit(main())
