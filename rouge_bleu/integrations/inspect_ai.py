"""ROUGE and BLEU as scorers of inspect-ai, which finds them as `rouge_bleu/rouge` and `rouge_bleu/bleu`.

from rouge_bleu.integrations.inspect_ai import bleu, rouge
"""

from __future__ import annotations

from typing import Any

from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState

from .._bleu.api import bleu as bleu_of_texts
from .._rouge.api import rouge as rouge_of_texts


@metric(scores="unreduced")
def corpus_bleu() -> Metric:
    """BLEU of all samples and epochs together, which is not the mean of their BLEU scores.

    It takes texts and options from the scores of `bleu`, of which it is one of the metrics.
    """

    def compute(scores: list[SampleScore]) -> float:
        parts = [score.score for score in scores]
        data = [part.metadata or {} for part in parts]
        result = bleu_of_texts(
            [part.answer or "" for part in parts],
            [one["references"] for one in data],
            **data[0]["options"],
            output="score",
        )
        return float(result["bleu"])

    return compute


@scorer(metrics=[mean(), stderr(), corpus_bleu()])
def bleu(preset: str = "sacrebleu", **options: Any) -> Scorer:
    """Score each sample by its sentence BLEU against all its targets.

    >>> from inspect_ai import Task
    >>> from inspect_ai.dataset import Sample
    >>> sample = Sample(input="Translate: Guten Morgen.", target=["Good morning.", "Morning."])
    >>> task = Task(dataset=[sample], scorer=bleu(tokenizer="intl"))

    The metrics are the mean of the samples, its standard error, and `corpus_bleu`. Scores are
    between 0 and 1.

    Args:
        preset (str): as in `rouge_bleu.bleu`; the default is as in sacreBLEU
        **options: other options of `rouge_bleu.bleu`

    Raises:
        TypeError, ValueError: an option is invalid.
    """
    options = {"preset": preset, **options}
    bleu_of_texts([""], [""], **options)  # checks the options before a model writes anything

    async def score(state: TaskState, target: Target) -> Score:
        answer, references = state.output.completion, list(target)
        [value] = bleu_of_texts(
            [answer], [references], **options, output="score", use_aggregator=False
        )["bleu"]
        metadata = {"references": references, "options": options}
        return Score(value=value, answer=answer, metadata=metadata)

    return score


@scorer(metrics={"*": [mean(), stderr()]})
def rouge(rouge_types: tuple[str, ...] = ("rouge1", "rouge2", "rougeL"), **options: Any) -> Scorer:
    """Score each sample by ROUGE against all its targets; each type has a mean of its own.

    >>> from inspect_ai import Task
    >>> task = Task(scorer=rouge(rouge_types=["rougeLsum"], use_stemmer=True))

    Args:
        rouge_types (list of str): the types, as in `rouge_bleu.rouge`
        **options: other options of `rouge_bleu.rouge`

    Raises:
        TypeError, ValueError: an option is invalid.
    """
    options = {"rouge_types": list(rouge_types), **options, "use_aggregator": False}
    rouge_of_texts([""], [""], **options)  # checks the options before a model writes anything

    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        result = rouge_of_texts([answer], [list(target)], **options)
        return Score(value={name: values[0] for name, values in result.items()}, answer=answer)

    return score
