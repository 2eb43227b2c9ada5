"""What checks find in all texts: `check`, and the findings that the command and the page show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._bleu.api import BLEU
from ._rouge.api import ROUGE
from .checks import CHECKS, Check, Examples, Place, message_of
from .corpus import check_tokens, checked_corpus
from .options import check_choice


@dataclass(frozen=True)
class Finding:
    """What a check found."""

    name: str
    check: Check
    message: str
    places: list[Place]

    def as_dict(self, before: str = "", behind: str = "") -> dict[str, Any]:
        """Return it as `check` does, with marks around the place."""
        first = min(self.places, key=lambda place: place.example)
        sides = {place.side for place in self.places}
        text, (start, end) = first.text, first.span
        if end > start:
            parts = [text[max(0, start - 40) : start], before, text[start:end], behind]
            parts += [text[end : end + 40]]
        else:
            parts = [text[:80]]
        return {
            "check": self.name,
            "side": sides.pop() if len(sides) == 1 else "both",
            "n_examples": len({place.example for place in self.places}),
            "first_example": first.example,
            "text": "".join(parts),
            "message": self.message,
        }


def findings_of(
    predictions: Any, references: Any, metric: str, options: Mapping[str, Any]
) -> list[Finding]:
    """Return what all checks find in all texts, scored by a metric with some options."""
    check_choice("metric", metric, (ROUGE.name, BLEU.name))
    checked = (ROUGE if metric == ROUGE.name else BLEU).options(options, caller="check")
    corpus = checked_corpus(predictions, references)
    checked.check_form(corpus)
    check_tokens(corpus)
    examples, found = Examples(corpus, checked), []
    for name, one in CHECKS.items() if len(corpus) else ():
        if one.is_possible(examples) and (places := one.find(examples)):
            found.append(Finding(name, one, message_of(name, checked), places))
    return found


def check(
    predictions: Any, references: Any, *, metric: str = "rouge_full", **options: Any
) -> list[dict[str, Any]]:
    """Return what in the texts may make their score mean something else.

    Examples:

        >>> import rouge_bleu
        >>> [found] = rouge_bleu.check(["the cat</s><pad>"], ["the cat"])
        >>> found["check"], found["side"], found["n_examples"], found["first_example"]
        ('special_tokens', 'predictions', 1, 0)

    Args:
        predictions, references: as of `rouge` and `bleu`.
        metric: "rouge_full" or "bleu_full", whose options are given: what a tokenizer loses depends
            on them.

    Returns:
        list: a dict for each check that found something: "check", its name; "side", "predictions",
        "references" or "both"; "n_examples"; "first_example", a number from 0; "text", the place
        with some words around it; "message", the effect and the remedy. docs/checks.md lists all
        checks.

    Raises:
        TypeError, ValueError: as `rouge` and `bleu`.
    """
    return [found.as_dict() for found in findings_of(predictions, references, metric, options)]
