"""Explanations of BLEU: the numbers of `compute`, counts by the oracle, and the words that match."""

import json
import math

import pytest
from hypothesis import given

from helpers.bleu.peers import FOX, FOX_REFERENCES
from helpers.measures import item
from rouge_bleu import bleu, explain_bleu
from rouge_bleu._bleu.smoothing import SMOOTHINGS
from rouge_bleu.plain import bleu_matches

OPTIONS = [
    {"weights": {"first": [1, 0, 3], "second": [1]}},
    {"weights": [0.2, 0.8], "smoothing": "add-k", "smoothing_value": 3},
    {"max_order": 7, "effective_order": True},
    {"reference_length": "shortest", "lowercase": True},
    {"reference_length": "average", "zero_division": math.nan},
    *({"smooth": True, "tokenizer": "unicode"}, {"preset": "sacrebleu"}),
    *({"preset": "nltk", "smoothing": "chen-cherry-7"}, {"preset": "evaluate"}),
    *({"smoothing": smoothing} for smoothing in SMOOTHINGS),
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(item)
def test_the_result_is_that_of_compute(options, item):
    prediction, references = item
    explanation = explain_bleu(prediction, references, **options)
    result = bleu([prediction], [references], **options, use_aggregator=False)
    for key, (value,) in result.items():
        assert repr(explanation[key]) == repr(value)
    assert set(explanation) - set(result) <= {"chosen", "orders", "next_order"}
    looks_ahead = SMOOTHINGS[options.get("smoothing", "none")].looks_ahead
    assert ("next_order" in explanation) == looks_ahead
    assert repr(json.loads(json.dumps(explanation))) == repr(explanation)
    precisions = [entry["precision"] for entry in explanation["orders"]]
    assert precisions == result["precisions"][0]
    if explanation["chosen"] is None:
        assert options["reference_length"] == "average"
        assert len(references) > 1
    else:
        of_references = bleu(references, references, **options, use_aggregator=False)
        lengths = of_references["translation_length"]
        assert explanation["chosen"] == lengths.index(explanation["reference_length"])


@given(item)
def test_what_is_marked_is_in_the_other_texts(item):
    """Counts by the oracle, and each order's words on both sides."""
    prediction, references = item
    explanation = explain_bleu(prediction, references, tokenizer="whitespace", max_order=3)
    for entry in explanation["orders"]:
        order = entry["order"]
        spans_of_texts = [entry["prediction_spans"], *entry["reference_spans"]]
        marked = [
            [written[slice(*span)] for span in spans]
            for written, spans in zip([prediction, *references], spans_of_texts, strict=True)
        ]
        texts = [written.split() for written in (prediction, *references)]
        assert entry["matches"] == bleu_matches(texts[0], texts[1:], order)[0]
        assert entry["total"] == max(len(texts[0]) - order + 1, 0)
        assert all(set(words) <= set(text) for words, text in zip(marked, texts, strict=True))
        assert set(marked[0]) == set().union(*marked[1:])
        if order == 1:
            assert len(marked[0]) == entry["matches"]


# --- examples -------------------------------------------------------------------------------------


def test_the_fox_of_matlab():
    """bleuEvaluationScore, https://mathworks.com/help/textanalytics/ref/bleuevaluationscore.html:
    0.7825 as printed there; places by hand.
    """
    explanation = explain_bleu(FOX, FOX_REFERENCES)
    assert round(explanation["bleu"], 4) == 0.7825
    assert explanation["chosen"] == 0  # both have ten tokens
    counts = [(entry["matches"], entry["total"]) for entry in explanation["orders"]]
    assert counts == [(9, 10), (7, 9), (6, 8), (5, 7)]
    words = explanation["orders"][0]
    assert words["prediction_spans"] == [
        *([0, 3], [9, 14], [15, 18], [19, 25], [26, 30], [31, 34], [35, 39], [40, 43], [43, 44])
    ]
    assert words["reference_spans"] == [
        [[0, 3], [10, 15], [23, 29], [30, 34], [35, 38], [39, 43], [44, 47], [47, 48]],
        [*([0, 3], [10, 15], [16, 19], [20, 26], [27, 31], [32, 35], [36, 40], [41, 44]), [44, 45]],
    ]
    assert explanation["orders"][3]["reference_spans"][0] == [
        *([23, 29], [30, 34], [35, 38], [39, 43], [44, 47], [47, 48])
    ]


def test_entities_and_tokens():
    explanation = explain_bleu("A &amp; B", "a &amp; B", max_order=1)
    assert explanation["orders"][0]["prediction_spans"] == [[2, 7], [8, 9]]
    explanation = explain_bleu(["A", "&amp;"], ["&amp;"], max_order=1)
    assert explanation["orders"][0]["prediction_spans"] == [[1, 2]]


def test_the_order_behind_the_last_one():
    """chen-cherry-5 looks at it; NLTK takes order 5 whatever the last one is."""
    pair = "a b c d e f", "a b c d e f"
    explanation = explain_bleu(*pair, smoothing="chen-cherry-5", max_order=2)
    assert (explanation["next_order"]["order"], len(explanation["orders"])) == (3, 2)
    explanation = explain_bleu(*pair, smoothing="chen-cherry-5", max_order=2, preset="nltk")
    assert explanation["next_order"] == {
        **{"order": 5, "matches": 2, "total": 2},
        "prediction_spans": [[start, start + 1] for start in range(0, 12, 2)],
        "reference_spans": [[[start, start + 1] for start in range(0, 12, 2)]],
    }


@pytest.mark.parametrize("name", ["chosen", "orders", "next_order"])
def test_names_of_weights_that_an_explanation_has(name):
    with pytest.raises(ValueError, match=f"weights .*'{name}'"):
        explain_bleu("a", "a", weights={name: [1]})


@pytest.mark.parametrize("output", ["score", "flat"])
def test_the_output_is_all(output):
    assert explain_bleu("a b", "a", output=output) == explain_bleu("a b", "a")
