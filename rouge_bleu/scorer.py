"""From the arguments of a call to its result, in both ways to call a metric.

    arguments -> checked options and corpus -> result -> signature

The functions of the package (`scorer.py`) and the methods of a loaded metric
(`evaluate_metric.py`) come here, so that they check, score and explain alike.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec

from .corpus import Corpus, checked_baseline, checked_corpus, checked_item
from .data.texts_in_lists import check_tokens
from .messages import shown
from .options.checked import CheckedOptions, checked_options, remembered_options
from .options.signature import signature_line
from .options.signature_parts import Part, ScoredRun

Texts = Collection[str] | Collection[Sequence[str]]
References = Texts | Collection[Sequence[Sequence[str]]]

_Declared = ParamSpec("_Declared")
_Function = Callable[_Declared, dict[str, Any]]
_NO_OPTIONS: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Scorer:
    """A metric: its name, its options, and what scores and explains a checked corpus.

    `score` takes a corpus, options, the seed where the options have none, and a corpus
    with the predictions of another system, or None. `explanation` takes a corpus of one
    item, and options. `signature_parts` says how options stand in a signature.
    """

    name: str
    options_class: type[CheckedOptions]
    signature_parts: tuple[Part, ...]
    score: Callable[[Corpus, Any, int, Corpus | None], dict[str, Any]]
    explanation: Callable[[Corpus, Any], dict[str, Any]]

    def options(
        self,
        given: Mapping[str, Any],
        load_options: Mapping[str, Any] = _NO_OPTIONS,
        caller: str = "compute",
    ) -> Any:
        """Return the checked options of a call that scores, or raise."""
        return remembered_options(self.options_class, given, load_options, caller)

    def called(
        self,
        predictions: Any,
        references: Any,
        baseline_predictions: Any,
        given: Mapping[str, Any],
        caller: str,
    ) -> dict[str, Any]:
        """Return the result of the arguments of a call.

        Raises
        ------
        TypeError, ValueError, ImportError
            As in `compute` of the metric.
        """
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
        run = ScoredRun.of_corpus(corpus, seed, has_baseline=baseline is not None)
        line = signature_line(self.name, self.signature_parts, options, run)
        return {**result, "signature": line}

    def explained(
        self,
        prediction: Any,
        reference: Any,
        given: Mapping[str, Any],
        load_options: Mapping[str, Any] = _NO_OPTIONS,
        caller: str = "explain",
    ) -> dict[str, Any]:
        """Return what the score of one item is made of."""
        options = checked_options(
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


def baseline_of(baseline_predictions: Any, corpus: Corpus) -> Corpus | None:
    """Return the checked predictions of another system for the same references."""
    if baseline_predictions is None:
        return None
    baseline = checked_baseline(baseline_predictions, corpus)
    check_tokens(baseline, "baseline_predictions")
    return baseline


# --- functions from their declarations ------------------------------------------------

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
