"""Token ids -> union LCS of pairs, sentence by sentence.

For each sentence of the reference the union LCS takes the positions that its LCS with
any sentence of the prediction takes; of these, those count that clipped unigram counts
allow (Lin 2004, section 3.2, https://aclanthology.org/W04-1013). Which of several LCS
is taken follows rouge_score (`_backtrack_norec`).

The idea of the vectorisation: a lane is a sentence of the reference with a sentence of
the prediction that have a token in common, and holds only those tokens of the
prediction that match. Such matches are found by one sort; rows of all tables and the
way back through them are those of `lcs_rows.py`. Python loops run over tokens. Only the
longest sentences are taken one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from .lcs import MAX_PACKED_WORDS, MIN_LANES_IN_WORDS, lcs_lengths_of_pairs
from .lcs_rows import (
    EXACT_BITS,
    WORD_BITS,
    Lanes,
    LongLane,
    PackedLanes,
    bit_counts,
    bit_positions,
    rows_behind,
    sorted_masks,
    taken_in_words,
    words_of_field,
)
from .ragged import (
    Ragged,
    batches,
    offsets_of_lengths,
    sorted_with_order,
    sums_of_groups,
)
from .tokens import ABSENT, Sentences, SharedTokens, Tokens

_MAX_ENTRIES = 1 << 16  # matching tokens of the lanes that are found together
_MAX_PACKED_BITS = 1 << 12  # in a sentence whose lanes are not taken one by one


def union_lcs_lengths(
    tokens: SharedTokens, lcs_lengths: np.ndarray | None = None
) -> np.ndarray:
    """Return the clipped union LCS of each pair, ndarray of int64, shape (n_pairs,).

    Where both sides have one sentence it is the LCS, whose tokens no clipping takes
    away. `lcs_lengths` has that of each pair, if it is known.
    """
    sides = [_Side.of_tokens(side) for side in tokens.sides]
    has_several = np.any([side.sentences.n_of_text > 1 for side in sides], axis=0)
    lengths = np.zeros(tokens.n_items, dtype=np.int64)
    if has_several.any():
        lengths = _clipped_lengths(tokens, _union_mask(tokens, has_several, *sides))
    of_one_sentence = np.flatnonzero(~has_several)
    if not len(of_one_sentence):
        return lengths
    if lcs_lengths is None:
        lengths[of_one_sentence] = lcs_lengths_of_pairs(tokens, of_one_sentence)
    else:
        lengths[of_one_sentence] = lcs_lengths[of_one_sentence]
    return lengths


def _clipped_lengths(tokens: SharedTokens, mask: np.ndarray) -> np.ndarray:
    """Return how many of the tokens in `mask` clipping leaves to each pair."""
    prediction_id = tokens.prediction.ids.values
    n_taken = np.bincount(tokens.reference.ids.values[mask], minlength=tokens.n_ids)
    n_in_prediction = np.bincount(
        prediction_id[prediction_id != ABSENT], minlength=tokens.n_ids
    )
    n_clipped = np.minimum(n_taken, n_in_prediction)
    return sums_of_groups(n_clipped, tokens.item_of_id, tokens.n_items)


def union_lcs_mask(tokens: SharedTokens) -> np.ndarray:
    """Return which tokens of the references the union LCS takes, before any clipping.

    Those are the tokens in the LCS of their sentence and some sentence of the
    prediction. Result: ndarray of bool, shape (n_tokens,).
    """
    sides = (_Side.of_tokens(side) for side in tokens.sides)
    return _union_mask(tokens, np.ones(tokens.n_items, dtype=bool), *sides)


def best_sentence_lcs_lengths(tokens: SharedTokens) -> tuple[np.ndarray, np.ndarray]:
    """Return the summed LCS of each sentence with the best one of the other side.

    Returns
    -------
    of_prediction, of_reference : ndarray of int64, shape (n_pairs,)
        The sum over the prediction's sentences of the longest LCS with one of the
        reference, and the same from the other side.
    """
    prediction, reference = (_Side.of_tokens(side) for side in tokens.sides)
    all_pairs = np.ones(tokens.n_items, dtype=bool)
    longest = [
        np.zeros(len(side.sentences.text), dtype=np.int64)
        for side in (prediction, reference)
    ]
    for lanes in _matching_sentences(tokens, all_pairs, prediction, reference):
        for way, some in _by_way(lanes):
            lengths = _LENGTHS_OF_WAY[way](some)
            np.maximum.at(longest[0], some.prediction_sentence, lengths)
            np.maximum.at(longest[1], some.reference_sentence, lengths)
    of_prediction, of_reference = (
        sums_of_groups(lengths, side.sentences.text, tokens.n_items)
        for lengths, side in zip(longest, (prediction, reference), strict=True)
    )
    return of_prediction, of_reference


def _union_mask(
    tokens: SharedTokens, is_wanted: np.ndarray, prediction: _Side, reference: _Side
) -> np.ndarray:
    """Return `union_lcs_mask` for some pairs; that of the others is false.

    `is_wanted` says which: ndarray of bool, shape (n_pairs,).
    """
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    for lanes in _matching_sentences(tokens, is_wanted, prediction, reference):
        for way, some in _by_way(lanes):
            mask[reference.sentences.place.values[_TAKEN_OF_WAY[way](some)]] = True
    return mask


@dataclass(frozen=True)
class _Side:
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
    def of_tokens(cls, side: Tokens) -> _Side:
        is_shared = side.ids.values != ABSENT
        has_gap_after = np.zeros(len(is_shared), dtype=bool)
        is_same_sentence = side.sentence[1:] == side.sentence[:-1]
        has_gap_after[:-1] = ~is_shared[1:] & is_same_sentence
        sentences = Sentences.of_tokens(side, np.flatnonzero(is_shared))
        is_before_gap = has_gap_after[sentences.place.values]
        return cls(sentences, sentences.ids(side), is_before_gap)


# --- which sentences match, and where -------------------------------------------------


@dataclass(frozen=True)
class _Cells:
    """The ids in the sentences of the references.

    A *cell* is an id in a sentence that has it; cells are ordered by id, then sentence.

    Parameters
    ----------
    reference : _Side
    sentence : Ragged of int64, one row per id
        The sentence of each cell, ascending in a row.
    masks : Ragged of uint64, one row per cell
        Where in the sentence the id stands, as many words as a field of `PackedLanes`.
        None for a sentence of more than `_MAX_PACKED_BITS` tokens.
    """

    reference: _Side
    sentence: Ragged
    masks: Ragged

    @classmethod
    def of_sentences(
        cls, reference: _Side, is_wanted: np.ndarray, n_ids: int
    ) -> _Cells:
        """Return the cells of some sentences, `is_wanted`."""
        ids = reference.ids
        n_sentences = max(ids.n_rows, 1)
        token = np.flatnonzero(is_wanted[ids.row_of_value])
        key = ids.values[token] * n_sentences + ids.row_of_value[token]
        order, key = sorted_with_order(key)
        is_first = _is_first(key)
        cell, key_of_cell = np.cumsum(is_first) - 1, key[is_first]
        sentence = key_of_cell % n_sentences
        n_bits = ids.lengths[sentence]
        n_words = np.where(n_bits <= _MAX_PACKED_BITS, words_of_field(n_bits), 0)
        masks = sorted_masks(cell, ids.position_in_row[token[order]], n_words)
        n_cells = np.bincount(key_of_cell // n_sentences, minlength=n_ids)
        return cls(reference, Ragged(sentence, offsets_of_lengths(n_cells)), masks)

    def of_range(
        self, ids: np.ndarray, first: int, end: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the first cell of each id in the sentences first..end-1, and how many."""
        n_sentences = self.reference.ids.n_rows
        key = self.sentence.row_of_value * n_sentences + self.sentence.values
        start, stop = (
            np.searchsorted(key, ids * n_sentences + sentence)
            for sentence in (first, end)
        )
        return start, stop - start


