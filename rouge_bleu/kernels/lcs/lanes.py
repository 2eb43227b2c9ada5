"""Sentences of both sides that have a token in common, as lanes.

A lane is a sentence of the reference with a sentence of the prediction, and holds only
those tokens of the prediction that match. Most sentences of two long texts share some
word, so lanes grow with the product of their numbers; of a long text those are left out
that a `LaneFilter` says are not needed, before they are sorted.

The idea of the vectorisation: the tokens of many sentences list the sentences of the
reference that have them, and one sort by pairs of sentences finds the lanes. Python
loops run over batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ...arrays import (
    Ragged,
    batches,
    differ_from_last,
    last_places_in_one_range,
    offsets_of_lengths,
    sorted_with_order,
)
from ...tokens import ABSENT, Sentences, Tokens
from .integers import words_of_field
from .rows import sorted_masks

_MAX_ENTRIES = 1 << 16  # matching tokens of the lanes that are found together
_MAX_FILTERED = 1 << 20  # pairs of sentences that a filter looks at together
MAX_PACKED_BITS = 1 << 12  # in a sentence whose lanes are not taken one by one


@dataclass(frozen=True)
class SentenceSide:
    """The shared tokens of one side by sentence.

    Parameters
    ----------
    sentences : Sentences
    ids : Ragged of int64, one row per sentence
    is_before_gap : ndarray of bool, shape (n_tokens,)
        Whether tokens that the other side lacks follow in the same sentence. In their
        rows of the table nothing matches, which may lead the way back to another cell.
    """

    sentences: Sentences
    ids: Ragged
    is_before_gap: np.ndarray

    @classmethod
    def of_tokens(cls, side: Tokens) -> SentenceSide:
        return cls.of_sentences(side, Sentences.of_shared_tokens(side))

    @classmethod
    def of_sentences(cls, side: Tokens, sentences: Sentences) -> SentenceSide:
        """Return a side, given the sentences of its shared tokens."""
        is_shared = side.ids.values != ABSENT
        has_gap_after = np.zeros(len(is_shared), dtype=bool)
        is_same_sentence = side.sentence[1:] == side.sentence[:-1]
        has_gap_after[:-1] = ~is_shared[1:] & is_same_sentence
        is_before_gap = has_gap_after[sentences.place.values]
        return cls(sentences, sentences.ids(side), is_before_gap)


def are_found(rows: Ragged, others: Ragged) -> np.ndarray:
    """Return which sentences stand among others, ndarray of bool, shape (n_rows,).

    Rows are ids of sentences, at least one each. A row is held against one other that is
    alike by its length, its first and its last id: where several are, it may be missed.

    >>> rows = Ragged(np.array([4, 5, 4, 6]), np.array([0, 2, 4]))
    >>> others = Ragged(np.array([6, 4, 5]), np.array([0, 1, 3]))
    >>> are_found(rows, others).tolist()
    [True, False]
    """
    key, other_key = (
        side.values.take(side.offsets[:-1]) + side.values.take(side.offsets[1:] - 1) + side.lengths
        for side in (rows, others)
    )
    n_keys = int(max(key.max(initial=0), other_key.max(initial=0))) + 1
    _, other = last_places_in_one_range(other_key, key, n_keys)
    row = (other != ABSENT).nonzero()[0]
    row = row[rows.lengths[row] == others.lengths[other[row]]]
    is_found = np.zeros(rows.n_rows, dtype=bool)
    if len(row):
        same = rows.take(row)
        differs = same.values != others.take(other[row]).values
        is_found[row] = ~np.logical_or.reduceat(differs, same.offsets[:-1])
    return is_found


@dataclass(frozen=True)
class SentenceCells:
    """The ids in the sentences of the references.

    A *cell* is an id in a sentence that has it; cells are ordered by id, then sentence.

    Parameters
    ----------
    reference : SentenceSide
    sentence : Ragged of int64, one row per id
        The sentence of each cell, ascending in a row.
    masks : Ragged of uint64, one row per cell
        Where in the sentence the id stands, as many words as a field of `PackedLanes`.
        None for a sentence of more than `MAX_PACKED_BITS` tokens.
    token : Ragged of int64, one row per cell
        Where the id stands among the tokens of all sentences.
    """

    reference: SentenceSide
    sentence: Ragged
    masks: Ragged
    token: Ragged

    @classmethod
    def of_sentences(
        cls, reference: SentenceSide, is_wanted: np.ndarray, n_ids: int
    ) -> SentenceCells:
        """Return the cells of some sentences.

        `is_wanted` says which: ndarray of bool, shape (n_sentences,).
        """
        ids = reference.ids
        token = is_wanted.repeat(ids.lengths).nonzero()[0]
        order, token_id = sorted_with_order(ids.values.take(token))
        token = token.take(order)  # by id, then by sentence
        sentence = ids.row_of_value.take(token)
        is_first = differ_from_last(token_id) | differ_from_last(sentence)
        first = is_first.nonzero()[0]
        sentence = sentence.take(first)
        n_bits = ids.lengths.take(sentence)
        n_words = np.where(n_bits <= MAX_PACKED_BITS, words_of_field(n_bits), 0)
        n_cells = np.bincount(token_id.take(first), minlength=n_ids)
        position = ids.position_in_row.take(token)
        return cls(
            reference=reference,
            sentence=Ragged(sentence, offsets_of_lengths(n_cells)),
            masks=sorted_masks(is_first.cumsum() - 1, position, n_words),
            token=Ragged(token, np.append(first, len(token))),
        )

    def of_range(self, ids: np.ndarray, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the first cell of each id in the sentences first..end-1, and how many."""
        n_sentences = self.reference.ids.n_rows
        key = self.sentence.row_of_value * n_sentences + self.sentence.values
        start, stop = (key.searchsorted(ids * n_sentences + sentence) for sentence in (first, end))
        return start, stop - start


