"""The options of a call: of `load`, of presets and of the call itself, checked together.

Every error about an option is raised in this room or by the options themselves, before
any work: it names the option, what it must be and what it was.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from ..lazy import lazy_property
from ..resampling import MAX_RESAMPLES, PAIRED_TESTS, WHY_MAX_RESAMPLES, Resampling
from ..text.tokenizers import TOKENIZER_NAMES, Tokenizer
from .names_elsewhere import PRESETS_OF_ONE, hint_of_name
from .values import alternatives, check_choice, check_integer, check_level, check_seed

Rules = TypeVar("Rules")


@dataclass(frozen=True, kw_only=True)
class Preset(Generic[Rules]):
    """What stands for an implementation: values of options, and rules that no option has."""

    options: Mapping[str, Any]
    rules: Rules


class CheckedOptions:
    """Base of the frozen dataclass of a metric's options, which checks itself.

    `presets` is the table of presets that have a name, `tokenizers` the names that both
    metrics know. `conversions` turns an option that may be given in several forms into
    the one that is kept. `rivals` names an option of `load` that gives way where a preset
    of the call has the other. The fields are those of both metrics that are checked here.
    """

    presets: ClassVar[Mapping[str, Preset[Any]]]
    tokenizers: ClassVar[Sequence[str]] = TOKENIZER_NAMES
    conversions: ClassVar[Mapping[str, Callable[[Any], Any]]] = {}
    rivals: ClassVar[Mapping[str, str]] = {}

    tokenizer: str | Tokenizer | None
    use_aggregator: bool
    preset: str | None
    confidence_level: float | None
    n_resamples: int
    seed: int | None
    paired_test: str

    def __getstate__(self) -> dict[str, Any]:
        """Return the options: what follows from them is found again in another process."""
        fields = dataclasses.fields(self)  # type: ignore[arg-type]
        return {field.name: getattr(self, field.name) for field in fields}

    @classmethod
    def preset_of_name(cls, name: str) -> Preset[Any] | None:
        """Return the preset that a text stands for, or None."""
        return cls.presets.get(name)

    @classmethod
    def fixed_values(cls, preset: str | None) -> Mapping[str, Any]:
        """Return the values that options must have under a preset."""
        return {}

    @classmethod
    def options_of_line(cls, line: str) -> dict[str, Any] | None:
        """Return the options of a signature of another program; None: it is none."""
        return None

    @classmethod
    def values_of_fixed(cls, preset: Preset[Any]) -> dict[str, Any]:
        """Return the value of each fixed option of a preset: its own, or the default."""
        return {
            name: preset.options.get(name, getattr(cls, name))
            for name in sorted(preset.rules.fixed_options)
        }

    @classmethod
    def idle_options(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return options that have no effect beside these values.

        Where a preset has a value for one of them, it is dropped; where the user gave
        one, it is an error.
        """
        if is_flag(values.get("use_aggregator"), False):
            return frozenset({"confidence_level", "n_resamples"})
        return frozenset()

    def is_changed(self, name: str) -> bool:
        """Whether an option is not at its default."""
        return bool(getattr(self, name) != getattr(type(self), name))

    @lazy_property
    def chooses_tokenizer(self) -> bool:
        """Whether the tokenizer is another than the default one or that of the preset."""
        preset = None if self.preset is None else self.preset_of_name(self.preset)
        of_preset = {} if preset is None else preset.options
        return bool(self.tokenizer != of_preset.get("tokenizer"))

    def check_form(self, *, is_tokenized: bool, has_baseline: bool = False) -> None:
        """Raise where an option does not go with the data."""

    def check_fixed_options(self) -> None:
        """Raise where an option is given that must keep the value of the preset."""
        for name, value in self.fixed_values(self.preset).items():
            if getattr(self, name) != value:
                raise ValueError(
                    f"{name} must be {value!r} with preset={self.preset!r}, got "
                    f"{getattr(self, name)!r}"
                )

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
                raise ValueError(f"{name} needs a score of the corpus: use_aggregator=True")

    def seed_or(self, load_seed: int) -> int:
        """Return the seed: that of the options, else that of `load`."""
        return load_seed if self.seed is None else self.seed

    def resampling(self, load_seed: int) -> Resampling:
        """Return what is asked for about intervals and paired tests."""
        return Resampling(
            confidence_level=self.confidence_level,
            n_resamples=self.n_resamples,
            seed=self.seed_or(load_seed),
            paired_test=self.paired_test,
        )


