"""How two texts match, drawn: alignment, matrix, bars of BLEU; packages as dots and as a table.

Everything here is SVG or HTML without scripts, made of what `explain_*` returns.
"""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

from rouge_bleu_tools.app.settings import TILES, percent, shown_name

Span = tuple[int, int]
Form = tuple[int, ...]  # the numbers of the tokens of a span; equal tokens have the same
MOST_WORDS = 100  # of a text that is drawn
_MOST_SHOWN = 14  # characters of a token
_HEIGHT, _GAP, _CELL = 130, 8, 16  # pixels


@dataclass(frozen=True)
class Mark:
    start: int
    end: int
    number: int | None = None  # of its run, or of the longest n-gram that it is part of
    title: str = ""
    follows: bool = False  # whether no token is between it and the mark before


@dataclass(frozen=True)
class Side:
    """A text that is compared; the place of a token counts those that are found in the text."""

    words: list[str]
    forms: list[Form]
    marks: dict[int, Mark]  # of the tokens that match, by place


@dataclass(frozen=True)
class Link:
    """The places of a token of the prediction and of the equal one of the reference."""

    left: int
    right: int
    run: int  # number of the words that are consecutive in both texts
    crosses: bool  # whether it is in another order


def drawings(left: Side, right: Side, links: Sequence[Link], reference: str, is_path: bool) -> str:
    """Return the alignment and the matrix of two texts, and the same facts as a list.

    With `is_path`, matches in one order are joined by a line, as a common subsequence is.
    """
    n_words = max(len(left.words), len(right.words))
    if n_words > MOST_WORDS:
        text = f"Alignment and matrix are drawn for texts of up to {MOST_WORDS} tokens."
        return f'<p class="legend">{text} One of these has {n_words:,}.</p>'
    alignment = _scroll("Alignment", _alignment((left, right), links))
    crossing = " Gray: in another order." if any(one.crosses for one in links) else ""
    is_path = is_path and not crossing
    matrix = _scroll("Matrix", _matrix(left, right, links, is_path))
    line = "the common subsequence that counts" if is_path else "consecutive in both texts"
    return (
        f"<h3>Alignment</h3>{alignment}"
        f'<p class="legend">Above: prediction. Below: {reference}.{crossing}</p>'
        f"<h3>Matrix</h3>{matrix}"
        f'<p class="legend">Rows: prediction. Columns: {reference}. Square: a match. Dot: the same '
        f"word, not matched here. Line: {line}.</p>"
        f"<h3>Matches as a list</h3>{_listed(left.words, links, reference)}"
    )


def _scroll(label: str, body: str) -> str:
    """Return a drawing or a table in a box of its own, which the keyboard can scroll."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{body}</div>'


def table_html(label: str, heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table of HTML; the first cell of a row is its heading."""
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{one}</td>" for one in others)}</tr>'
        for first, *others in rows
    )
    table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return _scroll(label, f"<table>{table}</table>")


def _svg(width: float, height: float, label: str, body: str) -> str:
    return (
        f'<svg class="drawing" role="img" aria-label="{label}" width="{width:.0f}" '
        f'height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">{body}</svg>'
    )


def _label(word: str) -> str:
    word = word if len(word) <= _MOST_SHOWN else word[: _MOST_SHOWN - 1] + "…"
    return html.escape(" ".join(word.split()))


def _width(word: str) -> float:
    """Return about how many pixels a label takes."""
    shown = word[:_MOST_SHOWN]
    return 10 + sum(14 if unicodedata.east_asian_width(one) in "WF" else 7.6 for one in shown)


def _is_rtl(words: Sequence[str]) -> bool:
    strong = (unicodedata.bidirectional(one) for word in words for one in word)
    return next((one for one in strong if one in ("L", "R", "AL")), "L") != "L"


