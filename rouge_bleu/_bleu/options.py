"""The options of `bleu_full`: declarations, checks of combinations, and what follows from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from ..kernels.ngrams import MAX_ORDER
from ..lazy import lazy_property
from ..options import (
    CONFIDENCE_LEVEL,
    N_JOBS,
    N_RESAMPLES,
    PAIRED_TEST,
    PRESET_HELP,
    SEED,
    SIGNATURE,
    TOKENIZER,
    USE_AGGREGATOR,
    ZERO_DIVISION,
    CheckedOptions,
    Preset,
    check_flag,
    check_integer,
    check_number,
    check_preset,
    check_tokenizer,
    option,
)
from ..parallel import n_workers_of_jobs
from ..resampling import keys_of_score
from ..signature import CASE_PART, TOKENIZER_PART, Part, escaped, number_text, unescaped
from ..text.mteval import (
    INTL_BEFORE_2,
    INTL_OF_CHARACTERS,
    UNSTRIPPED_13A,
    UNSTRIPPED_13A_OF_CASE,
    WHITESPACE_OF_BYTES,
)
from ..text.tokenizers import Tokenizer, TokenizerOptions
from .other_lines import sacrebleu_line
from .other_packages import Formula
from .presets import BLEU_PRESETS, NO_PRESET, BleuRules, bleu_preset
from .smoothing import SMOOTHINGS
from .statistics import REFERENCE_LENGTHS, ReferenceLength, first_closest_length
from .weights import (
    Weights,
    checked_weights,
    normalised_weights,
    uniform_weights,
    warn_of_powers,
    warn_of_single_weight,
)

DEFAULT_MAX_ORDER = 4
BLEU_PARTS = (
    "precisions",
    "brevity_penalty",
    "length_ratio",
    "translation_length",
    "reference_length",
)
BLEU_COUNTS = ("counts", "totals")  # added where the rules return counts
BLEU_OUTPUTS = ("all", "score", "flat")
LEVELS = ("corpus", "sentence")
MULTI_REFERENCES = ("clip", "best")
_SMALL_OF_CAPITAL = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_INTL = ("intl-entities", INTL_OF_CHARACTERS)
_FLAT_NAME = re.compile("(precision|count|total)_[0-9]+")


# --- a value of the command line, parts of the signature --------------------------------


def _weight(text: str) -> Any:
    """Return a weight, or a name and weights as in bleu2=1,1."""
    name, sign, numbers = text.partition("=")
    return (name, list(map(float, numbers.split(",")))) if sign else float(text)


def _weights_text(options: BleuOptions, is_tokenized: bool) -> str | None:
    weights = options.weights
    if weights is None:
        return "none" if "weights" in options.found_preset.options else None
    if not isinstance(weights, Mapping):
        return ",".join(map(number_text, weights))
    texts = {name: ",".join(map(number_text, values)) for name, values in weights.items()}
    return ",".join(f"{escaped(name)}({text})" for name, text in texts.items())


def _read_weights(text: str) -> Mapping[str, Any]:
    if text == "none":
        return {"weights": None}
    if "(" not in text:
        return {"weights": list(map(float, text.split(",")))}
    named = re.findall(r"([^(),]*)\(([^()]*)\)", text)
    return {
        "weights": {
            unescaped(name): list(map(float, of_name.split(","))) for name, of_name in named
        }
    }


def _smoothing_text(options: BleuOptions, is_tokenized: bool) -> str:
    if options.smooth:
        return "plus-one"
    has_value = SMOOTHINGS[options.smoothing].default_value is not None
    if not has_value or "smoothing_value" in options.rules.fixed_options:
        return options.smoothing
    return f"{options.smoothing}({number_text(options.smoothing_constant)})"


def _read_smoothing(text: str) -> Mapping[str, Any]:
    if text == "plus-one":
        return {"smooth": True, "smoothing": "none"}
    name, parenthesis, value = text.removesuffix(")").partition("(")
    values = {"smoothing_value": float(value)} if parenthesis else {}
    return {"smooth": False, "smoothing": unescaped(name), **values}


def _level_text(options: BleuOptions, is_tokenized: bool) -> str:
    return options.level if options.use_aggregator else "item"


def _read_level(text: str) -> Mapping[str, Any]:
    return {"use_aggregator": False} if text == "item" else {"use_aggregator": True, "level": text}


# --- the options ------------------------------------------------------------------------


@dataclass(frozen=True)
class BleuOptions(CheckedOptions):
    """The options of `bleu_full`, checked; `bleu` documents their meaning."""

    # Signatures of sacreBLEU alone name the "intl" of old.
    tokenizer: str | Tokenizer | None = option(
        None, replace(TOKENIZER, check=partial(check_tokenizer, others=(INTL_BEFORE_2,)))
    )
    max_order: int | None = option(
        None,
        partial(check_integer, minimum=1, maximum=MAX_ORDER),
        "the longest n-grams (4)",
        "N",
        int,
    )
    smooth: bool = option(False, check_flag, "the smoothing of evaluate's bleu", None)
    weights: Weights | Mapping[str, Weights] | None = option(
        None,
        partial(checked_weights, taken_names=(*BLEU_PARTS, *BLEU_COUNTS)),
        "one for each order, or several BLEUs: bleu1=1 bleu2=1,1",
        "WEIGHT",
        _weight,
        several=True,
    )
    smoothing: str = option("none", tuple(SMOOTHINGS), "exp, floor, add-k, chen-cherry-4, ...")
    smoothing_value: float | None = option(
        None, partial(check_number, minimum=0.0), "of floor and add-k", "X", float
    )
    effective_order: bool | None = option(
        None, check_flag, "leave out orders longer than the text", None, sign="eff"
    )
    reference_length: str = option(
        "closest",
        tuple(REFERENCE_LENGTHS),
        "closest (default), shortest or average",
        sign="reflen",
        is_always_signed=True,
    )
    multi_reference: str = option(
        "clip", MULTI_REFERENCES, "clip (default) or best", sign="multi", is_always_signed=True
    )
    lowercase: bool = option(False, check_flag, "ignore case", None)
    zero_division: float = option(0.0, ZERO_DIVISION)
    use_aggregator: bool = option(True, USE_AGGREGATOR)
    level: str = option(
        "corpus", LEVELS, "corpus (default) or sentence, the mean of rows", is_of_corpus=True
    )
    output: str = option("all", BLEU_OUTPUTS, "all, score or flat", is_of_corpus=True)
    n_jobs: int = option(1, N_JOBS)
    preset: str | None = option(
        None, partial(check_preset, bleu_preset, tuple(BLEU_PRESETS)), PRESET_HELP
    )
    signature: bool = option(False, SIGNATURE)
    confidence_level: float | None = option(None, CONFIDENCE_LEVEL)
    n_resamples: int = option(1000, N_RESAMPLES)
    paired_test: str = option("randomization", PAIRED_TEST)
    seed: int | None = option(None, SEED)

    presets: ClassVar[Mapping[str, Preset[BleuRules]]] = BLEU_PRESETS
    no_preset: ClassVar[Preset[BleuRules]] = NO_PRESET
    stopwords: ClassVar[tuple[str, ...]] = ()  # BLEU drops no words
    signed_parts: ClassVar[tuple[Part, ...]] = (
        Part(
            "order",
            ("max_order",),
            lambda options, is_tokenized: str(options.highest_order),
            lambda text: {"max_order": int(text)},
        ),
        Part("weights", ("weights",), _weights_text, _read_weights, is_required=False),
        Part(
            "smooth", ("smooth", "smoothing", "smoothing_value"), _smoothing_text, _read_smoothing
        ),
        TOKENIZER_PART,
        CASE_PART,
        Part("level", ("use_aggregator", "level"), _level_text, _read_level),
    )

    @classmethod
    def preset_of_name(cls, name: str) -> Preset[BleuRules] | None:
        """Return the preset of a name or of a line of another program, or None."""
        return bleu_preset(name)

    @classmethod
    def options_of_other_line(cls, line: str) -> dict[str, Any] | None:
        """Return the options of a signature of sacreBLEU, or None."""
        found = sacrebleu_line(line)
        return None if found is None else {"preset": found.preset, **found.options}

    def check_together(self) -> None:
        """Raise where values do not go together."""
        self._check_weights()
        if self.smooth and self.smoothing != "none":
            hint = ""
            if self.found_preset.options.get("smoothing") == self.smoothing:
                hint = (
                    f": smoothing={self.smoothing!r} comes from preset={self.preset!r}, and "
                    "smoothing='none' turns it off"
                )
            raise ValueError(
                "smooth=True, which adds one to matches and totals, and "
                f"smoothing={self.smoothing!r} cannot both be given{hint}"
            )
        has_value = SMOOTHINGS[self.smoothing].default_value is not None
        if self.smoothing_value is not None and not has_value:
            raise ValueError(
                "smoothing_value needs smoothing='floor' or 'add-k', got "
                f"smoothing={self.smoothing!r}"
            )
        super().check_together()

    def _check_weights(self) -> None:
        """Raise where weights do not go with the highest order or the keys of the result."""
        if self.weights is None:
            return
        named = self.weights if isinstance(self.weights, Mapping) else {"bleu": self.weights}
        n_orders = max(map(len, named.values()))
        if self.max_order not in (None, n_orders):
            raise ValueError(
                f"max_order must be {n_orders}, the number of weights, or be left out, "
                f"got {self.max_order}"
            )
        for name in named:
            if self.output == "flat" and _FLAT_NAME.fullmatch(name):
                raise ValueError(
                    "weights must have names other than precision_1, count_1, total_1 "
                    f"and the like with output='flat', which has them as keys, got {name!r}"
                )
            if self.signature and name == "signature":
                raise ValueError(
                    "weights must have names other than 'signature' with signature=True, "
                    "which has it as a key"
                )

    def check_form(self, *, is_tokenized: bool, has_baseline: bool = False) -> None:
        """Raise where a name of weights is a key that stands for something else."""
        keys = [
            key
            for name in self.weights_of_name
            for key in keys_of_score(name, self.confidence_level is not None, has_baseline)
        ]
        for name in self.weights_of_name:
            if keys.count(name) > 1:
                raise ValueError(
                    f"weights must have names other than {name!r}, under which the result"
                    " has more about another of them"
                )

    def check_choice_of_references(self) -> None:
        """Raise where each item shall choose a reference, and items have no scores."""
        if self.takes_references_alone and not self.scores_items:
            raise ValueError(
                "multi_reference='best' is about the score of each item: it needs "
                "level='sentence' or use_aggregator=False"
            )

    @property
    def scores_items(self) -> bool:
        """Whether scores are those of items, or their means."""
        return not self.use_aggregator or self.level == "sentence"

    @property
    def takes_references_alone(self) -> bool:
        """Whether each reference is one for itself, of which the best one counts."""
        return self.multi_reference == "best"

    @lazy_property
    def rules(self) -> BleuRules:
        """The rules of the preset."""
        rules: BleuRules = self.found_preset.rules
        return rules

    def lowercases(self, is_tokenized: bool) -> bool:
        """Whether texts, or given tokens, are lowercased."""
        return bool(self.lowercase)

    @property
    def formula(self) -> Formula | None:
        """What stands in place of the smoothing, if anything does."""
        return None if self.smooth else self.rules.formulas.get(self.smoothing)

    @property
    def smoothing_constant(self) -> float:
        """The value of the smoothing; 0 where it has none."""
        value = self.smoothing_value
        if value is None:
            value = SMOOTHINGS[self.smoothing].default_value
        return 0.0 if value is None else float(value)

    @property
    def uses_effective_order(self) -> bool:
        """Whether orders for which the predictions are too short are left out."""
        if self.effective_order is not None:
            return bool(self.effective_order)
        return self.rules.sentences_use_effective_order and self.scores_items

    @lazy_property
    def weights_of_name(self) -> dict[str, np.ndarray]:
        """The weights of each BLEU under its key in the result, ndarrays of float64.

        They sum to one, unless the rules leave them as they are.
        """
        arrays = self.given_weights_of_name
        if not self.rules.scales_weights:
            return arrays
        return {name: normalised_weights(values) for name, values in arrays.items()}

    def warn_of_weights(self) -> None:
        """Warn of weights that may not mean what they say."""
        is_said = warn_of_single_weight(self.weights, self.max_order)
        if not is_said and not self.rules.scales_weights:
            warn_of_powers(self.weights_of_name, str(self.preset))

    @property
    def given_weights_of_name(self) -> dict[str, np.ndarray]:
        """The weights before any scaling, uniform ones if none were given.

        ndarrays of float64.
        """
        weights = self.weights
        if weights is None:
            weights = uniform_weights(self.max_order or DEFAULT_MAX_ORDER)
        named = weights if isinstance(weights, Mapping) else {"bleu": weights}
        return {name: np.asarray(values, dtype=np.float64) for name, values in named.items()}

    @lazy_property
    def highest_order(self) -> int:
        """The number of weights of the longest weighting."""
        return max(map(len, self.weights_of_name.values()))

    @property
    def length_against(self) -> ReferenceLength:
        """The function, as in `REFERENCE_LENGTHS`, that chooses reference lengths."""
        if self.rules.takes_first_of_closest and self.reference_length == "closest":
            return first_closest_length
        return REFERENCE_LENGTHS[self.reference_length]

    @property
    def counted_orders(self) -> np.ndarray:
        """The orders that are counted, ndarray of int64.

        They are 1, 2, ... up to the highest, and one more where the smoothing needs it.
        """
        orders = np.arange(1, self.highest_order + 1)
        if not SMOOTHINGS[self.smoothing].looks_ahead:
            return orders
        return np.append(orders, self.rules.next_order or self.highest_order + 1)

    @lazy_property
    def smoothed_orders(self) -> list[int]:
        """How many orders are smoothed together for each weighting.

        They are those up to its last weight above 0, so that a BLEU depends neither on
        other weightings nor on zeros at the end.
        """
        weightings = self.weights_of_name.values()
        if self.rules.next_order is not None:
            return [self.highest_order] * len(weightings)
        return [int(np.flatnonzero(weights)[-1]) + 1 for weights in weightings]

    @property
    def n_workers(self) -> int:
        """How many workers score: one where a function of the user is called."""
        if not self.tokenizer_options.rules.is_thread_safe:
            return 1
        return n_workers_of_jobs(self.n_jobs)

    @property
    def tokenizer_name(self) -> str | Tokenizer:
        """The tokenizer: its name, or the function that is one."""
        return self.tokenizer or "13a"

    @lazy_property
    def tokenizer_options(self) -> TokenizerOptions:
        """How texts become tokens."""
        tokenizer = self.tokenizer_name
        if tokenizer == "13a" and self.rules.keeps_trailing_blanks:
            of_words = self.rules.lowercases_words
            tokenizer = UNSTRIPPED_13A_OF_CASE if of_words else UNSTRIPPED_13A
        if tokenizer == "whitespace" and self.rules.takes_ascii_blanks:
            tokenizer = WHITESPACE_OF_BYTES
        if self.lowercase and self.rules.lowercases_ascii and tokenizer not in _INTL:
            return TokenizerOptions(tokenizer, lowercase=False, stem=_lowered_ascii)
        return TokenizerOptions(tokenizer, lowercase=bool(self.lowercase))


def _lowered_ascii(word: str) -> str:
    return word.translate(_SMALL_OF_CAPITAL)
