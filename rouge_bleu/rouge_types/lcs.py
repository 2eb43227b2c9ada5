"""ROUGE-L: the longest common subsequence of whole texts (Lin 2004, section 3.1).

Few tokens are counted pair by pair by the definition, others by `kernels/lcs.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..kernels.lcs import lcs_lengths_of_columns
from ..tokens import UNSHARED, SharedTokens
from .family import ColumnPairs, Count, Family, PairLists, RougeType, as_counts
from .matches import Matches, PositionPairs, TokenList, masks_by_token, match_masks

# --- definition -----------------------------------------------------------------------------------


def lcs_length(prediction: TokenList, reference: TokenList) -> int:
    """Return the length of the longest common subsequence.

    Bit i of a row is 0 if the LCS with the first i + 1 tokens of the reference is longer than
    with i (Hyyro 2004, "Bit-parallel LCS-length computation revisited",
    http://www.cs.uta.fi/~helmu/pubs/awoca04.pdf).

    >>> lcs_length("police kill the gunman".split(), "the gunman kill police".split())
    2
    """
    return lcs_length_of_masks(match_masks(prediction, reference), len(reference))


def lcs_length_of_masks(masks: Iterable[int], n: int) -> int:
    """Return `lcs_length` from `match_masks` and the length of the reference."""
    row = all_ones = (1 << n) - 1
    for mask in filter(None, masks):
        match = row & mask
        row = row + match | row - match  # what it carries beyond the reference changes no bit of it
    return n - (row & all_ones).bit_count()


def lcs_pairs(
    prediction: TokenList, reference: TokenList, masks: dict[Any, int] | None = None
) -> PositionPairs:
    """Return the positions that one longest common subsequence matches, ascending.

    The traceback is that of rouge_score, from the end of both texts. Two equal tokens are matched. Of two
    different tokens one is left out: that of the prediction if the table of Lin 2004, section 3.1,
    is larger without it, else that of the reference. `masks` are the masks of the reference.

    >>> lcs_pairs("abcb", "acbb")
    [(0, 0), (2, 1), (3, 3)]
    """
    masks = masks_by_token(reference) if masks is None else masks
    row = all_ones = (1 << len(reference)) - 1
    rows: list[tuple[int, int, int]] = []
    last_mask: int | None = None
    for i, mask in enumerate(map(masks.get, prediction)):
        if mask:
            match = row & mask
            row = (row + match | row - match) & all_ones
            rows.append((row, mask, i))
        elif last_mask:  # a second row without a match does not change the traceback
            rows.append((row, 0, i))
        last_mask = mask
    pairs, left = [], all_ones  # the positions of the reference that are not yet left out
    for row, mask, i in reversed(rows):
        stop = left & (~row | mask)
        if not stop:
            break
        j = stop.bit_length() - 1
        if mask >> j & 1:
            pairs.append((i, j))
            left = (1 << j) - 1
        else:
            left = (2 << j) - 1
    return pairs[::-1]


def rouge_l(prediction: TokenList, reference: TokenList) -> Matches:
    """Return the longest common subsequence.

    >>> rouge_l("police kill the gunman".split(), "police killed the gunman".split())
    Matches(matches=3, prediction=[0, 2, 3], reference=[0, 2, 3])
    """
    pairs = lcs_pairs(prediction, reference)
    return Matches(len(pairs), [i for i, _ in pairs], [j for _, j in pairs])


# --- few pairs, columns, positions ----------------------------------------------------------------


def _count_few(rouge_type: RougeType, pairs: PairLists) -> list[Count]:
    return [
        (lcs_length_of_masks(masks, len(r)), len(p), len(r))
        for masks, (p, r) in zip(pairs.match_masks, pairs.texts, strict=True)
    ]


def lcs_lengths(tokens: SharedTokens, which: np.ndarray | None = None) -> np.ndarray:
    """Return the LCS length of each pair, or of the pairs in `which`, int64."""
    # Tokens that the other side lacks are not in any common subsequence.
    prediction, reference = (side.ids.keep(side.ids.values != UNSHARED) for side in tokens.sides)
    which = np.arange(tokens.n_examples) if which is None else which
    return lcs_lengths_of_columns(prediction, reference, tokens.example_of_id, which)


def lcs_lengths_of_texts(pairs: ColumnPairs) -> np.ndarray:
    """Return the lengths of the LCS of whole texts, ndarray of int64, shape (n_pairs,)."""
    return lcs_lengths(pairs.shared_tokens)


LCS = Family(
    name="L",
    pattern="rougeL()",
    parse=lambda nothing: RougeType("L"),
    example="rougeL",
    count_few=_count_few,
    count_columns=lambda rouge_type, pairs: as_counts(
        pairs.count_once(lcs_lengths_of_texts), pairs.shared_tokens.lengths
    ),
    positions=lambda rouge_type, pairs, pair: rouge_l(*pairs.listed_ids.texts[pair])[1:],
)
