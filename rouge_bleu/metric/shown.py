"""What a metric shows of itself: the options of its methods, and its text.

`compute` and `explain` take any options, so that their checks can say what is wrong with
a name. What `help`, `inspect.signature` and the completion of a notebook show are the
signature and the text of the functions that do the same (`scorer.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from types import FunctionType
from typing import Any

from ..messages import written
from ..scorer import signature_of_method, text_without_examples

_MAX_LETTERS = 60  # of the value of an option


def show_options(metric_class: Any) -> None:
    """Give a class a `compute` and an `explain` of its own, which show their options."""
    for name, function in (
        ("compute", metric_class.function),
        ("explain", metric_class.explain_function),
    ):
        method = _copied(getattr(metric_class, name))
        method.__signature__ = signature_of_method(function)  # type: ignore[attr-defined]
        if name == "explain" and method.__doc__ is not None:
            method.__doc__ += f"\n{text_without_examples(function)}\n"
        setattr(metric_class, name, method)


def _copied(function: FunctionType) -> FunctionType:
    """Return a function of the same code: a wrapper would be one more caller."""
    copy = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__doc__ = function.__doc__ and inspect.cleandoc(function.__doc__)
    copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
    return copy


def show_options_of_object(metric: Any) -> None:
    """Let the `compute` of an object show what that of its class does.

    `evaluate` makes a function of it for each object, with the text of all options.
    """
    method: Callable[..., Any] = vars(metric)["compute"].__func__
    method.__signature__ = inspect.signature(type(metric).compute)  # type: ignore[attr-defined]


def short_text(name: str, version: str, options: Mapping[str, Any], n_items: int) -> str:
    """Return what stands for a metric in a console: it has thousands of letters of help."""
    given = [f"{option}={_short(value)}" for option, value in options.items()]
    lines = [
        f"{name} {version}",
        *([f"options of load: {', '.join(given)}"] if given else []),
        f"items added: {n_items}",
        "help(metric.compute) says what it takes and gives",
    ]
    return "\n".join(lines)


def _short(value: Any) -> str:
    text = " ".join(written(value).split())
    return text if len(text) <= _MAX_LETTERS else text[: _MAX_LETTERS - 3] + "..."


def check_names(method: str, unnamed: tuple[Any, ...], unknown: Iterable[str] = ()) -> None:
    """Raise where a method got arguments without their names, or with unknown ones."""
    singular = "prediction=..., reference=..."
    names = singular if method in ("add", "explain") else "predictions=..., references=..."
    if unnamed:
        raise TypeError(f"{method}() takes its arguments by name: {names}")
    for name in unknown:
        raise TypeError(f"{method}() got an unexpected keyword argument {name!r}: it takes {names}")
