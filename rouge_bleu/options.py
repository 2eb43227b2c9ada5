"""Options of both metrics: how they are declared and checked, and which value wins.

An option is a field of `RougeOptions` or `BleuOptions`, declared once with all that depends on it:

    beta: float = option(1.0, check, "weight of recall in F; 0: precision, inf: recall", float, "beta")

The last of these values wins: the default, the preset of `evaluate.load`, the
options of `load`, the preset of a call, the options of the call. A preset of the call, also
`preset=None`, replaces the preset of `load`. Single values are checked when they are given,
combinations of values when a score is computed.
"""

from __future__ import annotations

import copy
import dataclasses
import difflib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from importlib import import_module
from typing import Any, ClassVar, TypeVar

import numpy as np

from .arrays import lazy_property
from .corpus import Corpus
from .messages import safe_repr, shown
from .names_elsewhere import name_here
from .registry import Presets
from .resampling import MAX_RESAMPLES, PAIRED_TESTS, WHY_MAX_RESAMPLES, Resampling
from .text.tokenizer_rules import TokenizerRules
from .text.tokenizers import TOKENIZER_NAMES, TOKENIZERS, Tokenizer, tokenizer_rules

# --- checks of single values ------------------------------------------------------------
# Each takes the name of an option and a value, and returns the value to keep.

Check = Callable[[str, Any], Any]
_MAX_QUOTED_CHOICES = 12  # that an error lists in their order, in quotes


def check_choice(name: str, value: Any, choices: Sequence[str], others: str = "") -> Any:
    """Return one of the choices; an error names the closest one, or all of them and `others`."""
    if isinstance(value, str) and value in choices:
        return value
    raise choice_error(name, value, choices, others)


def choice_error(name: str, value: Any, choices: Sequence[str], others: str = "") -> ValueError:
    """Return the error of `check_choice`."""
    is_name = value is None or isinstance(value, str)
    # NLTK's smoothings are methods.
    close = close_name(str(value) if is_name else str(getattr(value, "__name__", "")), choices)
    if close is not None:
        return ValueError(f"unknown {name} {safe_repr(value)}. Did you mean {close!r}?")
    if len(choices) > _MAX_QUOTED_CHOICES:
        listed = ", ".join(sorted(choices))
        return ValueError(f"unknown {name} {safe_repr(value)}. Known are {listed}{others}")
    all_choices = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
    return ValueError(f"{name} must be {all_choices}{others}, got {safe_repr(value)}")


def close_name(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that is meant, or is most similar, ignoring case; else None."""
    if meant := name_here(name, known):
        return meant
    known_of_lower = {one.lower(): one for one in known}
    close = difflib.get_close_matches(name.lower(), known_of_lower, n=1, cutoff=0.8)
    return known_of_lower[close[0]] if close else None


def _other_metric_options(metric: str) -> tuple[str, Any]:
    """Return the name and the options of the other metric, which are imported for errors only."""
    other = {"rouge": "bleu", "bleu": "rouge"}[metric]
    module = import_module(f"._{other}.options", __package__)
    return other, getattr(module, f"{other.title()}Options")


def must_be(
    expected: str, is_accepted: Callable[[Any], Any], error: type[Exception] = ValueError
) -> Check:
    """Return a check that accepts some values, and raises an error with the expected values."""

    def check(name: str, value: Any) -> Any:
        if not is_accepted(value):
            raise error(f"{name} must be {expected}, got {shown(value)}")
        return value

    return check


def is_number(value: Any) -> bool:
    """Whether this is a number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return False
    try:
        number = float(value)
    except OverflowError:
        return False
    return not math.isinf(number) or value in (math.inf, -math.inf)


def _is_bool(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_))


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def must_be_integer(minimum: int, maximum: int | None = None, reason: str = "") -> Check:
    """Return a check of integers in limits; `reason` explains the maximum."""
    limits = f">= {minimum}" if maximum is None else f"from {minimum} to {maximum}{reason}"
    most = math.inf if maximum is None else maximum
    return must_be(
        f"an integer {limits}", lambda value: _is_integer(value) and minimum <= value <= most
    )


def must_be_number(expected: str, is_accepted: Callable[[Any], bool]) -> Check:
    """Return a check of numbers."""
    return must_be(expected, lambda value: is_number(value) and is_accepted(value))


