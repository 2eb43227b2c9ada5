"""ROUGE and BLEU as scorers of inspect-ai, which finds them as `rouge_bleu/rouge` and `rouge_bleu/bleu`.

>>> from rouge_bleu.integrations.inspect_ai import bleu, rouge
"""

from __future__ import annotations

from typing import Any

import inspect_ai.scorer as scoring
from inspect_ai.solver import TaskState
from inspect_ai.util import registry_info

from .._bleu.api import bleu as bleu_of_texts
from .._rouge.api import rouge as rouge_of_texts
from . import checked_keys


@scoring.metric(scores="unreduced")
def corpus_bleu() -> scoring.Metric:
    """BLEU of all samples and epochs together, which is not the mean of their BLEU scores.

    It is one of the metrics of `bleu`, whose scores hold texts and options.
    """

    def compute(scores: list[scoring.SampleScore]) -> float:
        found: list[Any] = [one.score for one in scores]
        references = [one.metadata["references"] for one in found]
        answers, options = [one.answer for one in found], found[0].metadata["options"]
        return next(iter(bleu_of_texts(answers, references, **options).values()))

    return compute


# inspect-ai adds the package to names of modules in site-packages, but not of an editable install.
_PREFIX = "" if "/" in registry_info(corpus_bleu).name else "rouge_bleu/"


@scoring.scorer([scoring.mean(), scoring.stderr(), corpus_bleu()], name=f"{_PREFIX}bleu")
def bleu(preset: str = "sacrebleu", **options: Any) -> scoring.Scorer:
    """Score each sample by its sentence BLEU against all its targets.

    >>> scorer = bleu(tokenizer="intl")

    The metrics are the mean of the samples, its standard error, and `corpus_bleu`. Scores are
    between 0 and 1. The options are those of `rouge_bleu.bleu`, checked at once.
    """
    options = {"preset": preset, **options, "output": "score"}
    for of_examples in (False, True):
        [key] = checked_keys(bleu_of_texts, options, has_one=True, of_examples=of_examples)
    if callable(options.get("tokenizer")):
        raise ValueError("tokenizer must be a name: functions are not stored in logs")

    async def score(state: TaskState, target: scoring.Target) -> scoring.Score:
        answer, references = state.output.completion, list(target)
        result = bleu_of_texts([answer], [references], **options, use_aggregator=False)
        metadata = {"references": references, "options": options}
        return scoring.Score(value=result[key][0], answer=answer, metadata=metadata)

    return score


@scoring.scorer({"*": [scoring.mean(), scoring.stderr()]}, name=f"{_PREFIX}rouge")
def rouge(
    rouge_types: str | tuple[str, ...] = ("rouge1", "rouge2", "rougeL"), **options: Any
) -> scoring.Scorer:
    """Score each sample by ROUGE against all its targets; each type has its own mean.

    >>> scorer = rouge(rouge_types=["rougeLsum"], use_stemmer=True)

    The options are those of `rouge_bleu.rouge`, checked at once. One type may be a string.
    """
    types = [rouge_types] if isinstance(rouge_types, str) else list(rouge_types)
    options = {"rouge_types": types, **options}
    checked_keys(rouge_of_texts, options, of_examples=True)

    async def score(state: TaskState, target: scoring.Target) -> scoring.Score:
        answer = state.output.completion
        result = rouge_of_texts([answer], [list(target)], **options, use_aggregator=False)
        scores = {name: values[0] for name, values in result.items()}
        return scoring.Score(value=scores, answer=answer)

    return score
