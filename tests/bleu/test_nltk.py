"""The preset "nltk" against NLTK as installed."""

import math

import numpy as np
import pytest
from nltk.translate.bleu_score import corpus_bleu, sentence_bleu

from helpers.bleu.peers import N_SEGMENTS, NLTK_METHODS, NLTK_WEIGHTS, TOKENS, is_zero, nltk_method
from rouge_bleu import bleu

pytestmark = [
    pytest.mark.filterwarnings(r"ignore:\s*The hypothesis contains 0 counts"),  # of NLTK
    pytest.mark.filterwarnings("ignore:The weights of"),
]
NAMED_WEIGHTS = {f"bleu{len(weights)}": weights for weights in NLTK_WEIGHTS}


@pytest.mark.parametrize("method", range(5))
def test_a_corpus(method):
    predictions, references = TOKENS
    options = {"preset": "nltk", "smoothing": NLTK_METHODS[method]}
    result = bleu(predictions, references, **options, weights=NAMED_WEIGHTS, output="score")
    expected = corpus_bleu(references, predictions, NLTK_WEIGHTS, nltk_method(method))
    np.testing.assert_allclose([*result.values()], expected, rtol=1e-12, atol=0)


@pytest.mark.parametrize("method", range(8))
def test_each_segment(method):
    """Methods 5 and 7 average each order with the next one; after the last one NLTK takes order 5,
    however many weights there are.
    """
    options = {"preset": "nltk", "smoothing": NLTK_METHODS[method], "output": "score"}
    result = bleu(*TOKENS, **options, weights=NAMED_WEIGHTS, use_aggregator=False)
    n_compared = 0
    for i, (prediction, references) in enumerate(zip(*TOKENS, strict=True)):
        scores = [column[i] for column in result.values()]
        try:
            expected = sentence_bleu(references, prediction, NLTK_WEIGHTS, nltk_method(method))
        except AssertionError:
            assert method == 6  # if no 3-gram matches; here such a segment has a score
            assert all(map(math.isfinite, scores))
            continue
        if method == 0:
            expected = [
                0.0 if is_zero([prediction], [references], weights) else score
                for weights, score in zip(NLTK_WEIGHTS, expected, strict=True)
            ]
        np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=0, err_msg=str(prediction))
        n_compared += 1
    assert n_compared == N_SEGMENTS if method != 6 else n_compared > 40


def test_texts_are_tokens_between_blanks():
    texts = ["Hello, world! x"], ["Hello, world! y"]
    options = {"preset": "nltk", "max_order": 2}
    assert bleu(*texts, **options)["precisions"] == [2 / 3, 1 / 2]
    assert bleu(*texts, **options, tokenizer="13a")["precisions"] == [4 / 5, 3 / 4]
