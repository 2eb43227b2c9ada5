"""The tokens of common subsequences, against the textbook's tables and ways back."""

from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import oracles
from helpers.texts_of_ids import ids_of_text, sentences
from rouge_bleu.kernels.weighted_lcs import weighted_lcs_partners
from rouge_bleu.spans import subsequences as lcs_positions
from rouge_bleu.spans.subsequences import (
    best_sentence_positions,
    subsequence_positions,
    union_positions,
)

# None is a token that the other text lacks.
tokens = st.lists(st.sampled_from([0, 1, 2, 3, None]), max_size=14)
# Rows of a few short sentences at a time, and all at once.
SIZES = [3, 1 << 20]


def named(prediction, reference):
    """Both texts with names for what the other one lacks, as the textbook needs it."""
    return (
        ["p" if token is None else token for token in prediction],
        ["r" if token is None else token for token in reference],
    )


def words_at(text, positions):
    return [oracles.joined(text)[position] for position in positions]


@given(tokens, tokens)
def test_one_common_subsequence(prediction, reference):
    """The one of rouge_score; sentences do not matter."""
    cut = [prediction[:3], prediction[3:]]
    found, of_reference = subsequence_positions(ids_of_text(cut), ids_of_text([reference]))
    assert set(of_reference) == oracles.lcs_positions(*named(prediction, reference))
    assert words_at([prediction], found) == words_at([reference], of_reference)
    assert found == sorted(set(found))


@given(tokens, tokens, st.sampled_from([1.0, 1.2, 2.0]))
def test_one_weighted_common_subsequence(prediction, reference, weight):
    """Both sides are of one way back."""
    f = np.arange(20.0) ** weight
    found, of_reference = subsequence_positions(
        ids_of_text([prediction]), ids_of_text([reference]), partial(weighted_lcs_partners, f=f)
    )
    way = oracles.weighted_lcs_way(*named(prediction, reference), f)
    assert list(zip(of_reference, found, strict=True)) == way


def test_the_places_in_the_prediction_are_the_last_ones():
    """the(0) cat(1) the(2) cat(3) sat(4) against the cat sat: the run of three."""
    prediction, reference = [0, 1, 0, 1, 2], [0, 1, 2]
    texts = ids_of_text([prediction]), ids_of_text([reference])
    assert subsequence_positions(*texts) == ([2, 3, 4], [0, 1, 2])


@pytest.mark.parametrize("size", SIZES)
@given(prediction=sentences, reference=sentences)
def test_the_union_of_sentences(size, prediction, reference):
    in_prediction = Counter(oracles.joined(prediction))
    n_allowed = [in_prediction[token] for token in oracles.joined(reference)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs_positions, "_MAX_LANE_TOKENS", size)
        found, of_reference = union_positions(
            ids_of_text(prediction), ids_of_text(reference), n_allowed
        )
    expected, left, first = [], in_prediction.copy(), 0
    for sentence in reference:
        taken = set().union(*(oracles.lcs_positions(other, sentence) for other in prediction))
        for position in sorted(taken):
            if left[sentence[position]] > 0:
                left[sentence[position]] -= 1
                expected.append(first + position)
        first += len(sentence)
    assert of_reference == expected
    filled = [list(filter(None, [[*s] for s in text])) for text in (prediction, reference)]
    assert len(expected) == oracles.union_lcs_length(*filled)
    assert found == sorted(set(found))
    assert Counter(words_at(prediction, found)) == Counter(words_at(reference, of_reference))


@given(sentences, sentences, st.sampled_from([0.5, 1.2, 2.0]))
def test_partners_in_the_weighted_union_are_on_a_way_back(prediction, reference, weight):
    """Each token is matched by the first sentence of the prediction that takes it; no count clips."""
    f = np.arange(20.0) ** weight
    found, of_reference = union_positions(
        ids_of_text(prediction),
        ids_of_text(reference),
        [99] * len(oracles.joined(reference)),
        partial(weighted_lcs_partners, f=f),
    )
    partner, first = {}, 0
    for sentence in reference:
        first_of_prediction = 0
        for other in prediction:
            for row, column in oracles.weighted_lcs_way(other, sentence, f):
                partner.setdefault(first + row, first_of_prediction + column)
            first_of_prediction += len(other)
        first += len(sentence)
    assert of_reference == sorted(partner)
    assert {*partner.values()} <= {*found}
    if len({*partner.values()}) == len(partner):  # else equal tokens fill the list
        assert found == sorted(partner.values())


def test_partners_in_the_union_are_those_of_a_common_subsequence():
    """Lin 2004, section 3.2: w1 w2 w6 w7 w8 and w1 w3 w8 w9 w5 against w1 w2 w3 w4 w5 share w1,
    w2 with the first, and w3, w5 with the second sentence.
    """
    prediction, reference = [[1, 2, 6, 7, 8], [1, 3, 8, 9, 5]], [[1, 2, 3, 4, 5]]
    texts = ids_of_text(prediction), ids_of_text(reference)
    assert union_positions(*texts, [2, 1, 1, 0, 1]) == ([0, 1, 6, 9], [0, 1, 2, 4])
    # A second sentence that takes the same w1 has the other one as its partner.
    twice = ids_of_text([*reference, [1]])
    assert union_positions(texts[0], twice, [2, 1, 1, 0, 1, 2]) == (
        [0, 1, 5, 6, 9],
        [0, 1, 2, 4, 5],
    )
    # Of w1 only one is allowed: the first.
    assert union_positions(texts[0], twice, [1, 1, 1, 0, 1, 1])[1] == [0, 1, 2, 4]


@pytest.mark.parametrize("size", SIZES)
@given(prediction=sentences, reference=sentences)
def test_the_best_sentences(size, prediction, reference):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lcs_positions, "_MAX_LANE_TOKENS", size)
        found, of_reference = best_sentence_positions(
            ids_of_text(prediction), ids_of_text(reference)
        )
    expected, first = [], 0
    for sentence in reference:
        taken = [oracles.lcs_positions(other, sentence) for other in prediction]
        expected += [first + position for position in sorted(max(taken, key=len, default=()))]
        first += len(sentence)
    assert of_reference == expected
    lengths = oracles.best_sentence_lcs_lengths(prediction, reference or [[]])
    assert (len(found), len(of_reference)) == lengths
    assert found == sorted(set(found))
    # A common subsequence of each sentence with one of the reference.
    first = 0
    for sentence in prediction:
        own = [p - first for p in found if first <= p < first + len(sentence)]
        words = [sentence[position] for position in own]
        assert any(oracles.lcs_length(words, other) == len(words) for other in [*reference, []])
        first += len(sentence)
