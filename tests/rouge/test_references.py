"""`multi_reference`: the choices among references against their textbook form."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.rouge.expected import (
    CHOICES,
    TYPES,
    assert_items,
    expected_items,
    random_corpus,
    split_corpus,
)

MAT = "the cat was on the mat"


MAT_REFERENCES = ["the cat sat on the mat today in the sun", "on the mat there was a cat"]


THIRD_REFERENCE = "a cat on a mat"


# Sources: best, RougeScorer.score_multi of rouge_score 0.1.2; average,
# rouge_score(accumulate="avg") of torchmetrics 1.9.0; pooled, the default of ROUGE-1.5.5.pl (-f A)
# and of sumeval 0.2.2 and rouge-metric 1.0.1. With the third reference by hand: the F of ROUGE-1
# are 10/16, 10/13 and 6/11, so the best of the sets that lack one of them are 10/13, 10/16 and
# 10/13.
PRINTED = [
    ([*MAT_REFERENCES, THIRD_REFERENCE], "best", {"rouge1": 0.7692}),
    ([*MAT_REFERENCES, THIRD_REFERENCE], "average", {"rouge1": 0.6466}),
    ([*MAT_REFERENCES, THIRD_REFERENCE], "jackknife", {"rouge1": 0.7212}),
]


@pytest.mark.parametrize(("references", "choice", "expected"), PRINTED)
def test_printed_scores_of_several_references(rouge_full, references, choice, expected):
    result = rouge_full.compute(
        predictions=[MAT],
        references=[references],
        rouge_types=list(expected),
        multi_reference=choice,
    )
    assert {
        name: round(value, 5 if len(references) == 2 else 4) for name, value in result.items()
    } == expected


@pytest.mark.parametrize("zero_division", [0.0, math.nan])
@pytest.mark.parametrize("choice", CHOICES)
def test_choices_among_references(rouge_full, choice, zero_division):
    """The texts are short: many are empty or have no unit of a type, and references tie."""
    predictions, references = random_corpus(1, max_words=8)
    options = {"multi_reference": choice, "zero_division": zero_division}
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=TYPES,
        output="all",
        use_aggregator=False,
        **options,
    )
    expected = expected_items(
        TYPES, *split_corpus(predictions, references), choice=choice, zero_division=zero_division
    )
    assert_items(result, expected)
    n_nan = sum(map(math.isnan, expected["rougeS4_fmeasure"]))
    assert n_nan > 5 if math.isnan(zero_division) else n_nan == 0
    mean_of_numbers = [score for score in expected["rougeS4_fmeasure"] if not math.isnan(score)]
    aggregated = rouge_full.compute(
        predictions=predictions, references=references, rouge_types=["rougeS4"], **options
    )
    assert aggregated["rougeS4"] == pytest.approx(
        math.fsum(mean_of_numbers) / len(mean_of_numbers), abs=1e-12
    )


@pytest.mark.parametrize("beta", [0, 0.5, 2, math.inf])
@pytest.mark.parametrize("choice", CHOICES)
def test_choices_go_by_the_f_of_beta(rouge_full, choice, beta):
    predictions, references = random_corpus(2, 60)
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        rouge_types=TYPES,
        multi_reference=choice,
        beta=beta,
        output="all",
        use_aggregator=False,
    )
    expected = expected_items(
        TYPES, *split_corpus(predictions, references), choice=choice, beta=float(beta)
    )
    if beta == 0 and choice in (
        "best",
        "jackknife",
    ):  # F is precision, up to its last digit, which decides a tie
        result, expected = (
            {key: column for key, column in items.items() if not key.endswith("recall")}
            for items in (result, expected)
        )
    assert_items(result, expected)


tokens_of_text = st.lists(st.sampled_from("abcd"), max_size=5)


@given(
    tokens_of_text,
    st.lists(tokens_of_text, min_size=1, max_size=5),
    st.sampled_from(CHOICES),
    st.sampled_from([0.0, math.nan]),
)
def test_choices_among_references_of_any_number(
    rouge_full, prediction, references, choice, zero_division
):
    names = ["rouge1", "rouge2", "rougeL", "rougeW", "rougeSU"]
    result = rouge_full.compute(
        predictions=[prediction],
        references=[references],
        rouge_types=names,
        multi_reference=choice,
        zero_division=zero_division,
        output="all",
        use_aggregator=False,
    )
    assert_items(
        result,
        expected_items(
            names,
            [[prediction]],
            [[[text] for text in references]],
            choice=choice,
            zero_division=zero_division,
        ),
    )


@pytest.mark.parametrize("form", ["strings", "lists"])
def test_one_reference_is_the_same_by_every_choice(rouge_full, form):
    predictions, references = random_corpus(3, 60, max_references=1)
    references = [texts[0] for texts in references] if form == "strings" else references
    options = {
        "predictions": predictions,
        "references": references,
        "rouge_types": TYPES,
        "output": "all",
        "use_aggregator": False,
    }
    for zero_division in (0.0, math.nan):
        results = [
            rouge_full.compute(**options, multi_reference=choice, zero_division=zero_division)
            for choice in CHOICES
        ]
        assert len(set(map(repr, results))) == 1
