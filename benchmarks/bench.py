"""Time rouge_full and bleu_full beside other implementations, in the same run and on the same texts.

    python benchmarks/bench.py            10,000 pairs, 5 rounds: some minutes, nearly all of them spent in the slow ones
    python benchmarks/bench.py --quick    500 pairs, 2 rounds

A row is one comparison: what is computed, ours, the peer, and how far the results of the two are apart. In every round ours and the peer run
one after the other, so that a machine that gets slower or faster does so for both; the median over rounds counts. A comparison whose results
differ says nothing about speed, so the script then ends with an error. To add a comparison, write a function that yields rows and put it into `ROWS`.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

os.environ["RAYON_NUM_THREADS"] = "1"  # rouge-score-rs would take every core, ours takes one
os.environ.setdefault("HF_HOME", tempfile.mkdtemp(prefix="bench_"))

import evaluate
import numpy as np
import rouge_score_rs.rouge_scorer
import sacrebleu
from corpora import corpus
from rouge_score import rouge_scorer, scoring

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("evaluate", "numpy", "pyarrow", "rouge-score", "rouge-score-rs", "sacrebleu")
CachedFunction = type(lru_cache(len))
ROUGE_TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
TOLERANCE = 1e-12

Texts = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Row:
    """One comparison; `ours` and `theirs` are what is timed, and `difference` takes what they returned in the last round.

    `before` runs before each of the two, outside the time.
    """

    what: str
    peer: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    difference: Callable[[Any, Any], float]
    before: Callable[[], None] = lambda: None
    wanted_ratio: float | None = None


@dataclass(frozen=True)
class Measured:
    """Medians over rounds, in seconds, and the largest difference of any score."""

    row: Row
    ours: float
    theirs: float
    difference: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


# --- comparisons -----------------------------------------------------------------------------------------------------


def rouge_rows(texts: Texts) -> Iterator[Row]:
    predictions, references = texts
    metric = evaluate.load(str(ROOT / "rouge_full.py"))
    options = {"predictions": predictions, "references": references, "rouge_types": ROUGE_TYPES}
    per_item = metric.compute(**options, output="all", use_aggregator=False)
    scorer = rouge_scorer.RougeScorer(ROUGE_TYPES)
    compiled = rouge_score_rs.rouge_scorer.RougeScorer(ROUGE_TYPES)

    def ours() -> dict[str, float]:
        return metric.compute(**options)

    def scores_of_rouge_score() -> list[dict[str, Any]]:
        return [scorer.score(reference, prediction) for prediction, reference in zip(predictions, references, strict=True)]

    def scores_of_evaluate() -> list[dict[str, Any]]:
        """What `compute` of evaluate's rouge does. Its script is on the Hub, and this needs no network; its Arrow file is left out, in its favour."""
        scores, aggregator = [], scoring.BootstrapAggregator()
        for prediction, reference in zip(predictions, references, strict=True):
            scores.append(scorer.score(reference, prediction))
            aggregator.add_scores(scores[-1])
        aggregator.aggregate()
        return scores

    def difference(means: dict[str, float], scores: list[dict[str, Any]]) -> float:
        return max(_rouge_difference(name, means, per_item, scores) for name in ROUGE_TYPES)

    what = "ROUGE-1, 2, L, Lsum"
    yield Row(what, "evaluate `rouge`", ours, scores_of_evaluate, difference, wanted_ratio=15)
    yield Row(what, "rouge_score", ours, scores_of_rouge_score, difference)
    yield Row(what, "rouge-score-rs", ours, lambda: compiled.score_batch(references, predictions), difference)


def _rouge_difference(name: str, means: dict[str, float], per_item: dict[str, list[float]], scores: list[dict[str, Any]]) -> float:
    """Return the largest difference of any precision, recall or F of any pair, or of our mean F and the mean of theirs."""
    ours = np.array([per_item[f"{name}_{output}"] for output in ("precision", "recall", "fmeasure")])
    theirs = np.array([[score[name].precision, score[name].recall, score[name].fmeasure] for score in scores]).T
    return float(max(np.abs(ours - theirs).max(), abs(means[name] - theirs[2].mean())))


