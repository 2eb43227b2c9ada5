"""The options of `bleu_full`: declarations, checks of combinations, and what follows from them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import methodcaller
from string import ascii_lowercase, ascii_uppercase
from typing import Any, ClassVar

import numpy as np

from ..arrays import lazy_property
from ..corpus import Corpus, as_list
from ..kernels.ngrams import MAX_ORDER
from ..messages import safe_repr, shown, warn_caller
from ..options import (
    CheckedOptions,
    check_flag,
    is_number,
    must_be_integer,
    must_be_number,
    option,
    option_of_corpus,
)
from ..registry import BLEU_PRESETS, preset_module
from ..resampling import keys_of_score
from ..signature import escaped, number_text, read_case, unescaped, value_text
from ..text.tokenizer_rules import TokenizerRules
from ..text.tokenizers import Tokenizer, tokenizer_rules
from .definition import REFERENCE_LENGTHS, ReferenceLength
from .rules import NO_PRESET
from .smoothing import PLUS_ONE, SMOOTHINGS, Smoothing

Weights = Sequence[float] | np.ndarray

DEFAULT_MAX_ORDER = 4
_OTHER_RESULT_KEYS = (
    "precisions brevity_penalty length_ratio translation_length reference_length counts totals"
).split()
_lowered_ascii = methodcaller("translate", str.maketrans(ascii_uppercase, ascii_lowercase))
_ORDERS_MEANT = range(2, 10)  # by a single number
_TOLERANCE_OF_SUM = 0.02  # three weights of 0.33 are meant to sum to 1
_check_order = must_be_integer(1, MAX_ORDER)
_check_smoothing_value = must_be_number("a finite number >= 0", lambda value: 0 <= value < math.inf)
_FLAT_NAME = re.compile("(precision|count|total)_[0-9]+")
_MIN_WEIGHT = np.nextafter(0.0, 1.0)


# --- weights of the orders ------------------------------------------------------


def _checked_weights(name: str, weights: Any) -> Any:
    """Return weights as a list, or as a dict of lists under names that no part of a result has."""
    if not isinstance(weights, Mapping):
        return _checked_numbers(name, weights)
    if not weights:
        raise ValueError(f"{name} is empty: pass at least one name with its weights")
    for key in weights:
        if not isinstance(key, str) or key in _OTHER_RESULT_KEYS:
            taken = ", ".join(map(repr, _OTHER_RESULT_KEYS))
            raise ValueError(f"{name} must have strings other than {taken} as names, got {key!r}")
    return {key: _checked_numbers(f"{name}[{key!r}]", values) for key, values in weights.items()}


def _checked_numbers(name: str, weights: Any) -> list[Any]:
    expected = "a list of numbers, one for each order"
    hint = f": give a list, or max_order={weights}" if type(weights) is int else ""
    weights = as_list(weights, name, expected, lambda value: hint)
    if not all(map(is_number, weights)):
        raise TypeError(f"{name} must be {expected}, got {shown(weights)}")
    if not all(0 <= weight < math.inf for weight in weights) or not any(weights):
        raise ValueError(
            f"{name} must be one or more finite numbers >= 0, not all of them 0, got "
            f"{safe_repr(weights):.60}"
        )
    if len(weights) > MAX_ORDER:
        raise ValueError(f"{name} must be at most {MAX_ORDER} numbers, got {len(weights)}")
    return weights


def warn_of_weights(options: Any) -> None:
    """Warn of weights that the user may misunderstand."""
    weights = options.weights
    is_single = options.max_order is None and isinstance(weights, list) and len(weights) == 1
    if is_single and weights[0] in _ORDERS_MEANT:
        order = int(weights[0])
        warn_caller(
            f"A single weight applies to single words only: weights=[{order}] ignores "
            f"longer n-grams. For n-grams up to {order} pass max_order={order}, for BLEU-1 "
            "max_order=1."
        )
    elif not options.rules.scales_weights:
        for name, one in options.named_weights.items():
            total = sum(one.tolist())  # which may be infinite
            if not math.isclose(total, 1.0, rel_tol=_TOLERANCE_OF_SUM):
                warn_caller(
                    f"The weights of {name!r:.60} sum to {total:g}, and preset="
                    f"{options.preset!r:.60} does not scale them: BLEU is the mean of precisions "
                    f"to the power of {total:g}. For the mean itself, pass weights that sum to 1."
                )
                return


def normalised_weights(weights: np.ndarray) -> np.ndarray:
    """Return weights scaled to a sum of one, ndarray of float64."""
    with np.errstate(under="ignore"):
        scaled = weights / weights.max()  # so that the sum of huge weights is finite
        # numpy adds up a longer array in another order, and zeros change the last bit.
        last = np.flatnonzero(scaled)[-1]
        scaled /= scaled[: last + 1].sum()
        # A weight above 0 stays above 0, so that its order still needs a match.
        return np.where(weights > 0, np.maximum(scaled, _MIN_WEIGHT), 0.0)


# --- values of the command line and of a signature --------------------------------


def _parse_weight_argument(text: str) -> Any:
    """Return a weight, or a name and weights as in bleu2=1,1."""
    name, sign, numbers = text.partition("=")
    return (name, _read_numbers(numbers)) if sign else float(text)


def _weights_text(weights: Any) -> str:
    if not isinstance(weights, Mapping):
        return ",".join(map(number_text, weights))
    return ",".join(f"{escaped(name)}({_weights_text(one)})" for name, one in weights.items())


def _read_weights(text: str) -> Mapping[str, Any]:
    if text == "none":
        return {"weights": None}
    if "(" not in text:
        return {"weights": _read_numbers(text)}
    named = [one.partition("(") for one in text.removesuffix(")").split("),")]
    return {"weights": {unescaped(name): _read_numbers(one) for name, _, one in named}}


def _read_numbers(text: str) -> list[float]:
    return list(map(float, text.split(",")))


def _read_smoothing(text: str) -> Mapping[str, Any]:
    if text == "plus-one":
        return {"smooth": True, "smoothing": "none"}
    name, parenthesis, value = text.removesuffix(")").partition("(")
    values = {"smoothing_value": float(value)} if parenthesis else {}
    return {"smooth": False, "smoothing": unescaped(name), **values}


@dataclass(frozen=True)
class BleuOptions(CheckedOptions):
    """The options of `bleu_full`, checked; `bleu` documents their meaning."""

    max_order: int | None = option(
        None, _check_order, "length of the longest n-grams (4)", int, "order"
    )
    smooth: bool = option(
        False, check_flag, "add one to matches and n-grams of every order", bool, "smooth"
    )
    weights: Weights | Mapping[str, Weights] | None = option(
        None,
        _checked_weights,
        "one weight for each order, or several BLEUs: bleu1=1 bleu2=1,1",
        _parse_weight_argument,
        "weights",
        several=True,
    )
    smoothing: str = option(
        "none",
        tuple(SMOOTHINGS),
        "method for orders without matches: exp, floor, ...",
        str,
        "smooth",
    )
    smoothing_value: float | None = option(
        None, _check_smoothing_value, "value of floor (0.1) and add-k (1)", float, "smooth"
    )
    effective_order: bool | None = option(
        None, check_flag, "leave out orders that are longer than the predictions", bool, "eff"
    )
    reference_length: str = option(
        "closest",
        tuple(REFERENCE_LENGTHS),
        "length for the brevity penalty: closest (default), shortest or average",
        sign="reflen",
        is_always_signed=True,
    )
    multi_reference: str = option(
        "clip",
        ("clip", "best"),
        "how several references count: clip (default) or best",
        str,
        "multi",
        is_always_signed=True,
    )
    lowercase: bool = option(False, check_flag, "ignore case", bool, "case")
    level: str = option_of_corpus(
        "corpus",
        ("corpus", "sentence"),
        "corpus (default), or sentence: the mean of sentence scores",
        sign="level",
    )
    output: str = option_of_corpus(
        "all", ("all", "score", "flat"), "keys of the result: all, score or flat"
    )
    use_aggregator: bool = option(
        True, check_flag, "one score for all examples, or one for each", bool, "level"
    )

    metric: ClassVar = "bleu"
    presets: ClassVar = BLEU_PRESETS
    no_preset: ClassVar = NO_PRESET
    options_of_other_line: ClassVar = staticmethod(
        lambda text: preset_module("sacrebleu").options_of_sacrebleu_signature(text)
    )
    stopwords: ClassVar[tuple[str, ...]] = ()  # BLEU drops no words
    part_readers: ClassVar = {
        "order": lambda text: {"max_order": int(text)},
        "weights": _read_weights,
        "smooth": _read_smoothing,
        "case": read_case,
        "level": lambda text: (
            {"use_aggregator": False} if text == "item" else {"use_aggregator": True, "level": text}
        ),
    }

    def signature_parts(self, is_tokenized: bool) -> dict[str, str]:
        """Return the parts of a signature that depend on several options."""
        parts = {"order": str(self.highest_order)}
        if self.weights is not None:
            parts["weights"] = _weights_text(self.weights)
        elif "weights" in self.rules.options:
            parts["weights"] = "none"
        smoothing = "plus-one" if self.smooth else self.smoothing
        has_value = SMOOTHINGS[self.smoothing].default_value is not None
        if has_value and "smoothing_value" not in self.rules.fixed_options:
            smoothing += f"({number_text(self.smoothing_constant)})"
        return parts | {
            "smooth": smoothing,
            "tok": "given" if is_tokenized else value_text(self.tokenizer_name),
            "case": "lower" if self.lowercase else "mixed",
            "level": self.level if self.use_aggregator else "item",
        }

    def check_together(self) -> None:
        if self.weights is not None and self.max_order not in (None, self.highest_order):
            raise ValueError(
                f"max_order must be {self.highest_order}, the number of weights, or be left out, "
                f"got {self.max_order}"
            )
        if self.smooth and self.smoothing != "none":
            raise ValueError(
                f"smooth=True and smoothing={self.smoothing!r} cannot both be given: pass "
                "smooth=False or smoothing='none'"
            )
        has_value = SMOOTHINGS[self.smoothing].default_value is not None
        if self.smoothing_value is not None and not has_value:
            raise ValueError(
                "smoothing_value needs smoothing='floor' or 'add-k', got "
                f"smoothing={self.smoothing!r}"
            )
        super().check_together()

    def check_for(self, corpus: Corpus, has_baseline: bool = False) -> None:
        super().check_for(corpus)
        warn_of_weights(self)
        has_interval = self.confidence_level is not None
        names = self.weights if isinstance(self.weights, Mapping) else ()
        keys = ["signature"] if self.signature else []
        for name in names:
            keys += keys_of_score(name, has_interval, has_baseline)
        for name in names:
            is_flat_key = self.output == "flat" and _FLAT_NAME.fullmatch(name)
            if is_flat_key or keys.count(name) > 1:
                raise ValueError(
                    f"weights must have names other than {name!r}, which is another"
                    " key of the result"
                )

    @property
    def is_example_level(self) -> bool:
        """Whether scores are of examples, or means of them."""
        return not self.use_aggregator or self.level == "sentence"

    @lazy_property
    def smoothing_method(self) -> Smoothing:
        """The smoothing of the given name, which the preset may replace."""
        if self.smooth:
            return self.rules.formulas.get("plus-one", PLUS_ONE)
        return self.rules.formulas.get(self.smoothing) or SMOOTHINGS[self.smoothing]

    @property
    def smoothing_constant(self) -> float:
        """The value of the smoothing; 0 if it has none."""
        value = self.smoothing_value
        return float((self.smoothing_method.default_value or 0.0) if value is None else value)

    @property
    def uses_effective_order(self) -> bool:
        """Whether orders for which the predictions are too short are left out."""
        if self.effective_order is not None:
            return bool(self.effective_order)
        return self.rules.sentences_use_effective_order and self.is_example_level

    @lazy_property
    def named_weights(self) -> dict[str, np.ndarray]:
        """The weights of each BLEU under its key in the result, scaled unless the rules say no."""
        weights = self.weights
        if weights is None:
            n_orders = self.max_order or DEFAULT_MAX_ORDER
            weights = np.full(n_orders, 1.0 / n_orders)
        named = weights if isinstance(weights, Mapping) else {"bleu": weights}
        arrays = {name: np.asarray(values, dtype=np.float64) for name, values in named.items()}
        if self.weights is None or not self.rules.scales_weights:
            return arrays
        return {name: normalised_weights(values) for name, values in arrays.items()}

    @lazy_property
    def highest_order(self) -> int:
        """The number of weights of the longest weighting."""
        return max(map(len, self.named_weights.values()))

    @lazy_property
    def counted_orders(self) -> list[int]:
        """The counted orders: up to the highest, and one more if the smoothing needs it."""
        orders = list(range(1, self.highest_order + 1))
        if not self.smoothing_method.looks_ahead:
            return orders
        return [*orders, self.rules.next_order or self.highest_order + 1]

    @lazy_property
    def kinds_of_statistics(self) -> dict[str, str]:
        """The statistics in the order of `BleuStatistics`, and their kinds in `ScoringPlan`."""
        orders = range(1, len(self.counted_orders) + 1)
        names = [f"{name}_{n}" for name in ("matches", "totals", "ngrams") for n in orders]
        kinds = dict.fromkeys([*names, "translation_length"], "count")
        return {**kinds, "reference_length": self._length_kind, "n_reference_tokens": "count"}

    @lazy_property
    def reference_length_of(self) -> ReferenceLength:
        """The function of the given name, which the preset may replace."""
        return {**REFERENCE_LENGTHS, **self.rules.reference_lengths}[self.reference_length]

    @lazy_property
    def result_parts(self) -> list[tuple[str, str, list[str]]]:
        """The keys beside BLEU, their kinds in `ScoringPlan`, and their keys with output="flat"."""
        if self.output == "score":
            return []
        kinds = {
            **dict.fromkeys(("precisions", "brevity_penalty", "length_ratio"), "score"),
            **{"translation_length": "count", "reference_length": self._length_kind},
            **dict.fromkeys(("counts", "totals") if self.rules.returns_counts else (), "count"),
        }
        orders = range(1, self.highest_order + 1)
        return [
            (name, kind, [f"{name[:-1]}_{n}" for n in orders] if name[-1] == "s" else [name])
            for name, kind in kinds.items()
        ]

    @property
    def _length_kind(self) -> str:
        return "length" if self.reference_length == "average" else "count"

    @property
    def tokenizer_name(self) -> str | Tokenizer:
        """The tokenizer: its name or a function."""
        return self.tokenizer or "13a"

    def token_rules(self, is_tokenized: bool = False) -> TokenizerRules:
        """Return the tokenization rules, which lowercase given tokens too."""
        return self._token_rules

    @lazy_property
    def _token_rules(self) -> TokenizerRules:
        name, of_all_scripts = self.tokenizer_name, self.rules.lowercases_ascii_except
        tokenizer = self.rules.own_tokenizers.get(name, name) if isinstance(name, str) else name
        if self.lowercase and of_all_scripts is not None and name not in of_all_scripts:
            return tokenizer_rules(tokenizer, lowercase=False, stem=_lowered_ascii)
        return tokenizer_rules(tokenizer, lowercase=bool(self.lowercase))
