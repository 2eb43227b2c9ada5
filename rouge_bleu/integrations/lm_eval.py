"""ROUGE and BLEU in tasks of lm-evaluation-harness, also for documents with several targets.

>>> from rouge_bleu.integrations.lm_eval import corpus_bleu, process_results, rouge, sentence_bleu, texts
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from . import Scores, bleu_of_texts, bleu_scores, checked_keys, rouge_scores

OfDocument = Callable[[str, Any], Any]


def process_results(column: str, **metrics: OfDocument) -> Callable[..., dict[str, Any]]:
    """Return the function for `process_results`, which scores documents.

    >>> process_results("summaries", rouge1=rouge("rouge1"))({"summaries": ["the cat"]}, ["a cat"])
    {'rouge1': 0.5}

    If filters keep several generations, the first one is scored.

    Args:
        column (str): the column of the documents with a target or a list of targets
        **metrics: for each name in `metric_list`, `rouge(...)`, `sentence_bleu(...)` or `texts`
    """
    for name, metric in metrics.items():
        if not callable(metric):
            raise TypeError(f"{name} must be a function such as rouge('rougeL'), got {metric!r}")

    def process(doc: dict[str, Any], results: list[Any]) -> dict[str, Any]:
        text = results[0]
        if isinstance(text, list):  # of generations, by the filters take_first_k and majority_vote
            text = text[0]
        return {name: metric(text, doc[column]) for name, metric in metrics.items()}

    return process


def rouge(rouge_type: str = "rougeL", **options: Any) -> OfDocument:
    """Return a metric of `process_results`: ROUGE of a document, whose aggregation is mean.

    >>> rouge("rouge1")("a dog", ["a cat", "the dog ran"])
    0.5

    The options are those of `rouge_bleu.rouge`, checked at once.
    """
    return _of_document(rouge_scores(rouge_type, options))


def sentence_bleu(**options: Any) -> OfDocument:
    """Return a metric of `process_results`: BLEU of a document, whose aggregation is mean.

    >>> sentence_bleu(max_order=2)("the cat sat", "the cat sat")
    1.0

    The options are those of `rouge_bleu.bleu`, with smoothing "exp" as default, checked at once.
    """
    return _of_document(bleu_scores(options))


def texts(prediction: str, target: Any) -> tuple[str, Any]:
    """Pass the texts of a document to `corpus_bleu`, as a metric of `process_results`."""
    return prediction, target


def corpus_bleu(**options: Any) -> Callable[[Iterable[Any]], float]:
    """Return an aggregation: BLEU of all documents together, which is not a mean.

    >>> corpus_bleu(max_order=2)([("the cat sat", ["the cat sat", "a cat"]), ("a dog", "the dog")])
    0.7302967433402215

    The options are those of `rouge_bleu.bleu`, checked at once.
    """
    options = {**options, "output": "score"}
    [key] = checked_keys(bleu_of_texts, options, has_one=True)

    def aggregate(pairs: Iterable[Any]) -> float:
        predictions, targets = zip(*pairs, strict=True)
        return bleu_of_texts(predictions, targets, **options)[key]

    return aggregate


def _of_document(scores: Scores) -> OfDocument:
    return lambda prediction, target: scores([prediction], [target])[0]
