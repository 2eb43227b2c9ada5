"""The preset "matlab", and weights of any kind."""

import math

import pytest

from helpers.bleu.peers import FOX, FOX_REFERENCES, random_tokens
from rouge_bleu import bleu, plain

MATLAB = {"preset": "matlab"}


@pytest.mark.parametrize(("weights", "printed"), [(None, 0.7825), ([0.5, 0.5], 0.8367)])
def test_printed_examples(weights, printed):
    # https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html, "Evaluate Summary"
    # and "Specify N-Gram Weights"
    assert round(bleu([FOX], [FOX_REFERENCES], weights=weights, **MATLAB)["bleu"], 4) == printed


@pytest.mark.parametrize(
    ("prediction", "references", "weights", "expected"),
    [
        # The same page: NaN where candidate and references are all empty,
        ("", [""], [1], math.nan),
        ("", ["", ""], [1, 1, 1, 1], math.nan),
        # and 0 if the candidate has fewer words than there are weights, even if it equals a
        # reference.
        ("a b c", ["a b c"], [1, 1, 1, 1], 0.0),
        ("a b c", ["a b c"], [1, 1, 1], 1.0),
        ("a b c", ["a b c"], [1, 0, 0, 0], 0.0),
        ("a b c d", ["a b c d"], [1, 0, 0, 0], 1.0),
        # Only one side is empty.
        ("", ["a"], [1], 0.0),
        ("", ["", "a"], [1], 0.0),
        ("a", [""], [1], 0.0),
        ("a", ["", ""], [1], 0.0),
        ("a", ["", "a"], [1], 1.0),
    ],
)
def test_empty_and_short_documents(prediction, references, weights, expected):
    score = bleu([prediction], [references], weights=weights, **MATLAB)["bleu"]
    assert score == pytest.approx(expected, nan_ok=True, abs=0)
    both = [prediction, "x " * 9], [references, ["x " * 9]]
    items = bleu(*both, weights=weights, **MATLAB, use_aggregator=False)["bleu"]
    assert items == pytest.approx([expected, 1.0], nan_ok=True, abs=0)


ANY_WEIGHTS = [
    *([3], [0.2], [1, 1], [10, 20, 70], [0.1] * 4, [0, 1], [1, 0], [0, 0, 1, 0], [1, 0, 0, 2]),
    *([1, 2, 3, 4, 5, 6, 7, 8], [0] * 7 + [1], [0, 0, 0, 1e-300], [1e-300, 1e-300], [1e300, 1e300]),
]


@pytest.mark.parametrize("weights", ANY_WEIGHTS)
def test_any_weights(weights):
    """They are scaled to a sum of one."""
    predictions, references = random_tokens(6, 100, max_words=14)
    scaled = [weight / math.fsum(weights) for weight in weights]
    items = bleu(predictions, references, weights=weights, **MATLAB, use_aggregator=False)
    for prediction, texts, score in zip(predictions, references, items["bleu"], strict=True):
        if not prediction and not any(texts):
            assert math.isnan(score)
        elif len(prediction) < len(weights):
            assert score == 0
        else:
            expected = plain.bleu([prediction], [texts], scaled)
            assert score == pytest.approx(expected, rel=1e-12, abs=0)
    corpus = bleu(predictions, references, weights=weights)
    assert corpus["bleu"] == pytest.approx(plain.bleu(predictions, references, scaled), rel=1e-12)
    assert len(corpus["precisions"]) == len(weights)
    assert bleu(predictions, references, weights=weights, **MATLAB) == corpus
