"""Time rouge_full and bleu_full beside other implementations, in the same run and on
the same texts.

    python benchmarks/bench.py                  all rows: some ten minutes
    python benchmarks/bench.py --quick          the headline rows in two minutes
    python benchmarks/bench.py --file FILE      texts of your own: JSON lines
    python benchmarks/bench.py --cliffs         inputs that might take very long
    python benchmarks/bench.py --intervals      what intervals and paired tests cost
    python benchmarks/bench.py --shape          what the texts look like, in figures

A row is one comparison: what is computed, ours, the peer, and how far the results of
the two are apart. In every round ours and the peer run one after the other, so that a
machine that gets slower or faster does so for both; the best of all rounds counts. A
slow peer gets the first pairs only, and its time is per pair. A comparison whose
results differ says nothing about speed, so the script then ends with an error.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterable, Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path

# Read by the libraries when they are imported. Compiled peers would take every core.
os.environ["RAYON_NUM_THREADS"] = "2" if "--two-threads" in sys.argv else "1"
os.environ["OMP_NUM_THREADS"] = os.environ["RAYON_NUM_THREADS"]
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["RAYON_NUM_THREADS"]

import pyarrow
from cliffs import print_cliffs
from comparison import Measured, Row, Skipped
from corpora import Corpora, Corpus
from growth import print_growth, print_loading
from intervals import print_intervals
from rows import QUICK_ROWS, ROWS, TWO_THREADS_ROWS, rows_of_file
from shape import shape

pyarrow.set_cpu_count(1)  # n_jobs=2 is two processes of ours, one thread each

PACKAGES = (
    "evaluate",
    "numpy",
    "pyarrow",
    "rouge-score",
    "rouge-score-rs",
    "rouge-metric",
    "sacrebleu",
    "bleuscore",
    "nltk",
)


def main() -> int:
    arguments = parsed_arguments()
    n_rounds = 3 if arguments.quick else arguments.rounds
    if arguments.cliffs:
        print_conditions()
        print_cliffs()
        return 0
    corpus = corpus_of_file(arguments) if arguments.file else None
    texts = Corpora(10_000)
    if arguments.intervals:
        print_conditions()
        print_intervals(corpus or texts.paragraphs)
        return 0
    if arguments.shape:
        print_shape(corpus or texts.paragraphs)
        if corpus is None:
            print_shape(texts.paragraphs_with_references)
        return 0
    if not arguments.two_threads:
        print_conditions()
        print(f"best of {n_rounds} rounds, one thread each but for n_jobs=2\n")
        print_head()
    if corpus:
        results = print_rows(rows_of_file(corpus), n_rounds)
    else:
        makers = QUICK_ROWS if arguments.quick else ROWS
        makers = TWO_THREADS_ROWS if arguments.two_threads else makers
        rows = chosen_rows((make(texts) for make in makers), arguments.rows)
        results = print_rows(rows, n_rounds)
    status = 1 if any(not result.is_same for result in results) else 0
    if not (arguments.quick or arguments.file or arguments.two_threads):
        status |= two_threads(n_rounds, arguments.rows)
        if not arguments.rows:
            print_growth()
            print_loading()
    return status


def parsed_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the headline rows in 3 rounds")
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds (5)")
    parser.add_argument(
        "--rows", default="", help="only rows with this in their name, as '16 pairs'"
    )
    parser.add_argument(
        "--file", type=Path, help="JSON lines with texts of your own instead of made-up ones"
    )
    parser.add_argument("--prediction-column", default="prediction")
    parser.add_argument("--reference-column", default="references")
    parser.add_argument("--cliffs", action="store_true", help="inputs that might take very long")
    parser.add_argument(
        "--intervals", action="store_true", help="what intervals and paired tests cost above scores"
    )
    parser.add_argument(
        "--shape", action="store_true", help="figures of the texts, nothing is timed"
    )
    parser.add_argument("--two-threads", action="store_true", help="only the rows of n_jobs=2")
    return parser.parse_args()


def two_threads(n_rounds: int, part_of_name: str) -> int:
    """Print the rows of two threads, measured in a process of their own."""
    script = [sys.executable, __file__, "--two-threads", "--rounds", str(n_rounds)]
    return subprocess.run([*script, "--rows", part_of_name], check=False).returncode


def corpus_of_file(arguments: argparse.Namespace) -> Corpus:
    with arguments.file.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines if line.strip()]
    references = [record[arguments.reference_column] for record in records]
    if not all(isinstance(item, str) for item in references):
        references = [[item] if isinstance(item, str) else item for item in references]
    predictions = [record[arguments.prediction_column] for record in records]
    return Corpus(predictions, references)


def print_shape(corpus: Corpus) -> None:
    for name, figure in shape(corpus.predictions, corpus.references).items():
        print(f"{name:26} {figure:10.4g}")
    print()


def print_conditions() -> None:
    print(
        f"{date.today()}, {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES))


def print_head() -> None:
    print(
        "| what | compared with | ours, µs a pair | theirs, µs a pair | theirs / ours "
        "| processor time | wanted | largest difference |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)


def chosen_rows(rows: Iterable[Row | Skipped], part_of_name: str) -> Iterator[Row | Skipped]:
    """Yield the rows that have this in their name; "the same" is named as the one above."""
    name = ""
    for row in rows:
        if not row.what.startswith("the same"):
            name = row.what
        if part_of_name in f"{name}: {row.what}":
            yield row


def print_rows(rows: Iterable[Row | Skipped], n_rounds: int) -> list[Measured]:
    """Measure and print row by row; return the results of those that were measured."""
    results = []
    for row in rows:
        if isinstance(row, Skipped):
            print(f"| {row.what} | {row.peer} | | | | | skipped: {row.reason} | |")
            continue
        result = row.measured(n_rounds)
        print_row(result)
        results.append(result)
        if not result.is_same:
            print(f"{row.what}: our results are not those of {row.peer}", file=sys.stderr)
    return results


def print_row(result: Measured) -> None:
    row = result.row
    ours, theirs = (f"{1e6 * seconds.elapsed:,.1f}" for seconds in (result.ours, result.theirs))
    print(
        f"| {row.what} | {row.peer} | {ours} | {theirs} | {result.ratio:.2f} "
        f"| {result.processor_ratio:.2f} | {result.verdict} | {result.difference:.0e} |",
        flush=True,
    )


def processor() -> str:
    """Return the name of the processor; `platform` knows it on few systems."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
