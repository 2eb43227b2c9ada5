"""The scores of the same texts in other packages.

`packages.tsv` has a row for each: the call that gives its scores, and the options that reproduce
them here. Columns are what the package calls a score: the ROUGE-L of some is ROUGE-Lsum of others.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from typing import Any

import rouge_bleu
from rouge_bleu_tools.app.settings import PACKAGES, percent, shown_name

_COLUMNS = ("rouge1", "rouge2", "rougeL", "rougeLsum", "bleu")


def compare_packages(prediction: str, references: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row for each package: its name, its call, our call, and its scores from 0 to 1."""
    given: dict[str, Any] = {"predictions": [prediction], "references": [list(references)]}
    rows = []
    for one in PACKAGES:
        scores: dict[str, float] = {}
        calls = []
        if one["rouge"]:
            options = {"rouge_types": list(one["types"].values()), **one["rouge"]}
            found = rouge_bleu.rouge(**given, **options, output="fmeasure")
            scores |= {column: found[name] for column, name in one["types"].items()}
            calls.append(_our_call("rouge", options))
        if one["bleu"]:
            scores["bleu"] = rouge_bleu.bleu(**given, **one["bleu"], output="score")["bleu"]
            calls.append(_our_call("bleu", one["bleu"]))
        shown = {"name": one["package"], "why": one["why"], "call": one["call"], "here": calls}
        rows.append({**shown, "scores": scores})
    return rows


def _our_call(metric: str, options: Mapping[str, Any]) -> str:
    """Return the call of this package that gives the score."""
    given = "".join(f", {name}={value!r}" for name, value in options.items()).replace("'", '"')
    return f"rouge_bleu.{metric}([prediction], [references]{given})"


def packages_html(rows: Sequence[Mapping[str, Any]], here: Mapping[str, float]) -> str:
    """Return the table; scores that differ from those of the page are marked."""
    head = "".join(f'<th scope="col">{shown_name(name)}</th>' for name in _COLUMNS)
    own = "".join(f"<td><b>{percent(here.get(name))}</b></td>" for name in _COLUMNS)
    return (
        f'<p class="ranges">{html.escape(_ranges(rows))}</p>'
        '<div class="scroll" tabindex="0" role="region" aria-label="Same texts, other packages">'
        f'<table class="packages"><thead><tr><th scope="col">Package</th>{head}'
        '<th scope="col">Call</th></tr></thead><tbody><tr class="own"><th scope="row">This page'
        f"</th>{own}<td>the settings above</td></tr>"
        f"{''.join(_row(row, here) for row in rows)}</tbody></table></div>"
    )


def _ranges(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return how far the scores of a name are apart."""
    parts = []
    for name in _COLUMNS:
        values = [row["scores"].get(name, math.nan) for row in rows]
        values = [value for value in values if not math.isnan(value)]
        if values and percent(min(values)) != percent(max(values)):
            parts.append(f"{shown_name(name)} {percent(min(values))} to {percent(max(values))}")
    if not parts:
        return "All packages agree on these texts."
    return f"The same texts score {', '.join(parts)}, depending on the package."


def _row(row: Mapping[str, Any], here: Mapping[str, float]) -> str:
    cells = ""
    for name in _COLUMNS:
        shown = percent(row["scores"][name]) if name in row["scores"] else ""
        kind = ' class="differs"' if shown and shown != percent(here.get(name)) else ""
        cells += f"<td{kind}>{shown}</td>"
    ours = "<br>".join(f"<code>{html.escape(one)}</code>" for one in row["here"])
    return (
        f'<tr><th scope="row">{html.escape(row["name"])}<small>{html.escape(row["why"])}</small>'
        f"</th>{cells}<td><code>{html.escape(row['call'])}</code>"
        f"<details><summary>in rouge_bleu</summary>{ours}</details></td></tr>"
    )
