"""Token ids of a pair -> the positions of the tokens of its common subsequences.

Scores need only lengths; an explanation shows which tokens they are:

* Of several longest common subsequences that of the kernels (`kernels/lcs/union.py`, and with
  weights `kernels/wlcs/way_back.py`), at the last places in the prediction that have it.
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

from ..ground.ragged import Ragged, batches
from ..ground.tokens import ABSENT, SharedTokens, Tokens, shared_tokens
from ..kernels.lcs.union import union_lcs_mask
from .ngrams import IdsOfText, PairPositions

# From pairs of texts to the tokens of the references that a common subsequence takes.
SubsequenceMask = Callable[[SharedTokens], np.ndarray]

_MAX_LANE_TOKENS = 1 << 20  # of pairs of sentences that are compared together


def subsequence_positions(
    prediction: IdsOfText,
    reference: IdsOfText,
    mask_of: SubsequenceMask = union_lcs_mask,
) -> PairPositions:
    """Return the tokens of one common subsequence of the whole texts."""
    sides = prediction.as_one_sentence(), reference.as_one_sentence()
    for lanes in _lanes_of_sentences(*sides, mask_of):
        return lanes.positions(0)
    return [], []


def union_positions(
    prediction: IdsOfText,
    reference: IdsOfText,
    n_allowed: Sequence[int],
    mask_of: SubsequenceMask = union_lcs_mask,
) -> PairPositions:
    """Return the tokens of the union of the common subsequences of all sentences.

    Parameters
    ----------
    n_allowed : sequence of int
        For each token of the reference, how many that are equal to it may count.
    """
    partner: dict[int, int] = {}  # of each token of the reference, in the prediction
    for lanes in _lanes_of_sentences(prediction, reference, mask_of):
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


def best_sentence_positions(
    prediction: IdsOfText, reference: IdsOfText
) -> PairPositions:
    """Return, of each sentence, the tokens in common with its best one on the other side.

    Of several sentences that are equally good the first one is taken.
    """
    best_of_prediction: dict[int, list[int]] = {}
    in_reference: list[int] = []
    for lanes in _lanes_of_sentences(prediction, reference, union_lcs_mask):
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
    """

    prediction: Ragged
    reference: Ragged
    first_of_prediction: np.ndarray
    first_of_lane: np.ndarray
    taken: Ragged
    n_predictions: int

    def positions(self, lane: int) -> PairPositions:
        """Return the tokens of the common subsequence of a lane, in both texts."""
        prediction, reference, taken = (
            rows.values[rows.offsets[lane] : rows.offsets[lane + 1]].tolist()
            for rows in (self.prediction, self.reference, self.taken)
        )
        first = int(self.first_of_prediction[lane])
        first_of_reference = int(self.first_of_lane[lane])
        words = [reference[position] for position in taken]
        return (
            [first + position for position in _last_places(words, prediction)],
            [first_of_reference + position for position in taken],
        )


def _lanes_of_sentences(
    prediction: IdsOfText, reference: IdsOfText, mask_of: SubsequenceMask
) -> Iterator[_SentencePairs]:
    """Yield the pairs of sentences, those of some sentences of the reference at a time."""
    places = prediction.sentences(), reference.sentences()
    n_predictions = places[0].n_rows
    if not n_predictions or not places[1].n_rows:
        return
    # What the other text lacks must not match there, nor anything here.
    absent = 1 + int(max(prediction.ids.max(), reference.ids.max()))
    of_prediction, of_reference = (
        place.with_values(np.where(text.ids == ABSENT, absent + side, text.ids))
        for side, (text, place) in enumerate(
            zip((prediction, reference), places, strict=True)
        )
    )
    size = len(prediction.ids) + n_predictions * of_reference.lengths
    for first, end in batches(size, _MAX_LANE_TOKENS):
        row = np.tile(np.arange(n_predictions), end - first)
        reference_row = np.repeat(np.arange(first, end), n_predictions)
        lanes = of_prediction.take(row), of_reference.take(reference_row)
        sides = [Tokens(ids, ids.row_of_value, absent + 2) for ids in lanes]
        is_taken = mask_of(shared_tokens(sides[0], sides[1]))
        position = lanes[1].with_values(lanes[1].position_in_row)
        yield _SentencePairs(
            *lanes,
            places[0].offsets[row],
            places[1].offsets[reference_row],
            position.keep(is_taken),
            n_predictions,
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
