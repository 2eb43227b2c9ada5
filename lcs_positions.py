"""Token ids of a pair -> the positions of the tokens of its common subsequences.

Scores need only lengths; an explanation shows which tokens they are:

* Of several longest common subsequences that of the kernels (`union_lcs.py`, and with
  weights `wlcs_way_back.py`), at the last places in the prediction that have it.
* Of the union over sentences the first tokens that clipped counts allow; each has a
  partner in the prediction, one that a common subsequence gives it if there is one.

Positions are those of tokens in their text, ascending. Python loops run over pairs of
sentences and the tokens of one pair of texts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .match_positions import IdsOfText, PairPositions
from .ragged import Ragged, batches
from .tokens import ABSENT, SharedTokens, Tokens, shared_tokens
from .union_lcs import union_lcs_mask

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
    for common in _common_subsequences(*sides, mask_of):
        in_prediction, in_reference = zip(*common.pairs, strict=True)
        return sorted(in_prediction), sorted(in_reference)
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
    partners = defaultdict(list)
    for common in _common_subsequences(prediction, reference, mask_of):
        for in_prediction, in_reference in common.pairs:
            partners[in_reference].append(in_prediction)
    ids = reference.ids.tolist()
    n_counted: Counter[int] = Counter()
    counted = []
    for position in sorted(partners):
        if n_counted[ids[position]] < n_allowed[position]:
            n_counted[ids[position]] += 1
            counted.append(position)
    chosen = _distinct_partners([partners[position] for position in counted])
    # Where the same token is the partner of several, the others take equal ones.
    n_missing = n_counted - Counter(prediction.ids[sorted(chosen)].tolist())
    for position, token_id in enumerate(prediction.ids.tolist()):
        if n_missing[token_id] > 0 and position not in chosen:
            chosen.add(position)
            n_missing[token_id] -= 1
    return sorted(chosen), counted


def _distinct_partners(candidates: Sequence[Sequence[int]]) -> set[int]:
    chosen: set[int] = set()
    for positions in candidates:
        free = [position for position in positions if position not in chosen]
        chosen.update(free[:1])
    return chosen


def best_sentence_positions(
    prediction: IdsOfText, reference: IdsOfText
) -> PairPositions:
    """Return, of each sentence, the tokens in common with its best one on the other side."""
    of_prediction: dict[int, list[int]] = {}
    of_reference: dict[int, list[int]] = {}
    for common in _common_subsequences(prediction, reference, union_lcs_mask):
        in_prediction, in_reference = map(list, zip(*common.pairs, strict=True))
        for best, sentence, positions in (
            (of_prediction, common.prediction_sentence, in_prediction),
            (of_reference, common.reference_sentence, in_reference),
        ):
            if len(positions) > len(best.get(sentence, ())):
                best[sentence] = positions
    first, second = (
        sorted(position for positions in best.values() for position in positions)
        for best in (of_prediction, of_reference)
    )
    return first, second


@dataclass(frozen=True)
class _CommonSubsequence:
    """A common subsequence of two sentences: positions in both texts of each token."""

    prediction_sentence: int
    reference_sentence: int
    pairs: list[tuple[int, int]]


def _common_subsequences(
    prediction: IdsOfText, reference: IdsOfText, mask_of: SubsequenceMask
) -> Iterator[_CommonSubsequence]:
    """Yield those with tokens, of each sentence of the reference with each of the
    prediction.
    """
    sides = prediction.sentences(), reference.sentences()
    n_predictions, n_references = sides[0].n_rows, sides[1].n_rows
    if not n_predictions or not n_references:
        return
    absent = 1 + max(
        int(text.ids.max(initial=ABSENT)) for text in (prediction, reference)
    )
    ids = [
        place.with_values(np.where(text.ids == ABSENT, absent + number, text.ids))
        for number, (text, place) in enumerate(
            zip((prediction, reference), sides, strict=True)
        )
    ]
    lists_of_ids = [_lists_of_rows(rows) for rows in ids]
    size = len(prediction.ids) + n_predictions * sides[1].lengths
    for first, end in batches(size, _MAX_LANE_TOKENS):
        row = np.tile(np.arange(n_predictions), end - first)
        reference_row = np.repeat(np.arange(first, end), n_predictions)
        lanes = shared_tokens(
            _sentences_as_texts(ids[0].take(row), absent + 2),
            _sentences_as_texts(ids[1].take(reference_row), absent + 2),
        )
        position = lanes.reference.ids.with_values(lanes.reference.ids.position_in_row)
        taken = _lists_of_rows(position.keep(mask_of(lanes)))
        for k, j, positions in zip(
            row.tolist(), reference_row.tolist(), taken, strict=True
        ):
            if positions:
                start, reference_start = sides[0].offsets[k], sides[1].offsets[j]
                common = _embedded(lists_of_ids[0][k], lists_of_ids[1][j], positions)
                pairs = [
                    (int(start) + left, int(reference_start) + right)
                    for left, right in common
                ]
                yield _CommonSubsequence(k, j, pairs)


def _lists_of_rows(rows: Ragged) -> list[list[int]]:
    values, offsets = rows.values.tolist(), rows.offsets.tolist()
    return [values[start:end] for start, end in pairwise(offsets)]


def _sentences_as_texts(sentences: Ragged, n_types: int) -> Tokens:
    return Tokens(sentences, sentences.row_of_value, n_types)


def _embedded(
    prediction: list[int], reference: list[int], positions: list[int]
) -> list[tuple[int, int]]:
    """Return the last positions of the prediction at which a subsequence stands.

    `positions` are those of the subsequence in the reference.

    >>> _embedded([7, 8, 7, 9], [7, 5, 9], [0, 2])
    [(2, 0), (3, 2)]
    """
    pairs = []
    place = len(prediction)
    for position in reversed(positions):
        place -= 1
        while prediction[place] != reference[position]:
            place -= 1
        pairs.append((place, position))
    return pairs[::-1]