def bleu_rows(texts: Texts) -> Iterator[Row]:
    """Both keep what they have tokenized: sacreBLEU texts, ours words. The first row is without that, the second with all of it."""
    predictions, references = texts
    metric = evaluate.load(str(ROOT / "bleu_full.py"))
    package = type(metric).__module__.rpartition(".")[0]

    def ours() -> dict[str, Any]:
        return metric.compute(predictions=predictions, references=references)

    def theirs() -> Any:
        return sacrebleu.corpus_bleu(predictions, [references], smooth_method="none")

    def difference(ours: dict[str, Any], theirs: Any) -> float:
        pairs = [
            (ours["bleu"], theirs.score / 100),
            *zip(ours["precisions"], [value / 100 for value in theirs.precisions], strict=True),
            (ours["brevity_penalty"], theirs.bp),
            (ours["translation_length"], theirs.sys_len),
            (ours["reference_length"], theirs.ref_len),
        ]
        return max(abs(a - b) for a, b in pairs)

    yield Row("BLEU, 13a, new texts", "sacreBLEU", ours, theirs, difference, before=lambda: _clear_caches(package, "sacrebleu"))
    yield Row("BLEU, 13a, the same texts again", "sacreBLEU", ours, theirs, difference)


def _clear_caches(*packages: str) -> None:
    """Empty the caches of all functions and methods in these packages."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(packages)]
    for module in modules:
        classes = [value for value in vars(module).values() if isinstance(value, type)]
        for owner in (module, *classes):
            for value in vars(owner).values():
                if isinstance(value, CachedFunction):
                    value.cache_clear()


ROWS: tuple[Callable[[Texts], Iterator[Row]], ...] = (rouge_rows, bleu_rows)


# --- timing and printing ---------------------------------------------------------------------------------------------


def measured(row: Row, n_rounds: int) -> Measured:
    seconds: dict[Callable[[], Any], list[float]] = {row.ours: [], row.theirs: []}
    for _ in range(n_rounds):
        results = []
        for run in seconds:
            row.before()
            gc.collect()
            start = time.perf_counter()
            results.append(run())
            seconds[run].append(time.perf_counter() - start)
    return Measured(row, median(seconds[row.ours]), median(seconds[row.theirs]), row.difference(*results))


def processor() -> str:
    """Return the name of the processor; `platform` knows it on few systems."""
    with open("/proc/cpuinfo") if Path("/proc/cpuinfo").exists() else open(os.devnull) as lines:
        names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def print_conditions(n_pairs: int, n_rounds: int, texts: Texts) -> None:
    words = [np.mean([len(text.split()) for text in side]) for side in texts]
    print(f"{date.today()}, {processor()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(", ".join(f"{name} {version(name)}" for name in PACKAGES))
    print(f"{n_pairs:,} pairs of {words[0]:.0f} and {words[1]:.0f} words, median of {n_rounds} rounds, one thread each\n")


def print_table(results: list[Measured], n_pairs: int) -> None:
    print("| what | compared with | ours, µs a pair | theirs, µs a pair | ratio | largest difference |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for result in results:
        ours, theirs = (1e6 * seconds / n_pairs for seconds in (result.ours, result.theirs))
        print(f"| {result.row.what} | {result.row.peer} | {ours:.1f} | {theirs:.1f} | {result.ratio:.1f} | {result.difference:.0e} |")
    print()
    for result in results:
        if result.row.wanted_ratio is not None:
            verdict = "reached" if result.ratio >= result.row.wanted_ratio else "MISSED"
            print(f"wanted: {result.row.wanted_ratio:g} times as fast as {result.row.peer}; measured: {result.ratio:.1f} times, {verdict}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="500 pairs and 2 rounds, to see that it runs")
    parser.add_argument("--pairs", type=int, help="number of pairs (10000)")
    parser.add_argument("--rounds", type=int, help="number of rounds (5)")
    arguments = parser.parse_args()
    n_pairs = arguments.pairs or (500 if arguments.quick else 10_000)
    n_rounds = arguments.rounds or (2 if arguments.quick else 5)

    texts = corpus(n_pairs)
    print_conditions(n_pairs, n_rounds, texts)
    results = [measured(row, n_rounds) for rows in ROWS for row in rows(texts)]
    print_table(results, n_pairs)
    wrong = [result.row for result in results if not result.difference <= TOLERANCE]
    for row in wrong:
        print(f"{row.what}: our results are not those of {row.peer}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
