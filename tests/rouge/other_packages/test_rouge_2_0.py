"""Preset "rouge-2.0" against figures of ROUGE-2.0 1.2.2, which prints five decimals."""

import pytest

from helpers.published import ITEMS, SUMMARIES, texts, values
from rouge_bleu import explain_rouge, rouge

# Its S4 has words that are at most four places apart.
TYPES = {
    "ROUGE-1": "rouge1",
    "ROUGE-2": "rouge2",
    "ROUGE-L": "rougeL",
    "ROUGE-S4": "rougeS3",
    "ROUGE-SU4": "rougeSU3",
}
OUTPUTS = {"P": "precision", "R": "recall", "F": "fmeasure"}
PRESET = {"preset": "rouge-2.0"}
ALL_TYPES = {**PRESET, "rouge_types": list(TYPES.values())}


@pytest.mark.parametrize(("which", "items"), [("items", ITEMS), ("summaries", SUMMARIES)])
def test_figures(which, items):
    """Of an empty prediction its L has no precision (NaN), which is 0 here."""
    expected = values(f"ROUGE-2.0, stopwords.use=false, stemmer.use=false; {which}")
    found = rouge(**texts(items), **ALL_TYPES, use_aggregator=False)
    assert len(found) == len(TYPES) * len(OUTPUTS)
    for row, item in enumerate(items):
        for name, scores in expected[item["id"]].items():
            for letter, output in OUTPUTS.items():
                score = 0.0 if scores[letter] == "NaN" else scores[letter]
                ours = found[f"{TYPES[name]}_{output}"][row]
                assert ours == pytest.approx(score, abs=5.1e-6), (item["id"], name, letter)


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("in 1999", "in 2024", 1),  # all numbers are alike
        ('"Go" on', "go on", 4 / 5),  # an empty word at the beginning: 2 of 3, 2 of 2
        ("go.\n\non", "go\n\non.", 1),  # and one of the empty line
        ("go\non\n", "go\non", 1),  # there is no line after the last end of one
        ("GO, on", "go on", 1),
        ("", "", 0),
    ],
)
def test_words(prediction, reference, expected):
    options = {**PRESET, "rouge_types": ["rouge1"], "output": "fmeasure"}
    assert rouge([prediction], [reference], **options) == {"rouge1": pytest.approx(expected)}


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [('"a', '"a', 1 / 2), ('"a b', '"a c', 1 / 3), ("a\n\nb", "a\n\nb", 2 / 3), ('"a', "\nb", 0)],
)
def test_an_empty_word_in_a_subsequence_does_not_count(prediction, reference, expected):
    """The jar prints 0.50000, 0.33333, 0.66667 and 0.00000 as precision and recall of these."""
    options = {**PRESET, "rouge_types": ["rougeL"]}
    found = rouge([prediction], [[reference, reference]], **options)
    assert found == pytest.approx(dict.fromkeys(found, expected))
    assert explain_rouge(prediction, reference, **options)["rougeL"]["recall"] == pytest.approx(
        expected
    )


@pytest.mark.parametrize(
    ("prediction", "reference", "spans"),
    [
        ('"a', '"a', [[1, 2]]),
        ('"a', "\nb", []),
        ("", "", []),
        ("a\n\nb", "b\n\na", [[0, 1], [3, 4]]),
    ],
)
def test_an_empty_word_is_not_shown_where_it_does_not_count(prediction, reference, spans):
    options = {**PRESET, "rouge_types": ["rougeL"]}
    (entry,) = explain_rouge(prediction, reference, **options)["rougeL"]["references"]
    assert (entry["matches"], entry["prediction_spans"]) == (len(spans), spans)


@pytest.mark.parametrize("text", ["a", '"a b', "a cat"])
def test_an_empty_stop_word(text):
    """As `read().split("\\n")` has one after the last line of a file; without it, all is there."""
    options = {**PRESET, "rouge_types": ["rougeL"], "output": "recall"}
    assert rouge([text], [text], **options, stopwords=["the", ""]) == {"rougeL": 1.0}
    assert rouge([""], [""], **options, stopwords=["the", ""]) == {"rougeL": 0.0}


def test_bigrams_are_those_of_lines():
    options = {**PRESET, "rouge_types": ["rouge2"], "output": "recall"}
    assert rouge(["a b\nc d"], ["a b c d"], **options) == {"rouge2": pytest.approx(2 / 3)}


def test_given_tokens_are_one_line():
    tokens = {"predictions": [["a", "B", "c"]], "references": [[["a", "b"], ["c"]]]}
    assert rouge(**tokens, **ALL_TYPES) == rouge(["a b c"], [["a b", "c"]], **ALL_TYPES)


def test_an_explanation():
    """Distinct words in lines, whose order does not matter."""
    shown = explain_rouge("the cat sat\non 12 mats", ["on 3 mats\nthe cat", "x"], **PRESET)
    (first, _) = shown["rougeL"]["references"]
    assert (first["matches"], first["prediction_total"], first["reference_total"]) == (5, 6, 5)
    spans = [[0, 3], [4, 7], [12, 14], None, [18, 22]]
    assert first["prediction_spans"] == spans
    assert shown["rougeL"]["recall"] == pytest.approx(1 / 2)
    assert shown["rougeL"]["fmeasure"] == pytest.approx(2 * (5 / 12) * (1 / 2) / (11 / 12))
    assert shown["rougeL"]["chosen"] is None
