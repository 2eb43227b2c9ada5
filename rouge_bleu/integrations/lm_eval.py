"""ROUGE and BLEU in tasks of lm-evaluation-harness, also for documents with several targets.

>>> from rouge_bleu.integrations.lm_eval import bleu, process_results, rouge
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .._bleu.api import bleu as bleu_of_texts
from .._rouge.api import rouge as rouge_of_texts
from ..corpus import as_list
from . import checked_keys


def process_results(column: str, metrics: Sequence[str]) -> Callable[..., dict[str, Any]]:
    """Return the function for `process_results`, which passes texts to the aggregations.

    >>> process_results("summaries", ["rouge1"])({"summaries": ["a cat", "the cat"]}, ["a cat"])
    {'rouge1': ('a cat', ['a cat', 'the cat'])}

    If filters keep several generations, the first one is scored.

    Args:
        column (str): the column of the documents with a target or a list of targets
        metrics (list of str): the names in `metric_list` whose aggregation is from this module
    """

    names = as_list(metrics, "metrics", "a list of names")

    def process(doc: dict[str, Any], results: list[Any]) -> dict[str, Any]:
        text = results[0]
        if isinstance(text, list):  # of generations, by the filters take_first_k and majority_vote
            text = text[0]
        return dict.fromkeys(names, (text, doc[column]))

    return process


def rouge(rouge_type: str = "rougeL", **options: Any) -> Callable[[Iterable[Any]], float]:
    """Return an aggregation: the mean ROUGE of documents, of one type.

    >>> rouge("rouge1")([("a cat", ["a cat", "the cat"]), ("a dog", "the dog")])
    0.75

    The options are those of `rouge_bleu.rouge`, checked at once.
    """
    return _aggregation(rouge_of_texts, dict(rouge_types=[rouge_type], **options))


def bleu(**options: Any) -> Callable[[Iterable[Any]], float]:
    """Return an aggregation: BLEU of all documents together, which is not a mean.

    >>> bleu(max_order=2)([("the cat sat", ["the cat sat", "a cat"]), ("a dog ran", "the dog ran")])
    0.7905694150420949

    The options are those of `rouge_bleu.bleu`, checked at once.
    """
    return _aggregation(bleu_of_texts, {**options, "output": "score"})


def _aggregation(score: Callable[..., Any], options: dict[str, Any]) -> Callable[..., float]:
    [key] = checked_keys(score, options, has_one=True)

    def aggregate(pairs: Iterable[Any]) -> float:
        predictions, targets = zip(*pairs, strict=True)
        return score(predictions, targets, **options)[key]

    return aggregate
