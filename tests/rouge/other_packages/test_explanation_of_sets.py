"""Every score of presets "pltrdy" and "rouge-chinese" from its explanation alone, and the words that
it shows.
"""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import explanations
from helpers.measures import item_with_stops
from rouge_bleu._rouge.other_packages import words_between_full_stops, words_between_wide_stops

TYPES = ["rouge1", "rouge2", "rouge4", "rougeL"]


def explained(prediction, reference, preset="pltrdy", **options):
    options = {"preset": preset, "rouge_types": TYPES, **options}
    return explanations.explained(prediction, reference, **options)


# How each preset finds sentences, and what stands between words.
RULES = {
    "pltrdy": (words_between_full_stops, r"[\s.]*"),
    "rouge-chinese": (words_between_wide_stops, r"\s*"),
}


def words_of(written, preset):
    """The words of a text with their spans; an empty word has none."""
    sentences_of, between = RULES[preset]
    words = [word for sentence in sentences_of(written) for word in sentence]
    spans, end = [], 0
    for word in words:
        if not word:
            spans.append(None)
            continue
        start = re.compile(between).match(written, end).end()
        end = start + len(word)
        assert written[start:end] == word
        spans.append([start, end])
    assert re.fullmatch(between, written[end:])
    return words, spans


def first_starts(words, order):
    """Where each n-gram of a text starts first."""
    starts = {}
    for start in range(len(words) - order + 1):
        starts.setdefault(tuple(words[start : start + order]), start)
    return starts


@given(item_with_stops, st.sampled_from(list(RULES)))
def test_the_first_of_each_ngram_is_shown(item, preset):
    prediction, references = item
    explanation = explained(prediction, references, preset)
    of_prediction, spans_of_prediction = words_of(prediction, preset)
    for name in ("rouge1", "rouge2", "rouge4"):
        entries = explanation[name]["references"]
        for entry, reference in zip(entries, references, strict=True):
            of_reference, spans = words_of(reference, preset)
            starts = [first_starts(words, int(name[-1])) for words in (of_prediction, of_reference)]
            in_prediction, in_reference = (
                {
                    start + k
                    for ngram in starts[0].keys() & starts[1]
                    for k in range(int(name[-1]))
                    for start in [side[ngram]]
                }
                for side in starts
            )
            assert entry["prediction_spans"] == [
                spans_of_prediction[i] for i in sorted(in_prediction)
            ]
            assert entry["reference_spans"] == [spans[i] for i in sorted(in_reference)]


@given(item_with_stops, st.sampled_from(list(RULES)))
def test_the_words_of_rougeL_are_in_both_texts(item, preset):
    prediction, references = item
    of_type = explained(prediction, references, preset)["rougeL"]
    for entry, reference in zip(of_type["references"], references, strict=True):
        sides = []
        for written, side in ((prediction, "prediction_spans"), (reference, "reference_spans")):
            assert all(span in words_of(written, preset)[1] for span in entry[side])
            sides.append([span and written[slice(*span)] for span in entry[side]])
        assert len(sides[0]) == len(sides[1]) == entry["matches"]
        if preset == "rouge-chinese":
            assert sides[0] == sides[1]
        else:
            assert Counter(sides[0]) == Counter(sides[1]) == Counter({*sides[0]})


# A preset, a prediction, a reference, a type, matches, and the spans on both sides, by hand. That the
# counts are those of the packages is in test_pltrdy.py and test_golden_packages.py.
PLACES = [
    # What occurs often is shown once.
    ("pltrdy", "a b a b", "x a b a", "rouge1", 2, [[0, 1], [2, 3]], [[2, 3], [4, 5]]),
    (
        "pltrdy",
        "a b a b",
        "x a b a",
        "rouge2",
        2,
        [[0, 1], [2, 3], [4, 5]],
        [[2, 3], [4, 5], [6, 7]],
    ),
    # N-grams cross sentences, and no full stop is shown.
    ("pltrdy", "It is.So", "is So. It", "rouge2", 1, [[3, 5], [6, 8]], [[0, 2], [3, 5]]),
    # In sentences "a b" and "c" go with "c." and "a b"; in whole texts "a b" alone does.
    ("pltrdy", "a b. c", "c. a b", "rougeL", 3, [[0, 1], [2, 3], [5, 6]], [[0, 1], [3, 4], [5, 6]]),
    ("rouge-chinese", "a b c", "c a b", "rougeL", 2, [[0, 1], [2, 3]], [[2, 3], [4, 5]]),
    # Blanks after the last full stop are a sentence of one word, which is empty.
    ("pltrdy", "a. ", "b.  ", "rouge1", 1, [None], [None]),
]


@pytest.mark.parametrize(
    ("preset", "prediction", "reference", "name", "matches", "ours", "theirs"), PLACES
)
def test_places(preset, prediction, reference, name, matches, ours, theirs):
    (entry,) = explained(prediction, reference, preset)[name]["references"]
    assert entry["matches"] == matches
    assert (entry["prediction_spans"], entry["reference_spans"]) == (ours, theirs)
