"""rouge_full as users call it: printed examples and results."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from helpers.rouge.corpora import ALL_TYPES, DEFAULT_TYPES, OUTPUTS, random_corpus

# --- printed examples -----------------------------------------------------------------------------

COFFEE = "A bold, full-flavored coffee with a slightly bitter aftertaste."
COFFEE_REFERENCES = [
    "A bold, flavorful coffee with a slightly bitter aftertaste.",
    "A rich, full-bodied coffee with a smooth finish.",
]
SPOKEN = (["he spoke better words"], [["he speaks good word"]])

# predictions, references, options, and for each key the values: strings have as many digits as
# their source prints, Fractions are counted by hand.
EXAMPLES = {
    # printed by the rouge metric of evaluate; rouge_score 0.1.2, RougeScorer.score_multi, has the
    # same digits
    "evaluate, two references": (
        [COFFEE],
        [COFFEE_REFERENCES],
        {},
        {
            "rouge1": ["0.8421052631578948"],
            "rouge2": ["0.7058823529411765"],
            "rougeL": ["0.8421052631578948"],
            "rougeLsum": ["0.8421052631578948"],
        },
    ),
    # https://huggingface.co/spaces/evaluate-metric/rouge, "Examples": prints [0.5, 0.0]. It is the
    # precision of what rouge_score computes today; F is 2/3
    "evaluate card, precision": (
        ["hello goodbye", "ankh morpork"],
        [["goodbye"], ["general kenobi"]],
        {"output": "precision"},
        {"rouge1": ["0.5", "0.0"]},
    ),
    "one word too many, F": (
        ["I really loved reading the Hunger Games."],
        [["I loved reading the Hunger Games."]],
        {},
        {"rouge1": [Fraction(12, 13)], "rougeL": [Fraction(12, 13)]},
    ),
    # "the cat sat on" and "mat" of 6 words; "the cat", "cat sat" and "sat on" of 5 pairs
    "one word wrong": (
        ["the cat sat on a mat"],
        [["the cat sat on the mat"]],
        {"output": "recall"},
        {"rouge1": [Fraction(5, 6)], "rouge2": [Fraction(3, 5)]},
    ),
    # rouge_score 0.1.2, use_stemmer=False and True: "speaks" and "spoke" stay apart, "words" and
    # "word" do not
    "not stemmed": (*SPOKEN, {}, {"rouge1": ["0.25"]}),
    "stemmed": (*SPOKEN, {"use_stemmer": True}, {"rouge1": ["0.5"]}),
}


@pytest.mark.parametrize(
    ("predictions", "references", "options", "expected"), EXAMPLES.values(), ids=EXAMPLES
)
def test_printed_examples(rouge_full, predictions, references, options, expected):
    options = {**options, "rouge_types": list(expected), "use_aggregator": False}
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert list(result) == list(expected)
    for name, printed in expected.items():
        columns = zip(result[name], printed, strict=True)
        assert [as_printed(value, digits) for value, digits in columns] == printed, name


def as_printed(value, printed):
    """Return the value with the digits that `printed` has, or `printed` itself where it is a
    Fraction and equal up to the last bits.
    """
    if isinstance(printed, Fraction):
        return printed if value == pytest.approx(float(printed), rel=4e-16, abs=0) else value
    return f"{value:.{len(printed.partition('.')[2])}f}"


# --- the result -----------------------------------------------------------------------------------


def assert_plain(value):
    """Check that a result holds nothing but Python's own types."""
    if type(value) is dict:
        assert all(type(key) is str for key in value)
        value = list(value.values())
    if type(value) is list:
        for element in value:
            assert_plain(element)
    else:
        assert type(value) in (float, int)


@pytest.mark.parametrize("output", ["recall", "all"])
@pytest.mark.parametrize("use_aggregator", [True, False])
def test_result_is_plain(rouge_full, output, use_aggregator):
    options = {"rouge_types": ALL_TYPES, "output": output, "use_aggregator": use_aggregator}
    data = {"predictions": ["a b c", ""], "references": [["a c", "b"], ["x"]]}
    result = rouge_full.compute(**data, **options)
    assert_plain(result)
    assert json.loads(json.dumps(result)) == result
    kind = float if use_aggregator else list
    assert all(type(value) is kind for value in result.values())
    nothing = {"predictions": [""], "references": [""], "zero_division": np.float64("nan")}
    assert_plain(rouge_full.compute(**nothing, **options))


def test_keys(rouge_full):
    """As spelled, in the order given, each once."""

    def keys(*types, **options):
        types = {"rouge_types": types} if types else {}
        return list(rouge_full.compute(predictions=["a"], references=["a"], **types, **options))

    assert keys() == DEFAULT_TYPES
    assert keys(*ALL_TYPES[::-1]) == ALL_TYPES[::-1]
    assert keys(np.str_("rouge1"), "rouge1") == ["rouge1"]
    names = ["rougeS*", "rouge1"]
    expected = [f"{name}_{output}" for name, output in product(names, OUTPUTS)]
    assert keys(*names, output="all") == expected


def test_output_names_one_of_the_three(rouge_full):
    predictions, references = random_corpus(8, 30, 20, 3)
    examples = {"predictions": predictions, "references": references, "rouge_types": ALL_TYPES}
    every = rouge_full.compute(**examples, output="all")
    for output in OUTPUTS:
        expected = {name: every[f"{name}_{output}"] for name in ALL_TYPES}
        assert rouge_full.compute(**examples, output=output) == expected
    assert rouge_full.compute(**examples) == rouge_full.compute(**examples, output="fmeasure")
