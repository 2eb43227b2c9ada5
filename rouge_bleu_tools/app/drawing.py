"""How two texts match, drawn: alignment, matrix, bars of BLEU; packages as dots and as a table.

Everything here is SVG or HTML without scripts, made of what `explain_*` returns.
"""

from __future__ import annotations

import html
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rouge_bleu_tools.app.settings import TILES, percent, shown_name

Span = tuple[int, int]
N_COLOURS = 6
MOST_TOKENS = 100  # of a text that is drawn
_MOST_SHOWN = 14  # characters of a token
_HEIGHT, _GAP, _CELL = 130, 8, 16  # pixels


@dataclass(frozen=True)
class Link:
    """A token of the prediction and the equal token of the reference that matches it."""

    left: int
    right: int
    run: int  # number of the words that are consecutive in both texts
    crosses: bool = False  # whether it is in another order


def links(spans: Sequence[Sequence[Span]], marks: Sequence[Sequence[Any]]) -> list[Link]:
    """Return the links of the marks with equal numbers; `spans` are those of all tokens."""
    places = [{span: place for place, span in enumerate(side)} for side in spans]
    sides = [
        [(one.number, place[one.start, one.end]) for one in side if one.number is not None]
        for place, side in zip(places, marks, strict=True)
    ]
    pairs = zip(*map(sorted, sides), strict=True)
    found = sorted((left, right, run) for (run, left), (_, right) in pairs)
    ordered = _longest_in_order([right for _, right, _ in found])
    return [Link(*one, place not in ordered) for place, one in enumerate(found)]


def _longest_in_order(values: Sequence[int]) -> set[int]:
    """Return the places of a longest increasing subsequence."""
    longest: list[int] = []
    ending: list[list[int]] = []  # the longest that ends at each place
    for place, value in enumerate(values):
        before: list[int] = []
        for one in ending:
            if values[one[-1]] < value and len(one) > len(before):
                before = one
        ending.append([*before, place])
        longest = max(longest, ending[-1], key=len)
    return set(longest)


def drawings(
    texts: Sequence[str],
    tokens: Sequence[Sequence[tuple[Any, int]]],
    spans: Sequence[Sequence[Span]],
    marks: Sequence[Sequence[Any]],
    reference: str,
    is_path: bool,
) -> tuple[str, str]:
    """Return the alignment and the matrix of two texts, and the same facts as a list.

    With `is_path`, matches in one order are joined by a line, as a common subsequence is.
    """
    n_tokens = max(map(len, spans))
    if n_tokens > MOST_TOKENS:
        text = f"Alignment and matrix are drawn for texts of up to {MOST_TOKENS} tokens."
        return f'<p class="legend">{text} One of these has {n_tokens:,}.</p>', ""
    found = links(spans, marks)
    words = [[text[slice(*span)] for span in side] for text, side in zip(texts, spans, strict=True)]
    colours = [{(one.start, one.end): _colour(one.number) for one in side} for side in marks]
    fills = [
        [colour.get(span) for span in side] for colour, side in zip(colours, spans, strict=True)
    ]
    alignment = _alignment(words, fills, found)
    numbers = [
        {(span[0], span[1]): number for span, number in side if span is not None} for side in tokens
    ]
    equal = [
        (row, column)
        for row, left in enumerate(spans[0])
        for column, right in enumerate(spans[1])
        if numbers[0][left] == numbers[1][right]
    ]
    is_path = is_path and not any(one.crosses for one in found)
    matrix = _matrix(words, found, equal, is_path)
    crossing = " Gray: in another order." if any(one.crosses for one in found) else ""
    line = "the common subsequence that counts" if is_path else "consecutive in both texts"
    return (
        f"<h3>Alignment</h3>{_scroll('Alignment', alignment)}"
        f'<p class="legend">Above: prediction. Below: {reference}.{crossing}</p>'
        f"<h3>Matrix</h3>{_scroll('Matrix', matrix)}"
        f'<p class="legend">Rows: prediction. Columns: {reference}. Square: a match. Dot: the same '
        f"word, not matched here. Line: {line}.</p>",
        _listed(words, found, reference),
    )


