"""Token ids -> union LCS of pairs, sentence by sentence.

For each sentence of the reference the union LCS takes the positions that its LCS with any
sentence of the prediction takes; of these, those count that clipped unigram counts allow (Lin
2004, section 3.2, https://aclanthology.org/W04-1013). Which of several LCS is taken follows
rouge_score (`_backtrack_norec`).

How it is vectorised: a table is a sentence of the reference with a sentence of the prediction
that has a token in common, and is walked through by those tokens of the prediction that match.
The tokens of many sentences list the sentences of the reference that have them, and one sort by
pairs of sentences finds the tables. They are walked through side by side, as rows of bits
(`bit_rows.py`). Python loops run over tokens and batches. The longest sentences are taken one by
one, and so are those of few pairs (`plain.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import (
    Ragged,
    batches,
    differ_from_last,
    last_places_in_one_range,
    offsets_of_lengths,
    sorted_with_order,
    sums_of_groups,
)
from ..plain import union_lcs_length as plain_union_lcs_length
from ..tokens import UNSHARED, Sentences, SharedTokens, Tokens
from .bit_rows import (
    EXACT_BITS,
    WORD_BITS,
    LongTable,
    PackedTables,
    Steps,
    bit_counts,
    bit_positions,
    rows_in_words,
    sorted_masks,
    traceback_in_words,
    words_of_field,
)
from .lcs import MAX_PACKED_WORDS, MIN_TABLES_IN_WORDS, lcs_lengths

# Steps, each a token of a prediction in a sentence of its reference, at which columns and pair
# by pair cost the same.
_MAX_PLAIN_STEPS = 2000
_MAX_MATCHES = 1 << 16  # matching tokens of the tables that are found together
_MAX_PACKED_BITS = 1 << 12  # in a sentence whose tables are not filled one by one


def union_lcs_lengths(tokens: SharedTokens, known_lengths: np.ndarray | None = None) -> np.ndarray:
    """Return the clipped union LCS of each pair, ndarray of int64, shape (n_pairs,).

    Where both sides have one sentence it is the LCS, from which clipping takes nothing;
    `known_lengths` has that of each pair, if it is known.
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
            sides = map(_Side.of_sentences, tokens.sides, shared)
            lengths = _clipped_lengths(tokens, _union_mask(tokens, has_several, *sides))
    single = (~has_several).nonzero()[0]
    if len(single):
        lengths[single] = (
            lcs_lengths(tokens, single) if known_lengths is None else known_lengths[single]
        )
    return lengths


def _plain_lengths(tokens: SharedTokens, reference: Sentences, pairs: list[int]) -> list[int]:
    """Return the clipped union LCS of some pairs, counted one by one.

    `reference` has the shared tokens only. The predictions need the others too, where they are
    between shared ones.
    """
    prediction = Sentences.of_tokens(tokens.prediction)
    texts = []
    for sentences, side in zip((prediction, reference), tokens.sides, strict=True):
        ids, offsets = (sentences.ids(side).to_lists(), sentences.of_text.offsets.tolist())
        texts.append([ids[offsets[pair] : offsets[pair + 1]] for pair in pairs])
    return list(map(plain_union_lcs_length, *texts))


def _clipped_lengths(tokens: SharedTokens, mask: np.ndarray) -> np.ndarray:
    """Return how many of the tokens in `mask` clipping leaves to each pair, int64."""
    prediction_id = tokens.prediction.ids.values
    n_taken = np.bincount(tokens.reference.ids.values[mask], minlength=tokens.n_ids)
    n_in_prediction = np.bincount(prediction_id[prediction_id != UNSHARED], minlength=tokens.n_ids)
    n_clipped = np.minimum(n_taken, n_in_prediction)
    return sums_of_groups(n_clipped, tokens.item_of_id, tokens.n_items)


def union_lcs_mask(tokens: SharedTokens) -> np.ndarray:
    """Return which tokens of the references are in the LCS of their sentence and some sentence of
    the prediction, before clipping: ndarray of bool, shape (n_tokens,).
    """
    return _union_mask(
        tokens, np.ones(tokens.n_items, dtype=bool), *map(_Side.of_tokens, tokens.sides)
    )


