"""The record of a family of rouge types: how its names read, and how its matches are counted.

A module of this folder has all of a family: the definition on two lists of tokens, which a reader can
check against the paper; how few pairs are counted; the call of the kernel that counts columns of
pairs; and the positions that match. Presets replace records, as in `replace(NGRAMS, count_columns=...)`.

Lin 2004 is "ROUGE: A Package for Automatic Evaluation of Summaries" (https://aclanthology.org/W04-1013).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ..arrays import lazy_property
from ..tokens import SharedTokens
from .matches import Pair, match_masks

Positions = tuple[list[int], list[int]]  # of tokens that match, ascending
Count = tuple[float, float, float]  # matches, total of the prediction, total of the reference
Columns = tuple[np.ndarray, ...]  # `COUNT_NAMES`, shape (n_pairs,); ROUGE-1.5.5 adds a row

COUNT_NAMES = ("prediction_matches", "matches", "prediction_total", "reference_total")


@dataclass(frozen=True)
class RougeType:
    """A rouge type: its family with the parameters of its name."""

    family: str  # the name of a `Family`
    order: int = 0  # the length of its n-grams
    weight: float = 1.2  # runs of k tokens count k ** weight
    max_skip: int | None = None  # the most tokens inside a skip-bigram; None: any number


class PairLists:
    """Pairs as lists: the words of a few pairs, or the token ids of an example that is explained."""

    def __init__(self, texts: list[Pair], sentences: list[Pair], crosses_sentences: bool) -> None:
        self.texts = texts  # the tokens of whole texts
        self.sentences = sentences  # the tokens of each sentence
        self.crosses_sentences = crosses_sentences

    @lazy_property
    def sentences_for_ngrams(self) -> list[Pair]:
        """The tokens among which n-grams are: of each sentence, or of one that is the whole text."""
        return [([p], [r]) for p, r in self.texts] if self.crosses_sentences else self.sentences

    @lazy_property
    def match_masks(self) -> list[list[int]]:
        """For each pair of whole texts, the positions in the reference of each prediction token, as bits."""
        return [match_masks(*pair) for pair in self.texts]


class ColumnPairs(Protocol):
    """Pairs whose tokens are columns of ids."""

    rouge_types: Sequence[RougeType]  # of all types of the call
    families: Sequence[Family]  # which count them
    shared_tokens: SharedTokens  # of whole texts
    shared_sentence_tokens: SharedTokens  # of texts whose sentences are tokenized one by one
    tokens_for_ngrams: SharedTokens  # the tokens among which n-grams are
    crosses_sentences: bool  # whether n-grams go on in the next sentence
    listed_ids: PairLists  # their ids

    def count_once(self, count: Callable[..., Any], *arguments: Any) -> Any:
        """Return `count` of these pairs and arguments, computed once for all types."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """A family of rouge types, such as ROUGE-N."""

    name: str  # as papers write it after "ROUGE-"
    pattern: str  # of its rouge types
    parse: Callable[[str], RougeType]  # from what `pattern` captures
    example: str  # how an error names its types
    # Whether sentences are tokenized one by one; None: only if n-grams may not cross them.
    by_sentence: bool | None = False
    expects_lines: bool = False  # texts of several sentences in one line are probably a mistake
    # By value of the option `summary_lcs`: the family that counts in place of this one.
    by_summary_lcs: Mapping[str, Any] = field(default_factory=dict)

    # --- counts ---
    count_columns: Callable[[RougeType, Any], Columns]  # of `ColumnPairs`
    # Of `PairLists`; None: even few pairs are counted as columns.
    count_few: Callable[[RougeType, Any], list[Count]] | None = None
    # How many Python steps `count_few` takes, beyond one for each token.
    n_steps: Callable[[RougeType, PairLists], int] = lambda rouge_type, pairs: 0
    most: int | None = None  # the highest count of an n-gram; None: as often as both texts have it
    # The positions that match in the pair with a number, of `ColumnPairs`.
    positions: Callable[[RougeType, Any, int], Positions]

    # --- scores ---
    # From quotients of counts to precision and recall.
    inverse: Callable[[RougeType, np.ndarray], np.ndarray] | None = None
    formula: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None  # F, in place of F_beta
    has_integers: bool = True  # counts are integers
    matches_sides: bool = False  # matches of the prediction are not those of the reference
    least_weight: float = 0.0  # that a name of its types may have


def as_counts(matches: np.ndarray, totals: Sequence[np.ndarray]) -> Columns:
    """Return counts in the order of `COUNT_NAMES`, of matches that are the same for both sides."""
    return matches, matches, *totals
