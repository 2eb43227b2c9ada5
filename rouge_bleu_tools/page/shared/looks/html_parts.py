"""Parts of the page as HTML: tables, bars, marked texts, messages.

Every text goes through `escaped`. Beside the letters that mean something in HTML it
escapes those that mean something to the templates of Gradio's HTML component.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

N_COLOURS = 4  # of runs, in `style.py`

_OF_TEMPLATES = {ord(letter): f"&#{ord(letter)};" for letter in "${}`@\\"}


def escaped(text: Any) -> str:
    """Return a text as HTML that shows it letter by letter.

    >>> escaped("<b>${a}")
    '&lt;b&gt;&#36;&#123;a&#125;'
    """
    return html.escape(str(text)).translate(_OF_TEMPLATES)


def table(
    caption: str, headers: Sequence[str], rows: Iterable[Sequence[str]], n_texts: int = 1
) -> str:
    """Return a table of texts, of which the first `n_texts` columns are no numbers."""
    head = "".join(f'<th scope="col">{escaped(header)}</th>' for header in headers)
    lines = []
    for first, *others in rows:
        cells = "".join(
            f'<td class="{"text" if column < n_texts else "number"}">{escaped(cell)}</td>'
            for column, cell in enumerate(others, start=1)
        )
        lines.append(f'<tr><th scope="row">{escaped(first)}</th>{cells}</tr>')
    return (
        '<div class="page-scroll" tabindex="0" role="region" '
        f'aria-label="{escaped(caption)}"><table class="page-table">'
        f"<caption>{escaped(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def figure(caption: str, content: str) -> str:
    """Return a picture, already HTML, below its caption."""
    return (
        f'<figure class="page-figure"><figcaption>{escaped(caption)}</figcaption>{content}</figure>'
    )


@dataclass(frozen=True)
class Mark:
    """A place to be marked in a text.

    Parameters
    ----------
    start, stop : int
        In characters.
    match : int or None
        The number that its partner in the other text has too.
    run : int or None
        The number of its run of words that both texts have in a row.
    """

    start: int
    stop: int
    match: int | None = None
    run: int | None = None


def marked_text(text: str, marks: Iterable[Mark]) -> str:
    """Return a text in which some places are marked.

    Tab reaches the first of those that have a partner, and arrows the others
    (`script.py`).

    >>> marked_text("a <b> c", [Mark(0, 1)])
    '<mark>a</mark> &lt;b&gt; c'
    >>> marked_text("a b", [Mark(2, 3, match=7)])
    'a <mark tabindex="0" data-match="7">b</mark>'
    """
    parts, end, is_first, last_run = [], 0, True, None
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.stop)):
        start = max(mark.start, end)
        if start >= mark.stop:
            continue
        attributes = ""
        if mark.match is not None:
            attributes = f' tabindex="{0 if is_first else -1}" data-match="{mark.match}"'
            is_first = False
        if mark.run is not None:
            attributes += f' class="page-run-{mark.run % N_COLOURS}"'
            attributes += f' data-run="{mark.run + 1}"' if mark.run != last_run else ""
        last_run = mark.run
        shown = escaped(text[start : mark.stop])
        parts += [escaped(text[end:start]), f"<mark{attributes}>{shown}</mark>"]
        end = mark.stop
    return "".join([*parts, escaped(text[end:])])


def text_block(label: str, content: str, *, is_chosen: bool = False) -> str:
    """Return a text, already HTML, below its label."""
    chosen = " page-chosen" if is_chosen else ""
    return (
        f'<div class="page-text{chosen}"><div class="page-label">{escaped(label)}</div>'
        f'<div class="page-words" dir="auto">{content}</div></div>'
    )


def steps(lines: Iterable[str], kind: str) -> str:
    """Return lines of arithmetic; `kind` is a class that says where they are shown."""
    return (
        f'<ul class="page-steps {kind}">'
        + "".join(f"<li>{escaped(line)}</li>" for line in lines)
        + "</ul>"
    )


def folded(summary: str, content: str, behind: str = "") -> str:
    """Return HTML that opens at a click; `behind` is HTML behind the summary."""
    return f"<details><summary>{escaped(summary)}{behind}</summary>{content}</details>"


def message(texts: Iterable[str], kind: str = "error") -> str:
    """Return what is wrong, or to be known, in a box; nothing where there is no text."""
    lines = "".join(f"<p>{escaped(text)}</p>" for text in texts)
    role = "alert" if kind == "error" else "status"
    return f'<div class="page-message page-{kind}" role="{role}">{lines}</div>' if lines else ""


def note(text: str) -> str:
    """Return a quiet sentence."""
    return f'<p class="page-note">{escaped(text)}</p>'


def progress_bar(words: str, share: float) -> str:
    """Return how far some work is."""
    return (
        f'<div class="page-progress" role="status"><label>{escaped(words)} '
        f'<progress max="1" value="{min(1.0, max(0.0, share)):.3f}"></progress></label></div>'
    )
