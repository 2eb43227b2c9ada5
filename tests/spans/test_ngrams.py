"""The tokens in n-grams and skip-bigrams that count, against lists of all occurrences."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from helpers import oracles
from helpers.texts_of_ids import ids_of_text, sentences
from rouge_bleu.spans.ngrams import IdsOfText, ngram_positions, skip_bigram_positions

limits = st.sampled_from([None, 0, 1, 2, 4, 100])


def occurrences(text, list_units, parameter):
    """All units of the sentences of a text, with positions in the whole text."""
    found, first = [], 0
    for tokens in text:
        for unit, place in list_units(tokens, parameter):
            found.append((unit, tuple(first + position for position in place)))
        first += len(tokens)
    return found


@given(sentences, st.lists(sentences, min_size=1, max_size=3), st.integers(1, 4))
def test_ngrams(prediction, references, order):
    found, of_references = ngram_positions(
        ids_of_text(prediction), list(map(ids_of_text, references)), order
    )
    listed = [
        occurrences(text, oracles.occurrences_of_ngrams, order)
        for text in (prediction, *references)
    ]
    expected = oracles.clipped_positions(listed[0], listed[1:])
    assert [found, *of_references] == list(map(sorted, expected))


@given(sentences, sentences, st.integers(1, 3), st.integers(1, 2))
def test_ngrams_that_count_a_few_times_at_most(prediction, reference, order, most):
    found, of_references = ngram_positions(
        ids_of_text(prediction), [ids_of_text(reference)], order, most=most
    )
    prediction_units, reference_units = (
        oracles.first_occurrences(occurrences(text, oracles.occurrences_of_ngrams, order), most)
        for text in (prediction, reference)
    )
    expected = oracles.clipped_positions(prediction_units, [reference_units])
    assert [found, *of_references] == list(map(sorted, expected))


@given(sentences, sentences, limits)
def test_skip_bigrams(prediction, reference, max_skip):
    found = skip_bigram_positions(ids_of_text(prediction), ids_of_text(reference), max_skip)
    listed = [
        occurrences(text, oracles.occurrences_of_skip_bigrams, max_skip)
        for text in (prediction, reference)
    ]
    expected = oracles.clipped_positions(listed[0], listed[1:])
    assert list(found) == list(map(sorted, expected))


def test_a_token_that_the_other_text_lacks_is_equal_to_none():
    texts = [ids_of_text([[None, 0, None, 1]]), ids_of_text([[0, None, 1, None]])]
    assert ngram_positions(texts[0], texts[1:], 1) == ([1, 3], [[0, 2]])
    assert ngram_positions(texts[0], texts[1:], 2) == ([], [[]])
    assert skip_bigram_positions(*texts, max_skip=0) == ([], [])
    assert skip_bigram_positions(*texts, max_skip=1) == ([1, 3], [0, 2])


def test_a_text_is_a_row_of_a_side():
    side = oracles.as_tokens([[[5, 6]], [[7], [8, 9]]])
    text = IdsOfText.of_row(side, 1)
    assert text.ids.tolist() == [7, 8, 9]
    assert [np.diff(rows.offsets).tolist() for rows in (text.sentences(),)] == [[1, 2]]
    assert text.as_one_sentence().sentences().n_rows == 1