def _alignment(sides: Sequence[Side], links: Sequence[Link]) -> str:
    widths = [sum(map(_width, side.words)) + _GAP * len(side.words) for side in sides]
    runs = [{one.left: one.run for one in links}, {one.right: one.run for one in links}]
    centers, body = [], ""
    for row, side in enumerate(sides):
        y, x, places = 20 + row * (_HEIGHT - 40), 0.0, []
        for place, word in enumerate(side.words):
            size = _width(word)
            center = x + size / 2 if not _is_rtl(side.words) else max(widths) - x - size / 2
            if place in side.marks:
                body += (
                    f'<rect class="mark" style="--run: {runs[row].get(place, "initial")}" y="{y - 13}" '
                    f'x="{center - size / 2:.0f}" width="{size:.0f}" height="26" rx="4"/>'
                )
            body += f'<text text-anchor="middle" x="{center:.0f}" y="{y + 4}">{_label(word)}</text>'
            places.append(center)
            x += size + _GAP
        centers.append(places)
    curves = ""
    for one in sorted(links, key=lambda one: not one.crosses):  # gray ones below the others
        left, right = centers[0][one.left], centers[1][one.right]
        curves += (
            f'<path data-run="{one.run}" class="{"gray" if one.crosses else "link"}" d="M{left:.0f} '
            f'33C{left:.0f} 65 {right:.0f} 65 {right:.0f} {_HEIGHT - 33}"/>'
        )
    n_crossing = sum(one.crosses for one in links)
    label = f"Alignment: {len(links)} matches, {n_crossing} of them in another order"
    return _svg(max(widths), _HEIGHT, label, curves + body)


def _matrix(prediction: Side, reference: Side, links: Sequence[Link], is_path: bool) -> str:
    left, top = (max(map(_width, side.words), default=0) for side in (prediction, reference))
    width, height = _CELL * len(reference.words), _CELL * len(prediction.words)
    body = f'<rect class="frame" x="{left:.0f}" y="{top:.0f}" width="{width}" height="{height}"/>'
    for row, word in enumerate(prediction.words):
        y = top + _CELL * row + 12
        body += f'<text text-anchor="end" x="{left - 5:.0f}" y="{y:.0f}">{_label(word)}</text>'
    for column, word in enumerate(reference.words):
        x = left + _CELL * column + 12
        at = f'x="{x:.0f}" y="{top - 5:.0f}" transform="rotate(-90 {x:.0f} {top - 5:.0f})"'
        body += f"<text {at}>{_label(word)}</text>"
    matches = {(one.left, one.right) for one in links}
    for row, form in enumerate(prediction.forms):
        for column, other in enumerate(reference.forms):
            if form == other and (row, column) not in matches:
                x, y = left + _CELL * (column + 0.5), top + _CELL * (row + 0.5)
                body += f'<circle cx="{x:.0f}" cy="{y:.0f}" r="2.5"/>'
    for one in links:
        x, y = left + _CELL * one.right + 2, top + _CELL * one.left + 2
        kind = "gray" if one.crosses else "mark"
        body += f'<rect class="{kind}" style="--run: {one.run}" data-run="{one.run}" '
        body += f'x="{x:.0f}" y="{y:.0f}" width="12" height="12"/>'
    for one, after in pairwise(links):
        if is_path or one.run == after.run:
            x1, x2 = (left + _CELL * (of.right + 0.5) for of in (one, after))
            y1, y2 = (top + _CELL * (of.left + 0.5) for of in (one, after))
            body += f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"/>'
    return _svg(left + width, top + height, f"Matrix: {len(links)} matches", body)


def _listed(words: Sequence[str], links: Sequence[Link], reference: str) -> str:
    """Return the runs as a list."""
    items = ""
    for _, group in groupby(links, key=lambda one: one.run):
        of_run = list(group)
        text = html.escape(" ".join(words[one.left] for one in of_run))
        first, last = of_run[0], of_run[-1]
        ends = (first.left + 1, last.left + 1), (first.right + 1, last.right + 1)
        left, right = (f"{start} to {end}" if start < end else f"{end}" for start, end in ends)
        order = ", in another order" if first.crosses else ""
        items += (
            f"<li><bdi>“{text}”</bdi>: {left} in the prediction, {right} in {reference}{order}</li>"
        )
    legend = "Numbers: places of tokens." if items else "No token matches."
    return f'<p class="legend">{legend}</p>' + _scroll("Matches", f"<ol>{items}</ol>" * bool(items))


def bars(bleu: Mapping[str, Any]) -> str:
    """Return the precisions, the brevity penalty, their mean and BLEU as a table of bars."""
    rows = [
        (f"{one['order']}-grams", f"{one['matches']} of {one['total']}", one["precision"])
        for one in bleu["orders"]
    ]
    precisions = [one["precision"] for one in bleu["orders"]]
    mean = math.prod(map(float, precisions)) ** (1 / len(precisions))
    if math.isclose(mean * bleu["brevity_penalty"], bleu["bleu"], rel_tol=1e-6):
        rows.append(("Geometric mean", "of the precisions", mean))
    rows.append(("Brevity penalty", "of the length", bleu["brevity_penalty"]))
    rows.append(("BLEU", "", bleu["bleu"]))
    bar = '<meter min="0" max="1" value="{}"></meter>'
    cells = ([name, counts, percent(value), bar.format(value)] for name, counts, value in rows)
    return table_html("BLEU", ("Part", "Matches", "Percent", "Bar"), cells)


