"""The average of evaluate's `rouge`, bit for bit."""

import math

import numpy as np
import pytest
from rouge_score.scoring import Score

from helpers.metrics import loaded
from helpers.rouge.corpora import random_corpus
from helpers.rouge.peers import (
    FOUR_TYPES,
    OUTPUTS,
    evaluate_averages,
    rouge_score_items,
    vowels_and_words,
    with_names,
)
from rouge_bleu._rouge import scores as averages

EVALUATE_CASES = {  # most references of an item, options
    "one reference": (1, {}),
    "stemmed, several references": (3, {"use_stemmer": True}),
    "tokenizer, several references": (3, {"tokenizer": vowels_and_words}),
    "a tokenizer leaves the stemmer without effect": (
        1,
        {"tokenizer": str.split, "use_stemmer": True},
    ),
    "other types in another order": (2, {"rouge_types": ["rougeLsum", "rouge3", "rouge1"]}),
}


@pytest.mark.parametrize(("max_references", "options"), EVALUATE_CASES.values(), ids=EVALUATE_CASES)
def test_evaluate_to_the_last_bit(rouge_full, max_references, options):
    predictions, references = random_corpus(1, 80, max_references=max_references)
    if max_references == 1:
        references = [texts[0] for texts in references]
    corpus = {"predictions": predictions, "references": references, "preset": "evaluate"}
    items = rouge_score_items(predictions, references, **options)
    of_items = rouge_full.compute(**corpus, **options, output="all", use_aggregator=False)
    assert of_items == with_names(items)
    for seed in (0, 2**32 - 1):
        expected = evaluate_averages(items, seed)
        assert rouge_full.compute(**corpus, seed=seed, output="all", **options) == expected
        assert rouge_full.compute(**corpus, seed=seed, **options) == {
            key.removesuffix("_fmeasure"): value
            for key, value in expected.items()
            if key.endswith("fmeasure")
        }


@pytest.mark.parametrize("n_items", [1, 2, 9, 1049])
def test_evaluate_for_any_number_of_items(rouge_full, n_items):
    """Resamples are drawn in shares of 1,048,576 scores; from 1,049 items on 1,000 of them are more
    than one share.
    """
    predictions, references = random_corpus(3, min(n_items, 100))
    items = rouge_score_items(predictions, references)
    n_copies = -(-n_items // len(items))
    predictions, references, items = (
        (side * n_copies)[:n_items] for side in (predictions, references, items)
    )
    options = {"preset": "evaluate", "output": "all", "seed": 5}
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert result == evaluate_averages(items, 5)


@pytest.mark.parametrize("share", [0.5, 1, 7, 999])
def test_the_size_of_shares_changes_nothing(monkeypatch, share):
    """Shares of one resample are how a corpus of more than 524,288 items is drawn in. Below 1 there
    are more items than may be drawn at once: then one resample is drawn all the same.
    """
    rng = np.random.default_rng(4)
    scores = rng.random((4, 3, 61))
    monkeypatch.setattr(averages, "_MAX_DRAWN", int(61 * share))
    medians = averages.median_of_resampled_means(scores, 6)
    items = [
        {name: Score(*scores[k, :, item]) for k, name in enumerate(FOUR_TYPES)}
        for item in range(61)
    ]
    expected = evaluate_averages(items, 6)
    assert {
        f"{name}_{output}": float(medians[row][k])
        for row, name in enumerate(FOUR_TYPES)
        for k, output in enumerate(OUTPUTS)
    } == expected


def test_seed_of_load_and_of_compute(rouge_full):
    predictions, references = random_corpus(5, 50)
    items = rouge_score_items(predictions, references)
    corpus = {"predictions": predictions, "references": references}
    options = {"preset": "evaluate", "output": "all"}
    expected = {seed: evaluate_averages(items, seed) for seed in (0, 5, 7)}
    # Always the same, where evaluate's own differs from process to process.
    assert rouge_full.compute(**corpus, **options) == expected[0]
    seeded = loaded("rouge_full", seed=5)
    assert seeded.compute(**corpus, **options) == expected[5]
    assert seeded.compute(**corpus, **options, seed=7) == expected[7]  # that of the call wins
    assert seeded.compute(**corpus, **options) == expected[5]  # and is not kept
    # The default average draws nothing.
    assert seeded.compute(**corpus) == rouge_full.compute(**corpus)


def test_the_generator_of_numpy_is_left_alone(rouge_full):
    before = np.random.get_state()  # noqa: NPY002
    rouge_full.compute(predictions=["a b"], references=["a c"], preset="evaluate")
    after = np.random.get_state()  # noqa: NPY002
    assert before[0] == after[0]
    assert (before[1] == after[1]).all()
    assert before[2:] == after[2:]


def test_evaluate_takes_the_other_types_too(rouge_full):
    """They are drawn behind those of rouge_score, whose averages stay unchanged."""
    predictions, references = random_corpus(7, 40)
    options = {"predictions": predictions, "references": references, "preset": "evaluate"}
    result = rouge_full.compute(**options, rouge_types=[*FOUR_TYPES, "rougeW", "rougeSU4"])
    assert rouge_full.compute(**options).items() <= result.items()
    assert result["rougeW"] == pytest.approx(
        rouge_full.compute(**options | {"preset": None}, rouge_types=["rougeW"])["rougeW"], abs=0.02
    )


def test_undefined_items_are_left_out_of_the_average_of_evaluate(rouge_full):
    options = {"preset": "evaluate", "zero_division": math.nan, "rouge_types": ["rouge1", "rouge2"]}
    assert rouge_full.compute(predictions=["a", "b"], references=["a", ""], **options) == {
        "rouge1": 1.0,
        "rouge2": pytest.approx(math.nan, nan_ok=True),
    }
