"""ROUGE and BLEU as reward functions of TRL, such as `GRPOTrainer(reward_funcs=...)`.

>>> from rouge_bleu.integrations.trl import bleu_reward, rouge_reward
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..corpus import as_list
from ..messages import shown
from ..signature import json_value
from . import Scores, bleu_scores, rouge_scores

Reward = Callable[..., list[float | None]]

_TEXT_TYPES = (None, "text", "output_text")  # of a part of a message


def rouge_reward(reference: str, rouge_type: str = "rougeL", **options: Any) -> Reward:
    """Return a reward function: ROUGE of each completion against a column of the data.

    >>> reward = rouge_reward("summary")
    >>> reward(completions=["a cat sat", ""], summary=["the cat sat", ["a dog", "the dog"]])
    [0.6666666666666666, 0.0]

    `reference` is the column with a text, messages or a list of texts. The reward of a row with None
    is None. In logs, its name is "rougeL_summary", with the options that you set. The options are
    those of `rouge_bleu.rouge`, checked at once.
    """
    return _reward(rouge_scores(rouge_type, options), rouge_type, reference, options)


def bleu_reward(reference: str, **options: Any) -> Reward:
    """Return a reward function: sentence BLEU of each completion against a column of the data.

    >>> reward = bleu_reward("translation", effective_order=True)
    >>> messages = [{"role": "assistant", "content": "the cat sat on a mat"}]
    >>> reward(completions=[messages], translation=["the cat sat on the mat"])
    [0.537284965911771]

    `reference` is as in `rouge_reward`. The smoothing is "exp" unless you set another one, as short
    texts have no reward without it. The options are those of `rouge_bleu.bleu`, checked at once.
    """
    return _reward(bleu_scores(options), "bleu", reference, options)


def _reward(scores: Scores, name: str, column: str, options: dict[str, Any]) -> Reward:
    def reward(completions: list[Any], **columns: Any) -> list[float | None]:
        if column not in columns:
            raise ValueError(f"the data must have the column {column!r}, got {sorted(columns)}")
        predictions = [_text(one, f"completions[{row}]") for row, one in enumerate(completions)]
        given = as_list(columns[column], column, "a column of the data")
        # A text for None keeps the rows of errors; its score is left out.
        references = [
            ["None"] if of_row is None else _references(of_row, f"{column}[{row}]")
            for row, of_row in enumerate(given)
        ]
        rewards = scores(predictions, references)
        return [None if of_row is None else one for of_row, one in zip(given, rewards, strict=True)]

    # TRL logs rewards by their name, and mixes those of the same name.
    of_options = [f"{option}={json_value(value)}" for option, value in options.items()]
    reward.__name__ = "_".join([name, column, *of_options])
    return reward


def _references(value: Any, place: str) -> list[str]:
    """Return the texts of a text, messages, or a list of either."""
    if isinstance(value, str) or _are_messages(value):
        values, places = [value], [place]
    else:
        values = as_list(value, place, "a text, messages or a list of texts")
        places = [f"{place}[{number}]" for number in range(len(values))]
    if not values or any(_are_messages(one) and not _written(one) for one in values):
        raise ValueError(
            f"{place} must have a reference, got {shown(value)}. Use None for no reward."
        )
    return list(map(_text, values, places))


def _are_messages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _written(messages: list[Any]) -> list[Any]:
    """Return the messages that the model wrote; others are answers of tools."""
    return [one for one in messages if (one.get("role") or "assistant") == "assistant"]


def _text(value: Any, place: str) -> str:
    """Return a text, or the text of the last message that the model wrote."""
    if isinstance(value, str):
        return value
    if value != [] and not _are_messages(value):
        raise TypeError(f"{place} must be a text or messages, got {shown(value)}.")
    written = _written(value)
    content = written[-1].get("content") or "" if written else ""  # a call of a tool has no text
    if isinstance(content, str):
        return content
    return "".join(part.get("text") or "" for part in content if part.get("type") in _TEXT_TYPES)