@dataclass(frozen=True)
class _UnionLanes:
    """Lanes of a sentence of the prediction and one of the reference that match.

    Parameters
    ----------
    prediction : _Side
    cells : _Cells
    cell : Ragged of int64, one row per lane
        The cell of each entry, a token of the prediction that the other sentence has.
    token : ndarray of int64, shape (n_entries,)
        Where the token of each entry stands in `prediction.ids`.
    reference_sentence : ndarray of int64, shape (n_lanes,)
    """

    prediction: _Side
    cells: _Cells
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

    def take(self, lanes: np.ndarray) -> _UnionLanes:
        """Return some of the lanes."""
        index, offsets = self.cell.index_of_rows(lanes)
        return _UnionLanes(
            self.prediction,
            self.cells,
            Ragged(self.cell.values[index], offsets),
            self.token[index],
            self.reference_sentence[lanes],
        )


def _matching_sentences(
    tokens: SharedTokens, is_wanted: np.ndarray, prediction: _Side, reference: _Side
) -> Iterator[_UnionLanes]:
    """Yield the lanes of the wanted pairs, some at a time."""
    is_wanted_sentence = is_wanted[reference.sentences.text]
    cells = _Cells.of_sentences(reference, is_wanted_sentence, tokens.n_ids)
    n_cells = cells.sentence.lengths[prediction.ids.values]
    n_entries = np.diff(offsets_of_lengths(n_cells)[prediction.ids.offsets])
    for first, end in batches(n_entries, _MAX_ENTRIES):
        token = slice(*prediction.ids.offsets[[first, end]].tolist())
        ids = prediction.ids.values[token]
        if n_entries[first] <= _MAX_ENTRIES:
            ranges = [(cells.sentence.offsets[ids], n_cells[token])]
        else:
            ranges = [
                cells.of_range(ids, *part) for part in _parts_of_lanes(cells, ids)
            ]
        for first_cell, n_cells_of_token in ranges:
            if n_cells_of_token.any():
                yield _lanes_of_tokens(
                    prediction, cells, token.start, first_cell, n_cells_of_token
                )


