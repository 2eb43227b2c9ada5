"""Numbers as the Perl script ROUGE-1.5.5 prints them: with five decimals.

Python loops run over values near the middle of two printed numbers.
"""

from __future__ import annotations

import numpy as np

UNITS_PRINTED = 1e5  # in one


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
