"""Names of rouge types, checked; what messages say of them comes from the families."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ...kernels.ngrams import MAX_ORDER
from ...messages import written
from ..types import FAMILIES, MAX_WLCS_WEIGHT, Family, measure_of_name


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
    measure = measure_of_name(name) if isinstance(name, str) else None
    if measure is None:
        meant = _type_meant(name) if isinstance(name, str) else None
        hint = f". Did you mean {meant!r}?" if meant else ""
        raise ValueError(
            f"{place} must be {spelled_types(FAMILIES)} ({_remarks_on_arguments()}), got "
            f"{written(name)}{hint}"
        )
    is_high_enough = measure.weight >= 1
    if takes_weights_below_1:
        is_high_enough = measure.weight > 0
    if not is_high_enough or measure.weight > MAX_WLCS_WEIGHT:
        lowest = "above 0" if takes_weights_below_1 else "from 1"
        raise ValueError(f"{place} must have a weight {lowest} to {MAX_WLCS_WEIGHT}, got {name!r}")
    if measure.order > MAX_ORDER:
        raise ValueError(f"{place} must have an order of at most {MAX_ORDER}, got {name!r}")


def _type_meant(name: str) -> str | None:
    """Return the type that is spelled in another way, as papers and packages do, or None.

    >>> [_type_meant(name) for name in ("ROUGE-L", "rouge_w_1.5", "r2", "rouge-su*")]
    ['rougeL', 'rougeW-1.5', 'rouge2', 'rougeSU*']
    """
    # A dash behind S or SU may be that of -1, which is no limit in the Perl script.
    text = re.sub("^r(ouge)?|[_ ]|(?<![su])-", "", name.lower())
    for family in FAMILIES:
        if text.startswith(letters := family.letters.lower()):
            argument = text.removeprefix(letters)
            for dash in ("", "-"):
                meant = f"rouge{family.letters}{dash}{argument}"
                if measure_of_name(meant):
                    return meant
    return None


def spelled_types(families: Collection[Family]) -> str:
    """Return the types of some families as a message lists them."""
    *others, last = [family.spelled for family in FAMILIES if family in families]
    return f"{', '.join(others)} or {last}"


def _remarks_on_arguments() -> str:
    """Return what may stand behind the letters: "S and SU with an optional number ..."."""
    letters_of_remark: dict[str, list[str]] = {}
    for family in FAMILIES:
        if family.remark:
            letters = letters_of_remark.setdefault(family.remark, [])
            letters.append(family.letters)
    return ", ".join(
        f"{' and '.join(letters)} with {remark}" for remark, letters in letters_of_remark.items()
    )
