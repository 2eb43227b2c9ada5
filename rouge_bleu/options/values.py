"""Checks of the values of options: each names the option, what it must be and what it was."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..messages import shown, written
from .names_elsewhere import hint_of_choice

_MAX_SEED = 2**32 - 1  # of numpy's legacy generator


def check_choice(name: str, value: Any, choices: Sequence[str], others: str = "") -> None:
    """Raise where a value is none of the choices, with the nearest of them.

    `others` says what else the option takes.
    """
    if not isinstance(value, str) or value not in choices:
        hint = hint_of_choice(name, value, choices) if isinstance(value, str) else ""
        raise ValueError(
            f"{name} must be {alternatives(choices)}{others}, got {written(value)}{hint}"
        )


def alternatives(choices: Sequence[str]) -> str:
    """Return the choices as a message lists them."""
    return ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"


def check_flag(name: str, value: Any) -> None:
    """Raise where a value is neither True nor False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")


def check_integer(
    name: str, value: Any, *, minimum: int, maximum: int | None = None, reason: str = ""
) -> None:
    """Raise where a value is no integer in the limits; `reason` is why there is a maximum."""
    if not _is_integer(value) or value < minimum:
        raise ValueError(f"{name} must be an integer >= {minimum}, got {written(value)}")
    if maximum is not None and value > maximum:
        why = f": {reason}" if reason else ""
        raise ValueError(f"{name} must be at most {maximum}, got {written(value)}{why}")


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def check_seed(value: Any) -> None:
    """Raise where this is no seed of numpy's generators."""
    check_integer("seed", value, minimum=0, maximum=_MAX_SEED)


def check_jobs(value: Any) -> None:
    """Raise where `n_jobs` is no integer, or 0."""
    if not _is_integer(value) or value == 0:
        raise ValueError(
            "n_jobs must be an integer from 1, or -1 for all cores, -2 for all but one, "
            f"got {written(value)}"
        )


def is_number(value: Any) -> bool:
    """Whether this is a number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return False
    try:
        number = float(value)
    except OverflowError:
        return False
    return not math.isinf(number) or value in (math.inf, -math.inf)


def check_number(name: str, value: Any, *, minimum: float, may_be_infinite: bool = False) -> None:
    """Raise where a value is no number from the minimum on."""
    is_accepted = is_number(value) and value >= minimum
    if not is_accepted or (math.isinf(value) and not may_be_infinite):
        infinite = ", or math.inf" if may_be_infinite else ""
        raise ValueError(f"{name} must be a number >= {minimum:g}{infinite}, got {written(value)}")


def check_level(name: str, value: Any) -> None:
    """Raise where a value is no float between 0 and 1."""
    if not isinstance(value, (float, np.floating)) or not 0 < value < 1:
        raise ValueError(
            f"{name} must be a number between 0 and 1 such as 0.95, got {written(value)}"
        )


def check_zero_division(value: Any) -> None:
    """Raise where a value is neither 0 nor NaN."""
    if not is_number(value) or not (value == 0 or math.isnan(value)):
        raise ValueError(f"zero_division must be 0.0 or math.nan, got {written(value)}")


def check_tokenizer(value: Any, names: Sequence[str]) -> None:
    """Raise where a value is neither a function nor one of the names."""
    if not callable(value):
        if not isinstance(value, str):
            raise TypeError(
                "tokenizer must be a name or a function from a string to a list of "
                f"strings, got {shown(value)}"
            )
        check_choice("tokenizer", value, names)
