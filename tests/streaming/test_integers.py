"""Sums of floats as whole numbers, beside fractions, which never round."""

import math
from fractions import Fraction

import numpy as np
import pytest

from helpers.exact import exact_mean
from rouge_bleu.scorer import mean_rounded_once
from rouge_bleu.streaming import MAX_SUMMED_ITEMS, integers_of_values, values_of_integers

RNG = np.random.default_rng(3)
SCORES = {
    "quotients": RNG.integers(0, 40, 500) / RNG.integers(40, 90, 500),
    "any bits": RNG.random(500),
    "small": RNG.random(500) * 2.0**-20,
    "0 and 1": RNG.integers(0, 2, 500).astype(float),
    "some are not defined": np.where(RNG.random(500) < 0.3, np.nan, RNG.random(500)),
    "none is defined": np.full(5, np.nan),
    "one": np.array([0.1]),
    "all the same": np.full(333, 1 / 3),
}


def total(values, kind):
    return values_of_integers(integers_of_values(values, kind).sum(axis=1, keepdims=True), kind)[0]


@pytest.mark.parametrize("name", SCORES)
def test_means_are_those_of_fractions(name):
    """To 2^-61, half of the precision of a score; and exact from 2^-8 on."""
    scores = SCORES[name]
    assert total(scores, "score") == pytest.approx(exact_mean(scores), abs=2**-60, nan_ok=True)
    large = np.where(scores < 2**-8, 0.5, scores)
    assert total(large, "score") == pytest.approx(exact_mean(large), abs=0, rel=0, nan_ok=True)


def test_lengths():
    """Thirds and fifths of tokens, as of the average of reference lengths."""
    lengths = [Fraction(int(n), int(k)) for n, k in RNG.integers(1, 400, (300, 2))]
    values = np.array([float(length) for length in lengths])
    expected = sum(map(Fraction, values.tolist()))
    assert total(values, "length") == float(expected)
    assert total(np.array([2.0**40, 0.5]), "length") == 2.0**40 + 0.5


def test_counts_are_themselves():
    assert total(np.array([3, 2**53, 1]), "count") == 2**53 + 4


def test_as_many_ones_as_there_may_be_fit_into_64_bits():
    parts = [int(part) * MAX_SUMMED_ITEMS for part in integers_of_values(np.ones(1), "score")[:, 0]]
    assert max(parts) < 2**63
    assert values_of_integers(np.array([[part] for part in parts]), "score") == [1.0]


def test_what_is_too_small_is_rounded_to_the_nearest():
    """Three quarters of the least unit, 2^-60, become one, and a quarter none."""
    low = integers_of_values(np.array([3 * 2.0**-62, 2.0**-62]), "score")[2]
    assert low.tolist() == [1, 0]


# --- means of arrays -----------------------------------------------------


@pytest.mark.parametrize("name", [name for name in SCORES if "defined" not in name])
def test_a_mean_is_that_of_fractions_rounded_once(name):
    """In any order."""
    scores = SCORES[name]
    expected = exact_mean(scores)
    for _ in range(3):
        assert mean_rounded_once(RNG.permutation(scores)) == expected


@pytest.mark.parametrize("n_items", [2, 3, 5, 6, 50, 333])
def test_the_mean_of_equal_numbers_is_that_number(n_items):
    """Which a rounded sum divided by their number is not: that is rounded twice."""
    values = [*RNG.random(300), *RNG.random(100) * 1e-300, 5e-324, 0.0, 1e300]
    for value in values:
        assert mean_rounded_once(np.full(n_items, value)) == value
    rounded_twice = [math.fsum([value] * n_items) / n_items for value in values]
    assert (rounded_twice == values) == (n_items == 2)


def test_means_beyond_the_range_of_floats():
    """As numpy has them."""
    assert mean_rounded_once(np.array([math.inf, 1.0])) == math.inf
    with np.errstate(over="ignore"):
        assert mean_rounded_once(np.array([1e308, 1e308])) == math.inf
    assert math.isnan(mean_rounded_once(np.array([math.nan, 1.0])))
