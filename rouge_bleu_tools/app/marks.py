"""Which words of two texts match, as HTML.

`rouge_bleu.explain_rouge` and `explain_bleu` return a span for each token that takes part in a
match. Here the tokens of the prediction are paired with those of a reference; pairs that are
consecutive in both texts are a run, and get one number and one colour on both sides.
"""

from __future__ import annotations

import html
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

Span = tuple[int, int]
N_COLOURS = 6
_MOST_TRIED = 20  # places of a token in the reference that are compared
_WORD = re.compile(r"(\w+)")


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
    """
    texts = (prediction, reference)
    spans = (known_spans(prediction_spans), known_spans(reference_spans))
    words, joined = [], []
    for text, side in zip(texts, spans, strict=True):
        words.append([normal_form(text[start:end]) for start, end in side])
        gaps = [text[end:start] for (_, end), (start, _) in pairwise([(0, 0), *side])]
        joined.append([place > 0 and not _has_word(gap) for place, gap in enumerate(gaps)])
    if is_subsequence and len(spans[0]) == len(spans[1]):
        partner = {place: place for place in range(len(spans[0]))}
    else:
        partner = _partners(words, joined)
    left, right = ([Mark(*span) for span in side] for side in spans)
    number = 0
    for place, other in sorted(partner.items()):
        is_next = partner.get(place - 1) == other - 1 and joined[0][place] and joined[1][other]
        number += 0 if is_next else 1
        forms = [prediction[slice(*spans[0][place])], reference[slice(*spans[1][other])]]
        differ = forms[0].casefold() != forms[1].casefold()
        titles = [f"matches “{form}”" if differ else "" for form in forms]
        left[place] = Mark(*spans[0][place], number, titles[1])
        right[other] = Mark(*spans[1][other], number, titles[0])
    return left, right


def _has_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _partners(words: Sequence[list[str]], joined: Sequence[list[bool]]) -> dict[int, int]:
    """Pair equal tokens, by the longest run that begins there: place in the prediction -> reference."""
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words[1]):
        places[word].append(place)
    partner: dict[int, int] = {}
    taken: set[int] = set()
    place = 0
    while place < len(words[0]):
        best = range(0)
        free = (other for other in places[words[0][place]] if other not in taken)
        for other in islice(free, _MOST_TRIED):
            length = 1
            while (
                place + length < len(words[0])
                and other + length < len(words[1])
                and words[0][place + length] == words[1][other + length]
                and joined[0][place + length]
                and joined[1][other + length]
                and other + length not in taken
            ):
                length += 1
            best = max(best, range(other, other + length), key=len)
        partner |= zip(range(place, place + len(best)), best, strict=True)
        taken.update(best)
        place += len(best) or 1
    return partner


def order_marks(spans_of_order: Mapping[int, Sequence[Sequence[int] | None]]) -> list[Mark]:
    """Return marks with the length of the longest n-gram that a token is part of."""
    longest: dict[Span, int] = {}
    for order, spans in sorted(spans_of_order.items()):
        longest |= dict.fromkeys(known_spans(spans), order)
    return [Mark(*span, order) for span, order in sorted(longest.items())]


def marked_html(text: str, marks: Sequence[Mark], used: Collection[str] = (), reason: str = ""):
    """Return a text as HTML with its marks; equal neighbours are one mark.

    Words that are in `used` and have no mark are underlined, with the reason as their title.
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
        attributes = ""
        if first.number is not None:
            colour = (first.number - 1) % N_COLOURS + 1
            attributes = f' data-run="{first.number}" class="run{colour}"'
        if first.title:
            attributes += f' title="{html.escape(first.title)}"'
        parts += [
            _plain(text[end : first.start], used, reason),
            f"<mark{attributes}>",
            html.escape(text[first.start : last.end]),
            "</mark>",
        ]
        end = last.end
    return "".join([*parts, _plain(text[end:], used, reason)])


def _continues(text: str, mark: Mark, following: Mark) -> bool:
    between = text[mark.end : following.start]
    is_equal = (mark.number, mark.title) == (following.number, following.title)
    return is_equal and "\n" not in between and not _has_word(between)


def _plain(text: str, used: Collection[str], reason: str) -> str:
    parts = _WORD.split(text) if used else [text]  # every second part is a word
    return "".join(
        f'<span class="used" title="{reason}">{part}</span>'
        if part.casefold() in used
        else html.escape(part)
        for part in parts
    )
