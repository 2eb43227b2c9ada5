"""The rouge types: what a name such as rouge2, rougeW-1.5 or rougeSU4 means.

A type is a `Measure`: a family of Lin 2004 (https://aclanthology.org/W04-1013) and what its name
says beside that. How each family is counted is in `counting.py`, where `rouge155.py` and
`other_packages.py` do not say otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

DEFAULT_WLCS_WEIGHT = 1.2
MAX_WLCS_WEIGHT = 20  # k ** 20 is finite for texts of any length

DEFAULT_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")


@dataclass(frozen=True)
class Family:
    """A family of rouge types."""

    name: str  # as papers write it after "ROUGE-"
    unit: str  # what it counts, for people: a noun in the plural
    argument: str = ""  # a regular expression of what may follow its letters
    remark: str = ""  # what messages say about that

    @property
    def letters(self) -> str:
        """What its types have after "rouge", before the argument."""
        return "" if self.name == "N" else self.name

    @property
    def spelled(self) -> str:
        """How messages name its types."""
        return f"rouge{self.letters}" if self.letters else "rouge1, rouge2, ..."


_MAX_SKIP = r"\*|[0-9]+|"
_REMARK_ON_SKIP = "an optional number as in rougeS4"
NGRAMS = Family("N", "{order}-grams", "[1-9][0-9]{0,8}")
LCS = Family("L", "words")
SUMMARY_LCS = Family("Lsum", "words")
WLCS = Family(
    "W",
    "words, with runs counting more",
    r"-[0-9]+(?:\.[0-9]+)?|",
    "an optional weight as in rougeW-1.5",
)
SKIP_BIGRAMS = Family("S", "word pairs", _MAX_SKIP, _REMARK_ON_SKIP)
SKIP_BIGRAMS_AND_UNIGRAMS = Family("SU", "word pairs and words", _MAX_SKIP, _REMARK_ON_SKIP)

# In the order in which a signature has their types.
FAMILIES = (NGRAMS, LCS, SUMMARY_LCS, WLCS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS)


@dataclass(frozen=True)
class Measure:
    """One rouge type."""

    family: Family
    order: int = 0  # the length of its n-grams
    weight: float = DEFAULT_WLCS_WEIGHT  # runs of k tokens count k ** weight
    max_skip: int | None = None  # the most tokens inside a skip-bigram; None: any number

    @property
    def name(self) -> str:
        """The rouge type that names it in full, as rougeW-1.2."""
        argument = ""
        if self.family == NGRAMS:
            argument = str(self.order)
        elif self.family == WLCS:
            argument = f"-{np.format_float_positional(self.weight, trim='-')}"
        elif self.max_skip is not None:
            argument = str(self.max_skip)
        return f"rouge{self.family.letters}{argument}"

    @property
    def unit(self) -> str:
        """What it counts, for people: a noun in the plural."""
        return "words" if self.order == 1 else self.family.unit.format(order=self.order)

    @property
    def words_of_unit(self) -> int:
        """The tokens of its longest unit that sentences can cut; 0: it has no such units."""
        return 2 if self.family in (SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS) else self.order


@lru_cache(maxsize=256)
def measure_of_name(name: str) -> Measure | None:
    """Return the measure that a rouge type names, or None.

    >>> measure_of_name("rougeSU4").max_skip
    4
    >>> types = "rouge2", "rougeW", "rougeS*", "rougeSU04"
    >>> [measure_of_name(name).name for name in types]
    ['rouge2', 'rougeW-1.2', 'rougeS', 'rougeSU4']
    """
    for family in FAMILIES:
        match = re.fullmatch(f"rouge{family.letters}({family.argument})", name)
        if match is None:
            continue
        argument = match[1]
        if family == NGRAMS:
            return Measure(family, order=int(argument))
        if family == WLCS:
            return Measure(family, weight=float(argument[1:] or DEFAULT_WLCS_WEIGHT))
        if argument in ("", "*"):
            return Measure(family)
        return Measure(family, max_skip=int(argument))
    return None
