"""The rouge types of Lin 2004: what a name such as rouge2, rougeW-1.5 or rougeSU4 means."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..corpus import as_list
from ..kernels.ngrams import MAX_ORDER
from ..messages import written
from ..options import close_name

DEFAULT_WLCS_WEIGHT = 1.2
MAX_WLCS_WEIGHT = 20  # k ** 20 is finite for texts of any length

DEFAULT_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")
_USUAL_NAMES = (*DEFAULT_ROUGE_TYPES, "rougeW-1.2", "rougeS", "rougeS*", "rougeSU", "rougeSU*")

# The families as papers write them after "ROUGE-", in the order in which a signature has their types.
FAMILIES = ("N", "L", "Lsum", "W", "S", "SU")
NGRAMS, LCS, SUMMARY_LCS, WLCS, SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS = FAMILIES

_NAMES = {
    NGRAMS: "rouge([1-9][0-9]{0,8})",
    LCS: "rougeL()",
    SUMMARY_LCS: "rougeLsum()",
    WLCS: r"rougeW(-[0-9]+(?:\.[0-9]+)?|)",
    SKIP_BIGRAMS: r"rougeS(\*|[0-9]+|)",
    SKIP_BIGRAMS_AND_UNIGRAMS: r"rougeSU(\*|[0-9]+|)",
}


@dataclass(frozen=True)
class Measure:
    """A rouge type: its family with the parameters of its name."""

    family: str  # one of `FAMILIES`
    order: int = 0  # the length of its n-grams
    weight: float = DEFAULT_WLCS_WEIGHT  # runs of k tokens count k ** weight
    max_skip: int | None = None  # the most tokens inside a skip-bigram; None: any number

    @property
    def name(self) -> str:
        """The rouge type that names it in full, as rougeW-1.2."""
        if self.family == NGRAMS:
            return f"rouge{self.order}"
        if self.family == WLCS:
            return f"rougeW-{np.format_float_positional(self.weight, trim='-')}"
        return f"rouge{self.family}{'' if self.max_skip is None else self.max_skip}"

    @property
    def has_skip_bigrams(self) -> bool:
        """Whether it counts pairs of tokens."""
        return self.family in (SKIP_BIGRAMS, SKIP_BIGRAMS_AND_UNIGRAMS)

    @property
    def has_units(self) -> bool:
        """Whether it counts units that sentences can cut: n-grams or skip-bigrams."""
        return self.order > 0 or self.has_skip_bigrams


@lru_cache(maxsize=256)
def measure_of_name(name: str) -> Measure | None:
    """Return the measure that a rouge type names, or None."""
    for family, pattern in _NAMES.items():
        match = re.fullmatch(pattern, name)
        if match is None:
            continue
        argument = match[1].strip("-*")
        if family == NGRAMS:
            return Measure(family, order=int(argument))
        if family == WLCS:
            return Measure(family, weight=float(argument or DEFAULT_WLCS_WEIGHT))
        return Measure(family, max_skip=int(argument) if argument else None)
    return None


def check_rouge_types(name: str, rouge_types: Any) -> list[str]:
    """Return a list of rouge types, each of which is one."""
    expected = "a list of rouge types such as ['rouge1', 'rougeL']"
    types = as_list(rouge_types, name, expected, _hint_of_string)
    if not types:
        raise ValueError(f"{name} is empty: pass at least one type, or leave it out")
    for index, one in enumerate(types):
        measure = measure_of_name(one) if isinstance(one, str) else None
        if measure is None:
            close = close_name(one, _USUAL_NAMES) if isinstance(one, str) else None
            hint = f". Did you mean {close!r}?" if close else ""
            raise ValueError(
                f"{name}[{index}] must be {spelled_types()}, as in rouge2, rougeW-1.5 or rougeSU4, "
                f"got {written(one)}{hint}"
            )
        if measure.order > MAX_ORDER:
            raise ValueError(
                f"{name}[{index}] must have an order of at most {MAX_ORDER}, got {one!r}"
            )
        if not 0 < measure.weight <= MAX_WLCS_WEIGHT:
            raise ValueError(
                f"{name}[{index}] must have a weight from 1 to {MAX_WLCS_WEIGHT}, got {one!r}"
            )
    return types


def _hint_of_string(value: Any) -> str:
    if not isinstance(value, str):
        return ""
    names = value.replace(",", " ").split()
    return f": put them into a list, {names}" if names[1:] else ": put it into a list"


def spelled_types(families: Collection[str] = FAMILIES) -> str:
    """Return the types of families as a message lists them."""
    *others, last = [
        "rouge1, rouge2, ..." if family == NGRAMS else f"rouge{family}"
        for family in FAMILIES
        if family in families
    ]
    return f"{', '.join(others)} or {last}"
