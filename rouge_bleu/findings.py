"""The findings of checks in all texts: `check`, and the records for the command and the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._bleu.api import BLEU
from ._rouge.api import ROUGE
from .checks import CHECKS, MESSAGES, Location, SampledExamples
from .corpus import check_token_lists, checked_corpus
from .options import check_choice

_MAX_LISTED_EXAMPLES = 20


def findings_of(
    predictions: Any,
    references: Any,
    metric: str,
    options: Mapping[str, Any],
    marks: Sequence[str] = ("", ""),
) -> list[dict[str, Any]]:
    """Return the findings of `check`, with marks before and after the place."""
    check_choice("metric", metric, (ROUGE.name, BLEU.name, "rouge", "bleu"))
    checked = (ROUGE if metric in (ROUGE.name, "rouge") else BLEU).options(options, caller="check")
    corpus = checked_corpus(predictions, references)
    checked.check_for(corpus)
    check_token_lists(corpus)
    examples, found = SampledExamples(corpus, checked), []
    for name in CHECKS if len(corpus) else ():
        if locations := CHECKS[name].find(examples):
            first = min(locations, key=lambda one: one.example)
            sides = {one.side for one in locations}
            numbers = sorted({one.example for one in locations})
            finding = {
                "check": name,
                "side": sides.pop() if len(sides) == 1 else "both",
                "n_examples": len(numbers),
                "first_example": first.example,
                "examples": numbers[:_MAX_LISTED_EXAMPLES],
                "text": _marked_excerpt(first, *marks),
                "message": MESSAGES[name],
            }
            found.append(finding)
    return found


def _marked_excerpt(place: Location, before: str, after: str) -> str:
    text, (start, end) = place.text, place.span
    if start == end:
        return text[:80]
    around = text[max(0, start - 40) : start], text[end : end + 40]
    return f"{around[0]}{before}{text[start:end]}{after}{around[1]}"


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
        metric: "rouge_full" or "bleu_full", also without "_full".
        **options: options of that metric. Some checks depend on them, such as on the tokenizer.

    Returns:
        list: a dict for each check that found something: "check", its name; "side", "predictions",
        "references" or "both"; "n_examples"; "first_example", its index from 0; "examples", up to 20
        indices; "text", the place in the first one with the characters around it; "message", the
        effect and the remedy. docs/checks.md lists all checks.

    Raises:
        TypeError, ValueError: as `rouge` and `bleu` do.
    """
    return findings_of(predictions, references, metric, options)
