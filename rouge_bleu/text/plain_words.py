"""A few texts -> their words, one text after the other.

The words are those that `text/tokenizers.py` finds in a column. To cut a column has a
fixed price, which a few texts do not pay back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from .stemming import checked_stem
from .tokenizers import TokenizerOptions

# Up to some four pairs of 50 words columns cost more; a text by itself costs as much as
# some of its characters.
_MAX_PLAIN_CHARACTERS = 2400
_CHARACTERS_OF_PLAIN_TEXT = 50
_CHARACTERS_OF_PLAIN_TOKEN = 5


def are_few(texts: Sequence[Any], is_tokenized: bool) -> bool:
    """Whether texts, or lists of tokens, are so short that columns would not pay."""
    unit = _CHARACTERS_OF_PLAIN_TOKEN if is_tokenized else 1
    size = unit * sum(map(len, texts)) + _CHARACTERS_OF_PLAIN_TEXT * len(texts)
    return size <= _MAX_PLAIN_CHARACTERS


def plain_words_of_texts(
    texts: Sequence[Any], options: TokenizerOptions, is_tokenized: bool
) -> list[list[str]] | None:
    """Return the words of each text, or None where one of them is left to a column.

    With `is_tokenized` texts are lists of tokens.

    >>> options = TokenizerOptions("13a", lowercase=False)
    >>> plain_words_of_texts(["The cats' 1.5-hour sleep."], options, is_tokenized=False)
    [['The', "cats'", '1.5', '-', 'hour', 'sleep', '.']]
    """
    rules, lowercase = options.rules, options.lowercase
    lowers_words = lowercase and (is_tokenized or rules.lowercases_words)
    if is_tokenized:
        return [_finished(tokens, options, lowers_words) for tokens in texts]
    if rules.words_of_text is None:
        return None
    rows = []
    for text in texts:
        words = rules.words_of_text(text, lowercase and not lowers_words)
        if words is None:
            return None
        rows.append(_finished(words, options, lowers_words))
    return rows


def _finished(words: Iterable[str], options: TokenizerOptions, lowers_words: bool) -> list[str]:
    """Return the words lowercased if asked for, and what is left of them, stemmed."""
    if lowers_words:
        words = map(str.lower, words)
    if options.stopwords:
        words = [word for word in words if word not in options.stopwords]
    if options.stem is not None:
        words = map(partial(checked_stem, options.stem), words)
    return list(words)
