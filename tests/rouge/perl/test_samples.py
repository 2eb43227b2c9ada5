"""The samples of the Perl script, and its bounds."""

import numpy as np
import pytest

from rouge_bleu.rouge.perl.samples import perl_confidence_bounds, sums_over_perl_samples


def test_resamples_are_those_of_drand48():
    # perl 5.36: for $s (0..2) { srand($s); print join(" ", map { int(rand(5)) } 1..5), "\n" }
    drawn = [[0, 3, 0, 4, 2], [0, 2, 4, 1, 2], [4, 0, 2, 4, 2]]
    one_hot = np.eye(5)
    expected = [np.bincount(row, minlength=5).tolist() for row in drawn]
    assert sums_over_perl_samples(one_hot, 3).tolist() == expected


def test_bounds_move_by_the_fraction_of_the_upper_one():
    # r = 10, c = 95: d = 10 * 5 / 200 = 0.25, upper index 8, lower index 0, fraction 0.75 for both.
    ascending = np.arange(10.0)
    assert perl_confidence_bounds(ascending, 0.95) == (0.75, 8.75)
    # r = 1: d = 0.025, both indices 0, fraction -0.025; the value past the end is 0.
    assert perl_confidence_bounds(np.array([3.0]), 0.95) == pytest.approx((3.075, 3.075))
