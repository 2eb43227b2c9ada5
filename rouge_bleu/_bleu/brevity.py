"""Lengths of predictions and references -> the brevity penalty of BLEU.

    BP = 1 if c >= r else exp(1 - r / c)

with c tokens in the predictions and r in the references (Papineni et al. 2002, section
2.2, https://aclanthology.org/P02-1040). Which length counts where a prediction has
several references, one of `REFERENCE_LENGTHS` says; "closest" is the paper's.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from ..arrays import first_of_highest


def brevity_penalty(translation_length: np.ndarray, reference_length: np.ndarray) -> np.ndarray:
    """Return BP, 0 for an empty translation; ndarray of float64, shape (n_items,).

    >>> lengths = np.array([10, 5, 0, 0]), np.array([8, 10, 4, 0])
    >>> brevity_penalty(*lengths).round(6).tolist()
    [1.0, 0.367879, 0.0, 1.0]
    """
    is_short = translation_length < reference_length
    exponent = 1.0 - reference_length / np.maximum(translation_length, 1)
    penalty = np.exp(np.minimum(exponent, 0.0)) * (translation_length > 0)
    return np.where(is_short, penalty, 1.0)


# Each takes the lengths of all references, the offsets of the items' references and the
# lengths of the predictions, and returns the length that each prediction is held
# against, an ndarray of shape (n_items,) whose sum over items is exact.


def _closest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    """The length closest to the prediction's, on a tie the shorter."""
    if len(reference) == len(prediction):  # one reference each
        return reference
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    limit = int(reference.max(initial=0)) + 1
    return np.minimum.reduceat(distance * limit + reference, offsets[:-1]) % limit


def first_closest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    """Return the length closest to the prediction's, on a tie the first one.

    So torchmetrics does it. The arguments and the result are those of
    `REFERENCE_LENGTHS`.

    >>> first_closest_length(np.array([8, 4]), np.array([0, 2]), np.array([6])).tolist()
    [8]
    """
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    return reference[first_of_highest(-distance, offsets)]


def _shortest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    return np.minimum.reduceat(reference, offsets[:-1])


def _average_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    """The mean length, as fractions: in floats the sum would depend on the order."""
    sums = np.add.reduceat(reference, offsets[:-1]).tolist()
    means = map(Fraction, sums, np.diff(offsets).tolist())
    return np.array(list(means), dtype=object)


REFERENCE_LENGTHS: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "closest": _closest_length,
    "shortest": _shortest_length,
    "average": _average_length,
}
