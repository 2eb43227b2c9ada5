"""From the arguments of a call to its result, for the functions of the package and for metrics.

arguments -> checked options and corpus -> result -> signature
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec

import numpy as np

from .aggregation import ItemStatistics
from .corpus import Corpus, check_tokens, checked_baseline, checked_corpus, checked_item
from .messages import shown
from .options import CheckedOptions, checked_options
from .signature import signature_line

Texts = Collection[str] | Collection[Sequence[str]]
References = Texts | Collection[Sequence[Sequence[str]]]

_Declared = ParamSpec("_Declared")
_Function = Callable[_Declared, dict[str, Any]]
_NO_OPTIONS: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Scorer:
    """A metric: its name, its options, and what scores and explains a checked corpus."""

    name: str
    options_class: type[CheckedOptions]
    # A corpus, options, the seed of `load`, and a corpus with the predictions of another system.
    score: Callable[[Corpus, Any, int, Corpus | None], dict[str, Any]]
    # Options -> what is kept of items; None where a score needs all items at once.
    statistics: Callable[[Any], ItemStatistics | None]
    # A corpus of one example, and options.
    explanation: Callable[[Corpus, Any], dict[str, Any]]

    def options(
        self,
        given: Mapping[str, Any],
        load_options: Mapping[str, Any] = _NO_OPTIONS,
        caller: str = "compute",
    ) -> Any:
        """Return the checked options of a call that scores, or raise."""
        return checked_options(self.options_class, given, load_options=load_options, caller=caller)

    def called(
        self,
        caller: str,
        /,
        predictions: Any = None,
        references: Any = None,
        *others: Any,
        baseline_predictions: Any = None,
        **given: Any,
    ) -> dict[str, Any]:
        """Return the result of the arguments of a call."""
        _check_no_others(others, caller)
        options = self.options(given, caller=caller)
        corpus = checked_corpus(predictions, references)
        return self.checked_result(corpus, options, baseline_predictions)

    def checked_result(
        self, corpus: Corpus, options: Any, baseline_predictions: Any = None, seed: int = 0
    ) -> dict[str, Any]:
        """Return the result of a corpus, after the checks of it as a whole."""
        has_baseline = baseline_predictions is not None
        options.check_form(is_tokenized=corpus.is_tokenized, has_baseline=has_baseline)
        if not len(corpus):
            raise ValueError("predictions is empty: there is nothing to score")
        check_tokens(corpus)
        baseline = baseline_of(baseline_predictions, corpus)
        return self.result(corpus, options, baseline, seed)

    def result(
        self, corpus: Corpus, options: Any, baseline: Corpus | None, seed: int
    ) -> dict[str, Any]:
        """Return the result of a corpus, with the signature if it is asked for."""
        result = self.score(corpus, options, seed, baseline)
        if not options.signature:
            return result
        n_references = np.diff(corpus.reference_offsets)
        line = signature_line(
            self.name,
            options,
            n_items=len(corpus),
            n_references=(int(n_references.min()), int(n_references.max())),
            is_tokenized=corpus.is_tokenized,
            seed=seed,
            has_baseline=baseline is not None,
        )
        return {**result, "signature": line}

    def explained(
        self,
        prediction: Any,
        reference: Any,
        given: Mapping[str, Any],
        load_options: Mapping[str, Any] = _NO_OPTIONS,
        caller: str = "explain",
    ) -> dict[str, Any]:
        """Return what the score of one example is made of."""
        options: Any = checked_options(
            self.options_class,
            given,
            load_options=load_options,
            caller=caller,
            other_arguments=("prediction", "reference"),
        )
        corpus = checked_item(prediction, reference)
        options.check_form(is_tokenized=corpus.is_tokenized)
        check_tokens(corpus)
        return self.explanation(corpus, options)

    def explanation_called(
        self,
        caller: str,
        /,
        prediction: Any = None,
        reference: Any = None,
        *others: Any,
        **given: Any,
    ) -> dict[str, Any]:
        """Return the explanation of the arguments of a call."""
        _check_no_others(others, caller)
        return self.explained(prediction, reference, given, caller=caller)


def baseline_of(baseline_predictions: Any, corpus: Corpus) -> Corpus | None:
    """Return the checked predictions of another system for the same references."""
    if baseline_predictions is None:
        return None
    baseline = checked_baseline(baseline_predictions, corpus)
    check_tokens(baseline, "baseline_predictions")
    return baseline


def _check_no_others(others: Sequence[Any], caller: str) -> None:
    """Raise where an argument without a name follows the texts."""
    if others:
        raise TypeError(
            f"{caller}() takes options by name, as in output=..., got {shown(others[0])} after "
            "the texts"
        )


# --- functions from their declarations ------------------------------------------------


def function_of(
    run: Callable[..., dict[str, Any]], options_like: Callable[..., Any] | None = None
) -> Callable[[_Function], _Function]:
    """Return a decorator of a declaration, which has a signature and a text and no code.

    Only the call knows which options are given and win over a preset. So the function passes
    its name and all arguments to `run`, also misspelt ones, which an error there names. The
    options of `options_like` take the place of `**options` in the signature that is shown.
    """

    def decorate(declared: _Function) -> _Function:
        @functools.wraps(declared)
        def function(*texts: Any, **arguments: Any) -> dict[str, Any]:
            return run(declared.__name__, *texts, **arguments)

        if options_like is not None:
            own = inspect.signature(declared)
            named = inspect.signature(options_like).parameters.values()
            options = [one for one in named if one.kind is one.KEYWORD_ONLY]
            texts = [one for one in own.parameters.values() if one.kind is not one.VAR_KEYWORD]
            shown_options = [one for one in options if one.name != "baseline_predictions"]
            function.__signature__ = own.replace(  # type: ignore[attr-defined]
                parameters=[*texts, *shown_options]
            )
        return function

    return decorate


# The section up to the next line that is not indented.
_EXAMPLES = re.compile(r"\n\nExamples:\n(?:\n| .*\n?)*", re.ASCII)


def text_without_examples(function: Callable[..., Any]) -> str:
    """Return the text of a function without its examples; nothing under `python -OO`."""
    return _EXAMPLES.sub("\n\n", inspect.getdoc(function) or "").strip()


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
