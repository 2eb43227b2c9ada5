"""Comparisons of bleu_full: what is timed beside whom, and what results must agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bleuscore
import datasets
import evaluate
import sacrebleu
from comparison import Row, Skipped, clear_caches, knows_option, metric
from corpora import Corpus
from nltk.translate.bleu_score import corpus_bleu

import rouge_bleu


def bleu(corpus: Corpus, **options: Any) -> dict[str, Any]:
    return metric("bleu_full").compute(
        predictions=corpus.predictions, references=corpus.references, **options
    )


def bleu_by_function(corpus: Corpus) -> dict[str, Any]:
    return rouge_bleu.bleu(corpus.predictions, corpus.references)


def sacrebleu_of(corpus: Corpus) -> Any:
    return sacrebleu.corpus_bleu(
        corpus.predictions, corpus.transposed_references, smooth_method="none"
    )


def sacrebleu_difference(corpus: Corpus) -> float:
    ours, theirs = bleu(corpus), sacrebleu_of(corpus)
    return max(
        abs(ours["bleu"] - theirs.score / 100),
        *(abs(a - b / 100) for a, b in zip(ours["precisions"], theirs.precisions, strict=True)),
        abs(ours["brevity_penalty"] - theirs.bp),
        abs(ours["translation_length"] - theirs.sys_len),
        abs(ours["reference_length"] - theirs.ref_len),
    )


def forget() -> None:
    """Make sacreBLEU forget the texts that it has tokenized: it would look them up."""
    clear_caches("sacrebleu")


def sacrebleu_row(
    what: str,
    corpus: Corpus,
    wanted: float | None = 10,
    ours: Callable[[Corpus], dict[str, Any]] = bleu,
) -> Row:
    return Row(
        what=what,
        peer="sacreBLEU",
        ours=lambda: ours(corpus),
        n_ours=len(corpus),
        theirs=lambda: sacrebleu_of(corpus),
        n_theirs=len(corpus),
        difference=lambda: sacrebleu_difference(corpus),
        wanted=wanted,
        before_theirs=forget,
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
        what=what,
        peer="evaluate `sacrebleu`",
        ours=lambda: bleu(corpus),
        n_ours=1,
        theirs=theirs,
        n_theirs=1,
        difference=lambda: sacrebleu_difference(corpus),
        wanted=1,
    )


class _Sacrebleu(evaluate.Metric):
    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        features = datasets.Features({"predictions": text, "references": datasets.Sequence(text)})
        return evaluate.MetricInfo(description="", citation="", features=features)

    def _compute(self, predictions: list[str], references: list[list[str]]) -> dict[str, Any]:
        return {
            "score": sacrebleu.corpus_bleu(
                predictions,
                [list(rank) for rank in zip(*references, strict=True)],
                smooth_method="none",
            ).score
        }


def bleuscore_row(what: str, corpus: Corpus, wanted: float = 1) -> Row:
    references = [[item] if isinstance(item, str) else item for item in corpus.references]

    def theirs() -> dict[str, Any]:
        return bleuscore.compute(references, corpus.predictions)

    return Row(
        what=what,
        peer="bleuscore (Rust), warm",
        ours=lambda: bleu(corpus),
        n_ours=len(corpus),
        theirs=theirs,
        n_theirs=len(corpus),
        difference=lambda: abs(bleu(corpus)["bleu"] - theirs()["bleu"]),
        wanted=wanted,
    )


def nltk_row(what: str, corpus: Corpus) -> Row:
    predictions, references = (
        [text.split() for text in side] for side in (corpus.predictions, corpus.references)
    )
    tokens = Corpus(predictions, references)

    def theirs() -> float:
        return corpus_bleu([[reference] for reference in references], predictions)

    def difference() -> float:
        """NLTK divides by at least one n-gram for each text, which the preset does too;
        what is timed of ours is the default.
        """
        return abs(bleu(tokens, preset="nltk")["bleu"] - theirs())

    return Row(
        what=what,
        peer="NLTK",
        ours=lambda: bleu(tokens),
        n_ours=len(corpus),
        theirs=theirs,
        n_theirs=len(corpus),
        difference=difference,
        wanted=6,
    )


def two_jobs_row(what: str, corpus: Corpus) -> Row | Skipped:
    """`n_jobs=2` beside 1: the results have to be the same bit for bit."""
    peer = "ours: n_jobs=1"
    if not knows_option("bleu_full", "n_jobs", 2):
        return Skipped(what, peer, "bleu_full has no n_jobs")

    def difference() -> float:
        """Return whether anything differs, 0 or 1."""
        return float(bleu(corpus, n_jobs=2) != bleu(corpus, n_jobs=1))

    return Row(
        what=what,
        peer=peer,
        ours=lambda: bleu(corpus, n_jobs=2),
        n_ours=len(corpus),
        theirs=lambda: bleu(corpus, n_jobs=1),
        n_theirs=len(corpus),
        difference=difference,
        wanted=1.6,
        tolerance=0.0,
    )
