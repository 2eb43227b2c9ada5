"""Results of rouge_full: keys, references, nothing to match, tokens, a beta of 0."""

import math
from itertools import product

import numpy as np
import pytest

from helpers.rouge.corpora import ALL_TYPES, DEFAULT_TYPES, OUTPUTS, random_corpus
from helpers.rouge.expected import items_of


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
