"""The options of `bleu_full`: defaults, presets, checks."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..data.chunks import n_workers_of_jobs
from ..data.list_likes import as_list
from ..ground.lazy import lazy_property
from ..ground.messages import shown
from ..kernels.ngrams import MAX_ORDER
from ..options.checked import CheckedOptions, Preset
from ..options.values import (
    check_choice,
    check_flag,
    check_integer,
    check_jobs,
    check_number,
    check_tokenizer,
    check_zero_division,
    is_number,
)
from ..resampling.uncertainty import keys_of_score
from ..text.tokenizers import (
    TOKENIZER_NAMES,
    UNSTRIPPED_13A,
    UNSTRIPPED_13A_OF_CASE,
    Tokenizer,
    TokenizerOptions,
    check_installed,
)
from .brevity import REFERENCE_LENGTHS, first_closest_length
from .smoothing import SMOOTHINGS

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
_FLAT_NAME = re.compile("(precision|count|total)_[0-9]+")

Weights = Sequence[float] | np.ndarray


@dataclass(frozen=True, kw_only=True)
class BleuRules:
    """What an implementation does that no option says. The defaults are ours.

    Parameters
    ----------
    scales_weights : bool
        Weights are scaled to a sum of one. NLTK and torchmetrics take them as they are.
    least_total : int
        Each item divides by at least so many n-grams of each order: 1 in NLTK.
    next_order : int or None
        What chen-cherry-5 and -7 take for the order behind the last one. NLTK takes 5,
        and smooths the orders of all weightings together; None: the next one.
    skips_zero_with : frozenset of str
        Smoothings under which an order with a precision of 0 is left out. In NLTK
        chen-cherry-4 gives 0 for a single token, whose ln(c) is 0.
    keeps_trailing_blanks : bool
        13a leaves blanks at the end of a text, as in evaluate's `bleu` and torchmetrics'
        sacre_bleu_score: a hyphen before them is then the end of a line like any other.
    lowercases_words : bool
        13a cuts texts as they are, and words are lowercased then, as in torchmetrics'
        sacre_bleu_score: <SKIPPED> and &AMP; stay, and a final sigma is that of a word.
    sentences_use_effective_order : bool
        `effective_order` is True for sentences, as in sacreBLEU.
    returns_counts : bool
        The result has the keys of `BLEU_COUNTS`, as in sacreBLEU.
    needs_every_order : bool
        BLEU is 0 where the predictions have fewer tokens than there are weights, as in
        MATLAB.
    scores_against_nothing : bool
        A prediction that has tokens scores 0 where the references have none, instead of
        `zero_division`, as in MATLAB.
    takes_first_of_closest : bool
        Of two references that are equally close in length, the first one counts and not
        the shorter, as in torchmetrics.
    needs_every_match : bool
        BLEU is 0 where an order has no match, with any smoothing, as in torchmetrics.
    """

    scales_weights: bool = True
    least_total: int = 0
    next_order: int | None = None
    skips_zero_with: frozenset[str] = frozenset()
    keeps_trailing_blanks: bool = False
    lowercases_words: bool = False
    sentences_use_effective_order: bool = False
    returns_counts: bool = False
    needs_every_order: bool = False
    scores_against_nothing: bool = False
    takes_first_of_closest: bool = False
    needs_every_match: bool = False


BLEU_PRESETS: dict[str, Preset[BleuRules]] = {
    "sacrebleu": Preset(
        options={"smoothing": "exp"},
        rules=BleuRules(sentences_use_effective_order=True, returns_counts=True),
    ),
    "evaluate": Preset(
        options={"reference_length": "shortest"},
        rules=BleuRules(keeps_trailing_blanks=True),
    ),
    "nltk": Preset(
        options={"tokenizer": "whitespace"},
        rules=BleuRules(
            scales_weights=False,
            least_total=1,
            next_order=5,
            skips_zero_with=frozenset({"chen-cherry-4"}),
        ),
    ),
    "matlab": Preset(
        options={"zero_division": math.nan},
        rules=BleuRules(needs_every_order=True, scores_against_nothing=True),
    ),
    "torchmetrics": Preset(
        options={"tokenizer": "whitespace"},
        rules=BleuRules(
            scales_weights=False,
            keeps_trailing_blanks=True,
            lowercases_words=True,
            takes_first_of_closest=True,
            needs_every_match=True,
        ),
    ),
}


def _listed_weights(weights: Any) -> Any:
    """Return weights, or each of several, as lists."""
    if isinstance(weights, Mapping):
        return {
            name: _list_of_weights(f"weights[{name!r}]", values)
            for name, values in weights.items()
        }
    return None if weights is None else _list_of_weights("weights", weights)


def _list_of_weights(name: str, weights: Any) -> list[Any]:
    expected = "a list of numbers, one for each order"
    return as_list(weights, name, expected, _hint_of_single_number)


def _hint_of_single_number(value: Any) -> str:
    return ": put it into a list" if is_number(value) else ""


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
    lowercase: bool = False
    zero_division: float = 0.0
    use_aggregator: bool = True
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
    conversions: ClassVar[Mapping[str, Callable[[Any], Any]]] = {
        "weights": _listed_weights
    }

    def __post_init__(self) -> None:
        if self.tokenizer is not None:
            check_tokenizer(self.tokenizer, TOKENIZER_NAMES)
            check_installed(self.tokenizer)
        if self.max_order is not None:
            check_integer("max_order", self.max_order, minimum=1, maximum=MAX_ORDER)
        for name in ("smooth", "lowercase", "use_aggregator", "signature"):
            check_flag(name, getattr(self, name))
        if self.effective_order is not None:
            check_flag("effective_order", self.effective_order)
        _check_weights(self.weights, self.max_order)
        if self.output == "flat" and isinstance(self.weights, Mapping):
            _check_flat_names(self.weights)
        if self.signature and isinstance(self.weights, Mapping):
            _check_no_name_of_signature(self.weights)
        check_choice("smoothing", self.smoothing, tuple(SMOOTHINGS))
        self._check_smoothing_value()
        check_choice(
            "reference_length", self.reference_length, tuple(REFERENCE_LENGTHS)
        )
        check_zero_division(self.zero_division)
        check_choice("output", self.output, BLEU_OUTPUTS)
        check_jobs(self.n_jobs)
        self.check_resampling()

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
        values = {} if self.preset is None else BLEU_PRESETS[self.preset].options
        if values.get("smoothing") != self.smoothing:
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
            for key in keys_of_score(
                name, self.confidence_level is not None, has_baseline
            )
        ]
        for name in self.weights_of_name:
            if keys.count(name) > 1:
                raise ValueError(
                    f"weights must have names other than {name!r}, under which the result"
                    " has more about another of them"
                )

    @lazy_property
    def rules(self) -> BleuRules:
        """The rules of the preset."""
        return BleuRules() if self.preset is None else BLEU_PRESETS[self.preset].rules

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
        return self.rules.sentences_use_effective_order and not self.use_aggregator

    @lazy_property
    def weights_of_name(self) -> dict[str, np.ndarray]:
        """The weights of each BLEU under its key in the result, ndarrays of float64.

        They sum to one, unless the rules leave them as they are.
        """
        arrays = self.given_weights_of_name
        if not self.rules.scales_weights:
            return arrays
        return {name: normalised_weights(values) for name, values in arrays.items()}

    @property
    def given_weights_of_name(self) -> dict[str, np.ndarray]:
        """The same as they were given, or uniform; ndarrays of float64."""
        weights = self.weights
        if weights is None:
            weights = uniform_weights(self.max_order or DEFAULT_MAX_ORDER)
        named = weights if isinstance(weights, Mapping) else {"bleu": weights}
        return {
            name: np.asarray(values, dtype=np.float64) for name, values in named.items()
        }

    @property
    def highest_order(self) -> int:
        """The number of weights of the longest weighting."""
        return max(map(len, self.weights_of_name.values()))

    @property
    def length_against(
        self,
    ) -> Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]:
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

    def n_smoothed_orders(self, weights: np.ndarray) -> int:
        """Return how many orders are smoothed together for a weighting.

        They are those up to its last weight above 0, so that a BLEU depends neither on
        other weightings nor on zeros at the end.
        """
        if self.rules.next_order is not None:
            return self.highest_order
        return int(np.flatnonzero(weights)[-1]) + 1

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

    @property
    def tokenizer_options(self) -> TokenizerOptions:
        """How texts become tokens."""
        tokenizer = self.tokenizer_name
        if tokenizer == "13a" and self.rules.keeps_trailing_blanks:
            of_words = self.rules.lowercases_words
            tokenizer = UNSTRIPPED_13A_OF_CASE if of_words else UNSTRIPPED_13A
        return TokenizerOptions(tokenizer, lowercase=bool(self.lowercase))


def uniform_weights(n_orders: int) -> np.ndarray:
    """Return equal weights that sum to one, ndarray of float64."""
    return np.full(n_orders, 1.0 / n_orders)


def weights_up_to_one(weights: np.ndarray) -> np.ndarray:
    """Return weights scaled to a highest one of 1, ndarray of float64."""
    with np.errstate(under="ignore"):
        return weights / weights.max()


def normalised_weights(weights: np.ndarray) -> np.ndarray:
    """Return weights scaled to a sum of one, ndarray of float64."""
    scaled = weights_up_to_one(weights)  # so that the sum of huge ones is finite
    with np.errstate(under="ignore"):
        # numpy adds up a longer array in another order, and zeros change the last bit.
        last = np.flatnonzero(scaled)[-1]
        return scaled / scaled[: last + 1].sum()


def _check_weights(weights: Any, max_order: int | None) -> None:
    if weights is None:
        return
    if not isinstance(weights, Mapping):
        named = {"weights": weights}
    else:
        if not weights:
            raise ValueError(
                "weights is empty: give at least one name with its weights, or leave it "
                "out for uniform ones"
            )
        taken = (*BLEU_PARTS, *BLEU_COUNTS)
        for name in weights:
            if not isinstance(name, str) or name in taken:
                raise ValueError(
                    f"weights must have strings other than {', '.join(map(repr, taken))} "
                    f"as names, got {name!r}"
                )
        named = {f"weights[{name!r}]": values for name, values in weights.items()}
    for place, values in named.items():
        _check_weight_list(place, values)
    highest_order = max(map(len, named.values()))
    if max_order is not None and max_order != highest_order:
        raise ValueError(
            f"max_order must be {highest_order}, the number of weights, or be left out, "
            f"got {max_order}"
        )


def _check_flat_names(names: Iterable[str]) -> None:
    for name in names:
        if _FLAT_NAME.fullmatch(name):
            raise ValueError(
                f"weights must have names other than precision_1, count_1, total_1 and "
                f"the like with output='flat', which has them as keys, got {name!r}"
            )


def _check_no_name_of_signature(names: Iterable[str]) -> None:
    if "signature" in names:
        raise ValueError(
            "weights must have names other than 'signature' with signature=True, which "
            "has it as a key"
        )


def _check_weight_list(name: str, weights: Any) -> None:
    if not all(map(is_number, weights)):
        raise TypeError(
            f"{name} must be a list of numbers, one for each order, got {shown(weights)}"
        )
    is_valid = all(0 <= weight < math.inf for weight in weights) and any(weights)
    if not is_valid:
        raise ValueError(
            f"{name} must be one or more finite numbers >= 0, not all of them 0, got "
            f"{weights!r:.60}"
        )
    if len(weights) > MAX_ORDER:
        raise ValueError(
            f"{name} must be at most {MAX_ORDER} numbers, got {len(weights)}"
        )
