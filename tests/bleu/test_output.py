"""`output` of bleu_full: all, the scores only, or each part under a key of its own."""

import json
import math
import numbers

import pytest

from helpers.errors import error_of

# The longest texts have 6 tokens. BLEU of the corpus is 0 without smoothing.
CORPUS = {
    "predictions": ["the cat sat on a rug", "hello there general kenobi", "", "a dog"],
    "references": [
        ["the cat lay on the mat", "a cat sat on the rug"],
        ["hello there general kenobi"],
        ["nothing"],
        ["no dog at all"],
    ],
}
PARTS = ["precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length"]
OPTIONS = {
    "defaults": {},
    "one order": {"max_order": 1},
    "one weight": {"weights": [2]},
    "several weightings": {"weights": {"bleu1": [1], "bleu4": [1, 1, 1, 1], "pairs": [0, 1]}},
    "one named": {"weights": {"mine": [1, 1]}},
    "more orders than tokens": {"max_order": 9},
    "smoothing": {"smoothing": "exp"},
    "a smoothing that looks ahead": {"smoothing": "chen-cherry-7"},
    "one added": {"smooth": True},
    "average length": {"reference_length": "average"},
    "nan": {"zero_division": math.nan},
    "sacrebleu": {"preset": "sacrebleu"},
    "sacrebleu, a smoothing that looks ahead": {
        "preset": "sacrebleu",
        "smoothing": "chen-cherry-5",
        "weights": {"two": [1, 1], "three": [1, 1, 1]},
    },
    "evaluate": {"preset": "evaluate"},
    "nltk": {"preset": "nltk", "smoothing": "chen-cherry-5"},
    "matlab": {"preset": "matlab"},
}


def names_of(options):
    weights = options.get("weights")
    return list(weights) if isinstance(weights, dict) else ["bleu"]


def flat_of(result):
    """Return what "flat" must give for the result of "all" for a corpus."""
    flat = {}
    for name, value in result.items():
        if isinstance(value, list):
            for order, part in enumerate(value, start=1):
                flat[f"{name[:-1]}_{order}"] = part
        else:
            flat[name] = value
    return flat


@pytest.fixture(params=OPTIONS.values(), ids=OPTIONS)
def options(request):
    return request.param


def test_all_is_the_default(bleu_full, options):
    assert repr(bleu_full.compute(**CORPUS, **options, output="all")) == repr(
        bleu_full.compute(**CORPUS, **options)
    )


def test_score_is_the_bleu_of_each_name(bleu_full, options):
    result = bleu_full.compute(**CORPUS, **options)
    scores = bleu_full.compute(**CORPUS, **options, output="score")
    assert list(scores) == names_of(options)
    assert scores == {name: result[name] for name in names_of(options)}
    assert {type(value) for value in scores.values()} == {float}


def test_flat_has_each_part_of_a_list_under_its_key(bleu_full, options):
    result = bleu_full.compute(**CORPUS, **options)
    flat = bleu_full.compute(**CORPUS, **options, output="flat")
    expected = flat_of(result)
    assert list(flat) == list(expected)
    assert flat == expected
    assert {type(value) for value in flat.values()} <= {float, int}


def test_sentences_have_the_same_keys(bleu_full, options):
    """Each value is a list with one number for each item, that of the item alone."""
    for output in ("score", "flat"):
        columns = bleu_full.compute(**CORPUS, **options, output=output, use_aggregator=False)
        whole = bleu_full.compute(**CORPUS, **options, output="all", use_aggregator=False)
        corpus_keys = list(bleu_full.compute(**CORPUS, **options, output=output))
        assert list(columns) == corpus_keys
        for item in range(len(CORPUS["predictions"])):
            flat = flat_of({name: values[item] for name, values in whole.items()})
            expected = {name: flat[name] for name in columns}
            assert repr({name: values[item] for name, values in columns.items()}) == repr(expected)


# The numbers are those of the metric card for "the cat sat on a rug" against "the cat lay on the
# mat": 3 of 6 words and 1 of 5 pairs match; sqrt(3/6 * 1/5) = 0.31622776601683794.
ONE = {"predictions": ["the cat sat on a rug"], "references": ["the cat lay on the mat"]}


def test_printed_results(bleu_full):
    score = math.sqrt(3 / 6 * 1 / 5)
    assert bleu_full.compute(**ONE, max_order=2, output="score") == {"bleu": pytest.approx(score)}
    parts = {
        "bleu": pytest.approx(score),
        "precision_1": 0.5,
        "precision_2": 0.2,
        "brevity_penalty": 1.0,
        "length_ratio": 1.0,
        "translation_length": 6,
        "reference_length": 6,
    }
    flat = bleu_full.compute(**ONE, max_order=2, output="flat")
    assert flat == parts
    assert list(flat) == list(parts)
    counts = {"count_1": 3, "count_2": 1, "total_1": 6, "total_2": 5}
    flat = bleu_full.compute(**ONE, max_order=2, output="flat", preset="sacrebleu")
    assert flat == parts | counts
    assert list(flat) == list(parts | counts)


def test_all_has_these_keys(bleu_full):
    assert list(bleu_full.compute(**CORPUS)) == ["bleu", *PARTS]
    assert list(bleu_full.compute(**CORPUS, preset="sacrebleu")) == [
        "bleu",
        *PARTS,
        "counts",
        "totals",
    ]


@pytest.mark.parametrize("output", ["score", "flat"])
def test_loggers_can_take_it(bleu_full, options, output):
    """Numbers only, under strings, and JSON can hold them."""
    result = bleu_full.compute(**CORPUS, **options, output=output)
    assert all(isinstance(value, numbers.Number) for value in result.values())
    assert json.loads(json.dumps(result)) == result


@pytest.mark.parametrize("output", ["score", "flat"])
def test_what_was_added(bleu_full, output):
    expected = bleu_full.compute(**CORPUS, output=output)
    bleu_full.add_batch(**CORPUS)
    assert bleu_full.compute(output=output) == expected


# --- errors ---------------------------------------------------------------------------------------

OUTPUT = "output must be 'all', 'score' or 'flat', got "


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("scores", OUTPUT + "'scores'. Did you mean 'score'?"),
        ("fmeasure", OUTPUT + "'fmeasure'"),
        (None, OUTPUT + "None"),
        (["score"], OUTPUT + "['score']"),
    ],
)
def test_other_outputs_are_refused(bleu_full, value, message):
    assert error_of(bleu_full.compute, **CORPUS, output=value) == (ValueError, message)


@pytest.mark.parametrize("name", ["precision_1", "precision_12", "count_2", "total_1"])
def test_names_that_flat_has_as_keys(bleu_full, name):
    """Such a BLEU would be written over by a part."""
    message = (
        "weights must have names other than precision_1, count_1, total_1 and the like with "
        f"output='flat', which has them as keys, got {name!r}"
    )
    weights = {"bleu": [1], name: [1, 1]}
    assert error_of(bleu_full.compute, **CORPUS, weights=weights, output="flat") == (
        ValueError,
        message,
    )
    for output in ("all", "score"):
        assert name in bleu_full.compute(**CORPUS, weights=weights, output=output)


def test_names_that_are_like_keys(bleu_full):
    weights = {"precision_": [1], "precision_1a": [1], "my_precision_1": [1], "counts_1": [1]}
    result = bleu_full.compute(**CORPUS, weights=weights, output="flat")
    assert {*weights} < {*result}
