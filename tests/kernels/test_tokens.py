"""Tokens of a column: parts of it, pairs, shared ids, sentences."""

from itertools import pairwise

import numpy as np
import pytest

from helpers.kernels import as_tokens, joined, random_texts
from rouge_bleu.tokens import (
    UNSHARED,
    Sentences,
    item_of_reference,
    paired,
    shared_tokens,
    split_sides,
)


def sentences_of(tokens):
    """Return the tokens of each text by sentence; sentences without tokens cannot be seen."""
    texts = []
    for start, end in zip(tokens.ids.offsets[:-1], tokens.ids.offsets[1:], strict=True):
        cuts = np.flatnonzero(np.diff(tokens.sentence[start:end])) + 1
        texts.append(
            [part.tolist() for part in np.split(tokens.ids.values[start:end], cuts) if len(part)]
        )
    return texts


def some_texts(seed, n_texts=40, n_types=5):
    """Return texts of several sentences, none of them empty, and some texts without sentences."""
    rng = np.random.default_rng(seed)
    texts = random_texts(rng, rng.integers(0, 8, n_texts), n_types, max_sentences=4)
    return [[sentence for sentence in text if sentence] for text in texts]


@pytest.mark.parametrize(
    "rows",
    [
        *(np.arange(40), np.arange(40)[::-1], np.repeat(np.arange(40), 2)),
        *(np.random.default_rng(2).integers(0, 40, 100), np.zeros(0, dtype=np.int64)),
    ],
    ids=["same", "reversed", "each twice", "random", "none"],
)
def test_tokens_taken_have_sentences_in_ascending_order(rows):
    """A prediction is taken once for each of its references: its sentences must not run into those
    of the row before, which have the same numbers.
    """
    texts = some_texts(2)
    taken = as_tokens(texts).take(rows)
    assert sentences_of(taken) == [texts[row] for row in rows]
    assert (np.diff(taken.sentence) >= 0).all()
    sentence, row = taken.sentence.tolist(), taken.ids.row_of_value.tolist()
    assert len({*zip(sentence, row, strict=True)}) == len({*sentence}), "each is in one row only"
    assert taken.sentence[:1].tolist() in ([0], []), "they are numbered from 0"


# --- two sides ------------------------------------------------------------------------------------

N_REFERENCES = [[1, 1, 1], [2, 1, 3], [1], [5], [1, 9, 1, 1]]


def column(n_references, seed=12):
    """Return predictions, the references of each item, and both as one column with offsets."""
    texts = some_texts(seed, len(n_references) + sum(n_references))
    predictions, flat = texts[: len(n_references)], texts[len(n_references) :]
    offsets = np.cumsum([0, *n_references])
    references = [flat[a:b] for a, b in pairwise(offsets.tolist())]
    return predictions, references, as_tokens(texts), offsets


@pytest.mark.parametrize("n_references", N_REFERENCES, ids=str)
def test_two_sides(n_references):
    """In pairs each prediction stands once for each of its references."""
    predictions, references, tokens, offsets = column(n_references)
    for sides, n_times in (
        (split_sides(tokens, offsets), [1] * len(predictions)),
        (paired(tokens, offsets), n_references),
    ):
        prediction, reference = map(sentences_of, sides)
        expected = [[text] * n for text, n in zip(predictions, n_times, strict=True)]
        assert prediction == joined(expected)
        assert reference == joined(references)
    items = joined([item] * n for item, n in enumerate(n_references))
    assert item_of_reference(offsets).tolist() == items


# --- shared tokens --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_references", N_REFERENCES, ids=str)
def test_shared_tokens(n_references):
    """Equal numbers are equal tokens of one item; tokens that the other side lacks are -1; the numbers of an
    item ascend, and are all used on both sides.
    """
    predictions, references, tokens, offsets = column(n_references)
    shared = shared_tokens(*split_sides(tokens, offsets), item_of_reference(offsets))
    assert (shared.n_items, shared.n_ids) == (len(predictions), len(shared.item_of_id))
    assert [side.n_types for side in shared.sides] == [shared.n_ids] * 2
    assert sorted(shared.item_of_id.tolist()) == shared.item_of_id.tolist()
    name_of_id = {}
    prediction_ids, reference_ids = (
        np.split(side.ids.values, side.ids.offsets[1:-1]) for side in shared.sides
    )
    for item, (text, texts) in enumerate(zip(predictions, references, strict=True)):
        text, texts = joined(text), list(map(joined, texts))
        both = set(text) & set(joined(texts))
        rows = [prediction_ids[item], *reference_ids[offsets[item] : offsets[item + 1]]]
        for row, names in zip(rows, [text, *texts], strict=True):
            for number, name in zip(row.tolist(), names, strict=True):
                assert (number == UNSHARED) == (name not in both)
                if number != UNSHARED:
                    assert name_of_id.setdefault(number, (item, name)) == (item, name)
                    assert shared.item_of_id[number] == item
        assert (shared.item_of_id == item).sum() == len(both)
    assert sorted(name_of_id) == list(range(shared.n_ids))


# --- sentences ------------------------------------------------------------------------------------


def test_sentences_of_some_tokens():
    """Sentences of which no token counts are left out; places are those of the whole side."""
    side = as_tokens([[[1, 2], [3]], [[4], [5, 6, 7]]])
    sentences = Sentences.of_tokens(side, np.array([1, 4, 6]))
    assert sentences.place.values.tolist() == [1, 4, 6]
    assert sentences.place.offsets.tolist() == [0, 1, 3]
    assert sentences.text.tolist() == [0, 1]
    assert sentences.of_text.lengths.tolist() == [1, 1]
    assert sentences.ids.to_lists() == [[2], [5, 7]]
    nothing = Sentences.of_tokens(side, np.zeros(0, dtype=np.int64))
    assert nothing.of_text.offsets.tolist() == [0, 0, 0]
