"""What goes for every preset of bleu_full, and the errors of its options."""

import math
import random

import numpy as np
import pytest

from helpers.bleu.peers import FOX, FOX_REFERENCES, NLTK_METHODS, random_tokens


@pytest.mark.parametrize("options", [{}, {"preset": "nltk"}])
@pytest.mark.parametrize("smoothing", NLTK_METHODS)
def test_the_order_of_segments_cannot_matter(bleu_full, smoothing, options):
    predictions, references = random_tokens(7, 200)
    expected = bleu_full.compute(
        predictions=predictions, references=references, smoothing=smoothing, **options
    )
    for seed in range(3):
        order = random.Random(seed).sample(range(200), 200)
        shuffled = {
            "predictions": [predictions[i] for i in order],
            "references": [references[i] for i in order],
        }
        assert bleu_full.compute(**shuffled, smoothing=smoothing, **options) == expected


@pytest.mark.parametrize("preset", ["sacrebleu", "evaluate", "nltk", "matlab", "torchmetrics"])
def test_options_beside_a_preset_win(bleu_full, preset):
    predictions, references = random_tokens(
        8, 200, min_words=4
    )  # what NLTK does about shorter ones is not an option
    corpus = {
        "predictions": ["-".join(tokens) for tokens in predictions],
        "references": [["-".join(tokens) for tokens in texts] for texts in references],
    }
    options = {
        "tokenizer": lambda text: text.split("-"),
        "smoothing": "floor",
        "smoothing_value": 0.3,
        "reference_length": "average",
    }
    options |= {"zero_division": 0.0, "weights": [0.1, 0.2, 0.3, 0.4]}
    result = bleu_full.compute(**corpus, **options, preset=preset)
    without = bleu_full.compute(**corpus, **options)
    assert {key: result[key] for key in without} == without


# What torchmetrics 1.9.0 makes of a text, printed by
#     _SacreBLEUTokenizer.tokenize(text, "13a", lowercase=True)
# of torchmetrics.functional.text.sacre_bleu: it cuts the text as it is, and lowercases the words.
OF_TORCHMETRICS = {
    "A <SKIPPED> B <skipped> C": ["a", "<", "skipped", ">", "b", "c"],
    "&AMP; &amp; &Lt;": ["&", "amp", ";", "&", "&", "lt", ";"],
    "ΟΔΟΣ.ΟΔΟΣ": ["οδος", ".", "οδος"],
    "ΑΣ'Β": ["ασ'β"],
    "WORD-\nX": ["wordx"],
    "WORD- ": ["word-"],
    "A-B 1-2 x-": ["a-b", "1", "-", "2", "x-"],
    "\u0130 \u212a ẞ ǅ": ["i\u0307", "k", "ß", "ǆ"],
}


@pytest.mark.parametrize("n_items", [1, 1000])  # by itself, and in a column
@pytest.mark.parametrize("text", OF_TORCHMETRICS, ids=ascii)
def test_words_of_torchmetrics_are_lowercased_when_they_are_cut(bleu_full, text, n_items):
    words = OF_TORCHMETRICS[text]
    data = {"predictions": [text] * n_items, "references": [" ".join(words)] * n_items}
    options = {"tokenizer": "13a", "max_order": 1, "lowercase": True}
    # Words that 13a would cut again, such as <skipped>, are no words of the second text.
    again = {"preset": "torchmetrics", **options, "lowercase": False}
    assert bleu_full.compute(**data, preset="torchmetrics", **options)["bleu"] == 1.0
    assert bleu_full.compute(**data, **again)["bleu"] < 1.0 or text == text.lower()
    explanation = bleu_full.explain(
        prediction=text, reference=" ".join(words), preset="torchmetrics", **options
    )
    assert explanation["translation_length"] == len(words)


def test_scores_of_torchmetrics_with_lowercase(bleu_full):
    """sacre_bleu_score(predictions, references, lowercase=True, n_gram=n) of torchmetrics 1.9.0."""
    data = {
        "predictions": ["A <SKIPPED> B &AMP; C", "Η ΟΔΟΣ.ΟΔΟΣ ΕΙΝΑΙ ΕΔΩ"],
        "references": [["a < skipped > b & c"], ["η οδος . οδος είναι εδω"]],
    }
    options = {"preset": "torchmetrics", "tokenizer": "13a", "lowercase": True}
    for n, items, corpus in (
        (1, [0.7777777910232544, 0.8333333134651184], 0.800000011920929),
        (2, [0.6972166895866394, 0.7071067690849304], 0.7016464471817017),
    ):
        result = bleu_full.compute(**data, **options, max_order=n)
        assert result["bleu"] == pytest.approx(corpus, rel=1e-7)
        result = bleu_full.compute(**data, **options, max_order=n, use_aggregator=False)
        assert result["bleu"] == pytest.approx(items, rel=1e-7)


def test_smooth_false_goes_with_any_smoothing(bleu_full):
    for smoothing in NLTK_METHODS:
        result = bleu_full.compute(
            predictions=[FOX], references=[FOX_REFERENCES], smooth=False, smoothing=smoothing
        )
        assert result == bleu_full.compute(
            predictions=[FOX], references=[FOX_REFERENCES], smoothing=smoothing
        )


def test_smoothing_value_of_one_half_and_its_defaults(bleu_full):
    corpus = {
        "predictions": ["a b x d e"],
        "references": ["a b c d e"],
    }  # 4 of 5, 2 of 4, 0 of 3 and 0 of 2 match
    precisions = {
        ("floor", None): [4 / 5, 2 / 4, 0.1 / 3, 0.1 / 2],
        ("floor", 0.5): [4 / 5, 2 / 4, 0.5 / 3, 0.5 / 2],
        ("floor", 0): [4 / 5, 2 / 4, 0, 0],
        ("add-k", None): [4 / 5, 3 / 5, 1 / 4, 1 / 3],
        ("add-k", np.float32(0.5)): [4 / 5, 2.5 / 4.5, 0.5 / 3.5, 0.5 / 2.5],
        ("add-k", np.int64(2)): [4 / 5, 4 / 6, 2 / 5, 2 / 4],
        ("exp", None): [4 / 5, 2 / 4, 1 / 2 / 3, 1 / 4 / 2],
        ("none", None): [4 / 5, 2 / 4, 0, 0],
    }
    for (smoothing, value), expected in precisions.items():
        result = bleu_full.compute(**corpus, smoothing=smoothing, smoothing_value=value)
        assert result["precisions"] == pytest.approx(expected, rel=1e-15)
        assert result["bleu"] == pytest.approx(math.prod(expected) ** 0.25, rel=1e-14)
    assert bleu_full.compute(**corpus, smooth=True)["precisions"] == [5 / 6, 3 / 5, 1 / 4, 1 / 3]
