"""Tokens of a column: parts of it, pairs, and ids that both sides share."""

from itertools import pairwise

import numpy as np
import pytest

from helpers.kernels import as_tokens, joined, random_texts
from rouge_bleu.tokens import UNSHARED, example_of_reference, number_tokens, pair_sides, split_sides


def sentences_of(tokens):
    """Return the tokens of each text by sentence; sentences without tokens cannot be seen."""
    texts = []
    for start, end in pairwise(tokens.ids.offsets.tolist()):
        cuts = np.flatnonzero(np.diff(tokens.sentence_of_token[start:end])) + 1
        parts = np.split(tokens.ids.values[start:end], cuts)
        texts.append([part.tolist() for part in parts if len(part)])
    return texts


def some_texts(seed, n_texts=40):
    """Return texts of several sentences, none of them empty, and some texts without sentences."""
    rng = np.random.default_rng(seed)
    texts = random_texts(rng, rng.integers(0, 8, n_texts), n_types=5, max_sentences=4)
    return [[sentence for sentence in text if sentence] for text in texts]


ROWS = {
    **{"same": np.arange(41), "reversed": np.arange(41)[::-1], "none": np.arange(0)},
    **{"twice": np.arange(82) // 2, "random": np.random.default_rng(2).integers(0, 40, 100)},
}


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_tokens_taken_have_sentences_in_ascending_order(rows):
    """A prediction is taken once for each of its references: its sentences must not run into those
    of the row before, which have the same numbers.
    """
    texts = [*some_texts(2), []]
    taken = as_tokens(texts).take(rows)
    assert sentences_of(taken) == [texts[row] for row in rows]
    assert (np.diff(taken.sentence_of_token) >= 0).all()
    sentence, row = taken.sentence_of_token.tolist(), taken.ids.row_of_value.tolist()
    assert len({*zip(sentence, row, strict=True)}) == len({*sentence}), "each is in one row only"
    assert taken.sentence_of_token[:1].tolist() in ([0], []), "they are numbered from 0"


@pytest.mark.parametrize("n_references", [[1, 1, 1], [2, 1, 3], [1], [5], [1, 9, 1, 1]], ids=str)
def test_both_sides(n_references):
    """In pairs each prediction is there once for each of its references. Equal shared ids are equal
    tokens of one item; tokens that the other side lacks are -1; the ids of an item ascend, and all
    are used on both sides.
    """
    n_items = len(n_references)
    texts = some_texts(12, n_items + sum(n_references))
    tokens, predictions, flat = as_tokens(texts), texts[:n_items], texts[n_items:]
    offsets = np.cumsum([0, *n_references])
    references = [flat[a:b] for a, b in pairwise(offsets.tolist())]
    for sides, n_times in (
        (split_sides(tokens, offsets), [1] * n_items),
        (pair_sides(tokens, offsets), n_references),
    ):
        repeated = joined([text] * n for text, n in zip(predictions, n_times, strict=True))
        assert list(map(sentences_of, sides)) == [repeated, flat]
    items = joined([item] * n for item, n in enumerate(n_references))
    assert example_of_reference(offsets).tolist() == items

    shared = number_tokens(*split_sides(tokens, offsets), example_of_reference(offsets))
    assert (shared.n_examples, shared.n_ids) == (n_items, len(shared.example_of_id))
    assert [side.n_ids for side in shared.sides] == [shared.n_ids] * 2
    assert sorted(shared.example_of_id.tolist()) == shared.example_of_id.tolist()
    name_of_id = {}
    prediction_ids, reference_ids = (side.ids.to_lists() for side in shared.sides)
    for item, (prediction, of_item) in enumerate(zip(predictions, references, strict=True)):
        both = set(joined(prediction)) & set(joined(map(joined, of_item)))
        rows = [prediction_ids[item], *reference_ids[offsets[item] : offsets[item + 1]]]
        for row, text in zip(rows, [prediction, *of_item], strict=True):
            for number, name in zip(row, joined(text), strict=True):
                assert (number == UNSHARED) == (name not in both)
                if number != UNSHARED:
                    assert name_of_id.setdefault(number, (item, name)) == (item, name)
                    assert shared.example_of_id[number] == item
        assert (shared.example_of_id == item).sum() == len(both)
    assert sorted(name_of_id) == list(range(shared.n_ids))
