"""`level="sentence"` and `multi_reference="best"`: means of sentences, each reference alone."""

import math

import numpy as np
import pytest

from helpers.bleu.peers import random_segments
from rouge_bleu import bleu, explain_bleu, rouge

CAT = (
    ["the cat sat on the mat", "a dog barks", "it is late now"],
    [
        ["the cat sat on a mat", "there is a cat on the mat today"],
        ["a dog barks loudly at night", "the dog"],
        ["it is late"],
    ],
)
MANY = random_segments(3, 40, 12, 3)
WEIGHTS = {"one": [1], "two": [1, 1], "four": [1, 1, 1, 1]}
BEST = {"multi_reference": "best"}


@pytest.mark.parametrize(
    "options",
    [
        *({}, {"weights": WEIGHTS, "smoothing": "exp"}, {"preset": "sacrebleu"}),
        {"preset": "nltk", "smoothing": "chen-cherry-4"},
        {"zero_division": math.nan, "max_order": 2},
    ],
)
def test_the_mean_of_sentences(options):
    """It is the mean of what use_aggregator=False gives; lengths and counts add up."""
    items = bleu(*MANY, **options, use_aggregator=False)
    result = bleu(*MANY, **options, level="sentence")
    assert list(result) == list(items)
    sums = ("translation_length", "reference_length", "counts", "totals")
    for key, values in items.items():
        combine = np.sum if key in sums else np.nanmean
        np.testing.assert_allclose(result[key], combine(values, axis=0), rtol=1e-12)


@pytest.mark.parametrize("corpus", [CAT, MANY], ids=["few", "many"])
@pytest.mark.parametrize("options", [{}, {"smoothing": "add-k", "reference_length": "shortest"}])
def test_the_best_reference_alone(options, corpus):
    """The highest of the scores for each reference, for each BLEU by itself."""
    options = {**options, "weights": WEIGHTS, "output": "score"}
    best = bleu(*corpus, **options, **BEST, use_aggregator=False)
    for number, (prediction, references) in enumerate(zip(*corpus, strict=True)):
        predictions = [prediction] * len(references)
        alone = bleu(predictions, references, **options, use_aggregator=False)
        for name in WEIGHTS:
            assert best[name][number] == max(alone[name])
    means = bleu(*corpus, **options, **BEST, level="sentence")
    assert means == pytest.approx({name: np.mean(best[name]) for name in WEIGHTS}, rel=1e-12)


def test_what_stands_beside_is_of_the_best_reference():
    result = bleu(*CAT, **BEST, use_aggregator=False, max_order=1)
    assert result["reference_length"] == [6, 6, 3]
    assert result["precisions"] == [[5 / 6], [1.0], [3 / 4]]


def test_an_undefined_reference_is_never_the_best():
    options = {**BEST, "level": "sentence", "zero_division": math.nan}
    data = ["a b c d", "x"], [["", "a b c d"], ["", ""]]
    assert repr(bleu(*data, **options, use_aggregator=False)["bleu"]) == "[1.0, nan]"
    assert bleu(*data, **options)["bleu"] == 1.0


def test_the_explanation_is_of_the_best_reference():
    references = ["a cat", "a dog barks loudly", "a dog"]
    explanation = explain_bleu("a dog barks", references, **BEST, max_order=2)
    assert explanation["chosen"] == 1
    assert explanation["bleu"] == pytest.approx(math.exp(1 - 4 / 3))
    for entry in explanation["orders"]:
        assert entry["matches"] == entry["total"]
        assert entry["prediction_spans"] == [[0, 1], [2, 5], [6, 11]]
        assert entry["reference_spans"] == [[], entry["prediction_spans"], []]


def test_intervals_and_tests_are_those_of_means():
    """The same draws as for means of items of rouge_full: those of rouge1 with F as recall."""
    baseline = random_segments(4, 40, 12, 3)[0]
    options = {"confidence_level": 0.9, "n_resamples": 200, "seed": 5}
    result = bleu(*MANY, baseline_predictions=baseline, **options, level="sentence", max_order=2)
    assert result["bleu_low"] < result["bleu"] < result["bleu_high"]
    assert result["bleu_delta"] == pytest.approx(result["bleu"] - result["bleu_baseline"])
    assert bleu(*MANY, baseline_predictions=MANY[0], level="sentence")["bleu_p_value"] == 1
    # One word against one word: BLEU-1 and ROUGE-1 are 1 or 0.
    words = [*"abcdabcd"], [*"abcxxbcd"]
    bounds = bleu(*words, **options, level="sentence", max_order=1)
    expected = rouge(*words, **options, rouge_types=["rouge1"])
    for side in ("low", "high"):
        assert bounds[f"bleu_{side}"] == expected[f"rouge1_{side}"]
