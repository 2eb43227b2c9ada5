"""Scores as HTML, on both scales: 75.9, as papers print them, and 0.759.

Both stand in the page, with the classes `HUNDRED` and `ONE`; the switch above the tabs says
which one is shown (`style.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rouge_bleu_tools.page.shared.looks.html_parts import escaped, figure

HUNDRED, ONE = "page-hundred", "page-one"
SHORT = 1  # decimals of a score times 100: of one text
LONG = 2  # of a file, whose scores people compare with those of papers


def on_both_scales(score: float | None, decimals: int = SHORT, sign: str = "") -> str:
    """Return a score; `sign` "+" gives one to all but negative ones, as of differences.

    >>> on_both_scales(0.75862)
    '<span title="0.75862"><span class="page-hundred">75.9</span><span class="page-one">0.759</span></span>'
    """
    if score is None or math.isnan(score):
        return '<span class="page-quiet">not defined</span>'
    return (
        f'<span title="{score!r}">'
        + _both(f"{100 * score:{sign}.{decimals}f}", f"{score:{sign}.{decimals + 2}f}")
        + "</span>"
    )


def _both(of_hundred: str, of_one: str) -> str:
    return f'<span class="{HUNDRED}">{of_hundred}</span><span class="{ONE}">{of_one}</span>'


def interval(low: float, high: float, decimals: int = LONG, sign: str = "") -> str:
    """Return the bounds of an interval; with signs they have a word between them."""
    bounds = (on_both_scales(bound, decimals, sign) for bound in (low, high))
    between = " to " if sign else "–"
    return f'<span class="page-interval">{between.join(bounds)}</span>'


def score_with_bar(
    score: float,
    decimals: int = SHORT,
    below: str = "",
    *,
    is_first: bool = False,
    is_factor: bool = False,
) -> str:
    """Return a score above its bar, and what stands below them as HTML.

    A factor stays between 0 and 1 on both scales.
    """
    share = 0.0 if math.isnan(score) else min(1.0, max(0.0, score))
    kind = " page-first" if is_first else ""
    shown = f"{score:.3f}" if is_factor else on_both_scales(score, decimals)
    return (
        f'<span class="page-score{kind}">{shown}</span>'
        f'<span class="page-bar{kind}" aria-hidden="true">'
        f'<span style="width:{100 * share:.2f}%"></span></span>{below}'
    )


@dataclass(frozen=True)
class ScoreRow:
    """A row of a table of scores: what they are of, what that means, cells as HTML."""

    name: str
    meaning: str
    cells: Sequence[str]


def score_table(
    caption: str, headers: Sequence[str], rows: Iterable[ScoreRow], kind: str = ""
) -> str:
    """Return a table of scores; `kind` is a class for its look."""
    head = "".join(f'<th scope="col">{escaped(header)}</th>' for header in headers)
    lines = "".join(map(_line, rows))
    return (
        f'<table class="page-table page-scores {kind}"><caption>{escaped(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
    )


def _line(row: ScoreRow) -> str:
    meaning = f'<span class="page-meaning">{escaped(row.meaning)}</span>' if row.meaning else ""
    cells = "".join(f"<td>{cell}</td>" for cell in row.cells)
    return f'<tr><th scope="row"><span class="page-name">{escaped(row.name)}</span>{meaning}</th>{cells}</tr>'


def histogram(caption: str, counts: Sequence[int], edges: Sequence[float]) -> str:
    """Return a chart with a column for each bin of scores, of which there is one edge more."""
    highest = max([1, *counts])
    names = [_both(f"{100 * edge:g}", f"{edge:g}") for edge in edges]
    columns = "".join(
        '<div class="page-column">'
        f'<span class="page-column-count">{count or ""}</span>'
        f'<span class="page-column-fill" style="--share:{count / highest:.4f}">'
        f'</span><span class="page-column-name">{name}</span></div>'
        for count, name in zip(counts, names[:-1], strict=True)
    )
    in_words = "; ".join(
        f"{left} to {right}: {count:,}"
        for count, left, right in zip(counts, names[:-1], names[1:], strict=True)
    )
    drawn = f'<div class="page-histogram" aria-hidden="true">{columns}</div>'
    return figure(caption, f'{drawn}<p class="page-spoken">{in_words}</p>')


def difference_plot(caption: str, differences: Sequence[float]) -> str:
    """Return a chart with a column for each difference, up or down from a line.

    The caption says in words what it shows.
    """
    largest = max([1e-12, *map(abs, differences)])
    columns = "".join(
        f'<span class="page-difference {"page-down" if one < 0 else "page-up"}" '
        f'style="--share:{abs(one) / largest:.4f}"></span>'
        for one in differences
    )
    top, bottom = (on_both_scales(end, SHORT, "+") for end in (largest, -largest))
    labels = f"{top}<span>0</span>{bottom}"
    return figure(
        caption,
        '<div class="page-differences" aria-hidden="true">'
        f'<div class="page-axis">{labels}</div>{columns}</div>',
    )
