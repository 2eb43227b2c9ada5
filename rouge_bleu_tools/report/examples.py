"""Examples of a report: both predictions and all references, with the words that match."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from .charts import escaped, percent

MOST_BYTES = 2_400_000  # of all examples of a report
_JOINED = re.compile(r"[^\S\n]*")  # between words that get one mark

Spans = Sequence[Sequence[int] | None]


def marked(text: str, *systems: tuple[str, Spans]) -> str:
    """Return a text with marked words, of the class of a system if only that system matches them.

    >>> marked("a b c", ("new", [[0, 1], [2, 3]]), ("base", [[2, 3]]))
    '<mark class="new">a</mark> <mark>b</mark> c'
    """
    classes: dict[tuple[int, int], list[str]] = {}
    for kind, spans in systems:
        for span in spans:
            if span is not None:
                classes.setdefault((span[0], span[1]), []).append(kind)
    runs: list[tuple[int, int, str]] = []
    for (start, end), kinds in sorted(classes.items()):
        kind = kinds[0] if len(kinds) < len(systems) else ""
        last = runs[-1] if runs else (0, 0, None)
        if start < last[1]:
            continue
        if kind == last[2] and _JOINED.fullmatch(text, last[1], start):
            runs[-1] = (last[0], end, kind)
        else:
            runs.append((start, end, kind))
    parts, done = [], 0
    for start, end, kind in runs:
        mark = f' class="{kind}"' if kind else ""
        parts += [escaped(text[done:start]), f"<mark{mark}>{escaped(text[start:end])}</mark>"]
        done = end
    return "".join([*parts, escaped(text[done:])])


def merged_examples(analyses: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """Return the examples of all metrics by number, with the scores of each; the first one's marks."""
    merged: dict[int, dict[str, Any]] = {}
    for analysis in analyses.values():
        for row in analysis["examples"]:
            merged[row["example"]] = {**row, **merged.get(row["example"], {})}
    return merged


def main_key(analyses: Mapping[str, Any]) -> str:
    """Return the score by which examples are ordered: of the first metric, F before precision."""
    first = next(iter(analyses.values()))
    keys = [row["score"] for row in first["differences"]]
    return next((key for key in keys if key.endswith("_fmeasure")), keys[0])


def articles(part: Mapping[str, Any], prefix: str, most_bytes: int) -> tuple[dict[int, str], int]:
    """Return the examples as HTML by number, if too large only the most telling, and their number."""
    analyses, key = part["analyses"], main_key(part["analyses"])
    examples = merged_examples(analyses)
    keys = [row["score"] for analysis in analyses.values() for row in analysis["differences"]]
    found: dict[int, str] = {}
    n_bytes = 0
    for number in dict.fromkeys(_telling(examples, key, analyses)):
        article = _article(part, examples[number], keys, key, f"{prefix}{number + 1}")
        n_bytes += len(article.encode())
        if n_bytes > most_bytes and found:
            break
        found[number] = article
    order = sorted(found, key=lambda number: (-_change(examples[number], key), number))
    n_examples = max(row["n_examples"] for row in next(iter(analyses.values()))["differences"])
    return {number: found[number] for number in order}, max(n_examples, len(examples))


def _change(row: Mapping[str, Any], key: str) -> float:
    """Return the gain of an example, or without a baseline its score with a minus sign."""
    value = row.get(f"{key}_delta", -row.get(key, 0.0))
    return float(value) if value == value else 0.0


def _telling(
    examples: Mapping[int, Mapping[str, Any]], key: str, analyses: Mapping[str, Any]
) -> Iterator[int]:
    """Yield numbers of examples: gains, losses, low scores and those of n-grams in turn."""
    by_change = sorted(examples, key=lambda number: -_change(examples[number], key))
    by_score = sorted(examples, key=lambda number: examples[number].get(key, 0.0))
    rows = [row for analysis in analyses.values() for row in analysis["ngrams"]]
    of_ngrams = [number for row in rows for number in row["examples"][:1]]
    for numbers in zip_longest(by_change, reversed(by_change), by_score, of_ngrams):
        yield from (number for number in numbers if number in examples)


def _article(
    part: Mapping[str, Any], row: Mapping[str, Any], keys: Sequence[str], key: str, name: str
) -> str:
    new, base = escaped(part["system"]), escaped(part["baseline"] or "")
    cells = []
    for one in keys:
        if one in row:
            text = f"{escaped(one)} <b>{percent(row[one])}</b>"
            if f"{one}_delta" in row:
                text += f" ({percent(row[f'{one}_delta'], '+')})"
            cells.append(f"<span>{text}</span>")
    systems = [("new", "")] if not base else [("new", ""), ("base", "baseline_")]
    boxes = ""
    for kind, prefix in reversed(systems):
        marks = marked(row[f"{prefix}prediction"], ("", row[f"{prefix}prediction_spans"]))
        boxes += (
            f'<div><h4 class="{kind}">{base if prefix else new}</h4><p dir="auto">{marks}</p></div>'
        )
    chosen = {row[f"{prefix}chosen"] for _, prefix in systems}
    several = len(row["references"]) > 1
    for number, reference in enumerate(row["references"]):
        title = f"reference {number + 1}" if several else "reference"
        if several and number in chosen:
            title += " (best)"
        spans = [(kind, row[f"{prefix}reference_spans"][number]) for kind, prefix in systems]
        marks = marked(reference, *spans) if base else marked(reference, ("", spans[0][1]))
        boxes += f'<div><h4>{title}</h4><p dir="auto">{marks}</p></div>'
    score, change = row.get(key, 0.0), _change(row, key)
    data = f'data-score="{0.0 if score != score else score:.4f}" data-change="{change:.4f}"'
    return (
        f'<article id="{name}" {data}><h3>Example {row["example"] + 1}</h3>'
        f'<p class="scores">{"".join(cells)}</p><div class="texts">{boxes}</div></article>'
    )