def _parts_of_lanes(cells: _Cells, ids: np.ndarray) -> Iterator[tuple[int, int]]:
    """Yield ranges of sentences in which the tokens of a long sentence have few matches.

    `ids` has the tokens of the long sentence.
    """
    distinct, n_tokens = np.unique(ids, return_counts=True)
    rows = cells.sentence.take(distinct)
    weight = n_tokens[rows.row_of_value]
    return batches(np.bincount(rows.values, weights=weight), _MAX_ENTRIES)


def _lanes_of_tokens(
    prediction: _Side,
    cells: _Cells,
    first_token: int,
    first_cell: np.ndarray,
    n_cells: np.ndarray,
) -> _UnionLanes:
    """Return the lanes of consecutive tokens of predictions, given their cells."""
    offsets = offsets_of_lengths(n_cells)
    token = np.repeat(np.arange(len(n_cells)), n_cells)
    cell = (first_cell - offsets[:-1])[token]
    cell += np.arange(len(token))
    n_sentences = cells.reference.ids.n_rows
    sentence = prediction.ids.row_of_value[first_token : first_token + len(n_cells)]
    key = ((sentence - sentence[0]) * n_sentences)[token]
    key += cells.sentence.values[cell]
    order, key = sorted_with_order(key)
    start = np.flatnonzero(_is_first(key))
    return _UnionLanes(
        prediction,
        cells,
        Ragged(cell[order], np.append(start, len(order))),
        first_token + token[order],
        key[start] % n_sentences,
    )


def _is_first(key: np.ndarray) -> np.ndarray:
    """Return which of some sorted keys differ from the one before, ndarray of bool."""
    is_first = np.ones(len(key), dtype=bool)
    np.not_equal(key[1:], key[:-1], out=is_first[1:])
    return is_first


# --- three ways through the tables ----------------------------------------------------


