"""Texts -> where each of their tokens stands, in characters of the text as it was given.

Tokenizers return words, not places. Each word is looked for behind the one before it,
in the text as the tokenizer sees it: lowercased, with what 13a puts in place of
entities, cut to a limit, one sentence in a line. A `SourcedText` carries along where
each character comes from: that of "&amp;" from five characters, both of a lowercased
U+0130 from one. Between two words of a tokenizer with a name no character could start a
word, so that the first place found is the right one. A function of the user may change
words: of those that are found in order as many as possible get a place, the others
None.

Of given tokens the place is their index, as in [3, 4]. Python loops run over characters
and tokens: this is made for one item.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

from .tokenizers import TokenizerOptions, cut_words

Span = list[int]  # start and end

_UNKNOWN = -1
_MAX_WAYS = 64  # that are followed to find as many tokens as possible
_WORD_BETWEEN_BLANKS = re.compile(r"\S+")
# What tokenizers of parts of words put before or behind a part, and xlsum before a mark.
_MARK_OF_PART = re.compile("^(?:[\u2581\u0120]|\x23\x23|\uff050020)|(?:@@|</w>)$")


@dataclass(frozen=True)
class SourcedText:
    """A text made of another one, its source.

    Parameters
    ----------
    text : str
    starts, ends : list of int
        Where the part of the source starts and ends of which each character is made; -1
        where that is not known.
    """

    text: str
    starts: list[int]
    ends: list[int]

    @classmethod
    def of_source(cls, text: str) -> SourcedText:
        """Return the source itself."""
        return cls(text, list(range(len(text))), list(range(1, len(text) + 1)))

    def lowered(self) -> SourcedText:
        """Return the text in small letters, of which U+0130 has two."""
        text = self.text.lower()
        if len(text) == len(self.text):
            return SourcedText(text, self.starts, self.ends)
        index = [i for i, letter in enumerate(self.text) for _ in letter.lower()]
        return self._picked(text, index)

    def translated(self, character_of_code: Mapping[int, int]) -> SourcedText:
        """Return the text with some characters written as others."""
        text = self.text.translate(character_of_code)
        return SourcedText(text, self.starts, self.ends)

    def replaced(self, old: str, new: str) -> SourcedText:
        """Return the text with `new`, at most one character, for each `old`."""
        first, *others = self.text.split(old)
        text = SourcedText(first, self.starts[: len(first)], self.ends[: len(first)])
        end = len(first)
        for part in others:
            behind = end + len(old)
            middle_starts = [self.starts[end]] * len(new)
            middle_ends = [self.ends[behind - 1]] * len(new)
            end = behind + len(part)
            text.starts.extend(middle_starts + self.starts[behind:end])
            text.ends.extend(middle_ends + self.ends[behind:end])
        return SourcedText(new.join([first, *others]), text.starts, text.ends)

    def blanked(self, pattern: re.Pattern[str]) -> SourcedText:
        """Return the text with blanks in the place of each match."""
        text = pattern.sub(lambda match: " " * len(match[0]), self.text)
        return SourcedText(text, self.starts, self.ends)

    def lines(self) -> list[SourcedText]:
        """Return the lines that are not empty."""
        lines = self.text.split("\n")
        ends = accumulate(len(line) + 1 for line in lines)
        return [
            self.part(end - 1 - len(line), end - 1)
            for line, end in zip(lines, ends, strict=True)
            if line
        ]

    def part(self, start: int, end: int) -> SourcedText:
        """Return some of the characters."""
        place = slice(start, end)
        return SourcedText(self.text[place], self.starts[place], self.ends[place])

    def span(self, start: int, end: int) -> Span | None:
        """Return where these characters come from; None where one is not known."""
        starts, ends = self.starts[start:end], self.ends[start:end]
        if not starts or _UNKNOWN in starts:
            return None
        return [starts[0], ends[-1]]

    def _picked(self, text: str, index: Sequence[int]) -> SourcedText:
        starts, ends = ([side[i] for i in index] for side in (self.starts, self.ends))
        return SourcedText(text, starts, ends)


# --- texts that are made of others ----------------------------------------------------


def sourced_lines(text: str, source: str) -> SourcedText:
    """Return a text with the places in its source.

    The lines of the text are parts of the source, in their order; a blank may stand in
    place of a line break. Where a line is none, because blanks are others or a function
    of the user changed words, its words are looked for.
    """
    if text == source:
        return SourcedText.of_source(text)
    in_one_line = source.replace("\n", " ")
    lines = [match.span() for match in re.finditer("[^\n]+", text)]
    places = _places([text[start:end] for start, end in lines], in_one_line)
    if None in places:
        lines = [match.span() for match in _WORD_BETWEEN_BLANKS.finditer(text)]
        places = _places([text[start:end] for start, end in lines], in_one_line)
    starts = [_UNKNOWN] * len(text)
    for (start, end), place in zip(lines, places, strict=True):
        if place is not None:
            starts[start:end] = range(place, place + end - start)
    ends = [start if start == _UNKNOWN else start + 1 for start in starts]
    return SourcedText(text, starts, ends)


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
    """Return the span of each word of texts that are cut already; an empty one has none."""
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
        ([_MARK_OF_PART.sub("", word).lower() for word in words], text.lowered()),
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
