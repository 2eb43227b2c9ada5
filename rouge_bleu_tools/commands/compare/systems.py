"""Systems compared with a baseline: scores, intervals, differences and p-values.

Each system is scored by `compute(baseline_predictions=...)`, so all numbers are those of
the metrics. What is added here is Holm's correction of the p-values of several
comparisons (Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure",
https://www.jstor.org/stable/4615733): the smallest of m is multiplied by m, the next one
by m - 1, and so on, and none may fall below the one before it. Whatever the comparisons
have to do with each other, the chance of one or more false marks is then at most the
level at which they are made.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rouge_bleu_tools.commands.inputs.arguments import errors_of_metric, options_of_metric

CORRECTIONS = ("none", "holm")


@dataclass(frozen=True)
class Systems:
    """What is compared: the predictions of each system, of which one is the baseline.

    `places` are the files or columns of the references.
    """

    baseline: str
    predictions: Mapping[str, list[str]]
    references: list[list[str]]
    places: list[str]

    @property
    def others(self) -> list[str]:
        """The names of all systems but the baseline."""
        return [name for name in self.predictions if name != self.baseline]


@dataclass(frozen=True, kw_only=True)
class Design:
    """How they are compared: the options of the metrics for intervals and tests, and
    what counts as significant.
    """

    confidence_level: float
    n_resamples: int
    seed: int
    paired_test: str
    significance_level: float
    correction: str

    def options(self) -> dict[str, Any]:
        """Return the options for the interval of one system."""
        names = ("confidence_level", "n_resamples", "seed")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, kw_only=True)
class Difference:
    """What the baseline's score is taken from, with its interval and its test.

    `corrected_p_value` is the p-value where nothing is corrected.
    """

    delta: float
    delta_low: float
    delta_high: float
    p_value: float
    corrected_p_value: float
    is_significant: bool


@dataclass(frozen=True, kw_only=True)
class SystemScore:
    """One score of one system, with its interval, and its difference to the baseline.

    The baseline itself has no difference.
    """

    metric: str
    key: str
    system: str
    score: float
    low: float
    high: float
    difference: Difference | None = None

    @property
    def is_significant(self) -> bool:
        """Whether it differs significantly from that of the baseline."""
        return self.difference is not None and self.difference.is_significant

    def columns(self) -> dict[str, Any]:
        """Return all numbers by name, as files have them; None where there is no difference."""
        own = dataclasses.asdict(self)
        difference = own.pop("difference")
        return own | (difference or dict.fromkeys(_NAMES_OF_DIFFERENCE))


_NAMES_OF_DIFFERENCE = [field.name for field in dataclasses.fields(Difference)]


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """All scores, by metric, key and system, the baseline first in each."""

    design: Design
    baseline: str
    others: list[str]
    n_items: int
    numbers_of_references: tuple[int, int]  # the least and the most of an item
    signatures: dict[str, str]  # of each metric that has one
    scores: list[SystemScore]

    def differences(self, system: str) -> list[tuple[str, Difference]]:
        """Return the key and the difference to the baseline of each score of a system."""
        return [
            (one.key, one.difference)
            for one in self.scores
            if one.system == system and one.difference
        ]

    @property
    def n_tests(self) -> int:
        """How many p-values there are."""
        tests = [one.difference for one in self.scores if one.difference]
        return sum(not math.isnan(test.p_value) for test in tests)

    @property
    def keys(self) -> list[tuple[str, str]]:
        """The metric and the key of each kind of score, in order."""
        return list(dict.fromkeys((score.metric, score.key) for score in self.scores))

    def of_key(self, metric: str, key: str) -> list[SystemScore]:
        """Return the scores of one kind, that of the baseline first."""
        return [one for one in self.scores if (one.metric, one.key) == (metric, key)]


def compared(
    metrics: Sequence[Any], systems: Systems, design: Design, options: Mapping[str, Any]
) -> Comparison:
    """Return the scores of all systems in all metrics.

    An option goes to the metrics that have it.
    """
    scores: list[SystemScore] = []
    signatures = {}
    for metric in metrics:
        own = _options_of_metric(metric, metrics, options)
        results = _results(metric, systems, design, own)
        scores += _scores_of_results(metric.name, results, systems)
        if signature := next(iter(results.values())).get("signature"):
            signatures[metric.name] = signature
    numbers = [len(of_item) for of_item in systems.references]
    return Comparison(
        design=design,
        baseline=systems.baseline,
        others=systems.others,
        n_items=len(systems.references),
        numbers_of_references=(min(numbers), max(numbers)),
        signatures=signatures,
        scores=_judged(scores, design),
    )


def holm_p_values(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number; NaN is none, and stays.

    >>> holm_p_values([0.25, 0.0625, 0.5])
    [0.5, 0.1875, 0.5]
    """
    ascending = sorted(
        (index for index, p in enumerate(p_values) if not math.isnan(p)),
        key=lambda index: p_values[index],
    )
    corrected = list(p_values)
    least = 0.0
    for rank, index in enumerate(ascending):
        least = max(least, (len(ascending) - rank) * p_values[index])
        corrected[index] = min(1.0, least)
    return corrected


