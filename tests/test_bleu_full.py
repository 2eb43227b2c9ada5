"""bleu_full as users call it: printed examples, parity with sacreBLEU, NLTK and the `bleu` metric
of evaluate, options and results.
"""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from full_metrics import corpus as corpus_module
from full_metrics.bleu_options import BleuOptions
from full_metrics.bleu_scorer import bleu
from nltk.translate.bleu_score import corpus_bleu
from sacrebleu.metrics import BLEU

import oracles

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


# --- parity with sacreBLEU ------------------------------------------------------------------------

SAMPLE = """the The a cat sat on mat and dog, dog. "the" (cat) it's U.S. 3.14 1,000 10-20 well-known end- &amp; &quot;cat&quot; <skipped> a/b
    foo_bar $5 20% Über über Ärger 中文 你好。 हिन्दी «mot» naïve — … İ ſ"""
WORDS = SAMPLE.split()


def random_text(rng, max_words):
    words = rng.choice(WORDS[: rng.integers(3, len(WORDS) + 1)], rng.integers(0, max_words + 1))
    return "".join(
        word + rng.choice([" ", "  ", "\t", "\n", "\u3000"], p=[0.9, 0.025, 0.025, 0.025, 0.025])
        for word in words
    )


def random_corpus(rng, n_items, max_words, max_references=1):
    """Return predictions, of which some are empty, and lists of references, of which half share a
    part with the prediction and a tenth is empty.
    """
    predictions = [random_text(rng, max_words) for _ in range(n_items)]
    references = []
    for prediction in predictions:
        words = prediction.split(" ")
        start = rng.integers(0, len(words))
        shared = " ".join(words[start : start + len(words) // 2 + 4])
        texts = [
            random_text(rng, max_words // 2) + (shared if rng.random() < 0.5 else "")
            for _ in range(rng.integers(1, max_references + 1))
        ]
        references.append(
            ["" if len(texts) == 1 and rng.random() < 0.1 else text for text in texts]
        )
    return predictions, references


def as_streams(references):
    """Return references as sacreBLEU takes them: one list for each rank, with None where an item
    has fewer.
    """
    return [
        [texts[rank] if rank < len(texts) else None for texts in references]
        for rank in range(max(map(len, references)))
    ]


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


def assert_close(result, expected):
    assert list(result) == list(expected)
    for key, value in expected.items():
        assert result[key] == pytest.approx(value, rel=1e-12, abs=0), key


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


# --- parity with NLTK -----------------------------------------------------------------------------

WEIGHTS = [
    (0.25, 0.25, 0.25, 0.25),
    (1.0,),
    (0.5, 0.5),
    (0.1, 0.2, 0.3, 0.4),
    (0.0, 1.0),
    (0.5, 0.0, 0.5),
    (0.7, 0.1, 0.1, 0.05, 0.05),
]


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


# --- weights --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus():
    predictions, references = random_corpus(np.random.default_rng(7), 120, 20, 3)
    return {"predictions": predictions, "references": references}


@pytest.mark.parametrize(
    "weights", [*WEIGHTS, (1, 1), (3, 2, 1), (0, 5), (0, 0, 0, 1e-300), (1e300, 1)]
)
def test_weights_from_the_definition(bleu_full, corpus, weights):
    tokens = (
        [text.split() for text in corpus["predictions"]],
        [[text.split() for text in texts] for texts in corpus["references"]],
    )
    expected = oracles.bleu(*tokens, weights=[weight / math.fsum(weights) for weight in weights])
    result = bleu_full.compute(**corpus, weights=weights, tokenizer="whitespace")
    assert result["bleu"] == pytest.approx(expected, rel=1e-12)
    assert len(result["precisions"]) == len(weights)


def test_weights_may_be_any_list_of_numbers(bleu_full, corpus):
    expected = bleu_full.compute(**corpus, weights=[1, 2])
    for weights in (
        (1, 2),
        [1.0, 2.0],
        np.array([1, 2]),
        np.array([0.5, 1.0], dtype=np.float32),
        [np.int64(1), np.float64(2)],
        [0.1, 0.2],
        [100, 200],
    ):
        assert_close(bleu_full.compute(**corpus, weights=weights), expected)


def test_max_order_is_the_number_of_weights(bleu_full, corpus):
    for max_order in (1, 3, 5, np.int64(2)):
        expected = bleu_full.compute(**corpus, weights=[1] * max_order)
        assert bleu_full.compute(**corpus, max_order=max_order) == expected
        assert bleu_full.compute(**corpus, max_order=max_order, weights=[2] * max_order) == expected
        assert len(expected["precisions"]) == max_order
    assert bleu_full.compute(**corpus) == bleu_full.compute(**corpus, max_order=4)


def test_an_order_of_weight_zero_has_no_influence(bleu_full, corpus):
    expected = bleu_full.compute(**corpus, weights=[1, 1])
    result = bleu_full.compute(**corpus, weights=[1, 1, 0, 0])
    assert result["bleu"] == expected["bleu"]
    assert result["precisions"][:2] == expected["precisions"]
    # Two of three words match and no pair does; a text of one word has no pairs.
    for prediction, reference, expected in (("a x b", "a b y", 2 / 3), ("a", "a", 1.0)):
        assert bleu_full.compute(predictions=[prediction], references=[reference], weights=[1, 0])[
            "bleu"
        ] == pytest.approx(expected)
        assert (
            bleu_full.compute(predictions=[prediction], references=[reference], weights=[1, 1e-9])[
                "bleu"
            ]
            == 0
        )


def test_fewer_words_than_weights_score_zero(bleu_full):
    # MATLAB bleuEvaluationScore: 0 where the candidate has fewer words than there are weights
    for weights, expected in (([1, 1, 1], 1.0), ([1, 1, 1, 1], 0.0)):
        assert bleu_full.compute(predictions=["a b c"], references=["a b c"], weights=weights)[
            "bleu"
        ] == pytest.approx(expected)


def test_several_weights_by_name(bleu_full, corpus):
    weights = {"bleu1": [1], "bleu4": (1, 1, 1, 1), "bigrams": np.array([0, 1]), "bleu": [2, 1]}
    for options in (
        {},
        {"use_aggregator": False},
        {"effective_order": True},
        {"smooth": True, "reference_length": "shortest"},
    ):
        result = bleu_full.compute(**corpus, weights=weights, **options)
        assert list(result) == [*weights, *PARTS]
        for name, values in weights.items():
            alone = bleu_full.compute(**corpus, weights=values, **options)
            assert result[name] == pytest.approx(alone["bleu"], rel=1e-15, abs=0), name
            parts = PARTS if len(values) == 4 else PARTS[1:]  # "precisions" has all orders
            assert {part: result[part] for part in parts} == {part: alone[part] for part in parts}
    assert (
        bleu_full.compute(**corpus, weights={"a": [1], "b": [1, 1]}, max_order=2)["a"]
        == bleu_full.compute(**corpus, max_order=1)["bleu"]
    )


# --- lengths of references ------------------------------------------------------------------------

# words of the prediction and of its references; closest, shortest and average length
LENGTHS = [
    (6, [8, 4], 4, 4, 6.0),
    (6, [4, 8], 4, 4, 6.0),
    (6, [9, 4, 7], 7, 4, 20 / 3),
    (5, [5], 5, 5, 5.0),
    (1, [3, 2, 2], 2, 2, 7 / 3),
    (9, [1, 2], 2, 1, 1.5),
]


@pytest.mark.parametrize(
    ("n_words", "n_reference_words", "closest", "shortest", "average"), LENGTHS
)
def test_reference_length(bleu_full, n_words, n_reference_words, closest, shortest, average):
    prediction, references = (
        " ".join("abcdefghi"[:n_words]),
        [" ".join("abcdefghi"[:n]) for n in n_reference_words],
    )
    for name, length in (("closest", closest), ("shortest", shortest), ("average", average)):
        result = bleu_full.compute(
            predictions=[prediction], references=[references], reference_length=name, max_order=1
        )
        assert result["reference_length"] == pytest.approx(length), name
        penalty = math.exp(min(0, 1 - length / n_words))
        assert result["brevity_penalty"] == pytest.approx(penalty), name
        assert result["length_ratio"] == pytest.approx(n_words / length), name
        assert result["bleu"] == pytest.approx(
            penalty * min(1, max(n_reference_words) / n_words)
        ), name
    assert (
        bleu_full.compute(predictions=[prediction], references=[references])["reference_length"]
        == closest
    )  # the default


def test_reference_lengths_add_up(bleu_full):
    predictions, references = (
        [" ".join("abcdefghi"[:n]) for n, *_ in LENGTHS],
        [[" ".join("abcdefghi"[:n]) for n in row[1]] for row in LENGTHS],
    )
    for name, column in (("closest", 2), ("shortest", 3), ("average", 4)):
        result = bleu_full.compute(
            predictions=predictions, references=references, reference_length=name
        )
        assert result["reference_length"] == pytest.approx(sum(row[column] for row in LENGTHS)), (
            name
        )


def test_counts_are_clipped_at_the_highest_in_any_reference(bleu_full):
    # Papineni et al. 2002, section 2.1: seven "the", of which the references have two and one: 2/7
    result = bleu_full.compute(
        predictions=["the the the the the the the"],
        references=[["the cat is on the mat", "there is a cat on the mat"]],
        max_order=1,
    )
    assert result["precisions"] == [2 / 7]


# --- the other options ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"smooth": True},
        {"effective_order": True},
        {"weights": {"a": [1], "b": [1, 2]}},
        {"reference_length": "average"},
    ],
)
def test_use_aggregator(bleu_full, corpus, options):
    """Without it, each item has the score that it has alone."""
    result = bleu_full.compute(**corpus, use_aggregator=False, **options)
    assert all(type(values) is list and len(values) == 120 for values in result.values())
    for i, (prediction, references) in enumerate(
        zip(corpus["predictions"], corpus["references"], strict=True)
    ):
        alone = bleu_full.compute(predictions=[prediction], references=[references], **options)
        assert {key: values[i] for key, values in result.items()} == alone


def test_effective_order(bleu_full):
    options = {
        "predictions": ["a b", "a b c d e", "a x", ""],
        "references": ["a b", "a b c d e", "a y", "a"],
        "use_aggregator": False,
    }
    assert bleu_full.compute(**options)["bleu"] == pytest.approx([0, 1, 0, 0])
    assert bleu_full.compute(**options, effective_order=True)["bleu"] == pytest.approx(
        [1, 1, 0, 0]
    )  # "a x" has a pair, which does not match
    assert bleu_full.compute(**options, effective_order=True, max_order=1)["bleu"] == pytest.approx(
        [1, 1, 0.5, 0]
    )
    # The weights of the orders that there are sum to one: p1 = 1/2 and p2 = 1, so 2**(-3/4);
    # without order 3.
    result = bleu_full.compute(
        predictions=["a b"], references=["a b c"], effective_order=True, weights=[3, 1, 9]
    )
    assert result["bleu"] == pytest.approx(math.exp(-0.5))
    result = bleu_full.compute(
        predictions=["b b"],
        references=["b c b b"],
        effective_order=True,
        weights=[3, 1, 9],
        reference_length="shortest",
    )
    assert result["precisions"] == [1.0, 1.0, 0.0]
    assert result["bleu"] == pytest.approx(math.exp(-1))


def test_effective_order_of_a_corpus_is_that_of_its_longest_prediction(bleu_full):
    corpus = {"predictions": ["a b", "a b c"], "references": ["a b", "a b c"]}
    assert bleu_full.compute(**corpus)["bleu"] == 0
    assert bleu_full.compute(**corpus, effective_order=True)["bleu"] == pytest.approx(1.0)


def test_lowercase(bleu_full):
    corpus = {
        "predictions": ["The CAT, ÄRGER Σ"],
        "references": ["the cat, ärger σ"],
        "max_order": 2,
    }
    assert bleu_full.compute(**corpus)["precisions"][0] == 1 / 5
    assert bleu_full.compute(**corpus, lowercase=True)["bleu"] == pytest.approx(1.0)
    for tokenizer in ("13a", "char", "whitespace", str.split):
        assert bleu_full.compute(**corpus, lowercase=True, tokenizer=tokenizer)[
            "bleu"
        ] == pytest.approx(1.0), tokenizer
    tokens = {"predictions": [["The", "CAT"]], "references": [["the", "cat"]], "max_order": 1}
    assert bleu_full.compute(**tokens)["bleu"] == 0
    assert bleu_full.compute(**tokens, lowercase=True)["bleu"] == 1


def test_tokenizers(bleu_full):
    corpus = {"predictions": ["Ab, c!"], "references": ["Ab, c!"]}
    n_tokens = {"13a": 4, "char": 5, "whitespace": 2, "rouge_score": 2, str.split: 2, list: 6}
    for tokenizer, n in n_tokens.items():
        assert bleu_full.compute(**corpus, tokenizer=tokenizer)["translation_length"] == n, (
            tokenizer
        )
    assert bleu_full.compute(**corpus) == bleu_full.compute(**corpus, tokenizer="13a")
    tokens = bleu_full.compute(
        predictions=[["Ab, c!", "d"]], references=[["Ab, c!", "d"]], tokenizer="char"
    )
    assert tokens["translation_length"] == 2  # tokens stay as they are


def test_zero_division(bleu_full):
    predictions, references = (
        ["a b c d", "", "", "a b c d"],
        [[""], ["", "..."], ["a b c d"], ["x y z w"]],
    )
    options = {
        "predictions": predictions,
        "references": references,
        "use_aggregator": False,
        "tokenizer": "rouge_score",
    }
    nan = bleu_full.compute(**options, zero_division=math.nan)
    assert [math.isnan(value) for value in nan["bleu"]] == [True, True, False, False]
    assert nan["bleu"][2:] == [0.0, 0.0]
    assert [math.isnan(value) for value in nan["length_ratio"]] == [True, True, False, False]
    for zero in (bleu_full.compute(**options), bleu_full.compute(**options, zero_division=0)):
        assert zero["bleu"] == [0.0] * 4
        assert zero["length_ratio"] == [0.0, 0.0, 0.0, 1.0]
    # A corpus is undefined where none of its references has words.
    for n_items, is_undefined in ((2, True), (3, False)):
        result = bleu_full.compute(
            predictions=predictions[:n_items],
            references=references[:n_items],
            tokenizer="rouge_score",
            zero_division=math.nan,
        )
        assert math.isnan(result["bleu"]) == is_undefined
    for smooth in (True, False):
        assert math.isnan(
            bleu_full.compute(
                predictions=[""], references=[""], smooth=smooth, zero_division=math.nan
            )["bleu"]
        )
        assert bleu_full.compute(predictions=[""], references=[""], smooth=smooth)["bleu"] == 0
        assert (
            bleu_full.compute(
                predictions=[""], references=["a"], smooth=smooth, zero_division=math.nan
            )["bleu"]
            == 0
        )
    named = bleu_full.compute(
        predictions=[""], references=[""], weights={"a": [1], "b": [1, 1]}, zero_division=math.nan
    )
    assert math.isnan(named["a"])
    assert math.isnan(named["b"])


# --- the result -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"smooth": True, "max_order": np.int64(3)},
        {"weights": np.ones(2)},
        {"zero_division": np.float64("nan")},
    ],
)
def test_result_is_plain(bleu_full, corpus, options):
    result = bleu_full.compute(**corpus, **options)
    assert list(result) == ["bleu", *PARTS]
    lists = bleu_full.compute(**corpus, use_aggregator=False, **options)
    assert list(lists) == list(result)
    for columns in ({key: [value] for key, value in result.items()}, lists):
        assert all(type(values) is list for values in columns.values())
        for key in ("bleu", "brevity_penalty", "length_ratio"):
            assert {type(value) for value in columns[key]} == {float}, key
        for key in ("translation_length", "reference_length"):
            assert {type(value) for value in columns[key]} == {int}, key
        for precisions in columns["precisions"]:
            assert type(precisions) is list
            assert {type(value) for value in precisions} == {float}
    assert json.loads(json.dumps(result)) == result
    assert json.loads(json.dumps(bleu_full.compute(predictions=[""], references=[""])))["bleu"] == 0


