"""What both metrics check about their options: names, presets, values.

Every error about an option is raised here or by the options themselves, before any
work: it names the option, what it must be and what it was.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from ..ground.messages import shown
from ..resampling.uncertainty import (
    MAX_RESAMPLES,
    PAIRED_TESTS,
    WHY_MAX_RESAMPLES,
    Resampling,
)
from ..text.tokenizers import TOKENIZER_NAMES

Rules = TypeVar("Rules")

_MAX_SEED = 2**32 - 1  # of numpy's legacy generator


# Names that arguments have elsewhere: in the other metrics of evaluate, sacreBLEU, NLTK,
# torchmetrics, rouge_score and other packages of ROUGE, and in training scripts.
_NAMES_ELSEWHERE = {
    "predictions": (
        *("prediction", "preds", "pred", "hypotheses", "hypothesis", "hyps", "hyp"),
        *("candidates", "candidate", "sys_stream", "outputs"),
    ),
    "references": (
        *("reference", "refs", "ref", "labels", "targets", "target", "label_ids"),
        *("list_of_references", "ref_streams"),
    ),
    "tokenizer": ("tokenize", "tok", "tokenizer_func"),
    "lowercase": ("lc", "lower", "do_lower_case", "ignore_case"),
    "use_aggregator": (
        *("aggregate", "aggregator", "avg", "apply_avg", "average", "reduction"),
        *("sentence_level", "return_sentence_level_score"),
    ),
    "max_order": ("max_ngram_order", "n_gram", "n_grams", "ngram", "max_n", "N"),
    "weights": ("ngram_weights",),
    "smoothing": ("smooth_method", "smoothing_function"),
    "smoothing_value": ("smooth_value", "smooth_floor"),
    "effective_order": ("use_effective_order", "auto_reweigh"),
    "rouge_types": ("rouge_keys", "metrics", "types", "rouges"),
    "use_stemmer": ("stem", "stemming", "use_stemming"),
    "stopwords": ("remove_stopwords", "stop_words"),
    "multi_reference": ("accumulate", "apply_best"),
    "sentence_splitter": ("split_summaries", "newline_sep"),
    "max_words": ("length_limit", "word_limit"),
    "max_bytes": ("byte_limit",),
    "baseline_predictions": ("baseline", "baselines", "baseline_outputs"),
    "confidence_level": ("confidence", "confidence_interval", "ci"),
    "n_resamples": ("n_samples", "n_bootstrap", "bootstrap", "bootstrap_samples"),
    "seed": ("random_state", "random_seed", "rng"),
    "sources": ("source", "inputs", "input", "model_inputs", "srcs"),
    "language": ("lang", "trg_lang", "tgt_lang"),
    "normalizer": ("normalize", "normalization", "preprocess"),
}
_OTHER_NAMES = {
    other: name for name, others in _NAMES_ELSEWHERE.items() for other in others
}

# What to do instead, where a metric has no such option.
_DO_FIRST = "do that to the texts first, or in a function that is the tokenizer"
_OF_LOAD = "it is an argument of evaluate.load"
_REMARKS = {
    "force": "leave it out, texts are tokenized whatever they look like",
    "sources": "leave it out, predictions are compared with references only",
    "language": "choose a tokenizer for the language, such as tokenizer='unicode'",
    "max_order": "name each order in rouge_types, as in ['rouge1', 'rouge2']",
    "weights": "the weight of rougeW is part of its name, as in 'rougeW-1.5'",
    "rouge_types": "choose orders by max_order or weights",
    **dict.fromkeys(("normalizer", "use_stemmer", "stemmer", "stopwords"), _DO_FIRST),
    "baseline_predictions": "give them to compute, with the predictions",
    **dict.fromkeys(("num_process", "process_id", "experiment_id"), _OF_LOAD),
    **dict.fromkeys(("keep_in_memory", "cache_dir"), _OF_LOAD),
}

# Options that only one of the two metrics has; `evaluate.combine` hands each to both.
_OPTIONS_OF_ONE = {
    "rouge_full": (
        *("rouge_types", "use_stemmer", "beta", "multi_reference", "stemmer"),
        *("stopwords", "max_words", "max_bytes", "sentence_splitter"),
        *("cross_sentences", "summary_lcs", "corpus_average", "document_order"),
    ),
    "bleu_full": (
        *("max_order", "smooth", "weights", "smoothing", "smoothing_value"),
        *("effective_order", "reference_length"),
    ),
}

# Presets that only one of the two metrics has.
_PRESETS_OF_ONE = {
    "rouge_full": (
        *("rouge_score", "rouge-1.5.5", "pltrdy", "rouge-chinese", "pyrouge-metric"),
    ),
    "bleu_full": ("sacrebleu", "nltk"),
}

# Values that options have elsewhere: F in rouge_score and other packages of ROUGE, the
# methods of NLTK's SmoothingFunction; and packages that run the Perl script.
_VALUES_ELSEWHERE = {
    "preset": dict.fromkeys(("pyrouge", "files2rouge", "pythonrouge"), "rouge-1.5.5"),
    "output": dict.fromkeys(("f", "f1", "f-measure", "fscore"), "fmeasure"),
    "smoothing": {
        **{"method1": "floor", "method2": "add-k", "method3": "exp"},
        **{f"method{number}": f"chen-cherry-{number}" for number in (4, 5, 6, 7)},
    },
}


@dataclass(frozen=True, kw_only=True)
class Preset(Generic[Rules]):
    """What stands for an implementation: values of options, and rules that no option has."""

    options: Mapping[str, Any]
    rules: Rules


class CheckedOptions:
    """Base of the frozen dataclass of a metric's options, which checks itself.

    `presets` is the table of presets that have a name, `tokenizers` the names that both
    metrics know. `conversions` says, for options that may be given in several forms, how
    they become the one form that is kept.

    The fields that it names are those that both metrics have and that it checks itself.
    """

    presets: ClassVar[Mapping[str, Preset[Any]]]
    tokenizers: ClassVar[Sequence[str]] = TOKENIZER_NAMES
    conversions: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    use_aggregator: bool
    confidence_level: float | None
    n_resamples: int
    seed: int | None
    paired_test: str

    @classmethod
    def preset_of_name(cls, name: str) -> Preset[Any] | None:
        """Return the preset that a text stands for, or None."""
        return cls.presets.get(name)

    @classmethod
    def fixed_values(cls, preset: str | None) -> Mapping[str, Any]:
        """Return the values that options must have under a preset."""
        return {}

    @classmethod
    def idle_options(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return options that have no effect beside these values.

        A value that a preset has for one of them gives way; given by the user it is an
        error.
        """
        return frozenset()

    def is_changed(self, name: str) -> bool:
        """Whether an option is not at its default."""
        return bool(getattr(self, name) != getattr(type(self), name))

    def check_form(self, *, is_tokenized: bool, has_baseline: bool = False) -> None:
        """Raise where an option does not go with the data."""

    def check_resampling(self) -> None:
        """Raise where what is said about intervals and paired tests is not allowed."""
        if self.confidence_level is not None:
            check_level("confidence_level", self.confidence_level)
        check_integer(
            "n_resamples",
            self.n_resamples,
            minimum=1,
            maximum=MAX_RESAMPLES,
            reason=WHY_MAX_RESAMPLES,
        )
        if self.seed is not None:
            check_seed(self.seed)
        check_choice("paired_test", self.paired_test, PAIRED_TESTS)
        for name in ("confidence_level", "n_resamples"):
            if not self.use_aggregator and self.is_changed(name):
                raise ValueError(
                    f"{name} needs a score of the corpus: use_aggregator=True"
                )

    def seed_or(self, load_seed: int) -> int:
        """Return the seed, which without a value is that of `load`."""
        return load_seed if self.seed is None else self.seed

    def resampling(self, load_seed: int) -> Resampling:
        """Return what is asked for about intervals and paired tests."""
        return Resampling(
            confidence_level=self.confidence_level,
            n_resamples=self.n_resamples,
            seed=self.seed_or(load_seed),
            paired_test=self.paired_test,
        )


