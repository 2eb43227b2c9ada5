"""Smoothing against the formulas of Chen and Cherry 2014 in their plain form: section 2,
https://aclanthology.org/W14-3346.
"""

import math
import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import corpus_bleu, sentence_bleu

from helpers.bleu.peers import nltk_method
from rouge_bleu.bleu.options import BleuOptions
from rouge_bleu.bleu.scorer import bleu
from rouge_bleu.bleu.smoothing import SMOOTHINGS
from rouge_bleu.data.corpus import checked_corpus

# `matches` and `totals` are those of n = 1, 2, ..., with one more order where a formula looks at n
# + 1. Techniques 4, 5 and 7 are written down as NLTK computes them: 4 with both 1 / 2^j and ln(c) /
# K, 5 and 7 with precisions.


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


# --- predictions shorter than the highest order ---------------------------------------------------


@pytest.mark.filterwarnings(r"ignore:\s*The hypothesis contains 0 counts")  # of NLTK
@pytest.mark.parametrize("number", [4, 7])
def test_orders_without_any_ngram_are_those_of_nltk(bleu_full, number):
    """NLTK divides by at least 1. Without the preset only chen-cherry-4 does, of the orders that
    have nothing to divide by; from two words on (ln 1 is 0) its scores are NLTK's.
    """
    chooser = random.Random(number)
    n_short = 0
    for _ in range(200):
        prediction, reference = (chooser.choices("ab", k=chooser.randint(2, 5)) for _ in range(2))
        if not set(prediction) & set(reference):
            continue
        n_short += len(prediction) < 4
        result = bleu_full.compute(
            predictions=[prediction], references=[reference], smoothing=f"chen-cherry-{number}"
        )
        expected = sentence_bleu([reference], prediction, smoothing_function=nltk_method(number))
        assert result["bleu"] == pytest.approx(expected, rel=1e-12, abs=0), (prediction, reference)
    assert n_short > 50


def test_orders_without_any_ngram_by_hand(bleu_full):
    """Of "a b", which matches, order 3 is ln(2) / (2 * 5) and order 4 half of it, both over 1; 7
    averages these and order 5, which is 0.
    """
    third, fourth = math.log(2) / 10, math.log(2) / 20
    averages = [4 / 3]
    for p_n, p_next in pairwise([1, third, fourth, 0]):
        averages.append((averages[-1] + p_n + p_next) / 3)
    averages[0] = (2 + 1 + 1) / 3
    expected = {
        "chen-cherry-4": [1, 1, third, fourth],
        "chen-cherry-5": [4 / 3, 7 / 9, 7 / 27, 7 / 81],
        "chen-cherry-7": averages,
    }
    for smoothing, precisions in expected.items():
        result = bleu_full.compute(
            predictions=["a b"], references=["a b"], smoothing=smoothing, use_aggregator=False
        )
        assert result["precisions"][0] == pytest.approx(precisions, rel=1e-14), smoothing


# --- what a BLEU must not depend on ---------------------------------------------------------------

token_list = st.lists(st.sampled_from("abc"), max_size=8)
token_items = st.lists(
    st.tuples(token_list, st.lists(token_list, min_size=1, max_size=3)), min_size=1, max_size=4
)
weight_list = st.lists(st.sampled_from([0, 0.1, 0.25, 1, 3]), min_size=1, max_size=5).filter(any)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(token_items, weight_list, weight_list, st.integers(1, 6), st.data())
def test_bleu_depends_on_its_own_weights_only(smoothing, items, weights, others, n_zeros, data):
    """Neither on the other names in `weights`, nor on weights of 0 at the end."""
    corpus = checked_corpus(*map(list, zip(*items, strict=True)))
    options = data.draw(st.sampled_from([{}, {"use_aggregator": False}, {"effective_order": True}]))

    def bleu_of(weights):
        return bleu(corpus, BleuOptions(weights=weights, smoothing=smoothing, **options))

    alone = bleu_of(weights)["bleu"]
    longer = [*weights, *[0] * n_zeros]
    named = bleu_of({"other": others, "one": weights, "longer": longer})
    assert named["one"] == alone
    assert named["longer"] == alone
    assert bleu_of(longer)["bleu"] == alone


def test_with_preset_nltk_all_weightings_are_smoothed_together(bleu_full):
    """As NLTK does: two weightings in one call are those of `corpus_bleu` with both, and 7 of two
    orders looks at order 5 (0) and not at order 3.
    """
    tokens = "a b c x d e f".split(), "a b c y d e f".split()
    named = {"four": (0.25,) * 4, "two": (0.5, 0.5)}
    for number in (5, 7):
        smooth = nltk_method(number)
        options = {"preset": "nltk", "smoothing": f"chen-cherry-{number}"}
        corpus = {"predictions": [tokens[0]], "references": [[tokens[1]]], **options}
        both = bleu_full.compute(**corpus, weights=named)
        expected = corpus_bleu(
            [[tokens[1]]], [tokens[0]], list(named.values()), smoothing_function=smooth
        )
        assert [both["four"], both["two"]] == pytest.approx(expected, rel=1e-14)
        alone = bleu_full.compute(**corpus, weights=named["two"])["bleu"]
        assert alone == pytest.approx(
            sentence_bleu([tokens[1]], tokens[0], named["two"], smoothing_function=smooth),
            rel=1e-14,
        )
        assert both["two"] != alone


@pytest.mark.parametrize("max_order", [1, 2, 4, 6])
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_counts_have_as_many_orders_as_precisions(bleu_full, smoothing, max_order):
    """sacreBLEU has none of the techniques that look one order ahead; their order is not shown."""
    result = bleu_full.compute(
        predictions=["a b c d e f g"],
        references=["a b c x d e f g"],
        preset="sacrebleu",
        smoothing=smoothing,
        max_order=max_order,
    )
    assert result["totals"] == [7, 6, 5, 4, 3, 2][:max_order]
    assert result["counts"] == [7, 5, 3, 1, 0, 0][:max_order]
    assert len(result["precisions"]) == max_order
