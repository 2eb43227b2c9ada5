"""The metrics by name, without `evaluate`: what is imported takes a fifth of its time.

They have the methods of the loaded metrics that commands use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError, in_words_of_command

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


@contextmanager
def errors_of_metric(metric: Any) -> Iterator[None]:
    """What a metric refuses is an error of the command, in one line and in its words."""
    try:
        yield
    except (TypeError, ValueError, ImportError) as error:
        raise FileError(f"{metric.name}: {in_words_of_command(str(error))}") from error


def _rouge_full() -> Any:
    from rouge_bleu.rouge.folding import rouge_fold_plan
    from rouge_bleu.rouge.options.checked import RougeOptions
    from rouge_bleu.rouge.scorer import rouge, rouge_explanation
    from rouge_bleu.rouge.signature import ROUGE_SIGNATURE
    from rouge_bleu.text.stemming import rouge155_stemmer

    metric = _metric_class()(
        "rouge_full",
        RougeOptions,
        ROUGE_SIGNATURE,
        rouge,
        rouge_explanation,
        rouge_fold_plan,
    )
    metric.rouge155_stemmer = rouge155_stemmer
    return metric


def _bleu_full() -> Any:
    from rouge_bleu.bleu.explanation import bleu_explanation
    from rouge_bleu.bleu.folding import bleu_fold_plan
    from rouge_bleu.bleu.options import BleuOptions
    from rouge_bleu.bleu.scorer import bleu
    from rouge_bleu.bleu.signature import BLEU_SIGNATURE

    return _metric_class()(
        "bleu_full", BleuOptions, BLEU_SIGNATURE, bleu, bleu_explanation, bleu_fold_plan
    )


_METRICS: Mapping[str, Callable[[], Any]] = {
    "rouge_full": _rouge_full,
    "bleu_full": _bleu_full,
}


def _metric_class() -> Any:
    """Return the class, whose bases are imported only now."""
    from rouge_bleu.folding.metric import BatchMetric
    from rouge_bleu.metric.explained import ExplainedItem

    class PlainMetric(_Scoring, ExplainedItem, BatchMetric):
        pass

    return PlainMetric


class _Scoring:
    """What scores texts with the functions of one metric."""

    load_seed = 0
    _load_options: Mapping[str, Any] = {}

    def __init__(
        self,
        name: str,
        options_class: Any,
        signature_parts: Any,
        score: Callable[..., dict[str, Any]],
        explanation: Callable[..., dict[str, Any]],
        fold_plan: Callable[[Any], Any],
    ) -> None:
        self.name = name
        self.options_class = options_class
        self.signature_parts = signature_parts
        self.score = score
        self.explanation = explanation
        self.fold_plan = fold_plan

    def options_of_signature(self, line: str, **supplied: Any) -> dict[str, Any]:
        from rouge_bleu.options.signature import options_of_line

        return options_of_line(
            self.name, self.signature_parts, self.options_class, line, supplied
        )

    def compute(
        self,
        *,
        predictions: Sequence[str],
        references: Sequence[Any],
        baseline_predictions: Sequence[str] | None = None,
        **given: Any,
    ) -> dict[str, Any]:
        from rouge_bleu.data.corpus import checked_baseline, checked_corpus
        from rouge_bleu.options.checked import checked_options
        from rouge_bleu.options.signature import signature_line
        from rouge_bleu.options.signature_parts import ScoredRun

        options = checked_options(self.options_class, given)
        has_baseline = baseline_predictions is not None
        options.check_form(is_tokenized=False, has_baseline=has_baseline)
        corpus = checked_corpus(predictions, references)
        baseline = (
            checked_baseline(baseline_predictions, corpus) if has_baseline else None
        )
        result = self.score(corpus, options, self.load_seed, baseline)
        if not options.signature:
            return result
        run = ScoredRun.of_corpus(corpus, self.load_seed, has_baseline=has_baseline)
        line = signature_line(self.name, self.signature_parts, options, run)
        return {**result, "signature": line}
