"""Token ids -> union LCS of pairs, sentence by sentence.

For each sentence of the reference the union LCS takes the positions that its LCS with
any sentence of the prediction takes; of these, those count that clipped unigram counts
allow (Lin 2004, section 3.2, https://aclanthology.org/W04-1013). Which of several LCS
is taken follows rouge_score (`_backtrack_norec`).

The idea of the vectorisation: the lanes of `kernels/lcs/lanes.py`, sentences with a token
in common, are taken side by side; rows of all tables and the way back through them are
those of `kernels/lcs/rows.py` and `kernels/lcs/integers.py`. Python loops run over tokens. The longest
sentences are taken one by one, and so are those of few pairs (`plain.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ...arrays import batches, sums_of_groups
from ...plain import union_lcs_length as plain_union_lcs_length
from ...tokens import ABSENT, Sentences, SharedTokens
from .integers import LongLane, PackedLanes, words_of_field
from .lanes import (
    MAX_PACKED_BITS,
    Entries,
    MatchingLanes,
    SentenceCells,
    SentenceSide,
    are_found,
    matching_lanes,
)
from .lengths import MAX_PACKED_WORDS, MIN_LANES_IN_WORDS, lcs_lengths_of_pairs
from .rows import (
    EXACT_BITS,
    WORD_BITS,
    Lanes,
    bit_counts,
    bit_positions,
    rows_behind,
    taken_in_words,
)

# Steps, each a token of a prediction in a sentence of its reference, at which columns and
# pair by pair cost the same.
_MAX_PLAIN_STEPS = 2000


def union_lcs_lengths(tokens: SharedTokens, lcs_lengths: np.ndarray | None = None) -> np.ndarray:
    """Return the clipped union LCS of each pair, ndarray of int64, shape (n_pairs,).

    Where both sides have one sentence it is the LCS, whose tokens no clipping takes
    away. `lcs_lengths` has that of each pair, if it is known.
    """
    shared = [Sentences.of_shared_tokens(side) for side in tokens.sides]
    n_sentences = [sentences.n_of_text for sentences in shared]
    has_several = np.maximum(*n_sentences) > 1
    lengths = np.zeros(tokens.n_items, dtype=np.int64)
    if has_several.any():
        pairs = has_several.nonzero()[0]
        n_steps = tokens.prediction.ids.lengths[pairs] @ n_sentences[1][pairs]
        if n_steps <= _MAX_PLAIN_STEPS:
            lengths[pairs] = _plain_lengths(tokens, shared[1], pairs.tolist())
        else:
            sides = map(SentenceSide.of_sentences, tokens.sides, shared)
            lengths = _clipped_lengths(tokens, _union_mask(tokens, has_several, *sides))
    of_one_sentence = (~has_several).nonzero()[0]
    if not len(of_one_sentence):
        return lengths
    if lcs_lengths is None:
        lengths[of_one_sentence] = lcs_lengths_of_pairs(tokens, of_one_sentence)
    else:
        lengths[of_one_sentence] = lcs_lengths[of_one_sentence]
    return lengths


def _plain_lengths(tokens: SharedTokens, reference: Sentences, pairs: list[int]) -> list[int]:
    """Return the clipped union LCS of some pairs, counted one by one.

    `reference` has the shared tokens only: in predictions those that the other side
    lacks are needed, where they lie between others.
    """
    prediction = Sentences.of_tokens(tokens.prediction)
    texts = []
    for sentences, side in zip((prediction, reference), tokens.sides, strict=True):
        ids, offsets = (sentences.ids(side).to_lists(), sentences.of_text.offsets.tolist())
        texts.append([ids[offsets[pair] : offsets[pair + 1]] for pair in pairs])
    return list(map(plain_union_lcs_length, *texts))


def _clipped_lengths(tokens: SharedTokens, mask: np.ndarray) -> np.ndarray:
    """Return how many of the tokens in `mask` clipping leaves to each pair."""
    prediction_id = tokens.prediction.ids.values
    n_taken = np.bincount(tokens.reference.ids.values[mask], minlength=tokens.n_ids)
    n_in_prediction = np.bincount(prediction_id[prediction_id != ABSENT], minlength=tokens.n_ids)
    n_clipped = np.minimum(n_taken, n_in_prediction)
    return sums_of_groups(n_clipped, tokens.item_of_id, tokens.n_items)


def union_lcs_mask(tokens: SharedTokens) -> np.ndarray:
    """Return which tokens of the references the union LCS takes, before any clipping.

    Those are the tokens in the LCS of their sentence and some sentence of the
    prediction. Result: ndarray of bool, shape (n_tokens,).
    """
    sides = (SentenceSide.of_tokens(side) for side in tokens.sides)
    return _union_mask(tokens, np.ones(tokens.n_items, dtype=bool), *sides)


def best_sentence_lcs_lengths(tokens: SharedTokens) -> tuple[np.ndarray, np.ndarray]:
    """Return the summed LCS of each sentence with the best one of the other side.

    Returns
    -------
    of_prediction, of_reference : ndarray of int64, shape (n_pairs,)
        The sum over the prediction's sentences of the longest LCS with one of the
        reference, and the same from the other side.
    """
    prediction, reference = (SentenceSide.of_tokens(side) for side in tokens.sides)
    all_sentences = np.ones(reference.ids.n_rows, dtype=bool)
    cells = SentenceCells.of_sentences(reference, all_sentences, tokens.n_ids)
    longest = [
        np.zeros(len(side.sentences.text), dtype=np.int64) for side in (prediction, reference)
    ]
    for lanes in matching_lanes(cells, prediction):
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
    tokens: SharedTokens, is_wanted: np.ndarray, prediction: SentenceSide, reference: SentenceSide
) -> np.ndarray:
    """Return `union_lcs_mask` for some pairs; what it has of the others means nothing.

    `is_wanted` says which: ndarray of bool, shape (n_pairs,). Of a sentence that stands
    in the prediction all tokens are taken, whatever its other sentences are, so its
    tables are left out.
    """
    is_whole = are_found(reference.ids, prediction.ids)
    is_taken = is_whole.repeat(reference.ids.lengths)
    is_open = is_wanted[reference.sentences.text] & ~is_whole
    cells = SentenceCells.of_sentences(reference, is_open, tokens.n_ids)

    def may_take_more(entries: Entries) -> np.ndarray:
        """An LCS takes tokens that match: it adds none where all of them are taken."""
        is_left = np.zeros(cells.token.n_rows, dtype=bool)
        left = (~is_taken[cells.token.values]).nonzero()[0]
        is_left[cells.token.row_of_value[left]] = True
        is_needed = np.zeros(entries.n_pairs, dtype=bool)
        is_needed[entries.pair[is_left[entries.cell].nonzero()[0]]] = True
        return is_needed

    for lanes in matching_lanes(cells, prediction, may_take_more):
        for way, some in _by_way(lanes):
            is_taken[_TAKEN_OF_WAY[way](some)] = True
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    mask[reference.sentences.place.values[is_taken]] = True
    return mask


# --- three ways through the tables ----------------------------------------------------


def _by_way(lanes: MatchingLanes) -> Iterator[tuple[str, MatchingLanes]]:
    """Yield the lanes that go each way: in words, packed, or one by one."""
    n_bits = lanes.n_bits
    n_words = lanes.cell.lengths * words_of_field(n_bits)
    is_long = (n_bits > MAX_PACKED_BITS) | (n_words > MAX_PACKED_WORDS)
    is_short = ~is_long & (n_bits <= EXACT_BITS)
    if np.count_nonzero(is_short) < MIN_LANES_IN_WORDS:
        is_short[:] = False
    if is_short.all():
        yield "words", lanes
        return
    if is_short.any():
        yield "words", lanes.take(is_short.nonzero()[0])
    packed = (~is_short & ~is_long).nonzero()[0]
    for first, end in batches(n_words[packed], MAX_PACKED_WORDS):
        yield "packed", lanes.take(packed[first:end])
    for lane in is_long.nonzero()[0].tolist():
        yield "long", lanes.take(np.array([lane]))


def _in_words(some: MatchingLanes) -> tuple[Lanes, np.ndarray]:
    """Return the lanes, and the mask of each entry as one word."""
    masks = some.cells.masks
    lanes = Lanes.longest_first(some.cell)
    return lanes, masks.values[masks.offsets[some.cell.values[lanes.place]]]


def _packed(some: MatchingLanes) -> PackedLanes:
    lanes = Lanes.longest_first(some.cell)
    masks = some.cells.masks.take(some.cell.values[lanes.place])
    return PackedLanes(lanes, masks, some.n_bits[lanes.order])


def _long_lane(some: MatchingLanes) -> tuple[LongLane, np.ndarray]:
    """Return the only lane, and which tokens of the reference it has: those that match."""
    prediction_id = some.prediction.ids.values[some.token]
    ids = some.cells.reference.ids
    start, end = ids.offsets[some.reference_sentence[0] :][:2]
    matching = start + np.isin(ids.values[start:end], prediction_id).nonzero()[0]
    return LongLane(prediction_id, ids.values[matching]), matching


def _union_lengths_in_words(some: MatchingLanes) -> np.ndarray:
    lanes, mask = _in_words(some)
    rows = rows_behind(lanes, mask)
    return lanes.in_input_order(bit_counts(~rows[lanes.last_entry]))


def _union_packed_lengths(some: MatchingLanes) -> np.ndarray:
    packed = _packed(some)
    return packed.lanes.in_input_order(packed.lcs_lengths())


def _union_length_of_long_lane(some: MatchingLanes) -> np.ndarray:
    lane, _ = _long_lane(some)
    return np.array([lane.lcs_length()])


def _taken_in_words(some: MatchingLanes) -> np.ndarray:
    lanes, mask = _in_words(some)
    n_bits = some.n_bits[lanes.order]
    taken = taken_in_words(lanes, mask, some.is_before_gap[lanes.place], n_bits)
    return _taken_tokens(some, lanes, taken, np.arange(len(taken) + 1))


def _taken_in_packed_lanes(some: MatchingLanes) -> np.ndarray:
    packed = _packed(some)
    taken = packed.taken(some.is_before_gap[packed.lanes.place])
    return _taken_tokens(some, packed.lanes, taken, packed.first_word)


def _taken_tokens(
    some: MatchingLanes, lanes: Lanes, taken: np.ndarray, first_word: np.ndarray
) -> np.ndarray:
    """Return where the taken tokens stand, given their bits in the words of each lane."""
    bit = bit_positions(taken)
    sentence = some.reference_sentence[lanes.order]
    distance = some.cells.reference.ids.offsets[sentence] - WORD_BITS * first_word[:-1]
    distance_of_word = distance.repeat(np.diff(first_word))
    return bit + distance_of_word[bit // WORD_BITS]


def _taken_in_long_lane(some: MatchingLanes) -> np.ndarray:
    lane, tokens = _long_lane(some)
    return tokens[lane.taken(some.is_before_gap)]


_LENGTHS_OF_WAY: dict[str, Callable[[MatchingLanes], np.ndarray]] = {
    "words": _union_lengths_in_words,
    "packed": _union_packed_lengths,
    "long": _union_length_of_long_lane,
}
# Each returns where the tokens that the LCS takes stand among those of all sentences.
_TAKEN_OF_WAY: dict[str, Callable[[MatchingLanes], np.ndarray]] = {
    "words": _taken_in_words,
    "packed": _taken_in_packed_lanes,
    "long": _taken_in_long_lane,
}
