"""A property that is computed once.

Up to Python 3.11 `functools.cached_property` holds one lock for all objects of a class while it
computes, so that threads wait for each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class lazy_property(Generic[Value]):
    """Decorator of a method without arguments; its value takes the method's place.

    Two threads may both compute the value, which is the same.
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    def __get__(self, owner: Any, kind: type | None = None) -> Value:
        if owner is None:
            return self  # type: ignore[return-value]
        value = self.compute(owner)
        # The object's own attribute is found before this one, in frozen dataclasses too.
        owner.__dict__[self.name] = value
        return value
