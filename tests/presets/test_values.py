"""Presets that are values of options: rouge_score, and MATLAB and torchmetrics for BLEU.

Numbers of torchmetrics were read from a run of 1.9.0.
"""

import math
from itertools import product

import pytest

from helpers import tokenizers
from helpers.bleu.peers import FOX, FOX_REFERENCES, random_tokens
from helpers.rouge.corpora import ROUGE_SCORE_TYPES, random_corpus
from helpers.rouge.peers import rouge_score_items, with_names
from rouge_bleu import bleu, explain_bleu, plain, rouge

EACH, ALL = {"use_aggregator": False}, {"output": "all"}
MATLAB, TORCH = {"preset": "matlab"}, {"preset": "torchmetrics"}


# --- rouge_score ----------------------------------------------------------------------------------


@pytest.mark.parametrize("use_stemmer", [False, True])
@pytest.mark.parametrize(
    ("n_items", "max_words", "max_references"), [(300, 6, 1), (10, 200, 1), (60, 50, 5)]
)
def test_rouge_score(n_items, max_words, max_references, use_stemmer):
    corpus = random_corpus(max_words, n_items, max_words, max_references)
    options = {"rouge_types": ROUGE_SCORE_TYPES, "use_stemmer": use_stemmer}
    expected = with_names(rouge_score_items(*corpus, **options))
    # To the last digit: the order of the operations is the same.
    assert rouge(*corpus, **options, **ALL, **EACH) == expected
    assert any(0 < value < 1 for value in expected["rouge9_fmeasure"]) == (max_words > 8)
    means = {key: math.fsum(values) / n_items for key, values in expected.items()}
    assert rouge(*corpus, **options, **ALL) == pytest.approx(means, abs=1e-12)


# The tokenizer of rouge_full, and the same as a function for rouge_score.
TOKENIZERS = {
    # Characters with the newline among them: it is a token of a text, and none of its sentences,
    # each tokenized by itself.
    "characters": (list, list),
    "words": (str.split, str.split),
    # Marks show which lines a function is given: lines of spaces, and no empty ones.
    "marks": (lambda text: ["<s>", *text.split(), "</s>"],) * 2,
    "13a": ("13a", lambda text: tokenizers.tokens_13a(text.lower())),
    "char": ("char", lambda text: list("".join(text.lower().split()))),
    "whitespace": ("whitespace", lambda text: text.lower().split()),
    "rouge_score": ("rouge_score", tokenizers.rouge_score_tokens),
}
# Only "\n" ends a sentence in rouge_score, not what else str.splitlines knows.
LINES = ["a b\r\nc a", "a b\rc\x0bd", "\n\n", "\n a\n\nb \n", "c a\x85b\u2028a", "b a\x1cc a"]
LINES += ["", " ", "a\tb\nb\ta"]


@pytest.mark.parametrize(("tokenizer", "tokenize"), TOKENIZERS.values(), ids=TOKENIZERS)
def test_rouge_score_with_any_tokenizer(tokenizer, tokenize):
    predictions, references = random_corpus(20, 60, 15, 3)
    predictions += [prediction for prediction, _ in product(LINES, LINES)]
    references += [[reference] for _, reference in product(LINES, LINES)]
    options = {"rouge_types": ROUGE_SCORE_TYPES, **ALL, **EACH}
    items = rouge_score_items(predictions, references, ROUGE_SCORE_TYPES, tokenizer=tokenize)
    assert rouge(predictions, references, **options, tokenizer=tokenizer) == with_names(items)


# --- MATLAB ---------------------------------------------------------------------------------------

# https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html: "Evaluate Summary" and
# "Specify N-Gram Weights", rounded; NaN where candidate and references are all empty; 0 if the
# candidate has fewer words than there are weights, even if it equals a reference.
OF_MATLAB = [
    (FOX, FOX_REFERENCES, None, 0.7825),
    (FOX, FOX_REFERENCES, [0.5, 0.5], 0.8367),
    ("", ["", ""], [1, 1, 1, 1], math.nan),
    ("a b c", ["a b c"], [1, 1, 1, 1], 0.0),
    ("a b c", ["a b c"], [1, 1, 1], 1.0),
    ("a b c", ["a b c"], [1, 0, 0, 0], 0.0),
    ("a b c d", ["a b c d"], [1, 0, 0, 0], 1.0),
    ("", ["", "a"], [1], 0.0),
    ("a", ["", ""], [1], 0.0),
    ("a", ["", "a"], [1], 1.0),
]


@pytest.mark.parametrize(("prediction", "references", "weights", "expected"), OF_MATLAB)
def test_matlab(prediction, references, weights, expected):
    score = bleu([prediction], [references], weights=weights, **MATLAB)["bleu"]
    assert round(score, 4) == pytest.approx(expected, nan_ok=True, abs=0)
    both = [prediction, "x " * 9], [references, ["x " * 9]]
    items = bleu(*both, weights=weights, **MATLAB, use_aggregator=False)["bleu"]
    assert items == pytest.approx([score, 1.0], nan_ok=True)


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


# --- torchmetrics ---------------------------------------------------------------------------------

# What torchmetrics makes of a text, printed by
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
@pytest.mark.parametrize("text", OF_TORCHMETRICS, ids=range(len(OF_TORCHMETRICS)))
def test_words_of_torchmetrics_are_lowercased_when_they_are_cut(text, n_items):
    words = OF_TORCHMETRICS[text]
    data = [text] * n_items, [" ".join(words)] * n_items
    options = {**TORCH, "tokenizer": "13a", "max_order": 1}
    # Words that 13a would cut again, such as <skipped>, are no words of the second text.
    assert bleu(*data, **options, lowercase=True)["bleu"] == 1.0
    assert bleu(*data, **options)["bleu"] < 1.0 or text == text.lower()
    explanation = explain_bleu(text, " ".join(words), **options, lowercase=True)
    assert explanation["translation_length"] == len(words)
