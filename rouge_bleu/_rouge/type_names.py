"""Names of rouge types, checked. The records of types are in `families`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..corpus import as_list
from ..kernels.ngrams import MAX_ORDER
from ..messages import written
from ..options import close_name
from .families.arguments import MAX_WLCS_WEIGHT
from .families.table import DEFAULT_ROUGE_TYPES, FAMILIES, measure_of_name

_USUAL_NAMES = (*DEFAULT_ROUGE_TYPES, "rougeW-1.2", "rougeS", "rougeS*", "rougeSU", "rougeSU*")


def check_rouge_types(name: str, rouge_types: Any) -> list[str]:
    """Return a list of rouge types, each of which is one."""
    expected = "a list of rouge types such as ['rouge1', 'rougeL']"
    types = as_list(rouge_types, name, expected, _hint_of_string)
    if not types:
        raise ValueError(f"{name} is empty: give at least one rouge type, or leave it out")
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


def spelled_types(families: Collection[str] | None = None) -> str:
    """Return the types of families, by their names, as a message lists them."""
    *others, last = [
        f"rouge{family.letters}" if family.letters else "rouge1, rouge2, ..."
        for family in FAMILIES
        if families is None or family.name in families
    ]
    return f"{', '.join(others)} or {last}"
