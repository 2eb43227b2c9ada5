"""One text -> its words, by methods of strings and regular expressions.

The words are those that `text/tokenizers.py` finds in a column, where cutting has a fixed
price that a few texts do not pay back. A tokenizer that is not in the table here, and a
text with what one of them leaves out, are left to the column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .stemming import checked_stem
from .tokenizers import (
    UNSTRIPPED_13A,
    UNSTRIPPED_13A_OF_CASE,
    TokenizerOptions,
    needs_13a_rewriting,
    rewritten_13a,
)

_RUN_OF_ALPHANUMERIC = re.compile("[0-9A-Za-z]+")

_OF_13A_WORD = r"[^\t-\r\x1c-\x20!-&(-/:-@\[-`{-~]"  # no blank, no sign, none of .,-
_WORD_OF_13A = re.compile(
    rf"(?:{_OF_13A_WORD}+|(?<=[0-9])[.,](?=[0-9])|(?<![0-9])-)+|[!-&(-/:-@\[-`{{-~]"
)
# Whether the last of these points belongs to the digit depends on their number.
_POINTS_BEFORE_DIGIT = re.compile("[.,][.,]+[0-9]")


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
    """
    if is_tokenized:
        lower = partial(map, str.lower) if options.lowercase else iter
        return [_kept_and_stemmed(list(lower(tokens)), options) for tokens in texts]
    rows = []
    for text in texts:
        words = plain_words(text, options)
        if words is None:
            return None
        rows.append(words)
    return rows


def plain_words(text: str, options: TokenizerOptions) -> list[str] | None:
    """Return the words of a text, or None where it is left to a column.

    >>> plain_words("The cats' 1.5-hour sleep.", TokenizerOptions("13a", lowercase=False))
    ['The', "cats'", '1.5', '-', 'hour', 'sleep', '.']
    """
    if not isinstance(options.tokenizer, str) or options.tokenizer not in _WORDS:
        return None
    words = _WORDS[options.tokenizer](text, options.lowercase)
    return None if words is None else _kept_and_stemmed(words, options)


def _kept_and_stemmed(words: list[str], options: TokenizerOptions) -> list[str]:
    if options.stopwords:
        words = [word for word in words if word not in options.stopwords]
    if options.stem is not None:
        words = list(map(partial(checked_stem, options.stem), words))
    return words


# --- the tokenizers -------------------------------------------------------------------
# Each takes a text and whether it is lowercased.


def _rouge_score(text: str, lowercase: bool) -> list[str]:
    return _RUN_OF_ALPHANUMERIC.findall(text.lower() if lowercase else text)


def _rouge155(text: str, lowercase: bool) -> list[str]:
    words = _RUN_OF_ALPHANUMERIC.findall(text)
    return list(map(str.lower, words)) if lowercase else words


def _unicode(text: str, lowercase: bool) -> list[str] | None:
    return _rouge_score(text, lowercase) if text.isascii() else None


def _whitespace(text: str, lowercase: bool) -> list[str]:
    return (text.lower() if lowercase else text).split()


def _char(text: str, lowercase: bool) -> list[str]:
    return list("".join(_whitespace(text, lowercase)))


def _13a(text: str, lowercase: bool, *, stripped: bool = True) -> list[str] | None:
    if needs_13a_rewriting(text):
        text = rewritten_13a(text, lowercase=lowercase, stripped=stripped)
    elif lowercase:
        text = text.lower()
    if _POINTS_BEFORE_DIGIT.search(text):
        return None
    return _WORD_OF_13A.findall(text)


def _13a_then_lowercased(text: str, lowercase: bool) -> list[str] | None:
    words = _13a(text, lowercase=False, stripped=False)
    return list(map(str.lower, words)) if words and lowercase else words


_WORDS: dict[str, Callable[[str, bool], list[str] | None]] = {
    "rouge_score": _rouge_score,
    "rouge-1.5.5": _rouge155,
    "unicode": _unicode,
    "13a": _13a,
    UNSTRIPPED_13A: partial(_13a, stripped=False),
    UNSTRIPPED_13A_OF_CASE: _13a_then_lowercased,
    "whitespace": _whitespace,
    "char": _char,
}
