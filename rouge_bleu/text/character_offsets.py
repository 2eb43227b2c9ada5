"""The spans of the tokens of a text, in characters of the given text.

Tokenizers return words without offsets. Each word is searched for after the one before it, in the text as
the tokenizer sees it. A `SourcedText` is rewritten like a string, and keeps the source of each
character: that of "&" may be the five characters "&amp;". A user-defined function may change words: as
many as possible of those that are found in order get a span, the others None. The span of a given token
is [i, i + 1).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from .tokenizer_rules import TokenizerRules
from .tokenizers import unfiltered_tokens

Span = list[int]  # start and end

_MAX_ALIGNMENTS = 64  # that are kept to find as many tokens as possible
_WORD = re.compile(r"\S+")
_LINE = re.compile("[^\n]+")
# Symbols that subword tokenizers put before or after a part, and xlsum before a symbol.
_SUBWORD_MARK = re.compile("^(?:[\u2581\u0120]|\x23\x23|\uff050020)|(?:@@|</w>)$")


@dataclass(frozen=True)
class SourcedText:
    """A text that was made from another text, its source."""

    text: str
    spans: list[Span | None]  # for each character its span in the source

    @classmethod
    def of_source(cls, text: str) -> SourcedText:
        return cls(text, [[k, k + 1] for k in range(len(text))])

    def __contains__(self, part: str) -> bool:
        return part in self.text

    def lower(self) -> SourcedText:
        """Return the lowercased text, in which U+0130 becomes two characters."""
        pairs = zip(self.text, self.spans, strict=True)
        return SourcedText(
            self.text.lower(), [span for letter, span in pairs for _ in letter.lower()]
        )

    def rstrip(self) -> SourcedText:
        n_kept = len(self.text.rstrip())
        return SourcedText(self.text[:n_kept], self.spans[:n_kept])

    def replace(self, old: str, new: str) -> SourcedText:
        return self.sub(re.escape(old), new)

    def sub(self, pattern: str, new: str | Callable[[str], str]) -> SourcedText:
        """Replace each match; the source of a character is the match, or its own if both are equally long."""
        texts, spans, end = [], [], 0
        for match in re.finditer(pattern, self.text):
            start, old = match.start(), match[0]
            written = new(old) if callable(new) else new
            texts += [self.text[end:start], written]
            spans += self.spans[end:start]
            end = match.end()
            is_one_each = len(written) == len(old)
            sources = [self.source_span(start, end)] * len(written)
            spans += self.spans[start:end] if is_one_each else sources
        return SourcedText("".join([*texts, self.text[end:]]), spans + self.spans[end:])

    def source_span(self, start: int, end: int) -> Span | None:
        """Return the source of these characters; None if there are none, or that of one is unknown."""
        spans = [span for span in self.spans[start:end] if span]
        return [spans[0][0], spans[-1][1]] if 0 < len(spans) == end - start else None


def locate_lines(text: str, source: str) -> SourcedText:
    """Return a text whose lines, or else whose words, are found in its source, in order."""
    if text == source:
        return SourcedText.of_source(text)
    spans: list[Span | None] = [None] * len(text)
    for pattern in (_LINE, _WORD):
        matches = list(pattern.finditer(text))
        places = _part_starts([match[0] for match in matches], source.replace("\n", " "))
        if None not in places:
            break
    for match, place in zip(matches, places, strict=True):
        if place is not None:
            after = range(place, place + len(match[0]))
            spans[match.start() : match.end()] = [[k, k + 1] for k in after]
    return SourcedText(text, spans)


# --- tokens ---------------------------------------------------------------------------


def token_spans(texts: Sequence[SourcedText], rules: TokenizerRules) -> list[list[Span | None]]:
    """Return the span of each token of `tokenize`, for each text."""
    lowers = rules.lowercases_words  # the words are located before they are lowercased
    rules_of_words = replace(rules, lowercase=False) if lowers else rules
    rows = unfiltered_tokens([text.text for text in texts], rules_of_words).to_lists()
    return [
        _kept_spans(words, _spans_of_words(words, text, rules_of_words), rules, lowers)
        for words, text in zip(rows, texts, strict=True)
    ]


def sentence_token_spans(
    texts: Sequence[SourcedText], rules: TokenizerRules
) -> list[list[Span | None]]:
    """Return the span of each token of `tokenize_lines`, for each text."""
    if rules.separates_sentences:
        return token_spans(texts, rules)
    lines_of_text = [
        [SourcedText(one[0], text.spans[slice(*one.span())]) for one in _LINE.finditer(text.text)]
        for text in texts
    ]
    return [list(chain.from_iterable(token_spans(lines, rules))) for lines in lines_of_text]


def given_token_spans(
    given_tokens: Sequence[Sequence[str]], rules: TokenizerRules, texts: Sequence[str] | None = None
) -> list[list[Span | None]]:
    """Return the span of each given token in its text, or, without texts, in its list."""
    spans: Any = [[[k, k + 1] for k in range(len(words))] for words in given_tokens]
    if texts is not None:
        spans = map(_found_spans, given_tokens, map(SourcedText.of_source, texts))
    return [_kept_spans(*one, rules, True) for one in zip(given_tokens, spans, strict=True)]


def _kept_spans(
    words: Sequence[str], spans: Sequence[Span | None], rules: TokenizerRules, lowers: bool
) -> list[Span | None]:
    """Return the spans of the words that are not stop words; `lowers`: lowercase the words first."""
    if lowers and rules.lowercase:
        words = list(map(str.lower, words))
    return [span for word, span in zip(words, spans, strict=True) if word not in rules.stopwords]


def _spans_of_words(
    words: list[str], text: SourcedText, rules: TokenizerRules
) -> list[Span | None]:
    text = rules.rewritten(text, rules.lowercase)
    spans = _found_spans(words, text)
    if None not in spans:
        return spans
    lowered = [word.lower() for word in words]
    without_marks = [_SUBWORD_MARK.sub("", word).lower() for word in words]
    ways = [spans, *(_found_spans(way, text.lower()) for way in (lowered, without_marks))]
    return min(ways, key=lambda spans: spans.count(None))  # the first alignment with the most spans


def _found_spans(words: Sequence[str], text: SourcedText) -> list[Span | None]:
    return [
        None if place is None else text.source_span(place, place + len(word))
        for word, place in zip(words, _part_starts(words, text.text), strict=True)
    ]


def _part_starts(parts: Sequence[str], text: str) -> list[int | None]:
    """Return the start of each part in a text, in order, for as many as possible; else None.

    >>> _part_starts(["a", "d", "b", "c"], "a b c d")
    [0, None, 2, 4]
    """
    places: list[int | None] = [None] * len(parts)
    end, missing = 0, {""}
    for index, part in enumerate(parts):
        start = -1 if part in missing else text.find(part, end)
        if start >= 0:
            places[index], end = start, start + len(part)
        elif part not in missing:
            if part in text:
                break  # only before `end`
            missing.add(part)
    else:
        return places
    found = [index for index, part in enumerate(parts) if part not in missing and part in text]
    # For each number of located parts, the alignment that ends first: its end and a chain of parts.
    ways: list[tuple[int, Any]] = [(0, None)]
    for index in found:
        longest = len(ways) - 1
        for n_placed in range(longest, max(longest - _MAX_ALIGNMENTS, -1), -1):
            end, placed = ways[n_placed]
            start = text.find(parts[index], end)
            end = start + len(parts[index])
            if start >= 0 and (n_placed == longest or end <= ways[n_placed + 1][0]):
                ways[n_placed + 1 : n_placed + 2] = [(end, (index, start, placed))]
    places = [None] * len(parts)
    _, placed = ways[-1]
    while placed is not None:
        index, start, placed = placed
        places[index] = start
    return places
