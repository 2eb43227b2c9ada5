"""Weights of a Poisson bootstrap: of whom they depend, and how they are distributed."""

import math

import numpy as np
import pytest

from helpers.exact import poisson_weight
from rouge_bleu.resampling import PIECES_OF_WEIGHT, poisson_weights

IDS = np.array([0, 1, 2, 7, 2**63, 2**64 - 1], dtype=np.uint64)


@pytest.mark.parametrize(("seed", "n_resamples"), [(0, 1), (0, 4), (1, 5), (2**32 - 1, 13)])
def test_each_weight_is_that_of_the_oracle(seed, n_resamples):
    expected = [
        [poisson_weight(seed, r, int(number), PIECES_OF_WEIGHT) for r in range(n_resamples)]
        for number in IDS
    ]
    assert poisson_weights(IDS, n_resamples, seed).tolist() == expected


def test_others_do_not_matter():
    """Neither other items nor later resamples change a weight."""
    weights = poisson_weights(IDS, 40, 3)
    order = np.array([4, 1, 5, 0, 3, 2])
    assert (poisson_weights(IDS[order], 40, 3) == weights[order]).all()
    assert (poisson_weights(IDS[2:3], 7, 3) == weights[2:3, :7]).all()


def test_no_items():
    assert poisson_weights(IDS[:0], 10, 0).shape == (0, 10)


def test_the_table_is_the_poisson_distribution_of_mean_1():
    """Each number is the nearest that fits; mean and variance are exact."""
    total = sum(PIECES_OF_WEIGHT)
    assert total == 2**16
    for weight, pieces in enumerate(PIECES_OF_WEIGHT):
        assert abs(pieces - total * math.exp(-1) / math.factorial(weight)) < 1.25
    first, second = (
        sum(weight**power * pieces for weight, pieces in enumerate(PIECES_OF_WEIGHT))
        for power in (1, 2)
    )
    assert (first, second) == (total, 2 * total)


def test_weights_are_drawn_by_that_table():
    """Of 2,000,000 weights, within five standard errors."""
    weights = poisson_weights(np.arange(2000, dtype=np.uint64), 1000, 0)
    counts = np.bincount(weights.astype(int).ravel(), minlength=len(PIECES_OF_WEIGHT))
    expected = np.array(PIECES_OF_WEIGHT) * weights.size / 2**16
    assert (np.abs(counts - expected) <= 5 * np.sqrt(expected)).all()
