from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class lazy_property(Generic[Value]):
    """A property that is computed once; up to Python 3.11 `cached_property` makes threads wait."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute

    def __get__(self, owner: Any, kind: type) -> Value:
        # The object's own attribute is found before this one, in frozen dataclasses too.
        value = owner.__dict__[self.compute.__name__] = self.compute(owner)
        return value
