"""Lengths and the brevity penalty against their definition, one item at a time."""

import math
from fractions import Fraction

import numpy as np
import pytest

from helpers import oracles
from rouge_bleu.bleu.brevity import REFERENCE_LENGTHS, brevity_penalty


def lengths_of(name, prediction, references):
    """Return the lengths that predictions are held against, as a list."""
    offsets = np.cumsum([0, *map(len, references)])
    flat = np.array([length for item in references for length in item], dtype=np.int64)
    return list(REFERENCE_LENGTHS[name](flat, offsets, np.array(prediction, dtype=np.int64)))


def test_brevity_penalty():
    """Papineni et al. 2002, section 2.2.2: 1 where c > r, else exp(1 - r / c)."""
    rng = np.random.default_rng(1)
    c, r = rng.integers(0, 30, 500), rng.integers(0, 30, 500)
    expected = [
        1.0 if a >= b else math.exp(1 - b / a) if a else 0.0
        for a, b in zip(c.tolist(), r.tolist(), strict=True)
    ]
    assert brevity_penalty(c, r).tolist() == pytest.approx(expected, rel=1e-15, abs=0)
    halves = brevity_penalty(np.array([4]), np.array([4.5]))  # of an average
    assert halves.tolist() == pytest.approx([math.exp(1 - 4.5 / 4)], rel=1e-15)


def test_lengths_of_random_items():
    rng = np.random.default_rng(2)
    references = [rng.integers(0, 12, rng.integers(1, 6)).tolist() for _ in range(300)]
    prediction = rng.integers(0, 12, 300).tolist()
    assert lengths_of("closest", prediction, references) == [
        oracles.closest_reference_length(*item) for item in zip(prediction, references, strict=True)
    ]
    assert lengths_of("shortest", prediction, references) == list(map(min, references))
    assert lengths_of("average", prediction, references) == [
        Fraction(sum(item), len(item)) for item in references
    ]


def test_ties_and_zeros():
    """Of equally close lengths the shorter one: Papineni et al. leave it open, mteval-v13a takes
    the shorter. 0 is a length like any other.
    """
    references = [[7, 5], [5, 7], [0, 12], [6, 6], [0], [0, 0, 1]]
    assert lengths_of("closest", [6, 6, 6, 6, 6, 0], references) == [5, 5, 0, 6, 0, 0]


def test_no_length_is_too_long():
    """The closest length is found by a product of lengths: 10^9 tokens are within 64 bits."""
    long = 10**9
    assert lengths_of("closest", [0, long, long], [[long], [long - 1, 1], [0, long]]) == [
        long,
        long - 1,
        long,
    ]
