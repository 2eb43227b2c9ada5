"""What holds for explanations of each convention of counting: one table.

Which words are shown: test_explained_words.py, rouge155/ and other_packages/.
"""

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from helpers.explanations import Formula, assert_scores_follow, explained, item_scores
from helpers.measures import (
    ROUGE_TYPES,
    item,
    item_with_stops,
    item_with_tokens,
    rouge_options,
    tokenizer,
)
from helpers.rouge.expected import CHOICES, best_by_recall

EPSILON = 1e-8  # rouge 1.0.1 and rouge-chinese 1.0.3, rouge_score.py: below the line in F


MANY_OPTIONS = st.one_of(
    rouge_options,
    st.sampled_from(
        [
            {"max_words": 5, "stopwords": ["a"]},
            {"max_bytes": 9, "zero_division": math.nan},
            {"sentence_splitter": "sentences", "cross_sentences": False},
            {"sentence_splitter": lambda text: text.split("b"), "summary_lcs": "best"},
            {"stemmer": lambda token: token[:1], "beta": 0},
            {"beta": math.inf, "multi_reference": "jackknife"},
        ]
    ),
)
WITH_TOKENIZER = st.builds(
    lambda options, name: {"tokenizer": name, **options}, MANY_OPTIONS, tokenizer
)
OPTIONS_OF_DISTINCT = st.sampled_from(
    [
        *({"multi_reference": choice} for choice in CHOICES),
        {"beta": 2.5},
        {"lowercase": True, "stopwords": ["a", ""]},
        {"stemmer": lambda token: token[:1]},
        {"max_words": 5, "zero_division": math.nan},
        {"max_bytes": 9},
    ]
)
OPTIONS_OF_PYROUGE = st.sampled_from(
    [
        {},
        {"multi_reference": "best"},
        {"multi_reference": "best", "beta": 2},
        {"max_words": 4},
        {"max_bytes": 7, "zero_division": math.nan},
        {"sentence_splitter": "sentences", "tokenizer": "13a"},
        {"sentence_splitter": lambda text: text.split("b"), "multi_reference": "best"},
        {"stopwords": ["b"], "stemmer": lambda token: token[:1]},
        {"tokenizer": str.split, "lowercase": True},
    ]
)
PERL_BEST = {"multi_reference": "best", "rouge_types": ["rouge1", "rougeL", "rougeS1"]}
OPTIONS_OF_PERL = st.sampled_from(
    [
        {},
        PERL_BEST,  # of rougeW it goes by other numbers than it prints
        {**PERL_BEST, "beta": 2, "max_bytes": 20},
        {"max_words": 4},
        {"max_bytes": 7},
        {"sentence_splitter": "sentences", "tokenizer": "13a"},
        {"sentence_splitter": lambda text: text.split("b"), "max_bytes": 9},
        {"stopwords": ["b"], "stemmer": lambda token: token[:1]},
        {"tokenizer": str.split, "max_words": 9},
    ]
)
TYPES_OF_DISTINCT = ["rouge1", "rouge2", "rouge4", "rougeL"]
TYPES_OF_PYROUGE = ["rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW-1.5"]
TYPES_OF_PYROUGE += ["rougeS", "rougeS1", "rougeSU2"]
TYPES_OF_PERL = ["rouge1", "rouge3", "rougeL", "rougeLsum", "rougeW-1.2", "rougeS1", "rougeSU2"]


@dataclass(frozen=True)
class Convention:
    """A preset, its types, the corpora drawn for it, and the difference of its formula."""

    preset: str | None
    types: list[str]
    items: Any
    options: Any
    formula: dict[str, Any]


CONVENTIONS = {
    "paper": Convention(None, ROUGE_TYPES, item, WITH_TOKENIZER, {}),
    # Scores of 32 bits; they decide which reference is chosen.
    "torchmetrics": Convention(
        "torchmetrics",
        ["rouge1", "rouge2", "rougeL", "rougeLsum"],
        item,
        MANY_OPTIONS,
        {"number": np.float32},
    ),
    **{
        preset: Convention(
            preset, TYPES_OF_DISTINCT, item_with_stops, OPTIONS_OF_DISTINCT, {"epsilon": EPSILON}
        )
        for preset in ("pltrdy", "rouge-chinese")
    },
    "pyrouge-metric": Convention(
        "pyrouge-metric",
        TYPES_OF_PYROUGE,
        item,
        OPTIONS_OF_PYROUGE,
        {"choice": "pooled", "best": best_by_recall},  # its multi_ref_mode="best",
    ),
    # It rounds to five decimals, and computes F from rounded values.
    "rouge-1.5.5": Convention(
        "rouge-1.5.5",
        TYPES_OF_PERL,
        item_with_tokens,
        OPTIONS_OF_PERL,
        {"choice": "pooled", "best": best_by_recall, "tolerance": 2e-5},
    ),
}
of_each = pytest.mark.parametrize("convention", CONVENTIONS.values(), ids=CONVENTIONS)


@of_each
@given(data=st.data())
def test_scores_from_the_explanation_alone(convention, data):
    prediction, references = data.draw(convention.items)
    options = data.draw(convention.options)
    given_options = {"preset": convention.preset, "rouge_types": convention.types, **options}
    try:
        expected = item_scores(prediction, references, **given_options)
    except ValueError:  # ROUGE-1.5.5 divides by zero if a limit left nothing
        reject()
    explanation = explained(prediction, references, **given_options)
    assert repr(json.loads(json.dumps(explanation))) == repr(explanation)
    assert_scores_follow(explanation, expected, Formula.of_options(options, **convention.formula))


@of_each
def test_counts_are_integers_but_for_runs(convention):
    pair = {"preset": convention.preset, "rouge_types": convention.types}
    for name, of_type in explained("a b", "a b", **pair).items():
        (entry,) = of_type["references"]
        kind = float if name.startswith("rougeW") else int
        for key in ("matches", "prediction_total", "reference_total"):
            assert type(entry[key]) is kind


@of_each
def test_given_tokens_are_shown_by_their_index(convention):
    options = {"preset": convention.preset, "rouge_types": ["rouge1"]}
    explanation = explained(["New York", "is", "big"], [["big", "New York"]], **options)
    (entry,) = explanation["rouge1"]["references"]
    assert entry["prediction_spans"] == [[0, 1], [2, 3]]
    assert entry["reference_spans"] == [[0, 1], [1, 2]]


@of_each
def test_a_warning_where_no_text_has_tokens(convention):
    with pytest.warns(UserWarning, match="No text has a token"):
        explained("a", "a", preset=convention.preset, rouge_types=["rouge1"], stopwords=["a"])


def test_the_reference_that_counts_is_that_of_the_recall(rouge_full):
    """By hand: recalls of 4/8 and 1/1, F of 2/3 and 2/5."""
    texts = {"prediction": "a b c d", "reference": ["a b c d e f g h", "a"]}
    for choice, chosen in (("recall", 1), ("best", 0)):
        explained = rouge_full.explain(**texts, rouge_types=["rouge1"], multi_reference=choice)
        assert explained["rouge1"]["chosen"] == chosen
