"""Token ids of a pair -> the positions of the tokens in its n-grams and skip-bigrams.

Scores need only numbers of matches; an explanation shows which tokens they are.
Of an n-gram or skip-bigram that a text has more often than it counts the first
occurrences are taken; of skip-bigrams those that end first, and of these those that
start first. `spans/subsequences.py` does the same for common subsequences.

Positions are those of tokens in their text, ascending. Python loops run over the tokens
of one pair.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from ..arrays import Ragged
from ..tokens import UNSHARED, Tokens

PairPositions = tuple[list[int], list[int]]  # in the prediction, in the reference


@dataclass(frozen=True)
class IdsOfText:
    """The tokens of one text; ndarrays of int64, shape (n_tokens,).

    Parameters
    ----------
    ids : ndarray of int64
        Equal ids are equal tokens, in the other texts of the item too; `UNSHARED` is
        equal to none.
    sentence : ndarray of int64
        Sentence of each token, ascending.
    """

    ids: np.ndarray
    sentence: np.ndarray

    @classmethod
    def of_row(cls, side: Tokens, row: int) -> IdsOfText:
        """Return one text of a side."""
        place = slice(*side.ids.offsets[[row, row + 1]].tolist())
        return cls(side.ids.values[place], side.sentence[place])

    def as_one_sentence(self) -> IdsOfText:
        """Return the text with all tokens in one sentence."""
        return IdsOfText(self.ids, np.zeros_like(self.sentence))

    def sentences(self) -> Ragged:
        """Return the positions of the tokens of each sentence that has any."""
        first = np.flatnonzero(np.diff(self.sentence, prepend=-1))
        return Ragged(np.arange(len(self.ids)), np.append(first, len(self.ids)))


# --- n-grams --------------------------------------------------------------------------


def ngram_positions(
    prediction: IdsOfText, references: Sequence[IdsOfText], order: int, *, most: int = sys.maxsize
) -> tuple[list[int], list[list[int]]]:
    """Return the tokens of the n-grams that count, of the prediction and each reference.

    A count is clipped at the highest one in any reference, and at `most`. N-grams do not
    cross sentences.
    """
    texts = (prediction, *references)
    of_prediction, *of_references = (
        _starts_of_numbers(numbers, text, order)
        for numbers, text in zip(_ngram_numbers(texts, order), texts, strict=True)
    )
    n_matches = {
        ngram: min(most, len(starts), max(len(each.get(ngram, ())) for each in of_references))
        for ngram, starts in of_prediction.items()
    }
    marked = []
    for text, starts_of_ngram in zip(texts, (of_prediction, *of_references), strict=True):
        n_covering = [0] * (len(text.ids) + 1)  # each n-gram from its start to its end
        for ngram, starts in starts_of_ngram.items():
            for start in starts[: n_matches.get(ngram, 0)]:
                n_covering[start] += 1
                n_covering[start + order] -= 1
        marked.append([place for place, n in enumerate(accumulate(n_covering)) if n])
    return marked[0], marked[1:]


def ngram_positions_of_pair(
    prediction: IdsOfText, reference: IdsOfText, order: int, *, most: int = sys.maxsize
) -> PairPositions:
    """Return the `ngram_positions` of a prediction and one reference."""
    in_prediction, (in_reference,) = ngram_positions(prediction, [reference], order, most=most)
    return in_prediction, in_reference


def joined_positions(first: PairPositions, second: PairPositions) -> PairPositions:
    """Return the positions that are in either, of each text."""
    in_prediction, in_reference = (
        sorted({*left, *right}) for left, right in zip(first, second, strict=True)
    )
    return in_prediction, in_reference


def _ngram_numbers(texts: Sequence[IdsOfText], order: int) -> list[list[int | None]]:
    """Number the n-grams at each start of all texts, equal ones alike.

    None stands for one with a token that is equal to none. An n-gram is two shorter
    ones, which may overlap, so that the steps are few where it is long.
    """
    numbers: list[list[int | None]] = [
        [None if token_id == UNSHARED else token_id for token_id in text.ids.tolist()]
        for text in texts
    ]
    length = 1
    while length < order:
        step = min(length, order - length)
        number_of: dict[tuple[int, int], int] = {}
        numbers = [
            [
                None
                if first is None or second is None
                else number_of.setdefault((first, second), len(number_of))
                for first, second in zip(row, row[step:], strict=False)
            ]
            for row in numbers
        ]
        length += step
    return numbers


def _starts_of_numbers(
    numbers: list[int | None], text: IdsOfText, order: int
) -> dict[int, list[int]]:
    sentence = text.sentence.tolist()
    starts_of_number = defaultdict(list)
    for start, number in enumerate(numbers):
        if number is not None and sentence[start] == sentence[start + order - 1]:
            starts_of_number[number].append(start)
    return starts_of_number


# --- skip-bigrams ---------------------------------------------------------------------


def skip_bigram_positions(
    prediction: IdsOfText, reference: IdsOfText, max_skip: int | None
) -> PairPositions:
    """Return the tokens of the skip-bigrams that count.

    They do not cross sentences. The work is done for one token at a time that stands
    second, so that a long text needs no list of all its skip-bigrams.
    """
    sides = [_Windows.of_text(text, max_skip) for text in (prediction, reference)]
    n_ids = 1 + max(max(side.ids.tolist(), default=UNSHARED) for side in sides)
    marks = [np.zeros(len(side.ids), dtype=bool) for side in sides]
    ends = [side.positions_of_id() for side in sides]
    for second in sorted(ends[0].keys() & ends[1].keys()):
        n_before = [
            side.n_before(ends_of_id[second], n_ids)
            for side, ends_of_id in zip(sides, ends, strict=True)
        ]
        n_matches = np.minimum(*n_before)
        for side, ends_of_id, is_marked in zip(sides, ends, marks, strict=True):
            side.mark(ends_of_id[second], n_matches.copy(), is_marked)
    in_prediction, in_reference = (
        side.place[is_marked].tolist() for side, is_marked in zip(sides, marks, strict=True)
    )
    return in_prediction, in_reference


@dataclass(frozen=True)
class _Windows:
    """The shared tokens of a text, each with those that make a skip-bigram with it.

    Parameters
    ----------
    ids, place : ndarray of int64, shape (n_shared_tokens,)
        Of each shared token its id, and its position in the text.
    occurrence : ndarray of int64, shape (n_shared_tokens,)
        How many tokens before it are the same.
    first : ndarray of int64, shape (n_shared_tokens,)
        The first of the shared tokens that make a skip-bigram with it.
    """

    ids: np.ndarray
    place: np.ndarray
    occurrence: np.ndarray
    first: np.ndarray

    @classmethod
    def of_text(cls, text: IdsOfText, max_skip: int | None) -> _Windows:
        place = np.flatnonzero(text.ids != UNSHARED)
        ids, sentence = text.ids[place], text.sentence[place]
        first = np.searchsorted(sentence, sentence)
        if max_skip is not None:
            window = min(max_skip, len(text.ids)) + 1
            first = np.maximum(first, np.searchsorted(place, place - window))
        seen: Counter[int] = Counter()
        occurrence = []
        for token_id in ids.tolist():
            occurrence.append(seen[token_id])
            seen[token_id] += 1
        return cls(ids, place, np.array(occurrence, dtype=np.int64), first)

    def positions_of_id(self) -> dict[int, list[int]]:
        positions = defaultdict(list)
        for position, token_id in enumerate(self.ids.tolist()):
            positions[token_id].append(position)
        return positions

    def window(self, end: int) -> np.ndarray:
        return self.ids[self.first[end] : end]

    def n_before(self, ends: list[int], n_ids: int) -> np.ndarray:
        """Return how often each id makes a skip-bigram with one of these ends."""
        count = np.zeros(n_ids, dtype=np.int64)
        for end in ends:
            count += np.bincount(self.window(end), minlength=n_ids)
        return count

    def mark(self, ends: list[int], n_left: np.ndarray, is_marked: np.ndarray) -> None:
        """Mark the tokens of the first skip-bigrams with these ends.

        `n_left` has how many with each first token count. Both arrays are changed.
        """
        first_occurrence = np.zeros_like(n_left)
        for end in ends:
            window = self.window(end)
            occurrence = self.occurrence[self.first[end] : end]
            # Of equal indices the last one is kept: that of the first occurrence.
            first_occurrence[window[::-1]] = occurrence[::-1]
            is_counted = occurrence - first_occurrence[window] < n_left[window]
            if is_counted.any():
                is_marked[self.first[end] : end] |= is_counted
                is_marked[end] = True
                n_left -= np.bincount(window[is_counted], minlength=len(n_left))
