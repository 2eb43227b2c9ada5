"""The scores of a file: tables, plots, and the items to look at."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from rouge_bleu_tools.commands.find_settings.printed import json_like
from rouge_bleu_tools.page.shared.looks.html_parts import folded, note
from rouge_bleu_tools.page.shared.looks.scores import (
    LONG,
    ScoreRow,
    difference_plot,
    histogram,
    interval,
    on_both_scales,
    score_table,
    score_with_bar,
)
from rouge_bleu_tools.page.shared.meanings import (
    MEANING_OF_BLEU,
    meaning_of_order,
    meaning_of_type,
    paper_name,
)
from rouge_bleu_tools.page.shared.scoring import scores_of_types

_OUTPUTS = {"fmeasure": "F", "precision": "Precision", "recall": "Recall"}
_NOT_NAMED = ("output", "rouge_types", "confidence_level")  # seen in the table
_INTERVALS = "Below each score: its interval of 95 %."
_P_VALUE = (
    "p-value: how often chance alone would make a difference at least this large if both "
    "systems were equally good. Below 0.05 is often called significant."
)


def file_summary(found: Mapping[str, Any]) -> str:
    """Return the tables of the scores of a file, with what was asked for beside them."""
    result = found["result"]
    of_row = partial(_cells, result)
    caption = _caption(found)
    parts = [note(caption)]
    if found["metric"] == "rouge_full":
        rows = [
            ScoreRow(
                paper_name(name),
                meaning_of_type(name),
                [of_row(f"{name}_{output}") for output in _OUTPUTS],
            )
            for name in scores_of_types(result)
        ]
        parts.append(score_table(caption, ["", *_OUTPUTS.values()], rows))
    else:
        parts.append(score_table(caption, ["", "Score"], _rows_of_bleu(result), _OF_BLEU))
    if any(key.endswith("_low") for key in result):
        parts.append(note(_INTERVALS))
    if any(key.endswith("_baseline") for key in result):
        parts += _comparison(found)
    return "".join(parts)


_OF_BLEU = "page-scores-bleu"


def _caption(found: Mapping[str, Any]) -> str:
    """Return what was scored, and how.

    >>> options = {"rouge_types": ["rouge1"], "use_stemmer": True, "output": "all"}
    >>> _caption({"metric": "rouge_full", "file": "a.csv", "n_rows": 1, "options": options})
    'ROUGE, a.csv, 1 row, use_stemmer=True'
    """
    metric = "ROUGE" if found["metric"] == "rouge_full" else "BLEU"
    rows = "1 row" if found["n_rows"] == 1 else f"{found['n_rows']:,} rows"
    options = [
        f"{name}={json_like(value)}"
        for name, value in found["options"].items()
        if name not in _NOT_NAMED
    ]
    return ", ".join([metric, found["file"], rows, *(options or ["default options"])])


def _rows_of_bleu(result: Mapping[str, Any]) -> list[ScoreRow]:
    rows = []
    if "bleu" in result:
        rows.append(ScoreRow("BLEU", MEANING_OF_BLEU, [_cells(result, "bleu")]))
    for order, value in enumerate(result["precisions"], start=1):
        bar = score_with_bar(value, LONG)
        name = f"Precision of {order}-grams"
        rows.append(ScoreRow(name, meaning_of_order(order), [bar]))
    penalty = score_with_bar(result["brevity_penalty"], is_factor=True)
    return [*rows, ScoreRow("Brevity penalty", "1 if they are long enough", [penalty])]


def _cells(result: Mapping[str, Any], key: str) -> str:
    """Return a score with its bar, and its interval if there is one."""
    is_first = key == "bleu" or key.endswith("_fmeasure")
    return score_with_bar(result[key], LONG, _interval_of(result, key), is_first=is_first)


def _interval_of(result: Mapping[str, Any], key: str, sign: str = "") -> str:
    if f"{key}_low" not in result:
        return ""
    return interval(result[f"{key}_low"], result[f"{key}_high"], sign=sign)


# --- two systems ----------------------------------------------------------------------


def _comparison(found: Mapping[str, Any]) -> list[str]:
    """Return the tables of two systems side by side; those of F first."""
    if found["metric"] == "bleu_full":
        return [_compared(found, "", {"bleu": "BLEU"}), note(_P_VALUE)]
    types = scores_of_types(found["result"])
    tables = [
        _compared(found, word, {f"{name}_{output}": paper_name(name) for name in types})
        for output, word in _OUTPUTS.items()
    ]
    return [tables[0], note(_P_VALUE), folded("Compare precision and recall", "".join(tables[1:]))]


def _compared(found: Mapping[str, Any], output: str, name_of_key: Mapping[str, str]) -> str:
    result = found["result"]
    rows = [
        ScoreRow(name, "", _cells_of_comparison(result, key))
        for key, name in name_of_key.items()
        if f"{key}_baseline" in result
    ]
    headers = [output, *found["columns"], "Difference", "p-value"]
    caption = " ".join([found["columns"][0], "compared with", found["columns"][1], output])
    return score_table(caption, headers, rows, "page-scores-compared")


def _cells_of_comparison(result: Mapping[str, Any], key: str) -> list[str]:
    cells = [_score(result[one]) + _interval_of(result, one) for one in (key, f"{key}_baseline")]
    delta = f"{key}_delta"
    difference = f'<strong class="page-score">{on_both_scales(result[delta], LONG, "+")}'
    p_value = _p_value(result[f"{key}_p_value"])
    # A phone has no place for a column of p-values.
    below = f'<span class="page-phone">p = {p_value}</span>'
    cells.append(f"{difference}</strong>{_interval_of(result, delta, '+')}{below}")
    return [*cells, p_value]


def _score(value: float) -> str:
    return f'<span class="page-score">{on_both_scales(value, LONG)}</span>'


def _p_value(value: float | None) -> str:
    if value is None or math.isnan(value):
        return '<span class="page-quiet">not defined</span>'
    return f"{value:.3f}"


# --- rows -----------------------------------------------------------------------------


def rows_view(found: Mapping[str, Any], measure: str) -> str:
    """Return how the scores of the items are spread, and their differences."""
    of_measure = found["measures"][measure]
    is_rouge = found["metric"] == "rouge_full"
    name = f"{paper_name(measure)} (F)" if is_rouge else measure
    drawn = histogram(f"Rows by {name}", of_measure["counts"], of_measure["edges"])
    differences = of_measure.get("differences")
    if differences is None:
        return drawn
    caption = (
        f"Difference of each row in {name}, sorted: “{found['columns'][0]}” is better in "
        f"{differences['better']:,}, equal in {differences['equal']:,} and worse in "
        f"{differences['worse']:,} rows than “{found['columns'][1]}”"
    )
    return drawn + difference_plot(caption, differences["sorted"])


def item_choices(
    found: Mapping[str, Any], measure: str, *, is_of_one: bool = False
) -> list[tuple[str, str]]:
    """Return the worst and the best items, as one chooses them, with their scores.

    These go up to 100, or to 1. A choice is text, of which no part can be hidden.
    """
    of_measure = found["measures"][measure]
    return [
        (
            f"{word}: {found['items'][str(index)]['row']}, "
            + (f"{score:.3f}" if is_of_one else f"{100 * score:.1f}"),
            f"{word} {index}",
        )
        for word in ("worst", "best")
        for index, score in of_measure[word]
    ]


def item_of_choice(found: Mapping[str, Any], choice: str) -> dict[str, Any]:
    """Return the item behind a choice."""
    item: dict[str, Any] = found["items"][choice.split()[-1]]
    return item
