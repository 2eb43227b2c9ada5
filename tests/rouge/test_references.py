"""`multi_reference`: the choices among references against their textbook form.

By hand they are in measures/test_scores.py, printed ones in test_disagreements.py.
"""

import math

import pytest

from helpers.rouge.expected import (
    CHOICES,
    assert_items,
    assert_textbook,
    expected_items,
    items_of,
    random_corpus,
    split_corpus,
)


@pytest.mark.parametrize("zero_division", [0.0, math.nan])
@pytest.mark.parametrize("choice", CHOICES)
def test_choices_among_references(rouge_full, choice, zero_division):
    """The texts are short: many are empty or have no unit of a type, and references tie."""
    corpus = random_corpus(1, max_words=8)
    options = {"multi_reference": choice, "zero_division": zero_division}
    items = assert_textbook(rouge_full, corpus, **options)["rougeS4_fmeasure"]
    numbers = [score for score in items if not math.isnan(score)]
    assert (len(numbers) < len(items) - 5) == math.isnan(zero_division)
    aggregated = rouge_full.compute(
        predictions=corpus[0], references=corpus[1], rouge_types=["rougeS4"], **options
    )
    assert aggregated["rougeS4"] == pytest.approx(math.fsum(numbers) / len(numbers), abs=1e-12)


@pytest.mark.parametrize("beta", [0.0, 2.0, math.inf])
@pytest.mark.parametrize("choice", CHOICES)
def test_choices_go_by_the_f_of_beta(rouge_full, choice, beta):
    corpus = random_corpus(2, 40)
    if beta or choice not in ("best", "jackknife"):
        assert_textbook(rouge_full, corpus, multi_reference=choice, beta=beta)
        return
    # F is precision, up to its last digit, which decides a tie.
    names = ["rouge1", "rougeL", "rougeSU4"]
    result = items_of(rouge_full, corpus, names, multi_reference=choice, beta=beta)
    expected = expected_items(names, *split_corpus(*corpus), choice=choice, beta=beta)
    assert_items(
        *(
            {key: column for key, column in items.items() if not key.endswith("recall")}
            for items in (result, expected)
        )
    )
