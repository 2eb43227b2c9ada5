"""Texts -> ragged token ids, by a tokenizer with a name or a function of the user.

    rouge_score    runs of ASCII letters and digits of the lowercased text
    rouge-1.5.5    the same, but only A-Z are lowercased, as in the Perl script
    unicode        runs of letters, digits and marks of any script; in scripts written
                   without spaces each letter with its marks
    13a            the tokenization of mteval-v13a, as sacreBLEU does it
    char           every character that is not white space
    whitespace     what `str.split` returns
    other names    of sacreBLEU's tokenizers, where sacrebleu is installed
    a callable     `str -> list[str]`, called once for each text, or for each sentence
                   where those are asked for

The record of each name stands in `text/named.py`. The idea of the vectorisation: a whole
column is cut into words at once (`text/words.py`), and what else happens to words (stop
words, stemming) happens once per *distinct* word. Python loops run over distinct words.
They run over texts to find those that a table of bytes cannot treat, and for callables
and sacreBLEU's tokenizers.

Token ids mean something only within one call: two tokens of that call have the same id
if and only if they are the same string.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..messages import written
from ..tokens import Tokens
from .named import TOKENIZERS
from .rules import TokenizerRules, lowered_if_asked
from .stemming import Stemmer, checked_stem
from .words import Words, words_of_lists

Tokenizer = Callable[[str], Sequence[str]]

_CHARACTERS_OF_TEXT = 50
_CHARACTERS_OF_TOKEN = 5

TOKENIZER_NAMES = tuple(name for name, rules in TOKENIZERS.items() if rules.is_option)


@dataclass(frozen=True)
class TokenizerOptions:
    """How texts become tokens.

    Parameters
    ----------
    tokenizer : str or callable
        A name in `TOKENIZERS`, or `str -> list of str`.
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
    def rules(self) -> TokenizerRules:
        """All of the tokenizer."""
        return tokenizer_rules(self.tokenizer)

    @property
    def is_thread_safe(self) -> bool:
        """Whether threads may tokenize side by side."""
        return self.rules.is_thread_safe

    @property
    def is_program(self) -> bool:
        """Whether each column starts a program."""
        return self.rules.is_program

    @property
    def separates_sentences(self) -> bool:
        """Whether the tokens of a text are those of its lines, put together."""
        return self.rules.separates_sentences


def tokenizer_rules(tokenizer: str | Tokenizer) -> TokenizerRules:
    """Return the record of a tokenizer that has a name, or of a function of the user."""
    if isinstance(tokenizer, str):
        return TOKENIZERS[tokenizer]
    return TokenizerRules(
        words_of_column=partial(_words_of_function, tokenizer),
        words_of_text=None,
        rewritten=lowered_if_asked,
        is_thread_safe=False,
        is_option=False,
    )


def package_of_tokenizer(tokenizer: str | Tokenizer) -> str | None:
    """Return the package that cuts, if one that is installed beside this one does."""
    return tokenizer_rules(tokenizer).package


def check_installed(tokenizer: str | Tokenizer) -> None:
    """Raise an ImportError where a tokenizer lacks a package."""
    check = tokenizer_rules(tokenizer).check_installed
    if check is not None:
        check()


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


def are_few(texts: Sequence[Any], is_tokenized: bool, most: int) -> bool:
    """Whether texts, or lists of tokens, have at most about so many characters.

    A text by itself costs as much as some of its characters.
    """
    unit = _CHARACTERS_OF_TOKEN if is_tokenized else 1
    size = unit * sum(map(len, texts)) + _CHARACTERS_OF_TEXT * len(texts)
    return size <= most


def words_of_few(
    texts: Sequence[Any], options: TokenizerOptions, is_tokenized: bool
) -> list[list[str]] | None:
    """Return the tokens of `tokenized` text by text; None: one of the texts is left to a column.

    A column has a fixed price, which a few texts do not pay back.

    >>> options = TokenizerOptions("13a", lowercase=False)
    >>> words_of_few(["The cats' 1.5-hour sleep."], options, is_tokenized=False)
    [['The', "cats'", '1.5', '-', 'hour', 'sleep', '.']]
    """
    rules, lowercase = options.rules, options.lowercase
    lowers_words = lowercase and (is_tokenized or rules.lowercases_words)
    rows = []
    for text in texts:
        words = text
        if not is_tokenized:
            if rules.words_of_text is None:
                return None
            words = rules.words_of_text(text, lowercase and not lowers_words)
            if words is None:
                return None
        if lowers_words:
            words = list(map(str.lower, words))
        if options.stopwords:
            words = [word for word in words if word not in options.stopwords]
        if options.stem is not None:
            words = [checked_stem(options.stem, word) for word in words]
        rows.append(words if isinstance(words, list) else list(words))
    return rows


def cut_words(
    texts: Sequence[Any], options: TokenizerOptions, *, is_tokenized: bool = False
) -> Words:
    """Return the words of `tokenized` before any is dropped or stemmed."""
    rules, lowercase = options.rules, options.lowercase
    lowers_words = lowercase and (is_tokenized or rules.lowercases_words)
    if is_tokenized:
        words = words_of_lists(texts)
    else:
        words = rules.words_of_column(texts, lowercase and not lowers_words)
    return words.renamed(str.lower) if lowers_words else words


def _words_of_function(tokenizer: Tokenizer, texts: Sequence[str], lowercase: bool) -> Words:
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
            f"{name} must return a list of strings for each text, got {written(strings):.80}"
        )
    return strings
