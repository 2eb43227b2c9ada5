"""ROUGE and BLEU as metrics of lighteval tasks, against all references of a `Doc`.

>>> from rouge_bleu.integrations.lighteval import corpus_bleu, rouge
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from lighteval.metrics.metrics_corpus import CorpusLevelComputation
from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.sample_preparator import GenerativeCorpusMetricInput, GenerativePreparator
from lighteval.metrics.utils.metric_utils import CorpusLevelMetric, SampleLevelMetricGrouping
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.requests import Doc, SamplingMethod

from .._bleu.api import bleu as bleu_of_texts
from .._rouge.api import rouge as rouge_of_texts
from . import checked_keys


@dataclass
class _Rouge(SampleLevelComputation):
    options: dict[str, Any]

    def compute(self, doc: Doc, model_response: ModelResponse, **others: Any) -> dict[str, float]:
        """Return the mean scores of the generations for a document, without those that are NaN."""
        texts = model_response.final_text
        result = rouge_of_texts(texts, [doc.get_golds()] * len(texts), **self.options)
        return {name: score for name, score in result.items() if not math.isnan(score)}


@dataclass
class _Bleu(CorpusLevelComputation):
    options: dict[str, Any]

    def compute_corpus(self, items: list[GenerativeCorpusMetricInput]) -> float:
        """Return BLEU of the first generation for each document."""
        predictions, references = zip(*[(one.preds[0], one.golds) for one in items], strict=True)
        return next(iter(bleu_of_texts(predictions, references, **self.options).values()))


def rouge(
    rouge_types: list[str] | tuple[str, ...] = ("rouge1", "rouge2", "rougeL"), **options: Any
) -> SampleLevelMetricGrouping:
    """Return the metric with the mean ROUGE over documents, for `LightevalTaskConfig(metrics=[...])`.

    >>> rouge(["rouge1", "rougeLsum"], use_stemmer=True).metric_name
    ['rouge1', 'rougeLsum']

    The options are those of `rouge_bleu.rouge`, checked at once.
    """
    options = {"rouge_types": rouge_types, **options}
    names = checked_keys(rouge_of_texts, options)
    return SampleLevelMetricGrouping(
        metric_name=names,
        sample_level_fn=_Rouge(options),
        category=SamplingMethod.GENERATIVE,
        corpus_level_fn=dict.fromkeys(names, np.mean),
        higher_is_better=dict.fromkeys(names, True),
    )


def corpus_bleu(name: str = "bleu", **options: Any) -> CorpusLevelMetric:
    """Return the metric with BLEU of all documents together, for `LightevalTaskConfig(metrics=[...])`.

    >>> corpus_bleu("bleu-intl", tokenizer="intl", smoothing="exp").metric_name
    'bleu-intl'

    The options are those of `rouge_bleu.bleu`, checked at once.
    """
    options = {**options, "output": "score"}
    checked_keys(bleu_of_texts, options, has_one=True)
    return CorpusLevelMetric(
        metric_name=name,
        sample_level_fn=GenerativePreparator(),
        category=SamplingMethod.GENERATIVE,
        corpus_level_fn=_Bleu(options),
        higher_is_better=True,
    )
