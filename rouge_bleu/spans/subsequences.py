"""Token ids of a pair -> the positions of the tokens of its common subsequences.

Scores need only lengths; an explanation shows which tokens they are:

* Of several longest common subsequences that of `kernels/union_lcs.py`, at the last places in
  the prediction that have it. With weights both sides come from one way back through a
  table (`kernels/weighted_lcs.py`), since other places may make other runs.
* Of the union over sentences the first tokens that clipped counts allow; each has a
  partner in the prediction, one that a common subsequence gives it if there is one.

Positions are those of tokens in their text, ascending. Python loops run over pairs of
sentences and the tokens of one pair of texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Ragged, batches
from ..kernels.union_lcs import union_lcs_mask
from ..tokens import UNSHARED, SharedTokens, Tokens, shared_tokens
from .ngrams import IdsOfText, PairPositions

# From pairs of sentences to the token of the prediction that each of the reference is
# matched with by a common subsequence, UNSHARED where it takes none.
PartnersOfTokens = Callable[[SharedTokens], np.ndarray]

_MAX_LANE_TOKENS = 1 << 20  # of pairs of sentences that are compared together


def subsequence_positions(
    prediction: IdsOfText, reference: IdsOfText, partners_of: PartnersOfTokens | None = None
) -> PairPositions:
    """Return the tokens of one common subsequence of the whole texts.

    `partners_of` says of which; by default it is a longest one.
    """
    sides = prediction.as_one_sentence(), reference.as_one_sentence()
    for lanes in _lanes_of_sentences(*sides, partners_of):
        return lanes.positions(0)
    return [], []


def union_positions(
    prediction: IdsOfText,
    reference: IdsOfText,
    n_allowed: Sequence[int],
    partners_of: PartnersOfTokens | None = None,
) -> PairPositions:
    """Return the tokens of the union of the common subsequences of all sentences.

    Parameters
    ----------
    n_allowed : sequence of int
        For each token of the reference, how many that are equal to it may count.
    partners_of : function, optional
        Says which common subsequence two sentences have; by default a longest one.
    """
    partner: dict[int, int] = {}  # of each token of the reference, in the prediction
    for lanes in _lanes_of_sentences(prediction, reference, partners_of):
        position = lanes.first_of_lane[lanes.taken.row_of_value] + lanes.taken.values
        _, first = np.unique(position, return_index=True)
        for lane in np.unique(lanes.taken.row_of_value[first]).tolist():
            in_prediction, in_reference = lanes.positions(lane)
            for left, right in zip(in_prediction, in_reference, strict=True):
                partner.setdefault(right, left)
    ids = reference.ids.tolist()
    n_counted: Counter[int] = Counter()
    counted = []
    for right in sorted(partner):
        if n_counted[ids[right]] < n_allowed[right]:
            n_counted[ids[right]] += 1
            counted.append(right)
    partners = {partner[right] for right in counted}
    return sorted(_with_missing_partners(partners, prediction, n_counted)), counted


def _with_missing_partners(
    partners: set[int], prediction: IdsOfText, n_counted: Counter[int]
) -> set[int]:
    """Return as many tokens of the prediction as count, of each id.

    Where one token is the partner of several, the others take the first equal ones.
    """
    ids = prediction.ids.tolist()
    n_missing = n_counted - Counter(ids[position] for position in partners)
    added = set()
    for position, token_id in enumerate(ids):
        if n_missing[token_id] > 0 and position not in partners:
            added.add(position)
            n_missing[token_id] -= 1
    return partners | added


def best_sentence_positions(prediction: IdsOfText, reference: IdsOfText) -> PairPositions:
    """Return, of each sentence, the tokens in common with its best one on the other side.

    Of several sentences that are equally good the first one is taken.
    """
    best_of_prediction: dict[int, list[int]] = {}
    in_reference: list[int] = []
    for lanes in _lanes_of_sentences(prediction, reference):
        length = lanes.taken.lengths.reshape(-1, lanes.n_predictions)
        for row, best in enumerate(length.argmax(axis=1).tolist()):
            in_reference += lanes.positions(row * lanes.n_predictions + best)[1]
        for sentence, best in enumerate(length.argmax(axis=0).tolist()):
            positions, _ = lanes.positions(best * lanes.n_predictions + sentence)
            if len(positions) > len(best_of_prediction.get(sentence, ())):
                best_of_prediction[sentence] = positions
    in_prediction = (
        position for positions in best_of_prediction.values() for position in positions
    )
    return sorted(in_prediction), sorted(in_reference)


# --- pairs of sentences ---------------------------------------------------------------


@dataclass(frozen=True)
class _SentencePairs:
    """Some sentences of the reference, each with all of the prediction.

    Lanes go by the sentence of the reference, then by that of the prediction.

    Parameters
    ----------
    prediction, reference : Ragged of int64, one row per lane
        Token ids.
    first_of_prediction, first_of_lane : ndarray of int64, shape (n_lanes,)
        Where the sentence of the prediction, and that of the reference, starts.
    taken : Ragged of int64, one row per lane
        Which tokens of the sentence of the reference the common subsequence takes.
    n_predictions : int
        How many sentences the prediction has.
    matched : ndarray of int64, shape (n_taken,), or None
        Where each token that is taken is matched in the sentence of the prediction;
        None: at the last places.
    """

    prediction: Ragged
    reference: Ragged
    first_of_prediction: np.ndarray
    first_of_lane: np.ndarray
    taken: Ragged
    n_predictions: int
    matched: np.ndarray | None

    def positions(self, lane: int) -> PairPositions:
        """Return the tokens of the common subsequence of a lane, in both texts."""
        taken = _values_of_lane(self.taken, lane)
        first = int(self.first_of_prediction[lane])
        first_of_reference = int(self.first_of_lane[lane])
        return (
            [first + position for position in self._matched(lane, taken)],
            [first_of_reference + position for position in taken],
        )

    def _matched(self, lane: int, taken: list[int]) -> list[int]:
        """Return where the tokens that are taken stand in the sentence of the prediction."""
        if self.matched is not None:
            return _values_of_lane(self.taken.with_values(self.matched), lane)
        reference = _values_of_lane(self.reference, lane)
        words = [reference[position] for position in taken]
        return _last_places(words, _values_of_lane(self.prediction, lane))


def _values_of_lane(lanes: Ragged, lane: int) -> list[int]:
    return lanes.values[lanes.offsets[lane] : lanes.offsets[lane + 1]].tolist()


def _lanes_of_sentences(
    prediction: IdsOfText, reference: IdsOfText, partners_of: PartnersOfTokens | None = None
) -> Iterator[_SentencePairs]:
    """Yield the pairs of sentences, those of some sentences of the reference at a time."""
    places = prediction.sentences(), reference.sentences()
    n_predictions = places[0].n_rows
    if not n_predictions or not places[1].n_rows:
        return
    # What the other text lacks must not match there, nor anything here.
    absent = 1 + int(max(prediction.ids.max(), reference.ids.max()))
    of_prediction, of_reference = (
        place.with_values(np.where(text.ids == UNSHARED, absent + side, text.ids))
        for side, (text, place) in enumerate(zip((prediction, reference), places, strict=True))
    )
    size = len(prediction.ids) + n_predictions * of_reference.lengths
    for first, end in batches(size, _MAX_LANE_TOKENS):
        row = np.tile(np.arange(n_predictions), end - first)
        reference_row = np.repeat(np.arange(first, end), n_predictions)
        lanes = of_prediction.take(row), of_reference.take(reference_row)
        sides = [Tokens(ids, ids.row_of_value, absent + 2) for ids in lanes]
        shared, matched = shared_tokens(sides[0], sides[1]), None
        if partners_of is None:
            is_taken = union_lcs_mask(shared)
        else:
            partner = partners_of(shared)
            is_taken = partner != UNSHARED
            matched = lanes[0].position_in_row[partner[is_taken]]
        position = lanes[1].with_values(lanes[1].position_in_row)
        yield _SentencePairs(
            *lanes,
            places[0].offsets[row],
            places[1].offsets[reference_row],
            position.keep(is_taken),
            n_predictions,
            matched,
        )


def _last_places(words: Sequence[int], text: Sequence[int]) -> list[int]:
    """Return the last places at which a text has some words in this order.

    >>> _last_places([7, 9], [7, 8, 7, 9, 8])
    [2, 3]
    """
    places = []
    place = len(text)
    for word in reversed(words):
        place -= 1
        while text[place] != word:
            place -= 1
        places.append(place)
    return places[::-1]
