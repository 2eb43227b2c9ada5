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


HUNGER_GAMES = ("I really loved reading the Hunger Games.", "I loved reading the Hunger Games.")


MAT = ("the cat sat on a mat", "the cat sat on the mat")


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
    # https://huggingface.co/spaces/evaluate-metric/rouge, "How to Use"
    "evaluate card, identical": (
        ["hello there", "general kenobi"],
        [["hello there"], ["general kenobi"]],
        {},
        {name: ["1.0", "1.0"] for name in ("rouge1", "rouge2", "rougeL", "rougeLsum")},
    ),
    # the same page, "Examples": prints [0.5, 0.0]. It is the precision of what rouge_score computes
    # today; F is 2/3
    "evaluate card, precision": (
        ["hello goodbye", "ankh morpork"],
        [["goodbye"], ["general kenobi"]],
        {"output": "precision"},
        {"rouge1": ["0.5", "0.0"]},
    ),
    "one word too many, F": (
        [HUNGER_GAMES[0]],
        [[HUNGER_GAMES[1]]],
        {},
        {"rouge1": [Fraction(12, 13)], "rougeL": [Fraction(12, 13)]},
    ),
    # "the cat sat on" and "mat" of 6 words; "the cat", "cat sat" and "sat on" of 5 pairs
    "one word wrong": (
        [MAT[0]],
        [[MAT[1]]],
        {"output": "recall"},
        {"rouge1": [Fraction(5, 6)], "rouge2": [Fraction(3, 5)]},
    ),
    # rouge_score 0.1.2, use_stemmer=False and True: "speaks" and "spoke" stay apart, "words" and
    # "word" do not
    "not stemmed": (["he spoke better words"], [["he speaks good word"]], {}, {"rouge1": ["0.25"]}),
    "stemmed": (
        ["he spoke better words"],
        [["he speaks good word"]],
        {"use_stemmer": True},
        {"rouge1": ["0.5"]},
    ),
    "stemmed, irregular plural": (
        ["the children went home"],
        [["the child goes home"]],
        {"use_stemmer": True},
        {"rouge1": ["0.5"]},
    ),
}


@pytest.mark.parametrize(
    ("predictions", "references", "options", "expected"), EXAMPLES.values(), ids=EXAMPLES
)
def test_printed_examples(rouge_full, predictions, references, options, expected):
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=list(expected),
        use_aggregator=False,
        **options,
    )
    assert list(result) == list(expected)
    for name, printed in expected.items():
        assert [
            as_printed(value, digits) for value, digits in zip(result[name], printed, strict=True)
        ] == printed, name


def as_printed(value, printed):
    """Return the value with the digits that `printed` has, or `printed` itself where it is a
    Fraction and equal up to the last bits.
    """
    if isinstance(printed, Fraction):
        return printed if value == pytest.approx(float(printed), rel=4e-16, abs=0) else value
    return f"{value:.{len(printed.partition('.')[2])}f}"


def test_card_example_aggregated(rouge_full):
    # https://huggingface.co/spaces/evaluate-metric/rouge, "Examples", with aggregation: prints
    # 0.25, here too as precision
    examples = {
        "predictions": ["hello goodbye", "ankh morpork"],
        "references": ["goodbye", "general kenobi"],
    }
    assert rouge_full.compute(**examples, rouge_types=["rouge1"], output="precision") == {
        "rouge1": 0.25
    }
    assert rouge_full.compute(**examples, rouge_types=["rouge1"]) == {"rouge1": (2 / 3) / 2}


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


@pytest.mark.parametrize("output", [*OUTPUTS, "all"])
@pytest.mark.parametrize("use_aggregator", [True, False])
def test_result_is_plain(rouge_full, output, use_aggregator):
    options = {"rouge_types": ALL_TYPES, "output": output, "use_aggregator": use_aggregator}
    result = rouge_full.compute(
        predictions=["a b c", ""], references=[["a c", "b"], ["x"]], **options
    )
    assert_plain(result)
    assert json.loads(json.dumps(result)) == result
    kind = float if use_aggregator else list
    assert all(type(value) is kind for value in result.values())
    assert_plain(
        rouge_full.compute(
            predictions=[""], references=[""], zero_division=np.float64("nan"), **options
        )
    )


def test_keys(rouge_full):
    examples = {"predictions": ["a b"], "references": ["a b"]}
    assert list(rouge_full.compute(**examples)) == DEFAULT_TYPES
    for output in OUTPUTS:  # as spelled, in the order given
        assert (
            list(rouge_full.compute(**examples, rouge_types=ALL_TYPES[::-1], output=output))
            == ALL_TYPES[::-1]
        )
    assert list(
        rouge_full.compute(**examples, rouge_types=("rougeS*", "rouge1"), output="all")
    ) == [
        "rougeS*_precision",
        "rougeS*_recall",
        "rougeS*_fmeasure",
        "rouge1_precision",
        "rouge1_recall",
        "rouge1_fmeasure",
    ]
    assert list(rouge_full.compute(**examples, rouge_types=[np.str_("rouge1"), "rouge1"])) == [
        "rouge1"
    ]


def test_other_spellings_have_the_same_scores(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(7), 30, 20, 3)
    spellings = {
        "rougeS": "rougeS*",
        "rougeSU": "rougeSU*",
        "rougeW": "rougeW-1.2",
        "rougeL": "rougeW-1",
        "rouge2": "rougeS0",
    }
    names = [*spellings, *spellings.values()]
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=names,
        output="all",
        use_aggregator=False,
    )
    for (name, other), output in product(spellings.items(), OUTPUTS):
        assert result[f"{name}_{output}"] == pytest.approx(
            result[f"{other}_{output}"], rel=1e-15, abs=0
        ), (name, output)


def test_output_names_one_of_the_three(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(8), 30, 20, 3)
    examples = {"predictions": predictions, "references": references, "rouge_types": ALL_TYPES}
    every = rouge_full.compute(**examples, output="all")
    for output in OUTPUTS:
        assert rouge_full.compute(**examples, output=output) == {
            name: every[f"{name}_{output}"] for name in ALL_TYPES
        }
    assert rouge_full.compute(**examples) == rouge_full.compute(**examples, output="fmeasure")


def test_a_corpus_of_several_chunks(rouge_full):
    rng = np.random.default_rng(11)
    predictions, references = random_corpus(rng, 100, 40)
    options = {"rouge_types": ["rouge1", "rouge2", "rougeLsum"], "use_aggregator": False}
    once = rouge_full.compute(predictions=predictions, references=references, **options)
    often = rouge_full.compute(
        predictions=predictions * 40, references=references * 40, **options
    )  # 1.3 million characters
    assert often == {key: values * 40 for key, values in once.items()}
