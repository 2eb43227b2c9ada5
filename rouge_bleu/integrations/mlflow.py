"""ROUGE and BLEU as metrics of `mlflow.models.evaluate` and as scorers of `mlflow.genai.evaluate`.

>>> from rouge_bleu.integrations.mlflow import bleu, bleu_scorer, rouge, rouge_scorer
"""

from __future__ import annotations

from typing import Any

from mlflow.genai import scorer
from mlflow.genai.scorers import Scorer
from mlflow.metrics import MetricValue, make_metric
from mlflow.models import EvaluationMetric

from .._bleu.api import bleu as bleu_of_texts
from .._rouge.api import rouge as rouge_of_texts
from . import Scores, bleu_scores, checked_keys, rouge_scores


def rouge(rouge_type: str = "rougeL", **options: Any) -> EvaluationMetric:
    """Return a metric for `extra_metrics`: ROUGE of each row, and the mean.

    >>> rouge("rouge2", use_stemmer=True).name
    'rouge2'

    The options are those of `rouge_bleu.rouge`, checked at once. Targets may be lists of references.
    """
    return _metric(rouge_of_texts, rouge_type, "mean", dict(rouge_types=[rouge_type], **options))


def bleu(smoothing: str = "exp", **options: Any) -> EvaluationMetric:
    """Return a metric for `extra_metrics`: sentence BLEU of each row, and BLEU of all as "corpus".

    >>> bleu(tokenizer="intl").name
    'bleu'

    The options are those of `rouge_bleu.bleu`, checked at once. Targets may be lists of references.
    """
    options = {"smoothing": smoothing, **options, "output": "score"}
    return _metric(bleu_of_texts, "bleu", "corpus", options)


def rouge_scorer(
    rouge_type: str = "rougeL", expectation: str = "expected_response", **options: Any
) -> Scorer:
    """Return a scorer: ROUGE of the output against an expectation, a text or a list of texts.

    >>> rouge_scorer("rouge1")(outputs="a cat", expectations={"expected_response": "the cat"})
    0.5
    """
    return _scorer(rouge_scores(rouge_type, options), rouge_type, expectation)


def bleu_scorer(expectation: str = "expected_response", **options: Any) -> Scorer:
    """Return a scorer: sentence BLEU of the output against an expectation.

    >>> scorer = bleu_scorer("translations")
    >>> texts = ["a cat sat down", "the cat sat down"]
    >>> scorer(outputs="the cat sat down", expectations={"translations": texts})
    1.0
    """
    return _scorer(bleu_scores(options), "bleu", expectation)


def _metric(score: Any, name: str, of_all: str, options: dict[str, Any]) -> EvaluationMetric:
    for of_examples in (True, False):
        [key] = checked_keys(score, options, has_one=True, of_examples=of_examples)

    def evaluate(predictions: Any, targets: Any = None, metrics: Any = None) -> MetricValue:
        rows = score(predictions, targets, **options, use_aggregator=False)[key]
        together = score(predictions, targets, **options)[key]
        return MetricValue(scores=rows, aggregate_results={of_all: together})

    return make_metric(eval_fn=evaluate, greater_is_better=True, name=name)


def _scorer(scores: Scores, name: str, expectation: str) -> Scorer:
    def score(outputs: Any, expectations: Any) -> float:
        if expectation not in (expectations or {}):
            raise ValueError(f"expectations must have {expectation!r}, got {expectations!r}")
        return scores([outputs], [expectations[expectation]])[0]

    return scorer(score, name=name)