def ngrams_table(rows: Sequence[tuple[int, str, int, int, int]]) -> str:
    """Return a table of n-grams with their counts; clipped ones are marked."""
    cells = (
        (html.escape(text), *numbers[:2], _marked(numbers[2], numbers[2] < numbers[0]))
        for _, text, *numbers in rows[:200]
    )
    heads = ("N-gram", "In the prediction", "Most in a reference", "Counted")
    more = f" The first 200 of {len(rows):,}." if len(rows) > 200 else ""
    legend = "An n-gram counts at most as often as a reference has it. Marked: clipped."
    return f'<p class="legend">{legend}{more}</p>{table_html("N-grams", heads, cells)}'


def _marked(text: Any, is_marked: bool) -> str:
    return f"<mark>{text}</mark>" if is_marked else str(text)


# --- packages -----------------------------------------------------------------------------------


def dots(rows: Sequence[Mapping[str, Any]], here: Mapping[str, float]) -> str:
    """Return how far scores differ, and for each measure a line with the packages as dots.

    The page shows the line of the chosen measure.
    """
    lines, ranges = "", []
    for name in (*TILES, "bleu"):
        packages: dict[float, list[str]] = {}
        for row in [*rows, {"name": "this page", "scores": here}]:
            if (score := percent(row["scores"].get(name))) != "–":
                packages.setdefault(float(score), []).append(row["name"])
        if len(packages) > 1:
            ranges.append(f"{shown_name(name)} {min(packages)} to {max(packages)}")
        lines += _line_of_dots(name, packages) if packages else ""
    summary = f"The same texts score {', '.join(ranges)}, depending on package and settings."
    text = summary if ranges else "All packages agree on these texts."
    return f'<p class="ranges">{text}</p>{lines}'


def _line_of_dots(name: str, packages: Mapping[float, Sequence[str]]) -> str:
    low, high = 10 * math.floor(min(packages) / 10), 10 * math.ceil(max(packages) / 10)
    low = low - 10 if low == high else low
    items = ""
    for score, names in sorted(packages.items()):
        kind = ' class="own"' if "this page" in names else ""
        place = 100 * (score - low) / (high - low)
        side = "right" if place > 50 else "left"
        items += (
            f'<li{kind} tabindex="0" style="left:{place:.2f}%"><span class="circles">'
            f'{"●" * len(names)}</span><span class="names" style="{side}: 0">{score}: '
            f"{html.escape(', '.join(names))}</span></li>"
        )
    height = 10 * max(map(len, packages.values())) + 8
    return (
        f'<div class="dots" data-measure="{name}"><b>{shown_name(name)}</b>'
        f'<ul style="height:{height}px">{items}</ul>'
        f'<div class="ends"><span>{low}</span><span>{high}</span></div></div>'
    )


def packages_html(
    rows: Sequence[Mapping[str, Any]], here: Mapping[str, float], facts: Sequence[str]
) -> str:
    """Return the table; scores that differ from those of the page are marked."""
    columns = (*TILES, "bleu")
    own = [f"<b>{percent(here.get(name))}</b>" for name in columns]
    cells: list[list[str]] = [["This page", *own, "the settings above"]]
    for row, why in zip(rows, facts, strict=True):
        shown = [percent(row["scores"].get(name)) for name in columns]
        ours = "<br>".join(f"<code>{html.escape(one)}</code>" for one in row["here"])
        cells.append(
            [
                f"{html.escape(row['name'])}<small>{html.escape(why)}</small>",
                *(
                    _marked(one, one not in ("–", percent(here.get(name))))
                    for name, one in zip(columns, shown, strict=True)
                ),
                f"<code>{html.escape(row['call'])}</code>"
                f"<details><summary>in rouge_bleu</summary>{ours}</details>",
            ]
        )
    heads = ("Package", *map(shown_name, columns), "Call")
    return table_html("Same texts, other packages", heads, cells)
