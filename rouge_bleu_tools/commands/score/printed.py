"""The result of a metric -> the lines that `score_file.py` prints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_OUTPUTS = ("precision", "recall", "fmeasure")
_BOUNDS = ("low", "high")  # of an interval


def table_of_result(metric_name: str, result: dict[str, Any]) -> list[str]:
    """Return the lines of the scores, and the signature, which says how to get them."""
    scores = {key: value for key, value in result.items() if key != "signature"}
    return [*_LAYOUTS[metric_name](scores), "", result["signature"]]


def _rouge_table(result: dict[str, Any]) -> list[str]:
    """Return a row for each type; one for each number where they are counts."""
    scores = [key for key in result if not key.endswith(_BOUNDS)]
    if not all(key.endswith(_OUTPUTS) for key in scores):
        return _rows([(key.replace("_", " "), result[key]) for key in result])
    names = list(dict.fromkeys(key.rpartition("_")[0] for key in scores))
    rows = {name: [f"{name}_{output}" for output in _OUTPUTS] for name in names}
    width = max(map(len, names))
    lines = [f"{'':{width}}  precision   recall        F"]
    for name, keys in rows.items():
        lines.append(_rouge_row(name, width, [result[key] for key in keys]))
        for bound in _BOUNDS:
            bounds = [result.get(f"{key}_{bound}") for key in keys]
            if None not in bounds:
                lines.append(_rouge_row(f"  {bound}", width, bounds))
    return lines


def _rouge_row(label: str, width: int, values: list[Any]) -> str:
    precision, recall, f = values
    return f"{label:{width}}  {precision:9.4f}{recall:9.4f}{f:9.4f}"


def _bleu_table(result: dict[str, Any]) -> list[str]:
    rows: list[tuple[str, Any]] = []
    for name, value in result.items():
        label = name.replace("_", " ")
        if isinstance(
            value, list
        ):  # precisions, and with preset "sacrebleu" counts and totals
            rows += [
                (f"{label.removesuffix('s')} of {order}-grams", part)
                for order, part in enumerate(value, start=1)
            ]
        else:
            rows.append((label, value))
    return _rows(rows)


def _rows(rows: list[tuple[str, Any]]) -> list[str]:
    width = max(20, *(len(label) for label, _ in rows))
    return [
        f"{label:{width}}{value:9{',' if isinstance(value, int) else '.4f'}}"
        for label, value in rows
    ]


_LAYOUTS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "rouge_full": _rouge_table,
    "bleu_full": _bleu_table,
}
