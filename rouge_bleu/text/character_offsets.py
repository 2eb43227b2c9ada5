"""Where the tokens of a text are, in characters of the text as it was given.

Tokenizers return words, not places. Each word is looked for after the one before it, in the text as the
tokenizer sees it: lowercased, with what 13a puts in place of entities, cut to a limit, one sentence in a
line. A `SourcedText` keeps the source of each character: that of "&" may be the five characters "&amp;".
Between two words of a named tokenizer no character could start a word, so the first place found is the
right one. A user-defined function may change words: as many as possible of those that are found in order
get a place, the others None.

The place of a given token is its index, as in [3, 4].
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from .tokenizers import TokenizerOptions, cut_words

Span = list[int]  # start and end

_MAX_WAYS = 64  # that are followed to find as many tokens as possible
_WORD = re.compile(r"\S+")
# What tokenizers of subwords put before or after a part, and xlsum before a symbol.
_SUBWORD_MARK = re.compile("^(?:[\u2581\u0120]|\x23\x23|\uff050020)|(?:@@|</w>)$")


@dataclass(frozen=True)
class SourcedText:
    """A text made of another one, its source."""

    text: str
    spans: list[tuple[int, int] | None]  # for each character those of the source that it is made of

    @classmethod
    def of_source(cls, text: str) -> SourcedText:
        """Return the source itself."""
        return cls(text, list(zip(range(len(text)), range(1, len(text) + 1), strict=True)))

    def lowered(self) -> SourcedText:
        """Return the lowercased text, in which U+0130 becomes two characters."""
        text = self.text.lower()
        if len(text) == len(self.text):
            return SourcedText(text, self.spans)
        pairs = zip(self.text, self.spans, strict=True)
        return SourcedText(text, [span for letter, span in pairs for _ in letter.lower()])

    def translated(self, character_of_code: Mapping[int, int]) -> SourcedText:
        """Return the text with some characters written as others."""
        return SourcedText(self.text.translate(character_of_code), self.spans)

    def replaced(self, old: str, new: str) -> SourcedText:
        """Return the text with `new`, at most one character, for each `old`."""
        parts = self.text.split(old)
        spans, end = self.spans[: len(parts[0])], len(parts[0])
        for part in parts[1:]:
            start, end = end, end + len(old)
            spans += [self._covered(start, end)] * len(new) + self.spans[end : end + len(part)]
            end += len(part)
        return SourcedText(new.join(parts), spans)

    def blanked(self, pattern: re.Pattern[str]) -> SourcedText:
        """Return the text with spaces in the place of each match."""
        return SourcedText(pattern.sub(lambda match: " " * len(match[0]), self.text), self.spans)

    def lines(self) -> list[SourcedText]:
        """Return the lines that are not empty."""
        return [self.part(*match.span()) for match in re.finditer("[^\n]+", self.text)]

    def part(self, start: int, end: int) -> SourcedText:
        """Return some of the characters."""
        return SourcedText(self.text[start:end], self.spans[start:end])

    def span(self, start: int, end: int) -> Span | None:
        """Return where these characters come from; None where that is not known of one."""
        covered = self._covered(start, end)
        return None if covered is None else [*covered]

    def _covered(self, start: int, end: int) -> tuple[int, int] | None:
        spans = [span for span in self.spans[start:end] if span]
        return (spans[0][0], spans[-1][1]) if 0 < len(spans) == end - start else None


def sourced_lines(text: str, source: str) -> SourcedText:
    """Return a text with the places in its source.

    The lines of the text are parts of the source, in their order; a space may be in place of a line
    break. Where a line is no such part, because a function changed it, its words are looked for.
    """
    if text == source:
        return SourcedText.of_source(text)
    in_one_line = source.replace("\n", " ")
    parts = [match.span() for match in re.finditer("[^\n]+", text)]
    places = _places([text[start:end] for start, end in parts], in_one_line)
    if None in places:
        parts = [match.span() for match in _WORD.finditer(text)]
        places = _places([text[start:end] for start, end in parts], in_one_line)
    spans: list[tuple[int, int] | None] = [None] * len(text)
    for (start, end), place in zip(parts, places, strict=True):
        if place is not None:
            spans[start:end] = [(k, k + 1) for k in range(place, place + end - start)]
    return SourcedText(text, spans)


# --- tokens ---------------------------------------------------------------------------


def token_spans(texts: Sequence[SourcedText], options: TokenizerOptions) -> list[list[Span | None]]:
    """Return the span of each token of `tokenized`, for each text."""
    written = [text.text for text in texts]
    rows = rows_as_cut = rows_of_words(written, options, is_tokenized=False)
    as_cut = options
    if options.rules.lowercases_words:  # found before they are lowercased
        as_cut = replace(options, lowercase=False)
        rows_as_cut = rows_of_words(written, as_cut, is_tokenized=False)
    return [
        _kept(words, _spans_of_words(words_as_cut, text, as_cut), options)
        for words, words_as_cut, text in zip(rows, rows_as_cut, texts, strict=True)
    ]


def sentence_token_spans(
    texts: Sequence[SourcedText], options: TokenizerOptions
) -> list[list[Span | None]]:
    """Return the span of each token of `tokenized_sentences`, for each text."""
    if options.separates_sentences:
        return token_spans(texts, options)
    return [
        [span for spans in token_spans(text.lines(), options) for span in spans] for text in texts
    ]


def cut_token_spans(
    texts: Sequence[str], words_of_texts: Sequence[Sequence[str]], options: TokenizerOptions
) -> list[list[Span | None]]:
    """Return the span of each word of texts that are split already; an empty one has none."""
    rows = rows_of_words(words_of_texts, options, is_tokenized=True)
    return [
        _kept(tokens, _found_spans(words, SourcedText.of_source(text)), options)
        for tokens, words, text in zip(rows, words_of_texts, texts, strict=True)
    ]


def given_token_spans(
    texts: Sequence[Sequence[str]], options: TokenizerOptions
) -> list[list[Span | None]]:
    """Return the places of given tokens in their list, for each text."""
    rows = rows_of_words(texts, options, is_tokenized=True)
    return [
        _kept(words, [[index, index + 1] for index in range(len(words))], options) for words in rows
    ]


def rows_of_words(
    texts: Sequence[Any], options: TokenizerOptions, *, is_tokenized: bool
) -> list[list[str]]:
    """Return the words of each text before any is dropped or stemmed."""
    words = cut_words(texts, options, is_tokenized=is_tokenized)
    vocabulary, ids = words.vocabulary.to_pylist(), words.ids.values.tolist()
    offsets = words.ids.offsets.tolist()
    return [[vocabulary[word] for word in ids[start:end]] for start, end in pairwise(offsets)]


def _kept(
    words: list[str], spans: Sequence[Span | None], options: TokenizerOptions
) -> list[Span | None]:
    return [span for word, span in zip(words, spans, strict=True) if word not in options.stopwords]


def _spans_of_words(
    words: list[str], text: SourcedText, options: TokenizerOptions
) -> list[Span | None]:
    text = options.rules.rewritten(text, options.lowercase)
    spans = _found_spans(words, text)
    if None not in spans:
        return spans
    ways = [
        (words, text),
        ([word.lower() for word in words], text.lowered()),
        ([_SUBWORD_MARK.sub("", word).lower() for word in words], text.lowered()),
    ]
    # The first of those that find most.
    return min((_found_spans(*way) for way in ways), key=lambda spans: spans.count(None))


def _found_spans(words: Sequence[str], text: SourcedText) -> list[Span | None]:
    return [
        None if place is None else text.span(place, place + len(word))
        for word, place in zip(words, _places(words, text.text), strict=True)
    ]


# --- alignment ------------------------------------------------------------------------


def _places(parts: Sequence[str], text: str) -> list[int | None]:
    """Return where each part starts in a text, in order; None where it is not found."""
    places: list[int | None] = [None] * len(parts)
    found = [index for index, part in enumerate(parts) if part and part in text]
    end = 0
    for index in found:
        start = text.find(parts[index], end)
        if start < 0:
            return _places_of_most(parts, text, found)
        places[index] = start
        end = start + len(parts[index])
    return places


def _places_of_most(parts: Sequence[str], text: str, wanted: Sequence[int]) -> list[int | None]:
    """Return where each part starts, in order, for as many of the `wanted` as possible.

    For each number of parts left out so far the way that ends first is followed, unless
    one that leaves out fewer ends there too.

    >>> _places_of_most(["a", "d", "b", "c"], "a b c d", [0, 1, 2, 3])
    [0, None, 2, 4]
    """
    # By the number left out: the end, and as a chain the parts that have a place.
    ways: dict[int, tuple[int, Any]] = {0: (0, None)}
    for index in wanted:
        longer: dict[int, tuple[int, Any]] = {}
        for n_left_out, (end, placed) in ways.items():
            start = text.find(parts[index], end)
            if start >= 0:
                way = (start + len(parts[index]), (index, start, placed))
                longer[n_left_out] = min(way, longer.get(n_left_out, way), key=_end_of_way)
            longer[n_left_out + 1] = (end, placed)
        ways = {}
        nearest = len(text) + 1
        for n_left_out in sorted(longer)[:_MAX_WAYS]:
            if longer[n_left_out][0] < nearest:
                ways[n_left_out] = longer[n_left_out]
                nearest = longer[n_left_out][0]
    places: list[int | None] = [None] * len(parts)
    _, placed = ways[min(ways)]
    while placed is not None:
        index, start, placed = placed
        places[index] = start
    return places


def _end_of_way(way: tuple[int, Any]) -> int:
    return way[0]
