"""The metrics by name, without `evaluate`, whose import takes longer than a score.

They have the methods of the loaded metrics that commands use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError

NAMES = {"rouge": "rouge_full", "bleu": "bleu_full"}


def full_name(name: str) -> str:
    """Return the name of a metric that may be given without its end.

    >>> full_name("rouge"), full_name("bleu_full")
    ('rouge_full', 'bleu_full')
    """
    full = NAMES.get(name, name)
    if full not in NAMES.values():
        raise FileError(f"--metric must be {' or '.join(NAMES)}, got {name!r}")
    return full


def metrics_of_names(names: Sequence[str]) -> list[Any]:
    """Return the metrics of names; none may stand twice."""
    full = list(map(full_name, names))
    for name in full:
        if full.count(name) > 1:
            raise FileError(f"--metric has {name!r} {full.count(name)} times")
    return [metric_of_name(name) for name in full]


def metric_of_name(name: str) -> Any:
    """Return the metric of a full name."""
    return _METRICS[name]()


def _rouge_full() -> Any:
    from rouge_bleu._rouge.api import ROUGE
    from rouge_bleu._rouge.folding import rouge_fold_plan
    from rouge_bleu.text.stemming import rouge155_stemmer

    metric = _plain_metric(ROUGE, rouge_fold_plan)
    metric.rouge155_stemmer = rouge155_stemmer
    return metric


def _bleu_full() -> Any:
    from rouge_bleu._bleu.api import BLEU
    from rouge_bleu._bleu.folding import bleu_fold_plan

    return _plain_metric(BLEU, bleu_fold_plan)


_METRICS: Mapping[str, Callable[[], Any]] = {"rouge_full": _rouge_full, "bleu_full": _bleu_full}


def _plain_metric(scorer: Any, fold_plan: Callable[[Any], Any]) -> Any:
    from rouge_bleu.folding.metric import BatchMetric

    class PlainMetric(_Methods, BatchMetric):
        pass

    return PlainMetric(scorer, fold_plan)


class _Methods:
    """The methods of a loaded metric that need nothing of `evaluate`."""

    load_seed = 0
    _load_options: Mapping[str, Any] = {}

    def __init__(self, scorer: Any, fold_plan: Callable[[Any], Any]) -> None:
        self.name: str = scorer.name
        self.scorer = scorer
        self.fold_plan = fold_plan

    def options_of_signature(self, line: str, **supplied: Any) -> dict[str, Any]:
        from rouge_bleu.signature import options_of_line

        return options_of_line(self.name, self.scorer.options_class, line, supplied)

    def compute(
        self,
        *,
        predictions: Sequence[str],
        references: Sequence[Any],
        baseline_predictions: Sequence[str] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        result: dict[str, Any] = self.scorer.called(
            "compute",
            predictions,
            references,
            baseline_predictions=baseline_predictions,
            **options,
        )
        return result

    def explain(self, *, prediction: str, reference: Any, **options: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.scorer.explained(prediction, reference, options)
        return result
