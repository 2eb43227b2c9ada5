"""Matches and totals of documents -> the figures that ROUGE-1.5.5 prints.

Recall and precision of a document are rounded to five decimals, F is made of the
rounded ones, and the average is the mean of bootstrap means. Python loops run over
documents for rounding, and over rouge types.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .pair_scores import OUTPUTS
from .resampling import perl_confidence_bounds, sums_over_perl_samples
from .rouge155_counts import DocumentCounts, printed, quotient, rounded
from .rouge_options import RougeOptions

# In the order in which the script prints them.
_PRINTED_COUNTS = ("prediction_total", "reference_total", "matches")


def rouge155_result(
    counts: dict[str, DocumentCounts], options: RougeOptions
) -> dict[str, Any]:
    """Return the result of the counts of each rouge type.

    A float for each key, or without `use_aggregator` a list with one for each document.
    """
    if options.gives_counts:
        return _counts_result(counts, options.use_aggregator)
    if options.use_aggregator:
        return _averages(counts, options)
    return {
        options.key(name, output): scores[OUTPUTS.index(output)].tolist()
        for name, scores in _scores_of_types(counts, options).items()
        for output in options.outputs
    }


def document_scores(counts: DocumentCounts, beta: float) -> np.ndarray:
    """Return precision, recall and F of each document as printed.

    Result: ndarray of float64, shape (3, n_documents).
    """
    precision = rounded(
        quotient(counts.matches, counts.prediction_total) ** counts.exponent
    )
    recall = rounded(
        quotient(counts.matches, counts.reference_total) ** counts.exponent
    )
    return np.stack([precision, recall, rounded(_f_of_alpha(precision, recall, beta))])


def _scores_of_types(
    counts: dict[str, DocumentCounts], options: RougeOptions
) -> dict[str, np.ndarray]:
    return {name: document_scores(item, options.beta) for name, item in counts.items()}


def _f_of_alpha(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    """Return the script's F for alpha = 1 / (1 + beta^2)."""
    alpha = 1.0 / (1.0 + float(beta) ** 2) if beta < 1e150 else 0.0
    return quotient(precision * recall, (1.0 - alpha) * precision + alpha * recall)


def _averages(
    counts: dict[str, DocumentCounts], options: RougeOptions
) -> dict[str, Any]:
    """Return the mean of bootstrap means of each score, rounded as printed.

    With a confidence level its bounds are added.
    """
    n_documents = len(next(iter(counts.values())).matches)
    order = _document_order(n_documents, options.document_order)
    if options.corpus_average == "tokens":
        samples = {
            name: _token_averages(item, order, options) for name, item in counts.items()
        }
    else:
        scores = _scores_of_types(counts, options)
        columns = np.concatenate(list(scores.values()))[:, order].T
        means = sums_over_perl_samples(columns, options.n_resamples) / n_documents
        samples = {name: means[:, 3 * k : 3 * k + 3] for k, name in enumerate(counts)}
    result = {}
    for name, sample in samples.items():
        for output in options.outputs:
            key = options.key(name, output)
            ascending = np.sort(sample[:, OUTPUTS.index(output)])
            result[key] = printed(_sum_in_order(ascending) / options.n_resamples)
            if options.confidence_level is not None:
                low, high = perl_confidence_bounds(ascending, options.confidence_level)
                result[f"{key}_low"], result[f"{key}_high"] = (
                    printed(low),
                    printed(high),
                )
    return result


def _token_averages(
    counts: DocumentCounts, order: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """-t 1: precision, recall and F of the summed counts of each resample.

    W is not turned back. Result: ndarray of float64, shape (n_resamples, 3).
    """
    columns = [counts.prediction_total, counts.reference_total, counts.matches]
    documents = np.stack(columns, axis=1)[order]
    sums = sums_over_perl_samples(documents, options.n_resamples)
    prediction_total, reference_total, matches = sums.T
    precision = quotient(matches, prediction_total)
    recall = quotient(matches, reference_total)
    f = _f_of_alpha(precision, recall, options.beta)
    return np.stack([precision, recall, f], axis=1)


def _counts_result(
    counts: dict[str, DocumentCounts], use_aggregator: bool
) -> dict[str, Any]:
    """-t 2, or the documents of -t 1: the counts that scores are made of.

    Sums are cut to integers.
    """
    columns = {
        f"{name}_{count}": getattr(item, count)
        for name, item in counts.items()
        for count in _PRINTED_COUNTS
    }
    if use_aggregator:
        sums = {key: _sum_in_order(column) for key, column in columns.items()}
        # rougeW of a high weight may be beyond the range of a float.
        return {key: int(x) if math.isfinite(x) else x for key, x in sums.items()}
    return {key: column.tolist() for key, column in columns.items()}


def _document_order(n_documents: int, document_order: str) -> np.ndarray:
    """Return the documents in the order of the script.

    That is of their names, which are numbers from 1 and sorted as strings, or as given.
    """
    documents = range(n_documents)
    if document_order == "input":
        return np.array(documents)
    return np.array(sorted(documents, key=lambda document: f"{document + 1}."))


def _sum_in_order(values: np.ndarray) -> float:
    """Return the sum added up one by one, as the script does.

    numpy would add pairs first.
    """
    return float(np.add.accumulate(values)[-1])
