"""The findings of checks in all texts: `check`, and the records for the command and the page."""

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
    """The finding of a check."""

    name: str
    check: Check
    message: str
    places: list[Place]

    def as_dict(self, before: str = "", behind: str = "") -> dict[str, Any]:
        """Return the dict of `check`, with `before` and `behind` around the place."""
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
    """Return the findings of all checks in all texts, for a metric with some options."""
    check_choice("metric", metric, (ROUGE.name, BLEU.name))
    checked = (ROUGE if metric == ROUGE.name else BLEU).options(options, caller="check")
    corpus = checked_corpus(predictions, references)
    checked.check_form(is_tokenized=corpus.is_tokenized)
    check_tokens(corpus)
    examples, found = Examples(corpus, checked), []
    for name, one in CHECKS.items() if len(corpus) else ():
        if one.is_possible(examples) and (places := one.find(examples)):
            found.append(Finding(name, one, message_of(name, checked), places))
    return found


def check(
    predictions: Any, references: Any, *, metric: str = "rouge_full", **options: Any
) -> list[dict[str, Any]]:
    """Find mistakes in texts that change their score, such as special tokens.

    Examples:

        >>> import rouge_bleu
        >>> [found] = rouge_bleu.check(["the cat</s><pad>"], ["the cat"])
        >>> found["check"], found["side"], found["n_examples"], found["first_example"]
        ('special_tokens', 'predictions', 1, 0)

    Args:
        predictions: a list of texts, or a list of lists of tokens.
        references: for each prediction a reference, or a list of references, in the same form.
        metric: "rouge_full" or "bleu_full".
        **options: options of that metric. Some checks depend on them, such as on the tokenizer.

    Returns:
        list: a dict for each check that found something: "check", its name; "side", "predictions",
        "references" or "both"; "n_examples"; "first_example", its index from 0; "text", the place
        with the characters around it; "message", the effect and the remedy. docs/checks.md lists
        all checks.

    Raises:
        TypeError, ValueError: as `rouge` and `bleu` do.
    """
    return [found.as_dict() for found in findings_of(predictions, references, metric, options)]
