"""What is taken for a list: tuples, numpy arrays, Series, Arrow arrays, dataset columns.

A list-like has a length and an order. A string, a dict or a generator is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .messages import hint, shown


def is_listlike(value: Any) -> bool:
    """Whether this is taken for a list."""
    if isinstance(value, (str, bytes, bytearray, memoryview, dict)):
        return False
    return isinstance(value, Sequence) or (
        _list_method(value) is not None and getattr(value, "ndim", 1) > 0
    )


def _list_method(value: Any) -> Callable[[], list[Any]] | None:
    """Return what makes a list of a numpy array, a Series, or an Arrow array."""
    for name in ("tolist", "to_pylist", "to_list"):
        if hasattr(value, name):
            return getattr(value, name)
    return None


def as_list(value: Any, place: str, expected: str) -> list[Any]:
    """Return a list-like as a list.

    Parameters
    ----------
    value : object
    place, expected : str
        Where it stands and what it must be, for the error.

    Raises
    ------
    TypeError
        It is no list-like.
    """
    if type(value) is list:
        return value
    if not is_listlike(value):
        remedy = hint(value)
        if isinstance(value, str) and "list of tokens" in expected:
            remedy = ": split it into tokens as the predictions are"
        raise TypeError(f"{place} must be {expected}, got {shown(value)}{remedy}")
    to_list = _list_method(value)
    if to_list is not None:
        return to_list()
    try:
        return list(value[:])  # of a column of a dataset a slice is a list at once
    except TypeError:
        return list(value)
