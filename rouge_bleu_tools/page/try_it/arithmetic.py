"""The arithmetic of a score, step by step, in words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

_DEFAULT_WEIGHT = 1.2
_DECIMALS = 4  # between 0 and 1


def shown_score(score: float | None, *, is_percent: bool = False) -> str:
    r"""Return a score of a line; in percent, each line computes as it does from 0 to 1.

    >>> shown_score(0.75862), shown_score(0.75862, is_percent=True)
    ('0.7586', '75.86\xa0%')
    """
    if score is None or math.isnan(score):
        return "not defined"
    if is_percent:
        return f"{100 * score:.{_DECIMALS - 2}f}\u00a0%"  # which no line ends before
    return f"{score:.{_DECIMALS}f}"


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
    rouge_type: str,
    counts: Mapping[str, Any],
    beta: float,
    *,
    are_distinct: bool = False,
    is_percent: bool = False,
) -> list[str]:
    """Return how precision, recall and F come of the counts of a pair.

    `are_distinct` says that each unit of a text counts once.
    """
    shown = partial(shown_score, is_percent=is_percent)
    unit = ("distinct " if are_distinct else "") + unit_of_type(rouge_type)
    return [
        _share(rouge_type, "precision", "prediction", unit, counts, shown),
        _share(rouge_type, "recall", "reference", unit, counts, shown),
        _f_step(counts, beta, shown),
    ]


def _share(
    rouge_type: str,
    name: str,
    side: str,
    unit: str,
    counts: Mapping[str, Any],
    shown: Callable[..., str],
) -> str:
    matches, total = counts["matches"], counts[f"{side}_total"]
    if side == "prediction":
        matches = counts.get("prediction_matches", matches)
    score = shown(counts[name])
    quotient = f"{_count(matches)} / {_count(total)}"
    if not total:
        return f"{name} = {score}: the {side} has no {unit}"
    if math.isnan(counts[name]):
        return f"{name} = {score}: the reference has no {unit}"
    if rouge_type.startswith("rougeW"):
        weight = float(rouge_type.partition("-")[2] or _DEFAULT_WEIGHT)
        return (
            f"{name} = ({quotient}) to the power of 1/{weight:g} = {score} ({side}: a run "
            f"of k words counts k to the power of {weight:g})"
        )
    return f"{name} = {_count(matches)} matching / {_count(total)} {unit} of the {side} = {score}"


def _f_step(counts: Mapping[str, Any], beta: float, shown: Callable[..., str]) -> str:
    precision, recall, f = (shown(counts[name]) for name in ("precision", "recall", "fmeasure"))
    if math.isinf(beta):
        return f"F = recall = {f}"
    if beta == 0:
        return f"F = precision = {f}"
    if math.isnan(counts["fmeasure"]) or not counts["precision"] + counts["recall"]:
        return f"F = {f}"
    square_of_beta = beta * beta
    usual = (1 + square_of_beta) * counts["precision"] * counts["recall"]
    usual /= square_of_beta * counts["precision"] + counts["recall"]
    is_usual = math.isclose(counts["fmeasure"], usual, abs_tol=5e-5)
    if math.isfinite(usual) and not is_usual:
        return f"F = {f}, by the formula of the preset"
    if beta == 1:
        return f"F = 2 × {precision} × {recall} / ({precision} + {recall}) = {f}"
    square = f"{beta:g}²"
    return (
        f"F = (1 + {square}) × {precision} × {recall} / ({square} × {precision} + {recall}) = {f}"
    )


def bleu_steps(
    explanation: Mapping[str, Any], powers: Sequence[float], *, is_percent: bool = False
) -> list[str]:
    """Return how BLEU comes of the counts of its orders and the lengths.

    `powers` are those to which the precisions of the orders are raised; 0: the order is
    left out. The brevity penalty is a factor, and never in percent.
    """
    shown = partial(shown_score, is_percent=is_percent)
    lines = [_precision(entry, shown) for entry in explanation["orders"]]
    return [*lines, _penalty(explanation), _product(explanation, powers, shown)]


def _precision(entry: Mapping[str, Any], shown: Callable[..., str]) -> str:
    order, matches, total = entry["order"], entry["matches"], entry["total"]
    plain = matches / total if total else 0.0
    name, score = f"precision of {order}-grams", shown(plain)
    words = f"{name} = {matches} matching / {total} = {score}"
    if not total:
        words = f"{name} = {score}: the prediction has no {order}-grams"
    if not math.isclose(plain, entry["precision"], abs_tol=5e-5):
        words += f", with the smoothing {shown(entry['precision'])}"
    return words


def _penalty(explanation: Mapping[str, Any]) -> str:
    length, reference = (explanation["translation_length"], explanation["reference_length"])
    penalty = shown_score(explanation["brevity_penalty"])
    lengths = f"{_count(length)} words, reference {_count(reference)}"
    usual = math.exp(min(1 - reference / length, 0.0)) if length else not reference
    if not math.isclose(explanation["brevity_penalty"], usual, abs_tol=5e-5):
        return f"brevity penalty = {penalty} ({lengths}), by the formula of the preset"
    if explanation["brevity_penalty"] < 1 and length:
        return (
            f"brevity penalty = exp(1 − {_count(reference)} / {_count(length)}) = {penalty} "
            f"({lengths})"
        )
    return f"brevity penalty = {penalty} ({lengths})"


def _product(
    explanation: Mapping[str, Any], powers: Sequence[float], shown: Callable[..., str]
) -> str:
    bleu = shown(explanation["bleu"])
    if math.isnan(explanation["bleu"]):
        return f"BLEU = {bleu}"
    orders = explanation["orders"]
    if not explanation["bleu"]:
        return f"BLEU = {bleu}: {_reason_for_zero(explanation, powers)}"
    factors = [
        (entry["precision"], power) for entry, power in zip(orders, powers, strict=True) if power
    ]
    product = math.prod([precision**power for precision, power in factors])
    is_whole = math.isclose(product * explanation["brevity_penalty"], explanation["bleu"])
    if not powers[-1] and not is_whole:  # as under chen-cherry-7
        return f"BLEU = {bleu}, of precisions smoothed without the orders of weight 0"
    penalty = shown_score(explanation["brevity_penalty"])
    if all(math.isclose(power, 1 / len(factors)) for _, power in factors):
        mean = " × ".join(shown(precision) for precision, _ in factors)
        if len(factors) > 1:
            mean = f"({mean}) to the power of 1/{len(factors)}"
    else:
        mean = " × ".join(
            f"({shown(precision)} to the power of {power:g})" for precision, power in factors
        )
    return f"BLEU = {penalty} × {mean} = {bleu}"


def _reason_for_zero(explanation: Mapping[str, Any], powers: Sequence[float]) -> str:
    """Return why BLEU is 0, which some presets say of precisions above 0 too."""
    for entry, power in zip(explanation["orders"], powers, strict=True):
        if power and not entry["matches"]:
            missing = f"no {entry['order']}-gram matches"
            if entry["precision"] and explanation["brevity_penalty"]:
                return f"{missing}, and by this preset no smoothing mends that"
            if not entry["precision"]:
                return f"{missing}, and a product with 0 is 0"
    if not explanation["brevity_penalty"]:
        return "the brevity penalty is too small for a number above 0"
    return "the prediction is too short for n-grams of every length"


def _count(value: float) -> str:
    """Return a number of units; those of runs of words are no whole numbers."""
    return re.sub(r"\.?0+$", "", f"{value:.4f}") if isinstance(value, float) else f"{value:,}"