check_flag = must_be("True or False", _is_bool, TypeError)
check_seed = must_be_integer(0, 2**32 - 1)  # seeds of numpy's legacy generator
_check_resamples = must_be_integer(1, MAX_RESAMPLES, f" ({WHY_MAX_RESAMPLES})")
_check_jobs = must_be(
    "an integer >= 1, or -1 for all cores, or -2 for all but one",
    lambda value: _is_integer(value) and value != 0,
)
_check_signature = must_be(
    "True, False or 'json'",
    lambda value: _is_bool(value) or (isinstance(value, str) and value == "json"),
    TypeError,
)
_check_zero_division = must_be_number("0.0 or math.nan", lambda value: value == 0 or value != value)
_check_level = must_be_number("a number between 0 and 1, such as 0.95", lambda value: 0 < value < 1)


def check_function(name: str, value: Any, kind: str, method: str) -> Any:
    """Return a function of a kind; the error names a method of the value that is the function."""
    if hasattr(value, method) and (not callable(value) or hasattr(value, "convert_tokens_to_ids")):
        raise TypeError(f"{name} must be a function, got {shown(value)}. Pass its method .{method}")
    is_class = isinstance(value, type) and not issubclass(value, (str, list, tuple))
    expected = f"a name or a function from {kind}"
    return must_be(expected, lambda _: callable(value) and not is_class, TypeError)(name, value)


def check_tokenizer(name: str, value: Any) -> Any:
    """Return a function, or a name whose packages are installed."""
    if not isinstance(value, str):
        return check_function(name, value, "a string to a list of strings", "tokenize")
    if value not in TOKENIZERS:
        others = ", or pass a function, such as AutoTokenizer.from_pretrained(...).tokenize"
        raise choice_error(name, value, TOKENIZER_NAMES, others)
    tokenizer_rules(value).check_installed()
    return value


# --- declarations -----------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """The declaration of an option; the docstrings of `rouge` and `bleu` explain it."""

    default: Any
    check: Callable[[str, Any], Any]  # from its name and a value to the value to keep
    help: str  # one line
    # bool: a flag; else what reads a value from its text on a command line or in a signature
    kind: Callable[[str], Any] = str
    sign: str | None = None  # its part of a signature, maybe with others; None: it changes no score
    is_always_signed: bool = False  # else only if it differs from the value of the preset
    is_of_corpus: bool = False  # whether it says nothing about the score of one example
    several: bool = False  # whether it is a list of values of that kind


def option(default: Any, check: Any, *others: Any, **named: Any) -> Any:
    """Return the field of an `Option`; a tuple as check is its choices."""
    if isinstance(check, tuple):
        check = partial(check_choice, choices=check)
    declared = Option(default, check, *others, **named)
    return dataclasses.field(default=default, metadata={"option": declared})


option_of_corpus = partial(option, is_of_corpus=True)
OR_A_LINE = ", a command line or a signature"  # presets without a name


