"""Token ids -> longest common subsequences: LCS, union LCS and weighted LCS of pairs.

    LCS         length of the longest common subsequence (Lin 2004, section 3.1,
    https://aclanthology.org/W04-1013) union LCS   for each sentence of the reference,
    the positions that the LCS with any sentence of the prediction takes; of these,
    those that
                clipped unigram counts allow (section 3.2). Which of several LCS is
                taken follows rouge_score (`_backtrack_norec`)
    WLCS        each run of k consecutive matches counts f(k) = k^w (section 4). On a
    match the cell is always reached on the diagonal, as in
                the paper's program, although another way may be worth more

The idea of the vectorisation: the cells of an LCS table differ from their neighbours by
0 or 1, so a row of it is a row of bits (Hyyro 2004, "Bit-parallel LCS-length
computation revisited"), and the rows of thousands of pairs lie side by side as machine
words. WLCS has real cells; there the cells of one anti-diagonal depend on the two
before only, and those of many pairs are computed at once. Python loops run over tokens,
words of 64 bits and anti-diagonals. Only texts beyond `_MAX_WORDS` words, and for the
union sentences beyond one word, are taken one by one, with Python's integers as rows of
any length.

A *lane* is one table among those computed side by side: a pair, or a sentence of the
reference with a sentence of the prediction.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isqrt

import numpy as np

from .ngrams import SharedTokens, shared_tokens
from .ragged import Ragged, Tokens, batches, offsets_of_lengths, sums_of_groups

_WORD_BITS = 64
_MAX_WORDS = 8
_MIN_LANES = (
    24  # below so many lanes Python's integers are faster than wide rows in numpy
)
_MAX_UNION_ROWS = 1 << 18  # rows of all lanes that are kept for the way back
_MIN_LANES_OF_BATCH = (
    128  # where sentences are so long that few of them make up these rows
)
_MAX_ROWS_OF_FEW_LANES = 1 << 21
_MAX_LANE_TOKENS = 1 << 20
_MAX_WLCS_CELLS = (
    1 << 15
)  # in the longest anti-diagonals of all lanes together, so that a step stays in the cache
_ONES_OF_BYTE = np.array([bin(byte).count("1") for byte in range(256)], dtype=np.int64)


def lcs_lengths(tokens: SharedTokens) -> np.ndarray:
    """Return the length of the longest common subsequence of each pair, ndarray of
    int64, shape (n_pairs,).
    """
    return _lcs_lengths_of_pairs(tokens, np.arange(tokens.n_items))


def _lcs_lengths_of_pairs(tokens: SharedTokens, wanted: np.ndarray) -> np.ndarray:
    # Tokens that the other side lacks are in no common subsequence.
    prediction, reference = (
        side.ids.keep(side.ids.values >= 0).take(wanted) for side in tokens.sides
    )
    n_words = -(-reference.lengths // _WORD_BITS)
    lengths = np.zeros(len(wanted), dtype=np.int64)
    for width in np.unique(n_words[n_words > 0]).tolist():
        pairs = np.flatnonzero(n_words == width)
        lanes = prediction.take(pairs), reference.take(pairs)
        if width == 1 or (width <= _MAX_WORDS and len(pairs) >= _MIN_LANES):
            lengths[pairs] = _lcs_lengths_in_words(*lanes, width, tokens.n_ids)
        else:
            lengths[pairs] = [
                _LongLane.of_ids(*rows).lcs_length()
                for rows in zip(_rows(lanes[0]), _rows(lanes[1]), strict=True)
            ]
    return lengths


def _lcs_lengths_in_words(
    prediction: Ragged, reference: Ragged, n_words: int, n_ids: int
) -> np.ndarray:
    """Return LCS lengths of pairs whose references take `n_words` words; each reference
    token is one bit of its pair's row.

    After some tokens of the prediction, bit i is 0 where they have a longer LCS with
    the first i + 1 reference tokens than with the first i. So the length is the number
    of 0 bits.
    """
    mask_of_id = _position_masks(
        reference.values, reference.position_in_row, n_ids, n_words
    )
    lanes = _Lanes.longest_first(prediction)
    row = np.full((n_words, prediction.n_rows), ~np.uint64(0))
    for n_active, place in lanes.steps():
        token_id = prediction.values[place]
        carry: np.ndarray | None = None
        for word in range(n_words):
            old = row[word, :n_active]
            match = old & mask_of_id[word, token_id]
            total = old + match
            if n_words > 1:
                overflow = total < old
                if carry is not None:
                    total += carry
                    overflow |= total < carry
                carry = overflow.astype(np.uint64)
            row[word, :n_active] = total | (old - match)
    return lanes.in_input_order(_bit_counts(~row).sum(axis=0))


# --- union LCS ------------------------------------------------------------------------


def union_lcs_lengths(tokens: SharedTokens) -> np.ndarray:
    """Return the clipped union LCS of each pair, ndarray of int64, shape (n_pairs,).

    Where both sides have one sentence it is the LCS, whose tokens no clipping takes
    away.
    """
    has_one_sentence = (_n_shared_sentences(tokens.prediction) <= 1) & (
        _n_shared_sentences(tokens.reference) <= 1
    )
    reference_id = tokens.reference.ids.values[
        union_lcs_mask(tokens, ~has_one_sentence)
    ]
    prediction_id = tokens.prediction.ids.values
    n_taken = np.bincount(reference_id, minlength=tokens.n_ids)
    n_in_prediction = np.bincount(
        prediction_id[prediction_id >= 0], minlength=tokens.n_ids
    )
    lengths = sums_of_groups(
        np.minimum(n_taken, n_in_prediction), tokens.item_of_id, tokens.n_items
    )
    if has_one_sentence.any():
        lengths[has_one_sentence] = _lcs_lengths_of_pairs(
            tokens, np.flatnonzero(has_one_sentence)
        )
    return lengths


def _n_shared_sentences(side: Tokens) -> np.ndarray:
    """Return in how many sentences each text has tokens of the other side, ndarray of
    int64, shape (n_texts,).
    """
    place = np.flatnonzero(side.ids.values >= 0)
    first = place[np.diff(side.sentence[place], prepend=-1) != 0]
    return np.bincount(side.ids.row_of_value[first], minlength=side.ids.n_rows)


def union_lcs_mask(
    tokens: SharedTokens, is_wanted: np.ndarray | None = None
) -> np.ndarray:
    """Return which reference tokens are taken by the LCS of their sentence and some
    sentence of the prediction, ndarray of bool, shape (n_tokens,).

    Pairs that are not wanted, ndarray of bool, shape (n_pairs,), are left out.
    """
    prediction, reference = (_SharedSentences.of_tokens(side) for side in tokens.sides)
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    is_long = reference.ids.lengths > _WORD_BITS
    is_asked = (
        np.ones(len(reference.pair), dtype=bool)
        if is_wanted is None
        else is_wanted[reference.pair]
    )
    for sentence in np.flatnonzero(is_long & is_asked).tolist():
        place, is_taken = _taken_in_long_sentence(prediction, reference, sentence)
        mask[place] = is_taken
    short = np.flatnonzero(~is_long & is_asked)
    n_rows = np.diff(prediction.ids.offsets[prediction.of_pair.offsets])[
        reference.pair
    ]  # of all lanes of a sentence of the reference together
    longest = int(prediction.ids.lengths.max(initial=0))
    limit = max(
        _MAX_UNION_ROWS, min(_MIN_LANES_OF_BATCH * longest, _MAX_ROWS_OF_FEW_LANES)
    )
    for first, end in batches(n_rows[short], limit):
        place, is_taken = _taken_in_short_sentences(
            prediction, reference, short[first:end], tokens.item_of_id
        )
        mask[place] = is_taken
    return mask


def best_sentence_lcs_lengths(tokens: SharedTokens) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum over the prediction's sentences of the longest LCS with one of the
    reference, and the same from the other side.

    Two ndarrays of int64, shape (n_pairs,).
    """
    prediction, reference = (
        Sentences.of_tokens(side, np.flatnonzero(side.ids.values >= 0))
        for side in tokens.sides
    )
    longest = [
        np.zeros(len(sentences.pair), dtype=np.int64)
        for sentences in (prediction, reference)
    ]
    for reference_sentence, prediction_sentence in sentence_lanes(
        prediction, reference
    ):
        lanes = shared_tokens(
            _tokens_at(prediction.place.take(prediction_sentence), tokens.prediction),
            _tokens_at(reference.place.take(reference_sentence), tokens.reference),
        )
        lengths = lcs_lengths(lanes)
        np.maximum.at(longest[0], prediction_sentence, lengths)
        np.maximum.at(longest[1], reference_sentence, lengths)
    sums = [
        sums_of_groups(lengths, sentences.pair, tokens.n_items)
        for lengths, sentences in zip(longest, (prediction, reference), strict=True)
    ]
    return sums[0], sums[1]


