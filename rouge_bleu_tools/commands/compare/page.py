"""A comparison as the command prints it: a table, what its marks mean, words for a paper.

The table has one line for each system and score, grouped by score: a line with all
scores of a system is too wide for a terminal.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence

from rouge_bleu_tools.commands.compare.systems import Comparison, SystemScore
from rouge_bleu_tools.commands.compare.words import Unit, data_of, p_text, test_of, words_for_paper
from rouge_bleu_tools.commands.inputs.errors import printable

WIDTH = 100
_LEAST_NAME = 12  # to which names are shortened where the page is too narrow


def page(comparison: Comparison, unit: Unit, places: Sequence[str]) -> str:
    """Return what the command prints; `places` have the references."""
    parts = [
        _title(comparison, places),
        "\n".join(_table(comparison, unit)),
        "\n".join(_notes(comparison)),
        _filled(f"For a paper: {words_for_paper(comparison, unit)}"),
    ]
    if comparison.signatures:
        lines = (f"  {line}" for line in comparison.signatures.values())
        parts.append("\n".join(["Signatures:", *lines]))
    return "\n\n".join(part for part in parts if part)


def _title(comparison: Comparison, places: Sequence[str]) -> str:
    title = f"{data_of(comparison)} ({', '.join(places)})"
    if comparison.others:
        title += f"; all compared with {comparison.baseline}"
    return printable(title)


def _table(comparison: Comparison, unit: Unit) -> list[str]:
    level = f"{100 * comparison.design.confidence_level:g} % interval"
    titles = ["system", "score", level]
    if comparison.others:
        titles += ["difference", level, _title_of_p(comparison)]
    rows = [["", *titles]]
    for metric in dict.fromkeys(metric for metric, _ in comparison.keys):
        if len(rows) > 1:
            rows.append([""] * len(rows[0]))
        rows.append([metric, *[""] * len(titles)])
        for name, key in comparison.keys:
            if name == metric:
                rows += _rows_of_key(key, comparison.of_key(metric, key), unit)
    return _aligned(rows)


def _rows_of_key(key: str, scores: Sequence[SystemScore], unit: Unit) -> list[list[str]]:
    rows = []
    for index, one in enumerate(scores):
        cells = [
            "" if index else f"  {key}",
            one.system,
            unit.number(one.score),
            unit.interval(one.low, one.high),
        ]
        if test := one.difference:
            cells += [
                unit.number(test.delta, "+"),
                unit.interval(test.delta_low, test.delta_high, "+"),
                p_text(test.corrected_p_value) + (" *" if one.is_significant else "  "),
            ]
        elif len(scores) > 1:
            cells += ["", "", ""]
        rows.append(cells)
    return rows


def _title_of_p(comparison: Comparison) -> str:
    return "Holm's p  " if comparison.design.correction == "holm" else "p  "


def _aligned(rows: list[list[str]]) -> list[str]:
    """Return lines of cells side by side: names at the left, numbers at the right.

    Names of systems are shortened where the lines would be too long.
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = max(_LEAST_NAME, WIDTH - 2 * (len(widths) - 1) - sum(widths) + widths[1])
    names = [row[1] for row in rows]
    shortened = {name: _shortened(name, room) for name in names}
    if len(set(shortened.values())) == len(shortened):
        widths[1] = min(widths[1], room)
        rows = [[row[0], shortened[row[1]], *row[2:]] for row in rows]
    lines = []
    for row in rows:
        cells = [
            f"{cell:{'<' if column < 2 else '>'}{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _shortened(name: str, room: int) -> str:
    n_left = (room - 1) // 2
    is_too_long = len(name) > room
    return f"{name[:n_left]}…{name[n_left + 1 - room :]}" if is_too_long else name


def _notes(comparison: Comparison) -> list[str]:
    """Return what the marks and the p-values mean, and how many of them there are."""
    if not comparison.others:
        return []
    design, n_tests = comparison.design, comparison.n_tests
    level = design.significance_level
    notes = [
        f"* The difference to {comparison.baseline} is significant: p < {level:g} by "
        f"{test_of(comparison)}. No mark does not mean that the systems are equal."
    ]
    if n_tests > 1 and design.correction == "none":
        notes.append(
            f"{n_tests} comparisons were made: without any difference between the systems "
            f"{level * n_tests:.2g} of them would be marked on average. --correction holm "
            "keeps the chance of even one false mark at "
            f"{level:g}."
        )
    elif n_tests > 1:
        notes.append(
            f"{n_tests} comparisons were made, and p-values are corrected for their number "
            f"by Holm's method: the chance of even one false mark is at most {level:g}."
        )
    if note := _note_of_least_p_value(comparison):
        notes.append(note)
    return list(map(_filled, notes))


def _note_of_least_p_value(comparison: Comparison) -> str | None:
    """Return that no difference could be marked, if so, and what that is due to.

    The scores as they are count as one trial more. Two items that are exchanged or not
    make differences of two sizes, n items 2 ** (n - 1), each with both signs.
    """
    design = comparison.design
    is_corrected = design.correction != "none"
    n_tests = comparison.n_tests if is_corrected else 1
    by_trials = n_tests / (design.n_resamples + 1)
    by_items = n_tests * 2.0 ** (1 - comparison.n_items)
    is_of_items = design.paired_test == "randomization" and (
        by_items >= min(by_trials, design.significance_level)
    )
    least = by_items if is_of_items else by_trials
    if least < design.significance_level:
        return None
    comparisons = f"{n_tests} comparisons and " if is_corrected else ""
    p_value = "corrected p" if is_corrected else "p"
    if is_of_items:
        return (
            f"With {comparisons}{comparison.n_items} items hardly any difference can be "
            f"marked: the smallest {p_value} is about {min(least, 1.0):.2g}."
        )
    enough = math.ceil(2 * n_tests / design.significance_level)
    return (
        f"With {comparisons}{design.n_resamples:,} trials no difference can be marked: the "
        f"smallest {p_value} is {min(least, 1.0):.2g} or more. Give --n-resamples "
        f"{enough:,} or more."
    )


def _filled(text: str) -> str:
    """Return a text in lines; a p-value is not cut."""
    kept = re.sub("p ([=<]) ", "p\xa0\\1\xa0", printable(text))
    lines = textwrap.fill(kept, WIDTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\xa0", " ")
