"""What stands behind the letters of rouge types: an order, a weight, a limit, nothing."""

from __future__ import annotations

import numpy as np

from ..measures.family import DEFAULT_WLCS_WEIGHT, Argument, Measure

MAX_WLCS_WEIGHT = 20  # k ** 20 is finite for texts of any length


def _written_weight(measure: Measure) -> str:
    return f"-{np.format_float_positional(measure.weight, trim='-')}"


def _written_max_skip(measure: Measure) -> str:
    return "" if measure.max_skip is None else str(measure.max_skip)


ORDER = Argument(
    pattern="[1-9][0-9]{0,8}",
    read=lambda text: {"order": int(text)},
    written=lambda measure: str(measure.order),
    remark="",
)
WEIGHT = Argument(
    pattern=r"(-[0-9]+(\.[0-9]+)?)?",
    read=lambda text: {"weight": float(text[1:] or DEFAULT_WLCS_WEIGHT)},
    written=_written_weight,
    remark="an optional weight as in rougeW-1.5",
)
MAX_SKIP = Argument(
    pattern=r"(\*|[0-9]+)?",
    read=lambda text: {"max_skip": None if text in ("", "*") else int(text)},
    written=_written_max_skip,
    remark="an optional number as in rougeS4",
)
NO_ARGUMENT = Argument(pattern="", read=lambda text: {}, written=lambda measure: "", remark="")
