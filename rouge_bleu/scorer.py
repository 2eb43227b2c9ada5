"""From the arguments of a call to its result, for the functions of the package and for metrics.

    arguments -> checked options and corpus -> statistics of items -> sums or means -> result

A metric is a `Scorer`. How it scores under some options, also in batches (`streaming.py`), is a
`ScoringPlan`.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec

import numpy as np

from .checks import warn_of_texts
from .corpus import Corpus, check_tokens, checked_baseline, checked_corpus, checked_item
from .messages import shown
from .options import CheckedOptions, checked_options
from .resampling import Resampling, uncertainty, uncertainty_of_item_means, with_uncertainty
from .signature import signature_line

Texts = Collection[str] | Collection[Sequence[str]]
References = Texts | Collection[Sequence[Sequence[str]]]

_Declared = ParamSpec("_Declared")
_Function = Callable[_Declared, dict[str, Any]]


@dataclass(frozen=True, kw_only=True)
class ScoringPlan:
    """How statistics of examples are counted, summed and scored under some options.

    Statistics have a row for each statistic and a column for each example, or each sum of examples.
    """

    # "count", "length" (a count with a fraction): are summed; "score": is averaged without NaN
    kinds: Mapping[str, str]
    # (corpus, keeps_items) -> (n_statistics, n_items), or sums of items unless items are kept
    count: Callable[[Corpus, bool], np.ndarray]
    keys: list[str]  # the scores
    # (n_statistics, n_sums) -> (n_rows, n_sums): a row for each key, and others for `parts`
    scores: Callable[[np.ndarray], np.ndarray]
    item_scores: Callable[[np.ndarray], np.ndarray]  # the same for items by themselves
    # The other rows -> the other parts of a result, with a value for each column
    parts: Callable[[np.ndarray], dict[str, list[Any]]] = lambda rows: {}
    n_scored: int | None = None  # scores depend on so many first statistics only; None: all


@dataclass(frozen=True)
class Scorer:
    """A metric: its name, its options, and functions that score and explain a checked corpus."""

    name: str
    options_class: type[CheckedOptions]
    # A corpus, options, the seed of `load`, and a corpus with the predictions of another system.
    score: Callable[[Corpus, Any, int, Corpus | None], dict[str, Any]]
    # Options -> how examples are scored; None if a score needs all examples at once.
    plan: Callable[[Any], ScoringPlan | None]
    # A corpus of one example, and options.
    explanation: Callable[[Corpus, Any], dict[str, Any]]

    def options(
        self,
        given: Mapping[str, Any],
        load_options: Mapping[str, Any] = {},
        caller: str = "compute",
    ) -> Any:
        """Return the checked options of a call that scores, or raise."""
        return checked_options(self.options_class, given, load_options=load_options, caller=caller)

    def compute(
        self,
        caller: str,
        load_options: Mapping[str, Any],
        /,
        predictions: Any = None,
        references: Any = None,
        *,
        baseline_predictions: Any = None,
        **given: Any,
    ) -> dict[str, Any]:
        """Return the result of the arguments of a call."""
        options = self.options(given, load_options, caller)
        corpus = checked_corpus(predictions, references)
        return self.checked_result(corpus, options, baseline_predictions)

    def checked_result(
        self, corpus: Corpus, options: Any, baseline_predictions: Any = None, seed: int = 0
    ) -> dict[str, Any]:
        """Return the result of a corpus, after the checks of it as a whole."""
        if not len(corpus):
            raise ValueError("predictions is empty: there is nothing to score")
        self.check(corpus, options, has_baseline=baseline_predictions is not None)
        baseline = baseline_of(baseline_predictions, corpus)
        return self.result(corpus, options, baseline, seed)

    @staticmethod
    def check(corpus: Corpus, options: Any, *, has_baseline: bool = False) -> None:
        """Raise if options and texts do not go together, and warn of texts: for every kind of call."""
        options.check_form(is_tokenized=corpus.is_tokenized, has_baseline=has_baseline)
        check_tokens(corpus)
        warn_of_texts(corpus, options)

    def result(
        self, corpus: Corpus, options: Any, baseline: Corpus | None, seed: int
    ) -> dict[str, Any]:
        """Return the result of a corpus, with the signature if requested."""
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

    def explain(
        self,
        caller: str,
        load_options: Mapping[str, Any],
        /,
        prediction: Any = None,
        reference: Any = None,
        **given: Any,
    ) -> dict[str, Any]:
        """Return the explanation of the score of one example."""
        options: Any = checked_options(
            self.options_class,
            given,
            load_options=load_options,
            caller=caller,
            other_arguments=("prediction", "reference"),
        )
        corpus = checked_item(prediction, reference)
        self.check(corpus, options)
        return self.explanation(corpus, options)


def baseline_of(baseline_predictions: Any, corpus: Corpus) -> Corpus | None:
    """Return the checked predictions of another system for the same references."""
    if baseline_predictions is None:
        return None
    baseline = checked_baseline(baseline_predictions, corpus)
    check_tokens(baseline, "baseline_predictions")
    return baseline


# --- corpus -> result ------------------------------------------------------------------


def aggregated(plan: ScoringPlan, values: np.ndarray) -> np.ndarray:
    """Return the sums and means of statistics of examples, shape (n_statistics, 1)."""
    if values.shape[1] == 1:
        return values
    reduce: Mapping[str, Callable[[Any], Any]]
    reduce = {"count": np.sum, "length": math.fsum, "score": mean_of_defined}
    return np.array(
        [[reduce[kind](row)] for kind, row in zip(plan.kinds.values(), values, strict=True)]
    )


def score_corpora(
    plan: ScoringPlan, corpora: Sequence[Corpus], options: Any, seed: int
) -> dict[str, Any]:
    """Return the result for a corpus, and for a baseline if there is a second one."""
    is_resampled = options.confidence_level is not None or len(corpora) > 1
    keeps_items = is_resampled or not options.use_aggregator
    items = [plan.count(corpus, keeps_items) for corpus in corpora]
    keys, n_keys = plan.keys, len(plan.keys)
    if not options.use_aggregator:
        rows = [plan.item_scores(values) for values in items]
        found = with_uncertainty(keys, [of_system[:n_keys] for of_system in rows])
        return found | plan.parts(rows[0][n_keys:])
    rows = [plan.scores(aggregated(plan, values)) for values in items]
    parts = {name: of[0] for name, of in plan.parts(rows[0][n_keys:]).items()}
    scores = [of_system[:n_keys, 0] for of_system in rows]
    if not is_resampled:
        return dict(zip(keys, scores[0].tolist(), strict=True)) | parts
    with np.errstate(invalid="ignore"):  # weights such as 1e300 make infinite scores
        bounds = _uncertainty(plan, items, scores, options.resampling(seed))
    return with_uncertainty(keys, scores, bounds) | parts


def _uncertainty(
    plan: ScoringPlan,
    items: Sequence[np.ndarray],
    scores: Sequence[np.ndarray],
    resampling: Resampling,
) -> dict[str, np.ndarray]:
    def scores_of(sums: np.ndarray) -> np.ndarray:
        return plan.scores(sums)[: len(plan.keys)]

    if "score" in plan.kinds.values():
        columns = [values[: plan.n_scored] for values in items]
        return uncertainty_of_item_means(columns, scores, scores_of, resampling)
    columns = [values.astype(np.float64) for values in items]
    return uncertainty(columns, scores, scores_of, resampling)


def mean_rounded_once(values: np.ndarray) -> float:
    """Return the mean of floats, rounded only once, so that their order changes no digit."""
    if not math.isfinite(values.sum()):
        return float(values.mean())
    floats = values.tolist()
    total = math.fsum(floats)
    rest = math.fsum([*floats, -total])  # what `total` was rounded by
    (n, d), (n_rest, d_rest) = total.as_integer_ratio(), rest.as_integer_ratio()
    return (n * d_rest + n_rest * d) / (d * d_rest * len(floats))


def mean_of_defined(scores: np.ndarray) -> float:
    """Return the mean of the scores that are not NaN; NaN if all are NaN."""
    scores = scores[~np.isnan(scores)]
    return mean_rounded_once(scores) if len(scores) else math.nan


# --- functions from their declarations ------------------------------------------------


def function_of(
    run: Callable[..., dict[str, Any]], options_like: Callable[..., Any] | None = None
) -> Callable[[_Function], _Function]:
    """Return a decorator of a declaration, which has a signature and a text and no code.

    The function passes to `run` its name, no options of `load`, and only arguments that are given, as
    these win over a preset.
    The options of `options_like` take the place of `**options` in the signature that is shown.
    """

    def decorate(declared: _Function) -> _Function:
        @functools.wraps(declared)
        def function(*texts: Any, **arguments: Any) -> dict[str, Any]:
            if len(texts) > 2:
                raise TypeError(
                    f"{declared.__name__}() takes options by name, as in output=..., got "
                    f"{shown(texts[2])} after the texts"
                )
            return run(declared.__name__, {}, *texts, **arguments)

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
    """Return the signature of a method with the arguments of a function, all keyword-only."""
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
