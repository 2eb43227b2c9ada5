"""Token ids -> union LCS of pairs, sentence by sentence.

For each sentence of the reference the union LCS takes the positions that its LCS with
any sentence of the prediction takes; of these, those count that clipped unigram counts
allow (Lin 2004, section 3.2, https://aclanthology.org/W04-1013). Which of several LCS
is taken follows rouge_score (`_backtrack_norec`).

The idea of the vectorisation is that of `lcs.py`; the rows of all tables are kept, and
the way back through them is found in all tables at once, one row at a time. Python
loops run over tokens. Only sentences of the reference beyond one machine word are taken
one by one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .lcs import (
    WORD_BITS,
    Lanes,
    LongLane,
    lcs_lengths,
    lcs_lengths_of_pairs,
    low_bits,
    position_masks,
)
from .ragged import Ragged, batches, offsets_of_lengths, sums_of_groups
from .tokens import (
    ABSENT,
    Sentences,
    SharedTokens,
    Tokens,
    sentence_lanes,
    shared_tokens,
)

_MAX_UNION_ROWS = 1 << 18  # rows of all lanes that are kept for the way back
# Where sentences are so long that few of them make up these rows:
_MIN_LANES_OF_BATCH = 128
_MAX_ROWS_OF_FEW_LANES = 1 << 21


def union_lcs_lengths(tokens: SharedTokens) -> np.ndarray:
    """Return the clipped union LCS of each pair, ndarray of int64, shape (n_pairs,).

    Where both sides have one sentence it is the LCS, whose tokens no clipping takes
    away.
    """
    sides = [_UnionSide.of_tokens(side) for side in tokens.sides]
    has_several = np.any([side.sentences.n_of_text > 1 for side in sides], axis=0)
    mask = _union_mask(tokens, has_several, *sides)
    prediction_id = tokens.prediction.ids.values
    n_taken = np.bincount(tokens.reference.ids.values[mask], minlength=tokens.n_ids)
    n_in_prediction = np.bincount(
        prediction_id[prediction_id != ABSENT], minlength=tokens.n_ids
    )
    n_clipped = np.minimum(n_taken, n_in_prediction)
    lengths = sums_of_groups(n_clipped, tokens.item_of_id, tokens.n_items)
    of_one_sentence = np.flatnonzero(~has_several)
    lengths[of_one_sentence] = lcs_lengths_of_pairs(tokens, of_one_sentence)
    return lengths


def union_lcs_mask(tokens: SharedTokens) -> np.ndarray:
    """Return which tokens of the references the union LCS takes, before any clipping.

    Those are the tokens in the LCS of their sentence and some sentence of the
    prediction. Result: ndarray of bool, shape (n_tokens,).
    """
    sides = (_UnionSide.of_tokens(side) for side in tokens.sides)
    return _union_mask(tokens, np.ones(tokens.n_items, dtype=bool), *sides)


def best_sentence_lcs_lengths(tokens: SharedTokens) -> tuple[np.ndarray, np.ndarray]:
    """Return the summed LCS of each sentence with the best one of the other side.

    Returns
    -------
    of_prediction, of_reference : ndarray of int64, shape (n_pairs,)
        The sum over the prediction's sentences of the longest LCS with one of the
        reference, and the same from the other side.
    """
    sides = [Sentences.of_shared_tokens(side) for side in tokens.sides]
    longest = [np.zeros(len(side.text), dtype=np.int64) for side in sides]
    for prediction_sentence, reference_sentence in sentence_lanes(*sides):
        lane_sentences = (prediction_sentence, reference_sentence)
        prediction, reference = (
            _texts_of_sentences(sentences.place.take(chosen), side)
            for sentences, chosen, side in zip(
                sides, lane_sentences, tokens.sides, strict=True
            )
        )
        lengths = lcs_lengths(shared_tokens(prediction, reference))
        for k, chosen in enumerate(lane_sentences):
            np.maximum.at(longest[k], chosen, lengths)
    of_prediction, of_reference = (
        sums_of_groups(lengths, side.text, tokens.n_items)
        for lengths, side in zip(longest, sides, strict=True)
    )
    return of_prediction, of_reference


def _texts_of_sentences(place: Ragged, side: Tokens) -> Tokens:
    """Return the tokens that stand at these places, each row as a text of its own."""
    ids = place.with_values(side.ids.values[place.values])
    return Tokens(ids, place.row_of_value, side.n_types)


# --- the tables and the way back -----------------------------------------------------


@dataclass(frozen=True)
class _UnionSide:
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
    def of_tokens(cls, side: Tokens) -> _UnionSide:
        is_shared = side.ids.values != ABSENT
        has_gap_after = np.zeros(len(is_shared), dtype=bool)
        is_same_sentence = side.sentence[1:] == side.sentence[:-1]
        has_gap_after[:-1] = ~is_shared[1:] & is_same_sentence
        sentences = Sentences.of_tokens(side, np.flatnonzero(is_shared))
        is_before_gap = has_gap_after[sentences.place.values]
        return cls(sentences, sentences.ids(side), is_before_gap)


def _union_mask(
    tokens: SharedTokens,
    is_wanted: np.ndarray,
    prediction: _UnionSide,
    reference: _UnionSide,
) -> np.ndarray:
    """Return `union_lcs_mask` for some pairs; that of the others is false.

    `is_wanted` says which: ndarray of bool, shape (n_pairs,).
    """
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    pair = reference.sentences.text
    is_long = reference.ids.lengths > WORD_BITS
    for sentence in np.flatnonzero(is_long & is_wanted[pair]).tolist():
        place, is_taken = _taken_in_long_sentence(prediction, reference, sentence)
        mask[place] = is_taken
    short = np.flatnonzero(~is_long & is_wanted[pair])
    # Rows of all lanes of a sentence of the reference together:
    offsets = prediction.ids.offsets[prediction.sentences.of_text.offsets]
    n_rows = np.diff(offsets)[pair[short]]
    longest = int(prediction.ids.lengths.max(initial=0))
    rows_of_few_lanes = min(_MIN_LANES_OF_BATCH * longest, _MAX_ROWS_OF_FEW_LANES)
    for first, end in batches(n_rows, max(_MAX_UNION_ROWS, rows_of_few_lanes)):
        place, is_taken = _taken_in_short_sentences(
            prediction, reference, short[first:end], tokens.item_of_id
        )
        mask[place] = is_taken
    return mask


def _taken_in_short_sentences(
    prediction: _UnionSide,
    reference: _UnionSide,
    sentences: np.ndarray,
    pair_of_id: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return where the tokens of some sentences stand, and which of them are taken.

    The sentences are of references and fit into one word. `LongLane.taken_positions` is
    the same for one lane, step by step.
    """
    index, offsets = reference.ids.index_of_rows(sentences)
    chosen = Ragged(reference.ids.values[index], offsets)
    pair = reference.sentences.text[sentences]

    # Lanes: each of these sentences with each sentence of its pair's prediction.
    prediction_sentence, lane_offsets = prediction.sentences.of_text.index_of_rows(pair)
    lanes = Lanes.longest_first(prediction.ids, prediction_sentence)
    n_lanes = len(prediction_sentence)
    sentence_of_lane = np.repeat(np.arange(len(sentences)), np.diff(lane_offsets))[
        lanes.order
    ]

    # The mask of token t in the k-th of these sentences of its pair stands at
    # first_mask[t] + k.
    number_in_pair = np.arange(len(pair)) - np.searchsorted(pair, pair)
    n_of_pair = np.bincount(pair, minlength=prediction.sentences.of_text.n_rows)
    first_mask = offsets_of_lengths(n_of_pair[pair_of_id])
    mask_index = first_mask[chosen.values] + number_in_pair[chosen.row_of_value]
    mask_of = position_masks(
        mask_index, chosen.position_in_row, int(first_mask[-1]), 1
    )[0]
    number_in_pair = number_in_pair[sentence_of_lane]

    # Forward: the rows of each table, as in `_lcs_lengths_in_words`.
    row = np.full(n_lanes, ~np.uint64(0))
    steps = []
    for n_active, place in lanes.steps():
        mask = mask_of[
            first_mask[prediction.ids.values[place]] + number_in_pair[:n_active]
        ]
        match = row[:n_active] & mask
        row[:n_active] = (row[:n_active] + match) | (row[:n_active] - match)
        steps.append((n_active, place, mask, row[:n_active].copy()))

    # Back: `below` are the positions not yet passed. In each row go down to the highest
    # of them that is a match, or where the bit is 0 and so the LCS grew; a match is
    # taken and passed.
    below = low_bits(chosen.lengths[sentence_of_lane])
    shifts = [
        np.uint64(1 << k)
        for k in range((int(chosen.lengths.max(initial=1)) - 1).bit_length())
    ]
    taken = np.zeros(n_lanes, dtype=np.uint64)
    for n_active, place, mask, row in reversed(steps):
        stop = ~row | np.where(prediction.is_before_gap[place], np.uint64(0), mask)
        stop &= below[:n_active]
        for shift in shifts:  # now all bits up to the highest one
            stop |= stop >> shift
        match = stop & ~(stop >> np.uint64(1)) & mask
        taken[:n_active] |= match
        below[:n_active] = stop ^ match

    taken_of_sentence = np.zeros(len(sentences), dtype=np.uint64)
    has_lanes = np.diff(lane_offsets) > 0
    if n_lanes:
        taken_of_sentence[has_lanes] = np.bitwise_or.reduceat(
            lanes.in_input_order(taken), lane_offsets[:-1][has_lanes]
        )
    bit = taken_of_sentence[chosen.row_of_value] >> chosen.position_in_row.astype(
        np.uint64
    )
    return reference.sentences.place.values[index], (bit & np.uint64(1)).astype(bool)


def _taken_in_long_sentence(
    prediction: _UnionSide, reference: _UnionSide, sentence: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same for one sentence of any length."""
    tokens = slice(*reference.ids.offsets[sentence : sentence + 2])
    taken = 0
    for partner in prediction.sentences.of_text.take(
        reference.sentences.text[[sentence]]
    ).values:
        partner_tokens = slice(*prediction.ids.offsets[partner : partner + 2])
        lane = LongLane.of_ids(
            prediction.ids.values[partner_tokens], reference.ids.values[tokens]
        )
        taken |= lane.taken_positions(prediction.is_before_gap[partner_tokens])
    place = reference.sentences.place.values[tokens]
    return place, np.array(
        [taken >> position & 1 for position in range(len(place))], dtype=bool
    )
