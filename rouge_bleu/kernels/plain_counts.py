"""Lists of tokens -> matches of a few pairs, by sets, counters and long integers.

The numbers are those of `kernels/ngrams.py`, `kernels/lcs/lengths.py` and
`kernels/lcs/union.py`, which count all pairs of a column at once. That has a fixed price,
some hundred calls of numpy; here a pair costs what its tokens cost. Tokens are strings,
or ids that differ where tokens do.

LCS bit-parallel in rows of one integer, after Hyyro 2004, "Bit-parallel LCS-length
computation revisited" (http://www.cs.uta.fi/~helmu/pubs/awoca04.pdf). Bit i of a row is 0
where the LCS with the first i + 1 tokens of the reference is longer than with i.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, compress
from typing import Any

WordList = Sequence[Any]
Units = Sequence[WordList]  # the parts of a text in which n-grams lie

MAX_PLAIN_ORDER = 4  # longer n-grams cost less by columns, which look at matches only


# --- clipped matches ------------------------------------------------------------------


def plain_ngram_matches(
    prediction: Units, references: Sequence[Units], max_order: int
) -> list[int]:
    """Return the clipped matches of each order up to `max_order`.

    An n-gram lies within one of the units that a text is given as: its sentences, or
    itself. A count is clipped at the highest one in any of the references.

    >>> plain_ngram_matches(["abab"], [["aab"], ["abb"]], 3)
    [4, 1, 0]
    """
    matches = [0] * max_order
    for order in range(1, max_order + 1):
        of_order = _clipped(
            _ngrams(prediction, order), [_ngrams(units, order) for units in references]
        )
        if not of_order:  # so longer ones do not match either
            break
        matches[order - 1] = of_order
    return matches


def _ngrams(units: Units, order: int) -> list[Any]:
    if order == 1:
        return _joined_units(units)
    return _joined_units(
        [list(zip(*(unit[place:] for place in range(order)), strict=False)) for unit in units]
    )


def _joined_units(units: Sequence[Sequence[Any]]) -> list[Any]:
    return list(units[0] if len(units) == 1 else chain.from_iterable(units))


def _clipped(prediction: list[Any], references: Sequence[list[Any]]) -> int:
    """Return the sum of min(count in the prediction, highest count in a reference)."""
    is_in_prediction = set(prediction).__contains__
    shared = [list(filter(is_in_prediction, units)) for units in references]
    distinct = list(map(set, shared))
    if all(map(_are_as_many, shared, distinct)):  # no reference has any of them twice
        return len(distinct[0].union(*distinct[1:]))
    highest = Counter(shared[0])
    for units in shared[1:]:
        highest |= Counter(units)
    count = Counter(prediction)
    return sum(min(count[unit], n) for unit, n in highest.items())


def _are_as_many(units: list[Any], distinct: set[Any]) -> bool:
    return len(units) == len(distinct)


# --- common subsequences --------------------------------------------------------------


def plain_lcs_length(prediction: WordList, reference: WordList) -> int:
    """Return the length of the longest common subsequence.

    >>> plain_lcs_length("police kill the gunman".split(), "the gunman kill police".split())
    2
    """
    mask_of_word = _position_masks(reference)
    row = all_ones = (1 << len(reference)) - 1
    for word in prediction:
        mask = mask_of_word.get(word)
        if mask is not None:
            match = row & mask
            row = (row + match | row - match) & all_ones
    return len(reference) - bin(row).count("1")


def plain_union_lcs_length(prediction: Units, reference: Units) -> int:
    """Return the clipped union LCS of two texts, each a list of its sentences.

    The example of Lin 2004, section 3.2:

    >>> candidate = ["w1 w2 w6 w7 w8".split(), "w1 w3 w8 w9 w5".split()]
    >>> plain_union_lcs_length(candidate, ["w1 w2 w3 w4 w5".split()])
    4
    """
    if len(prediction) == len(reference) == 1:  # all words of it count
        return plain_lcs_length(prediction[0], reference[0])
    taken: list[Any] = []
    for sentence in reference:
        if sentence in prediction:  # all of it is taken
            taken += sentence
            continue
        mask_of_word = _position_masks(sentence)
        union = 0
        for other in prediction:
            union |= _taken(other, mask_of_word, (1 << len(sentence)) - 1)
        taken += compress(sentence, map("1".__eq__, bin(union)[:1:-1]))
    n_taken = Counter(taken)
    if len(n_taken) == len(taken):  # no clipping takes anything away
        return len(taken)
    count = Counter(chain.from_iterable(prediction))
    return sum(map(min, n_taken.values(), map(count.__getitem__, n_taken)))


def _position_masks(words: WordList) -> dict[Any, int]:
    """Return for each word an integer with the bits of its positions set."""
    masks: dict[Any, int] = {}
    bit = 1
    for word in words:
        masks[word] = masks.get(word, 0) | bit
        bit <<= 1
    return masks


def _taken(prediction: WordList, mask_of_word: dict[Any, int], all_ones: int) -> int:
    """Return which positions of a sentence of the reference the LCS takes, as bits.

    The way back goes from the end of both: a match is taken; else one word of the
    prediction is left out where the LCS is no shorter for it and with one word less of
    the reference it is, else one word of the reference.
    """
    row = all_ones
    rows: list[tuple[int, int]] = []
    for word in prediction:
        mask = mask_of_word.get(word, 0)
        if mask:
            match = row & mask
            row = (row + match | row - match) & all_ones
        elif not rows or not rows[-1][1]:
            continue  # a second word without a match leads the way back no further
        rows.append((row, mask))
    taken, below = 0, all_ones  # positions that are not yet left out
    for row, mask in reversed(rows):
        stop = below & (~row | mask)
        if not stop:
            break
        highest = 1 << stop.bit_length() - 1
        match = highest & mask
        taken |= match
        below = (highest << 1) - 1 - match
    return taken
