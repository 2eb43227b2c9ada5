"""Scores of items: beta, references, nothing to match, tokens, long texts."""

import math
from itertools import product

import numpy as np
import pytest

from helpers import oracles
from helpers.rouge.corpora import ALL_TYPES, DEFAULT_TYPES, OUTPUTS, random_corpus

# --- references -----------------------------------------------------------------------------------


def test_forms_of_one_reference(rouge_full):
    predictions, references = random_corpus(np.random.default_rng(15), 20, 12)
    strings = rouge_full.compute(
        predictions=predictions, references=[texts[0] for texts in references]
    )
    assert rouge_full.compute(predictions=predictions, references=references) == strings
    assert (
        rouge_full.compute(predictions=predictions, references=[texts * 3 for texts in references])
        == strings
    )
    assert (
        rouge_full.compute(predictions=predictions, references=references, multi_reference="best")
        == strings
    )


# --- nothing to match -----------------------------------------------------------------------------

FAMILIES = [
    "rouge1",
    "rouge2",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeS",
    "rougeS4",
    "rougeSU",
    "rougeSU4",
]


PAIRS_OF_WORDS = {"rouge2", "rougeS", "rougeS4"}  # a text of one word has no unit of these


# prediction, references, and which types are undefined: those of which no reference has a unit
UNDEFINED = {
    "both empty": ("", [""], set(FAMILIES)),
    "no word on either side": ("...", ["?!", "\n"], set(FAMILIES)),
    "empty reference": ("a b c", [""], set(FAMILIES)),
    "empty prediction": ("", ["a b c"], set()),
    "reference of one word": ("a b c", ["a"], PAIRS_OF_WORDS),
    "prediction of one word": ("a", ["a b c"], set()),
    "both of one word": ("a", ["a"], PAIRS_OF_WORDS),
    "one reference is long enough": ("a b", ["", "a", "b a"], set()),
    "the longest reference is too short": ("a b", ["", "a"], PAIRS_OF_WORDS),
}


@pytest.mark.parametrize(
    ("prediction", "references", "undefined"), UNDEFINED.values(), ids=UNDEFINED
)
def test_zero_division(rouge_full, prediction, references, undefined):
    options = {
        "predictions": [prediction],
        "references": [references],
        "rouge_types": FAMILIES,
        "output": "all",
    }
    for aggregated in (True, False):
        results = [
            rouge_full.compute(**options, zero_division=value, use_aggregator=aggregated)
            for value in (0.0, math.nan)
        ]
        zero, nan = (
            results
            if aggregated
            else ({key: values[0] for key, values in result.items()} for result in results)
        )
        for name, output in product(FAMILIES, OUTPUTS):
            key = f"{name}_{output}"
            assert math.isnan(nan[key]) == (name in undefined), key
            assert zero[key] == (0.0 if name in undefined else nan[key]), key
        assert (
            rouge_full.compute(**options, use_aggregator=aggregated) == results[0]
        )  # 0.0 is the default


# --- tokens ---------------------------------------------------------------------------------------


def test_tokens_are_scored_as_they_are(rouge_full):
    options = {"rouge_types": ["rouge1", "rougeL"]}
    assert rouge_full.compute(
        predictions=[["The", "cat!"]], references=[["the", "cat!"]], **options
    ) == {"rouge1": 0.5, "rougeL": 0.5}
    assert rouge_full.compute(
        predictions=[["new york", "", "你好"]], references=[["new york", "", "你好"]], **options
    ) == {"rouge1": 1.0, "rougeL": 1.0}
    result = rouge_full.compute(
        predictions=[["running"]], references=[["run"]], rouge_types=["rouge1"], use_stemmer=True
    )
    assert result == {"rouge1": 1.0}


@pytest.mark.parametrize("form", ["flat", "nested", "ragged"])
def test_tokens_and_texts_have_the_same_scores(rouge_full, form):
    rng = np.random.default_rng(16)
    predictions, references = random_corpus(rng, 60, 20, 1 if form == "flat" else 4)
    predictions = [text.lower().replace("\n", " ") for text in predictions]
    references = [[text.lower().replace("\n", " ") for text in texts] for texts in references]
    if form == "nested":
        references = [(texts * 2)[:2] for texts in references]
    tokens = [[text.split() for text in texts] for texts in references]
    if form == "flat":
        references, tokens = [texts[0] for texts in references], [texts[0] for texts in tokens]
    options = {"rouge_types": ALL_TYPES, "output": "all", "use_aggregator": False}
    expected = rouge_full.compute(
        predictions=predictions, references=references, tokenizer="whitespace", **options
    )
    assert (
        rouge_full.compute(
            predictions=[text.split() for text in predictions], references=tokens, **options
        )
        == expected
    )


