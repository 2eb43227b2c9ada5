"""Presets of rouge_full: their types, options beside them, and examples that MATLAB prints.

The average of evaluate has pairs/test_averages.py for itself, "rouge-1.5.5" perl/test_script.py.
"""

import math

import pytest

from helpers.rouge.corpora import random_corpus
from helpers.rouge.peers import FOUR_TYPES, OUTPUTS
from rouge_bleu import rouge
from rouge_bleu._rouge.measures.scores import MULTI_REFERENCES
from rouge_bleu._rouge.options import RougeOptions
from rouge_bleu._rouge.presets import ROUGE_PRESETS

# --- preset="matlab" ------------------------------------------------------------------------------

FOX = "the fast brown fox jumped over the lazy dog"
FOX_REFERENCES = [
    "the quick brown animal jumped over the lazy dog",
    "the quick brown fox jumped over the lazy dog",
]
SUMMARY = "a simple summary document containing some words"
SUMMARY_REFERENCES = ["a simple document", "another document with some words"]
# What https://www.mathworks.com/help/textanalytics/ref/rougeevaluationscore.html prints, in its
# format with four decimals.
MATLAB_EXAMPLES = [
    # "Evaluate Similarity": n-grams of length 1 are the default of the function
    (FOX, FOX_REFERENCES, {}, {"rouge1": "0.8889"}),
    # "Specify N-Gram Lengths"
    (SUMMARY, SUMMARY_REFERENCES, {}, {"rouge1": "1"}),
    (SUMMARY, SUMMARY_REFERENCES, {"rouge_types": ["rouge1"]}, {"rouge1": "1"}),
    (SUMMARY, SUMMARY_REFERENCES, {"rouge_types": ["rouge2"]}, {"rouge2": "0.5000"}),
]


@pytest.mark.parametrize("is_tokenized", [False, True])
@pytest.mark.parametrize(("prediction", "references", "options", "expected"), MATLAB_EXAMPLES)
def test_printed_examples_of_matlab(
    rouge_full, prediction, references, options, expected, is_tokenized
):
    """The function takes a tokenizedDocument, so tokens are its own form of input."""
    if is_tokenized:
        prediction, references = prediction.split(), [text.split() for text in references]
    result = rouge_full.compute(
        predictions=[prediction], references=[references], preset="matlab", **options
    )
    assert {
        name: f"{value:.{len(expected[name].partition('.')[2])}f}" for name, value in result.items()
    } == expected


def test_matlab_keeps_case_and_punctuation(rouge_full):
    options = {"preset": "matlab", "output": "precision"}
    assert rouge_full.compute(
        predictions=["The cat , ."], references=["the cat , ."], **options
    ) == {"rouge1": 0.75}


# --- presets and options --------------------------------------------------------------------------


# Those two have no rules of their own: the same options without the preset give the same, and what
# is given beside the preset wins.
PRESETS = [
    ("rouge_score", {}),
    ("rouge_score", {"rouge_types": ["rougeS4"], "output": "recall", "tokenizer": "char"}),
    ("rouge_score", {"multi_reference": "average"}),
    ("matlab", {}),
    ("matlab", {"use_aggregator": False}),
    ("matlab", {"output": "all", "beta": 1.0}),
    ("matlab", {"zero_division": 0.0, "rouge_types": ["rougeSU"]}),
    ("matlab", {"tokenizer": "whitespace", "lowercase": True}),
]


@pytest.mark.parametrize(("preset", "options"), PRESETS)
def test_a_preset_is_its_options(rouge_full, preset, options):
    predictions, references = random_corpus(12, 40, max_references=3)
    corpus = {"predictions": predictions, "references": references}
    by_name = rouge_full.compute(**corpus, preset=preset, **options)
    of_preset = RougeOptions.presets[preset].options
    by_hand = rouge_full.compute(**corpus, **{**of_preset, **options})
    assert repr(by_name) == repr(by_hand)  # NaN is NaN there
    if options:
        assert repr(by_name) != repr(rouge_full.compute(**corpus, preset=preset))


def test_options_beside_the_perl_script_win(rouge_full):
    pair = {"predictions": ["A b a b"], "references": [["a b", "a B c c"]]}
    options = {"preset": "rouge-1.5.5", "rouge_types": ["rouge1"]}
    # The prediction has 8 words for both references together, of which 2 + 2 match, of 2 + 4.
    pooled = {"rouge1_precision": 0.5, "rouge1_recall": 0.66667, "rouge1_fmeasure": 0.57143}
    best = {"rouge1_precision": 0.5, "rouge1_recall": 1.0, "rouge1_fmeasure": 0.66667}  # -f B
    for given, expected in (
        ({}, pooled),
        ({"multi_reference": "best"}, best),
        # "B" of the second reference is not "b".
        ({"lowercase": False, "output": "recall"}, {"rouge1": 0.5}),
        ({"beta": math.inf, "output": "fmeasure"}, {"rouge1": 0.66667}),
    ):
        assert rouge_full.compute(**pair, **options, **given) == expected


THREE = ["rouge1", "rouge2", "rougeL"]
PERL = ["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeW-1.2", "rougeS4", "rougeSU4"]


@pytest.mark.parametrize(
    ("preset", "types", "has_all"),
    [
        ("rouge_score", FOUR_TYPES, False),
        ("evaluate", FOUR_TYPES, False),
        ("matlab", ["rouge1"], False),
        ("torchmetrics", FOUR_TYPES, True),
        ("pltrdy", THREE, True),
        ("rouge-chinese", THREE, True),
        ("pyrouge-metric", THREE, True),
        ("rouge-1.5.5", PERL, True),
    ],
)
def test_types_of_the_presets(rouge_full, preset, types, has_all):
    keys = list(rouge_full.compute(predictions=["a b"], references=["a b"], preset=preset))
    assert keys == (
        [f"{name}_{output}" for name in types for output in OUTPUTS] if has_all else list(types)
    )


@pytest.mark.parametrize("multi_reference", MULTI_REFERENCES)
@pytest.mark.parametrize("preset", ROUGE_PRESETS)
def test_an_item_scores_what_it_scores_alone(preset, multi_reference):
    """One of a single reference, also beside one that has two."""
    options = {"preset": preset, "multi_reference": multi_reference}
    options |= {"rouge_types": ["rouge1", "rougeL"], "use_aggregator": False}
    try:
        alone = rouge(["a b c d"], [["a b"]], **options)
    except ValueError:  # the preset does not take the choice, or these types
        return
    beside = rouge(["a b c d", "x"], [["a b"], ["x", "y"]], **options)
    assert {name: values[0] for name, values in beside.items()} == {
        name: value for name, (value,) in alone.items()
    }
