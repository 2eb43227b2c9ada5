"""Scores of items: beta, references, nothing to match, tokens, long texts."""

import math
from itertools import product

import numpy as np
import pytest

from helpers.rouge.corpora import ALL_TYPES, OUTPUTS, random_corpus
from helpers.rouge.expected import items_of
from rouge_bleu import plain


def test_forms_of_one_reference(rouge_full):
    predictions, references = random_corpus(15, 20, 12)
    scores = [
        rouge_full.compute(predictions=predictions, references=references, **options)
        for references, options in (
            ([texts[0] for texts in references], {}),
            (references, {}),
            ([texts * 3 for texts in references], {}),
            (references, {"multi_reference": "best"}),
        )
    ]
    assert scores.count(scores[0]) == len(scores)


# --- nothing to match -----------------------------------------------------------------------------

PAIRS_OF_WORDS = {"rouge2", "rougeS", "rougeS4"}  # a text of one word has no unit of these
FAMILIES = [*sorted(PAIRS_OF_WORDS), "rouge1", "rougeL", "rougeLsum", "rougeW", "rougeSU4"]

# prediction, references, and which types are undefined: those of which no reference has a unit
UNDEFINED = {
    "both empty": ("", [""], set(FAMILIES)),
    "no word on either side": ("...", ["?!", "\n"], set(FAMILIES)),
    "empty reference": ("a b c", [""], set(FAMILIES)),
    "empty prediction": ("", ["a b c"], set()),
    "reference of one word": ("a b c", ["a"], PAIRS_OF_WORDS),
    "one reference is long enough": ("a b", ["", "a", "b a"], set()),
    "the longest reference is too short": ("a b", ["", "a"], PAIRS_OF_WORDS),
}


@pytest.mark.parametrize(
    ("prediction", "references", "undefined"), UNDEFINED.values(), ids=UNDEFINED
)
def test_zero_division(rouge_full, prediction, references, undefined):
    options = {"predictions": [prediction], "references": [references], "rouge_types": FAMILIES}
    zero, nan, default = (
        rouge_full.compute(**options, **given, output="all")
        for given in ({"zero_division": 0.0}, {"zero_division": math.nan}, {})
    )
    assert zero == default
    for name, output in product(FAMILIES, OUTPUTS):
        key = f"{name}_{output}"
        assert math.isnan(nan[key]) == (name in undefined), key
        assert zero[key] == (0.0 if name in undefined else nan[key]), key


# --- tokens ---------------------------------------------------------------------------------------


def refuse(text):
    raise AssertionError(text)


# prediction, references, options, ROUGE-1
TOKENS = [
    (["The", "cat!"], [["the", "cat!"]], {}, 0.5),
    (["new york", "", "你好"], [["new york", "", "你好"]], {}, 1.0),
    (["running"], [["run"]], {"use_stemmer": True}, 1.0),
    (["ab"], [["ab", "b"]], {"tokenizer": "char"}, 2 / 3),
    (["ab"], [["ab", "b"]], {"tokenizer": refuse}, 2 / 3),
    ([], [["a"]], {}, 0.0),
    (["a"], [[]], {}, 0.0),
    ([], [[]], {}, 0.0),
    (["a"], [[], ["a"]], {}, 1.0),
]


@pytest.mark.parametrize(("prediction", "references", "options", "score"), TOKENS)
def test_tokens_are_scored_as_they_are(rouge_full, prediction, references, options, score):
    data = {"predictions": [prediction], "references": [references], "rouge_types": ["rouge1"]}
    assert rouge_full.compute(**data, **options) == {"rouge1": score}


@pytest.mark.parametrize("max_references", [1, 4])
def test_tokens_and_texts_have_the_same_scores(rouge_full, max_references):
    predictions, references = random_corpus(16, 60, 20, max_references)
    predictions = [text.lower().replace("\n", " ") for text in predictions]
    references = [[text.lower().replace("\n", " ") for text in texts] for texts in references]
    tokens = (
        [text.split() for text in predictions],
        [[text.split() for text in texts] for texts in references],
    )
    expected = items_of(rouge_full, (predictions, references), tokenizer="whitespace")
    assert items_of(rouge_full, tokens) == expected


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
    for name, (*counts, exponent) in expected.items():
        found = [result[f"{name}_{output}"] for output in OUTPUTS]
        matches, *totals = counts
        scores = [(matches / total) ** (1 / exponent) for total in totals]
        by_hand = (*scores, plain.f_measure(*scores))
        assert found == pytest.approx(by_hand, rel=1e-12), name


@pytest.mark.parametrize(
    ("choice", "summary_lcs"), [("best", "union"), ("jackknife", "best"), ("pooled", "best")]
)
def test_types_together_equal_each_type_alone(rouge_full, choice, summary_lcs):
    """In any order; precision of rougeLsum with "best" has matches of its own."""
    predictions, references = random_corpus(19, 40, 12, 3)
    corpus = (
        [text.replace("b", "b\n") for text in predictions],
        [[text.replace("c", "c\n") for text in texts] for texts in references],
    )
    options = {"multi_reference": choice, "summary_lcs": summary_lcs}
    alone = {}
    for name in ALL_TYPES:
        alone |= items_of(rouge_full, corpus, [name], **options)
    for types in (ALL_TYPES, ALL_TYPES[::-1]):
        assert items_of(rouge_full, corpus, types, **options) == alone


# --- the choice by a beta of 0 --------------------------------------------------------------------


@pytest.mark.parametrize(("beta", "output"), [(0, 0), (1e-200, 0), (math.inf, 1)])
def test_beta_0_is_precision_and_chooses_as_precision_does(rouge_full, beta, output):
    """p r / r is not p in every bit, and might choose another reference: the first one with the
    highest precision (or recall) it is, and F is that number itself.
    """
    predictions, references = random_corpus(21, 150, 20, max_references=5)
    names = ["rouge1", "rougeLsum", "rougeW", "rougeS4"]
    result = items_of(rouge_full, (predictions, references), names, beta=beta)
    n_of_item = [len(texts) for texts in references]
    pairs = items_of(
        rouge_full,
        (
            [p for p, n in zip(predictions, n_of_item, strict=True) for _ in range(n)],
            [[text] for texts in references for text in texts],
        ),
        names,
    )
    ends = np.cumsum(n_of_item)
    for name in names:
        columns = [pairs[f"{name}_{part}"] for part in OUTPUTS]
        chosen = [
            max(range(end - n, end), key=columns[output].__getitem__)  # the first of the highest
            for end, n in zip(ends.tolist(), n_of_item, strict=True)
        ]
        for part in (0, 1):
            assert result[f"{name}_{OUTPUTS[part]}"] == [columns[part][k] for k in chosen], name
        assert result[f"{name}_fmeasure"] == result[f"{name}_{OUTPUTS[output]}"]