def test_tokens_may_be_missing(rouge_full):
    options = {"rouge_types": ["rouge1"], "use_aggregator": False}
    assert rouge_full.compute(
        predictions=[[], ["a"], []], references=[["a"], [], []], **options
    ) == {"rouge1": [0.0, 0.0, 0.0]}
    assert rouge_full.compute(
        predictions=[[], ["a"]], references=[[[]], [[], ["a"]]], **options
    ) == {"rouge1": [0.0, 1.0]}


def test_the_tokenizer_does_not_see_tokens(rouge_full):
    def refuse(text):
        raise AssertionError(text)

    for tokenizer in ("char", refuse):
        assert rouge_full.compute(
            predictions=[["ab"]],
            references=[["ab", "b"]],
            rouge_types=["rouge1"],
            tokenizer=tokenizer,
        ) == {"rouge1": 2 / 3}


TOKENIZED = {  # tokenizer, prediction, reference, words of each and in common
    "rouge_score": ("rouge_score", "Don't stop", "don t go", 3, 3, 2),
    "default": (None, "Don't stop", "don t go", 3, 3, 2),
    "13a": ("13a", "Stop, now!", "stop here !", 4, 3, 2),
    "char": ("char", "Ab c", "bA", 3, 2, 2),
    "whitespace": ("whitespace", "Stop, now!", "now! stop", 2, 2, 1),
    "callable, no lowercasing": (str.split, "Stop now", "stop now", 2, 2, 1),
    "callable, tuples": (lambda text: tuple(text.split("-")), "a-b c", "a-c-b c", 2, 3, 2),
}


@pytest.mark.parametrize(
    ("tokenizer", "prediction", "reference", "n_prediction", "n_reference", "n_common"),
    TOKENIZED.values(),
    ids=TOKENIZED,
)
def test_tokenizers(
    rouge_full, tokenizer, prediction, reference, n_prediction, n_reference, n_common
):
    result = rouge_full.compute(
        predictions=[prediction],
        references=[reference],
        rouge_types=["rouge1"],
        output="all",
        tokenizer=tokenizer,
    )
    assert result["rouge1_precision"] == n_common / n_prediction
    assert result["rouge1_recall"] == n_common / n_reference


def test_stemming_also_with_other_tokenizers(rouge_full):
    options = {"rouge_types": ["rouge1"], "use_stemmer": True}
    for tokenizer in ("rouge_score", "13a", "whitespace", str.split):
        assert rouge_full.compute(
            predictions=["running cats"], references=["runs cat"], tokenizer=tokenizer, **options
        ) == {"rouge1": 1.0}, tokenizer


# --- long texts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n_tokens", [65, 20_000])
def test_long_texts(rouge_full, n_tokens):
    """The reference lacks every fifth word of the prediction, and all words differ, so that
    everything can be counted by hand.
    """
    kept = [i for i in range(n_tokens) if i % 5 != 4]
    prediction, reference = (" ".join(f"w{i}" for i in side) for side in (range(n_tokens), kept))
    n, m = n_tokens, len(kept)
    # Pairs at most 4 words apart in the prediction are no farther apart in the reference, which has
    # more: those whose distance there is up to 5.
    matches_s4 = sum(1 for i in kept for j in range(i + 1, min(i + 6, n)) if j % 5 != 4)
    totals_s4 = [sum(min(5, length - 1 - i) for i in range(length)) for length in (n, m)]
    n_runs, last_run = divmod(m, 4)
    expected = {  # matches, units of the prediction, of the reference, exponent of f
        "rouge1": (m, n, m, 1),
        "rouge2": (3 * n_runs + max(last_run - 1, 0), n - 1, m - 1, 1),
        "rougeL": (m, n, m, 1),
        "rougeLsum": (m, n, m, 1),
        "rougeS4": (matches_s4, *totals_s4, 1),
        "rougeSU4": (matches_s4 + m, totals_s4[0] + n, totals_s4[1] + m, 1),
        "rougeW-2": (16 * n_runs + last_run**2, n**2, m**2, 2),  # runs of four words
    }
    if n_tokens < 1000:
        expected["rougeS"] = (math.comb(m, 2), math.comb(n, 2), math.comb(m, 2), 1)
    else:
        del expected["rougeW-2"]  # every pair of words is compared
    result = rouge_full.compute(
        predictions=[prediction], references=[reference], rouge_types=list(expected), output="all"
    )
    for name, (matches, prediction_total, reference_total, exponent) in expected.items():
        precision, recall, f_measure = oracles.scores(
            matches, prediction_total, reference_total, inverse=1 / exponent
        )
        assert result[f"{name}_precision"] == pytest.approx(precision, rel=1e-12), name
        assert result[f"{name}_recall"] == pytest.approx(recall, rel=1e-12), name
        assert result[f"{name}_fmeasure"] == pytest.approx(f_measure, rel=1e-12), name


