"""Random segments, their comparison, and evaluate's `bleu` as written down."""

import math
import random
from functools import partial
from itertools import repeat

import numpy as np

from helpers.tokenizers import tokens_13a
from rouge_bleu import plain

N_SEGMENTS = 400  # of every setting that is compared

PARTS = ["precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"]

# --- random segments ------------------------------------------------------------------------------

WORDS = """a b c d e the The , . - "the" it's U.S. 3.14 1,000 10-20 5- end- well-known &amp;
&quot;a&quot; &lt;b&gt; <skipped> a/b foo_bar $5 20%
    @x #y ~ (a) über Über naïve «mot» — … İ ſ ΟΔΟΣ Σ ß 中文 你好。 汉字，a 日本語 カタカナ हिन्दी สวัสดี 𠀋 😀 á
    ½ ²""".split()

BLANKS = [" "] * 12 + ["  ", "\t", "\n", "-\n", "\r\n", "\u3000", "\x1c", "\xa0", ""]


def random_text(chooser, max_words, words):
    return "".join(
        chooser.choice(words) + chooser.choice(BLANKS) for _ in range(chooser.randint(0, max_words))
    )


def random_segments(seed, n_segments, max_words, max_references=4):
    """Return predictions and lists of 1 to `max_references` references, some of them empty; half of
    these share a part with the prediction.
    """
    chooser = random.Random(seed)
    predictions, references = [], []
    for _ in range(n_segments):
        words = WORDS[: chooser.randint(2, len(WORDS))]
        prediction = random_text(chooser, max_words, words)
        start, end = sorted(chooser.randint(0, len(prediction)) for _ in range(2))
        texts = [
            random_text(chooser, max_words, words)
            for _ in range(chooser.randint(1, max_references))
        ]
        shared = prediction[start:end]
        references.append(
            [shared + text[: len(text) // 2] if chooser.random() < 0.5 else text for text in texts]
        )
        predictions.append(prediction)
    return predictions, references


def random_tokens(seed, n_segments, max_words=9, max_references=3, min_words=0):
    """Return predictions and lists of references, all of them lists of tokens, with n-grams of all
    orders in common.
    """
    chooser = random.Random(seed)
    predictions, references = [], []
    for _ in range(n_segments):
        letters = "abcdefgh"[: chooser.randint(1, 8)]
        texts = [
            chooser.choices(letters, k=chooser.randint(min_words, max_words))
            for _ in range(chooser.randint(2, max_references + 1))
        ]
        predictions.append(texts[0])
        references.append(texts[1:])
    return predictions, references


SEGMENTS = random_segments(1, N_SEGMENTS, 9)


def as_streams(references):
    """Return references as sacreBLEU takes them: one list for each rank, with None if an item
    has fewer.
    """
    return [
        [texts[rank] if rank < len(texts) else None for texts in references]
        for rank in range(max(map(len, references)))
    ]


def assert_equal(result, expected, rtol=1e-12):
    """Assert that the values of all keys are the same except the last bits; of a corpus, or one
    for each item.
    """
    for key, values in expected.items():
        np.testing.assert_allclose(result[key], values, rtol=rtol, atol=0, err_msg=key)


# --- preset "evaluate" ----------------------------------------------------------------------------

evaluate_13a = partial(tokens_13a, keeps_end=True)


def evaluate_bleu(predictions, references, max_order=4, smooth=False, tokenizer=evaluate_13a):
    """Return what evaluate's `bleu` 0.4 does; it divides by the number of tokens of both sides,
    also where that is 0.

    The length of each segment is that of its shortest reference; `smooth` adds one to both sides of
    the fraction of every order.
    """
    predictions = [tokenizer(text) for text in predictions]
    references = [[tokenizer(text) for text in texts] for texts in references]
    translation_length = sum(map(len, predictions))
    reference_length = sum(min(map(len, texts)) for texts in references)
    precisions = []
    for order in range(1, max_order + 1):
        found = map(plain.bleu_matches, predictions, references, repeat(order))
        matches = sum(n_matches for n_matches, *_ in found)
        total = sum(max(0, len(prediction) + 1 - order) for prediction in predictions)
        precisions.append((matches + smooth) / (total + smooth) if total + smooth else 0.0)
    ratio = translation_length / reference_length
    brevity_penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    mean = math.exp(sum(map(math.log, precisions)) / max_order) if min(precisions) > 0 else 0.0
    parts = (precisions, brevity_penalty, ratio, translation_length, reference_length)
    return {"bleu": mean * brevity_penalty, **dict(zip(PARTS, parts, strict=True))}


# --- preset "matlab" and weights ------------------------------------------------------------------

FOX = "The fast brown fox jumped over the lazy dog."
FOX_REFERENCES = [
    "The quick brown animal jumped over the lazy dog.",
    "The quick brown fox jumped over the lazy dog.",
]
