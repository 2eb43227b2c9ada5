"""ROUGE and BLEU as reward functions of verl and OpenRLHF, which import them from a file.

>>> from rouge_bleu.integrations.verl import bleu_reward, rouge_reward
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..options import check_choice
from . import Scores, bleu_scores, rouge_scores


def rouge_reward(form: str = "one", rouge_type: str = "rougeL", **options: Any) -> Callable:
    """Return a reward function: ROUGE of solutions against a ground truth or a list of them.

    >>> compute_score = rouge_reward()
    >>> compute_score("articles", "a cat sat", ["a dog", "the cat sat"], extra_info={})
    0.6666666666666666

    Args:
        form (str): "one" for verl, "batch" for verl's reward manager batch, or "openrlhf"
        rouge_type (str): the type, such as rouge1
        **options: those of `rouge_bleu.rouge`, checked at once
    """
    return _reward(form, rouge_scores(rouge_type, options), rouge_type)


def bleu_reward(form: str = "one", **options: Any) -> Callable:
    """Return a reward function: sentence BLEU, with smoothing "exp" unless options set another one.

    >>> compute_scores = bleu_reward("batch", effective_order=True)
    >>> compute_scores(["wmt"], ["the cat sat on a mat"], ["the cat sat on the mat"], [None])
    [0.537284965911771]
    """
    return _reward(form, bleu_scores(options), "bleu")


def _reward(form: str, scores: Scores, name: str) -> Callable:
    def of_one(
        data_source: str, solution_str: str, ground_truth: Any, extra_info: Any = None, **more: Any
    ) -> float:
        return scores([solution_str], [ground_truth])[0]

    def of_batch(
        data_sources: Any,
        solution_strs: Sequence[str],
        ground_truths: Sequence[Any],
        extra_infos: Any = None,
        **more: Any,
    ) -> list[float]:
        return scores(solution_strs, ground_truths)

    def of_openrlhf(
        queries: Sequence[str], prompts: Sequence[str], labels: Sequence[Any], **more: Any
    ) -> dict[str, Any]:
        import torch

        pairs = zip(queries, prompts, strict=True)  # a query is the prompt and the response
        responses = [query.removeprefix(prompt) for query, prompt in pairs]
        rewards = torch.tensor(scores(responses, labels))
        return {"rewards": rewards, "scores": rewards, "extra_logs": {name: rewards}}

    forms: dict[str, Callable] = {"one": of_one, "batch": of_batch, "openrlhf": of_openrlhf}
    return forms[check_choice("form", form, tuple(forms))]