Options = TypeVar("Options", bound=CheckedOptions)

_ARGUMENTS_OF_COMPUTE = ("predictions", "references", "baseline_predictions")


def checked_options(
    options_class: type[Options],
    given: Mapping[str, Any],
    *,
    load_options: Mapping[str, Any] | None = None,
    caller: str = "compute",
    other_arguments: Sequence[str] = _ARGUMENTS_OF_COMPUTE,
) -> Options:
    """Return the checked options of one call.

    Of several values of an option the last of these wins: that of the preset of `load`,
    that of `load`, that of the preset of this call, that of this call. A preset of this
    call, `None` too, takes the place of the preset of `load`.

    Parameters
    ----------
    options_class : type
        Options that check themselves, with the table of their presets.
    given : mapping
        The options of this call.
    load_options : mapping, optional
        The options that `load` was given, already checked.
    caller : str
        The method that was called, for errors.
    other_arguments : sequence of str
        What that method takes beside options, for errors.

    Raises
    ------
    TypeError
        A name is not known, or a value is of the wrong type.
    ValueError
        A value is not allowed, alone or beside the others.
    """
    names = [field.name for field in dataclasses.fields(options_class)]  # type: ignore[arg-type]
    _check_option_names(given, names, caller, other_arguments)
    at_load = load_options or {}
    preset = given.get("preset")
    if preset is not None:
        is_load = caller == "load"
        place = "preset (or the second argument of load)" if is_load else "preset"
        _check_preset(place, preset, options_class)
    preset_at_load = None if "preset" in given else at_load.get("preset")
    values = {
        **_values_of_preset(options_class, preset_at_load),
        **at_load,
        **_values_of_preset(options_class, preset),
        **given,
    }
    for name in options_class.idle_options(values) - at_load.keys() - given.keys():
        values.pop(name, None)
    for name, convert in options_class.conversions.items():
        if name in values:
            values[name] = convert(values[name])
    return options_class(**values)


