"""Functions that score and explain: the signature and the text of a metric, in one place.

`rouge/functions.py` and `bleu/functions.py` declare them. `compute` and `explain` of a
loaded metric take their text and their options from the same declarations.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from typing import Any, ParamSpec

from ..messages import shown
from .scorer import Scorer

Texts = Collection[str] | Collection[Sequence[str]]
References = Texts | Collection[Sequence[Sequence[str]]]

_Declared = ParamSpec("_Declared")
_Function = Callable[_Declared, dict[str, Any]]
_EXAMPLES = "\n\nExamples:\n"


def scores_of(scorer: Scorer) -> Callable[[_Function], _Function]:
    """Return a decorator of a declaration, which has a signature and a text and no code.

    What it makes of it scores predictions against references. An option that a call
    gives wins over the preset, and one that it leaves out does not: only the call knows
    which is which, so the function itself takes any options. It can be called without
    texts, so that an error says what a misspelt name of theirs means.
    """

    def function_of(declared: _Function) -> _Function:
        @functools.wraps(declared)
        def function(
            predictions: Any = None,
            references: Any = None,
            *others: Any,
            baseline_predictions: Any = None,
            **options: Any,
        ) -> dict[str, Any]:
            _check_no_others(others, declared.__name__)
            arguments = predictions, references, baseline_predictions, options
            return scorer.called(*arguments, caller=declared.__name__)

        return function

    return function_of


def explanations_of(scorer: Scorer) -> Callable[[_Function], _Function]:
    """Return a decorator like that of `scores_of`, for a function that explains an item."""

    def function_of(declared: _Function) -> _Function:
        @functools.wraps(declared)
        def function(
            prediction: Any = None, reference: Any = None, *others: Any, **options: Any
        ) -> dict[str, Any]:
            _check_no_others(others, declared.__name__)
            return scorer.explained(prediction, reference, options, caller=declared.__name__)

        return function

    return function_of


def _check_no_others(others: Sequence[Any], caller: str) -> None:
    """Raise where something stands behind the texts without a name."""
    if others:
        raise TypeError(
            f"{caller}() takes options by name, as in output=..., got {shown(others[0])} behind "
            "the texts"
        )


def text_without_examples(function: Callable[..., Any]) -> str:
    """Return the text of a function up to its examples; nothing under `python -OO`."""
    return (inspect.getdoc(function) or "").partition(_EXAMPLES)[0]


def signature_of_method(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a method that takes what a function takes, all by name."""
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    signature = inspect.signature(function)
    named = [
        parameter.replace(
            kind=inspect.Parameter.KEYWORD_ONLY,
            default=None if parameter.default is inspect.Parameter.empty else parameter.default,
        )
        for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=[own, *named])
