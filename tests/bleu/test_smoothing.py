"""Smoothing by the formulas of Chen and Cherry 2014, section 2, https://aclanthology.org/W14-3346.

NLTK and sacreBLEU confirm it in tests/presets/.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.bleu.peers import random_segments
from rouge_bleu import bleu
from rouge_bleu._bleu import results
from rouge_bleu._bleu.smoothing import SMOOTHINGS

LN_5 = math.log(5)
THIRD, FOURTH = math.log(2) / 10, math.log(2) / 20


@pytest.mark.parametrize(
    ("smoothing", "value", "precisions"),
    [  # 4 of 5 words match, 2 of 4 pairs, and none of 3, 2 and 1 longer n-grams.
        ("none", None, [4 / 5, 2 / 4, 0, 0]),
        ("floor", None, [4 / 5, 2 / 4, 0.1 / 3, 0.1 / 2]),
        ("floor", 0.5, [4 / 5, 2 / 4, 0.5 / 3, 0.5 / 2]),
        ("floor", 0, [4 / 5, 2 / 4, 0, 0]),
        ("add-k", None, [4 / 5, 3 / 5, 1 / 4, 1 / 3]),
        ("add-k", np.float32(0.5), [4 / 5, 2.5 / 4.5, 0.5 / 3.5, 0.5 / 2.5]),
        ("add-k", np.int64(2), [4 / 5, 4 / 6, 2 / 5, 2 / 4]),
        ("exp", None, [4 / 5, 2 / 4, 1 / 2 / 3, 1 / 4 / 2]),
        ("chen-cherry-4", None, [4 / 5, 2 / 4, LN_5 / 10 / 3, LN_5 / 20 / 2]),
        ("chen-cherry-5", None, [31 / 30, 46 / 90, 46 / 270, 46 / 810]),
        ("chen-cherry-6", None, [4 / 5, 2 / 4, 25 / 128, 5 * 625 / (7 * 8192)]),
    ],
)
def test_by_hand(smoothing, value, precisions):
    corpus = ["a b x d e"], ["a b c d e"]
    result = bleu(*corpus, smoothing=smoothing, smoothing_value=value)
    assert result["precisions"] == pytest.approx(precisions, rel=1e-14)
    assert result["bleu"] == pytest.approx(math.prod(precisions) ** 0.25, rel=1e-14)
    assert bleu(*corpus, smoothing=smoothing, smoothing_value=value, smooth=False) == result


def test_one_more_of_each_by_hand():
    result = bleu(["a b x d e"], ["a b c d e"], smooth=True)
    assert result["precisions"] == [5 / 6, 3 / 5, 1 / 4, 1 / 3]


def test_exp_of_the_comment_in_mteval():
    """The example above `bleu_score` of mteval-v13a.pl: two words and one pair match, so the counts
    are 2, 1, 1/2 and 1/4.
    """
    result = bleu(["a b x y z"], ["a b q"], smoothing="exp")
    assert result["precisions"] == [2 / 5, 1 / 4, 1 / 2 / 3, 1 / 4 / 2]


@pytest.mark.parametrize(
    ("smoothing", "precisions"),
    [  # Order 3 is ln(2) / (2 * 5) and order 4 half of it, both over 1; order 5 is 0.
        ("chen-cherry-4", [1, 1, THIRD, FOURTH]),
        ("chen-cherry-5", [4 / 3, 7 / 9, 7 / 27, 7 / 81]),
        (
            "chen-cherry-7",
            [
                4 / 3,
                (4 / 3 + 1 + THIRD) / 3,
                ((4 / 3 + 1 + THIRD) / 3 + THIRD + FOURTH) / 3,
                (((4 / 3 + 1 + THIRD) / 3 + THIRD + FOURTH) / 3 + FOURTH) / 3,
            ],
        ),
    ],
)
def test_orders_without_any_ngram_by_hand(smoothing, precisions):
    result = bleu(["a b"], ["a b"], smoothing=smoothing)
    assert result["precisions"] == pytest.approx(precisions, rel=1e-14)


token_list = st.lists(st.sampled_from("abc"), max_size=8)
token_items = st.lists(
    st.tuples(token_list, st.lists(token_list, min_size=1, max_size=3)), min_size=1, max_size=4
)
weight_list = st.lists(st.sampled_from([0, 0.1, 0.25, 1, 3]), min_size=1, max_size=5).filter(any)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(token_items, weight_list, weight_list, st.integers(1, 6), st.data())
def test_a_bleu_depends_on_its_own_weights_only(smoothing, items, weights, others, n_zeros, data):
    """Not on the other names in `weights`, nor on weights of 0 at the end, except chen-cherry-7,
    which smooths their orders too.
    """
    corpus = list(map(list, zip(*items, strict=True)))
    options = data.draw(st.sampled_from([{}, {"use_aggregator": False}, {"effective_order": True}]))
    options |= {"smoothing": smoothing}
    alone = bleu(*corpus, weights=weights, **options)["bleu"]
    several = {"other": others, "one": weights, "longer": [*weights, *[0] * n_zeros]}
    named = bleu(*corpus, weights=several, **options)
    assert named["one"] == alone
    if smoothing != "chen-cherry-7":
        assert named["longer"] == alone


def test_a_weight_above_0_stays_above_0():
    """2.0 and the least float, scaled by 1 / 2: without a match of two tokens BLEU is 0."""
    assert bleu(["a b"], ["b a"], weights=[2.0, 5e-324])["bleu"] == 0
    assert bleu(["a b"], ["a b"], weights=[2.0, 5e-324])["bleu"] == 1


@pytest.mark.parametrize("max_order", [1, 6])
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_counts_have_as_many_orders_as_precisions(smoothing, max_order):
    """sacreBLEU has none of the techniques that look one order ahead; their order is not shown."""
    options = {"preset": "sacrebleu", "smoothing": smoothing, "max_order": max_order}
    result = bleu(["a b c d e f g"], ["a b c x d e f g"], **options)
    assert result["totals"] == [7, 6, 5, 4, 3, 2][:max_order]
    assert result["counts"] == [7, 5, 3, 1, 0, 0][:max_order]
    assert len(result["precisions"]) == max_order


@pytest.mark.filterwarnings("ignore:The weights of")
@pytest.mark.parametrize("preset", [None, "sacrebleu", "nltk", "matlab", "torchmetrics"])
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_scores_of_few_in_plain_numbers_and_in_arrays(monkeypatch, smoothing, preset):
    """They are equal to the last bit: of sentences, and of corpora of some of them."""
    predictions, references = random_segments(5, 60, 12, 2)
    weights = {"bleu": [1, 1, 1, 1], "two": [0.3, 0.7], "some": [1, 0, 3]}
    options = {"smoothing": smoothing, "preset": preset, "weights": weights}
    found = []
    for limit in (-1, 8):
        monkeypatch.setattr(results, "_MAX_FEW_COLUMNS", limit)
        some = [slice(first, first + n) for n in (1, 3) for first in range(0, 50, 2)]
        found.append([repr(bleu(predictions[s], references[s], **options)) for s in some])
    assert found[0] == found[1]
