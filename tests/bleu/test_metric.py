"""bleu_full as users call it: printed examples, and parity with sacreBLEU, NLTK and the `bleu` metric
of evaluate.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from nltk.translate.bleu_score import corpus_bleu
from sacrebleu.metrics import BLEU

from helpers import oracles
from helpers.bleu.corpora import WEIGHTS, assert_close, random_corpus
from helpers.bleu.peers import as_streams

PARTS = ["precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"]


# --- printed examples -----------------------------------------------------------------------------

FOX = "The fast brown fox jumped over the lazy dog."


FOX_REFERENCES = [
    "The quick brown animal jumped over the lazy dog.",
    "The quick brown fox jumped over the lazy dog.",
]


KENOBI = ["hello there general kenobi", "foo bar foobar"]


KENOBI_REFERENCES = [["hello there general kenobi", "hello there !"], ["foo bar foobar"]]


RUG = ("the cat sat on a rug", "the cat lay on the mat")


HELLO = ("Hello, world!", "Hello , world !")


# predictions, references, options, and values of the result: strings have as many digits as their
# source prints, Fractions are counted by hand.
EXAMPLES = {
    # https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html, "Evaluate Summary"
    "matlab": ([FOX], [FOX_REFERENCES], {}, {"bleu": "0.7825"}),
    # the same page, "Specify N-Gram Weights": [0.5 0.5]
    "matlab, weights": ([FOX], [FOX_REFERENCES], {"weights": [0.5, 0.5]}, {"bleu": "0.8367"}),
    # https://huggingface.co/spaces/evaluate-metric/bleu, "How to Use": 7 words, and 3 + 3 in the
    # shortest references
    "evaluate card": (
        KENOBI,
        KENOBI_REFERENCES,
        {"reference_length": "shortest"},
        {
            "bleu": "1.0",
            "precisions": ["1.0"] * 4,
            "brevity_penalty": "1.0",
            "length_ratio": "1.1666666666666667",
            "translation_length": 7,
            "reference_length": 6,
        },
    ),
    # the same page, "Examples", one reference each
    "evaluate card, one reference": (
        KENOBI,
        [texts[:1] for texts in KENOBI_REFERENCES],
        {"reference_length": "shortest"},
        {
            "bleu": "1.0",
            "precisions": ["1.0"] * 4,
            "brevity_penalty": "1.0",
            "length_ratio": "1.0",
            "translation_length": 7,
            "reference_length": 7,
        },
    ),
    # sacrebleu 2.6.0, corpus_bleu of the same texts: BLEU = 100.00, ref_len = 7, since the closest
    # reference has 4 words
    "sacrebleu, closest reference": (
        KENOBI,
        KENOBI_REFERENCES,
        {},
        {"bleu": "1.00", "length_ratio": "1.000", "reference_length": 7},
    ),
    # sacrebleu 2.6.0 and NLTK 3.10: 1 whichever reference comes first; 8 and 4 words are equally
    # close to 6, the shorter counts
    "tie of lengths": (
        ["a b c d e f"],
        [["a b c d e f g h", "a b c d"]],
        {},
        {"bleu": "1.00", "reference_length": 4},
    ),
    "tie of lengths, other order": (
        ["a b c d e f"],
        [["a b c d", "a b c d e f g h"]],
        {},
        {"bleu": "1.00", "reference_length": 4},
    ),
    # the bleu metric of evaluate with smooth=True: (3 + 1) / (6 + 1) = 0.571..., (1 + 1) / (5 + 1),
    # 1 / 5, 1 / 4
    "evaluate, smooth": (
        [RUG[0]],
        [RUG[1]],
        {"smooth": True},
        {
            "bleu": "0.3124",
            "precisions": [Fraction(4, 7), Fraction(2, 6), Fraction(1, 5), Fraction(1, 4)],
        },
    ),
    # sacrebleu 2.6.0, smooth_method="none"
    "sacrebleu, no smoothing": (
        [RUG[0]],
        [RUG[1]],
        {},
        {"bleu": "0", "precisions": [Fraction(3, 6), Fraction(1, 5), Fraction(0), Fraction(0)]},
    ),
    # the bleu metric of evaluate: 0, with smooth=True 1
    "two words": (["foo bar"], ["foo bar"], {}, {"bleu": "0.0"}),
    "two words, smooth": (["foo bar"], ["foo bar"], {"smooth": True}, {"bleu": "1.0"}),
    # sacrebleu 2.6.0 with effective order: 100
    "two words, effective order": (
        ["foo bar"],
        ["foo bar"],
        {"effective_order": True},
        {"bleu": "1.00"},
    ),
    # sacrebleu 2.6.0 and NLTK 3.10: 0; evaluate divides by zero
    "no prediction": (
        [""],
        ["a b"],
        {},
        {"bleu": "0", "brevity_penalty": "0", "translation_length": 0, "reference_length": 2},
    ),
    "no reference": (
        ["a b"],
        [""],
        {},
        {"bleu": "0", "translation_length": 2, "reference_length": 0},
    ),
    "nothing": ([""], [""], {}, {"bleu": "0", "translation_length": 0, "reference_length": 0}),
    # evaluate and sacreBLEU, tokenizer 13a and order 2: 1; with blanks alone torchmetrics finds no
    # common word
    "13a": ([HELLO[0]], [HELLO[1]], {"max_order": 2}, {"bleu": "1.00", "translation_length": 4}),
    "whitespace": (
        [HELLO[0]],
        [HELLO[1]],
        {"max_order": 2, "tokenizer": "whitespace"},
        {"bleu": "0.0", "translation_length": 2},
    ),
    # sacrebleu 2.6.0 takes blanks off the end first, so that the dash stays; evaluate would join it
    # with the next line and drop it
    "dash at the end": (["word-\n"], ["word-"], {"max_order": 1}, {"bleu": "1.00"}),
    "dash at the end of a line": (
        ["well-\nknown"],
        ["wellknown"],
        {"max_order": 1},
        {"bleu": "1.00"},
    ),
    # str.split splits at U+001C
    "file separator": (
        ["a\x1cb"],
        ["a b"],
        {"max_order": 2},
        {"bleu": "1.00", "translation_length": 2},
    ),
}


@pytest.mark.parametrize(
    ("predictions", "references", "options", "expected"), EXAMPLES.values(), ids=EXAMPLES
)
def test_printed_examples(bleu_full, predictions, references, options, expected):
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    for key, printed in expected.items():
        if isinstance(printed, list):
            assert [
                as_printed(value, digits)
                for value, digits in zip(result[key], printed, strict=True)
            ] == printed, key
        else:
            assert as_printed(result[key], printed) == printed, key


def as_printed(value, printed):
    """Return the value with the digits that `printed` has, or `printed` itself where it is a
    Fraction and equal up to the last bits.
    """
    if isinstance(printed, Fraction):
        return printed if value == pytest.approx(float(printed), rel=4e-16, abs=0) else value
    return f"{value:.{len(printed.partition('.')[2])}f}" if isinstance(printed, str) else value


def as_result(score):
    """Return a BLEUScore of sacreBLEU as bleu_full names its parts; without tokens in the
    references it says nothing of the ratio.
    """
    return {
        "bleu": score.score / 100,
        "precisions": [precision / 100 for precision in score.precisions],
        "brevity_penalty": score.bp,
        "length_ratio": score.sys_len / score.ref_len if score.ref_len else 0.0,
        "translation_length": score.sys_len,
        "reference_length": score.ref_len,
    }


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("max_order", [1, 2, 4, 6])
@pytest.mark.parametrize(
    ("n_items", "max_words", "max_references"),
    [(400, 12, 1), (300, 40, 1), (400, 9, 4), (150, 40, 3)],
)
def test_parity_with_sacrebleu(bleu_full, n_items, max_words, max_references, max_order, lowercase):
    predictions, references = random_corpus(
        np.random.default_rng(max_words), n_items, max_words, max_references
    )
    assert "" in predictions
    assert max_references > 1 or [""] in references
    peer = BLEU(smooth_method="none", lowercase=lowercase, max_ngram_order=max_order)
    expected = as_result(peer.corpus_score(predictions, as_streams(references)))
    assert expected["bleu"] > 0
    assert_close(
        bleu_full.compute(
            predictions=predictions, references=references, lowercase=lowercase, max_order=max_order
        ),
        expected,
    )


@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("effective_order", [False, True])
@pytest.mark.parametrize(("max_words", "max_references"), [(5, 1), (15, 1), (15, 4)])
def test_parity_with_sacrebleu_on_sentences(
    bleu_full, max_words, max_references, effective_order, lowercase
):
    predictions, references = random_corpus(
        np.random.default_rng(max_words), 300, max_words, max_references
    )
    # A sentence of which the closest reference is empty has a test of its own, since sacreBLEU says
    # nothing of the ratio there.
    references = [
        texts if len(texts) == 1 else [text for text in texts if oracles.tokens_13a(text)] or ["a"]
        for texts in references
    ]
    options = {"lowercase": lowercase, "effective_order": effective_order}
    result = bleu_full.compute(
        predictions=predictions, references=references, use_aggregator=False, **options
    )
    peer = BLEU(smooth_method="none", **options)
    for i, pair in enumerate(zip(predictions, references, strict=True)):
        assert_close(
            {key: values[i] for key, values in result.items()},
            as_result(peer.sentence_score(*pair)),
        )
    assert len(set(result["bleu"])) > 10


@pytest.mark.parametrize("references", [["", "a b c d e f g h i"], ["a b c d e f g h i", ""]])
def test_parity_with_sacrebleu_where_the_closest_reference_is_empty(bleu_full, references):
    expected = BLEU(smooth_method="none").sentence_score("a b c d", references)
    assert (round(expected.score), expected.bp, expected.ref_len) == (100, 1.0, 0)
    assert bleu_full.compute(predictions=["a b c d"], references=[references])[
        "bleu"
    ] == pytest.approx(1.0)


def test_parity_with_sacrebleu_on_plain_strings(bleu_full):
    predictions, references = random_corpus(np.random.default_rng(3), 200, 20)
    references = [texts[0] for texts in references]
    expected = as_result(BLEU(smooth_method="none").corpus_score(predictions, [references]))
    assert_close(bleu_full.compute(predictions=predictions, references=references), expected)


def test_parity_with_sacrebleu_without_tokenization(bleu_full):
    predictions, references = random_corpus(np.random.default_rng(4), 200, 20, 3)
    expected = as_result(
        BLEU(smooth_method="none", tokenize="none").corpus_score(
            predictions, as_streams(references)
        )
    )
    assert_close(
        bleu_full.compute(predictions=predictions, references=references, tokenizer="whitespace"),
        expected,
    )
    assert_close(
        bleu_full.compute(predictions=predictions, references=references, tokenizer=str.split),
        expected,
    )
    tokens = {
        "predictions": [text.split() for text in predictions],
        "references": [[text.split() for text in texts] for texts in references],
    }
    assert_close(bleu_full.compute(**tokens), expected)


def random_tokens(rng, n_items, max_references, min_words):
    """Return tokens of predictions and references of at least `min_words` words, with n-grams of
    all orders in common.
    """
    predictions = [
        rng.choice(list("abcd"), rng.integers(min_words, 20)).tolist() for _ in range(n_items)
    ]
    references = [
        [
            rng.choice(list("abcd"), rng.integers(min_words, 20)).tolist()
            for _ in range(rng.integers(1, max_references + 1))
        ]
        for _ in predictions
    ]
    return predictions, references


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("max_references", [1, 4])
def test_parity_with_nltk(bleu_full, weights, max_references):
    # NLTK counts one n-gram for a segment that is too short to have any; none is here.
    predictions, references = random_tokens(
        np.random.default_rng(max_references), 300, max_references, len(weights)
    )
    expected = corpus_bleu(references, predictions, weights=weights)
    assert 0 < expected < 1
    assert bleu_full.compute(predictions=predictions, references=references, weights=weights)[
        "bleu"
    ] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n_references", [1, 3])
def test_parity_with_nltk_where_predictions_are_short(bleu_full, n_references):
    rng = np.random.default_rng(5)
    predictions, references = random_tokens(rng, 300, n_references, 4)
    predictions = [tokens[:6] for tokens in predictions]
    expected = corpus_bleu(references, predictions)
    result = bleu_full.compute(predictions=predictions, references=references)
    assert result["bleu"] == pytest.approx(expected, rel=1e-12)
    assert result["brevity_penalty"] < 1


# --- parity with the `bleu` metric of evaluate ----------------------------------------------------


def textbook_bleu(predictions, references, max_order, smooth):
    """Return what the `bleu` metric of evaluate does, of lists of tokens: shortest reference,
    smoothing of all orders.
    """
    prediction_length = sum(map(len, predictions))
    reference_length = sum(min(map(len, texts)) for texts in references)
    precisions = []
    for order in range(1, max_order + 1):
        matches = sum(
            oracles.ngram_matches(p, r, order) for p, r in zip(predictions, references, strict=True)
        )
        total = sum(max(len(p) - order + 1, 0) for p in predictions)
        precisions.append((matches + smooth) / (total + smooth) if total + smooth else 0.0)
    mean = math.prod(precisions) ** (1 / max_order)
    ratio = prediction_length / reference_length
    penalty = 1.0 if ratio > 1 else math.exp(1 - 1 / ratio)
    return {
        "bleu": mean * penalty,
        "precisions": precisions,
        "brevity_penalty": penalty,
        "length_ratio": ratio,
        "translation_length": prediction_length,
        "reference_length": reference_length,
    }


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("max_order", [1, 2, 4, 7])
@pytest.mark.parametrize(("max_words", "max_references"), [(4, 1), (15, 1), (15, 4)])
def test_parity_with_evaluate(bleu_full, max_words, max_references, max_order, smooth):
    predictions, references = random_corpus(
        np.random.default_rng(max_words), 300, max_words, max_references
    )
    tokens = (
        [oracles.tokens_13a(text) for text in predictions],
        [[oracles.tokens_13a(text) for text in texts] for texts in references],
    )
    options = {"max_order": max_order, "smooth": smooth, "reference_length": "shortest"}
    expected = textbook_bleu(*tokens, max_order, smooth)
    assert_close(
        bleu_full.compute(predictions=predictions, references=references, **options), expected
    )
    assert_close(
        bleu_full.compute(predictions=tokens[0], references=tokens[1], **options), expected
    )


@pytest.mark.parametrize("smooth", [False, True])
def test_parity_with_evaluate_on_sentences(bleu_full, smooth):
    predictions, references = random_corpus(np.random.default_rng(6), 200, 10)
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        smooth=smooth,
        reference_length="shortest",
        use_aggregator=False,
    )
    for i, (prediction, texts) in enumerate(zip(predictions, references, strict=True)):
        tokens = oracles.tokens_13a(prediction), [oracles.tokens_13a(text) for text in texts]
        if tokens[0] and all(tokens[1]):  # evaluate divides by both lengths
            expected = textbook_bleu([tokens[0]], [tokens[1]], 4, smooth)
            assert_close({key: values[i] for key, values in result.items()}, expected)
