"""A property that is computed once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import cached_property
from typing import Any, TypeVar

Value = TypeVar("Value")


def lazy_property(compute: Callable[[Any], Value]) -> cached_property[Value]:
    """Return a `cached_property` without its lock, which a fork may inherit locked.

    Up to Python 3.11 that lock is one for all objects of a class. Two threads may both compute the
    value, which is the same.
    """
    made = cached_property(compute)
    made.lock = nullcontext()  # type: ignore[attr-defined]
    return made
