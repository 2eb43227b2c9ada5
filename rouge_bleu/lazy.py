"""A property that is computed when it is first asked for, and then kept.

`functools.cached_property` is that too, but up to Python 3.11 it holds one lock for all
objects of a class while it computes, so that threads would wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class lazy_property(Generic[Value]):
    """Decorator of a method without arguments; its value takes the method's place.

    Two threads that ask at the same time may both compute the value, which is the same.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, owner: Any, kind: type | None = None) -> Value:
        if owner is None:
            return self  # type: ignore[return-value]
        value = self.compute(owner)
        # The object's own attribute is found before this one; frozen dataclasses allow
        # it, since nothing is set by name.
        owner.__dict__[self.name] = value
        return value