@dataclass(frozen=True)
class CheckedOptions:
    """The options of both metrics; they check themselves when they are made."""

    tokenizer: str | Tokenizer | None = option(
        None, check_tokenizer, "how texts become tokens: unicode, 13a, ...", str, "tok"
    )
    use_aggregator: bool = option(
        True, check_flag, "one score for all examples, or one for each", bool, "avg"
    )
    zero_division: float = option(
        0.0, _check_zero_division, "score if nothing can match: 0 or nan", float, "zero"
    )
    n_jobs: int = option_of_corpus(1, _check_jobs, "number of processes; -1: all cores", int)
    preset: str | None = option(
        None,
        lambda name, value: value,  # `rules` checks it
        "reproduce an implementation: sacrebleu, rouge-1.5.5, ...; or its command line or "
        "signature, in quotes",
        str,
        "preset",
    )
    signature: bool | str = option_of_corpus(
        False, _check_signature, "add a line that says how the score was computed", bool
    )
    confidence_level: float | None = option_of_corpus(
        None, _check_level, "add bootstrap intervals of that level, such as 0.95", float, "ci"
    )
    n_resamples: int = option_of_corpus(
        1000, _check_resamples, "number of resamples for intervals and p-values (1000)", int, "bs"
    )
    paired_test: str = option_of_corpus(
        "randomization", PAIRED_TESTS, "randomization (default) or bootstrap", str, "test"
    )
    seed: int | None = option_of_corpus(None, check_seed, "seed of the resamples (0)", int, "seed")

    metric: ClassVar[str]  # "rouge" or "bleu"
    presets: ClassVar[Presets]  # the records by name: `RougeRules` or `BleuRules`
    no_preset: ClassVar[Any]  # the record without a preset
    # The parsers of signature parts that contain several options.
    part_readers: ClassVar[Mapping[str, Callable[[str], Mapping[str, Any]]]]
    # An option that replaces another option of a preset, and is replaced by that of a call's preset.
    rivals: ClassVar[Mapping[str, str]] = {}
    # The value of an option -> options without effect, whose values of a preset are dropped.
    idle: ClassVar[Mapping[tuple[str, Any], tuple[str, ...]]] = {
        ("use_aggregator", False): ("confidence_level", "n_resamples")
    }
    # From a signature of another package to its options; None for other texts.
    options_of_other_line: ClassVar[Any] = staticmethod(lambda text: None)

    def __post_init__(self) -> None:
        """Check the options that are not at their default, and keep the checked values."""
        values = vars(self)
        for name, option in self.declarations().items():
            if values[name] is not option.default:
                values[name] = option.check(name, values[name])
        self.check_together()

    @classmethod
    @cache
    def declarations(cls) -> Mapping[str, Option]:
        """The declaration of each option, those of one metric first."""
        of_both = [field.name for field in dataclasses.fields(CheckedOptions)]
        fields = sorted(dataclasses.fields(cls), key=lambda field: field.name in of_both)
        return {field.name: field.metadata["option"] for field in fields}

    def is_changed(self, name: str) -> bool:
        """Whether an option is not at its default."""
        return bool(getattr(self, name) != self.declarations()[name].default)

    @classmethod
    def rules_of_preset(cls, name: Any) -> Any:
        """Return the record of a name, command line or signature, or raise a ValueError."""
        found = cls.presets.find(name) if isinstance(name, str) else None
        if found is not None:
            return found
        other, other_class = _other_metric_options(cls.metric)
        if isinstance(name, str) and name in other_class.presets:
            presets = ", ".join(cls.presets)
            raise ValueError(
                f"{name!r} is a preset of {other}; those of {cls.metric} are {presets}"
            )
        raise choice_error("preset", name, tuple(cls.presets), OR_A_LINE)

    @lazy_property
    def rules(self) -> Any:
        """The record of the preset: values of options, and rules that have no option."""
        return self.no_preset if self.preset is None else self.rules_of_preset(self.preset)

    def token_rules(self, is_tokenized: bool) -> TokenizerRules:
        """Return the rules of tokens, for texts or for given tokens."""
        raise NotImplementedError

    @property
    def packages(self) -> list[str]:
        """The packages that tokens depend on, apart from the tokenizer's package."""
        return []

    def check_together(self) -> None:
        """Raise if options contradict each other."""
        for message in self.conflicts():
            raise ValueError(message)

    def conflicts(self) -> Iterator[str]:
        """Yield the errors of options that contradict each other."""
        for (cause, value), idle in self.idle.items():
            for name in filter(self.is_changed, idle if getattr(self, cause) == value else ()):
                yield f"{name} has no effect with {cause}={value!r}: leave out one of them"
        for name in sorted(self.rules.fixed_options):
            value = self.rules.options.get(name, self.declarations()[name].default)
            given = getattr(self, name)
            if given != value:
                yield f"{name} must be {value!r} with preset={self.preset!r}, got {given!r}"

    def check_for(self, corpus: Corpus, has_baseline: bool = False) -> None:
        """Raise if an option does not suit the data, and warn of options that mislead."""
        self.rules.warn(self, corpus)

    def for_one_example(self: Options) -> Options:
        """Return the options for one example; user-defined functions are called once per text."""
        values: dict[str, Any] = {"use_aggregator": False}
        for name, option in self.declarations().items():
            if option.is_of_corpus:
                values[name] = option.default
            elif name in ("tokenizer", "sentence_splitter") and callable(getattr(self, name)):
                values[name] = cache(getattr(self, name))
        return dataclasses.replace(self, **values)

    def seed_or(self, load_seed: int) -> int:
        """Return the seed of the options, else the seed of `load`."""
        return load_seed if self.seed is None else self.seed

    def resampling(self, load_seed: int) -> Resampling:
        """Return how intervals and paired tests are computed."""
        return Resampling(
            confidence_level=self.confidence_level,
            n_resamples=self.n_resamples,
            seed=self.seed_or(load_seed),
            paired_test=self.paired_test,
        )


Options = TypeVar("Options", bound=CheckedOptions)

# --- options of load, of a preset and of a call -----------------------------------------

_ARGUMENTS_OF_COMPUTE = ("predictions", "references", "baseline_predictions")


def checked_options(
    options_class: type[Options],
    given: Mapping[str, Any],
    load_options: Mapping[str, Any] = {},
    caller: str = "compute",
    other_arguments: Sequence[str] = _ARGUMENTS_OF_COMPUTE,
) -> Options:
    """Return the options of a call, checked; errors name `caller` and `other_arguments`."""
    _check_option_names(options_class, given, caller, other_arguments)
    keys: list[Any] = [_cache_key(given), _cache_key(load_options)]
    if None in keys:
        return options_class(**merged_values(options_class, given, load_options))
    remembered: Any = options_class
    found: Options = _cached_options(remembered, *keys)
    return found


