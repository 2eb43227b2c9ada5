"""The options of bleu_full, and its results."""

import math
import warnings

import numpy as np
import pyarrow as pa
import pytest

from helpers.bleu.peers import PARTS, assert_equal, random_segments
from rouge_bleu import bleu

NAN = math.nan
CORPUS = random_segments(7, 120, 20, 3)

# --- weights --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "weights",
    [
        *((1, 2), np.array([1, 2]), np.array([0.5, 1.0], dtype=np.float32), [0.1, 0.2]),
        [np.int64(1), np.float64(2)],
    ],
)
def test_weights_may_be_any_list_of_numbers(weights):
    assert_equal(bleu(*CORPUS, weights=weights), bleu(*CORPUS, weights=[1, 2]))


@pytest.mark.parametrize("max_order", [1, 5, np.int64(2)])
def test_max_order_is_the_number_of_weights(max_order):
    expected = bleu(*CORPUS, weights=[1] * max_order)
    assert bleu(*CORPUS, max_order=max_order) == expected
    assert bleu(*CORPUS, max_order=max_order, weights=[2] * max_order) == expected
    assert len(expected["precisions"]) == max_order


@pytest.mark.parametrize("weight", [2, 4.0, np.int64(9)])
def test_one_weight_that_may_be_meant_as_the_highest_order(weight):
    """Any one weight is that of single words."""
    with pytest.warns(UserWarning, match=f"max_order={int(weight)}") as caught:
        result = bleu(*CORPUS, weights=[weight])
    assert [one.filename for one in caught if one.category is UserWarning] == [__file__]
    assert result == bleu(*CORPUS, max_order=1) == bleu(*CORPUS, weights=[weight], max_order=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for other in ([1], [0.5], [2.5], [100], {"bleu": [weight]}):
            assert bleu(*CORPUS, weights=other) == result


def test_an_order_of_weight_zero_has_no_influence():
    expected = bleu(*CORPUS, weights=[1, 1])
    result = bleu(*CORPUS, weights=[1, 1, 0, 0])
    assert result["bleu"] == expected["bleu"]
    assert result["precisions"][:2] == expected["precisions"]
    # Two of three words match and no pair does; a text of one word has no pairs.
    for prediction, reference, score in (("a x b", "a b y", 2 / 3), ("a", "a", 1.0)):
        found = bleu([prediction], [reference], weights=[1, 0])["bleu"]
        assert found == pytest.approx(score)
        assert bleu([prediction], [reference], weights=[1, 1e-9])["bleu"] == 0


@pytest.mark.parametrize(
    "options", [{}, {"use_aggregator": False}, {"smooth": True, "reference_length": "shortest"}]
)
def test_several_weights_by_name(options):
    weights = {"bleu1": [1], "bleu4": (1, 1, 1, 1), "bigrams": np.array([0, 1]), "bleu": [2, 1]}
    result = bleu(*CORPUS, weights=weights, **options)
    assert list(result) == [*weights, *PARTS]
    for name, values in weights.items():
        alone = bleu(*CORPUS, weights=values, **options)
        assert result[name] == pytest.approx(alone["bleu"], rel=1e-15, abs=0), name
        parts = PARTS if len(values) == 4 else PARTS[1:]  # "precisions" has all orders
        assert {part: result[part] for part in parts} == {part: alone[part] for part in parts}


# --- effective order ------------------------------------------------------------------------------

EFFECTIVE = {"effective_order": True}


@pytest.mark.parametrize(
    ("predictions", "references", "options", "expected"),
    [
        (["a b"], ["a b"], {}, 1.0),
        (["a x"], ["a y"], {}, 0.0),  # it has a pair, which does not match
        (["a x"], ["a y"], {"max_order": 1}, 0.5),
        ([""], ["a"], {}, 0.0),
        # The effective order of a corpus is that of its longest prediction.
        (["a b", "a b c"], ["a b", "a b c"], {}, 1.0),
        (["a b", "a b c d e"], ["a b", "x x x x x"], {}, 0.0),
        # The weights of the orders that there are sum to one; without order 3: BP alone, and
        # two words and one pair of two texts of two words, as 1 to 3.
        (["a b"], ["a b c"], {"weights": [3, 1, 9]}, math.exp(-0.5)),
        (["a b", "c d"], ["a b", "e f"], {"weights": [1e-320, 3e-320, 1]}, 0.5),
        # One word is left: BLEU is its precision, whatever its weight. 1e-320 has 11 bits.
        (["a", "c"], ["a", "e"], {"weights": [1e-320, 1]}, 0.5),
        (["a", "c"], ["a", "e"], {"weights": [5e-324, 1e-9, 1]}, 0.5),
        # Preset "nltk" scales no weights. 1 to any power is 1, and 1/2 to a huge one is 0; a sum
        # of weights may be infinite.
        (["a"], ["a"], {"weights": [1e308, 1e308], "preset": "nltk"}, 1.0),
        (["a", "c"], ["a", "e"], {"weights": [1e308, 1e308], "preset": "nltk"}, 0.0),
        (["a", "c"], ["a", "e"], {"weights": [1e-320, 1e308], "preset": "nltk"}, 0.0),
        # (1 + 1) / (2 + 1) and (0 + 1) / (1 + 1); the orders that a text of two words lacks do not
        # count, and added ones are not n-grams that the prediction has.
        (["a b"], ["a c"], {"smooth": True}, (2 / 3 / 2) ** (1 / 2)),
        ([""], ["a"], {"smooth": True}, 0.0),
        # With a value above 0 every order counts, since k counts as n-grams: k / k = 1 of those
        # that are not there. 1/2, (0 + 1) / (1 + 1), 1, 1.
        (["a b"], ["a c"], {"smoothing": "add-k"}, (1 / 2 * 1 / 2) ** (1 / 4)),
        (["a b"], ["a b"], {"smoothing": "add-k", "smoothing_value": 1e-9}, 1.0),
    ],
)
@pytest.mark.filterwarnings("ignore:The weights of")
def test_effective_order(predictions, references, options, expected):
    score = bleu(predictions, references, **options, **EFFECTIVE)["bleu"]
    assert score == pytest.approx(expected, rel=1e-12, abs=0)


# --- the other options ----------------------------------------------------------------------------


@pytest.mark.parametrize("tokenizer", [None, "char", str.split])
def test_lowercase(tokenizer):
    corpus = ["The CAT, ÄRGER Σ"], ["the cat, ärger σ"]
    options = {"tokenizer": tokenizer, "max_order": 2}
    assert bleu(*corpus, **options, lowercase=True)["bleu"] == pytest.approx(1.0)
    assert bleu(*corpus, **options)["bleu"] < 1
    tokens = [["The", "CAT"]], [["the", "cat"]]
    assert bleu(*tokens, max_order=1)["bleu"] == 0
    assert bleu(*tokens, max_order=1, lowercase=True)["bleu"] == 1


NOTHING = ["a b c d", "", "", "a b c d"], [[""], ["", "..."], ["a b c d"], ["x y z w"]]


def test_zero_division_of_items():
    options = {"tokenizer": "rouge_score", "use_aggregator": False}
    undefined = bleu(*NOTHING, **options, zero_division=NAN)
    assert repr(undefined["bleu"]) == "[nan, nan, 0.0, 0.0]"
    assert repr(undefined["length_ratio"]) == "[nan, nan, 0.0, 1.0]"
    for zero in (bleu(*NOTHING, **options), bleu(*NOTHING, **options, zero_division=0)):
        assert zero["bleu"] == [0.0] * 4
        assert zero["length_ratio"] == [0.0, 0.0, 0.0, 1.0]
    # A corpus is undefined where none of its references has words.
    for n_items, score in ((2, NAN), (3, 0.0)):
        some = [column[:n_items] for column in NOTHING]
        result = bleu(*some, tokenizer="rouge_score", zero_division=NAN)
        assert repr(result["bleu"]) == repr(score)


@pytest.mark.parametrize("smooth", [True, False])
def test_zero_division_of_a_corpus(smooth):
    assert math.isnan(bleu([""], [""], smooth=smooth, zero_division=NAN)["bleu"])
    assert bleu([""], ["a"], smooth=smooth, zero_division=NAN)["bleu"] == 0
    for options in ({}, {"preset": "matlab", "zero_division": 0.0}):
        assert bleu([""], [""], smooth=smooth, **options)["bleu"] == 0
    named = bleu([""], [""], weights={"a": [1], "b": [1, 1]}, zero_division=NAN)
    assert repr([named["a"], named["b"]]) == "[nan, nan]"


# --- statistics -----------------------------------------------------------------------------------

# Papineni et al. 2002, section 2.1: "the" counts twice at most, as in the first reference.
ROWS = pa.table(
    {
        "predictions": ["the the the the the the the"],
        "references": [["the cat is on the mat", "there is a cat on the mat"]],
    }
)


def test_statistics_of_an_item(bleu_full):
    some = bleu_full.batch_statistics(ROWS, max_order=2)
    assert {name: column[0] for name, column in some.to_pydict().items()} == {
        **{"n_references": 2, "is_tokenized": False, "matches_1": 2, "matches_2": 0},
        **{"totals_1": 7, "totals_2": 6, "ngrams_1": 7, "ngrams_2": 6},
        **{"translation_length": 7, "reference_length": 7, "n_reference_tokens": 13},
    }


@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_an_average_of_lengths_is_a_float(bleu_full, level):
    options = {"reference_length": "average", "level": level}
    some = bleu_full.batch_statistics(ROWS, **options)
    assert some.column("reference_length").to_pylist() == [6.5]
    sums = bleu_full.sum_statistics([some, some], **options)
    assert sums.column("reference_length_whole").to_pylist() == [12]
    assert sums.column("reference_length_high").to_pylist() == [2**30]


@pytest.mark.parametrize(("preset", "max_order", "highest"), [(None, 2, 3), ("nltk", 5, 6)])
def test_orders_are_counted_as_far_as_the_smoothing_looks(bleu_full, preset, max_order, highest):
    """chen-cherry-5 looks at one more; under preset "nltk" that is the fifth, which may be there."""
    options = {"preset": preset, "max_order": max_order, "smoothing": "chen-cherry-5"}
    names = bleu_full.batch_statistics(ROWS, **options).column_names
    counted = [name for name in names if name.startswith("matches")]
    assert counted == [f"matches_{order}" for order in range(1, highest + 1)]
