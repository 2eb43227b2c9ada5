"""Every score of presets "pltrdy" and "rouge-chinese" from its explanation alone, and the words that
it shows.
"""

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from helpers import explanations, oracles
from helpers.explanations import shown
from helpers.measures import piece
from rouge_bleu.rouge.distinct.sentences import sentences_of_words

PRESETS = ["pltrdy", "rouge-chinese"]
TYPES = ["rouge1", "rouge2", "rouge4", "rougeL"]


def explained(prediction, reference, preset="pltrdy", **options):
    options = {"preset": preset, "rouge_types": TYPES, **options}
    return explanations.explained(prediction, reference, **options)


def the_entry(explanation):
    ((entry,),) = (of_type["references"] for of_type in explanation.values())
    return entry


separators = st.sampled_from((" ", " ", " ", "\n", ". ", ".", " . ", "。", "？”", "\u3000"))
text = st.lists(st.tuples(piece, separators), max_size=20).map(
    lambda parts: "".join(map("".join, parts))[:300]
)
items = st.tuples(text, st.lists(text, min_size=1, max_size=3))
presets = st.sampled_from(PRESETS)


RULES = {"pltrdy": ("full stops", r"[\s.]*"), "rouge-chinese": ("wide stops", r"\s*")}


def words_of(written, preset):
    """The words of a text with their spans; an empty word has none."""
    rule, between = RULES[preset]
    words = [word for sentence in sentences_of_words(written, rule) for word in sentence]
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


@given(items, presets)
def test_the_first_of_each_ngram_is_shown(item, preset):
    prediction, references = item
    explanation = explained(prediction, references, preset)
    of_prediction, spans_of_prediction = words_of(prediction, preset)
    for name in ("rouge1", "rouge2", "rouge4"):
        entries = explanation[name]["references"]
        for entry, reference in zip(entries, references, strict=True):
            of_reference, spans = words_of(reference, preset)
            units = [
                oracles.first_occurrences(oracles.occurrences_of_ngrams(words, int(name[-1])), 1)
                for words in (of_prediction, of_reference)
            ]
            in_prediction, in_reference = oracles.clipped_positions(units[0], units[1:])
            assert entry["prediction_spans"] == [
                spans_of_prediction[i] for i in sorted(in_prediction)
            ]
            assert entry["reference_spans"] == [spans[i] for i in sorted(in_reference)]


@given(items, presets)
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


# Places by hand. That the counts are those of the packages stands in test_distinct_counts.py and
# test_golden_packages.py.


def test_what_occurs_often_is_shown_once():
    explanation = explained("a b a b", "x a b a", rouge_types=["rouge1", "rouge2"])
    words, pairs = (of_type["references"][0] for of_type in explanation.values())
    assert (words["matches"], words["prediction_total"], words["reference_total"]) == (2, 2, 3)
    assert shown("a b a b", words["prediction_spans"]) == ["a", "b"]
    assert words["prediction_spans"] == [[0, 1], [2, 3]]
    assert words["reference_spans"] == [[2, 3], [4, 5]]
    assert pairs["matches"] == 2  # "a b" and "b a"
    assert pairs["prediction_spans"] == [[0, 1], [2, 3], [4, 5]]


def test_rougeL_of_sentences_and_of_whole_texts():
    """In sentences "a b" and "c" go with "c." and "a b"; in whole texts "a b" or "c" alone do."""
    prediction, reference = "a b. c", "c. a b"
    of_sentences = the_entry(explained(prediction, reference, rouge_types=["rougeL"]))
    assert of_sentences["matches"] == 3
    assert of_sentences["prediction_spans"] == [[0, 1], [2, 3], [5, 6]]
    assert of_sentences["reference_spans"] == [[0, 1], [3, 4], [5, 6]]
    prediction, reference = "a b c", "c a b"
    whole = the_entry(explained(prediction, reference, "rouge-chinese", rouge_types=["rougeL"]))
    assert whole["matches"] == 2
    assert shown(prediction, whole["prediction_spans"]) == ["a", "b"]
    assert whole["reference_spans"] == [[2, 3], [4, 5]]


def test_an_empty_word_has_no_span():
    """Blanks behind the last full stop are a sentence of one word, which is empty."""
    entry = the_entry(explained("a. ", "b.  ", rouge_types=["rouge1"]))
    assert (entry["matches"], entry["prediction_total"]) == (1, 2)
    assert (entry["prediction_spans"], entry["reference_spans"]) == ([None], [None])
