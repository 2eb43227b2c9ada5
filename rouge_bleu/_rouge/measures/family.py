"""The records of a rouge type: its family, and what it says beside that.

    rouge2      family N, order 2
    rougeW-1.5  family W, weight 1.5
    rougeSU4    family SU, max_skip 4

A `Family` says all of a family that any stage asks for: how its types are spelled, what
it needs counted, and by a `Counting` for each convention what its matches are. Stages
read the record, so that a new family is a new file in `rouge/families/`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ...spans.ngrams import PairPositions
from .scores import PairStatistics
from .views import DistinctView, ExplainedPair, PaperView, PerlView

DEFAULT_WLCS_WEIGHT = 1.2

Pairs = TypeVar("Pairs")


@dataclass(frozen=True)
class Measure:
    """One rouge type.

    Parameters
    ----------
    family : Family
    order : int
        Length of its n-grams.
    weight : float
        Runs of k tokens count k ** weight.
    max_skip : int or None
        The most tokens inside a skip-bigram; None: any number.
    """

    family: Family
    order: int = 0
    weight: float = DEFAULT_WLCS_WEIGHT
    max_skip: int | None = None

    @property
    def name(self) -> str:
        """The rouge type that names it in full, as rougeW-1.2."""
        return f"rouge{self.family.letters}{self.family.argument.written(self)}"

    @property
    def unit(self) -> str:
        """What it counts, for people: a noun in the plural."""
        return self.family.unit(self)


@dataclass(frozen=True, kw_only=True)
class Argument:
    """What may stand behind the letters of a rouge type.

    Parameters
    ----------
    pattern : str
        Its regular expression.
    read : function
        From its text to fields of `Measure`.
    written : function
        From a measure to its text in full.
    remark : str
        What messages say of it; empty where it is always there, or never.
    """

    pattern: str
    read: Callable[[str], dict[str, Any]]
    written: Callable[[Measure], str]
    remark: str


@dataclass(frozen=True)
class Counting(Generic[Pairs]):
    """How a convention counts a family.

    Parameters
    ----------
    statistics : function
        From the pairs of a chunk to the matches and totals of each.
    positions : function
        From one pair to the positions of its tokens that take part in a match.
    """

    statistics: Callable[[Pairs, Measure], PairStatistics]
    positions: Callable[[ExplainedPair, Measure], PairPositions]


@dataclass(frozen=True)
class PerlCounting(Counting[PerlView]):
    """How ROUGE-1.5.5 counts a family.

    Parameters
    ----------
    reads_lines : bool
        Texts are read by the script's reader for L and W, and recalls are not rounded
        where the best reference is chosen.
    divides_by_reference : bool
        A reference without tokens ends the script.
    """

    reads_lines: bool
    divides_by_reference: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Family:
    """All that is said of a family of rouge types. No field has a default.

    Parameters
    ----------
    name : str
        As papers have it behind "ROUGE-".
    letters : str
        What its types have behind "rouge".
    argument : Argument
        What may stand behind the letters.
    unit : function
        From a measure to what it counts, for people: a noun in the plural.
    orders, skips : function
        From a measure to the lengths of n-grams, and to the `max_skip` of skip-bigrams,
        that pairs have to count for it.
    words_of_unit : function
        From a measure to the number of tokens of its longest unit, where
        cross_sentences=False keeps units within sentences; 0: that option has no effect.
    has_sentences : bool
        Whether it always compares sentences.
    has_whole_counts : bool
        Whether matches and totals are integers.
    has_plain_counts : bool
        Whether a few pairs have all that it asks for, without columns.
    paper, perl, distinct : Counting or None
        How each convention counts it; None: the convention has no such type.
    """

    name: str
    letters: str
    argument: Argument
    unit: Callable[[Measure], str]
    orders: Callable[[Measure], Collection[int]]
    skips: Callable[[Measure], Collection[int | None]]
    words_of_unit: Callable[[Measure], int]
    has_sentences: bool
    has_whole_counts: bool
    has_plain_counts: bool
    paper: Counting[PaperView]
    perl: PerlCounting | None
    distinct: Counting[DistinctView] | None

    def __eq__(self, other: object) -> bool:
        """Whether it is the family of that name; so is a copy."""
        return isinstance(other, Family) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<family {self.name}>"

    @property
    def spelled(self) -> str:
        """How messages name its types."""
        if self.letters:
            return f"rouge{self.letters}"
        return "rouge1, rouge2, ..."
