"""What stands beside BLEU in a result: precisions, penalty, lengths, counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..options import BleuOptions
from .scores import BleuFactors

_OF_ORDER = re.compile("(precision|count|total)_[0-9]+")


def part_columns(factors: BleuFactors) -> dict[str, np.ndarray]:
    """Return the parts by the names of `output="flat"`, ndarrays of shape (n_items,)."""
    statistics, options = factors.statistics, factors.options
    if options.output == "score":
        return {}
    translation_length = statistics.translation_length
    reference_length = statistics.float_reference_length
    has_length = reference_length > 0
    length_ratio = translation_length / np.where(has_length, reference_length, 1)
    length_ratio[~has_length] = options.zero_division
    precisions, _ = factors.precisions[options.highest_order]
    columns = _numbered("precision", precisions)
    columns |= {
        "brevity_penalty": factors.brevity_penalty,
        "length_ratio": length_ratio,
        "translation_length": translation_length,
        "reference_length": reference_length,
    }
    if options.rules.returns_counts:
        counts = statistics.of_orders(np.arange(options.highest_order))
        columns |= _numbered("count", counts.matches)
        columns |= _numbered("total", counts.totals)
    return columns


def listed_parts(columns: Mapping[str, np.ndarray], options: BleuOptions) -> dict[str, list[Any]]:
    """Return the parts as a result has them, each with one value for each item.

    Those of orders are lists under one name, such as "precisions"; with output="flat"
    each has a name of its own.
    """
    if options.output == "flat":
        return {name: column.tolist() for name, column in columns.items()}
    parts: dict[str, Any] = {}
    for name, column in columns.items():
        match = _OF_ORDER.fullmatch(name)
        if match is None:
            parts[name] = column.tolist()
        else:
            parts.setdefault(f"{match[1]}s", []).append(column)
    return {
        name: np.array(values).T.tolist() if _is_of_orders(name) else values
        for name, values in parts.items()
    }


def _numbered(name: str, rows: np.ndarray) -> dict[str, np.ndarray]:
    return {f"{name}_{order}": row for order, row in enumerate(rows, start=1)}


def _is_of_orders(name: str) -> bool:
    return name in ("precisions", "counts", "totals")
