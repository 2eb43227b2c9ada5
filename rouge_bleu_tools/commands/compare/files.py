"""A comparison as CSV, JSON and LaTeX.

CSV and JSON hold the numbers as the metrics gave them. CSV and the table for LaTeX have
a row for each system, and call scores as papers do.
"""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Callable
from typing import Any

from rouge_bleu_tools.commands.compare.systems import Comparison
from rouge_bleu_tools.commands.compare.words import Unit, caption, printed_name
from rouge_bleu_tools.commands.inputs.errors import printable
from rouge_bleu_tools.commands.inputs.json_text import json_text


def csv_table(comparison: Comparison, _: Unit) -> str:
    """Return a row for each system, the baseline first, with columns for each score.

    What a baseline has not is empty. Corrected p-values stand there where they are
    corrected.
    """
    names = dict(_COLUMNS_OF_INTERVAL)
    if comparison.others:
        names |= _COLUMNS_OF_DIFFERENCE
        if comparison.design.correction == "none":
            del names["corrected_p_value"]
    rows: dict[str, dict[str, Any]] = {}
    for one in comparison.scores:
        row = rows.setdefault(one.system, {"System": one.system})
        name = printed_name(one.key)
        columns = one.columns()
        row[name] = columns["score"]
        for column, words in names.items():
            row[f"{name} {words}"] = columns[column]
    file = io.StringIO()
    first = next(iter(rows.values()))
    writer = csv.DictWriter(file, list(first), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows.values())
    return file.getvalue()


_COLUMNS_OF_INTERVAL = {"low": "low", "high": "high"}
_COLUMNS_OF_DIFFERENCE = {
    "delta": "difference",
    "delta_low": "difference low",
    "delta_high": "difference high",
    "p_value": "p",
    "corrected_p_value": "corrected p",
    "is_significant": "significant",
}


def json_table(comparison: Comparison, _: Unit) -> str:
    """Return all that is known, a score that is not defined as null."""
    content = {
        "baseline": comparison.baseline,
        "systems": comparison.others,
        "n_items": comparison.n_items,
        "numbers_of_references": list(comparison.numbers_of_references),
        **dataclasses.asdict(comparison.design),
        "n_comparisons": comparison.n_tests,
        "signatures": comparison.signatures,
        "scores": [one.columns() for one in comparison.scores],
    }
    return json_text(content) + "\n"


_LATEX = {
    **{letter: f"\\{letter}" for letter in "{}$&#_%"},
    **{"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\textasciitilde{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
    "…": r"\dots{}",
}


def latex(text: str) -> str:
    """Return a text as LaTeX prints it.

    >>> print(latex("rouge_full: 95 %"))
    rouge\\_full: 95 \\%
    """
    return "".join(_LATEX.get(letter, letter) for letter in printable(text))


def latex_table(comparison: Comparison, unit: Unit) -> str:
    """Return a table: systems in rows, scores in columns, their intervals below them."""
    keys = comparison.keys
    heads = [latex(printed_name(key)) for _, key in keys]
    lines = [
        "% needs \\usepackage{booktabs}",
        *(f"% {printable(line)}" for line in comparison.signatures.values()),
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * len(keys)}}}",
        r"\toprule",
        " & ".join(["System", *heads]) + r" \\",
        r"\midrule",
    ]
    columns = [comparison.of_key(metric, key) for metric, key in keys]
    for of_system in zip(*columns, strict=True):
        scores = (
            unit.number(one.score) + ("$^{*}$" if one.is_significant else "") for one in of_system
        )
        intervals = (rf"{{\scriptsize {unit.interval(one.low, one.high)}}}" for one in of_system)
        lines.append(" & ".join([latex(of_system[0].system), *scores]) + r" \\")
        lines.append(" & ".join(["", *intervals]).lstrip() + r" \\")
        if of_system[0].system == comparison.baseline and comparison.others:
            lines.append(r"\midrule")
    lines += [
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{latex(caption(comparison))}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


TABLES: dict[str, Callable[[Comparison, Unit], str]] = {
    ".csv": csv_table,
    ".json": json_table,
    ".tex": latex_table,
}