@dataclass(frozen=True)
class MatchingLanes:
    """Lanes of a sentence of the prediction and one of the reference that match.

    Parameters
    ----------
    prediction : SentenceSide
    cells : SentenceCells
    cell : Ragged of int64, one row per lane
        The cell of each entry, a token of the prediction that the other sentence has.
    token : ndarray of int64, shape (n_entries,)
        Where the token of each entry stands in `prediction.ids`.
    reference_sentence : ndarray of int64, shape (n_lanes,)
    """

    prediction: SentenceSide
    cells: SentenceCells
    cell: Ragged
    token: np.ndarray
    reference_sentence: np.ndarray

    @property
    def prediction_sentence(self) -> np.ndarray:
        """The sentence of the prediction, ndarray of int64, shape (n_lanes,)."""
        return self.prediction.ids.row_of_value[self.token[self.cell.offsets[:-1]]]

    @property
    def n_bits(self) -> np.ndarray:
        """Tokens of the sentence of the reference, ndarray of int64, shape (n_lanes,)."""
        return self.cells.reference.ids.lengths[self.reference_sentence]

    @property
    def is_before_gap(self) -> np.ndarray:
        """Whether tokens without a match follow each entry in the same sentence."""
        has_next_entry = np.zeros(len(self.token), dtype=bool)
        np.equal(self.token[1:], self.token[:-1] + 1, out=has_next_entry[:-1])
        has_next_entry[self.cell.offsets[1:] - 1] = False
        ids = self.prediction.ids
        is_last = np.zeros(len(ids.values), dtype=bool)
        is_last[ids.offsets[1:] - 1] = True
        is_before_gap = self.prediction.is_before_gap[self.token]
        return is_before_gap | ~(has_next_entry | is_last[self.token])

    def take(self, lanes: np.ndarray) -> MatchingLanes:
        """Return some of the lanes."""
        index, offsets = self.cell.index_of_rows(lanes)
        return MatchingLanes(
            self.prediction,
            self.cells,
            Ragged(self.cell.values[index], offsets),
            self.token[index],
            self.reference_sentence[lanes],
        )


