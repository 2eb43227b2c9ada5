"""The scores of a file: table, histogram, and the items to look at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rouge_bleu_tools.page.shared.looks.html_parts import (
    histogram,
    note,
    shown_score,
    table,
)

_OUTPUTS = {"precision": "precision", "recall": "recall", "fmeasure": "F"}
_ENDS = ("_low", "_high", "_baseline", "_delta", "_p_value")
_P_VALUE = (
    "p-value: how often chance alone would make a difference at least this large, if both "
    "systems were equally good. Below 0.05 is often called significant."
)


def file_summary(found: Mapping[str, Any]) -> str:
    """Return the table of the scores of a file, with what was asked for beside them."""
    result = found["result"]
    names = {key: _name_of_key(found["metric"], key) for key in result}
    keys = [key for key, name in names.items() if name is not None]
    has_intervals = any(f"{key}_low" in result for key in keys)
    has_other = any(f"{key}_baseline" in result for key in keys)
    headers = ["Score", "Value"]
    headers += ["95 % interval"] if has_intervals else []
    headers += ["Other system", "Difference", "p-value"] if has_other else []
    rows = []
    for key in keys:
        row = [str(names[key]), shown_score(result[key])]
        if has_intervals:
            row.append(_interval(result, key))
        if has_other:
            row += _compared(result, key)
        rows.append(row)
    caption = f"{found['n_rows']:,} rows" if found["n_rows"] != 1 else "1 row"
    parts = [table(caption, headers, rows)]
    if has_other:
        parts.append(note(_P_VALUE))
    return "".join(parts)


def _name_of_key(metric: str, key: str) -> str | None:
    """Return what a score is called; None for what stands beside a score."""
    if metric == "bleu_full":
        return {"bleu": "BLEU", "brevity_penalty": "Brevity penalty"}.get(key)
    rouge_type, _, output = key.partition("_")
    return f"{rouge_type} {_OUTPUTS[output]}" if output in _OUTPUTS else None


def _interval(result: Mapping[str, Any], key: str) -> str:
    if f"{key}_low" not in result:
        return ""
    low, high = result[f"{key}_low"], result[f"{key}_high"]
    return f"{shown_score(low)} to {shown_score(high)}"


def _compared(result: Mapping[str, Any], key: str) -> list[str]:
    if f"{key}_baseline" not in result:
        return ["", "", ""]
    p_value = result[f"{key}_p_value"]
    shown = (
        "not defined" if p_value is None or math.isnan(p_value) else f"{p_value:.4f}"
    )
    return [
        shown_score(result[f"{key}_baseline"]),
        f"{result[f'{key}_delta']:+.4f}",
        shown,
    ]


def file_histogram(found: Mapping[str, Any], measure: str) -> str:
    """Return how the scores of the items are spread."""
    of_measure = found["measures"][measure]
    name = measure if found["metric"] == "bleu_full" else f"{measure} (F)"
    return histogram(f"Rows by {name}", of_measure["counts"], of_measure["edges"])


def item_choices(found: Mapping[str, Any], measure: str) -> list[tuple[str, str]]:
    """Return the worst and the best items, as one chooses them."""
    of_measure = found["measures"][measure]
    return [
        (f"{word}: {found['items'][str(index)]['row']}, {score:.4f}", f"{word} {index}")
        for word in ("worst", "best")
        for index, score in of_measure[word]
    ]


def item_of_choice(found: Mapping[str, Any], choice: str) -> dict[str, Any]:
    """Return the item behind a choice."""
    item: dict[str, Any] = found["items"][choice.split()[-1]]
    return item
