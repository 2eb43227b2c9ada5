"""Matches and totals of documents -> the figures that ROUGE-1.5.5 prints.

Recall and precision of a document are rounded to five decimals, F is made of the
rounded ones, and the average is the mean of bootstrap means. Python loops run over
documents for rounding, and over rouge types.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..measures.scores import OUTPUTS, PairStatistics, quotient
from ..options import RougeOptions
from .printed import UNITS_PRINTED, printed, rounded
from .samples import perl_confidence_bounds, sums_over_perl_samples, unit_sums_over_perl_samples

# In the order in which the script prints them.
_PRINTED_COUNTS = ("prediction_total", "reference_total", "matches")


def printed_result(counts: dict[str, PairStatistics], options: RougeOptions) -> dict[str, Any]:
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


def document_scores(counts: PairStatistics, beta: float) -> np.ndarray:
    """Return precision, recall and F of each document as printed.

    Result: ndarray of float64, shape (3, n_documents).
    """
    precision = rounded(quotient(counts.matches, counts.prediction_total) ** counts.exponent)
    recall = rounded(quotient(counts.matches, counts.reference_total) ** counts.exponent)
    return np.stack([precision, recall, rounded(_f_of_alpha(precision, recall, beta))])


def _scores_of_types(
    counts: dict[str, PairStatistics], options: RougeOptions
) -> dict[str, np.ndarray]:
    return {name: document_scores(item, options.beta) for name, item in counts.items()}


def _f_of_alpha(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    """Return the script's F for alpha = 1 / (1 + beta^2)."""
    alpha = 1.0 / (1.0 + float(beta) ** 2) if beta < 1e150 else 0.0
    return quotient(precision * recall, (1.0 - alpha) * precision + alpha * recall)


# --- averages and bounds --------------------------------------------------------------


def _averages(counts: dict[str, PairStatistics], options: RougeOptions) -> dict[str, Any]:
    """Return the mean of bootstrap means of each score, rounded as printed.

    With a confidence level its bounds are added.
    """
    n_documents = len(next(iter(counts.values())).matches)
    order = _document_order(n_documents, options.document_order)
    wanted = [OUTPUTS.index(output) for output in options.outputs]
    if options.corpus_average == "tokens":
        samples = [_token_averages(item, order, options) for item in counts.values()]
        figures = _figures(np.concatenate([some[wanted] for some in samples]), options)
    else:
        scores = _scores_of_types(counts, options).values()
        columns = np.concatenate([some[wanted] for some in scores])[:, order]
        figures = _document_averages(columns, options)
    keys = [options.key(name, output) for name in counts for output in options.outputs]
    endings = ("",) if options.confidence_level is None else ("", "_low", "_high")
    return {
        f"{key}{ending}": printed(figure)
        for key, of_key in zip(keys, figures.tolist(), strict=True)
        for ending, figure in zip(endings, of_key, strict=True)
    }


def _figures(samples: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the average of each row of samples, and its bounds if they are wanted.

    Result: ndarray of float64, shape (n_rows, 1 or 3). `samples` has the shape (n_rows,
    n_resamples).
    """
    level = options.confidence_level
    ascending = np.sort(samples)
    figures = _sums_in_order(ascending)[:, np.newaxis] / options.n_resamples
    if level is None:
        return figures
    bounds = [perl_confidence_bounds(row, level) for row in ascending]
    return np.concatenate([figures, bounds], axis=1)


def _document_averages(columns: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the `_figures` of the means of columns of printed scores over documents.

    The script adds up scores one by one. Here they are counted in units of the last
    decimal, which is exact; only where the script's rounding might decide what is
    printed they are added up in its order.

    Parameters
    ----------
    columns : ndarray of float64, shape (n_columns, n_documents)
    """
    n_documents, n_resamples = columns.shape[1], options.n_resamples
    units = np.rint(columns * UNITS_PRINTED)
    sums = unit_sums_over_perl_samples(units.T, n_resamples) / UNITS_PRINTED
    figures = _figures(sums.T / n_documents, options)
    is_clear = _are_clear(figures, n_documents + 2 * n_resamples).all(axis=1)
    unclear = np.flatnonzero(~is_clear)
    if len(unclear):
        sums = sums_over_perl_samples(columns[unclear].T, n_resamples)
        figures[unclear] = _figures(sums.T / n_documents, options)
    return figures


def _are_clear(figures: np.ndarray, n_additions: int) -> np.ndarray:
    """Return which figures print the same with the rounding of so many additions.

    None of them is as near to the middle of two printed numbers as that takes it.
    """
    scaled = figures * UNITS_PRINTED
    from_middle = 0.5 - np.abs(scaled - np.rint(scaled))
    # An addition of what is not negative takes half an epsilon at most, on either way.
    return from_middle > scaled * (n_additions + 10) * np.finfo(np.float64).eps


def _token_averages(counts: PairStatistics, order: np.ndarray, options: RougeOptions) -> np.ndarray:
    """-t 1: precision, recall and F of the summed counts of each resample.

    W is not turned back. Result: ndarray of float64, shape (3, n_resamples).
    """
    columns = [counts.prediction_total, counts.reference_total, counts.matches]
    documents = np.stack(columns, axis=1)[order]
    sums = sums_over_perl_samples(documents, options.n_resamples)
    prediction_total, reference_total, matches = sums.T
    precision = quotient(matches, prediction_total)
    recall = quotient(matches, reference_total)
    return np.stack([precision, recall, _f_of_alpha(precision, recall, options.beta)])


def _counts_result(counts: dict[str, PairStatistics], use_aggregator: bool) -> dict[str, Any]:
    """-t 2, or the documents of -t 1: the counts that scores are made of.

    Sums are cut to integers.
    """
    columns = {
        f"{name}_{count}": getattr(item, count)
        for name, item in counts.items()
        for count in _PRINTED_COUNTS
    }
    if use_aggregator:
        sums = {key: float(_sums_in_order(x)) for key, x in columns.items()}
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


def _sums_in_order(rows: np.ndarray) -> np.ndarray:
    """Return the sum of each row added up one by one, as the script does.

    numpy would add pairs first.
    """
    return np.add.accumulate(rows, axis=-1)[..., -1]
