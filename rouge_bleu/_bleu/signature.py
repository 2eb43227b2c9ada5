"""The parts of the signature of `bleu_full`, from each option and back."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from ..options.signature_parts import (
    CONFIDENCE_LEVEL,
    DRAWS,
    PACKAGE,
    PAIRED_TEST,
    REFERENCES,
    SACREBLEU,
    YES_OR_NO,
    Part,
    ScoredRun,
    choice_read,
    escaped,
    n_resamples_text,
    number_text,
    preset_by_rules,
    read_as,
    read_tokenizer,
    seed_text,
    tokenizer_text,
    unescaped,
    yes_or_no,
)
from .options import BleuOptions
from .presets import BleuRules
from .smoothing import SMOOTHINGS
from .weights import normalised_weights, uniform_weights, weights_up_to_one

# Options that change no score; `output` chooses among the parts of the result.
BLEU_OPTIONS_WITHOUT_EFFECT = frozenset({"n_jobs", "signature", "output"})

_NAMED_WEIGHTS = re.compile(r"([^(),]*)\(([^()]*)\)")


# --- what can change a score ----------------------------------------------------------


def _bleu_acting_rules(rules: BleuRules, options: BleuOptions, run: ScoredRun) -> Hashable:
    """Return what of the rules can change a score under these options.

    Whether sentences use the effective order stands in the part for it, and the rule on
    counts only adds keys.
    """
    is_smoothed = _smoothing(options) != "none"
    are_scaled = all(map(_is_scaled, options.weights_of_name.values()))
    may_lack_orders = is_smoothed or options.uses_effective_order
    may_lack_orders |= any(weights[-1] == 0 for weights in options.weights_of_name.values())
    has_blanks = options.tokenizer_name == "13a" and not run.is_tokenized
    is_defined = options.zero_division == 0 and not options.smooth
    has_several = run.most_references > 1 and not options.takes_references_alone
    takes_closest = has_several and options.reference_length == "closest"
    return (
        are_scaled or rules.scales_weights,
        (is_smoothed or not options.scores_items) and rules.least_total,
        _looks_elsewhere(rules, options) and rules.next_order,
        options.smoothing in rules.skips_zero_with,
        has_blanks and rules.keeps_trailing_blanks,
        has_blanks and options.lowercase and rules.lowercases_words,
        options.highest_order > 1 and may_lack_orders and rules.needs_every_order,
        not is_defined and rules.scores_against_nothing,
        takes_closest and rules.takes_first_of_closest,
        rules.needs_every_match,
        options.lowercase and rules.lowercases_ascii,
        options.tokenizer_name == "whitespace"
        and not run.is_tokenized
        and rules.takes_ascii_blanks,
        None if options.smooth else rules.formulas.get(options.smoothing),
    )


def _looks_elsewhere(rules: BleuRules, options: BleuOptions) -> bool:
    """Whether rules with an order of their own smooth others than rules without."""
    last_orders = [
        int(np.flatnonzero(weights)[-1]) + 1 for weights in options.weights_of_name.values()
    ]
    highest = options.highest_order
    looks_ahead = SMOOTHINGS[options.smoothing].looks_ahead
    smooths_more = any(order != highest for order in last_orders)
    if looks_ahead:
        return smooths_more or rules.next_order != highest + 1
    return smooths_more and options.uses_effective_order


def _is_scaled(weights: np.ndarray) -> bool:
    """Whether scaling these weights to a sum of one changes no bit."""
    return np.array_equal(normalised_weights(weights), weights)


# --- options -> values ----------------------------------------------------------------


def _bleu_preset(options: BleuOptions, run: ScoredRun) -> str | None:
    return preset_by_rules(options, run, _bleu_acting_rules)


def _order(options: BleuOptions, run: ScoredRun) -> str | None:
    """The highest order, where all have the same weight."""
    arrays = options.weights_of_name
    if list(arrays) != ["bleu"]:
        return None
    weights = arrays["bleu"]
    is_uniform = np.array_equal(weights, uniform_weights(len(weights)))
    return str(len(weights)) if is_uniform else None


def _weights(options: BleuOptions, run: ScoredRun) -> str | None:
    if _order(options, run) is not None:
        return None
    texts = {
        name: ",".join(map(number_text, _readable(weights, options).tolist()))
        for name, weights in sorted(options.given_weights_of_name.items())
    }
    if list(texts) == ["bleu"]:
        return texts["bleu"]
    return ",".join(f"{escaped(name)}({text})" for name, text in texts.items())


def _readable(weights: np.ndarray, options: BleuOptions) -> np.ndarray:
    """Return weights from which those that are used come again, bit for bit.

    Scaling the used ones again may change a bit. So they are the used ones with 15
    digits, which hide that, else as they are, else the given ones with a highest one of
    1, from which the used ones came.
    """
    if not options.rules.scales_weights:
        return weights
    used = normalised_weights(weights)
    rounded = np.array([float(f"{weight:.15g}") for weight in used])
    for candidate in (rounded, used):
        if np.array_equal(normalised_weights(candidate), used):
            return candidate
    return weights_up_to_one(weights)


def _read_weights(text: str) -> dict[str, Any]:
    if "(" not in text:
        return {"weights": _numbers(text)}
    named = _NAMED_WEIGHTS.findall(text)
    return {"weights": {unescaped(name): _numbers(numbers) for name, numbers in named}}


def _numbers(text: str) -> list[float]:
    return [float(number) for number in text.split(",")]


def _smoothing(options: BleuOptions) -> str:
    """Return the smoothing with its value; one by nothing is none."""
    if options.smooth:
        return "plus-one"
    if SMOOTHINGS[options.smoothing].default_value is None:
        return options.smoothing
    value = options.smoothing_constant
    return f"{options.smoothing}({number_text(value)})" if value else "none"


def _smoothing_part(options: BleuOptions, run: ScoredRun) -> str | None:
    if _is_fixed("smoothing", options, run):
        return None
    text = _smoothing(options)
    return text.partition("(")[0] if _is_fixed("smoothing_value", options, run) else text


def _read_smoothing(text: str) -> Mapping[str, Any]:
    if text == "plus-one":
        return {"smooth": True}
    name, parenthesis, value = text.removesuffix(")").partition("(")
    values = {"smoothing_value": float(value)} if parenthesis else {}
    return {"smoothing": unescaped(name), **values}


def _is_fixed(option: str, options: BleuOptions, run: ScoredRun) -> bool:
    """Whether the preset of the line leaves an option nothing to say."""
    has_preset = _bleu_preset(options, run) is not None
    return has_preset and option in options.rules.fixed_options


def _effective_order(options: BleuOptions, run: ScoredRun) -> str | None:
    if _is_fixed("effective_order", options, run):
        return None
    return yes_or_no(options.uses_effective_order)


def _bleu_tokenizer(options: BleuOptions, run: ScoredRun) -> str:
    return tokenizer_text(options.tokenizer_name, run)


def _bleu_case(options: BleuOptions, run: ScoredRun) -> str:
    return "lower" if options.lowercase else "mixed"


def _reference_length(options: BleuOptions, run: ScoredRun) -> str | None:
    has_several = run.most_references > 1 and not options.takes_references_alone
    return options.reference_length if has_several else None


def _bleu_zero_division(options: BleuOptions, run: ScoredRun) -> str | None:
    if _is_fixed("zero_division", options, run):
        return None
    return number_text(options.zero_division)


def _multi_reference(options: BleuOptions, run: ScoredRun) -> str | None:
    is_said = run.most_references > 1 and options.takes_references_alone
    return options.multi_reference if is_said else None


def _level(options: BleuOptions, run: ScoredRun) -> str:
    return options.level if options.use_aggregator else "item"


def _read_level(text: str) -> dict[str, Any]:
    if text == "item":
        return {"use_aggregator": False}
    return {"use_aggregator": True, "level": text}


# --- the table ------------------------------------------------------------------------

BLEU_SIGNATURE = (
    Part("preset", ("preset",), _bleu_preset, read_as("preset", unescaped)),
    Part("order", ("max_order",), _order, read_as("max_order", int)),
    Part("weights", ("weights",), _weights, _read_weights),
    Part("smooth", ("smooth", "smoothing", "smoothing_value"), _smoothing_part, _read_smoothing),
    Part("eff", ("effective_order",), _effective_order, choice_read("effective_order", YES_OR_NO)),
    Part("tok", ("tokenizer",), _bleu_tokenizer, read_tokenizer),
    Part(
        "case",
        ("lowercase",),
        _bleu_case,
        choice_read("lowercase", {"lower": True, "mixed": False}),
    ),
    REFERENCES,
    Part(
        "reflen", ("reference_length",), _reference_length, read_as("reference_length", unescaped)
    ),
    Part("multi", ("multi_reference",), _multi_reference, read_as("multi_reference", unescaped)),
    Part("zero", ("zero_division",), _bleu_zero_division, read_as("zero_division", float)),
    Part("level", ("use_aggregator", "level"), _level, _read_level),
    CONFIDENCE_LEVEL,
    Part("bs", ("n_resamples",), n_resamples_text, read_as("n_resamples", int)),
    Part("seed", ("seed",), seed_text, read_as("seed", int)),
    DRAWS,
    PAIRED_TEST,
    SACREBLEU,
    PACKAGE,
)
