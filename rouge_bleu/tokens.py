"""Tokens of a column of texts, as ids: of one side, shared by both, sentence by sentence.

    Tokens        the ids of a column, and the sentence of each token
    SharedTokens  both sides with tokens numbered per item; what one side lacks is -1
    Sentences     where the tokens of each sentence of a side are

A *pair* is a prediction with one reference, an *item* a prediction with all its references. ROUGE
counts pairs (`paired`), BLEU items (`split_sides`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .arrays import (
    KeyRanges,
    Ragged,
    dense_ids,
    differ_from_last,
    last_places,
    last_places_in_one_range,
    numbers_of_places,
    sums_of_groups,
)
from .lazy import lazy_property

UNSHARED = -1  # the id of a token that the other side lacks

# Tokens of items are numbered by a table with a place for each type in each item, for some items
# at a time, if these have more than a few tokens.
_MAX_KEYS = 1 << 19
_LEAST_TOKENS_OF_RANGE = 500


@dataclass(frozen=True)
class Tokens:
    """Tokens of a column of texts."""

    ids: Ragged  # equal ids are equal tokens, int64, one row per text
    sentence: np.ndarray  # of each token, ascending over all texts, int64, shape (n_tokens,)
    n_types: int  # ids are below this

    def between(self, first: int, end: int) -> Tokens:
        """Return the tokens of the texts first..end-1."""
        offsets = self.ids.offsets[first : end + 1]
        place = slice(offsets[0], offsets[-1])
        ids = Ragged(self.ids.values[place], offsets - offsets[0])
        return Tokens(ids, self.sentence[place], self.n_types)

    def take(self, texts: np.ndarray) -> Tokens:
        """Return the tokens of the given texts, in that order, with sentences numbered anew."""
        index, offsets = self.ids.index_of_rows(texts)
        sentence = self.sentence[index]
        is_first = differ_from_last(sentence)
        is_first[offsets[:-1][offsets[:-1] < offsets[1:]]] = True
        ids = Ragged(self.ids.values[index], offsets)
        return Tokens(ids, is_first.cumsum() - 1, self.n_types)

    def totals(
        self, total: Callable[[np.ndarray], np.ndarray], *, cross_sentences: bool = True
    ) -> np.ndarray:
        """Return `total`, a function of lengths, of each text, int64, shape (n_texts,).

        Without `cross_sentences` it is summed over the sentences of each text.
        """
        if cross_sentences:
            return total(self.ids.lengths)
        sentences = Sentences.of_tokens(self)
        in_sentences = total(sentences.place.lengths)
        return sums_of_groups(in_sentences, sentences.text, self.ids.n_rows)


# --- two sides ------------------------------------------------------------------------


def item_of_reference(reference_offsets: np.ndarray) -> np.ndarray:
    """Return the item of each reference, int64, shape (n_references,).

    >>> item_of_reference(np.array([0, 2, 3])).tolist()
    [0, 0, 1]
    """
    lengths = reference_offsets[1:] - reference_offsets[:-1]
    return np.arange(len(lengths)).repeat(lengths)


def split_sides(tokens: Tokens, reference_offsets: np.ndarray) -> tuple[Tokens, Tokens]:
    """Split a column of predictions followed by all references into the two sides.

    `reference_offsets`, int64, shape (n_items + 1,), says where the references of each item start
    among all references.
    """
    n_items = len(reference_offsets) - 1
    end = n_items + int(reference_offsets[-1])
    return tokens.between(0, n_items), tokens.between(n_items, end)


def paired(tokens: Tokens, reference_offsets: np.ndarray) -> tuple[Tokens, Tokens]:
    """Return the two sides with each prediction once for each of its references."""
    prediction, reference = split_sides(tokens, reference_offsets)
    if reference.ids.n_rows == prediction.ids.n_rows:  # one reference each
        return prediction, reference
    return prediction.take(item_of_reference(reference_offsets)), reference


@dataclass(frozen=True)
class SharedTokens:
    """Predictions and references with tokens numbered per item, as far as shared.

    Tokens that the other side lacks match nothing; their id is -1.
    """

    prediction: Tokens  # one row per item
    reference: Tokens  # one row per reference
    item_of_reference: np.ndarray  # ascending, int64; `arange(n_items)` where items are pairs
    item_of_id: np.ndarray  # item of each number, ascending, int64, shape (n_ids,)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return self.prediction.ids.n_rows

    @property
    def n_ids(self) -> int:
        """Number of (item, token) that both sides have."""
        return len(self.item_of_id)

    @property
    def sides(self) -> tuple[Tokens, Tokens]:
        """The predictions and the references."""
        return self.prediction, self.reference

    @lazy_property
    def first_id_of_item(self) -> np.ndarray:
        """Where the numbers of each item start, int64, shape (n_items + 1,)."""
        return self.item_of_id.searchsorted(np.arange(self.n_items + 1))


def shared_tokens(
    prediction: Tokens, reference: Tokens, item_of_reference: np.ndarray | None = None
) -> SharedTokens:
    """Number the tokens of each item of two sides that were tokenized together.

    Without `item_of_reference`, ascending and each item at least once, reference i belongs to
    prediction i.
    """
    if item_of_reference is None:
        item_of_reference = np.arange(reference.ids.n_rows)
    n_types = max(prediction.n_types, reference.n_types, 1)
    prediction_key = prediction.ids.row_of_value * n_types + prediction.ids.values
    item_of_token = item_of_reference.repeat(reference.ids.lengths)
    reference_key = item_of_token * n_types + reference.ids.values

    first_item = _item_ranges(prediction.ids.n_rows, n_types)
    n_ranges = len(first_item) - 1
    if n_ranges == 1 or n_ranges * _LEAST_TOKENS_OF_RANGE < len(item_of_token):
        first_reference = item_of_reference.searchsorted(first_item)
        ranges = KeyRanges(
            (first_item * n_types).tolist(),
            prediction.ids.offsets[first_item].tolist(),
            reference.ids.offsets[first_reference].tolist(),
        )
        places = last_places(prediction_key, reference_key, ranges)
    else:  # few tokens of many types
        keys, key_of_id = dense_ids([prediction_key, reference_key])
        places = last_places_in_one_range(keys[0], keys[1], len(key_of_id))
    prediction_id, reference_id, place = numbers_of_places(*places)
    n_ids = len(place)
    return SharedTokens(
        Tokens(prediction.ids.with_values(prediction_id), prediction.sentence, n_ids),
        Tokens(reference.ids.with_values(reference_id), reference.sentence, n_ids),
        item_of_reference,
        prediction.ids.row_of_value[place],
    )


def _item_ranges(n_items: int, n_types: int) -> np.ndarray:
    """Return where ranges of items start, int64, that have some `_MAX_KEYS` keys, and the end.

    A key is a type of token of an item.
    """
    n_items_of_range = max(_MAX_KEYS // n_types, 1)
    return np.append(np.arange(0, n_items, n_items_of_range), n_items)


# --- sentences ------------------------------------------------------------------------


@dataclass(frozen=True)
class Sentences:
    """Where tokens of one side are, sentence by sentence."""

    place: Ragged  # index of each token among all tokens of this side, one row per sentence
    text: np.ndarray  # text of each sentence, ascending, int64, shape (n_sentences,)
    n_texts: int

    @classmethod
    def of_tokens(cls, side: Tokens, place: np.ndarray | None = None) -> Sentences:
        """Return the sentences of a side that have tokens, or some of the given tokens."""
        if place is None:
            place = np.arange(len(side.sentence))
        first = differ_from_last(side.sentence[place]).nonzero()[0]
        text = side.ids.row_of_value[place[first]]
        return cls(Ragged(place, np.append(first, len(place))), text, side.ids.n_rows)

    @classmethod
    def of_shared_tokens(cls, side: Tokens) -> Sentences:
        """Return the sentences of the tokens that the other side has too."""
        return cls.of_tokens(side, (side.ids.values != UNSHARED).nonzero()[0])

    @lazy_property
    def of_text(self) -> Ragged:
        """The sentences of each text, int64, one row per text."""
        offsets = self.text.searchsorted(np.arange(self.n_texts + 1))
        return Ragged(np.arange(len(self.text)), offsets)

    @lazy_property
    def n_of_text(self) -> np.ndarray:
        """Number of sentences of each text, int64, shape (n_texts,)."""
        return np.bincount(self.text, minlength=self.n_texts)

    def ids(self, side: Tokens) -> Ragged:
        """Return the token ids of each sentence of this side."""
        return self.place.with_values(side.ids.values[self.place.values])
