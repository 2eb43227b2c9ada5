"""From counts of pairs to the figures that ROUGE-1.5.5 prints.

    counts of pairs -> counts of documents -> printed scores -> averages over samples, and bounds

Recall and precision of a document are rounded, F is computed from them, and the average is the mean
of bootstrap means. The script draws its samples with Perl's generator and defines its own bounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..._rouge.options import RougeOptions
from ..._rouge.rules import OUTPUTS, Averaging
from ..._rouge.scores import chosen_pairs, precision_and_recall, quotient, take_pairs
from ...resampling import draw_counts
from ...rouge_types.family import COUNT_NAMES

PRINTED_UNITS_IN_ONE = 1e5
# In the order in which the script prints them.
_PRINTED_COUNTS = ("prediction_total", "reference_total", "matches")
_MAX_DRAWN = 1 << 15  # draws at once, which fit into the cache
_MAX_KEPT = 1 << 20  # resamples of all types at once
_LOW_48_BITS = (1 << 48) - 1


def counts_of_documents(
    counts: np.ndarray, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """Return the counts of documents, given those of their pairs."""
    if options.multi_reference == "pooled":
        return np.add.reduceat(counts, reference_offsets[:-1], axis=-1)
    return take_pairs(counts, chosen_pairs(counts, counts, reference_offsets, "best"))


def printed_result(counts: np.ndarray, options: RougeOptions, seed: int = 0) -> dict[str, Any]:
    """Return the result of the counts of documents."""
    if options.gives_counts:
        return _counts_result(counts, options)
    if options.use_aggregator:
        return _averages_result(counts, options)
    rows = _rows_of_keys(document_scores(counts, options), options)
    return dict(zip(options.result_keys(options.outputs), rows.tolist(), strict=True))


def document_scores(counts: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return precision, recall and F of each document as printed."""
    precision, recall = as_printed(precision_and_recall(counts, options))
    return np.stack([precision, recall, as_printed(_f_of_alpha(precision, recall, options.beta))])


