"""Statistics of pairs -> scores of items, against their definition."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from rouge_bleu import plain
from rouge_bleu._rouge.counting import measure_of_name
from rouge_bleu._rouge.presets import RougeRules
from rouge_bleu._rouge.scores import (
    MULTI_REFERENCES,
    example_scores,
    f_measure,
    pair_scores,
)

# Pairs of three items: matches, n-grams of the prediction and of the reference.
MATCHES = np.array([2, 3, 0, 4, 0, 0])
PREDICTION_TOTALS = np.array([4, 4, 3, 8, 8, 0])
REFERENCE_TOTALS = np.array([2, 6, 5, 4, 0, 0])
OFFSETS = np.array([0, 3, 5, 6])


def pairs(prediction_matches=MATCHES):
    """Return the counts of one rouge type."""
    rows = prediction_matches, MATCHES, PREDICTION_TOTALS, REFERENCE_TOTALS
    return np.array(rows, dtype=np.float64)[:, np.newaxis]


def options_of(choice="best", beta=1.0, zero_division=0.0, rouge_type="rouge1", **rules):
    """Return what scores are made by, without the checks of options."""
    return SimpleNamespace(
        multi_reference=choice,
        beta=beta,
        zero_division=zero_division,
        rules=RougeRules(**rules),
        measures={rouge_type: measure_of_name(rouge_type)},
    )


def scores_of(choice, counts=None, **given):
    """Return precision, recall and F of each item."""
    counts = pairs() if counts is None else counts
    scores = example_scores(counts, OFFSETS, options_of(choice, **given))
    return [tuple(item) for item in scores[:, 0].T.tolist()]


@pytest.mark.parametrize("beta", [0.0, 0.5, 1.0, 3.0, 1e160, math.inf])
def test_f_measure(beta):
    p, r = (side.ravel() for side in np.meshgrid(np.arange(5) / 4, np.arange(7) / 6))
    if beta in (0.0, 1e160, math.inf):
        assert f_measure(p, r, beta).tolist() == (r if beta else p).tolist()
        return
    expected = [plain.f_measure(*pair, beta) for pair in zip(p.tolist(), r.tolist(), strict=True)]
    assert f_measure(p, r, beta).tolist() == pytest.approx(expected, rel=1e-15, abs=0)


def test_scores_of_pairs():
    """P, R and F = 2 m / (both totals); 0 if there is nothing to match."""
    precision, recall, f = pair_scores(pairs(), options_of())[:, 0].tolist()
    assert precision == [1 / 2, 3 / 4, 0, 1 / 2, 0, 0]
    assert recall == [1, 1 / 2, 0, 1, 0, 0]
    assert f == pytest.approx([4 / 6, 6 / 10, 0, 8 / 12, 0, 0], rel=1e-15)


def test_precision_may_have_matches_of_its_own():
    """As the best sentence on each side has."""
    own = np.array([1, 4, 1, 2, 8, 0])
    precision, recall, _ = pair_scores(pairs(own), options_of())[:, 0].tolist()
    assert precision == [1 / 4, 1, 1 / 3, 1 / 4, 1, 0]
    assert recall == [1, 1 / 2, 0, 1, 0, 0]
    ((p, r, _), *_) = scores_of("pooled", pairs(own))
    assert (p, r) == (6 / 11, 5 / 13)


def test_the_exponent_is_of_both_quotients():
    """rougeW takes f^-1 of P and R, and F of these: Lin 2004, section 4, formulas 13 to 15."""
    options = options_of(beta=2.0, rouge_type="rougeW-2")
    precision, recall, f = pair_scores(pairs(), options)[:, 0].tolist()
    assert precision == pytest.approx(np.sqrt([1 / 2, 3 / 4, 0, 1 / 2, 0, 0]), rel=1e-15)
    assert recall == pytest.approx(np.sqrt([1, 1 / 2, 0, 1, 0, 0]), rel=1e-15)
    assert f[0] == pytest.approx(plain.f_measure(math.sqrt(1 / 2), 1.0, 2.0), rel=1e-15)
    ((p, r, _), *_) = scores_of("pooled", rouge_type="rougeW-2")
    assert (p, r) == (math.sqrt(5 / 11), math.sqrt(5 / 13))


# By hand. The best reference of item 1 has F 2/3; pooled it is 5 of 11 and of 13.
F = [(1 / 2, 1, 2 / 3), (3 / 4, 1 / 2, 3 / 5), (0, 0, 0)]
CHOICES = {
    "best": [F[0], (1 / 2, 1, 2 / 3), (0, 0, 0)],
    "average": [
        tuple(sum(column) / 3 for column in zip(*F, strict=True)),
        (1 / 4, 1 / 2, 1 / 3),
        (0, 0, 0),
    ],
    "pooled": [(5 / 11, 5 / 13, 10 / 24), (4 / 16, 1, 8 / 20), (0, 0, 0)],
    # The best in two of three sets, the second best in the one without it.
    "jackknife": [
        tuple((2 * a + b) / 3 for a, b in zip(F[0], F[1], strict=True)),
        (1 / 4, 1 / 2, 1 / 3),
        (0, 0, 0),
    ],
    "separate": [(3 / 4, 1, 6 / 7), (1 / 2, 1, 2 / 3), (0, 0, 0)],
    "recall": [F[0], (1 / 2, 1, 2 / 3), (0, 0, 0)],
    "f_of_means": [(5 / 12, 1 / 2, 5 / 11), (1 / 4, 1 / 2, 1 / 3), (0, 0, 0)],
}


@pytest.mark.parametrize("choice", MULTI_REFERENCES)
def test_choices_by_hand(choice):
    found = scores_of(choice)
    for item, expected in zip(found, CHOICES[choice], strict=True):
        assert item == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("choice", MULTI_REFERENCES)
def test_an_item_without_anything_to_match_is_undefined(choice):
    """The third; the second has one reference with n-grams."""
    found = scores_of(choice, zero_division=math.nan)
    assert [[math.isnan(score) for score in item] for item in found] == [
        [False] * 3,
        [False] * 3,
        [True] * 3,
    ]


@pytest.mark.parametrize("choice", MULTI_REFERENCES)
def test_one_reference_each_needs_no_choice(choice):
    alone = example_scores(pairs(), np.arange(7), options_of(choice, 2.0, math.nan))
    expected = pair_scores(pairs(), options_of(beta=2.0))
    expected[:, 0, REFERENCE_TOTALS == 0] = math.nan
    np.testing.assert_array_equal(alone, expected)


@pytest.mark.parametrize("choice", ["separate", "f_of_means"])
def test_f_of_an_item_has_32_bits_where_that_of_a_pair_has(choice):
    f = example_scores(pairs(), OFFSETS, options_of(choice, 2.0, has_32_bits=True))[2]
    np.testing.assert_array_equal(f, f.astype(np.float32))


def test_the_first_of_equal_references_is_the_best():
    """P 1 and R 1/4, or the other way round: F is 2/5."""
    for p, r in ((1, 4), (4, 1)):
        rows = [0, 1, 1], [0, 1, 1], [9, p, r], [9, r, p]
        equal = np.array(rows, dtype=np.float64)[:, np.newaxis]
        (item,) = example_scores(equal, np.array([0, 3]), options_of())[:, 0].T.tolist()
        assert item == [1 / p, 1 / r, 2 / 5]