@dataclass(frozen=True)
class Entries:
    """Matching tokens of some sentences of the prediction, before they are sorted.

    Parameters
    ----------
    pair : ndarray of int64, shape (n_entries,)
        Number of a sentence of the prediction and one of its reference: all sentences of
        a reference come with the first sentence, then with the next one.
    cell : ndarray of int64, shape (n_entries,)
    n_pairs : int
        Numbers are below this.
    """

    pair: np.ndarray
    cell: np.ndarray
    n_pairs: int


# Returns of each pair of sentences whether it is needed, ndarray of bool.
LaneFilter = Callable[[Entries], np.ndarray]


def matching_lanes(
    cells: SentenceCells, prediction: SentenceSide, is_needed: LaneFilter | None = None
) -> Iterator[MatchingLanes]:
    """Yield the lanes of sentences of the prediction with the cells, some at a time.

    A text that has too many for once comes in several rounds. The filter is asked in each
    of them, so that it can tell from what the lanes before gave.
    """
    n_cells = cells.sentence.lengths[prediction.ids.values]
    n_entries = np.diff(offsets_of_lengths(n_cells)[prediction.ids.offsets])
    n_of_text = np.bincount(prediction.sentences.text, weights=n_entries)
    has_many = n_of_text[prediction.sentences.text] > _MAX_ENTRIES
    for first, end in batches(n_entries, _MAX_ENTRIES):
        token = slice(*prediction.ids.offsets[[first, end]].tolist())
        ids = prediction.ids.values[token]
        if n_entries[first] <= _MAX_ENTRIES:
            ranges = [(cells.sentence.offsets[ids], n_cells[token])]
        else:
            ranges = [cells.of_range(ids, *part) for part in _parts_of_lanes(cells, ids)]
        lane_filter = is_needed if has_many[first] else None
        for first_cell, n_cells_of_token in ranges:
            if not n_cells_of_token.any():
                continue
            lanes = _lanes_of_tokens(
                *(prediction, cells, token.start, first_cell, n_cells_of_token), lane_filter
            )
            if len(lanes.token):
                yield lanes


def _parts_of_lanes(cells: SentenceCells, ids: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield ranges of sentences in which the tokens of a long sentence have few matches.

    `ids` has the tokens of the long sentence.
    """
    distinct, n_tokens = np.unique(ids, return_counts=True)
    rows = cells.sentence.take(distinct)
    weight = n_tokens[rows.row_of_value]
    return batches(np.bincount(rows.values, weights=weight), _MAX_ENTRIES)


def _lanes_of_tokens(
    prediction: SentenceSide,
    cells: SentenceCells,
    first_token: int,
    first_cell: np.ndarray,
    n_cells: np.ndarray,
    is_needed: LaneFilter | None,
) -> MatchingLanes:
    """Return the lanes of consecutive tokens of predictions, given their cells."""
    offsets = offsets_of_lengths(n_cells)
    token = np.arange(len(n_cells)).repeat(n_cells)
    cell = (first_cell - offsets[:-1])[token]
    cell += np.arange(len(token))
    sentence = prediction.ids.row_of_value[first_token : first_token + len(n_cells)]
    text = prediction.sentences.text[sentence[0] : sentence[-1] + 1]
    of_text = cells.reference.sentences.of_text
    first_pair = offsets_of_lengths(of_text.lengths[text])
    distance = first_pair[:-1] - of_text.offsets[text]  # from a sentence to its pair
    key = distance[sentence - sentence[0]].take(token)
    key += cells.sentence.values.take(cell)
    n_pairs = int(first_pair[-1])
    if is_needed is not None and n_pairs <= _MAX_FILTERED:
        kept = is_needed(Entries(key, cell, n_pairs))[key].nonzero()[0]
        key, cell, token = key[kept], cell[kept], token[kept]
    order, key = sorted_with_order(key)
    start = differ_from_last(key).nonzero()[0]
    cell = cell.take(order)
    return MatchingLanes(
        prediction,
        cells,
        Ragged(cell, np.append(start, len(order))),
        first_token + token.take(order),
        cells.sentence.values.take(cell.take(start)),
    )
