"""Texts -> ragged token ids.

A tokenizer is one of

    "rouge_score"  runs of ASCII letters and digits of the lowercased text (google-research
                   rouge_score, tokenize.py)
    "rouge-1.5.5"  the same, but only A-Z are lowercased, as in the Perl script
    "unicode"      runs of letters, digits and marks of any script; in scripts written
                   without spaces each letter with its marks
    "13a"          the tokenization of mteval-v13a, as sacreBLEU does it
                   (https://www.nist.gov/itl/iad/mig/open-machine-translation-evaluation)
    "char"         every character that is not white space
    "whitespace"   what `str.split` returns
    other names    of sacreBLEU's tokenizers, where sacrebleu is installed
    a callable     `str -> list[str]`, called once for each text, or for each sentence
                   where those are asked for

The idea of the vectorisation: a whole column is cut into words at once (`text/words.py`),
and what else happens to words (13a, stop words, stemming) happens once per *distinct*
word. Python loops run over distinct words. They run over texts to find those that a
table of bytes cannot treat, and for callables and sacreBLEU's tokenizers.

Token ids mean something only within one call: two tokens of that call have the same id
if and only if they are the same string.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from ..ground.tokens import Tokens
from .stemming import Stemmer, checked_stem
from .words import (
    BLANK,
    Words,
    are_one_word,
    byte_table,
    starts_where,
    words_of_bytes,
    words_of_characters,
    words_of_lists,
)

Tokenizer = Callable[[str], Sequence[str]]

# What separates words, as Python's `str.split` sees it: ten ASCII characters and these.
_ASCII_BLANKS = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "
_OTHER_BLANK = re.compile("[\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")

_DIGITS_AND_LETTERS = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ALL_BUT_BLANKS = bytes(set(range(256)) - set(_ASCII_BLANKS))
_ALPHANUMERIC = {
    lowercase: byte_table(_DIGITS_AND_LETTERS, lowercase=lowercase)
    for lowercase in (True, False)
}
_ALPHANUMERIC_OR_NOT_ASCII = {
    lowercase: byte_table(
        _DIGITS_AND_LETTERS + bytes(range(128, 256)), lowercase=lowercase
    )
    for lowercase in (True, False)
}
_NOT_BLANK = {
    lowercase: byte_table(_ALL_BUT_BLANKS, lowercase=lowercase)
    for lowercase in (True, False)
}


@dataclass(frozen=True)
class TokenizerOptions:
    """How texts become tokens.

    Parameters
    ----------
    tokenizer : str or callable
        A name from `TOKENIZER_NAMES`, or `str -> list of str`.
    lowercase : bool
        Whether texts, or given tokens, are lowercased first.
    stopwords : frozenset of str
        Tokens that are dropped, before stemming.
    stem : callable or None
        `str -> str`, applied to every token.
    """

    tokenizer: str | Tokenizer = "rouge_score"
    lowercase: bool = True
    stopwords: frozenset[str] = frozenset()
    stem: Stemmer | None = None

    @property
    def is_thread_safe(self) -> bool:
        """Whether threads may tokenize side by side.

        A function of the user, or what a tokenizer of sacreBLEU keeps, may not be made
        for that.
        """
        return isinstance(self.tokenizer, str) and self.tokenizer in _TOKENIZERS

    @property
    def separates_sentences(self) -> bool:
        """Whether the tokens of a text are those of its lines, put together."""
        return self.tokenizer in (*ASCII_TOKENIZERS, "unicode", "char", "whitespace")


def tokenized(
    texts: Sequence[Any], options: TokenizerOptions, *, is_tokenized: bool = False
) -> Tokens:
    """Tokenize a column of texts.

    A line is a sentence where the tokenizer separates lines, else each text is one.

    Parameters
    ----------
    texts : sequence of str, or of sequences of str
        With `is_tokenized` the texts are lists of tokens, which are only lowercased,
        dropped and stemmed.
    options : TokenizerOptions
    is_tokenized : bool

    Raises
    ------
    TypeError, ValueError
        Where a function of the user returns something else than strings.
    """
    words = cut_words(texts, options, is_tokenized=is_tokenized)
    if options.stopwords:
        words = words.without(options.stopwords)
    if options.stem is not None:
        words = words.renamed(partial(checked_stem, options.stem))
    return Tokens(words.ids, words.sentence, words.n_types)


def cut_words(
    texts: Sequence[Any], options: TokenizerOptions, *, is_tokenized: bool = False
) -> Words:
    """Return the words of `tokenized` before any is dropped or stemmed."""
    if is_tokenized:
        words = words_of_lists(texts)
        return words.renamed(str.lower) if options.lowercase else words
    if isinstance(options.tokenizer, str):
        words_of_texts = _TOKENIZERS.get(options.tokenizer, _sacrebleu_words)
        return words_of_texts(texts, options)
    return _words_of_function(texts, options.tokenizer, options.lowercase)


def _words_of_function(
    texts: Sequence[str], tokenizer: Tokenizer, lowercase: bool
) -> Words:
    """Return the words that a function of the user makes of each text."""
    lowered = map(str.lower, texts) if lowercase else texts
    lists = [checked_strings("tokenizer", tokenizer(text)) for text in lowered]
    try:
        return words_of_lists(lists)
    except UnicodeEncodeError as error:
        raise ValueError(
            "tokenizer must return valid Unicode text, got a token with a lone "
            f"surrogate: {error.object!a:.60}"
        ) from error


def checked_strings(name: str, strings: Sequence[str]) -> Sequence[str]:
    """Return what a function of the user returned for a text, if it is strings.

    `name` is what the function is called in the error.
    """
    is_list = isinstance(strings, (list, tuple))
    if not is_list or not all(isinstance(string, str) for string in strings):
        raise TypeError(
            f"{name} must return a list of strings for each text, got {strings!r:.80}"
        )
    return strings


# --- the tokenizers -------------------------------------------------------------------


def _rouge_score_words(texts: Sequence[str], options: TokenizerOptions) -> Words:
    # Two characters outside ASCII have ASCII letters in their lowercase form: U+0130 and
    # U+212A.
    texts = _lowered_beyond_ascii(texts, options)
    return words_of_bytes(texts, _ALPHANUMERIC[options.lowercase])


def _rouge155_words(texts: Sequence[str], options: TokenizerOptions) -> Words:
    return words_of_bytes(texts, _ALPHANUMERIC[options.lowercase])


def _whitespace_words(texts: Sequence[str], options: TokenizerOptions) -> Words:
    texts = _lowered_beyond_ascii(texts, options)
    texts = _replaced_where(_is_not_ascii, _with_ascii_blanks, texts)
    return words_of_bytes(texts, _NOT_BLANK[options.lowercase])


def _with_ascii_blanks(text: str) -> str:
    return _OTHER_BLANK.sub(" ", text)


def _char_words(texts: Sequence[str], options: TokenizerOptions) -> Words:
    words = _whitespace_words(texts, options)
    return words.split(words_of_lists(words.vocabulary.to_pylist()))


# --- 13a ------------------------------------------------------------------------------

# What is put in place of what, in this order; the first ones where lines are joined.
JOINTS_OF_13A = (("<skipped>", ""), ("-\n", ""), ("\n", " "))
ENTITIES_OF_13A = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))

# Kinds of written bytes. A sign is a token by itself; points and hyphens become signs or
# parts of words by what stands beside them.
_GAP, _SIGN, _PART_OF_WORD, _DIGIT, _POINT, _HYPHEN = range(6)
_13A_BYTES_OF_KIND = (
    (_SIGN, b'!"\x23$%&()*+/:;<=>?@[\\]^_`{|}~'),
    (_DIGIT, b"0123456789"),
    (_POINT, b".,"),
    (_HYPHEN, b"-"),
    (_GAP, bytes([BLANK])),
)


def _13a_kind_table() -> bytes:
    """Return the kind of each written byte, 256 bytes."""
    table = bytearray([_PART_OF_WORD] * 256)
    for kind, written in _13A_BYTES_OF_KIND:
        for byte in written:
            table[byte] = kind
    return bytes(table)


_13A_KINDS = _13a_kind_table()


def _13a_words(
    texts: Sequence[str], options: TokenizerOptions, *, stripped: bool = True
) -> Words:
    rewrite = partial(rewritten_13a, lowercase=options.lowercase, stripped=stripped)
    texts = _replaced_where(needs_13a_rewriting, rewrite, texts)
    return words_of_bytes(texts, _NOT_BLANK[options.lowercase], _13a_starts)


def needs_13a_rewriting(text: str) -> bool:
    return "&" in text or "<" in text or "-\n" in text or not text.isascii()


def rewritten_13a(text: str, *, lowercase: bool, stripped: bool) -> str:
    """Return the text after what is done to more than one byte.

    Lowercasing comes first: it may write <skipped> or &amp;, and the form of a final
    sigma depends on the end of its line.
    """
    if lowercase:
        text = text.lower()
    if "-\n" in text or "<skipped>" in text:  # else lines stay, as sentences
        text = text.rstrip() if stripped else text
        for joint, between in JOINTS_OF_13A:
            text = text.replace(joint, between)
    for entity, character in ENTITIES_OF_13A:
        text = text.replace(entity, character)
    return _with_ascii_blanks(text)


def _13a_starts(written: bytes) -> np.ndarray:
    """Return where tokens start, ndarray of bool, shape (n_bytes,)."""
    kind = np.frombuffer(bytearray(written.translate(_13A_KINDS)), dtype=np.uint8)
    point = (kind == _POINT).nonzero()[0]
    kind[point] = np.where(_13a_is_in_number(kind, point), _PART_OF_WORD, _SIGN)
    hyphen = (kind == _HYPHEN).nonzero()[0]
    kind[hyphen] = np.where(kind[hyphen - 1] == _DIGIT, _SIGN, _PART_OF_WORD)
    is_start = starts_where(kind > _SIGN)
    is_start |= kind == _SIGN
    return is_start


def _13a_is_in_number(kind: np.ndarray, point: np.ndarray) -> np.ndarray:
    """Return which points and commas belong to the digit behind them.

    Two passes cut off points. The first one cuts off those behind another character than
    a digit, two characters at a time: of "a..5" it takes "a." and has no character left
    for the second point. The other one cuts off points before another character than a
    digit. So what stays is the last point of a run, by the length of the run: in "1.5",
    "a..5" and "1...5", and not in "a.5", "1..5" and "a...5".

    Parameters
    ----------
    kind : ndarray of uint8, shape (n_bytes,)
    point : ndarray of int64, shape (n_points,)
        Ascending.

    Returns
    -------
    ndarray of bool, shape (n_points,)
    """
    is_first = np.ones(len(point), dtype=bool)
    np.greater(point[1:], point[:-1] + 1, out=is_first[1:])
    first = point[is_first][np.cumsum(is_first) - 1]
    n_behind_digit = (point - first + 1) + (kind[first - 1] == _DIGIT)
    return (kind[point + 1] == _DIGIT) & (n_behind_digit % 2 == 0)


# --- other tokenizers -----------------------------------------------------------------


def _unicode_words(texts: Sequence[str], options: TokenizerOptions) -> Words:
    # Lowercasing comes first: the form of a final sigma depends on what follows, which
    # is cut off later.
    texts = _lowered_beyond_ascii(texts, options)
    words = words_of_bytes(texts, _ALPHANUMERIC_OR_NOT_ASCII[options.lowercase])
    vocabulary = words.vocabulary.to_pylist()
    if all(map(str.isascii, vocabulary)):
        return words
    return words.split_where(~are_one_word(vocabulary), words_of_characters).merged()


def _sacrebleu_words(texts: Sequence[str], options: TokenizerOptions) -> Words:
    tokenize = sacrebleu_tokenizer(str(options.tokenizer))
    return words_of_lists(
        [tokenize(text.lower() if options.lowercase else text) for text in texts]
    )


@lru_cache(maxsize=8)
def sacrebleu_tokenizer(name: str) -> Tokenizer:
    """Return one of sacreBLEU's tokenizers as a function from a text to its tokens.

    An ImportError says what is missing.
    """
    try:
        from sacrebleu.metrics import BLEU
    except ImportError as error:
        raise ImportError(
            f"tokenizer {name!r} is one of sacreBLEU's: pip install sacrebleu"
        ) from error
    try:
        tokenizer = BLEU(tokenize=name).tokenizer
    except (ImportError, RuntimeError, OSError) as error:
        # A package or a model that only this tokenizer needs is missing.
        raise ImportError(
            f"tokenizer {name!r} of sacreBLEU cannot be used: {error}"
        ) from error
    return lambda text: tokenizer(text.rstrip()).split()


_WordsOfTexts = Callable[[Sequence[str], TokenizerOptions], Words]
_NAMED_TOKENIZERS: dict[str, _WordsOfTexts] = {
    "rouge_score": _rouge_score_words,
    "rouge-1.5.5": _rouge155_words,
    "unicode": _unicode_words,
    "13a": _13a_words,
    "char": _char_words,
    "whitespace": _whitespace_words,
}
_SACREBLEU_NAMES = (
    *("none", "intl", "zh", "ja-mecab", "ko-mecab"),
    *("spm", "flores101", "flores200", "spBLEU-1K"),
)
TOKENIZER_NAMES = (*_NAMED_TOKENIZERS, *_SACREBLEU_NAMES)
ASCII_TOKENIZERS = ("rouge_score", "rouge-1.5.5")  # they know no other letters


# The tokenizer of evaluate's `bleu`, which leaves blanks at the end of a text: a hyphen
# before them is then the end of a line like any other.
UNSTRIPPED_13A = "13a without rstrip"
# The same where words are lowercased, and not texts, as in torchmetrics: <SKIPPED> and
# &AMP; are written in other letters than 13a looks for.
UNSTRIPPED_13A_OF_CASE = "13a without rstrip, then lowercased"


def _13a_words_then_lowercased(
    texts: Sequence[str], options: TokenizerOptions
) -> Words:
    words = _13a_words(texts, replace(options, lowercase=False), stripped=False)
    return words.renamed(str.lower) if options.lowercase else words


_TOKENIZERS: dict[str, _WordsOfTexts] = {
    **_NAMED_TOKENIZERS,
    UNSTRIPPED_13A: partial(_13a_words, stripped=False),
    UNSTRIPPED_13A_OF_CASE: _13a_words_then_lowercased,
}


def is_of_sacrebleu(tokenizer: str | Tokenizer) -> bool:
    """Whether a tokenizer is one of an installed sacreBLEU."""
    return tokenizer in _SACREBLEU_NAMES


def check_installed(tokenizer: str | Tokenizer) -> None:
    """Raise an ImportError where a tokenizer of sacreBLEU lacks a package."""
    if is_of_sacrebleu(tokenizer):
        sacrebleu_tokenizer(str(tokenizer))


def _replaced_where(
    is_concerned: Callable[[str], bool],
    replace: Callable[[str], str],
    texts: Sequence[str],
) -> Sequence[str]:
    """Return the texts with `replace` applied to those that are concerned."""
    return [replace(text) if is_concerned(text) else text for text in texts]


def _lowered_beyond_ascii(
    texts: Sequence[str], options: TokenizerOptions
) -> Sequence[str]:
    """Return the texts with those that are not ASCII in lowercase, if asked for.

    A-Z of the others are lowercased with their bytes.
    """
    return (
        _replaced_where(_is_not_ascii, str.lower, texts) if options.lowercase else texts
    )


def _is_not_ascii(text: str) -> bool:
    return not text.isascii()
