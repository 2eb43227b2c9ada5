"""What both metrics check about their options: names, presets, values.

Every error about an option is raised here or by the options themselves, before any
work: it names the option, what it must be and what it was.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from .messages import shown

Rules = TypeVar("Rules")


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
    "sources": ("source", "inputs", "input", "model_inputs", "srcs"),
    "language": ("lang", "trg_lang", "tgt_lang"),
    "normalizer": ("normalize", "normalization", "preprocess"),
}
_OTHER_NAMES = {
    other: name for name, others in _NAMES_ELSEWHERE.items() for other in others
}

# What to do instead, where a metric has no such option.
_OF_BLEU = "it is an option of bleu_full, not of this metric"
_OF_ROUGE = "it is an option of rouge_full, not of this metric"
_OF_LOAD = "it is an argument of evaluate.load"
_DO_FIRST = "do that to the texts first, or in a function that is the tokenizer"
_REMARKS = {
    "force": "leave it out, texts are tokenized whatever they look like",
    "sources": "leave it out, predictions are compared with references only",
    "language": "choose a tokenizer for the language, such as tokenizer='unicode'",
    "normalizer": _DO_FIRST,
    "max_order": "name each order in rouge_types, as in ['rouge1', 'rouge2']",
    "weights": f"{_OF_BLEU}; the weight of rougeW is part of its name, as in 'rougeW-1.5'",
    **dict.fromkeys(
        ("smooth", "smoothing", "smoothing_value", "effective_order"), _OF_BLEU
    ),
    "reference_length": _OF_BLEU,
    "rouge_types": f"{_OF_ROUGE}; choose orders by max_order or weights",
    **dict.fromkeys(("use_stemmer", "stemmer", "stopwords"), _DO_FIRST),
    **dict.fromkeys(("multi_reference", "sentence_splitter", "beta"), _OF_ROUGE),
    **dict.fromkeys(("max_words", "max_bytes", "summary_lcs"), _OF_ROUGE),
    "cross_sentences": _OF_ROUGE,
    **dict.fromkeys(("num_process", "process_id", "experiment_id"), _OF_LOAD),
    **dict.fromkeys(("keep_in_memory", "cache_dir"), _OF_LOAD),
}


@dataclass(frozen=True, kw_only=True)
class Preset(Generic[Rules]):
    """What stands for an implementation: values of options, and rules that no option has."""

    options: Mapping[str, Any]
    rules: Rules


class CheckedOptions:
    """Base of the frozen dataclass of a metric's options, which checks itself.

    `presets` is the table of presets. `conversions` says, for options that may be given
    in several forms, how they become the one form that is kept.
    """

    presets: ClassVar[Mapping[str, Preset[Any]]]
    conversions: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}

    def check_form(self, *, is_tokenized: bool) -> None:
        """Raise where an option does not go with the form of the data."""


Options = TypeVar("Options", bound=CheckedOptions)


def checked_options(options_class: type[Options], given: Mapping[str, Any]) -> Options:
    """Return the options that are given, and those that their preset sets.

    Raises
    ------
    TypeError
        For an unknown name, with the name that is nearest to it; for a wrong type.
    ValueError
        For a wrong value.
    """
    preset = given.get("preset")
    if preset is not None:
        check_choice("preset", preset, tuple(options_class.presets))
        given = {**options_class.presets[preset].options, **given}
    names = [field.name for field in dataclasses.fields(options_class)]  # type: ignore[arg-type]
    for name in given:
        if name not in names:
            raise TypeError(
                f"compute() got an unexpected keyword argument {name!r}"
                + _hint_of_name(name, ["predictions", "references", *names])
            )
    conversions = options_class.conversions
    converted = {
        name: conversions[name](value) if name in conversions else value
        for name, value in given.items()
    }
    return options_class(**converted)


def _hint_of_name(name: str, names: Sequence[str]) -> str:
    """Return the name that is meant, else what to do instead, else all names."""
    meant = _OTHER_NAMES.get(name, name)
    if meant in names:
        return f". Did you mean {meant!r}?"
    if meant in _REMARKS:
        return f": {_REMARKS[meant]}"
    near = difflib.get_close_matches(name, names, n=1)
    return f". Did you mean {near[0]!r}?" if near else f", it takes {', '.join(names)}"


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    if not isinstance(value, str) or value not in choices:
        near = []
        if isinstance(value, str):
            near = difflib.get_close_matches(value, choices, n=1, cutoff=0.65)
        hint = f". Did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
        raise ValueError(f"{name} must be {listed}, got {value!r}{hint}")


def check_flag(name: str, value: Any) -> None:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")


def check_integer(
    name: str, value: Any, *, minimum: int, maximum: int | None = None
) -> None:
    is_integer = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_integer or value < minimum:
        raise ValueError(f"{name} must be an integer >= {minimum}, got {value!r}")
    if maximum is not None and value > maximum:
        raise ValueError(f"{name} must be at most {maximum}, got {value!r}")


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
    is_accepted = is_number(value) and value >= minimum
    if not is_accepted or (math.isinf(value) and not may_be_infinite):
        infinite = ", or math.inf" if may_be_infinite else ""
        raise ValueError(
            f"{name} must be a number >= {minimum:g}{infinite}, got {value!r}"
        )


def check_level(name: str, value: Any) -> None:
    if not isinstance(value, (float, np.floating)) or not 0 < value < 1:
        raise ValueError(
            f"{name} must be a number between 0 and 1 such as 0.95, got {value!r}"
        )


def check_zero_division(value: Any) -> None:
    if not is_number(value) or not (value == 0 or math.isnan(value)):
        raise ValueError(f"zero_division must be 0.0 or math.nan, got {value!r}")


def check_tokenizer(value: Any, names: Sequence[str]) -> None:
    if not callable(value):
        if not isinstance(value, str):
            raise TypeError(
                "tokenizer must be a name or a function from a string to a list of "
                f"strings, got {shown(value)}"
            )
        check_choice("tokenizer", value, names)