def _rows_of_keys(scores: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return a row for each key of the result."""
    wanted = [OUTPUTS.index(output) for output in options.outputs]
    return scores[wanted].transpose(1, 0, 2).reshape(-1, scores.shape[2])


def _f_of_alpha(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    """Return the script's F for alpha = 1 / (1 + beta^2)."""
    alpha = 1.0 / (1.0 + float(beta) ** 2) if beta < 1e150 else 0.0
    return quotient(precision * recall, (1.0 - alpha) * precision + alpha * recall)


def _averages_result(counts: np.ndarray, options: RougeOptions) -> dict[str, Any]:
    """Return the mean of bootstrap means of each printed score, and the requested bounds."""
    order = np.arange(counts.shape[2])
    if options.document_order == "string":  # of their names, which are numbers from 1
        order = np.array(sorted(order, key=lambda document: f"{document + 1}."))
    n_of_group = max(1, _MAX_KEPT // options.n_resamples)
    groups = (counts[:, k : k + n_of_group, order] for k in range(0, counts.shape[1], n_of_group))
    figures = np.concatenate([_averages_of_types(group, options) for group in groups])
    endings = ("",) if options.confidence_level is None else ("", "_low", "_high")
    return {
        f"{key}{ending}": printed_value(figure)
        for key, of_key in zip(options.result_keys(options.outputs), figures.tolist(), strict=True)
        for ending, figure in zip(endings, of_key, strict=True)
    }


def _averages_of_types(counts: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the figures of each score of some types.

    Sums are integers in units of the last decimal, which is exact and fast. Scores are added in the
    script's order only if its rounding might change a printed digit.
    """
    if options.corpus_average == "tokens":
        return _average_and_bounds(_rows_of_keys(_corpus_scores(counts, options), options), options)
    rows = _rows_of_keys(document_scores(counts, options), options)
    n_documents, n_resamples = rows.shape[1], options.n_resamples
    units = np.rint(rows * PRINTED_UNITS_IN_ONE)
    unit_sums = resampled_sums(units, n_resamples, are_integers=True)
    figures = _average_and_bounds(unit_sums / PRINTED_UNITS_IN_ONE / n_documents, options)
    scaled = figures * PRINTED_UNITS_IN_ONE
    from_middle = 0.5 - np.abs(scaled - np.rint(scaled))
    # Adding a nonnegative number has a relative error of at most half an epsilon, up or down.
    n_additions = n_documents + 2 * n_resamples
    is_clear = from_middle > scaled * (n_additions + 10) * np.finfo(np.float64).eps
    unclear = ~is_clear.all(axis=1)
    if unclear.any():
        sums = resampled_sums(rows[unclear], n_resamples)
        figures[unclear] = _average_and_bounds(sums / n_documents, options)
    return figures


def _average_and_bounds(samples: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the average of each row of samples and its bounds, shape (n_rows, 1 or 3)."""
    ascending = np.sort(samples)
    figures = [_sequential_sums(ascending) / options.n_resamples]
    if options.confidence_level is not None:
        figures += perl_confidence_bounds(ascending, options.confidence_level)
    return np.stack(figures, axis=1)


def _corpus_scores(counts: np.ndarray, options: RougeOptions) -> np.ndarray:
    """-t 1: precision, recall and F of the summed counts of each resample; W stays weighted."""
    rows = counts[:4].reshape(-1, counts.shape[2])
    summed = resampled_sums(rows, options.n_resamples).reshape(4, counts.shape[1], -1)
    precision, recall = quotient(summed[:2], summed[2:])
    return np.stack([precision, recall, _f_of_alpha(precision, recall, options.beta)])


def _counts_result(counts: np.ndarray, options: RougeOptions) -> dict[str, Any]:
    """-t 2, or the documents of -t 1: the counts that scores are computed from, with integer sums."""
    result: dict[str, Any] = {}
    for name, of_type in zip(options.types_by_name, counts.transpose(1, 0, 2), strict=True):
        for count in _PRINTED_COUNTS:
            column = of_type[COUNT_NAMES.index(count)]
            result[f"{name}_{count}"] = column.tolist()
            if options.use_aggregator:
                total = float(_sequential_sums(column))
                # rougeW with a high weight may overflow a float.
                result[f"{name}_{count}"] = int(total) if math.isfinite(total) else total
    return result


def _sequential_sums(rows: np.ndarray) -> np.ndarray:
    """Return the sum of each row, added one by one as in the script; numpy adds in pairs."""
    return np.add.accumulate(rows, axis=-1)[..., -1]


def as_printed(values: np.ndarray) -> np.ndarray:
    """Return the values rounded as in print; only values near a tie are really printed."""
    scaled = values * PRINTED_UNITS_IN_ONE
    nearest = np.rint(scaled)
    is_clear = (np.abs(scaled - nearest) < 0.499) & (np.abs(scaled) < 2.0**40)
    result = nearest / PRINTED_UNITS_IN_ONE
    if not is_clear.all():
        result[~is_clear] = [printed_value(value) for value in values[~is_clear].tolist()]
    return result


def printed_value(value: float) -> float:
    """Return a value with the five printed decimals."""
    return float(f"{value:.5f}")


# Documents are drawn with replacement. Resample s draws with Perl's generator after seeding it with s:
# x <- 0x5DEECE66D x + 11 mod 2^48 from x = 2^16 s + 0x330E (drand48).


def resampled_sums(rows: np.ndarray, n_resamples: int, are_integers: bool = False) -> np.ndarray:
    """Return the sums of rows over drawn documents, added in the order of draws, (n_rows, n_resamples)."""
    return np.concatenate(
        [
            rows @ draw_counts(drawn).T if are_integers else _sequential_sums(rows[:, drawn])
            for drawn in _draw_documents(rows.shape[1], n_resamples)
        ],
        axis=1,
    )


def _draw_documents(n_documents: int, n_resamples: int) -> Iterator[np.ndarray]:
    """Yield the documents of some resamples, ndarrays of int64, shape (some, n_documents)."""
    factor, summand, jumps = 1, 0, []
    for _ in range(n_documents):  # after k draws a state x is a_k x + c_k mod 2^48
        factor = factor * 0x5DEECE66D & _LOW_48_BITS
        summand = (summand * 0x5DEECE66D + 0xB) & _LOW_48_BITS
        jumps.append((factor, summand))
    factors, summands = np.array(jumps, dtype=np.uint64).T
    share = max(1, _MAX_DRAWN // n_documents)
    for start in range(0, n_resamples, share):
        seed = np.arange(start, min(start + share, n_resamples), dtype=np.uint64)
        state = ((seed << np.uint64(16)) + np.uint64(0x330E))[:, np.newaxis] * factors + summands
        state &= np.uint64(_LOW_48_BITS)  # drops overflowed bits
        # Scaling by a power of two is exact, so this is n_documents * (state / 2**48).
        yield (state.view(np.int64) * (n_documents / 2.0**48)).astype(np.int64)


def perl_confidence_bounds(ascending: np.ndarray, level: float) -> list[np.ndarray]:
    """Return the bounds of rows of sorted means, both moved by the fraction of the upper one."""
    n_resamples, percent = ascending.shape[-1], round(100 * level, 10)
    tail = n_resamples * (100 - percent) / 200
    upper, lower = int(n_resamples - tail - 1), int(tail)
    fraction = n_resamples - tail - 1 - upper
    mean = np.append(ascending, np.zeros_like(ascending[..., :1]), axis=-1)  # 0 after the last one
    return [mean[..., k] + fraction * (mean[..., k + 1] - mean[..., k]) for k in (lower, upper)]


AS_PRINTED = Averaging(columns=counts_of_documents, result=printed_result, scores=document_scores)