# --- metrics -> results ---------------------------------------------------------------


def _options_of_metric(
    metric: Any, metrics: Sequence[Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the options of one metric; the page and the paper want a score, no parts."""
    options = {**options_of_metric(metric, metrics, given), "signature": True}
    options |= {"output": "score"} if metric.name == "bleu_full" else {}
    with errors_of_metric(metric):
        checked = metric.scorer.options(options)
        checked.check_form(is_tokenized=False, has_baseline=True)
    return options


def _results(
    metric: Any, systems: Systems, design: Design, options: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    """Return the result of each system beside the baseline; of the baseline if alone."""
    data = {"references": systems.references, **design.options(), **options}
    baseline = systems.predictions[systems.baseline]
    with errors_of_metric(metric):
        if not systems.others:
            return {systems.baseline: metric.compute(predictions=baseline, **data)}
        return {
            name: metric.compute(
                predictions=systems.predictions[name],
                baseline_predictions=baseline,
                paired_test=design.paired_test,
                **data,
            )
            for name in systems.others
        }


# --- results -> scores ----------------------------------------------------------------


def _scores_of_results(
    metric_name: str, results: dict[str, dict[str, Any]], systems: Systems
) -> list[SystemScore]:
    scores = []
    first = next(iter(results.values()))
    for key in _keys_of_result(first):
        end = "_baseline" if systems.others else ""
        of_systems: list[tuple[str, dict[str, Any], str, Difference | None]] = [
            (systems.baseline, first, f"{key}{end}", None)
        ]
        for system in systems.others:
            result = results[system]
            of_systems.append((system, result, key, _difference(result, key)))
        scores += [
            SystemScore(
                metric=metric_name,
                key=key,
                system=system,
                score=result[name],
                low=result[f"{name}_low"],
                high=result[f"{name}_high"],
                difference=difference,
            )
            for system, result, name, difference in of_systems
        ]
    return scores


def _difference(result: Mapping[str, Any], key: str) -> Difference:
    """Return the difference that a result has, before it is corrected and judged."""
    p_value = result[f"{key}_p_value"]
    return Difference(
        delta=result[f"{key}_delta"],
        delta_low=result[f"{key}_delta_low"],
        delta_high=result[f"{key}_delta_high"],
        p_value=p_value,
        corrected_p_value=p_value,
        is_significant=False,
    )


def _keys_of_result(result: Mapping[str, Any]) -> list[str]:
    """Return the keys that have an interval and are not about another key."""
    has_interval = [key for key in result if f"{key}_low" in result]
    about_others = {f"{key}{end}" for key in result for end in ("_baseline", "_delta")}
    return [key for key in has_interval if key not in about_others]


def _judged(scores: list[SystemScore], design: Design) -> list[SystemScore]:
    """Return the scores with their corrected p-values, and which are significant."""
    tests = [one.difference for one in scores]
    p_values = [math.nan if test is None else test.p_value for test in tests]
    if design.correction == "holm":
        p_values = holm_p_values(p_values)
    return [
        dataclasses.replace(one, difference=test and _judged_test(test, p, design))
        for one, test, p in zip(scores, tests, p_values, strict=True)
    ]


def _judged_test(test: Difference, corrected: float, design: Design) -> Difference:
    return dataclasses.replace(
        test, corrected_p_value=corrected, is_significant=corrected < design.significance_level
    )
