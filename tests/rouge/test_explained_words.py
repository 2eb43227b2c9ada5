"""The words that explanations of rouge_full show, and the reference that they choose."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.explanations import explained, shown


@pytest.mark.parametrize(("preset", "chosen"), [("torchmetrics", 0), (None, 1)])
def test_a_tie_in_32_bits(rouge_full, preset, chosen):
    """F is 2/3 of both references, of 3/4 and 3/5 and of 1/2 and 1: in 64 bits the last bit differs,
    in 32 it does not, and the first counts.
    """
    pair = {"prediction": "a b c d", "reference": ["a b c x y", "a b"]}
    (of_type,) = rouge_full.explain(**pair, preset=preset, rouge_types=["rouge1"]).values()
    assert of_type["chosen"] == chosen
    assert of_type["precision"] == [0.75, 0.5][chosen]


# --- examples -------------------------------------------------------------------------------------


GUNMAN, W5 = "police killed the gunman", "w1 w2 w3 w4 w5"
# Prediction, reference, type, matches, and the words that are marked on both sides.
OF_LIN_2004 = {
    "section 5, S1": ("police kill the gunman", GUNMAN, "rougeS", 3, "police the gunman"),
    "section 5, S2": ("the gunman kill police", GUNMAN, "rougeS", 1, "the gunman"),
    "section 5, S4": ("the gunman police killed", GUNMAN, "rougeS", 2, "the gunman police killed"),
    "section 3.2": ("w1 w2 w6 w7 w8\nw1 w3 w8 w9 w5", W5, "rougeLsum", 4, "w1 w2 w3 w5"),
    # Y1 has the run ABCD of X, Y2 the same letters apart; f(k) = k^2.
    "section 4, Y1": ("a b c d h i k", "a b c d e f g", "rougeW-2", 16.0, "a b c d"),
    "section 4, Y2": ("a h b k c i d", "a b c d e f g", "rougeW-2", 4.0, "a b c d"),
    # "a b" is a run of two, 2 ** 2 = 4. The last "b" of the prediction makes none.
    "the words of rougeW make its runs": ("a b b", "a b a a", "rougeW-2", 4.0, "a b"),
}


@pytest.mark.parametrize(
    ("prediction", "reference", "name", "matches", "words"), OF_LIN_2004.values(), ids=OF_LIN_2004
)
def test_examples_of_lin_2004(prediction, reference, name, matches, words):
    (entry,) = explained(prediction, reference, rouge_types=[name])[name]["references"]
    assert entry["matches"] == matches
    assert shown(prediction, entry["prediction_spans"]) == words.split()
    assert Counter(shown(reference, entry["reference_spans"])) == Counter(words.split())
    for side in ("prediction_spans", "reference_spans"):
        assert entry[side] == sorted(entry[side])


weights = st.one_of(
    st.sampled_from([1, 1.2, 2]), st.integers(100, 2000).map(lambda hundredths: hundredths / 100)
)
longer = st.integers(1, 60).flatmap(
    lambda length: st.lists(st.sampled_from("aabcx"), min_size=length, max_size=length)
)


@given(longer, st.lists(longer, min_size=1, max_size=3), weights)
def test_runs_of_the_words_of_rougeW_add_up(prediction, references, weight):
    """Lin 2004, section 4: words that follow each other on both sides are a run of k, which counts
    k ** weight.
    """
    assert_runs_add_up(prediction, references, weight)


def test_runs_of_the_words_of_long_texts_add_up():
    """Too long for one table: the way back is found in bands."""
    rng = np.random.default_rng(7)
    prediction, reference = (rng.choice([*"abcd"], size=1100).tolist() for _ in range(2))
    for weight in (1.2, 20):
        assert_runs_add_up(prediction, [reference], weight)


def assert_runs_add_up(prediction, references, weight):
    name = f"rougeW-{weight}"
    texts = " ".join(prediction), list(map(" ".join, references))
    for reference, entry in zip(
        references, explained(*texts, rouge_types=[name])[name]["references"], strict=True
    ):
        matched = matched_letters(entry)
        assert all(reference[row] == prediction[column] for row, column in matched)
        value = math.fsum(float(k) ** weight for k in runs(matched))
        assert value == pytest.approx(entry["matches"], rel=1e-12)


def runs(places):
    """Return the lengths of runs of pairs of places that grow by 1 on both sides."""
    lengths = []
    for index, (row, column) in enumerate(places):
        if index and places[index - 1] == (row - 1, column - 1):
            lengths[-1] += 1
        else:
            lengths.append(1)
    return lengths


def matched_letters(entry):
    """The places in both texts, word by word, that go with each other; words are letters."""
    sides = (entry["reference_spans"], entry["prediction_spans"])
    return [(row // 2, column // 2) for (row, _), (column, _) in zip(*sides, strict=True)]


def with_color(text):
    return [word.replace("colour", "color") for word in text.split()]


# Prediction, reference, options, and the spans on both sides for rouge1.
PLACES = [
    (
        "The Runners!",
        "the runner",
        {"use_stemmer": True, "stopwords": ["the"]},
        [[4, 11]],
        [[4, 10]],
    ),
    (" a  b c", "c b a", {"max_words": 2}, [[4, 5]], [[2, 3]]),
    ("é abc", "a é", {"max_bytes": 4}, [[2, 3]], [[0, 1]]),
    # A token that a function makes up has no place.
    ("a colour", "color a", {"tokenizer": with_color}, [[0, 1], None], [[0, 5], [6, 7]]),
]


@pytest.mark.parametrize(("prediction", "reference", "options", "ours", "theirs"), PLACES)
def test_stems_stop_words_and_limits_keep_the_places(prediction, reference, options, ours, theirs):
    of_type = explained(prediction, reference, rouge_types=["rouge1"], **options)["rouge1"]
    (entry,) = of_type["references"]
    assert (entry["prediction_spans"], entry["reference_spans"]) == (ours, theirs)


def test_sentences_are_tokenized_each_by_itself():
    """As 13a joins lines and no sentence does: rougeLsum has words of its own."""
    prediction, reference = "well-\nknown", "well-\nknown fox"
    explanation = explained(
        prediction, reference, rouge_types=["rouge1", "rougeLsum"], tokenizer="13a"
    )
    (whole,), (lines,) = (of_type["references"] for of_type in explanation.values())
    assert whole["prediction_spans"] == [[0, 11]]
    assert lines["prediction_spans"] == [[0, 5], [6, 11]]


def test_skip_bigrams_and_unigrams_are_both_shown():
    """The unigram "a" is the first one of the reference, the pair "a c" has the second."""
    explanation = explained("a c", "a a c", rouge_types=["rouge1", "rougeS0", "rougeSU0"])
    marked = [of_type["references"][0]["reference_spans"] for of_type in explanation.values()]
    first, second, last = [0, 1], [2, 3], [4, 5]
    assert marked == [[first, last], [second, last], [first, second, last]]
