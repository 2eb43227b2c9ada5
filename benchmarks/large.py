"""`rouge-bleu score` on a large file.

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
    command = [sys.executable, "-m", "rouge_bleu", "score", str(given.file.resolve()), "--json"]
    command += ["--n-jobs", str(given.n_jobs), "--rouge-types", "rouge1", "rouge2", "rougeL"]
    subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(
        f"| `rouge-bleu score {given.file.name} --n-jobs {given.n_jobs}` | {given.rows:,} "
        f"| {used.ru_maxrss / 1024:.0f} MB | {seconds:.0f} s | {1e6 * seconds / given.rows:.0f} µs |"
    )


if __name__ == "__main__":
    main()
