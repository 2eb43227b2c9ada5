"""The preset "nltk" against NLTK as installed."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import corpus_bleu, sentence_bleu

from helpers.bleu.peers import (
    N_SEGMENTS,
    NAMED_WEIGHTS,
    NLTK_METHODS,
    NLTK_WEIGHTS,
    TOKENS,
    is_zero,
    nltk_method,
)

pytestmark = pytest.mark.filterwarnings(r"ignore:\s*The hypothesis contains 0 counts")  # of NLTK


@pytest.mark.parametrize("method", range(5))
def test_nltk_on_many_segments(bleu_full, method):
    predictions, references = TOKENS
    expected = corpus_bleu(references, predictions, NLTK_WEIGHTS, nltk_method(method))
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        preset="nltk",
        weights=NAMED_WEIGHTS,
        smoothing=NLTK_METHODS[method],
    )
    np.testing.assert_allclose(
        [result[name] for name in NAMED_WEIGHTS], expected, rtol=1e-12, atol=0
    )
    predictions, references = predictions[:200], references[:200]
    for weights in NLTK_WEIGHTS:
        alone = bleu_full.compute(
            predictions=predictions,
            references=references,
            preset="nltk",
            weights=weights,
            smoothing=NLTK_METHODS[method],
        )
        assert alone["bleu"] == pytest.approx(
            corpus_bleu(references, predictions, weights, nltk_method(method)), rel=1e-12
        )


@pytest.mark.parametrize("method", range(8))
def test_nltk_on_each_segment(bleu_full, method):
    result = bleu_full.compute(
        predictions=TOKENS[0],
        references=TOKENS[1],
        preset="nltk",
        weights=NAMED_WEIGHTS,
        smoothing=NLTK_METHODS[method],
        use_aggregator=False,
    )
    n_compared = 0
    for i, (prediction, references) in enumerate(zip(*TOKENS, strict=True)):
        scores = [result[name][i] for name in NAMED_WEIGHTS]
        try:
            expected = sentence_bleu(references, prediction, NLTK_WEIGHTS, nltk_method(method))
        except AssertionError:
            assert method == 6  # where no 3-gram matches; here such a segment has a score
            assert all(map(math.isfinite, scores))
            continue
        if method == 0:
            expected = [
                0.0 if is_zero([prediction], [references], weights) else score
                for weights, score in zip(NLTK_WEIGHTS, expected, strict=True)
            ]
        np.testing.assert_allclose(
            scores, expected, rtol=1e-12, atol=0, err_msg=f"{prediction} {references}"
        )
        n_compared += 1
    assert n_compared == N_SEGMENTS if method != 6 else n_compared > 80


@pytest.mark.parametrize("weights", NLTK_WEIGHTS)
@pytest.mark.parametrize("method", [5, 6, 7])
def test_nltk_weights_alone(bleu_full, method, weights):
    """Methods 5 and 7 average each order with the next one; behind the last one NLTK takes order 5,
    however many weights there are.
    """
    result = bleu_full.compute(
        predictions=TOKENS[0][:500],
        references=TOKENS[1][:500],
        preset="nltk",
        weights=weights,
        smoothing=NLTK_METHODS[method],
        use_aggregator=False,
    )
    n_compared = 0
    for prediction, references, score in zip(TOKENS[0], TOKENS[1], result["bleu"], strict=False):
        try:
            expected = sentence_bleu(references, prediction, weights, nltk_method(method))
        except (AssertionError, IndexError):
            assert method == 6
            continue
        assert score == pytest.approx(expected, rel=1e-12, abs=0)
        n_compared += 1
    assert n_compared == 500 if method != 6 else (n_compared > 100) == (len(weights) > 2)


def test_nltk_weights_are_not_scaled(bleu_full):
    corpus = {"predictions": TOKENS[0], "references": TOKENS[1], "preset": "nltk"}
    score = bleu_full.compute(**corpus, weights=[0.5, 0.5])["bleu"]
    assert bleu_full.compute(**corpus, weights=[1, 1])["bleu"] == pytest.approx(
        corpus_bleu(TOKENS[1], TOKENS[0], (1, 1)), rel=1e-12
    )
    assert bleu_full.compute(**corpus, weights=[1, 1])["bleu"] < score
    assert (
        bleu_full.compute(predictions=TOKENS[0], references=TOKENS[1], weights=[1, 1])["precisions"]
        != []
    )


def test_nltk_takes_texts_as_tokens_between_blanks(bleu_full):
    texts = {
        "predictions": ["Hello, world! x"],
        "references": ["Hello, world! y"],
        "preset": "nltk",
        "max_order": 2,
    }
    tokens = {
        "predictions": [["Hello,", "world!", "x"]],
        "references": [["Hello,", "world!", "y"]],
        "preset": "nltk",
        "max_order": 2,
    }
    assert bleu_full.compute(**texts) == bleu_full.compute(**tokens)
    assert bleu_full.compute(**texts)["precisions"] == [2 / 3, 1 / 2]
    assert bleu_full.compute(**texts, tokenizer="13a")["precisions"] == [4 / 5, 3 / 4]


token_list = st.lists(st.sampled_from("abc"), max_size=8)

token_segments = st.lists(
    st.tuples(token_list, st.lists(token_list, min_size=1, max_size=3)), min_size=1, max_size=4
)

weight_lists = st.lists(st.sampled_from([0, 0.1, 0.25, 0.5, 1, 3]), min_size=1, max_size=8).filter(
    any
)


@given(token_segments, weight_lists, st.integers(0, 7))
def test_nltk_with_any_options(bleu_full, corpus, weights, method):
    corpus = corpus[:1] if method > 4 else corpus
    predictions, references = map(list, zip(*corpus, strict=True))
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        preset="nltk",
        weights=weights,
        smoothing=NLTK_METHODS[method],
    )
    try:
        expected = corpus_bleu(references, predictions, weights, nltk_method(method))
    except (AssertionError, IndexError):
        assert method == 6
        return
    if method == 0 and is_zero(predictions, references, weights):
        expected = 0.0
    assert result["bleu"] == pytest.approx(expected, rel=1e-12, abs=0)