def test_average_reference_length_is_a_float(bleu_full, corpus):
    result = bleu_full.compute(**corpus, reference_length="average")
    assert type(result["reference_length"]) is float
    assert type(result["translation_length"]) is int


def test_bleu_lies_between_zero_and_one(bleu_full, corpus):
    same = bleu_full.compute(predictions=corpus["predictions"], references=corpus["predictions"])
    assert same["bleu"] == 1.0
    for values in (
        bleu_full.compute(**corpus, use_aggregator=False, smooth=smooth) for smooth in (True, False)
    ):
        assert all(0 <= value <= 1 for value in values["bleu"])


@pytest.mark.parametrize("chunk_characters", [1, 100, 1000])
def test_chunks_change_nothing(monkeypatch, corpus, chunk_characters):
    for use_aggregator in (True, False):
        checked = corpus_module.checked_corpus(**corpus)
        options = BleuOptions(use_aggregator=use_aggregator)
        expected = bleu(checked, options)
        assert len(list(checked.chunks())) == 1
        with monkeypatch.context() as context:
            context.setattr(corpus_module, "_CHUNK_CHARACTERS", chunk_characters)
            assert len(list(checked.chunks())) > 1
            assert bleu(checked, options) == expected


def test_order_of_items_changes_nothing(bleu_full, corpus):
    backwards = {key: values[::-1] for key, values in corpus.items()}
    for options in ({}, {"smooth": True}, {"effective_order": True}, {"weights": [1, 2, 3]}):
        assert bleu_full.compute(**backwards, **options) == bleu_full.compute(**corpus, **options)


def test_long_texts(bleu_full):
    """Every fifth of 20,000 different words is wrong, so that four in a row match between two of
    them: 4, 3, 2 and 1 of 5 n-grams.
    """
    prediction = " ".join(f"w{i}" for i in range(20_000))
    reference = " ".join(f"w{i}" if i % 5 != 4 else "x" for i in range(20_000))
    result = bleu_full.compute(
        predictions=[prediction, "a b c d"], references=[reference, "a b c d"]
    )
    assert result["translation_length"] == 20_004
    assert result["precisions"] == [
        (16_000 + 4) / 20_004,
        (12_000 + 3) / (19_999 + 3),
        (8_000 + 2) / (19_998 + 2),
        (4_000 + 1) / (19_997 + 1),
    ]
