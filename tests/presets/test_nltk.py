"""The preset "nltk" against NLTK as installed; older releases are in test_recorded.py."""

import math
from dataclasses import replace
from itertools import repeat

import numpy as np
import pytest
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

from helpers.bleu.peers import N_SEGMENTS, random_tokens
from rouge_bleu import bleu, plain
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu.registry import BLEU_PRESETS

pytestmark = [
    pytest.mark.filterwarnings(r"ignore:\s*The hypothesis contains 0 counts"),  # of NLTK
    pytest.mark.filterwarnings("ignore:The weights of"),
]
NLTK = {"preset": "nltk"}
METHODS = list(SMOOTHINGS)  # method0, method1, ...
TOKENS = random_tokens(2, N_SEGMENTS)
# Of one to eight orders; they need not sum to one.
WEIGHTS = [
    *((1.0,), (0.5, 0.5), (0.0, 0.0, 2.0), (0.25,) * 4, (0.4, 0.0, 0.3, 0.2, 0.1)),
    *((0.0, 0.7, 0.0, 0.1, 0.0, 0.0), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7), (0.125,) * 8),
]
NAMED_WEIGHTS = {f"bleu{len(weights)}": weights for weights in WEIGHTS}


def nltk_method(number):
    return getattr(SmoothingFunction(), f"method{number}")


def is_zero(prediction, references, weights):
    """Return whether an order of positive weight has no matches. BLEU without smoothing is 0 then;
    NLTK takes 2.2e-308 for the precision.
    """
    return any(
        weight and not plain.bleu_matches(prediction, references, order)[0]
        for order, weight in enumerate(weights, 1)
    )


@pytest.mark.parametrize("method", range(5))
def test_a_corpus(method):
    predictions, references = TOKENS
    options = {**NLTK, "smoothing": METHODS[method]}
    result = bleu(predictions, references, **options, weights=NAMED_WEIGHTS, output="score")
    expected = corpus_bleu(references, predictions, WEIGHTS, nltk_method(method))
    np.testing.assert_allclose([*result.values()], expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("method", range(8))
def test_zeros_at_the_end_of_weights(method):
    """Also without the preset: method 7 smooths their orders, and so BLEU depends on them."""
    if method == 6:
        pytest.skip("NLTK raises an IndexError for one order")
    prediction, reference = "a b c a".split(), "a c b c".split()
    for weights in ([1.0], [1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.5, 0.5, 0.0]):
        expected = sentence_bleu([reference], prediction, weights, nltk_method(method))
        if method in (5, 7) and weights[-1]:
            continue  # the next order of NLTK is always 5
        for preset in ("nltk", None):
            options = {"smoothing": METHODS[method], "preset": preset, "tokenizer": "whitespace"}
            found = bleu([prediction], [[reference]], **options, weights=weights)["bleu"]
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-70)


@pytest.mark.parametrize("method", range(8))
def test_each_segment(method):
    """Methods 5 and 7 average each order with the next one; after the last one NLTK takes order 5,
    however many weights there are.
    """
    options = {**NLTK, "smoothing": METHODS[method], "output": "score"}
    result = bleu(*TOKENS, **options, weights=NAMED_WEIGHTS, use_aggregator=False)
    n_compared = 0
    for i, (prediction, references) in enumerate(zip(*TOKENS, strict=True)):
        scores = [column[i] for column in result.values()]
        try:
            expected = sentence_bleu(references, prediction, WEIGHTS, nltk_method(method))
        except AssertionError:
            assert method == 6  # if no 3-gram matches; here such a segment has a score
            assert all(map(math.isfinite, scores))
            continue
        if method == 0:
            are_zero = map(is_zero, repeat(prediction), repeat(references), WEIGHTS)
            expected = [0.0 if zero else one for zero, one in zip(are_zero, expected, strict=True)]
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=0, err_msg=str(prediction))
        n_compared += 1
    assert n_compared == N_SEGMENTS if method != 6 else n_compared > 40


# NLTK's methods 5, 6 and 7 take some counts from the last segment; ours are those of the corpus: 9/12,
# 6/10, 4/8, 3/6 and 2/4, from which docs/reference/smoothing.md gives these numbers by hand.
@pytest.mark.parametrize(
    ("method", "of_nltk", "of_nltk_swapped", "ours"),
    [
        (5, "0.6219", "0.7334", "0.6844"),
        (6, "0.7329", "0.7329", "0.5639"),
        (7, "0.6219", "0.7334", "0.6844"),
    ],
)
def test_segments_in_another_order(method, of_nltk, of_nltk_swapped, ours):
    predictions = ["the cat is on the mat".split(), "a dog barks loudly at night".split()]
    references = [["the cat is on the mat".split()], ["a cat sleeps quietly at night".split()]]
    for order, printed in ((1, of_nltk), (-1, of_nltk_swapped)):
        corpus = references[::order], predictions[::order]
        assert f"{corpus_bleu(*corpus, smoothing_function=nltk_method(method)):.4f}" == printed
        found = bleu(*corpus[::-1], **NLTK, smoothing=METHODS[method])["bleu"]
        assert f"{found:.4f}" == ours


def test_texts_are_tokens_between_blanks():
    texts = ["Hello, world! x"], ["Hello, world! y"]
    options = {**NLTK, "max_order": 2}
    assert bleu(*texts, **options)["precisions"] == [2 / 3, 1 / 2]
    assert bleu(*texts, **options, tokenizer="13a")["precisions"] == [4 / 5, 3 / 4]


@pytest.mark.parametrize("preset", ["nltk-3.4.5", "nltk-3.5"])
def test_a_single_token_has_no_error(preset):
    """Of one token method4 divides by ln 1 in these releases; here such orders are left out."""
    assert bleu(["Yes"], ["Yes"], preset=preset, smoothing="chen-cherry-4")["bleu"] == 1


@pytest.mark.parametrize("release", ["nltk-3.4.5", "nltk-3.5"])
def test_older_releases_differ_by_smoothing_alone(release):
    """Of the rules of both, only formulas of smoothings differ, and none replaces "none"."""
    old, new = BLEU_PRESETS[release], BLEU_PRESETS["nltk"]
    assert replace(old, name=new.name, about=new.about, formulas=new.formulas) == new
    assert "none" not in old.formulas
