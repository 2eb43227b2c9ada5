"""From counts of pairs to the figures that ROUGE-1.5.5 prints.

    counts of pairs -> counts of documents -> printed scores -> averages over samples, and bounds

Recall and precision of a document are rounded to five decimals, F is made of the rounded ones, and the
average is the mean of bootstrap means. The script draws its samples with Perl's generator, and has
bounds of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..arrays import first_of_highest
from ..resampling import shares
from .scores import OUTPUTS, PairStatistics, quotient

if TYPE_CHECKING:
    from .options import RougeOptions

UNITS_PRINTED = 1e5  # in one
# In the order in which the script prints them.
_PRINTED_COUNTS = ("prediction_total", "reference_total", "matches")
# Draws made at once, or counts of documents: they stay in the cache.
_MAX_PERL_DRAWS = 1 << 14
_MAX_PERL_COUNTS = 1 << 15
_LOW_48_BITS = (1 << 48) - 1


def counts_of_documents(
    counts: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> PairStatistics:
    """Return the counts of documents, given those of their pairs."""
    if options.multi_reference == "pooled":
        return counts.summed(reference_offsets)
    return counts.taken(first_of_highest(cast(np.ndarray, counts.selection), reference_offsets))


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


# --- numbers with five decimals -------------------------------------------------------------------


def rounded(values: np.ndarray) -> np.ndarray:
    """Return the values as they are printed, ndarray of float64.

    The nearest multiple of 0.00001 is known from a product, but for values near the
    middle of two of them: those are printed.
    """
    scaled = values * UNITS_PRINTED
    nearest = np.rint(scaled)
    is_clear = (np.abs(scaled - nearest) < 0.499) & (np.abs(scaled) < 2.0**40)
    result = nearest / UNITS_PRINTED
    unclear = np.flatnonzero(~is_clear)
    result[unclear] = [printed(value) for value in values[unclear].tolist()]
    return result


def printed(value: float) -> float:
    """Return a value with the five decimals that are printed."""
    return float(f"{value:.5f}")


# --- samples --------------------------------------------------------------------------------------


def sums_over_perl_samples(columns: np.ndarray, n_resamples: int) -> np.ndarray:
    """Return the sums over documents drawn with replacement, added up in that order.

    Result: ndarray of float64, shape (n_resamples, n_columns).

    Resample s draws with Perl's generator after seeding it with s: x <- 0x5DEECE66D x +
    11 mod 2^48 from x = 2^16 s + 0x330E (drand48).

    Parameters
    ----------
    columns : ndarray of float64, shape (n_documents, n_columns)
    """
    n_documents = len(columns)
    columns = np.ascontiguousarray(columns)
    sums = np.zeros((n_resamples, columns.shape[1]))
    row = np.empty_like(sums)
    for draws in _perl_draws(n_documents, n_resamples):
        for document in draws:
            # No index is outside; but told not to look, numpy writes in place.
            columns.take(document, axis=0, out=row, mode="clip")
            sums += row
    return sums


def unit_sums_over_perl_samples(units: np.ndarray, n_resamples: int) -> np.ndarray:
    """Return the `sums_over_perl_samples` of whole numbers.

    Documents are counted and not added one by one, which is exact below 2**53.

    Parameters
    ----------
    units : ndarray of float64, shape (n_documents, n_columns)
        Whole numbers.
    """
    n_documents = len(units)
    factors, summands = _perl_jumps(n_documents)
    sums = []
    for seed in _perl_seeds(n_resamples, max(1, _MAX_PERL_COUNTS // n_documents)):
        document = _drawn_documents(seed * factors + summands, n_documents)
        document += np.arange(0, document.size, n_documents)[:, np.newaxis]
        n_drawn = np.bincount(document.reshape(-1), minlength=document.size)
        sums.append(n_drawn.reshape(-1, n_documents).astype(np.float64) @ units)
    return np.concatenate(sums)


def _perl_draws(n_documents: int, n_resamples: int) -> Iterator[np.ndarray]:
    """Yield draws in order, ndarrays of int64, shape (some draws, n_resamples)."""
    (state,) = _perl_seeds(n_resamples, n_resamples)
    blocks = shares(n_documents, max(1, _MAX_PERL_DRAWS // n_resamples))
    factors, summands = _perl_jumps(blocks[0])
    for n_draws in blocks:
        jumps = factors[:n_draws, np.newaxis], summands[:n_draws, np.newaxis]
        states = state[:, 0] * jumps[0] + jumps[1]
        yield _drawn_documents(states, n_documents)
        state = states[-1][:, np.newaxis]


def _perl_seeds(n_resamples: int, share: int) -> Iterator[np.ndarray]:
    """Yield the state of the generator before each resample, some at a time.

    They are ndarrays of uint64, shape (at most `share`, 1).
    """
    for start in range(0, n_resamples, share):
        seed = np.arange(start, min(start + share, n_resamples), dtype=np.uint64)
        yield ((seed << np.uint64(16)) + np.uint64(0x330E))[:, np.newaxis]


def _perl_jumps(n_steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Return factors a and summands c: after k steps a state x is a_k x + c_k mod 2^48.

    Both are ndarrays of uint64, shape (n_steps,), for k from 1 on.
    """
    factor, summand = 1, 0
    jumps = []
    for _ in range(n_steps):
        factor = factor * 0x5DEECE66D & _LOW_48_BITS
        summand = (summand * 0x5DEECE66D + 0xB) & _LOW_48_BITS
        jumps.append((factor, summand))
    factors, summands = np.array(jumps, dtype=np.uint64).T
    return factors, summands


def _drawn_documents(states: np.ndarray, n_documents: int) -> np.ndarray:
    """Return the document that each state draws, ndarray of int64.

    What has overflown in a state is above 48 bits.
    """
    states &= np.uint64(_LOW_48_BITS)
    # A power of two moves no digit, so this is n_documents * (state / 2**48).
    return (states.view(np.int64) * (n_documents / 2.0**48)).astype(np.int64)


def perl_confidence_bounds(ascending: np.ndarray, level: float) -> tuple[float, float]:
    """Return the bounds of sorted resample means.

    Both are moved by the fraction of the upper one, and beyond the end is 0.
    """
    n_resamples, percent = len(ascending), round(100 * level, 10)
    tail = n_resamples * (100 - percent) / 200
    upper, lower = int(n_resamples - tail - 1), int(tail)
    fraction = n_resamples - tail - 1 - upper
    low, next_low, high, next_high = (
        float(ascending[k]) if k < n_resamples else 0.0
        for k in (lower, lower + 1, upper, upper + 1)
    )
    return low + fraction * (next_low - low), high + fraction * (next_high - high)
