"""What is taken for a list: tuples, numpy arrays, Series, Arrow arrays, dataset columns.

A list-like has a length and an order. A string, a dict, a set, a generator or a table is
none; the error says how to make a list of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any

from ..messages import hint, shown

_N_NAMES_SHOWN = 5


def is_listlike(value: Any) -> bool:
    """Whether this is taken for a list."""
    not_lists = (str, bytes, bytearray, memoryview, Mapping)
    if isinstance(value, not_lists) or _is_table(value):
        return False
    return isinstance(value, Sequence) or (
        _list_method(value) is not None and getattr(value, "ndim", 1) > 0
    )


def as_list(value: Any, place: str, expected: str, hint: Callable[[Any], str] = hint) -> list[Any]:
    """Return a list-like as a list; a list is returned as it is.

    Parameters
    ----------
    value : object
    place, expected : str
        Where it stands and what it must be, for the error.
    hint : callable
        From what is no list-like to a hint for the error, or "".

    Raises
    ------
    TypeError
        It is no list-like.
    """
    if type(value) is list:
        return value
    if not is_listlike(value):
        remedy = hint_of_container(value) or hint(value)
        raise TypeError(f"{place} must be {expected}, got {shown(value)}{remedy}")
    to_list = _list_method(value)
    if to_list is not None:
        return to_list()
    try:
        return list(value[:])  # of a column of a dataset a slice is a list at once
    except TypeError:
        return list(value)


def check_not_numbers(column: Any, place: str, expected: str) -> None:
    """Raise where an array holds numbers, before lists are made of it: those of logits
    would fill the memory.
    """
    kind = getattr(getattr(column, "dtype", None), "kind", "")
    if kind not in ("i", "u", "f") or getattr(column, "ndim", 1) < 2:
        return
    remedy = ": decode token ids to text first"
    if kind == "f":
        remedy = ": if these are logits, decode the token ids of the highest to text"
    raise TypeError(
        f"{place} must be {expected}, got {type(column).__name__} of {column.dtype}, "
        f"shape {column.shape}{remedy}"
    )


def hint_of_container(value: Any) -> str:
    """Return how to make a list of what holds values but is no list-like, else "".

    >>> hint_of_container({"text": ["a", "b"]})
    ": take what is under one of its keys: 'text'"
    >>> hint_of_container(map(str, [1, 2]))
    ': make a list of it with list(...)'
    """
    if isinstance(value, Mapping):
        return f": take what is under one of its keys{_listed(list(value))}"
    if _is_table(value):
        return _hint_of_table(value)
    if isinstance(value, Set):
        return ": a set has no order, give a list"
    if isinstance(value, (str, bytes, bytearray, memoryview, type)):
        return ""
    if hasattr(value, "as_py") or getattr(value, "ndim", 1) == 0:  # scalars
        return ""
    if is_listlike(value):
        return ""
    if hasattr(value, "__iter__") or hasattr(value, "__getitem__"):
        return ": make a list of it with list(...)"
    return ""


def _hint_of_table(table: Any) -> str:
    if hasattr(table, "collect"):  # it is computed when it is asked for
        return ": collect it and take one of its columns"
    # The `columns` of an Arrow table are no names.
    names = getattr(table, "column_names", None)
    if names is None:
        names = getattr(table, "columns", None)
    listed = _listed([] if names is None else list(names))
    if not hasattr(table, "__len__"):  # a dataset that is streamed
        return f": make a list of one of its columns with list(...){listed}"
    return f": take one of its columns{listed}"


def _listed(names: list[Any]) -> str:
    if not names:
        return ""
    more = ", ..." if len(names) > _N_NAMES_SHOWN else ""
    return ": " + ", ".join(map(repr, names[:_N_NAMES_SHOWN])) + more


def _is_table(value: Any) -> bool:
    """Whether this is a DataFrame, an Arrow table or a whole dataset."""
    kind = type(value)
    return hasattr(kind, "column_names") or hasattr(kind, "columns")


def _list_method(value: Any) -> Callable[[], list[Any]] | None:
    """Return what makes a list of a numpy array, a Series, or an Arrow array."""
    for name in ("tolist", "to_pylist", "to_list"):
        if hasattr(value, name):
            return getattr(value, name)
    return None
