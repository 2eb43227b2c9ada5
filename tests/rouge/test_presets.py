"""Presets of rouge_full against the programs whose numbers they give: rouge_score item by item,
MATLAB's rules. evaluate's average has `test_resampling.py` for itself, "rouge-1.5.5" has
`test_rouge155.py`.
"""

import math
from itertools import product

import pytest

from helpers.rouge.corpora import random_corpus
from helpers.rouge.peers import FOUR_TYPES, OUTPUTS, rouge_score_items, vowels_and_words, with_names
from rouge_bleu.rouge.options.checked import RougeOptions

# --- preset="rouge_score" -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"use_stemmer": True},
        {"tokenizer": vowels_and_words},
        {"tokenizer": vowels_and_words, "use_stemmer": True},
    ],
)
def test_rouge_score_with_stemmer_and_tokenizer(rouge_full, options):
    predictions, references = random_corpus(9, 400, max_references=3)
    expected = with_names(rouge_score_items(predictions, references, **options))
    assert rouge_full.compute(
        predictions=predictions,
        references=references,
        preset="rouge_score",
        output="all",
        use_aggregator=False,
        **options,
    ) == (expected)


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


# Its methods: n-grams, longest common subsequences, weighted subsequences, skip-bigrams,
# skip-bigrams and unigrams.
MATLAB_METHODS = {
    "rouge1": 1,
    "rouge2": 2,
    "rougeL": 1,
    "rougeW": 1,
    "rougeS4": 2,
    "rougeSU4": 1,
}  # words that a text needs to have a unit


@pytest.mark.parametrize("name", MATLAB_METHODS)
def test_matlab_takes_the_highest_recall(rouge_full, name):
    predictions, references = random_corpus(10, 60, max_references=4)
    options = {"preset": "matlab", "rouge_types": [name], "use_aggregator": False}
    result = rouge_full.compute(predictions=predictions, references=references, **options)[name]
    for prediction, texts, highest in zip(predictions, references, result, strict=True):
        each = rouge_full.compute(
            predictions=[prediction] * len(texts), references=texts, **options
        )[name]
        numbers = [score for score in each if not math.isnan(score)]
        assert highest == max(numbers) if numbers else math.isnan(highest)


def test_matlab_keeps_case_and_punctuation(rouge_full):
    options = {"preset": "matlab", "output": "precision"}
    assert rouge_full.compute(
        predictions=["The cat , ."], references=["the cat , ."], **options
    ) == {"rouge1": 0.75}


# --- presets and options --------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["rouge_score", "matlab"])
def test_a_preset_is_its_options(rouge_full, preset):
    """Those two have no rules of their own: the same options without the preset give the same."""
    predictions, references = random_corpus(11, 40, max_references=3)
    options = dict(RougeOptions.presets[preset].options)
    for use_aggregator in (True, False):
        by_name = rouge_full.compute(
            predictions=predictions,
            references=references,
            preset=preset,
            use_aggregator=use_aggregator,
        )
        by_hand = rouge_full.compute(
            predictions=predictions, references=references, use_aggregator=use_aggregator, **options
        )
        assert repr(by_name) == repr(by_hand)  # NaN is NaN there


OPTIONS_BESIDE = [
    (
        "rouge_score",
        {
            "rouge_types": ["rougeS4"],
            "output": "recall",
            "tokenizer": "char",
            "multi_reference": "average",
        },
    ),
    ("matlab", {"output": "all", "beta": 1.0}),
    ("matlab", {"zero_division": 0.0, "rouge_types": ["rougeSU"]}),
    ("matlab", {"tokenizer": "whitespace", "lowercase": True}),
]


@pytest.mark.parametrize(("preset", "options"), OPTIONS_BESIDE)
def test_options_beside_a_preset_win(rouge_full, preset, options):
    predictions, references = random_corpus(12, 40, max_references=3)
    beside = rouge_full.compute(
        predictions=predictions, references=references, preset=preset, **options
    )
    by_hand = rouge_full.compute(
        predictions=predictions,
        references=references,
        **{**RougeOptions.presets[preset].options, **options},
    )
    assert repr(beside) == repr(by_hand)
    assert repr(beside) != repr(
        rouge_full.compute(predictions=predictions, references=references, preset=preset)
    )


def test_options_beside_the_perl_script_win(rouge_full):
    options = {
        "predictions": ["A b a b"],
        "references": [["a b", "a B c c"]],
        "preset": "rouge-1.5.5",
    }
    assert list(rouge_full.compute(**options, rouge_types=["rouge1"], output="recall")) == [
        "rouge1"
    ]
    # The prediction has 8 words for both references together, of which 2 + 2 match, of 2 + 4.
    pooled = {"rouge1_precision": 0.5, "rouge1_recall": 0.66667, "rouge1_fmeasure": 0.57143}
    assert rouge_full.compute(**options, rouge_types=["rouge1"]) == pooled
    best = {"rouge1_precision": 0.5, "rouge1_recall": 1.0, "rouge1_fmeasure": 0.66667}  # -f B
    assert rouge_full.compute(**options, rouge_types=["rouge1"], multi_reference="best") == best
    kept = rouge_full.compute(**options, rouge_types=["rouge1"], lowercase=False, output="recall")
    assert kept == {"rouge1": 0.5}  # "B" of the second reference is not "b"
    assert rouge_full.compute(
        **options, rouge_types=["rouge1"], beta=math.inf, output="fmeasure"
    ) == {"rouge1": 0.66667}


def test_types_of_the_presets(rouge_full):
    examples = {"predictions": ["a b"], "references": ["a b"]}
    assert list(rouge_full.compute(**examples, preset="rouge_score")) == list(FOUR_TYPES)
    assert list(rouge_full.compute(**examples, preset="evaluate")) == list(FOUR_TYPES)
    assert list(rouge_full.compute(**examples, preset="matlab")) == ["rouge1"]
    assert list(rouge_full.compute(**examples, preset="torchmetrics")) == [
        f"{name}_{output}" for name, output in product(FOUR_TYPES, OUTPUTS)
    ]
    for preset in ("pltrdy", "rouge-chinese", "pyrouge-metric"):
        assert list(rouge_full.compute(**examples, preset=preset)) == [
            f"{name}_{output}" for name, output in product(["rouge1", "rouge2", "rougeL"], OUTPUTS)
        ]
    names = ["rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeW-1.2", "rougeS4", "rougeSU4"]
    assert list(rouge_full.compute(**examples, preset="rouge-1.5.5")) == [
        f"{name}_{output}" for name, output in product(names, OUTPUTS)
    ]


@pytest.mark.parametrize("seed", [2**32, 10**30])
def test_a_seed_too_large_for_the_generator(rouge_full, seed):
    with pytest.raises(ValueError, match=r"^seed must be "):
        rouge_full.compute(predictions=["a b"], references=["a b"], preset="evaluate", seed=seed)


def test_bytes_of_tokens_are_refused_by_the_perl_script_too(rouge_full):
    with pytest.raises(ValueError, match=r"^max_bytes needs texts, got lists of tokens$"):
        rouge_full.compute(
            predictions=[["a"]],
            references=[["a"]],
            rouge_types=["rouge1"],
            max_bytes=3,
            preset="rouge-1.5.5",
        )


def test_a_corpus_without_tokens_warns_with_the_perl_script_too(rouge_full):
    with pytest.warns(UserWarning, match="^No text holds a single token"):
        rouge_full.compute(
            predictions=["你好"], references=["你好"], rouge_types=["rouge1"], preset="rouge-1.5.5"
        )
