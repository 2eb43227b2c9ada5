"""What users read: values shown in errors, hints, and warnings at the caller's line."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

import numpy as np


def shown(value: Any) -> str:
    """Return type and value, as an error message shows them."""
    if value is None:
        return "None"
    text = " ".join(repr(value).split())
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def hint(value: Any) -> str:
    """Return what may help somebody who passed this where text is expected."""
    if isinstance(value, str):
        return ": put a single text into a list"
    if type(value).__name__ in ("NAType", "NaTType") or (
        isinstance(value, float) and math.isnan(value)
    ):
        return ": if a value is missing, put an empty string there"
    if isinstance(value, (bytes, bytearray)):
        return ": decode it first"
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return ": decode token ids to text first"
    return ""


def check_encodable(name: str, text: str) -> None:
    """Raise where a string that a function of the user returned has a lone surrogate."""
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
    frame, level = sys._getframe(1), 2
    own_packages = ("evaluate", __name__.rpartition(".")[0] or __name__)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(
        own_packages
    ):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, stacklevel=level)
