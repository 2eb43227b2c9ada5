"""Memory and processor time of `rouge-bleu score` on a large file.

    python benchmarks/large_file.py rows.parquet --rows 5000000
    python benchmarks/large_file.py rows.csv --n-jobs 2

The file is made where there is none, in the format of its extension: rows of 20 to 54
words on each side, made from 20,000 paragraphs (`paragraphs.py`). Processor time is that
of all processes together, memory the most that one of them had.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from paragraphs import paragraphs

ROOT = Path(__file__).resolve().parent.parent
N_PARAGRAPHS, N_WORDS = 20_000, (20, 54)
ROWS_OF_GROUP = 100_000  # of Parquet
NAMES = ("prediction", "references")

Rows = Iterable[tuple[str, ...]]


def rows(n_rows: int) -> Iterator[tuple[str, ...]]:
    """Yield predictions and references; no two of the first 5,000,000 are equal."""
    sides = [[text.split() for text in side] for side in paragraphs(N_PARAGRAPHS)]
    least, most = N_WORDS
    long = [pair for pair in zip(*sides, strict=True) if min(map(len, pair)) >= least]
    draw = random.Random(0)
    for number in range(n_rows):
        n_words = draw.randint(least, most) - 1
        words = [" ".join(text[:n_words]) for text in long[number % len(long)]]
        yield tuple(f"{text} {number}" for text in words)


def _write_csv(path: Path, some: Rows) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(NAMES)
        writer.writerows(some)


def _write_json_lines(path: Path, some: Rows) -> None:
    with path.open("w", encoding="utf-8") as file:
        for row in some:
            file.write(json.dumps(dict(zip(NAMES, row, strict=True))) + "\n")


def _write_parquet(path: Path, some: Rows) -> None:
    schema = pa.schema([(name, pa.string()) for name in NAMES])
    group: list[tuple[str, ...]] = []
    with pq.ParquetWriter(path, schema) as writer:
        for row in some:
            group.append(row)
            if len(group) == ROWS_OF_GROUP:
                writer.write_table(_table(group, schema))
                group = []
        writer.write_table(_table(group, schema))


def _table(group: list[tuple[str, ...]], schema: pa.Schema) -> pa.Table:
    columns = [[row[side] for row in group] for side in range(len(NAMES))]
    return pa.table(columns, schema=schema)


WRITERS: dict[str, Callable[[Path, Rows], None]] = {
    ".csv": _write_csv,
    ".jsonl": _write_json_lines,
    ".parquet": _write_parquet,
}


def print_cost(path: Path, n_rows: int, n_jobs: int) -> None:
    """Print what it takes to score a file, as a row of docs/large-files.md."""
    types = ["--rouge-types", "rouge1", "rouge2", "rougeL"]
    command = [sys.executable, "-m", "rouge_bleu", "score", path.resolve(), *types]
    command += ["--n-jobs", str(n_jobs), "--json"]
    subprocess.run(list(map(str, command)), check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(
        f"| `rouge-bleu score {path.name} --n-jobs {n_jobs}` "
        f"({path.stat().st_size / 1e9:.1f} GB) | {n_rows:,} | {used.ru_maxrss / 1024:.0f} "
        f"MB | {seconds:.0f} s | {seconds / n_rows * 1e6:.0f} µs |"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="a large file")
    parser.add_argument("file", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--n-jobs", type=int, default=1)
    given = parser.parse_args()
    if not given.file.exists():
        WRITERS[given.file.suffix](given.file, rows(given.rows))
    print_cost(given.file, given.rows, given.n_jobs)
