"""ROUGE and BLEU as reward functions of TRL, such as `GRPOTrainer(reward_funcs=...)`.

>>> from rouge_bleu.integrations.trl import bleu_reward, rouge_reward
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._bleu.api import bleu
from .._rouge.api import rouge
from ..corpus import as_list
from . import checked_keys

Reward = Callable[..., list[float]]


def rouge_reward(reference: str, rouge_type: str = "rougeL", **options: Any) -> Reward:
    """Return a reward function: ROUGE of each completion against a column of the data.

    >>> reward = rouge_reward("summary")
    >>> reward(completions=["a cat sat", ""], summary=["the cat sat", ["a dog", "the dog"]])
    [0.6666666666666666, 0.0]

    `reference` is the column with a text, messages or a list of texts. The type is also the name of
    the reward in logs. The options are those of `rouge_bleu.rouge`, checked at once.
    """
    return _reward(rouge, reference, rouge_type, dict(rouge_types=[rouge_type], **options))


def bleu_reward(reference: str, smoothing: str = "exp", **options: Any) -> Reward:
    """Return a reward function: sentence BLEU of each completion against a column of the data.

    >>> reward = bleu_reward("translation", effective_order=True)
    >>> messages = [{"role": "assistant", "content": "the cat sat on a mat"}]
    >>> reward(completions=[messages], translation=["the cat sat on the mat"])
    [0.537284965911771]

    `reference` is the column with a text, messages or a list of texts. Without smoothing short texts
    have no reward. The options are those of `rouge_bleu.bleu`, checked at once.
    """
    return _reward(bleu, reference, "bleu", {"smoothing": smoothing, **options, "output": "score"})


def _reward(score: Any, column: str, name: str, options: dict[str, Any]) -> Reward:
    [key] = checked_keys(score, options, has_one=True, of_items=True)

    def reward(completions: list[Any], **columns: Any) -> list[float]:
        if column not in columns:
            raise ValueError(f"the data must have the column {column!r}, got {sorted(columns)}")
        references = []
        for row, given in enumerate(columns[column]):
            texts = [given]
            if not isinstance(given, str):
                texts = as_list(given, f"{column}[{row}]", "a text, messages or a list of texts")
            are_messages = texts and isinstance(texts[0], dict)
            references.append([_text(given)] if are_messages else list(map(_text, texts)))
        predictions = list(map(_text, completions))
        return score(predictions, references, **options, use_aggregator=False)[key]

    reward.__name__ = name  # TRL logs rewards by it
    return reward


def _text(value: Any) -> str:
    """Return a text, or the text of the last of several messages."""
    if isinstance(value, str):
        return value
    content = value[-1]["content"] or ""  # a call of a tool has no text
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part["type"] == "text")
