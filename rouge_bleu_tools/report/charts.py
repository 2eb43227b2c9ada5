"""Charts as inline SVG, drawn from the numbers of the tables below them; and cells of tables.

A chart is 360 units wide, so that its letters are of the same size on a phone. Colors are classes: "new" and
"base" of `report.css`.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

_WIDTH = 360
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")

Bar = tuple[str, float, float, float]  # class, low, score, high


def escaped(text: str) -> str:
    r"""Return a text as HTML, with control characters written out.

    >>> escaped('<b>"\x1b')
    '&lt;b&gt;&quot;\\x1b'
    """
    return html.escape(_CONTROL.sub(lambda match: repr(match[0])[1:-1], text))


def percent(value: float | None, sign: str = "") -> str:
    """Return a score from 0 to 1 as it is printed, from 0 to 100.

    >>> percent(0.1234), percent(-0.05, "+"), percent(float("nan"))
    ('12.3', '−5.0', '–')
    """
    if value is None or value != value:
        return "–"
    text = f"{100 * value:{sign}.1f}"
    return ("0.0" if text.strip("+-") == "0.0" else text).replace("-", "−")


def table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells, which are HTML; the first cell of a row is its head."""
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>{"".join(f"<td>{cell}</td>" for cell in row[1:])}</tr>'
        for row in rows
    )
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{caption}"><table>'
        f"<caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
        "</table></div>"
    )


def figure(title: str, svg: str, numbers: str) -> str:
    """Return a chart with its numbers, which a reader can open."""
    return (
        f"<figure><figcaption>{title}</figcaption>{svg}"
        f"<details><summary>Numbers<span class='unseen'> of {title}</span></summary>{numbers}"
        "</details></figure>"
    )


def _svg(height: float, label: str, parts: Iterable[str]) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height:g}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg>"
    )


def _text(x: float, y: float, anchor: str, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>'


def histogram(label: str, bounds: Sequence[float], counts: Sequence[int]) -> str:
    """Return bars of how many examples have which difference or score."""
    used = [number for number, count in enumerate(counts) if count] or [0]
    first, end = max(used[0] - 1, 0), min(used[-1] + 2, len(counts))
    if bounds[0] < 0:  # a difference of 0 is in the middle
        first = min(first, len(counts) - end)
        end = len(counts) - first
    bounds, counts = bounds[first : end + 1], counts[first:end]
    height, top, left, width = 120, 14, 6, _WIDTH - 12
    step, most = width / len(counts), max(*counts, 1)
    parts = []
    for number, count in enumerate(counts):
        middle = (bounds[number] + bounds[number + 1]) / 2
        kind = "same" if bounds[0] < 0 and abs(middle) < 1e-9 else "base" if middle < 0 else "new"
        size = count / most * (height - top)
        parts.append(
            f'<rect class="{kind}" x="{left + number * step + 0.5:.1f}" y="{height - size:.1f}" '
            f'width="{max(step - 1, 0.5):.1f}" height="{size:.1f}"/>'
        )
        if count == most:
            x = min(max(left + (number + 0.5) * step, left + 10), _WIDTH - 16)
            parts.append(_text(x, height - size - 3, "middle", f"{count:,}"))
    parts.append(f'<path class="axis" d="M{left} {height}h{width}"/>')
    sign = "+" if bounds[0] < 0 else ""
    for place, anchor in ((0, "start"), (len(counts) // 2, "middle"), (len(counts), "end")):
        value = bounds[place] if place != len(counts) // 2 else sum(bounds[:: len(counts)]) / 2
        parts.append(
            _text(left + width * place / len(counts), height + 14, anchor, percent(value, sign))
        )
    return _svg(height + 20, label, parts)


def intervals(label: str, rows: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """Return a line for each interval, with its score as a dot; a row has the bars of both systems."""
    values = [value for _, bars in rows for bar in bars for value in bar[1:]]
    defined = [value for value in values if value == value] or [0.0, 1.0]
    low, high = min(defined), max(defined)
    margin = max(0.05 * (high - low), 0.01)
    low, high = low - margin, high + margin
    left, row_height, top = 112, 30, 6
    height = top + row_height * len(rows)

    def x(value: float) -> float:
        return left + (_WIDTH - left - 8) * (value - low) / (high - low)

    parts = []
    for share in (0.0, 0.5, 1.0):
        value = low + margin + share * (high - low - 2 * margin)
        parts.append(f'<path class="grid" d="M{x(value):.1f} {top}V{height}"/>')
        parts.append(_text(x(value), height + 14, "middle", percent(value)))
    for number, (name, bars) in enumerate(rows):
        y = top + row_height * (number + 0.5)
        parts.append(_text(left - 8, y + 4, "end", name))
        for place, (kind, start, score, end) in enumerate(bars):
            if score != score:
                continue
            line = y + 8 * (place - (len(bars) - 1) / 2)
            parts.append(f'<path class="{kind}" d="M{x(start):.1f} {line:.1f}H{x(end):.1f}"/>')
            dot = f'cx="{x(score):.1f}" cy="{line:.1f}" r="3.5"'
            if kind == "base":  # a square, for readers who do not see the colors
                dot = f'x="{x(score) - 3:.1f}" y="{line - 3:.1f}" width="6" height="6"'
            parts.append(f'<{"rect" if kind == "base" else "circle"} class="{kind}" {dot}/>')
    return _svg(height + 20, label, parts)