def best_sentence_lcs_lengths(tokens: SharedTokens) -> tuple[np.ndarray, np.ndarray]:
    """Return the summed LCS of each sentence with the best one of the other side.

    The first sum is that over the prediction's sentences, the second that over the reference's:
    two of int64, shape (n_pairs,).
    """
    sides = prediction, reference = [_Side.of_tokens(side) for side in tokens.sides]
    all_sentences = np.ones(reference.ids.n_rows, dtype=bool)
    cells = _Cells.of_sentences(reference, all_sentences, tokens.n_ids)
    longest = [np.zeros(len(side.sentences.text), dtype=np.int64) for side in sides]
    for tables in _matching_tables(cells, prediction):
        lengths = tables.lcs_lengths()
        np.maximum.at(longest[0], tables.prediction_sentence, lengths)
        np.maximum.at(longest[1], tables.reference_sentence, lengths)
    of_prediction, of_reference = (
        sums_of_groups(lengths, side.sentences.text, tokens.n_items)
        for lengths, side in zip(longest, sides, strict=True)
    )
    return of_prediction, of_reference


def _union_mask(
    tokens: SharedTokens, is_wanted: np.ndarray, prediction: _Side, reference: _Side
) -> np.ndarray:
    """Return `union_lcs_mask` of the wanted pairs, ndarray of bool; of others it means nothing.

    Of a sentence that is in the prediction all tokens are taken, so it needs no table.
    """
    is_whole = _are_found(reference.ids, prediction.ids)
    is_taken = is_whole.repeat(reference.ids.lengths)
    is_open = is_wanted[reference.sentences.text] & ~is_whole
    cells = _Cells.of_sentences(reference, is_open, tokens.n_ids)
    for tables in _matching_tables(cells, prediction):
        is_taken[tables.traceback()] = True
    mask = np.zeros(len(tokens.reference.ids.values), dtype=bool)
    mask[reference.sentences.place.values[is_taken]] = True
    return mask


# --- the sentences of both sides ------------------------------------------------------


@dataclass(frozen=True)
class _Side:
    """The shared tokens of one side by sentence."""

    sentences: Sentences
    ids: Ragged  # int64, one row per sentence
    # Whether tokens that the other side lacks follow in the same sentence, bool, shape
    # (n_tokens,): in their rows nothing matches, which may lead the traceback to another cell.
    is_before_gap: np.ndarray

    @classmethod
    def of_tokens(cls, side: Tokens) -> _Side:
        return cls.of_sentences(side, Sentences.of_shared_tokens(side))

    @classmethod
    def of_sentences(cls, side: Tokens, sentences: Sentences) -> _Side:
        """Return a side, given the sentences of its shared tokens."""
        is_shared = side.ids.values != UNSHARED
        has_gap_after = np.zeros(len(is_shared), dtype=bool)
        is_same_sentence = side.sentence[1:] == side.sentence[:-1]
        has_gap_after[:-1] = ~is_shared[1:] & is_same_sentence
        return cls(sentences, sentences.ids(side), has_gap_after[sentences.place.values])


def _are_found(rows: Ragged, others: Ragged) -> np.ndarray:
    """Return which sentences are among others, ndarray of bool, shape (n_rows,).

    Rows are ids of sentences, at least one each. A row is compared with one other that is alike
    by its length, its first and its last id: where several are, it may be missed.

    >>> rows = Ragged(np.array([4, 5, 4, 6]), np.array([0, 2, 4]))
    >>> others = Ragged(np.array([6, 4, 5]), np.array([0, 1, 3]))
    >>> _are_found(rows, others).tolist()
    [True, False]
    """
    key, other_key = (
        side.values.take(side.offsets[:-1]) + side.values.take(side.offsets[1:] - 1) + side.lengths
        for side in (rows, others)
    )
    n_keys = int(max(key.max(initial=0), other_key.max(initial=0))) + 1
    _, other = last_places_in_one_range(other_key, key, n_keys)
    row = (other != UNSHARED).nonzero()[0]
    row = row[rows.lengths[row] == others.lengths[other[row]]]
    is_found = np.zeros(rows.n_rows, dtype=bool)
    if len(row):
        same = rows.take(row)
        differs = same.values != others.take(other[row]).values
        is_found[row] = ~np.logical_or.reduceat(differs, same.offsets[:-1])
    return is_found


