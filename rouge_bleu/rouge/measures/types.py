"""The names of rouge types, and what they mean: `Measure`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ...kernels.ngrams import MAX_ORDER

DEFAULT_ROUGE_TYPES = (
    "rouge1",
    "rouge2",
    "rougeL",
    "rougeLsum",
    "rougeW",
    "rougeS4",
    "rougeSU4",
)
DEFAULT_WLCS_WEIGHT = 1.2
MAX_WLCS_WEIGHT = 20  # k ** 20 is finite for texts of any length

# How a type may be meant that is spelled in another way.
_NAMES_OFTEN_MEANT = ("rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")
_TYPE_OF_LETTERS = {
    name.lower(): name
    for name in (*(f"rouge{n}" for n in range(1, 10)), *_NAMES_OFTEN_MEANT)
}

_ROUGE_TYPE = re.compile(
    r"""rouge(?:
        (?P<order>[1-9][0-9]{0,8})
        | (?P<lcs>L|Lsum)
        | W (?: - (?P<weight>[0-9]+ (?: \. [0-9]+ )? ) )?
        | (?P<skip>SU?) (?P<max_skip>\*|[0-9]+)?
    )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Measure:
    """One rouge type: its family, and what the type says beside it.

    The family is N, L, Lsum, W, S or SU.
    """

    family: str
    order: int = 0
    weight: float = DEFAULT_WLCS_WEIGHT
    max_skip: int | None = None

    @property
    def name(self) -> str:
        """The rouge type that names it in full.

        >>> [Measure.of_name(name).name for name in ("rougeW", "rougeS*", "rougeSU04")]
        ['rougeW-1.2', 'rougeS', 'rougeSU4']
        """
        if self.family == "N":
            return f"rouge{self.order}"
        if self.family == "W":
            return f"rougeW-{np.format_float_positional(self.weight, trim='-')}"
        limit = "" if self.max_skip is None else str(self.max_skip)
        return f"rouge{self.family}{limit}"

    @classmethod
    @lru_cache(maxsize=256)
    def of_name(cls, name: str) -> Measure | None:
        """Return the measure that a rouge type names, or None.

        >>> Measure.of_name("rougeSU4")
        Measure(family='SU', order=0, weight=1.2, max_skip=4)
        """
        match = _ROUGE_TYPE.fullmatch(name)
        if match is None:
            return None
        if match["order"]:
            return cls("N", order=int(match["order"]))
        if match["lcs"]:
            return cls(match["lcs"])
        if match["skip"]:
            limit = match["max_skip"]
            max_skip = None if limit in (None, "*") else int(limit)
            return cls(match["skip"], max_skip=max_skip)
        return cls("W", weight=float(match["weight"] or DEFAULT_WLCS_WEIGHT))


def check_rouge_types(rouge_types: Any, *, takes_weights_below_1: bool) -> None:
    """Raise where a list of rouge types is empty, or one of them is none.

    Parameters
    ----------
    rouge_types : list or None
    takes_weights_below_1 : bool
        Whether rougeW takes any weight above 0, else from 1.
    """
    if rouge_types is None:
        return
    if not rouge_types:
        raise ValueError(
            "rouge_types is empty: name at least one rouge type, or leave it out for the "
            "default ones"
        )
    for index, name in enumerate(rouge_types):
        _check_rouge_type(f"rouge_types[{index}]", name, takes_weights_below_1)


def _check_rouge_type(place: str, name: Any, takes_weights_below_1: bool) -> None:
    measure = Measure.of_name(name) if isinstance(name, str) else None
    if measure is None:
        near = _TYPE_OF_LETTERS.get(re.sub("[-_ ]", "", str(name).lower()))
        hint = f". Did you mean {near!r}?" if near else ""
        raise ValueError(
            f"{place} must be rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS or "
            "rougeSU (W with an optional weight as in rougeW-1.5, S and SU with an "
            f"optional number as in rougeS4), got {name!r}{hint}"
        )
    is_high_enough = measure.weight >= 1
    if takes_weights_below_1:
        is_high_enough = measure.weight > 0
    if not is_high_enough or measure.weight > MAX_WLCS_WEIGHT:
        lowest = "above 0" if takes_weights_below_1 else "from 1"
        raise ValueError(
            f"{place} must have a weight {lowest} to {MAX_WLCS_WEIGHT}, got {name!r}"
        )
    if measure.order > MAX_ORDER:
        raise ValueError(
            f"{place} must have an order of at most {MAX_ORDER}, got {name!r}"
        )