def _check_preset(place: str, preset: Any, options_class: type[CheckedOptions]) -> None:
    """Raise where a preset is not known, and say whose it is if the other metric's."""
    presets = tuple(options_class.presets)
    if isinstance(preset, str):
        if options_class.preset_of_name(preset) is not None:
            return
        name = preset.lower()
        # A command line of the Perl script is a preset of the same metric as its name.
        names = (name, name.split(" ")[0].removesuffix(".pl"))
        for metric, own in _PRESETS_OF_ONE.items():
            if any(name in own and name not in presets for name in names):
                raise ValueError(
                    f"{place} must be {_alternatives(presets)}, got {preset!r}, which is a preset "
                    f"of {metric}"
                )
    check_choice(place, preset, presets)


def _values_of_preset(
    options_class: type[CheckedOptions], name: str | None
) -> Mapping[str, Any]:
    preset = None if name is None else options_class.preset_of_name(name)
    return {} if preset is None else preset.options


def _check_option_names(
    given: Iterable[str],
    names: Sequence[str],
    caller: str,
    other_arguments: Sequence[str],
) -> None:
    """Raise where a name is not known, and say what may have been meant."""
    known = [*other_arguments, *names]
    for name in given:
        if name not in names:
            raise TypeError(
                f"{caller}() got an unexpected keyword argument {name!r}"
                + _hint_of_name(name, known, caller)
            )


def _hint_of_name(name: str, known: Sequence[str], caller: str) -> str:
    """Return what may help somebody who gave an argument of this name.

    That is the name that is meant, else what to do instead, else all names.
    """
    meant = _OTHER_NAMES.get(name, name)
    if meant in known:
        return f". Did you mean {meant!r}?"
    remark = _REMARKS.get(meant)
    for metric, own in _OPTIONS_OF_ONE.items():
        if meant in own:
            here = f"; here {remark}" if remark else ""
            in_combine = (
                ". In evaluate.combine give each metric its options at load, as in "
                f"evaluate.load({metric!r}, {meant}=...)"
            )
            advice = in_combine if caller == "compute" else ""
            return f", which is an option of {metric}{here}{advice}"
    if remark:
        return f": {remark}"
    near = difflib.get_close_matches(name, known, n=1)
    return f". Did you mean {near[0]!r}?" if near else f", it takes {', '.join(known)}"


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise where a value is none of the choices, with the nearest of them."""
    if not isinstance(value, str) or value not in choices:
        meant = _choice_meant(name, value, choices) if isinstance(value, str) else None
        hint = f". Did you mean {meant!r}?" if meant else ""
        raise ValueError(
            f"{name} must be {_alternatives(choices)}, got {value!r}{hint}"
        )


def _choice_meant(name: str, value: str, choices: Sequence[str]) -> str | None:
    """Return the choice that a value stands for elsewhere, else the nearest one.

    Capital and small letters are the same here.
    """
    elsewhere = _VALUES_ELSEWHERE.get(name, {}).get(value.lower())
    if elsewhere in choices:
        return elsewhere
    choice_of_lower = {choice.lower(): choice for choice in choices}
    near = difflib.get_close_matches(value.lower(), choice_of_lower, n=1, cutoff=0.65)
    return choice_of_lower[near[0]] if near else None


def _alternatives(choices: Sequence[str]) -> str:
    """Return the choices as a message lists them."""
    return ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"


def check_flag(name: str, value: Any) -> None:
    """Raise where a value is neither True nor False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")


