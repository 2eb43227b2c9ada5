"""`level="sentence"` and `multi_reference="best"`: means of sentences, each reference alone."""

import math

import numpy as np
import pytest

from helpers.errors import error_of
from helpers.rouge.corpora import random_corpus
from rouge_bleu.options.checked import checked_options

CAT = {
    "predictions": ["the cat sat on the mat", "a dog barks", "it is late now"],
    "references": [
        ["the cat sat on a mat", "there is a cat on the mat today"],
        ["a dog barks loudly at night", "the dog"],
        ["it is late"],
    ],
}
WEIGHTS = {"one": [1], "two": [1, 1], "four": [1, 1, 1, 1]}


def corpus(seed=3, n_items=40):
    predictions, references = random_corpus(np.random.default_rng(seed), n_items, 12, 3)
    return {"predictions": predictions, "references": references}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"weights": WEIGHTS, "smoothing": "exp"},
        {"preset": "sacrebleu"},
        {"preset": "nltk", "smoothing": "chen-cherry-4"},
        {"zero_division": math.nan, "max_order": 2},
    ],
)
def test_the_mean_of_sentences(bleu_full, options):
    """It is the mean of what use_aggregator=False gives; lengths and counts add up."""
    data = corpus()
    items = bleu_full.compute(**data, **options, use_aggregator=False)
    result = bleu_full.compute(**data, **options, level="sentence")
    assert list(result) == list(items)
    sums = ("translation_length", "reference_length", "counts", "totals")
    for key, values in items.items():
        combine = np.sum if key in sums else np.nanmean
        np.testing.assert_allclose(result[key], combine(values, axis=0), rtol=1e-12)


def test_sentences_of_sacrebleu_have_an_effective_order(bleu_full):
    """sacreBLEU 2.6.0: sentence_bleu of "a dog barks" is 100 exp(1 - 3 / 2) for ["a dog"]."""
    data = {"predictions": ["a dog"], "references": [["a dog barks"]]}
    result = bleu_full.compute(**data, preset="sacrebleu", level="sentence")
    assert result["bleu"] == pytest.approx(math.exp(1 - 3 / 2), rel=1e-12)


@pytest.mark.parametrize("n_items", [3, 60])
@pytest.mark.parametrize("options", [{}, {"smoothing": "add-k", "reference_length": "shortest"}])
def test_the_best_reference_alone(bleu_full, options, n_items):
    """The highest of the scores for each reference, for each BLEU by itself."""
    data = CAT if n_items == 3 else corpus(n_items=n_items)
    options = {**options, "weights": WEIGHTS, "output": "score", "use_aggregator": False}
    best = bleu_full.compute(**data, **options, multi_reference="best")
    for number, (prediction, references) in enumerate(
        zip(data["predictions"], data["references"], strict=True)
    ):
        pairs = {"predictions": [prediction] * len(references), "references": references}
        alone = bleu_full.compute(**pairs, **options)
        for name in WEIGHTS:
            assert best[name][number] == max(alone[name])
    means = bleu_full.compute(
        **data, **{**options, "use_aggregator": True}, level="sentence", multi_reference="best"
    )
    assert means == pytest.approx({name: np.mean(best[name]) for name in WEIGHTS}, rel=1e-12)


def test_what_stands_beside_is_of_the_best_reference(bleu_full):
    options = {"multi_reference": "best", "use_aggregator": False, "max_order": 1}
    result = bleu_full.compute(**CAT, **options)
    assert result["reference_length"] == [6, 6, 3]
    assert result["precisions"] == [[5 / 6], [1.0], [3 / 4]]


def test_an_undefined_reference_is_never_the_best(bleu_full):
    options = {"multi_reference": "best", "level": "sentence", "zero_division": math.nan}
    data = {"predictions": ["a b c d", "x"], "references": [["", "a b c d"], ["", ""]]}
    items = bleu_full.compute(**data, **options, use_aggregator=False)
    assert repr(items["bleu"]) == "[1.0, nan]"
    assert bleu_full.compute(**data, **options)["bleu"] == 1.0


def test_a_corpus_has_no_best_reference(bleu_full):
    error = (
        ValueError,
        "multi_reference='best' is about the score of each item: it needs level='sentence' or "
        "use_aggregator=False",
    )
    assert error_of(bleu_full.compute, **CAT, multi_reference="best") == error
    assert checked_options(type(bleu_full).options_class, {"multi_reference": "best"})


def test_the_explanation_is_of_the_best_reference(bleu_full):
    explanation = bleu_full.explain(
        prediction="a dog barks",
        reference=["a cat", "a dog barks loudly", "a dog"],
        multi_reference="best",
        max_order=2,
    )
    assert explanation["chosen"] == 1
    assert explanation["bleu"] == pytest.approx(math.exp(1 - 4 / 3))
    for entry in explanation["orders"]:
        assert entry["matches"] == entry["total"]
        assert entry["prediction_spans"] == [[0, 1], [2, 5], [6, 11]]
        assert entry["reference_spans"] == [[], entry["prediction_spans"], []]


def test_intervals_and_tests_are_those_of_means(bleu_full, rouge_full):
    """The same draws as for means of items of rouge_full: those of rouge1 with F as recall."""
    data = corpus()
    baseline = corpus(4)["predictions"]
    options = {"confidence_level": 0.9, "n_resamples": 200, "seed": 5}
    result = bleu_full.compute(
        **data, baseline_predictions=baseline, **options, level="sentence", output="score"
    )
    assert result["bleu_low"] < result["bleu"] < result["bleu_high"]
    assert result["bleu_delta"] == pytest.approx(result["bleu"] - result["bleu_baseline"])
    same = bleu_full.compute(**data, baseline_predictions=data["predictions"], level="sentence")
    assert same["bleu_p_value"] == 1
    # One word against one word: BLEU-1 and ROUGE-1 are 1 or 0.
    words = {"predictions": [*"abcdabcd"], "references": [*"abcxxbcd"]}
    bounds = bleu_full.compute(**words, **options, level="sentence", max_order=1)
    expected = rouge_full.compute(**words, **options, rouge_types=["rouge1"])
    for side in ("low", "high"):
        assert bounds[f"bleu_{side}"] == expected[f"rouge1_{side}"]


def test_the_signature_says_it_and_gives_it_back(bleu_full):
    options = {"level": "sentence", "multi_reference": "best", "signature": True}
    signed = bleu_full.compute(**CAT, **options)
    line = signed["signature"]
    assert "|refs:1-2|multi:best|zero:0|level:sentence" in line
    assert "reflen" not in line
    again = bleu_full.compute(**CAT, **bleu_full.options_of_signature(line), signature=True)
    assert again == signed
