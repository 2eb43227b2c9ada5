"""Every BLEU of an item from its explanation alone, and the words that it shows."""

import json
import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import oracles
from helpers.bleu.peers import FOX, FOX_REFERENCES
from helpers.errors import error_of
from helpers.measures import item
from rouge_bleu import bleu, explain_bleu
from rouge_bleu.bleu.smoothing import SMOOTHINGS

# --- scores from explanations ---------------------------------------------------------------------
# Chen and Cherry 2014, section 2 (https://aclanthology.org/W14-3346), as NLTK and sacreBLEU compute
# it where an order has no n-grams.


def smoothed(matches, totals, n_tokens, smoothing, value):
    """The precisions of all orders that the explanation has; of 5 and 7 all but the last."""
    plain = [m / t if t else 0.0 for m, t in zip(matches, totals, strict=True)]
    if smoothing == "none":
        return plain
    if smoothing == "floor":
        return [
            p if m else (value / t if t else 0.0)
            for p, m, t in zip(plain, matches, totals, strict=True)
        ]
    if smoothing == "add-k":
        later = zip(matches[1:], totals[1:], strict=True)
        return plain[:1] + [(m + value) / (t + value) if t + value else 0.0 for m, t in later]
    if smoothing == "chen-cherry-5":
        return averaged(plain)
    if smoothing == "chen-cherry-6":
        for n in range(2, len(plain)):
            expected = plain[n - 1] ** 2 / plain[n - 2] if plain[n - 2] else 0.0
            plain[n] = (matches[n] + 5 * expected) / (max(n_tokens - n, 0) + 5)
        return plain
    n_misses = 0
    for n, (m, t) in enumerate(zip(matches, totals, strict=True)):
        if m == 0 and (t or smoothing != "exp"):
            n_misses += 1
            numerator = 1 if smoothing == "exp" else math.log(max(n_tokens, 1)) / 5
            plain[n] = numerator / (2**n_misses * max(t, 1))
    if smoothing == "chen-cherry-7":
        plain[-1] = matches[-1] / totals[-1] if totals[-1] else 0.0
        return averaged(plain)
    return plain


def averaged(precisions):
    averages = [precisions[0] + 1]
    for this, following in pairwise(precisions):
        averages.append((averages[-1] + this + following) / 3)
    return averages[1:]


def mean_of(precisions, weights):
    """exp(sum of w log p), with weights scaled to a sum of one."""
    pairs = [(p, w / sum(weights)) for p, w in zip(precisions, weights, strict=False) if w]
    if any(p == 0 for p, _ in pairs):
        return 0.0
    return math.exp(sum(w * math.log(p) for p, w in pairs))


def recomputed(explanation, weights, smoothing="none", value=0.0):
    entries = [*explanation["orders"]]
    if "next_order" in explanation:
        entries.append(explanation["next_order"])
    matches, totals = ([entry[key] for entry in entries] for key in ("matches", "total"))
    c, r = explanation["translation_length"], explanation["reference_length"]
    if not matches[0] or not r:
        return 0.0
    precisions = smoothed(matches, totals, c, smoothing, value)
    penalty = 1.0 if c >= r else math.exp(1 - r / c)
    return penalty * mean_of(precisions, weights)


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(item, st.sampled_from(["13a", "whitespace", "char", str.split]))
def test_scores_from_the_explanation_alone(smoothing, item, tokenizer):
    prediction, references = item
    options = {"smoothing": smoothing, "tokenizer": tokenizer}
    explanation = explain_bleu(prediction, references, **options)
    assert json.loads(json.dumps(explanation)) == explanation
    assert ("next_order" in explanation) == SMOOTHINGS[smoothing].looks_ahead
    value = SMOOTHINGS[smoothing].default_value
    expected = recomputed(explanation, [1] * 4, smoothing, value)
    assert explanation["bleu"] == pytest.approx(expected, rel=1e-12)


OPTIONS = [
    {"weights": {"first": [1, 0, 3], "second": [1]}},
    {"weights": [0.2, 0.8], "smoothing": "add-k", "smoothing_value": 3},
    {"max_order": 7, "effective_order": True},
    {"reference_length": "shortest", "lowercase": True},
    {"reference_length": "average", "zero_division": math.nan},
    {"smooth": True, "tokenizer": "unicode"},
    {"preset": "sacrebleu"},
    {"preset": "nltk", "smoothing": "chen-cherry-7"},
    {"preset": "evaluate"},
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
    precisions = [entry["precision"] for entry in explanation["orders"]]
    assert precisions == result["precisions"][0]
    if explanation["chosen"] is None:
        assert options["reference_length"] == "average"
        assert len(references) > 1
    else:
        lengths = bleu(references, references, **options, use_aggregator=False)[
            "translation_length"
        ]
        assert explanation["chosen"] == lengths.index(explanation["reference_length"])


@given(item)
def test_what_is_marked_is_in_the_other_texts(item):
    """Counts by the oracle, and each order's words on both sides."""
    prediction, references = item
    explanation = explain_bleu(prediction, references, tokenizer="whitespace", max_order=3)
    for entry in explanation["orders"]:
        order = entry["order"]
        marked = [
            [written[slice(*span)] for span in spans]
            for written, spans in zip(
                [prediction, *references],
                [entry["prediction_spans"], *entry["reference_spans"]],
                strict=True,
            )
        ]
        texts = [written.split() for written in (prediction, *references)]
        assert entry["matches"] == oracles.ngram_matches(texts[0], texts[1:], order)
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
    message = (
        "weights must have other names than 'chosen', 'orders', 'next_order', which are keys of an "
        f"explanation, got {name!r}"
    )
    assert error_of(explain_bleu, "a", "a", weights={name: [1]}) == (ValueError, message)


@pytest.mark.parametrize("output", ["score", "flat"])
def test_the_output_is_all(output):
    assert explain_bleu("a b", "a", output=output) == explain_bleu("a b", "a")