def check_integer(
    name: str,
    value: Any,
    *,
    minimum: int,
    maximum: int | None = None,
    reason: str = "",
) -> None:
    """Raise where a value is no integer within the limits; `reason` is of the upper one."""
    is_integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_integer or value < minimum:
        raise ValueError(f"{name} must be an integer >= {minimum}, got {value!r}")
    if maximum is not None and value > maximum:
        why = f": {reason}" if reason else ""
        raise ValueError(f"{name} must be at most {maximum}, got {value!r}{why}")


def check_seed(value: Any) -> None:
    """Raise where this is no seed of numpy's generators."""
    check_integer("seed", value, minimum=0, maximum=_MAX_SEED)


def check_jobs(value: Any) -> None:
    """Raise where `n_jobs` is no integer, or 0."""
    is_integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_integer or value == 0:
        raise ValueError(
            "n_jobs must be an integer from 1, or -1 for all cores, -2 for all but one, "
            f"got {value!r}"
        )


def is_number(value: Any) -> bool:
    """Whether this is a number that a float can hold."""
    if isinstance(value, bool) or not isinstance(
        value, (int, float, np.integer, np.floating)
    ):
        return False
    try:
        number = float(value)
    except OverflowError:
        return False
    return not math.isinf(number) or value in (math.inf, -math.inf)


def check_number(
    name: str, value: Any, *, minimum: float, may_be_infinite: bool = False
) -> None:
    """Raise where a value is no number from the minimum on."""
    is_accepted = is_number(value) and value >= minimum
    if not is_accepted or (math.isinf(value) and not may_be_infinite):
        infinite = ", or math.inf" if may_be_infinite else ""
        raise ValueError(
            f"{name} must be a number >= {minimum:g}{infinite}, got {value!r}"
        )


def check_level(name: str, value: Any) -> None:
    """Raise where a value is no float between 0 and 1."""
    if not isinstance(value, (float, np.floating)) or not 0 < value < 1:
        raise ValueError(
            f"{name} must be a number between 0 and 1 such as 0.95, got {value!r}"
        )


def check_zero_division(value: Any) -> None:
    """Raise where a value is neither 0 nor NaN."""
    if not is_number(value) or not (value == 0 or math.isnan(value)):
        raise ValueError(f"zero_division must be 0.0 or math.nan, got {value!r}")


def check_tokenizer(value: Any, names: Sequence[str]) -> None:
    """Raise where a value is neither a function nor one of the names."""
    if not callable(value):
        if not isinstance(value, str):
            raise TypeError(
                "tokenizer must be a name or a function from a string to a list of "
                f"strings, got {shown(value)}"
            )
        check_choice("tokenizer", value, names)


# --- options of an earlier call -------------------------------------------------------

_PLAIN_VALUES = frozenset({str, int, float, bool, type(None)})
_LISTS = frozenset({list, tuple})

_Form = tuple[tuple[str, type, tuple[Any, ...], tuple[type, ...], str], ...]


def remembered_options(
    options_class: type[Options],
    given: Mapping[str, Any],
    load_options: Mapping[str, Any],
) -> Options:
    """Return the `checked_options` of a call of `compute`, or those of an earlier one.

    A reward function scores a few texts at a time, again and again with the same options,
    whose checks take as long as a text. What is refused is checked anew, and so are
    options with anything else among them than strings, numbers, flags and lists of these.
    """
    forms = _form_of_options(given), _form_of_options(load_options)
    if None in forms:
        return checked_options(options_class, given, load_options=load_options)
    return _options_of_forms(options_class, *forms)  # type: ignore[arg-type]


def _form_of_options(options: Mapping[str, Any]) -> _Form | None:
    """Return what is equal for the same names, types and values, or None."""
    form = []
    for name, value in options.items():
        values = tuple(value) if type(value) in _LISTS else (value,)
        types = tuple(map(type, values))
        if not _PLAIN_VALUES.issuperset(types):
            return None
        written = repr(values) if float in types else ""  # -0.0 == 0.0
        form.append((name, type(value), values, types, written))
    return tuple(form)


@lru_cache(maxsize=32)
def _options_of_forms(
    options_class: type[Options], given: _Form, load_options: _Form
) -> Options:
    # The values are not those of the caller, whose lists may change.
    as_given, at_load = (
        {
            name: kind(values) if kind in _LISTS else values[0]
            for name, kind, values, *_ in form
        }
        for form in (given, load_options)
    )
    return checked_options(options_class, as_given, load_options=at_load)
