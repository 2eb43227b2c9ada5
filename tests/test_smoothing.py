"""Smoothing against the formulas of Chen and Cherry 2014 in their plain form."""

import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest

import oracles

#
# `matches` and `totals` are those of n = 1, 2, ..., with one more order where a formula looks at n
# + 1. Techniques 4, 5 and 7 are written down as NLTK computes them: 4 with both 1 / 2^j and ln(c) /
# K, 5 and 7 with precisions.


def smoothing_1(matches, totals, n_tokens):
    return [(m_n if m_n else 0.1) / l_n for m_n, l_n in zip(matches, totals, strict=True)]


def smoothing_2(matches, totals, n_tokens):
    return [matches[0] / totals[0]] + [
        (m_n + 1) / (l_n + 1) for m_n, l_n in zip(matches[1:], totals[1:], strict=True)
    ]


def smoothing_3(matches, totals, n_tokens):
    inverse_count, precisions = 1, []
    for m_n, l_n in zip(matches, totals, strict=True):
        if m_n == 0:
            inverse_count *= 2
            m_n = 1 / inverse_count
        precisions.append(m_n / l_n)
    return precisions


def smoothing_4(matches, totals, n_tokens):
    n_misses, precisions = 0, []
    for m_n, l_n in zip(matches, totals, strict=True):
        if m_n == 0:
            n_misses += 1
            m_n = math.log(n_tokens) / (5 * 2**n_misses)
        precisions.append(m_n / l_n)
    return precisions


def smoothing_5(matches, totals, n_tokens):
    return average_of_three([m_n / l_n for m_n, l_n in zip(matches, totals, strict=True)])


def smoothing_6(matches, totals, n_tokens):
    precisions = [matches[0] / totals[0], matches[1] / totals[1]]
    for m_n, l_n in zip(matches[2:], totals[2:], strict=True):
        before, two_before = precisions[-1], precisions[-2]
        expected = before * before / two_before if two_before else 0.0
        precisions.append((m_n + 5 * expected) / (l_n + 5))
    return precisions


def smoothing_7(matches, totals, n_tokens):
    return average_of_three(
        [*smoothing_4(matches[:-1], totals[:-1], n_tokens), matches[-1] / totals[-1]]
    )


def average_of_three(precisions):
    """Return (p'_{n-1} + p_n + p_{n+1}) / 3 for all n but the last, with p'_0 = p_1 + 1."""
    averages = [precisions[0] + 1]
    for p_n, p_next in pairwise(precisions):
        averages.append((averages[-1] + p_n + p_next) / 3)
    return averages[1:]


TECHNIQUES = {
    "floor": smoothing_1,
    "add-k": smoothing_2,
    "exp": smoothing_3,
    "chen-cherry-4": smoothing_4,
    "chen-cherry-5": smoothing_5,
    "chen-cherry-6": smoothing_6,
    "chen-cherry-7": smoothing_7,
}


def random_corpus(chooser):
    """Return a corpus of segments of 8 to 14 words, so that all have n-grams of every order."""
    letters = "abcdefgh"[: chooser.randint(2, 8)]
    n_items = chooser.randint(1, 4)
    texts = [
        [chooser.choices(letters, k=chooser.randint(8, 14)) for _ in range(chooser.randint(2, 4))]
        for _ in range(n_items)
    ]
    return [item[0] for item in texts], [item[1:] for item in texts]


@pytest.mark.parametrize("n_orders", [3, 4, 7])
@pytest.mark.parametrize("preset", [None, "nltk"])
@pytest.mark.parametrize("smoothing", TECHNIQUES)
def test_smoothing_from_its_formula(bleu_full, smoothing, preset, n_orders):
    """Of corpora: the sums over all segments are what is smoothed. Behind the last order NLTK takes
    order 5.
    """
    chooser = random.Random(n_orders)
    n_smoothed = 0
    for _ in range(60):
        predictions, references = random_corpus(chooser)
        orders = list(range(1, n_orders + 1))
        orders += [5 if preset == "nltk" else n_orders + 1] * (
            smoothing in ("chen-cherry-5", "chen-cherry-7")
        )
        matches = [
            sum(
                oracles.ngram_matches(p, r, order)
                for p, r in zip(predictions, references, strict=True)
            )
            for order in orders
        ]
        totals = [
            sum(len(prediction) + 1 - order for prediction in predictions) for order in orders
        ]
        n_tokens = sum(map(len, predictions))
        result = bleu_full.compute(
            predictions=predictions,
            references=references,
            smoothing=smoothing,
            max_order=n_orders,
            preset=preset,
        )
        expected = (
            TECHNIQUES[smoothing](matches, totals, n_tokens) if matches[0] else [0.0] * n_orders
        )
        assert result["precisions"] == pytest.approx(expected, rel=1e-12, abs=0)
        score = math.exp(sum(map(math.log, expected)) / n_orders) if min(expected) > 0 else 0.0
        assert result["bleu"] == pytest.approx(result["brevity_penalty"] * score, rel=1e-12, abs=0)
        n_smoothed += 0 in matches
    assert n_smoothed > 3


def test_smoothing_by_hand(bleu_full):
    """4 of 5 words, 2 of 4 pairs, and none of 3, 2 and 1 longer n-grams."""
    expected = {
        "chen-cherry-4": [4 / 5, 2 / 4, math.log(5) / 10 / 3, math.log(5) / 20 / 2],
        "chen-cherry-5": [Fraction(31, 30), Fraction(46, 90), Fraction(46, 270), Fraction(46, 810)],
        "chen-cherry-6": [
            Fraction(4, 5),
            Fraction(2, 4),
            Fraction(25, 128),
            Fraction(5 * 625, 7 * 8192),
        ],
    }
    for smoothing, precisions in expected.items():
        result = bleu_full.compute(
            predictions=["a b x d e"], references=["a b c d e"], smoothing=smoothing
        )
        assert result["precisions"] == pytest.approx(list(map(float, precisions)), rel=1e-14)


def test_methods_5_and_7_can_exceed_one(bleu_full):
    """Since p'_0 = p_1 + 1: of identical texts the averages are 4/3, 10/9, 28/27 and 82/81, in NLTK
    as well.
    """
    for smoothing in ("chen-cherry-5", "chen-cherry-7"):
        result = bleu_full.compute(
            predictions=["a b c d e"], references=["a b c d e"], smoothing=smoothing
        )
        assert result["precisions"] == pytest.approx([4 / 3, 10 / 9, 28 / 27, 82 / 81], rel=1e-14)
        assert result["bleu"] == pytest.approx(
            (4 / 3 * 10 / 9 * 28 / 27 * 82 / 81) ** 0.25, rel=1e-14
        )
