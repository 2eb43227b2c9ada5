"""What users read: values shown in errors, and warnings at the caller's line."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any


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
    """Warn in the name of the line that called the metric, whatever modules of ours and
    of `evaluate` are between.
    """
    _, level = _caller()
    warnings.warn(message, stacklevel=level)


def was_shown_to_caller(message: str) -> bool:
    """Whether Python has shown a warning to the line that called, and would not show it again."""
    frame, _ = _caller()
    shown_there = frame.f_globals.get("__warningregistry__", ())
    return (message, UserWarning, frame.f_lineno) in shown_there


def _caller() -> tuple[FrameType, int]:
    """Return the frame that called the metric, and the `stacklevel` of `warn_caller` for it."""
    frame, level = sys._getframe(2), 2
    while frame.f_back is not None and _is_between(frame.f_globals.get("__name__")):
        frame, level = frame.f_back, level + 1
    return frame, level


# `evaluate` loads metrics below `evaluate_modules`; the last one is this package.
_PACKAGES_BETWEEN = ("evaluate", "evaluate_modules", __name__.partition(".")[0])


def _is_between(module: Any) -> bool:
    """Whether a module belongs to this package or `evaluate`."""
    return str(module).partition(".")[0] in _PACKAGES_BETWEEN