def is_flag(value: Any, flag: bool) -> bool:
    """Whether a value is a bool, also of numpy, and this one."""
    return isinstance(value, (bool, np.bool_)) and bool(value) == flag


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

    An option may have several values. The last of these wins: that of the preset of
    `load`, that of `load`, that of the preset of this call, that of this call. A preset
    of this call takes the place of the preset of `load`, and so does `preset=None`.

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
    of_preset = _values_of_preset(options_class, preset)
    at_load = {
        name: value
        for name, value in at_load.items()
        if options_class.rivals.get(name) not in of_preset
    }
    values = {**_values_of_preset(options_class, preset_at_load), **at_load, **of_preset, **given}
    of_user = given.keys() | (at_load.keys() - of_preset.keys())
    for name in options_class.idle_options(values) - of_user:
        values.pop(name, None)
    for name, convert in options_class.conversions.items():
        if name in values:
            values[name] = convert(values[name])
    return options_class(**values)


def _check_preset(place: str, preset: Any, options_class: type[CheckedOptions]) -> None:
    """Raise where a preset is not known; if the other metric has it, the error says so."""
    presets = tuple(options_class.presets)
    if isinstance(preset, str):
        if options_class.preset_of_name(preset) is not None:
            return
        metric = preset.strip().partition("|")[0]
        if "|" in preset and metric in PRESETS_OF_ONE:
            raise ValueError(
                f"{place} must be a name, got a signature of {metric}: "
                f"evaluate.load({metric!r}).options_of_signature(line) gives its options"
            )
        # A command line of the Perl script is a preset of the same metric as its name.
        name = preset.lower().split(" ")[0].removesuffix(".pl")
        for metric, own in PRESETS_OF_ONE.items():
            is_own = name in own or f"{name}.pl" in own
            if is_own and not {name, f"{name}.pl"} & set(presets):
                raise ValueError(
                    f"{place} must be {alternatives(presets)}, got {preset!r}, which is a preset "
                    f"of {metric}"
                )
        if re.search(r"\w:[^|]+\||^BLEU\+", preset):
            raise ValueError(
                f"{place} must be a name or the whole line of another program, got "
                f"{preset!r:.80}; a signature of sacreBLEU is a preset of bleu_full, and "
                "begins with nrefs or BLEU+"
            )
    check_choice(place, preset, presets)


def _values_of_preset(options_class: type[CheckedOptions], name: str | None) -> Mapping[str, Any]:
    preset = None if name is None else options_class.preset_of_name(name)
    return {} if preset is None else preset.options


def _check_option_names(
    given: Iterable[str], names: Sequence[str], caller: str, other_arguments: Sequence[str]
) -> None:
    """Raise where a name is not known, and say what may have been meant."""
    known = [*other_arguments, *names]
    for name in given:
        if name not in names:
            raise TypeError(
                f"{caller}() got an unexpected keyword argument {name!r}"
                + hint_of_name(name, known, caller)
            )


# --- options of an earlier call -------------------------------------------------------

_PLAIN_VALUES = frozenset({str, int, float, bool, type(None)})
_LISTS = frozenset({list, tuple})

_Form = tuple[tuple[str, type, tuple[Any, ...], tuple[type, ...], str], ...]


def remembered_options(
    options_class: type[Options],
    given: Mapping[str, Any],
    load_options: Mapping[str, Any],
    caller: str = "compute",
) -> Options:
    """Return the `checked_options` of a call that scores, remembered from an earlier one.

    A reward function scores a few texts at a time, again and again with the same options,
    whose checks take as long as a text. Two sorts of options are checked each time: those
    that are refused, and those that hold anything but strings, numbers, flags and lists
    of these.
    """
    forms = _form_of_options(given), _form_of_options(load_options)
    if None in forms:
        return checked_options(options_class, given, load_options=load_options, caller=caller)
    return _options_of_forms(options_class, *forms, caller)  # type: ignore[arg-type]


def _form_of_options(options: Mapping[str, Any]) -> _Form | None:
    """Return the key under which options are remembered, or None for those that are not."""
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
    options_class: type[Options], given: _Form, load_options: _Form, caller: str
) -> Options:
    # The values are not those of the caller, whose lists may change.
    as_given, at_load = (
        {name: kind(values) if kind in _LISTS else values[0] for name, kind, values, *_ in form}
        for form in (given, load_options)
    )
    return checked_options(options_class, as_given, load_options=at_load, caller=caller)
