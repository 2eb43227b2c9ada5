"""The arithmetic of a score, step by step, in words."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from page.html_parts import shown_score

_DEFAULT_WEIGHT = 1.2


def unit_of_type(rouge_type: str) -> str:
    """Return what a rouge type counts, in the plural.

    >>> unit_of_type("rouge2"), unit_of_type("rougeSU4")
    ('2-grams', 'word pairs and words')
    """
    kind = rouge_type.removeprefix("rouge")
    if kind == "1" or kind.startswith("L"):
        return "words"
    if kind.isdigit():
        return f"{kind}-grams"
    if kind.startswith("W"):
        return "words, with runs counting more"
    return "word pairs and words" if kind.startswith("SU") else "word pairs"


def rouge_steps(
    rouge_type: str, counts: Mapping[str, Any], beta: float | None
) -> list[str]:
    """Return how precision, recall and F come of the counts of a pair."""
    unit = unit_of_type(rouge_type)
    return [
        _share(rouge_type, "precision", "prediction", unit, counts),
        _share(rouge_type, "recall", "reference", unit, counts),
        _f_step(counts, 1.0 if beta is None else float(beta)),
    ]


def _share(
    rouge_type: str, name: str, side: str, unit: str, counts: Mapping[str, Any]
) -> str:
    matches, total = counts["matches"], counts[f"{side}_total"]
    if side == "prediction":
        matches = counts.get("prediction_matches", matches)
    score = shown_score(counts[name])
    quotient = f"{_count(matches)} / {_count(total)}"
    if not total:
        return f"{name} = {score}: the {side} has no {unit}"
    if rouge_type.startswith("rougeW"):
        weight = float(rouge_type.partition("-")[2] or _DEFAULT_WEIGHT)
        return (
            f"{name} = ({quotient}) to the power of 1/{weight:g} = {score} ({side}: a run "
            f"of k words counts k to the power of {weight:g})"
        )
    return f"{name} = {_count(matches)} matching / {_count(total)} {unit} of the {side} = {score}"


def _f_step(counts: Mapping[str, Any], beta: float) -> str:
    precision, recall, f = (
        shown_score(counts[name]) for name in ("precision", "recall", "fmeasure")
    )
    if math.isinf(beta):
        return f"F = recall = {f}"
    if beta == 0:
        return f"F = precision = {f}"
    if not counts["precision"] and not counts["recall"]:
        return f"F = {f}"
    if beta == 1:
        return f"F = 2 × {precision} × {recall} / ({precision} + {recall}) = {f}"
    square = f"{beta:g}²"
    return (
        f"F = (1 + {square}) × {precision} × {recall} / ({square} × {precision} + "
        f"{recall}) = {f}"
    )


def bleu_steps(
    explanation: Mapping[str, Any], weights: Sequence[float] | None
) -> list[str]:
    """Return how BLEU comes of the counts of its orders and the lengths."""
    orders = explanation["orders"]
    lines = []
    for entry in orders:
        order, matches, total = entry["order"], entry["matches"], entry["total"]
        precision = entry["precision"]
        plain = matches / total if total else 0.0
        words = f"precision of {order}-grams = {matches} matching / {total} = {shown_score(plain)}"
        if not math.isclose(plain, precision, abs_tol=5e-5):
            words += f", with the smoothing {shown_score(precision)}"
        lines.append(words)
    lines.append(_penalty(explanation))
    precisions = [entry["precision"] for entry in orders]
    lines.append(_mean(precisions, weights, explanation))
    return lines


def _penalty(explanation: Mapping[str, Any]) -> str:
    length, reference = (
        explanation["translation_length"],
        explanation["reference_length"],
    )
    penalty = shown_score(explanation["brevity_penalty"])
    lengths = f"{_count(length)} words, reference {_count(reference)}"
    if explanation["brevity_penalty"] < 1 and length:
        return (
            f"brevity penalty = exp(1 − {_count(reference)} / {_count(length)}) = {penalty} "
            f"({lengths})"
        )
    return f"brevity penalty = {penalty} ({lengths})"


def _mean(
    precisions: Sequence[float],
    weights: Sequence[float] | None,
    explanation: Mapping[str, Any],
) -> str:
    bleu, penalty = (
        shown_score(explanation["bleu"]),
        shown_score(explanation["brevity_penalty"]),
    )
    product = " × ".join(map(shown_score, precisions))
    missing = [n for n, value in enumerate(precisions, start=1) if not value]
    if missing and not explanation["bleu"]:
        return f"BLEU = {bleu}: no {missing[0]}-gram matches, and a product with 0 is 0"
    if weights is None:
        mean = (
            product
            if len(precisions) == 1
            else f"({product}) to the power of 1/{len(precisions)}"
        )
        return f"BLEU = {penalty} × {mean} = {bleu}"
    listed = ", ".join(f"{weight:g}" for weight in weights)
    return (
        f"BLEU = {penalty} × the mean of the precisions with weights {listed} = {bleu}"
    )


def _count(value: float) -> str:
    """Return a number of units; those of runs of words are no whole numbers."""
    return (
        re.sub(r"\.?0+$", "", f"{value:.4f}")
        if isinstance(value, float)
        else f"{value:,}"
    )
