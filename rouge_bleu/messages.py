"""What users read: values shown in errors, hints, and warnings at the caller's line."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

import numpy as np


def shown(value: Any) -> str:
    """Return type and value for an error message."""
    if value is None:
        return "None"
    text = " ".join(written(value).split())
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def written(value: Any) -> str:
    """Return the repr of any value; lists in lists may be too deep for one."""
    try:
        return repr(value)
    except RecursionError:
        return "<nested too deeply to show>"


def hint(value: Any, *, missing: str = "put an empty string there") -> str:
    """Return a hint for somebody who passed this where text is expected."""
    if isinstance(value, str):
        return ": put a single text into a list"
    if is_missing(value):
        return f": if a value is missing, {missing}"
    if isinstance(value, (bytes, bytearray)):
        return ": decode it first"
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return ": decode token ids to text first"
    if hasattr(value, "as_py"):  # a scalar of Arrow
        return ": turn the Arrow array into a list with to_pylist()"
    return ""


def is_missing(value: Any) -> bool:
    """Whether this is a missing value, such as None or NaN."""
    if isinstance(value, (float, np.floating)):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def check_encodable(name: str, text: str) -> None:
    """Raise a ValueError if a string that a user's function returned has a lone surrogate."""
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{name} must return valid Unicode text, got a lone surrogate in {text!a:.60}"
        ) from None


def warn_caller(message: str) -> None:
    """Warn at the line that called the metric, outside of this package and `evaluate`."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and _is_between(frame.f_globals.get("__name__")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)


# `evaluate` loads metrics below `evaluate_modules`; the last one is this package.
_PACKAGES_BETWEEN = ("evaluate", "evaluate_modules", __name__.partition(".")[0])


def _is_between(module: Any) -> bool:
    """Whether a module belongs to this package or `evaluate`."""
    return str(module).partition(".")[0] in _PACKAGES_BETWEEN
