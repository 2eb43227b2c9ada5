"""The weights of the orders of n-grams: one form of several, checks, scales."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..corpus import as_list
from ..kernels.ngrams import MAX_ORDER
from ..messages import shown, warn_caller, written
from ..options import is_number

Weights = Sequence[float] | np.ndarray

_MAX_ORDER_MEANT = 9  # by a single number
_TOLERANCE_OF_SUM = 0.02  # 0.33 three times is meant to be 1


def checked_weights(name: str, weights: Any, taken_names: Collection[str]) -> Any:
    """Return weights as a list, or a dict of lists under names that are not taken."""
    if not isinstance(weights, Mapping):
        return _checked_list(name, weights)
    if not weights:
        raise ValueError(f"{name} is empty: pass at least one name with its weights")
    for key in weights:
        if not isinstance(key, str) or key in taken_names:
            taken = ", ".join(map(repr, taken_names))
            raise ValueError(f"{name} must have strings other than {taken} as names, got {key!r}")
    return {key: _checked_list(f"{name}[{key!r}]", values) for key, values in weights.items()}


def _checked_list(name: str, weights: Any) -> list[Any]:
    expected = "a list of numbers, one for each order"
    weights = as_list(weights, name, expected, partial(_hint_of_single_number, name))
    if not all(map(is_number, weights)):
        raise TypeError(f"{name} must be {expected}, got {shown(weights)}")
    if not all(0 <= weight < math.inf for weight in weights) or not any(weights):
        raise ValueError(
            f"{name} must be one or more finite numbers >= 0, not all of them 0, got "
            f"{written(weights):.60}"
        )
    if len(weights) > MAX_ORDER:
        raise ValueError(f"{name} must be at most {MAX_ORDER} numbers, got {len(weights)}")
    return weights


def _hint_of_single_number(name: str, value: Any) -> str:
    """Return what a number may mean: the highest order, or else a weight."""
    if name == "weights" and is_number(value) and _may_be_order(value):
        return f": for n-grams up to {int(value)} use max_order={int(value)}"
    return ": put it into a list" if is_number(value) else ""


def _may_be_order(value: Any) -> bool:
    return value in range(1, _MAX_ORDER_MEANT + 1)


def warn_of_weights(options: Any) -> None:
    """Warn of weights that may not mean what they say."""
    weights = options.weights
    is_list = weights is not None and not isinstance(weights, Mapping)
    is_single = is_list and options.max_order is None and len(weights) == 1
    if is_single and weights[0] > 1 and _may_be_order(weights[0]):
        order = int(weights[0])
        warn_caller(
            f"A single weight applies to single words only: weights=[{order}] ignores "
            f"longer n-grams. For n-grams up to {order} pass max_order={order}, for BLEU-1 "
            "max_order=1."
        )
        return
    if options.rules.scales_weights:
        return
    for name, of_name in options.weights_of_name.items():
        total = sum(of_name.tolist())  # which may be infinite
        if not math.isclose(total, 1.0, rel_tol=_TOLERANCE_OF_SUM):
            warn_caller(
                f"The weights of {name!r:.60} sum to {total:g}, and preset={options.preset!r:.60} "
                f"does not scale them: BLEU is the mean of precisions to the power of {total:g}. "
                "For the mean itself, pass weights that sum to 1."
            )
            return


def normalised_weights(weights: np.ndarray) -> np.ndarray:
    """Return weights scaled to a sum of one, ndarray of float64."""
    with np.errstate(under="ignore"):
        scaled = weights / weights.max()  # so that the sum of huge ones is finite
        # numpy adds up a longer array in another order, and zeros change the last bit.
        last = np.flatnonzero(scaled)[-1]
        return scaled / scaled[: last + 1].sum()