def _by_way(lanes: _UnionLanes) -> Iterator[tuple[str, _UnionLanes]]:
    """Yield the lanes that go each way: in words, packed, or one by one."""
    n_bits = lanes.n_bits
    n_words = lanes.cell.lengths * words_of_field(n_bits)
    is_long = (n_bits > _MAX_PACKED_BITS) | (n_words > MAX_PACKED_WORDS)
    is_short = ~is_long & (n_bits <= EXACT_BITS)
    if np.count_nonzero(is_short) < MIN_LANES_IN_WORDS:
        is_short[:] = False
    if is_short.all():
        yield "words", lanes
        return
    if is_short.any():
        yield "words", lanes.take(np.flatnonzero(is_short))
    packed = np.flatnonzero(~is_short & ~is_long)
    for first, end in batches(n_words[packed], MAX_PACKED_WORDS):
        yield "packed", lanes.take(packed[first:end])
    for lane in np.flatnonzero(is_long).tolist():
        yield "long", lanes.take(np.array([lane]))


def _in_words(some: _UnionLanes) -> tuple[Lanes, np.ndarray]:
    """Return the lanes, and the mask of each entry as one word."""
    masks = some.cells.masks
    lanes = Lanes.longest_first(some.cell)
    return lanes, masks.values[masks.offsets[some.cell.values[lanes.place]]]


def _packed(some: _UnionLanes) -> PackedLanes:
    lanes = Lanes.longest_first(some.cell)
    masks = some.cells.masks.take(some.cell.values[lanes.place])
    return PackedLanes(lanes, masks, some.n_bits[lanes.order])


def _long_lane(some: _UnionLanes) -> tuple[LongLane, np.ndarray]:
    """Return the only lane, and which tokens of the reference it has: those that match."""
    prediction_id = some.prediction.ids.values[some.token]
    ids = some.cells.reference.ids
    start, end = ids.offsets[some.reference_sentence[0] :][:2]
    matching = start + np.flatnonzero(np.isin(ids.values[start:end], prediction_id))
    return LongLane(prediction_id, ids.values[matching]), matching


def _union_lengths_in_words(some: _UnionLanes) -> np.ndarray:
    lanes, mask = _in_words(some)
    rows = rows_behind(lanes, mask)
    return lanes.in_input_order(bit_counts(~rows[lanes.last_entry]))


def _union_packed_lengths(some: _UnionLanes) -> np.ndarray:
    packed = _packed(some)
    return packed.lanes.in_input_order(packed.lcs_lengths())


def _union_length_of_long_lane(some: _UnionLanes) -> np.ndarray:
    lane, _ = _long_lane(some)
    return np.array([lane.lcs_length()])


def _taken_in_words(some: _UnionLanes) -> np.ndarray:
    lanes, mask = _in_words(some)
    n_bits = some.n_bits[lanes.order]
    taken = taken_in_words(lanes, mask, some.is_before_gap[lanes.place], n_bits)
    return _taken_tokens(some, lanes, taken, np.arange(len(taken) + 1))


def _taken_in_packed_lanes(some: _UnionLanes) -> np.ndarray:
    packed = _packed(some)
    taken = packed.taken(some.is_before_gap[packed.lanes.place])
    return _taken_tokens(some, packed.lanes, taken, packed.first_word)


def _taken_tokens(
    some: _UnionLanes, lanes: Lanes, taken: np.ndarray, first_word: np.ndarray
) -> np.ndarray:
    """Return where the taken tokens stand, given their bits in the words of each lane."""
    bit = bit_positions(taken)
    sentence = some.reference_sentence[lanes.order]
    distance = some.cells.reference.ids.offsets[sentence] - WORD_BITS * first_word[:-1]
    distance_of_word = np.repeat(distance, np.diff(first_word))
    return bit + distance_of_word[bit // WORD_BITS]


def _taken_in_long_lane(some: _UnionLanes) -> np.ndarray:
    lane, tokens = _long_lane(some)
    return tokens[lane.taken(some.is_before_gap)]


_LENGTHS_OF_WAY: dict[str, Callable[[_UnionLanes], np.ndarray]] = {
    "words": _union_lengths_in_words,
    "packed": _union_packed_lengths,
    "long": _union_length_of_long_lane,
}
# Each returns where the tokens that the LCS takes stand among those of all sentences.
_TAKEN_OF_WAY: dict[str, Callable[[_UnionLanes], np.ndarray]] = {
    "words": _taken_in_words,
    "packed": _taken_in_packed_lanes,
    "long": _taken_in_long_lane,
}