def _tokens_at(place: Ragged, side: Tokens) -> Tokens:
    """Return the tokens of one side that stand at these places, each row as a text of
    one sentence.
    """
    return Tokens(
        place.with_values(side.ids.values[place.values]),
        place.row_of_value,
        side.n_types,
    )


@dataclass(frozen=True)
class Sentences:
    """Tokens of one side by sentence; sentences without any of these tokens are left
    out.

    Parameters
    ----------
    place : Ragged of int64, one row per sentence
        Where each token stands among all tokens of this side.
    pair : ndarray of int64, shape (n_sentences,)
        Pair of each sentence, ascending.
    of_pair : Ragged of int64, one row per pair
        The sentences of each pair.
    """

    place: Ragged
    pair: np.ndarray
    of_pair: Ragged

    @classmethod
    def of_tokens(cls, side: Tokens, place: np.ndarray) -> Sentences:
        first = np.flatnonzero(np.diff(side.sentence[place], prepend=-1))
        pair = side.ids.row_of_value[place[first]]
        of_pair = Ragged(
            np.arange(len(pair)), np.searchsorted(pair, np.arange(side.ids.n_rows + 1))
        )
        return cls(Ragged(place, np.append(first, len(place))), pair, of_pair)


def sentence_lanes(
    prediction: Sentences, reference: Sentences
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield, some at a time, the sentences of the reference (their numbers) and of the
    prediction that make lanes: each with each of its pair.
    """
    n_partners = prediction.of_pair.lengths[reference.pair]
    for first, end in batches(n_partners, _MAX_LANE_TOKENS):
        partner, _ = prediction.of_pair.index_of_rows(reference.pair[first:end])
        sentence = np.repeat(np.arange(first, end), n_partners[first:end])
        n_tokens = reference.place.lengths[sentence] + prediction.place.lengths[partner]
        for first_lane, end_lane in batches(n_tokens, _MAX_LANE_TOKENS):
            yield sentence[first_lane:end_lane], partner[first_lane:end_lane]


@dataclass(frozen=True)
class _SharedSentences(Sentences):
    """The shared tokens of one side by sentence.

    Parameters
    ----------
    ids : Ragged of int64, one row per sentence
    is_before_gap : ndarray of bool, shape (n_tokens,)
        Whether tokens that the other side lacks follow in the same sentence. In their
        rows of the table nothing matches, which may lead the way back to another cell.
    """

    ids: Ragged
    is_before_gap: np.ndarray

    @classmethod
    def of_tokens(cls, side: Tokens) -> _SharedSentences:  # type: ignore[override]
        is_shared = side.ids.values >= 0
        has_gap_after = np.zeros(len(is_shared), dtype=bool)
        has_gap_after[:-1] = ~is_shared[1:] & (side.sentence[1:] == side.sentence[:-1])
        sentences = Sentences.of_tokens(side, np.flatnonzero(is_shared))
        place = sentences.place
        ids = place.with_values(side.ids.values[place.values])
        return cls(
            place, sentences.pair, sentences.of_pair, ids, has_gap_after[place.values]
        )


def _taken_in_short_sentences(
    prediction: _SharedSentences,
    reference: _SharedSentences,
    sentences: np.ndarray,
    pair_of_id: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return where the tokens of the given sentences of the reference stand, and which
    of them the union LCS takes; the sentences fit into one word.

    `_LongLane.taken_positions` is the same for one lane, step by step.
    """
    index, offsets = reference.ids.index_of_rows(sentences)
    chosen = Ragged(reference.ids.values[index], offsets)
    pair = reference.pair[sentences]

    # Lanes: each of these sentences with each sentence of its pair's prediction.
    prediction_sentence, lane_offsets = prediction.of_pair.index_of_rows(pair)
    lanes = _Lanes.longest_first(prediction.ids, prediction_sentence)
    n_lanes = len(prediction_sentence)
    sentence_of_lane = np.repeat(np.arange(len(sentences)), np.diff(lane_offsets))[
        lanes.order
    ]

    # The mask of token t in the k-th of these sentences of its pair stands at
    # first_mask[t] + k.
    number_in_pair = np.arange(len(pair)) - np.searchsorted(pair, pair)
    n_of_pair = np.bincount(pair, minlength=prediction.of_pair.n_rows)
    first_mask = offsets_of_lengths(n_of_pair[pair_of_id])
    mask_index = first_mask[chosen.values] + number_in_pair[chosen.row_of_value]
    mask_of = _position_masks(
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
    below = _low_bits(chosen.lengths[sentence_of_lane])
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
    return reference.place.values[index], (bit & np.uint64(1)).astype(bool)


def _taken_in_long_sentence(
    prediction: _SharedSentences, reference: _SharedSentences, sentence: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same for one sentence of any length."""
    tokens = slice(*reference.ids.offsets[sentence : sentence + 2])
    taken = 0
    for partner in prediction.of_pair.take(reference.pair[[sentence]]).values:
        partner_tokens = slice(*prediction.ids.offsets[partner : partner + 2])
        lane = _LongLane.of_ids(
            prediction.ids.values[partner_tokens], reference.ids.values[tokens]
        )
        taken |= lane.taken_positions(prediction.is_before_gap[partner_tokens])
    place = reference.place.values[tokens]
    return place, np.array(
        [taken >> position & 1 for position in range(len(place))], dtype=bool
    )


# --- lanes ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Lanes:
    """Rows of tokens walked side by side, the longest first, so that those not yet at
    their end are always the first ones.
    """

    order: np.ndarray
    start: np.ndarray
    length: np.ndarray

    @classmethod
    def longest_first(
        cls, rows: Ragged, row_of_lane: np.ndarray | None = None
    ) -> _Lanes:
        length, start = rows.lengths, rows.offsets[:-1]
        if row_of_lane is not None:
            length, start = length[row_of_lane], start[row_of_lane]
        order = np.argsort(-length, kind="stable")
        return cls(order, start[order], length[order])

    def steps(self) -> Iterator[tuple[int, np.ndarray]]:
        """Yield for each step how many lanes still have a token, and where those tokens
        stand.
        """
        n_steps = int(self.length.max(initial=0))
        n_active = np.searchsorted(-self.length, -np.arange(n_steps))
        for step in range(n_steps):
            yield n_active[step], self.start[: n_active[step]] + step

    def in_input_order(self, value: np.ndarray) -> np.ndarray:
        result = np.empty_like(value)
        result[self.order] = value
        return result


@dataclass(frozen=True)
class _LongLane:
    """One table whose rows are Python integers of `n_bits` bits; `masks` has the
    matching positions of each prediction token.
    """

    n_bits: int
    masks: Sequence[int]

    @classmethod
    def of_ids(cls, prediction: np.ndarray, reference: np.ndarray) -> _LongLane:
        mask_of_id: dict[int, int] = {}
        for position, token_id in enumerate(reference.tolist()):
            mask_of_id[token_id] = mask_of_id.get(token_id, 0) | 1 << position
        return cls(
            len(reference),
            [mask_of_id.get(token_id, 0) for token_id in prediction.tolist()],
        )

    @property
    def all_ones(self) -> int:
        return (1 << self.n_bits) - 1

    def rows(self, row: int, start: int, end: int) -> Iterator[int]:
        """Yield the row behind each of the tokens start..end-1; `row` is the one before
        them.
        """
        all_ones = self.all_ones
        for mask in self.masks[start:end]:
            match = row & mask
            row = (row + match | row - match) & all_ones
            yield row

    def lcs_length(self) -> int:
        (last,) = deque(
            chain([self.all_ones], self.rows(self.all_ones, 0, len(self.masks))),
            maxlen=1,
        )
        return self.n_bits - bin(last).count("1")

    def taken_positions(self, is_before_gap: np.ndarray) -> int:
        """Return the reference positions that the LCS takes as bits; only some rows are
        kept, and the others made again.
        """
        n_rows = len(self.masks)
        block = isqrt(n_rows) + 1
        row_before = [self.all_ones]
        for start in range(0, n_rows, block):
            *_, last = self.rows(row_before[-1], start, start + block)
            row_before.append(last)
        taken, below = 0, self.all_ones
        for start in reversed(range(0, n_rows, block)):
            rows = list(self.rows(row_before[start // block], start, start + block))
            for token, row in reversed(list(enumerate(rows, start))):
                stop = below & (
                    ~row | (0 if is_before_gap[token] else self.masks[token])
                )
                highest = 1 << stop.bit_length() >> 1
                match = highest & self.masks[token]
                taken |= match
                below = (highest << 1) - 1 - match if highest else 0
        return taken


def _position_masks(
    index: np.ndarray, position: np.ndarray, n_masks: int, n_words: int
) -> np.ndarray:
    """Return masks with the bit of each position set in the mask of that index, ndarray
    of uint64, shape (n_words, n_masks).
    """
    masks = np.zeros(n_words * n_masks, dtype=np.uint64)
    bit = np.uint64(1) << (position % _WORD_BITS).astype(np.uint64)
    np.add.at(
        masks, position // _WORD_BITS * n_masks + index, bit
    )  # each bit is added once
    return masks.reshape(n_words, n_masks)


def _low_bits(n_bits: np.ndarray) -> np.ndarray:
    """Return words in which the lowest `n_bits`, 1 to 64, are set, ndarray of uint64."""
    return ~np.uint64(0) >> (_WORD_BITS - n_bits).astype(np.uint64)


def _bit_counts(words: np.ndarray) -> np.ndarray:
    """Return the number of 1 bits of each word, ndarray of int64."""
    return _ONES_OF_BYTE[words.view(np.uint8)].reshape(*words.shape, 8).sum(axis=-1)


def _rows(rows: Ragged) -> Iterator[np.ndarray]:
    return (
        rows.values[start:end]
        for start, end in zip(rows.offsets[:-1], rows.offsets[1:], strict=True)
    )


# --- weighted LCS ---------------------------------------------------------------------


def wlcs_scores(tokens: SharedTokens, weight: float) -> np.ndarray:
    """Return the weighted LCS of each pair with f(k) = k ** weight, ndarray of float64,
    shape (n_pairs,).
    """
    prediction, reference = (
        side.ids.keep(merged_gaps(side.ids)) for side in tokens.sides
    )
    scores = np.zeros(tokens.n_items)
    longest = np.where(
        (prediction.lengths > 0) & (reference.lengths > 0),
        np.maximum(prediction.lengths, reference.lengths),
        0,
    )
    size_class = np.frexp(
        longest
    )[
        1
    ]  # the tables of a batch have the size of its largest one: at most twice that of any other
    for this_class in np.unique(size_class[longest > 0]).tolist():
        members = np.flatnonzero(size_class == this_class)
        for first, end in batches(longest[members], _MAX_WLCS_CELLS):
            pairs = members[first:end]
            scores[pairs] = _wlcs_scores_of_lanes(
                prediction.take(pairs), reference.take(pairs), weight
            )
    return scores


def merged_gaps(ids: Ragged) -> np.ndarray:
    """Return which tokens are left when each run of tokens that the other side lacks is
    cut to one, and to none at the start; ndarray of bool.

    In the table such a token ends the runs and passes the best value on; a second one
    changes nothing.
    """
    is_shared = ids.values >= 0
    is_kept = is_shared.copy()
    is_kept[1:] |= is_shared[:-1] & (ids.position_in_row[1:] > 0)
    return is_kept


def _wlcs_scores_of_lanes(
    prediction: Ragged, reference: Ragged, weight: float
) -> np.ndarray:
    """Walk the anti-diagonals i + j = d of all tables at once; i counts tokens of the
    prediction, j those of the reference.

    On a match a run of length k goes on and its value is f(k) more than where the run
    began; elsewhere it is the larger one of above and left.
    """
    n_lanes = prediction.n_rows
    height, width = int(prediction.lengths.max()), int(reference.lengths.max())
    rows, columns = (
        padded(prediction, height),
        other_gaps(padded(reference, width)[::-1]),
    )
    f = np.arange(min(height, width) + 1, dtype=np.float64) ** weight

    # Cells of this diagonal and of the two before it, row by row: a match has its run
    # and the value before that run, elsewhere the run is 0.
    size = (height + 1) * n_lanes
    value, above, above_left = (np.zeros(size) for _ in range(3))
    run, run_above, run_above_left = (np.zeros(size, dtype=np.int64) for _ in range(3))
    before, before_above, before_above_left = (np.zeros(size) for _ in range(3))
    last_diagonal = prediction.lengths + reference.lengths
    by_last = np.argsort(last_diagonal, kind="stable")
    end_of_diagonal = np.searchsorted(
        last_diagonal[by_last], np.arange(height + width + 1), side="right"
    )
    scores = np.zeros(n_lanes)
    for diagonal in range(2, height + width + 1):
        cell, cell_above, column = diagonal_cells(diagonal, height, width)
        match = (
            np.flatnonzero(rows[cell_above] == columns[column]) + cell.start * n_lanes
        )
        here, one_above = (
            slice(cell.start * n_lanes, cell.stop * n_lanes),
            slice(cell_above.start * n_lanes, cell_above.stop * n_lanes),
        )
        np.maximum(above[one_above], above[here], out=value[here])
        run[here] = 0
        length = run_above_left[match - n_lanes] + 1
        start = np.where(
            length > 1, before_above_left[match - n_lanes], above_left[match - n_lanes]
        )
        run[match], before[match], value[match] = length, start, start + f[length]
        ending = by_last[end_of_diagonal[diagonal - 1] : end_of_diagonal[diagonal]]
        scores[ending] = value[prediction.lengths[ending] * n_lanes + ending]
        value, above, above_left = above_left, value, above
        run, run_above, run_above_left = run_above_left, run, run_above
        before, before_above, before_above_left = (
            before_above_left,
            before,
            before_above,
        )
    return scores


def padded(rows: Ragged, length: int) -> np.ndarray:
    """Return the rows as columns of a matrix filled up with -1, ndarray of int64, shape
    (length, n_rows).
    """
    matrix = np.full((length, rows.n_rows), -1, dtype=np.int64)
    matrix[rows.position_in_row, rows.row_of_value] = rows.values
    return matrix


def other_gaps(columns: np.ndarray) -> np.ndarray:
    """Return the matrix with -1, padding or a token that the other side lacks, changed
    to -2, so that it never equals one in the rows.
    """
    return np.where(columns < 0, -2, columns)


def diagonal_cells(
    diagonal: int, height: int, width: int
) -> tuple[slice, slice, slice]:
    """Return the rows i, from 1, of the cells i + j = diagonal of a table, the rows
    above them, and their columns in reversed order, from 0.
    """
    first, last = max(1, diagonal - width), min(height, diagonal - 1)
    return (
        slice(first, last + 1),
        slice(first - 1, last),
        slice(width - diagonal + first, width - diagonal + last + 1),
    )
