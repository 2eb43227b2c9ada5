"""`output` of bleu_full: all, the scores only, or each part under a separate key."""

import json
import math

import pytest

from rouge_bleu import bleu

# The longest texts have 6 tokens. BLEU of the corpus is 0 without smoothing.
CORPUS = (
    ["the cat sat on a rug", "hello there general kenobi", "", "a dog"],
    [
        ["the cat lay on the mat", "a cat sat on the rug"],
        ["hello there general kenobi"],
        ["nothing"],
        ["no dog at all"],
    ],
)
OPTIONS = [
    *({}, {"max_order": 1}, {"weights": {"bleu1": [1], "bleu4": [1, 1, 1, 1], "pairs": [0, 1]}}),
    {"weights": {"mine": [1, 1]}},
    {"max_order": 9},  # more than there are tokens
    {"smoothing": "chen-cherry-7"},  # it looks ahead
    *({"smooth": True}, {"reference_length": "average"}, {"zero_division": math.nan}),
    {"preset": "sacrebleu", "smoothing": "chen-cherry-5", "weights": {"2": [1, 1], "3": [1] * 3}},
    {"preset": "nltk", "smoothing": "chen-cherry-5"},
]


def flat_of(result):
    """Return what "flat" must give for the result of "all" for a corpus."""
    flat = {}
    for name, value in result.items():
        if isinstance(value, list):
            flat |= {f"{name[:-1]}_{order}": part for order, part in enumerate(value, start=1)}
        else:
            flat[name] = value
    return flat


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_outputs_of_a_corpus(options):
    """Loggers can take the two that are not "all": numbers under strings, and JSON can hold them."""
    result = bleu(*CORPUS, **options)
    assert repr(bleu(*CORPUS, **options, output="all")) == repr(result)
    weights = options.get("weights", {"bleu": None})
    scores = bleu(*CORPUS, **options, output="score")
    assert list(scores.items()) == [(name, result[name]) for name in weights]
    flat = bleu(*CORPUS, **options, output="flat")
    assert list(flat.items()) == list(flat_of(result).items())
    assert {type(value) for value in flat.values()} <= {float, int}
    assert json.loads(json.dumps(flat)) == flat


@pytest.mark.parametrize("output", ["score", "flat"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_sentences_have_the_same_keys(options, output):
    """Each value is a list with one number for each item, that of the item alone."""
    columns = bleu(*CORPUS, **options, output=output, use_aggregator=False)
    whole = bleu(*CORPUS, **options, output="all", use_aggregator=False)
    assert list(columns) == list(bleu(*CORPUS, **options, output=output))
    for item in range(len(CORPUS[0])):
        flat = flat_of({name: values[item] for name, values in whole.items()})
        expected = {name: flat[name] for name in columns}
        assert repr({name: values[item] for name, values in columns.items()}) == repr(expected)


def test_names_that_are_like_keys():
    weights = {"precision_": [1], "precision_1a": [1], "my_precision_1": [1], "counts_1": [1]}
    assert {*weights} < {*bleu(*CORPUS, weights=weights, output="flat")}
