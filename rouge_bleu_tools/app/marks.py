"""Which words of two texts match, as HTML.

`rouge_bleu.explain_rouge` and `explain_bleu` return a span for each token that takes part in a
match. Here the tokens of the prediction are paired with those of a reference; pairs that are
consecutive in both texts are a run, and get one number and one colour on both sides.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

Span = tuple[int, int]
N_COLOURS = 6
_LONGEST = 8  # tokens in a row by which pairs are found
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Mark:
    start: int
    end: int
    number: int | None = None  # of its run, or of the longest n-gram that it is part of
    title: str = ""


def known_spans(spans: Sequence[Sequence[int] | None]) -> list[Span]:
    """Return the spans in the order of the text; a token that is not found there has none."""
    return sorted({(span[0], span[1]) for span in spans if span})


def pair_marks(
    prediction: str,
    reference: str,
    prediction_spans: Sequence[Sequence[int] | None],
    reference_spans: Sequence[Sequence[int] | None],
    normal_form: Callable[[str], str] = str.casefold,
    *,
    is_subsequence: bool = False,
) -> tuple[list[Mark], list[Mark]]:
    """Return the marks of both texts, with the numbers of runs.

    `is_subsequence` says that the tokens match in the order in which they appear.

    >>> left, right = pair_marks("a x b", "b a", [[0, 1], [4, 5]], [[0, 1], [2, 3]])
    >>> [mark.number for mark in left], [mark.number for mark in right]
    ([1, 2], [2, 1])
    """
    texts, spans = (prediction, reference), (prediction_spans, reference_spans)
    left, right = map(known_spans, spans)
    words = [
        [normal_form(text[start:end]) for start, end in side]
        for text, side in zip(texts, (left, right), strict=True)
    ]
    joined = [_joined(text, side) for text, side in zip(texts, (left, right), strict=True)]
    if is_subsequence and len(left) == len(right):
        partner = {place: place for place in range(len(left))}
    else:
        partner = _partners(words, joined)
    runs: dict[int, int] = {}
    number = 0
    for place in sorted(partner):
        other = partner[place]
        is_next = partner.get(place - 1) == other - 1 and joined[0][place] and joined[1][other]
        number += 0 if is_next else 1
        runs[place] = number
    titles: tuple[dict[int, str], dict[int, str]] = ({}, {})
    for place, other in partner.items():
        forms = prediction[slice(*left[place])], reference[slice(*right[other])]
        if forms[0].casefold() != forms[1].casefold():
            titles[0][place] = f"matches “{forms[1]}”"
            titles[1][other] = f"matches “{forms[0]}”"
    place_of = {other: place for place, other in partner.items()}
    return (
        [Mark(*span, runs.get(i), titles[0].get(i, "")) for i, span in enumerate(left)],
        [
            Mark(*span, runs.get(place_of.get(i, -1)), titles[1].get(i, ""))
            for i, span in enumerate(right)
        ],
    )


def _joined(text: str, spans: Sequence[Span]) -> list[bool]:
    """Return for each token whether it directly follows the one before it."""
    ends = [None, *(end for _, end in spans)]
    return [
        end is not None and not any(map(str.isalnum, text[end:start]))
        for end, (start, _) in zip(ends, spans, strict=False)
    ]


def _partners(words: Sequence[list[str]], joined: Sequence[list[bool]]) -> dict[int, int]:
    """Pair equal tokens, those in long common runs first: place in the prediction -> reference."""
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for length in range(_LONGEST, 0, -1):
        places: dict[tuple[str, ...], deque[int]] = defaultdict(deque)
        for place in _starts(joined[1], length, taken):
            places[tuple(words[1][place : place + length])].append(place)
        for place in _starts(joined[0], length, partner):
            if not partner.keys().isdisjoint(range(place, place + length)):
                continue  # paired since, by a run that overlaps
            others = places[tuple(words[0][place : place + length])]
            while others:
                other = others.popleft()
                if taken.isdisjoint(range(other, other + length)):
                    partner |= {place + step: other + step for step in range(length)}
                    taken |= set(range(other, other + length))
                    break
    return partner


def _starts(joined: list[bool], length: int, taken: Collection[int]) -> list[int]:
    """Return where `length` free tokens stand in a row."""
    return [
        place
        for place in range(len(joined) - length + 1)
        if all(joined[place + 1 : place + length])
        and not any(one in taken for one in range(place, place + length))
    ]


def order_marks(spans_of_order: Mapping[int, Sequence[Sequence[int] | None]]) -> list[Mark]:
    """Return marks with the length of the longest n-gram that a token is part of.

    >>> order_marks({1: [[0, 1], [2, 3]], 2: [[2, 3]]})
    [Mark(start=0, end=1, number=1, title=''), Mark(start=2, end=3, number=2, title='')]
    """
    longest: dict[Span, int] = {}
    for order, spans in sorted(spans_of_order.items()):
        longest |= dict.fromkeys(known_spans(spans), order)
    return [Mark(*span, order) for span, order in sorted(longest.items())]


def marked_html(text: str, marks: Sequence[Mark], used: Collection[str] = (), reason: str = ""):
    """Return a text as HTML with its marks; equal neighbours are one mark.

    Words that are in `used` and have no mark are underlined, with the reason as their title.

    >>> marked_html("a <b> c", [Mark(0, 1, 1), Mark(3, 4)], {"c"}, "already used")
    '<mark data-run="1" class="run1">a</mark> &lt;<mark>b</mark>&gt; \
<span class="used" title="already used">c</span>'
    """
    parts: list[str] = []
    end = 0
    marks = sorted(marks, key=lambda mark: (mark.start, mark.end))
    place = 0
    while place < len(marks):
        first = last = marks[place]
        place += 1
        while place < len(marks) and _continues(text, last, marks[place]):
            last = marks[place]
            place += 1
        if first.start < end:  # overlaps the one before
            continue
        parts += [
            _plain(text[end : first.start], used, reason),
            _opening(first),
            html.escape(text[first.start : last.end]),
            "</mark>",
        ]
        end = last.end
    return "".join([*parts, _plain(text[end:], used, reason)])


def _continues(text: str, mark: Mark, following: Mark) -> bool:
    between = text[mark.end : following.start]
    is_equal = (mark.number, mark.title) == (following.number, following.title)
    return is_equal and "\n" not in between and not any(map(str.isalnum, between))


def _opening(mark: Mark) -> str:
    attributes = ""
    if mark.number is not None:
        colour = (mark.number - 1) % N_COLOURS + 1
        attributes = f' data-run="{mark.number}" class="run{colour}"'
    if mark.title:
        attributes += f' title="{html.escape(mark.title)}"'
    return f"<mark{attributes}>"


def _plain(text: str, used: Collection[str], reason: str) -> str:
    if not used:
        return html.escape(text)
    parts, end = [], 0
    for match in _WORD.finditer(text):
        if match[0].casefold() in used:
            parts += [
                html.escape(text[end : match.start()]),
                f'<span class="used" title="{reason}">{html.escape(match[0])}</span>',
            ]
            end = match.end()
    return "".join([*parts, html.escape(text[end:])])
