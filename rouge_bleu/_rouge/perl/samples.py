"""Counts of documents -> what they are over samples of the Perl script ROUGE-1.5.5.

The script draws its samples with Perl's generator, and has bounds of its own. Python
loops run over the draws of a resample.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...resampling import shares

# Draws made at once, or counts of documents: they stay in the cache.
_MAX_PERL_DRAWS = 1 << 14
_MAX_PERL_COUNTS = 1 << 15
_LOW_48_BITS = (1 << 48) - 1


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
