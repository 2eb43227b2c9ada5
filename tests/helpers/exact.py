"""Weights of a Poisson bootstrap, and sums without rounding."""

import math
from fractions import Fraction

import numpy as np


def poisson_weight(seed, resample, number, pieces_of_weight):
    """The weight of one item: a piece of 16 bits of Philox, looked up in a list of 65,536 weights."""
    weights = [weight for weight, pieces in enumerate(pieces_of_weight) for _ in range(pieces)]
    key = np.array([seed, number % 2**64], dtype=np.uint64)
    numbers = np.random.Philox(key=key).random_raw(resample // 4 + 1)
    return weights[int(numbers[-1]) >> 16 * (resample % 4) & 0xFFFF]


def exact_mean(scores):
    """The mean of all but NaN, rounded once."""
    defined = [Fraction(score) for score in scores if not math.isnan(score)]
    return float(sum(defined) / len(defined)) if defined else math.nan
