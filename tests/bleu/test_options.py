"""The options of bleu_full, and what it returns."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

from helpers import oracles
from helpers.bleu.corpora import WEIGHTS, assert_close, random_corpus
from rouge_bleu.bleu.options import BleuOptions
from rouge_bleu.bleu.scorer import bleu
from rouge_bleu.data import corpus as corpus_module

PARTS = ["precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"]


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


def test_average_reference_length_is_exact(bleu_full, monkeypatch):
    """The mean over references is a fraction. In floats 1/3 + 1/3 + ... depends on the order and on
    the chunks in which it is summed; here no bit does.
    """
    rng = np.random.default_rng(5)
    lengths = [rng.integers(0, 30, rng.integers(1, 12)).tolist() for _ in range(300)]
    references = [[" ".join("a" * n) for n in row] for row in lengths]
    predictions = [" ".join("a" * n) for n in rng.integers(1, 20, 300)]
    exact = sum(Fraction(sum(row), len(row)) for row in lengths)
    in_floats = sum(sum(row) / len(row) for row in lengths)
    assert float(exact) != in_floats  # or the test would show nothing
    options = {"reference_length": "average", "max_order": 1}
    results = []
    for order in (range(300), range(299, -1, -1), rng.permutation(300)):
        result = bleu_full.compute(
            predictions=[predictions[i] for i in order],
            references=[references[i] for i in order],
            **options,
        )
        assert result["reference_length"] == float(exact)
        results.append(result)
    assert results[0] == results[1] == results[2]
    checked = corpus_module.checked_corpus(predictions, references)
    for n_characters in (1, 50, 1000):
        monkeypatch.setattr(corpus_module, "_CHUNK_CHARACTERS", n_characters)
        assert bleu(checked, BleuOptions(**options)) == results[0]


# --- the other options ----------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("predictions", "weights", "expected"),
    [
        # One word is left of each text: BLEU is its precision, whatever its weight. 1e-320 has 11 bits.
        (["a"], [1e-320, 1], 1.0),
        (["a", "c"], [1e-320, 1], 0.5),
        (["a", "c"], [5e-324, 1e-9, 1], 0.5),
        (["a", "c"], [0.1, 1e-320, 1], 0.5),
        # Of two words, half of the words and one of two pairs match: weights of 1 to 3, by the formula.
        (["a b", "c d"], [1e-320, 3e-320, 1], 0.5 ** (1 / 4) * 0.5 ** (3 / 4)),
    ],
)
def test_effective_order_with_tiny_weights(bleu_full, predictions, weights, expected):
    references = [predictions[0], "e f" if " " in predictions[0] else "e"]
    data = {"predictions": predictions, "references": references[: len(predictions)]}
    result = bleu_full.compute(**data, weights=weights, effective_order=True)
    assert result["bleu"] == pytest.approx(expected, rel=1e-12)
    options = {"weights": weights, "effective_order": True, "use_aggregator": False}
    assert bleu_full.compute(**data, **options)["bleu"][0] == 1.0


@pytest.mark.parametrize("weights", [[1e308, 1e308], [1e308, 1e308, 1e308], [1e-320, 1e308]])
def test_effective_order_with_weights_that_are_not_scaled(bleu_full, weights):
    """1 to any power is 1, and 1/2 to a huge one is 0; a sum of weights may be infinite."""
    options = {"weights": weights, "preset": "nltk", "effective_order": True}
    for predictions, score in ((["a"], 1.0), (["a", "c"], 0.0)):
        data = {"predictions": predictions, "references": ["a", "e"][: len(predictions)]}
        assert bleu_full.compute(**data, **options)["bleu"] == score


def test_effective_order_with_smooth(bleu_full):
    """By hand: (1 + 1) / (2 + 1) and (0 + 1) / (1 + 1); (0 + 1) / (0 + 1) of the orders that a text
    of two words lacks does not count.
    """
    corpus = {"predictions": ["a b"], "references": ["a c"], "smooth": True}
    result = bleu_full.compute(**corpus, effective_order=True)
    assert result["precisions"] == [2 / 3, 1 / 2, 1.0, 1.0]
    assert result["bleu"] == pytest.approx((2 / 3 / 2) ** (1 / 2), rel=1e-15)
    without = bleu_full.compute(**corpus)
    assert without["bleu"] == pytest.approx((2 / 3 / 2) ** (1 / 4), rel=1e-15)
    # Added ones are not n-grams that the prediction has, so that an empty one has no order at all.
    empty = {"predictions": [""], "references": ["a"], "smooth": True, "effective_order": True}
    assert bleu_full.compute(**empty)["bleu"] == 0.0


@pytest.mark.parametrize("value", [None, 1, 1e-9])
def test_effective_order_with_add_k(bleu_full, value):
    """With a value above 0 every order counts, since k counts as n-grams: k / k = 1 of those that
    are not there.
    """
    result = bleu_full.compute(
        predictions=["a b"],
        references=["a b"],
        smoothing="add-k",
        smoothing_value=value,
        effective_order=True,
    )
    assert result["precisions"] == [1.0] * 4
    assert result["bleu"] == 1.0
    half = bleu_full.compute(
        predictions=["a b"], references=["a c"], smoothing="add-k", effective_order=True
    )
    assert half["bleu"] == pytest.approx((1 / 2 * 1 / 2) ** (1 / 4))  # 1/2, (0+1)/(1+1), 1, 1


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