def test_a_long_text_among_short_ones(rouge_full):
    rng = np.random.default_rng(17)
    long = [" ".join(rng.choice([f"w{i}" for i in range(50)], 3000)) for _ in range(2)]
    options = {"rouge_types": [*DEFAULT_TYPES, "rougeSU"], "output": "all", "use_aggregator": False}
    together = rouge_full.compute(
        predictions=["w1 w2", long[0], ""], references=["w2 w1", long[1], "w3"], **options
    )
    alone = [
        rouge_full.compute(predictions=[p], references=[r], **options)
        for p, r in (("w1 w2", "w2 w1"), long, ("", "w3"))
    ]
    assert together == {key: [result[key][0] for result in alone] for key in together}


@pytest.mark.parametrize("summary_lcs", ["union", "best"])
@pytest.mark.parametrize("choice", ["best", "average", "pooled", "jackknife"])
def test_types_together_equal_each_type_alone(rouge_full, choice, summary_lcs):
    """In any order; precision of rougeLsum with "best" has matches of its own."""
    predictions, references = random_corpus(np.random.default_rng(19), 40, 12, 3)
    options = {
        "predictions": [text.replace("b", "b\n") for text in predictions],
        "references": [[text.replace("c", "c\n") for text in texts] for texts in references],
        "use_aggregator": False,
        "multi_reference": choice,
        "summary_lcs": summary_lcs,
        "output": "all",
    }
    alone = {}
    for name in ALL_TYPES:
        alone |= rouge_full.compute(**options, rouge_types=[name])
    for types in (ALL_TYPES, ALL_TYPES[::-1]):
        assert rouge_full.compute(**options, rouge_types=types) == alone


# --- the choice by a beta of 0 --------------------------------------------------------------------


@pytest.mark.parametrize(("beta", "output"), [(0, 0), (0.0, 0), (1e-200, 0), (math.inf, 1)])
def test_beta_0_is_precision_and_chooses_as_precision_does(rouge_full, beta, output):
    """p r / r is not p in every bit, and might choose another reference: the first one with the
    highest precision (or recall) it is, and F is that number itself.
    """
    predictions, references = random_corpus(np.random.default_rng(21), 150, 20, max_references=5)
    options = {"rouge_types": ALL_TYPES, "output": "all", "use_aggregator": False}
    result = rouge_full.compute(
        predictions=predictions, references=references, beta=beta, **options
    )
    n_of_item = [len(texts) for texts in references]
    pairs = rouge_full.compute(
        predictions=[p for p, n in zip(predictions, n_of_item, strict=True) for _ in range(n)],
        references=[text for texts in references for text in texts],
        **options,
    )
    ends = np.cumsum(n_of_item)
    for name in ALL_TYPES:
        columns = [pairs[f"{name}_{part}"] for part in OUTPUTS]
        chosen = [
            max(range(end - n, end), key=columns[output].__getitem__)  # the first of the highest
            for end, n in zip(ends.tolist(), n_of_item, strict=True)
        ]
        for part in (0, 1):
            assert result[f"{name}_{OUTPUTS[part]}"] == [columns[part][k] for k in chosen], name
        assert result[f"{name}_fmeasure"] == result[f"{name}_{OUTPUTS[output]}"]
