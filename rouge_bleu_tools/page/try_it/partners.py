"""Which marked word of a prediction matches which of a reference.

An explanation names the words of each text that take part in a match. Partners are the
same word to the metric, in its case and stem. Where both texts have the same words in
the same order, as in a common subsequence, the first is the partner of the first, and
so on. Else words that stand in the same company come first: four in a row that both
texts have, then three, two and one.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Container, Sequence
from itertools import pairwise

from rouge_bleu_tools.page.shared.looks.html_parts import Mark

Span = Sequence[int] | None
_LONGEST = 4  # words in a row by which partners are found


def marks_of_pair(
    prediction: str,
    reference: str,
    prediction_spans: Sequence[Span],
    reference_spans: Sequence[Span],
    word_of: Callable[[str], str],
    *,
    has_runs: bool,
) -> tuple[list[Mark], list[Mark]]:
    """Return the marks of both texts.

    Parameters
    ----------
    prediction, reference : str
    prediction_spans, reference_spans : list
        The words that match, as `explain` gives them.
    word_of : function
        From a word to what it is to the metric.
    has_runs : bool
        Whether marks have the number of their run.

    >>> marks = marks_of_pair("a x b", "b a", [[0, 1], [4, 5]], [[0, 1], [2, 3]], str, has_runs=False)
    >>> [[mark.match for mark in side] for side in marks]
    [[0, 1], [1, 0]]
    """
    sides = _known(prediction_spans), _known(reference_spans)
    words = [
        [word_of(text[start:stop]) for start, stop in spans]
        for text, spans in zip((prediction, reference), sides, strict=True)
    ]
    is_followed = [
        _are_neighbours(text, spans)
        for text, spans in zip((prediction, reference), sides, strict=True)
    ]
    if words[0] == words[1]:
        partner = {place: place for place in range(len(words[0]))}
    else:
        partner = _partners(words, is_followed)
    run = _runs(partner, is_followed) if has_runs else {}
    number = {right: left for left, right in partner.items()}
    return (
        [
            Mark(*span, match=left if left in partner else None, run=run.get(left))
            for left, span in enumerate(sides[0])
        ],
        [
            Mark(*span, match=number.get(right), run=run.get(number.get(right, -1)))
            for right, span in enumerate(sides[1])
        ],
    )


def _known(spans: Sequence[Span]) -> list[tuple[int, int]]:
    return sorted({(span[0], span[1]) for span in spans if span})


def _are_neighbours(text: str, spans: Sequence[tuple[int, int]]) -> list[bool]:
    """Return of each word but the last whether the next one follows it directly."""
    return [not any(map(str.isalnum, text[end:start])) for (_, end), (start, _) in pairwise(spans)]


def _partners(
    words: Sequence[Sequence[str]], is_followed: Sequence[Sequence[bool]]
) -> dict[int, int]:
    """Return the place in the reference for places in the prediction."""
    partner: dict[int, int] = {}
    taken: set[int] = set()
    for length in range(_LONGEST, 0, -1):
        waiting: dict[tuple[str, ...], deque[int]] = defaultdict(deque)
        for place in _free(words[1], is_followed[1], length, taken):
            waiting[tuple(words[1][place : place + length])].append(place)
        for place in _free(words[0], is_followed[0], length, partner.keys()):
            if not partner.keys().isdisjoint(range(place, place + length)):
                continue  # taken since, by one that overlaps it
            others = waiting[tuple(words[0][place : place + length])]
            while others:
                other = others.popleft()
                if taken.isdisjoint(range(other, other + length)):
                    for step in range(length):
                        partner[place + step] = other + step
                        taken.add(other + step)
                    break
    return partner


def _free(
    words: Sequence[str], is_followed: Sequence[bool], length: int, taken: Container[int]
) -> list[int]:
    """Return where so many free words stand in a row."""
    return [
        place
        for place in range(len(words) - length + 1)
        if all(is_followed[place : place + length - 1])
        and all(one not in taken for one in range(place, place + length))
    ]


def _runs(partner: dict[int, int], is_followed: Sequence[Sequence[bool]]) -> dict[int, int]:
    """Return the number of the run of each place in the prediction that has a partner."""
    run: dict[int, int] = {}
    number = -1
    for place in sorted(partner):
        other = partner[place]
        goes_on = (
            partner.get(place - 1) == other - 1
            and is_followed[0][place - 1]
            and is_followed[1][other - 1]
        )
        number += 0 if goes_on else 1
        run[place] = number
    return run