def _colour(run: int | None) -> str:
    return f"var(--run{(run - 1) % N_COLOURS + 1})" if run else "var(--neutral)"


def _scroll(label: str, body: str) -> str:
    """Return a drawing or a table in a box of its own, which the keyboard can scroll."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}">{body}</div>'


def table_html(
    label: str, heads: Sequence[str], rows: Iterable[Sequence[Any]], kind: str = "packages"
) -> str:
    """Return a table of HTML; the first cell of a row is its heading."""
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{one}</td>" for one in others)}</tr>'
        for first, *others in rows
    )
    table = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return _scroll(label, f'<table class="{kind}">{table}</table>')


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


def _alignment(
    words: Sequence[Sequence[str]], fills: Sequence[Sequence[str | None]], found: Sequence[Link]
) -> str:
    totals = [sum(map(_width, side)) + _GAP * len(side) for side in words]
    width, centers, body = max(totals), [], ""
    for row, side in enumerate(words):
        y, x, places = 20 + row * (_HEIGHT - 40), 0.0, []
        for word, fill in zip(side, fills[row], strict=True):
            size = _width(word)
            center = x + size / 2 if not _is_rtl(side) else width - x - size / 2
            if fill:
                body += (
                    f'<rect x="{center - size / 2:.0f}" y="{y - 13}" width="{size:.0f}" '
                    f'height="26" rx="4" style="fill:{fill}"/>'
                )
            body += f'<text x="{center:.0f}" y="{y + 4}">{_label(word)}</text>'
            places.append(center)
            x += size + _GAP
        centers.append(places)
    curves = ""
    for one in sorted(found, key=lambda one: not one.crosses):  # gray ones below the others
        left, right = centers[0][one.left], centers[1][one.right]
        curves += (
            f'<path data-run="{one.run}" class="{"gray" if one.crosses else "link"}" d="M{left:.0f} '
            f'33C{left:.0f} 65 {right:.0f} 65 {right:.0f} {_HEIGHT - 33}"/>'
        )
    n_crossing = sum(one.crosses for one in found)
    label = f"Alignment: {len(found)} matches, {n_crossing} of them in another order"
    return _svg(width, _HEIGHT, label, curves + body)


def _matrix(
    words: Sequence[Sequence[str]],
    found: Sequence[Link],
    equal: Sequence[tuple[int, int]],
    is_path: bool,
) -> str:
    left, top = (max(map(_width, side), default=0) for side in words)
    width, height = left + _CELL * len(words[1]), top + _CELL * len(words[0])
    body = f'<rect class="frame" x="{left:.0f}" y="{top:.0f}" '
    body += f'width="{_CELL * len(words[1])}" height="{_CELL * len(words[0])}"/>'
    for row, word in enumerate(words[0]):
        y = top + _CELL * row + 12
        body += f'<text class="row" x="{left - 5:.0f}" y="{y:.0f}">{_label(word)}</text>'
    for column, word in enumerate(words[1]):
        x = left + _CELL * column + 12
        at = f'x="{x:.0f}" y="{top - 5:.0f}" transform="rotate(-90 {x:.0f} {top - 5:.0f})"'
        body += f'<text class="column" {at}>{_label(word)}</text>'
    for row, column in sorted({*equal} - {(one.left, one.right) for one in found}):
        x, y = left + _CELL * (column + 0.5), top + _CELL * (row + 0.5)
        body += f'<circle cx="{x:.0f}" cy="{y:.0f}" r="2.5"/>'
    for one in found:
        x, y = left + _CELL * one.right + 2, top + _CELL * one.left + 2
        kind = ' class="gray"' if one.crosses else f' style="fill:{_colour(one.run)}"'
        body += f'<rect{kind} data-run="{one.run}" x="{x:.0f}" y="{y:.0f}" width="12" height="12"/>'
    for one, after in pairwise(found):
        if is_path or one.run == after.run:
            x1, x2 = (left + _CELL * (of.right + 0.5) for of in (one, after))
            y1, y2 = (top + _CELL * (of.left + 0.5) for of in (one, after))
            body += f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"/>'
    return _svg(width, height, f"Matrix: {len(found)} matches", body)


def _range(places: Sequence[int]) -> str:
    first, last = places[0] + 1, places[-1] + 1
    return f"{first}" if first == last else f"{first} to {last}"


def _listed(words: Sequence[Sequence[str]], found: Sequence[Link], reference: str) -> str:
    """Return the runs as a list."""
    items = ""
    for run in dict.fromkeys(one.run for one in found):
        of_run = [one for one in found if one.run == run]
        text = html.escape(" ".join(words[0][one.left] for one in of_run))
        left = _range([one.left for one in of_run])
        right = _range([one.right for one in of_run])
        order = ", in another order" if of_run[0].crosses else ""
        items += f"<li>“{text}”: {left} in the prediction, {right} in {reference}{order}</li>"
    none = "No token matches." if not items else f"<ol>{items}</ol>"
    return f'<div class="facts"><p>Numbers of tokens that match.</p>{none}</div>'


# --- BLEU ---------------------------------------------------------------------------------------


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
    cells = (
        (
            name,
            counts,
            shown := percent(value),
            f'<div style="width:{shown.strip("–") or 0}%"></div>',
        )
        for name, counts, value in rows
    )
    return table_html("BLEU", ("Part", "Matches", "Percent", "Bar"), cells, "bars")


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
    """Return for each measure the packages on a line; the page shows that of the chosen one."""
    return "".join(_dots(rows, here, name) for name in (*TILES, "bleu"))


def _dots(rows: Sequence[Mapping[str, Any]], here: Mapping[str, float], name: str) -> str:
    names: dict[str, list[str]] = {}
    for row in [*rows, {"name": "this page", "scores": here}]:
        shown = percent(row["scores"].get(name))
        if shown != "–":
            names.setdefault(shown, []).append(row["name"])
    scores = sorted(map(float, names))
    if not scores:
        return ""
    low, high = 10 * math.floor(scores[0] / 10), 10 * math.ceil(scores[-1] / 10)
    low = low - 10 if low == high else low
    height = 10 * max(map(len, names.values())) + 8
    items = ""
    for score, packages in sorted(names.items(), key=lambda one: float(one[0])):
        kind = ' class="own"' if "this page" in packages else ""
        place = 100 * (float(score) - low) / (high - low)
        side = "right" if place > 50 else "left"
        circles = "<i></i>" * len(packages)
        items += (
            f'<li{kind} tabindex="0" style="left:{place:.2f}%"><span class="circles">{circles}'
            f'</span><span class="names {side}">{score}: {html.escape(", ".join(packages))}'
            "</span></li>"
        )
    return (
        f'<div class="dots" data-measure="{name}"><b>{shown_name(name)}</b>'
        f'<ul style="height:{height}px">{items}</ul>'
        f'<div class="ends"><span>{low}</span><span>{high}</span></div></div>'
    )


def packages_html(rows: Sequence[Mapping[str, Any]], here: Mapping[str, float]) -> str:
    """Return the table; scores that differ from those of the page are marked."""
    columns = (*TILES, "bleu")
    own = [f"<b>{percent(here.get(name))}</b>" for name in columns]
    cells: list[list[str]] = [["This page", *own, "the settings above"]]
    for row in rows:
        shown = [percent(row["scores"].get(name)) for name in columns]
        ours = "<br>".join(f"<code>{html.escape(one)}</code>" for one in row["here"])
        cells.append(
            [
                f"{html.escape(row['name'])}<small>{html.escape(row['why'])}</small>",
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


def ranges_html(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return in a sentence how far the packages differ."""
    ranges = []
    for name in (*TILES, "bleu"):
        scores = sorted(
            {float(one) for row in rows if (one := percent(row["scores"].get(name))) != "–"}
        )
        if len(scores) > 1:
            ranges.append(f"{shown_name(name)} {scores[0]} to {scores[-1]}")
    summary = f"The same texts score {', '.join(ranges)}, depending on the package."
    return f'<p class="ranges">{summary if ranges else "All packages agree on these texts."}</p>'
