"""A million pairs in one call, and `rouge-bleu score` on a large file.

    python benchmarks/large.py rows.csv --rows 1000000 --n-jobs 2

A .csv file is made if there is none. Processor time is that of all processes together, memory the
maximum of one of them.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import resource
import subprocess
import sys
from pathlib import Path

from corpora import paragraphs

ROOT = Path(__file__).resolve().parent.parent

_MILLION = """
import resource, sys, time
sys.path[:0] = [{root!r}, {benchmarks!r}]
import rouge_bleu
from corpora import Corpus, paragraphs

def seconds(corpus):
    start = time.perf_counter()
    rouge_bleu.rouge(*corpus)
    return time.perf_counter() - start

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

few = paragraphs(10_000)
small = min(seconds(few) for _ in range(3)) / 10_000
many = Corpus(*([text + " " for _ in range(100) for text in side] for side in few))
before = peak()
print(1e6 * small, 1e6 * seconds(many) / 1_000_000, peak() - before)
"""


def print_million() -> None:
    """Print time and memory of a million pairs, in a separate process."""
    code = _MILLION.format(root=str(ROOT), benchmarks=str(Path(__file__).parent))
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE, text=True
    )
    few, many, memory = map(float, done.stdout.split())
    print(
        f"\na million pairs, seven types: {many:.1f} µs a pair, 10,000 pairs {few:.1f};"
        f" {memory:.0f} MB above the texts"
    )


def write_csv(path: Path, n_rows: int) -> None:
    """Write made-up rows, each with its number at the end, so that no two are equal."""
    pairs = itertools.cycle(zip(*paragraphs(20_000), strict=True))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["prediction", "references"])
        for number, texts in zip(range(n_rows), pairs, strict=False):
            writer.writerow([f"{text} {number}" for text in texts])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--n-jobs", type=int, default=1)
    given = parser.parse_args()
    if not given.file.exists():
        write_csv(given.file, given.rows)
    command = [sys.executable, "-m", "rouge_bleu", "score", str(given.file.resolve())]
    command += [
        "--rouge-types",
        "rouge1",
        "rouge2",
        "rougeL",
        "--n-jobs",
        str(given.n_jobs),
        "--json",
    ]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(
        f"| `rouge-bleu score {given.file.name} --n-jobs {given.n_jobs}` | {given.rows:,} "
        f"| {used.ru_maxrss / 1024:.0f} MB | {seconds:.0f} s | {1e6 * seconds / given.rows:.0f} µs |"
    )


if __name__ == "__main__":
    main()