def _cache_key(values: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return options as a key, or None if a value may change or is not a plain one."""
    parts = []
    for name, value in values.items():
        kind = type(value)  # as 1 == True
        if kind is list and set(map(type, value)) == {str}:
            value = tuple(value)
        elif not (value is None or kind in (str, bool, int)):
            return None
        parts.append((name, kind, value))
    return tuple(parts)


@lru_cache(maxsize=128)
def _cached_options(options_class: Any, *keys: Any) -> Any:
    """Return the checked options of `given` and `load_options`, which are passed as keys."""
    given, at_load = (
        {name: list(value) if kind is list else value for name, kind, value in key} for key in keys
    )
    return options_class(**merged_values(options_class, given, at_load))


def merged_values(
    options_class: type[CheckedOptions], given: Mapping[str, Any], at_load: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the value of each option that is given anywhere; the module says which one wins.

    Options of a call win over its preset, that over options of `load`, and these over its preset:

    >>> from rouge_bleu._rouge.options import RougeOptions
    >>> at_load = {"preset": "matlab", "output": "recall", "beta": 2.0}
    >>> merged_values(RougeOptions, {"preset": "rouge_score"}, at_load)["output"]
    'recall'
    >>> merged_values(RougeOptions, {"preset": "ignite", "beta": 1.0}, at_load)["output"]
    'all'
    """
    of_preset = _values_of_preset(options_class, given.get("preset"))
    load_preset = None if "preset" in given else at_load.get("preset")
    of_load_preset = _values_of_preset(options_class, load_preset)
    kept = {
        name: value
        for name, value in at_load.items()
        if options_class.rivals.get(name) not in of_preset
    }
    values = {**of_load_preset, **kept, **of_preset, **given}
    of_user = given.keys() | (kept.keys() - of_preset.keys())
    idle = {rival for name, rival in options_class.rivals.items() if name in values}
    for (name, value), others in options_class.idle.items():
        if _is_bool(values.get(name)) or isinstance(values.get(name), str):
            idle |= {*others} if values[name] == value else set()
    return {name: value for name, value in values.items() if name in of_user or name not in idle}


def _values_of_preset(options_class: type[CheckedOptions], name: Any) -> Mapping[str, Any]:
    return {} if name is None else dict(options_class.rules_of_preset(name).options)


def checked_load_options(
    options_class: type[CheckedOptions],
    config_name: str | None,
    given: Mapping[str, Any],
    *,
    seed: int | None = None,
    other_arguments: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the options of `evaluate.load`, each checked alone; `config_name` is a preset."""
    _check_option_names(options_class, given, "load", other_arguments)
    options = dict(given)
    if config_name not in (None, "default"):
        preset = options.setdefault("preset", config_name)
        if preset != config_name:
            raise ValueError(
                f"load() got two presets, the configuration name {config_name!r}"
                f" and preset={preset!r}: pass one of them"
            )
    of_preset = _values_of_preset(options_class, options.get("preset"))
    if seed is not None and "seed" in of_preset:
        options["seed"] = seed
    for name, value in options.items():
        option = options_class.declarations()[name]
        if value is not option.default:
            options[name] = option.check(name, value)
    return copy_of_options(options)


def copy_of_options(value: Any) -> Any:
    """Return a copy of options, with copies of their lists, dicts and arrays."""
    if isinstance(value, Mapping):
        return {name: copy_of_options(one) for name, one in value.items()}
    return copy.copy(value) if isinstance(value, (list, set, np.ndarray)) else value


def _check_option_names(
    options_class: type[CheckedOptions],
    given: Mapping[str, Any],
    caller: str,
    other_arguments: Sequence[str],
) -> None:
    """Raise if a name is not an option, and suggest the name that is meant."""
    for name in given:
        if name in options_class.declarations():
            continue
        known = [*other_arguments, *options_class.declarations()]
        other, other_class = _other_metric_options(options_class.metric)
        of_other = other_class.declarations()
        meant = name if name in of_other else close_name(name, known) or close_name(name, of_other)
        if name_here(name, known) == "":
            hint = ". Leave it out: it changes no score"
        elif meant in known:
            hint = f". Did you mean {meant!r}?"
        elif meant:
            hint = f". {meant!r} is an option of {other}"
        else:
            hint = f", it takes {', '.join(known)}"
        raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}{hint}")
