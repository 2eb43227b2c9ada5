"""ROUGE and BLEU in other packages; each module is named after its package.

docs/integrations.md has an example of each. `import rouge_bleu` imports none of them.
"""

from __future__ import annotations

import pkgutil
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from .._bleu.api import bleu as bleu_of_texts  # `rouge` is a module here
from .._rouge.api import rouge as rouge_of_texts

Scores = Callable[[Sequence[Any], Sequence[Any]], list[float]]  # predictions, references -> scores

_TEXT = "one two three four five six seven eight nine ten"
# What a module has for itself; modules that are run, and define flags.
_OF_MODULE = (
    "__name__",
    "__spec__",
    "__loader__",
    "__package__",
    "__path__",
    "__file__",
    "__doc__",
)
_PROGRAMS = ("__main__", "_test", "_files", "rouge_score.rouge")
_NOT_HERE = ("baseline_predictions", "confidence_level", "signature", "use_aggregator")


def checked_keys(
    score: Any, options: dict[str, Any], *, has_one: bool = False, of_examples: bool = False
) -> list[str]:
    """Return the keys of the result of `score`, or raise, before a model runs; make iterators lists."""
    for name, value in options.items():
        if name in _NOT_HERE:
            raise ValueError(f"{name} is an option of rouge_bleu.{score.__name__}, but not here")
        options[name] = list(value) if isinstance(value, Iterator) else value
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they come again with the texts of the user
        keys = list(score([_TEXT], [_TEXT], **options, use_aggregator=not of_examples))
    if has_one and len(keys) > 1:
        raise ValueError(f"these options must give one score, got {', '.join(keys)}")
    return keys


def rouge_scores(rouge_type: str, options: dict[str, Any]) -> Scores:
    """Return the function that scores each example by ROUGE of one type."""
    return _scores(rouge_of_texts, dict(rouge_types=[rouge_type], **options))


def bleu_scores(options: dict[str, Any]) -> Scores:
    """Return the function that scores each example by sentence BLEU, smoothed unless options say how."""
    return _scores(bleu_of_texts, {"smoothing": "exp", **options, "output": "score"})


def _scores(score: Any, options: dict[str, Any]) -> Scores:
    [key] = checked_keys(score, options, has_one=True, of_examples=True)
    return lambda predictions, references: score(
        predictions, references, **options, use_aggregator=False
    )[key]


def mirror(
    package: str, original: str, swaps: Sequence[tuple[Any, Any]], modules: Sequence[str]
) -> None:
    """Put the modules of another package below our module, and replace some of their objects.

    Args:
        package (str): our package, such as rouge_bleu.integrations.sacrebleu
        original (str): theirs, such as sacrebleu
        swaps (list of pairs): an object of theirs, and ours
        modules (list of str): those that name these objects, such as ".metrics"; "" is the package
            itself. They are copied, each after those that it imports; others stay the originals.
    """
    for found in pkgutil.walk_packages(import_module(original).__path__, f"{original}."):
        if not found.name.endswith(_PROGRAMS):
            with suppress(ImportError, RuntimeError):  # it needs other packages
                own = package + found.name.removeprefix(original)
                theirs = import_module(found.name)
                if found.name.removeprefix(original) not in modules:
                    sys.modules[own] = theirs
    ours_of = {id(theirs): ours for theirs, ours in swaps}
    for module in modules:
        theirs = import_module(original + module)
        copied: Any = sys.modules.setdefault(package + module, ModuleType(package + module))
        changed: set[str] = set()
        for name, value in list(vars(theirs).items()):
            ours = ours_of.get(id(value), value)
            calls_ours = isinstance(value, FunctionType) and changed & {*value.__code__.co_names}
            if calls_ours and ours is value:
                ours = ours_of[id(value)] = _with_globals(value, vars(copied))
            if ours is not value:
                changed.add(name)
            if name not in _OF_MODULE:
                setattr(copied, name, ours)
        ours_of[id(theirs)] = copied


def _with_globals(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """Return a copy of a function that looks names up in another module, where pickle finds it."""
    copied = FunctionType(function.__code__, names, None, function.__defaults__)
    copied.__kwdefaults__, copied.__doc__ = function.__kwdefaults__, function.__doc__
    copied.__annotations__, copied.__module__ = function.__annotations__, names["__name__"]
    return copied
