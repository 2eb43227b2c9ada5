"""Messages for users: values shown in errors, and warnings at the caller's line."""

from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any


class TextWarning(UserWarning):
    """Texts may have mistakes; docs/checks.md lists all checks."""


def shown(value: Any) -> str:
    """Return type and value for an error message."""
    if value is None:
        return "None"
    text = " ".join(safe_repr(value).split())
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def safe_repr(value: Any) -> str:
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


def warn_caller(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn in the name of the line that called this package or `evaluate`."""
    warnings.warn(message, category, stacklevel=_caller_frame_and_level()[1])


def text_warning_class() -> type[TextWarning]:
    """Return the class that users name, also in the copies of this package that `evaluate` makes."""
    installed = sys.modules.get("rouge_bleu.messages")
    category: type[TextWarning] = getattr(installed, "TextWarning", TextWarning)
    return category


def messages_new_to_caller(messages: dict[str, str]) -> dict[str, str]:
    """Return text warnings that Python has not shown to the line that called; others it hides."""
    frame, _ = _caller_frame_and_level()
    shown_there, category = frame.f_globals.get("__warningregistry__", ()), text_warning_class()
    line = frame.f_lineno
    return {one: messages[one] for one in messages if (one, category, line) not in shown_there}


def _caller_frame_and_level() -> tuple[FrameType, int]:
    """Return the frame that called the metric, and the `stacklevel` of `warn_caller` for it."""
    frame, level = sys._getframe(2), 2
    # `evaluate` loads metrics below `evaluate_modules`; the last one is this package.
    between = ("evaluate", "evaluate_modules", "sacrebleu", __name__.partition(".")[0])
    while frame.f_back and str(frame.f_globals.get("__name__")).partition(".")[0] in between:
        frame, level = frame.f_back, level + 1
    return frame, level
