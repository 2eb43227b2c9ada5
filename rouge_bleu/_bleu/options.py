"""The options of `bleu_full`: defaults, checks, and what follows from several of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..data.chunks import n_workers_of_jobs
from ..kernels.ngrams import MAX_ORDER
from ..lazy import lazy_property
from ..options.checked import CheckedOptions, Preset
from ..options.values import (
    check_choice,
    check_flag,
    check_integer,
    check_jobs,
    check_number,
    check_tokenizer,
    check_zero_division,
)
from ..resampling.uncertainty import keys_of_score
from ..text.mteval import (
    INTL_BEFORE_2,
    INTL_OF_CHARACTERS,
    UNSTRIPPED_13A,
    UNSTRIPPED_13A_OF_CASE,
    WHITESPACE_OF_BYTES,
)
from ..text.tokenizers import TOKENIZER_NAMES, Tokenizer, TokenizerOptions, check_installed
from .brevity import REFERENCE_LENGTHS, first_closest_length
from .elsewhere.formula import Formula
from .lines.sacrebleu import sacrebleu_line
from .presets import BLEU_PRESETS, BleuRules, bleu_preset
from .smoothing import SMOOTHINGS
from .weights import (
    Weights,
    check_weights,
    listed_weights,
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


@dataclass(frozen=True)
class BleuOptions(CheckedOptions):
    """The options of `bleu_full`, checked; the metric documents their meaning."""

    tokenizer: str | Tokenizer | None = None
    max_order: int | None = None
    smooth: bool = False
    weights: Weights | Mapping[str, Weights] | None = None
    smoothing: str = "none"
    smoothing_value: float | None = None
    effective_order: bool | None = None
    reference_length: str = "closest"
    multi_reference: str = "clip"
    lowercase: bool = False
    zero_division: float = 0.0
    use_aggregator: bool = True
    level: str = "corpus"
    output: str = "all"
    n_jobs: int = 1
    preset: str | None = None
    signature: bool = False
    confidence_level: float | None = None
    n_resamples: int = 1000
    paired_test: str = "randomization"
    seed: int | None = None

    presets: ClassVar[Mapping[str, Preset[BleuRules]]] = BLEU_PRESETS
    smoothings: ClassVar[Sequence[str]] = tuple(SMOOTHINGS)
    conversions: ClassVar[Mapping[str, Callable[[Any], Any]]] = {"weights": listed_weights}
    stopwords: ClassVar[Collection[str]] = ()  # BLEU drops no words

    def __post_init__(self) -> None:
        self._check_tokenizer()
        if self.max_order is not None:
            check_integer("max_order", self.max_order, minimum=1, maximum=MAX_ORDER)
        for name in ("smooth", "lowercase", "use_aggregator", "signature"):
            check_flag(name, getattr(self, name))
        if self.effective_order is not None:
            check_flag("effective_order", self.effective_order)
        taken = (*BLEU_PARTS, *BLEU_COUNTS)
        check_weights(self.weights, self.max_order, taken_names=taken)
        if isinstance(self.weights, Mapping):
            self._check_names_beside_output(self.weights)
        check_choice("smoothing", self.smoothing, tuple(SMOOTHINGS))
        self._check_smoothing_value()
        check_choice("reference_length", self.reference_length, tuple(REFERENCE_LENGTHS))
        check_choice("multi_reference", self.multi_reference, MULTI_REFERENCES)
        check_choice("level", self.level, LEVELS)
        check_zero_division(self.zero_division)
        check_choice("output", self.output, BLEU_OUTPUTS)
        check_jobs(self.n_jobs)
        self.check_resampling()
        self.check_fixed_options()

    def _check_tokenizer(self) -> None:
        """Raise for what is no tokenizer. Signatures alone name the "intl" of old."""
        tokenizer = self.tokenizer
        is_of_line = isinstance(tokenizer, str) and tokenizer == INTL_BEFORE_2
        if tokenizer is None or is_of_line:
            return
        check_tokenizer(tokenizer, TOKENIZER_NAMES)
        check_installed(tokenizer)

    def _check_names_beside_output(self, names: Collection[str]) -> None:
        """Raise where weights have the name of a key that an option adds."""
        for name in names if self.output == "flat" else ():
            if _FLAT_NAME.fullmatch(name):
                raise ValueError(
                    "weights must have names other than precision_1, count_1, total_1 "
                    "and the like with output='flat', which has them as keys, got "
                    f"{name!r}"
                )
        if self.signature and "signature" in names:
            raise ValueError(
                "weights must have names other than 'signature' with signature=True, "
                "which has it as a key"
            )

    def _check_smoothing_value(self) -> None:
        if self.smooth and self.smoothing != "none":
            raise ValueError(
                "smooth=True, which adds one to matches and totals, and "
                f"smoothing={self.smoothing!r} cannot both be given"
                + self._hint_of_preset_smoothing()
            )
        if self.smoothing_value is None:
            return
        if SMOOTHINGS[self.smoothing].default_value is None:
            raise ValueError(
                "smoothing_value needs smoothing='floor' or 'add-k', got "
                f"smoothing={self.smoothing!r}"
            )
        check_number("smoothing_value", self.smoothing_value, minimum=0.0)

    def _hint_of_preset_smoothing(self) -> str:
        """Return where the smoothing comes from, if it is that of the preset."""
        preset = None if self.preset is None else bleu_preset(self.preset)
        if preset is None or preset.options.get("smoothing") != self.smoothing:
            return ""
        return (
            f": smoothing={self.smoothing!r} comes from preset={self.preset!r}, and "
            "smoothing='none' turns it off"
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
        preset = None if self.preset is None else bleu_preset(self.preset)
        return BleuRules() if preset is None else preset.rules

    @classmethod
    def preset_of_name(cls, name: str) -> Preset[BleuRules] | None:
        """Return the preset of a name or of a line of another program, or None."""
        return bleu_preset(name)

    @classmethod
    def options_of_line(cls, line: str) -> dict[str, Any] | None:
        """Return the options of a signature of sacreBLEU; None: it is none."""
        found = sacrebleu_line(line)
        return None if found is None else {"preset": found.preset, **found.options}

    @classmethod
    def fixed_values(cls, preset: str | None) -> dict[str, Any]:
        """Return the values that options must have under a preset."""
        found = None if preset is None else cls.preset_of_name(preset)
        return {} if found is None else cls.values_of_fixed(found)

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
    def length_against(self) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
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
        if not self.tokenizer_options.is_thread_safe:
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
