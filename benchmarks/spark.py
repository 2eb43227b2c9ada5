"""Apache Spark on a corpus that is large for it, beside `compute` on one machine.

    make bench-spark                              2,000,000 rows, two executors of 1 GB
    make bench-spark ARGS="--rows 100000"

The rows are paragraphs (`paragraphs.py`), 20,000 different ones again and again, in 40
files of Parquet. Spark scores them with 1,000 resamples, `compute` without. Prints the
seconds in which Spark gets ready, as a first job of one file has them; then, of all rows,
rows per second and core of both, microseconds that a row takes on its way, what the
largest worker of Python took, and whether the scores are equal.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
import evaluate
import pyarrow as pa
import pyarrow.parquet as pq
import score_on_spark
from paragraphs import paragraphs

ROOT = Path(__file__).resolve().parent.parent
N_EXECUTORS, N_DIFFERENT, N_FILES = 2, 20_000, 40
COLUMNS = {"predictions": "prediction", "references": "reference", "item": "id"}
OPTIONS: dict[str, dict[str, Any]] = {
    "rouge_full": {"rouge_types": ["rouge1", "rouge2", "rougeL"]},
    "bleu_full": {"output": "score"},
}


def print_spark(n_rows: int, names: list[str]) -> bool:
    """Print a row for each metric, and return whether all scores are equal."""
    predictions, references = paragraphs(N_DIFFERENT)
    n_times = -(-n_rows // N_DIFFERENT)
    predictions = (predictions * n_times)[:n_rows]
    references = (references * n_times)[:n_rows]
    os.environ["PYSPARK_PYTHON"] = sys.executable
    evaluate.utils.disable_progress_bar()
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder), predictions, references)
        spark = score_on_spark.session(f"local-cluster[{N_EXECUTORS},1,1024]")
        try:
            data = spark.read.parquet(folder)
            _print_start(spark.read.parquet(str(min(Path(folder).iterdir()))), names)
            _print_way(data, n_rows)
            equal = [_is_equal(name, data, predictions, references) for name in names]
            return all(equal)
        finally:
            spark.stop()


def _write(folder: Path, predictions: list[str], references: list[str]) -> None:
    n_rows = len(predictions)
    step = -(-n_rows // N_FILES)
    for first in range(0, n_rows, step):
        end = min(first + step, n_rows)
        rows = {
            "id": range(first, end),
            "prediction": predictions[first:end],
            "reference": references[first:end],
        }
        pq.write_table(pa.table(rows), folder / f"{first:09}.parquet")


def _print_start(few_rows: Any, names: list[str]) -> None:
    """Score few rows: executors and workers start, and Java compiles what it runs."""
    for name in names:
        _, seconds = _timed(partial(_scored_on_spark, few_rows, _metric(name)))
        print(f"{name}: the first job, of {few_rows.count():,} rows, {seconds:.1f} s")


def _print_way(data: Any, n_rows: int) -> None:
    """Print what a row costs without any score."""
    from pyspark.sql import functions

    def n_of_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"n": [sum(batch.num_rows for batch in batches)]})

    counted = data.mapInArrow(n_of_batches, "n long").agg(functions.sum("n"))
    for what, function in {
        "nulls and ids are looked at": lambda: score_on_spark.check_rows(data, COLUMNS),
        "rows go to Python": counted.head,
    }.items():
        _, seconds = _timed(function)
        micros = 1e6 * seconds * N_EXECUTORS / n_rows
        print(f"{what}: {micros:.1f} us a row and core")


def _metric(name: str) -> Any:
    return evaluate.load(str(ROOT / f"{name}.py"), **OPTIONS[name])


def _scored_on_spark(data: Any, metric: Any) -> dict[str, Any]:
    resampled = {"confidence_level": 0.95}
    return score_on_spark.score(data, metric, COLUMNS, resampled)


def _is_equal(name: str, data: Any, predictions: list[str], references: list[str]) -> bool:
    metric = _metric(name)
    with _largest_worker() as megabytes:
        folded, on_spark = _timed(lambda: _scored_on_spark(data, metric))
    computed, alone = _timed(lambda: metric.compute(predictions=predictions, references=references))
    n_rows = len(predictions)
    is_equal = all(
        abs(folded[key] - score) <= 1e-12 * abs(score) for key, score in computed.items()
    )
    print(
        f"{name}: Spark {on_spark:.0f} s, {n_rows / on_spark / N_EXECUTORS:,.0f} rows a "
        f"second and core, with intervals, workers of at most {max(megabytes)} MB; "
        f"compute {alone:.0f} s, {n_rows / alone:,.0f} rows a second and core, without; "
        f"scores {'equal' if is_equal else f'differ: {folded}, {computed}'}"
    )
    return is_equal


def _timed(function: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    found = function()
    return found, time.perf_counter() - start


@contextmanager
def _largest_worker() -> Iterator[list[int]]:
    """Yield a list to which the sizes of Spark's workers are added, in MB."""
    sizes = [0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.5):
            sizes.append(max(map(_worker_size, Path("/proc").glob("[0-9]*"))))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield sizes
    finally:
        done.set()
        watcher.join()


def _worker_size(process: Path) -> int:
    """Return the greatest resident size of a worker in MB, 0 of other processes."""
    try:
        if b"pyspark" not in (process / "cmdline").read_bytes():
            return 0
        if b"java" in (process / "cmdline").read_bytes().split(b"\0")[0]:
            return 0
        lines = (process / "status").read_text(encoding="utf-8").splitlines()
    except OSError:  # it has ended
        return 0
    fields = dict(line.split(":", 1) for line in lines)
    return int(fields.get("VmHWM", "0 kB").split()[0]) // 1024


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Spark beside compute")
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--metric", nargs="+", choices=OPTIONS, default=list(OPTIONS))
    namespace = parser.parse_args()
    sys.exit(0 if print_spark(namespace.rows, namespace.metric) else 1)
