"""From the arguments of a call to its result, for the functions of the package and for metrics.

    arguments -> checked options and corpus -> statistics of examples -> sums or means -> result

How a `Metric` counts and scores under some options, also in batches (`streaming.py`), is a `ScoringPlan`:
`RougePlan` in `_rouge/results.py`, `BleuPlan` and `SentenceBleuPlan` in `_bleu/results.py`.
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
from .corpus import (
    Corpus,
    check_same_labels,
    check_token_lists,
    checked_baseline,
    checked_corpus,
    checked_example,
)
from .messages import shown
from .options import CheckedOptions, checked_options
from .parallel import Result as OfChunk
from .parallel import n_workers_of_jobs, results_of_chunks
from .resampling import bounds_and_p_values, bounds_and_p_values_of_means, scores_by_key
from .signature import signature_line

Texts = Collection[str] | Collection[Sequence[str]]
References = Texts | Collection[Sequence[Sequence[str]]]

_Declared = ParamSpec("_Declared")
Result = dict[str, Any]
_Function = Callable[_Declared, Result]


class ScoringPlan:
    """How a metric scores under some options, in this order: count examples, add up, score.

    Arrays of statistics have a row for each of `kinds`, and a column for each example or each sum of
    examples. Scores have a row for each of `keys`, and further rows for `result_parts`.
    """

    # "count", "length" (a count with a fraction): are summed; "score": is averaged without NaN
    kinds: Mapping[str, str]
    keys: list[str]
    n_scored: int | None = None  # only the first `n_scored` statistics affect scores; None: all do
    needs_all_examples = False  # at once, so that statistics cannot be folded

    def __init__(self, options: Any) -> None:
        self.options = options

    def result(self, corpus: Corpus, seed: int = 0, baseline: Corpus | None = None) -> Result:
        """Return the result for a corpus, and for a baseline; `seed` is that of `load`."""
        self.corpora = [corpus] if baseline is None else [corpus, baseline]
        is_resampled = self.options.confidence_level is not None or baseline is not None
        keeps_examples = is_resampled or not self.options.use_aggregator
        self.statistics = [self.count_examples(one, keeps_examples) for one in self.corpora]
        return result_of_statistics(self, self.statistics, self.options, seed)

    def count_examples(self, corpus: Corpus, keeps_examples: bool) -> np.ndarray:
        """Return the statistics of examples, (n_statistics, n_examples).

        Unless examples are kept, they may be sums of some examples.
        """
        raise NotImplementedError

    def add_up(self, statistics: np.ndarray) -> np.ndarray:
        """Return the sums and means of statistics, (n_statistics, 1)."""
        if statistics.shape[1] == 1:
            return statistics
        kinds = self.kinds.values()
        return np.array([[_SUMS[kind](row)] for kind, row in zip(kinds, statistics, strict=True)])

    def score(self, sums: np.ndarray) -> np.ndarray:
        """Return the scores of sums, (n_statistics, n_sums) -> (n_rows, n_sums)."""
        raise NotImplementedError

    def warn_of_scores(self, sums: np.ndarray, rows: np.ndarray) -> None:
        """Warn of the scores of a corpus, with a column each."""

    def score_examples(self, statistics: np.ndarray) -> np.ndarray:
        """Return the scores of examples, (n_statistics, n_examples) -> (n_rows, n_examples)."""
        raise NotImplementedError

    def result_parts(self, rows: np.ndarray) -> dict[str, list[Any]]:
        """Return what further rows add to a result, with a value for each column."""
        return {}


@dataclass(frozen=True)
class Metric:
    """A metric: its name, its options, and how a checked corpus is scored and explained."""

    name: str
    options_class: type[CheckedOptions]
    plan: Callable[[Any], ScoringPlan]  # from options
    explanations: Callable[[Corpus, Any], list[dict[str, Any]]]  # of examples, from options

    def options(self, *given: Any, **named: Any) -> Any:
        """Return the checked options of a call, from arguments of `checked_options`."""
        return checked_options(self.options_class, *given, **named)

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
        check_same_labels(predictions=predictions, baseline_predictions=baseline_predictions)
        corpus = checked_corpus(predictions, references)
        return self.check_and_score(corpus, options, baseline_predictions)

    def check_and_score(
        self, corpus: Corpus, options: Any, baseline_predictions: Any = None, seed: int = 0
    ) -> dict[str, Any]:
        """Return the result of a corpus, after the checks of it as a whole."""
        has_baseline = baseline_predictions is not None
        options.check_for(corpus, has_baseline)
        if not len(corpus):
            raise ValueError("predictions is empty: there is nothing to score")
        check_token_lists(corpus)
        baseline = optional_baseline(baseline_predictions, corpus)
        return self.result(corpus, options, baseline, seed)

    def result(
        self, corpus: Corpus, options: Any, baseline: Corpus | None, seed: int
    ) -> dict[str, Any]:
        """Return the result of a corpus, with the signature if requested."""
        warn_of_texts(corpus, options)
        result = self.plan(options).result(corpus, seed, baseline)
        return self.sign_result(
            result,
            options,
            corpus.reference_offsets[1:] - corpus.reference_offsets[:-1],
            n_examples=len(corpus),
            is_tokenized=corpus.is_tokenized,
            seed=seed,
            has_baseline=baseline is not None,
        )

    def sign_result(
        self, result: dict[str, Any], options: Any, n_references: Any, **parts: Any
    ) -> dict[str, Any]:
        """Return a result with the signature, if requested; `parts` are those of `signature_line`."""
        if not options.signature:
            return result
        bounds = int(np.min(n_references)), int(np.max(n_references))
        line = signature_line(self.name, options, n_references=bounds, **parts)
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
        options = self.options(given, load_options, caller, ("prediction", "reference"))
        corpus = checked_example(prediction, reference)
        options.check_for(corpus)
        check_token_lists(corpus)
        warn_of_texts(corpus, options)
        return self.explanations(corpus, options)[0]


def optional_baseline(baseline_predictions: Any, corpus: Corpus) -> Corpus | None:
    """Return the checked predictions of another system for the same references."""
    if baseline_predictions is None:
        return None
    baseline = checked_baseline(baseline_predictions, corpus)
    check_token_lists(baseline, "baseline_predictions")
    return baseline


# --- corpus -> result ------------------------------------------------------------------


def results_by_chunk(
    corpus: Corpus, of_chunk: Callable[[Corpus, int, int], OfChunk], options: Any
) -> list[OfChunk]:
    """Return `of_chunk(corpus, first, end)` for each chunk."""
    if corpus.fits_one_chunk:
        return [of_chunk(corpus, 0, len(corpus))]
    is_program = options.token_rules(corpus.is_tokenized).is_program and not corpus.is_tokenized
    return results_of_chunks(corpus, of_chunk, n_allowed_workers(options), is_program=is_program)


def n_allowed_workers(options: Any) -> int:
    """Return the number of worker processes: one if a user-defined function is called."""
    functions = (getattr(options, name, None) for name in ("stemmer", "sentence_splitter"))
    is_safe = options.token_rules(is_tokenized=False).is_thread_safe
    return n_workers_of_jobs(options.n_jobs) if is_safe and not any(map(callable, functions)) else 1


def result_of_statistics(
    plan: ScoringPlan, statistics: Sequence[np.ndarray], options: Any, seed: int
) -> dict[str, Any]:
    """Return the result for the statistics of a corpus, and for those of a baseline."""
    is_resampled = options.confidence_level is not None or len(statistics) > 1
    keys, n_keys = plan.keys, len(plan.keys)
    if not options.use_aggregator:
        rows = [plan.score_examples(of_system) for of_system in statistics]
        found = scores_by_key(keys, [of_system[:n_keys] for of_system in rows])
        return found | plan.result_parts(rows[0][n_keys:])
    sums = [plan.add_up(of_system) for of_system in statistics]
    rows = [plan.score(of_system) for of_system in sums]
    plan.warn_of_scores(sums[0], rows[0])
    parts = {name: of[0] for name, of in plan.result_parts(rows[0][n_keys:]).items()}
    scores = [of_system[:n_keys, 0] for of_system in rows]
    if not is_resampled:
        return dict(zip(keys, scores[0].tolist(), strict=True)) | parts
    has_means = "score" in plan.kinds.values()
    resample = bounds_and_p_values_of_means if has_means else bounds_and_p_values
    columns = [values[: plan.n_scored].astype(np.float64, copy=False) for values in statistics]
    with np.errstate(invalid="ignore"):  # weights such as 1e300 make infinite scores
        bounds = resample(
            columns, scores, lambda sums: plan.score(sums)[:n_keys], options.resampling(seed)
        )
    return scores_by_key(keys, scores, bounds) | parts


def mean_rounded_once(floats: Sequence[float]) -> float:
    """Return the mean of floats, rounded only once, so that their order changes no digit."""
    rough = sum(floats)
    if not math.isfinite(rough):
        return rough / len(floats)
    total = math.fsum(floats)
    rest = math.fsum([*floats, -total])  # what `total` was rounded by
    (n, d), (n_rest, d_rest) = total.as_integer_ratio(), rest.as_integer_ratio()
    return (n * d_rest + n_rest * d) / (d * d_rest * len(floats))


def mean_without_nan(scores: np.ndarray) -> float:
    """Return the mean of the scores that are not NaN; NaN if all are NaN."""
    floats = scores.tolist()
    if math.isnan(sum(floats)):
        floats = [score for score in floats if not math.isnan(score)]
    return mean_rounded_once(floats) if floats else math.nan


_SUMS: Mapping[str, Callable[[np.ndarray], Any]] = {
    "count": np.sum,
    "length": math.fsum,
    "score": mean_without_nan,
}


# --- functions from their declarations ------------------------------------------------


def implemented_by(
    run: Callable[..., dict[str, Any]], options_like: Callable[..., Any] | None = None
) -> Callable[[_Function], _Function]:
    """Return a decorator of a declaration, which has a signature and a text and no code.

    The function calls `run`, a method of `Metric`, with its name, without options of `load`, and
    with the arguments that are given: a default must not replace the value of a preset. In the
    signature that is shown, the options of `options_like` take the place of `**options`.
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
            texts += [one for one in options if one.name != "baseline_predictions"]
            vars(function)["__signature__"] = own.replace(parameters=texts)
        return function

    return decorate


# The section up to the next line that is not indented.
_EXAMPLES_SECTION = re.compile(r"\n\nExamples:\n(?:\n| .*\n?)*", re.ASCII)


def docstring_without_examples(function: Callable[..., Any]) -> str:
    """Return the text of a function without its examples; nothing under `python -OO`."""
    return _EXAMPLES_SECTION.sub("\n\n", inspect.getdoc(function) or "").strip()


def keyword_only_signature(function: Callable[..., Any]) -> inspect.Signature:
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
