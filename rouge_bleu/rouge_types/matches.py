"""What definitions take and return: tokens, their positions, and matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

TokenList = Sequence[Any]
Pair = tuple[Any, Any]  # a prediction and a reference
PositionPairs = list[tuple[int, int]]  # positions in the prediction and in the reference


class Matches(NamedTuple):
    """Matches of two texts: their number, and the positions of tokens in both, ascending."""

    matches: float
    prediction: list[int]
    reference: list[int]


def masks_by_token(tokens: TokenList) -> dict[Any, int]:
    """Return for each token an integer whose bits are its positions."""
    masks: dict[Any, int] = {}
    get, bit = masks.get, 1
    for token in tokens:
        masks[token] = get(token, 0) | bit
        bit <<= 1
    return masks


def match_masks(prediction: TokenList, reference: TokenList) -> list[int]:
    """Return for each token of the prediction its positions in the reference, as bits.

    >>> list(map(bin, match_masks("abc", "cac")))
    ['0b10', '0b0', '0b101']
    """
    get = masks_by_token(reference).get
    return [get(token, 0) for token in prediction]


def joined_sentences(sentences: Sequence[TokenList]) -> list[Any]:
    """Return the tokens of all sentences of a text as one list."""
    return sentences[0] if len(sentences) == 1 else [token for one in sentences for token in one]  # type: ignore[return-value]