@dataclass(frozen=True)
class _Cells:
    """The ids in the sentences of the references: a cell is an id in a sentence that has it.

    Cells are ordered by id, then by sentence.
    """

    reference: _Side
    sentence: Ragged  # the sentence of each cell, int64, one row per id
    # Where in the sentence the id is, uint64, one row per cell, as many words as a field of
    # `PackedTables`; none for a sentence of more than `_MAX_PACKED_BITS` tokens.
    masks: Ragged

    @classmethod
    def of_sentences(cls, reference: _Side, is_wanted: np.ndarray, n_ids: int) -> _Cells:
        """Return the cells of the wanted sentences, bool, shape (n_sentences,)."""
        ids = reference.ids
        token = is_wanted.repeat(ids.lengths).nonzero()[0]
        order, token_id = sorted_with_order(ids.values.take(token))
        token = token.take(order)  # by id, then by sentence
        sentence = ids.row_of_value.take(token)
        is_first = differ_from_last(token_id) | differ_from_last(sentence)
        first = is_first.nonzero()[0]
        sentence = sentence.take(first)
        n_bits = ids.lengths.take(sentence)
        n_words = np.where(n_bits <= _MAX_PACKED_BITS, words_of_field(n_bits), 0)
        n_cells = np.bincount(token_id.take(first), minlength=n_ids)
        position = ids.position_in_row.take(token)
        masks = sorted_masks(is_first.cumsum() - 1, position, n_words)
        return cls(reference, Ragged(sentence, offsets_of_lengths(n_cells)), masks)

    def of_range(self, ids: np.ndarray, first: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the first cell of each id in the sentences first..end-1, and how many."""
        n_sentences = self.reference.ids.n_rows
        key = self.sentence.row_of_value * n_sentences + self.sentence.values
        start, stop = (key.searchsorted(ids * n_sentences + sentence) for sentence in (first, end))
        return start, stop - start


# --- tables of two sentences ----------------------------------------------------------


@dataclass(frozen=True)
class _Tables:
    """Tables of a sentence of the prediction and one of the reference that match.

    They are filled in machine words, packed, or one by one, as `kind` says.
    """

    prediction: _Side
    cells: _Cells
    cell: Ragged  # of each token of the prediction that the other sentence has, one row per table
    token: np.ndarray  # where it is in `prediction.ids`, int64, shape (n_matches,)
    reference_sentence: np.ndarray  # int64, shape (n_tables,)
    kind: str = ""

    @property
    def prediction_sentence(self) -> np.ndarray:
        """The sentence of the prediction, int64, shape (n_tables,)."""
        return self.prediction.ids.row_of_value[self.token[self.cell.offsets[:-1]]]

    @property
    def n_bits(self) -> np.ndarray:
        """Tokens of the sentence of the reference, int64, shape (n_tables,)."""
        return self.cells.reference.ids.lengths[self.reference_sentence]

    @property
    def is_before_gap(self) -> np.ndarray:
        """Whether tokens without a match follow each token in the same sentence, bool."""
        has_next = np.zeros(len(self.token), dtype=bool)
        np.equal(self.token[1:], self.token[:-1] + 1, out=has_next[:-1])
        has_next[self.cell.offsets[1:] - 1] = False
        ids = self.prediction.ids
        is_last = np.zeros(len(ids.values), dtype=bool)
        is_last[ids.offsets[1:] - 1] = True
        is_before_gap = self.prediction.is_before_gap[self.token]
        return is_before_gap | ~(has_next | is_last[self.token])

    def take(self, tables: np.ndarray, kind: str) -> _Tables:
        """Return some of the tables."""
        index, offsets = self.cell.index_of_rows(tables)
        cell = Ragged(self.cell.values[index], offsets)
        sentence = self.reference_sentence[tables]
        return _Tables(self.prediction, self.cells, cell, self.token[index], sentence, kind)

    def by_kind(self) -> Iterator[_Tables]:
        """Yield the tables that are filled in machine words, packed and one by one."""
        n_bits = self.n_bits
        n_words = self.cell.lengths * words_of_field(n_bits)
        is_long = (n_bits > _MAX_PACKED_BITS) | (n_words > MAX_PACKED_WORDS)
        is_short = ~is_long & (n_bits <= EXACT_BITS)
        if np.count_nonzero(is_short) < MIN_TABLES_IN_WORDS:
            is_short[:] = False
        if is_short.all():
            yield replace(self, kind="words")
            return
        if is_short.any():
            yield self.take(is_short.nonzero()[0], "words")
        packed = (~is_short & ~is_long).nonzero()[0]
        for first, end in batches(n_words[packed], MAX_PACKED_WORDS):
            yield self.take(packed[first:end], "packed")
        for table in is_long.nonzero()[0].tolist():
            yield self.take(np.array([table]), "long")

    def lcs_lengths(self) -> np.ndarray:
        """Return the LCS length of each table, int64, shape (n_tables,)."""
        if self.kind == "long":
            return np.array([self._long_table()[0].lcs_length()])
        steps = Steps.longest_first(self.cell)
        if self.kind == "words":
            rows = rows_in_words(steps, self._masks_in_words(steps))
            return steps.in_input_order(bit_counts(~rows[steps.last_token]))
        return steps.in_input_order(self._packed(steps).lcs_lengths())

    def traceback(self) -> np.ndarray:
        """Return the tokens of the sentences of the references that the LCS takes, int64."""
        is_before_gap = self.is_before_gap
        if self.kind == "long":
            table, token = self._long_table()
            return token[table.traceback(is_before_gap)]
        steps = Steps.longest_first(self.cell)
        is_before_gap = is_before_gap[steps.place]
        if self.kind == "words":
            n_bits = self.n_bits[steps.order]
            taken = traceback_in_words(steps, self._masks_in_words(steps), is_before_gap, n_bits)
            first_word = np.arange(len(taken) + 1)
        else:
            packed = self._packed(steps)
            taken, first_word = packed.traceback(is_before_gap), packed.first_word
        bit = bit_positions(taken)
        sentence = self.reference_sentence[steps.order]
        distance = self.cells.reference.ids.offsets[sentence] - WORD_BITS * first_word[:-1]
        return bit + distance.repeat(np.diff(first_word))[bit // WORD_BITS]

    def _masks_in_words(self, steps: Steps) -> np.ndarray:
        """Return the mask of each token as one word, ndarray of uint64."""
        masks = self.cells.masks
        return masks.values[masks.offsets[self.cell.values[steps.place]]]

    def _packed(self, steps: Steps) -> PackedTables:
        masks = self.cells.masks.take(self.cell.values[steps.place])
        return PackedTables(steps, masks, self.n_bits[steps.order])

    def _long_table(self) -> tuple[LongTable, np.ndarray]:
        """Return the only table, and which tokens of the reference it has: those that match."""
        prediction_id = self.prediction.ids.values[self.token]
        ids = self.cells.reference.ids
        start, end = ids.offsets[self.reference_sentence[0] :][:2]
        token = start + np.isin(ids.values[start:end], prediction_id).nonzero()[0]
        return LongTable(prediction_id, ids.values[token]), token


def _matching_tables(cells: _Cells, prediction: _Side) -> Iterator[_Tables]:
    """Yield the tables of sentences of the prediction with the cells, some of a kind at a time."""
    n_cells = cells.sentence.lengths[prediction.ids.values]
    n_matches = np.diff(offsets_of_lengths(n_cells)[prediction.ids.offsets])
    for first, end in batches(n_matches, _MAX_MATCHES):
        token = slice(*prediction.ids.offsets[[first, end]].tolist())
        ids = prediction.ids.values[token]
        if n_matches[first] <= _MAX_MATCHES:
            ranges = [(cells.sentence.offsets[ids], n_cells[token])]
        else:  # a long sentence, with some sentences of the reference at a time
            distinct, n_tokens = np.unique(ids, return_counts=True)
            rows = cells.sentence.take(distinct)
            n_of_sentence = np.bincount(rows.values, weights=n_tokens[rows.row_of_value])
            ranges = [cells.of_range(ids, *part) for part in batches(n_of_sentence, _MAX_MATCHES)]
        for first_cell, n_cells_of_token in ranges:
            if n_cells_of_token.any():
                tables = _tables_of_tokens(
                    prediction, cells, token.start, first_cell, n_cells_of_token
                )
                yield from tables.by_kind()


def _tables_of_tokens(
    prediction: _Side,
    cells: _Cells,
    first_token: int,
    first_cell: np.ndarray,
    n_cells: np.ndarray,
) -> _Tables:
    """Return the tables of consecutive tokens of predictions, given their cells."""
    offsets = offsets_of_lengths(n_cells)
    token = np.arange(len(n_cells)).repeat(n_cells)
    cell = (first_cell - offsets[:-1])[token]
    cell += np.arange(len(token))
    # A pair of sentences is numbered: those of a sentence of the prediction come together.
    sentence = prediction.ids.row_of_value[first_token : first_token + len(n_cells)]
    text = prediction.sentences.text[sentence[0] : sentence[-1] + 1]
    of_text = cells.reference.sentences.of_text
    first_pair = offsets_of_lengths(of_text.lengths[text])[:-1] - of_text.offsets[text]
    pair = first_pair[sentence - sentence[0]].take(token)
    pair += cells.sentence.values.take(cell)
    order, pair = sorted_with_order(pair)
    start = differ_from_last(pair).nonzero()[0]
    cell = cell.take(order)
    return _Tables(
        prediction,
        cells,
        Ragged(cell, np.append(start, len(order))),
        first_token + token.take(order),
        cells.sentence.values.take(cell.take(start)),
    )
