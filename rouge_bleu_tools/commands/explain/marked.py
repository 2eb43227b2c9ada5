"""Texts with marks around the words that match, and the lines that show them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import printable

Mark = Callable[[str], str]
Spans = Sequence[Sequence[int] | None]

_COLOUR, _PLAIN = "\x1b[1;32m", "\x1b[0m"  # bold green, and an end of it


def in_brackets(word: str) -> str:
    return f"[{word}]"


def in_colour(word: str) -> str:
    return f"{_COLOUR}{word}{_PLAIN}"


def mark_for(stream: Any) -> Mark:
    """Return colour for a terminal that may have it (https://no-color.org), else brackets."""
    has_colour = (
        stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
    return in_colour if has_colour else in_brackets


def marked(text: str, spans: Spans, mark: Mark) -> str:
    """Return a text with its words at some places marked; control characters are escaped.

    >>> marked("the cat sat", [[4, 7], None], in_brackets)
    'the [cat] sat'
    """
    parts = []
    end_before = 0
    for start, end in sorted({(span[0], span[1]) for span in spans if span is not None}):
        start = max(start, end_before)
        if start < end:
            parts += [printable(text[end_before:start]), mark(printable(text[start:end]))]
            end_before = end
    return "".join([*parts, printable(text[end_before:])])


def lines_of_rouge(
    explanation: Mapping[str, Any], prediction: str, references: Sequence[str], mark: Mark
) -> Iterator[str]:
    """Yield the scores of each type, and below them the texts with their marks."""
    for name, one in explanation.items():
        yield "  ".join([name, *_scores(one)])
        for number, (reference, pair) in enumerate(zip(references, one["references"], strict=True)):
            is_chosen = one["chosen"] == number
            title, note = "reference", ""
            if len(references) > 1:
                title += f" {number + 1}"
                note = f"  {'* ' if is_chosen else ''}{'  '.join(_scores(pair))}"
            yield _row("prediction", marked(prediction, pair["prediction_spans"], mark))
            yield _row(title, marked(reference, pair["reference_spans"], mark) + note)
        yield ""
    has_stars = any(one["chosen"] is not None for one in explanation.values())
    if len(references) > 1 and has_stars:
        yield "* the reference whose scores count"


def _scores(one: Mapping[str, float]) -> list[str]:
    names = {"precision": "precision", "recall": "recall", "fmeasure": "F"}
    return [f"{title} {one[name]:.4f}" for name, title in names.items() if name in one]


def lines_of_bleu(
    explanation: Mapping[str, Any], prediction: str, references: Sequence[str], mark: Mark
) -> Iterator[str]:
    """Yield the score and its parts, and of each order the texts with their marks."""
    scores = (
        f"{name} {value:.4f}"
        for name, value in explanation.items()
        if isinstance(value, float) and name not in ("length_ratio", "reference_length")
    )
    yield "  ".join(scores).replace("_", " ")
    lengths = (explanation["translation_length"], explanation["reference_length"])
    yield "{:g} words of the prediction, {:g} of the reference".format(*lengths)
    yield ""
    for one in explanation["orders"]:
        yield (
            f"{one['order']}-grams  {one['matches']:g} of {one['total']:g} match  "
            f"precision {one['precision']:.4f}"
        )
        yield _row("prediction", marked(prediction, one["prediction_spans"], mark))
        for number, reference in enumerate(references):
            title = f"reference {number + 1}" if len(references) > 1 else "reference"
            spans = one["reference_spans"][number]
            yield _row(title, marked(reference, spans, mark))
        yield ""


def _row(title: str, text: str) -> str:
    return f"  {title:12} {text}"
