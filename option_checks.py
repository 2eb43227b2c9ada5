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


# Other names that arguments have elsewhere, in sacreBLEU and in training scripts.
_OTHER_NAMES = {
    **dict.fromkeys(
        ("prediction", "preds", "pred", "hypotheses", "candidates"), "predictions"
    ),
    **dict.fromkeys(("reference", "refs", "ref", "labels", "targets"), "references"),
    "smooth_method": "smoothing",
    "smooth_value": "smoothing_value",
    "use_effective_order": "effective_order",
    "tokenize": "tokenizer",
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
    other = _OTHER_NAMES.get(name)
    near = [other] if other in names else difflib.get_close_matches(name, names, n=1)
    return f". Did you mean {near[0]!r}?" if near else f", it takes {', '.join(names)}"


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Raise where a value is none of the choices, with the nearest of them."""
    if not isinstance(value, str) or value not in choices:
        near = []
        if isinstance(value, str):
            near = difflib.get_close_matches(value, choices, n=1, cutoff=0.65)
        hint = f". Did you mean {near[0]!r}?" if near else ""
        listed = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
        raise ValueError(f"{name} must be {listed}, got {value!r}{hint}")


def check_flag(name: str, value: Any) -> None:
    """Raise where a value is neither True nor False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")


def check_integer(
    name: str, value: Any, *, minimum: int, maximum: int | None = None
) -> None:
    """Raise where a value is no integer within the limits."""
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
