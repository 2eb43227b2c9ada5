"""The options of `bleu_full`: defaults, presets, checks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .inputs import (
    check_choice,
    check_flag,
    check_integer,
    check_number,
    check_tokenizer,
    check_zero_division,
    is_number,
    shown,
)
from .ngrams import MAX_ORDER
from .tokenization import (
    TOKENIZER_NAMES,
    UNSTRIPPED_13A,
    Tokenizer,
    TokenizerOptions,
    check_installed,
)

DEFAULT_MAX_ORDER = 4
SMOOTHINGS = (
    "none",
    "floor",
    "add-k",
    "exp",
    "chen-cherry-4",
    "chen-cherry-5",
    "chen-cherry-6",
    "chen-cherry-7",
)
REFERENCE_LENGTHS = ("closest", "shortest", "average")
PARTS = (
    "precisions",
    "brevity_penalty",
    "length_ratio",
    "translation_length",
    "reference_length",
)
COUNTS = ("counts", "totals")  # added by preset "sacrebleu"

_DEFAULT_SMOOTHING_VALUE = {"floor": 0.1, "add-k": 1.0}

Weights = Sequence[float] | np.ndarray


@dataclass(frozen=True)
class BleuOptions:
    """The options of `bleu_full`, checked; their meaning stands in the documentation of
    the metric.
    """

    tokenizer: str | Tokenizer = "13a"
    max_order: int | None = None
    smooth: bool = False
    weights: Weights | Mapping[str, Weights] | None = None
    smoothing: str = "none"
    smoothing_value: float | None = None
    effective_order: bool | None = None
    reference_length: str = "closest"
    lowercase: bool = False
    zero_division: float = 0.0
    use_aggregator: bool = True
    preset: str | None = None

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "sacrebleu": {"smoothing": "exp"},
        "evaluate": {"reference_length": "shortest"},
        "nltk": {"tokenizer": "whitespace"},
        "matlab": {"zero_division": math.nan},
    }

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer, TOKENIZER_NAMES)
        check_installed(self.tokenizer)
        if self.max_order is not None:
            check_integer("max_order", self.max_order, minimum=1, maximum=MAX_ORDER)
        for name in ("smooth", "lowercase", "use_aggregator"):
            check_flag(name, getattr(self, name))
        if self.effective_order is not None:
            check_flag("effective_order", self.effective_order)
        _check_weights(self.weights, self.max_order)
        check_choice("smoothing", self.smoothing, SMOOTHINGS)
        self._check_smoothing_value()
        check_choice("reference_length", self.reference_length, REFERENCE_LENGTHS)
        check_zero_division(self.zero_division)

    def _check_smoothing_value(self) -> None:
        if self.smooth and self.smoothing != "none":
            raise ValueError(
                f"smooth=True, which adds one to matches and totals, and smoothing={self.smoothing!r} cannot both be given"
            )
        if self.smoothing_value is None:
            return
        if self.smoothing not in _DEFAULT_SMOOTHING_VALUE:
            raise ValueError(
                f"smoothing_value needs smoothing='floor' or 'add-k', got smoothing={self.smoothing!r}"
            )
        check_number("smoothing_value", self.smoothing_value, minimum=0.0)

    def check_form(self, *, is_tokenized: bool) -> None:
        """Any option goes with texts and with lists of tokens."""

    @property
    def smoothing_constant(self) -> float:
        return (
            _DEFAULT_SMOOTHING_VALUE.get(self.smoothing, 0.0)
            if self.smoothing_value is None
            else float(self.smoothing_value)
        )

    @property
    def uses_effective_order(self) -> bool:
        """By default only for sentences under preset "sacrebleu", as its
        `sentence_bleu` does.
        """
        return (
            self.preset == "sacrebleu" and not self.use_aggregator
            if self.effective_order is None
            else bool(self.effective_order)
        )

    @property
    def weights_of_name(self) -> dict[str, np.ndarray]:
        """The weights of each BLEU under its key in the result, ndarray of float64;
        they sum to one, but for preset "nltk".
        """
        n_orders = self.max_order or DEFAULT_MAX_ORDER
        weights = (
            np.full(n_orders, 1.0 / n_orders) if self.weights is None else self.weights
        )
        named = weights if isinstance(weights, Mapping) else {"bleu": weights}
        arrays = {
            name: np.asarray(weights, dtype=np.float64)
            for name, weights in named.items()
        }
        return (
            arrays
            if self.preset == "nltk"
            else {name: _normalised(weights) for name, weights in arrays.items()}
        )

    @property
    def highest_order(self) -> int:
        return max(map(len, self.weights_of_name.values()))

    @property
    def extra_order(self) -> int | None:
        """An order that no weight has and the smoothing needs: one more than the
        highest, or, with preset "nltk", always 5.
        """
        if self.smoothing not in ("chen-cherry-5", "chen-cherry-7"):
            return None
        return 5 if self.preset == "nltk" else self.highest_order + 1

    @property
    def tokenization(self) -> TokenizerOptions:
        tokenizer = (
            UNSTRIPPED_13A
            if self.tokenizer == "13a" and self.preset == "evaluate"
            else self.tokenizer
        )
        return TokenizerOptions(tokenizer, lowercase=bool(self.lowercase))


def _normalised(weights: np.ndarray) -> np.ndarray:
    scaled = weights / weights.max()  # so that the sum of huge ones is finite
    return scaled / scaled.sum()


def _check_weights(weights: Any, max_order: int | None) -> None:
    if weights is None:
        return
    if not isinstance(weights, Mapping):
        _check_weight_list("weights", weights)
    else:
        if not weights:
            raise ValueError(
                "weights is empty: give at least one name with its weights, or leave it out for uniform ones"
            )
        for name, values in weights.items():
            if not isinstance(name, str) or name in (*PARTS, *COUNTS):
                raise ValueError(
                    f"weights must have strings other than {', '.join(map(repr, (*PARTS, *COUNTS)))} as names, got {name!r}"
                )
            _check_weight_list(f"weights[{name!r}]", values)
    highest_order = (
        max(map(len, weights.values()))
        if isinstance(weights, Mapping)
        else len(weights)
    )
    if max_order is not None and max_order != highest_order:
        raise ValueError(
            f"max_order must be {highest_order}, the number of weights, or be left out, got {max_order}"
        )


def _check_weight_list(name: str, weights: Any) -> None:
    is_list = isinstance(weights, (list, tuple)) or (
        isinstance(weights, np.ndarray) and weights.ndim == 1
    )
    if not is_list or not all(map(is_number, weights)):
        raise TypeError(
            f"{name} must be a list of numbers, one for each order, got {shown(weights)}"
        )
    if (
        not len(weights)
        or not all(0 <= w < math.inf for w in weights)
        or not any(weights)
    ):
        raise ValueError(
            f"{name} must be one or more finite numbers >= 0, not all of them 0, got {weights!r:.60}"
        )
