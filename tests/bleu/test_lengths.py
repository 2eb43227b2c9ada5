"""Lengths and the brevity penalty against their definition, one item at a time."""

import math
from fractions import Fraction

import numpy as np
import pytest

from rouge_bleu import plain
from rouge_bleu._bleu.smoothing import REFERENCE_LENGTHS, brevity_penalty


def lengths_of(name, prediction, references):
    """Return the lengths that predictions are compared with, as a list."""
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
    closest = list(map(plain.closest_reference_length, prediction, references))
    assert lengths_of("closest", prediction, references) == closest
    assert lengths_of("shortest", prediction, references) == list(map(min, references))
    means = [float(Fraction(sum(item), len(item))) for item in references]
    assert lengths_of("average", prediction, references) == means


@pytest.mark.parametrize(
    ("prediction", "references", "closest"),
    [
        # Of equally close lengths the shorter one: Papineni et al. leave it open.
        (6, [7, 5], 5),
        (6, [0, 12], 0),
        # The example in the comment above `brevity_penalty_closest` of mteval-v13a.pl.
        (7, [11, 8, 6, 7], 7),
        (7, [11, 8, 6], 6),
        # It is found by a product of lengths: 10^9 tokens are within 64 bits.
        (10**9, [10**9 - 1, 1], 10**9 - 1),
        (10**9, [0, 10**9], 10**9),
    ],
)
def test_closest_length(prediction, references, closest):
    assert lengths_of("closest", [prediction], [references]) == [closest]
