"""Warnings that a tokenizer loses text: all of it, most of its letters, or parts of words.

What the tokenizers of defaults and presets do to other languages than English is said
where nobody chose one. Texts of ASCII letters cost one look at each.
"""

from __future__ import annotations

import math
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, chain, filterfalse, pairwise
from typing import Protocol

from .corpus import Corpus
from .messages import warn_caller
from .text.tokenizers import Tokenizer, tokenizer_rules
from .text.words import LETTER_OF_UNSPACED

# On each side. These tell the script; all letters of a large corpus would take long.
_N_TEXTS_LOOKED_AT = 200
_N_CHARACTERS_LOOKED_AT = 500

_ASCII = re.compile("[\0-\x7f]+")
_ASCII_LETTERS = string.ascii_letters.encode()

_WORDS_OF_CUT_WORD = 100  # one in fewer is worth a warning
_RUN_OF_ASCII = re.compile("[0-9a-z]+")

_UNSPACED_LETTER = re.compile(LETTER_OF_UNSPACED)
_BLANKS_BETWEEN_UNSPACED = re.compile(  # in a line
    rf"(?<={LETTER_OF_UNSPACED})[^\S\n]+(?={LETTER_OF_UNSPACED})"
)
_MOST_LETTERS_OF_WORD = 8  # on average; fewer where words are separated by blanks


class TextOptions(Protocol):
    """What options say about words; those of both metrics do."""

    @property
    def preset(self) -> str | None:
        """The preset."""

    @property
    def tokenizer(self) -> str | Tokenizer | None:
        """The tokenizer of the options; None: the default one."""

    @property
    def tokenizer_name(self) -> str | Tokenizer:
        """The tokenizer: its name, or the function that is one."""

    @property
    def chooses_tokenizer(self) -> bool:
        """Whether the tokenizer is another than the default one or that of the preset."""

    @property
    def stopwords(self) -> Collection[str] | None:
        """Words that are taken out."""

    @property
    def zero_division(self) -> float:
        """The score of texts without tokens."""


def warn_of_lost_text(corpus: Corpus, options: TextOptions, *, has_tokens: bool) -> None:
    """Warn where no text of a corpus has a token, or most letters are in none.

    `has_tokens` says whether the tokenizer found any.
    """
    if has_tokens:
        _warn_of_lost_letters(corpus, options.tokenizer_name)
    else:
        _warn_of_no_tokens(corpus, options)


def _warn_of_no_tokens(corpus: Corpus, options: TextOptions) -> None:
    """Warn that no text of the corpus holds a token, unless all texts are blank."""
    texts = chain(corpus.predictions, corpus.references)
    if not any(text.strip() for text in texts if isinstance(text, str)):
        return
    tokenizer = options.tokenizer_name
    remedy = ""
    if options.stopwords:
        remedy = " Look at stopwords, which takes tokens out."
    elif not callable(tokenizer) and tokenizer != "unicode":
        remedy = " For texts in other scripts than Latin pass tokenizer='unicode'."
    score = "NaN" if math.isnan(options.zero_division) else "0"
    warn_caller(
        f"No text holds a single token, so all scores are {score}: tokenizer "
        f"{tokenizer!r} found none.{remedy}"
    )


def _warn_of_lost_letters(corpus: Corpus, tokenizer: str | Tokenizer) -> None:
    """Warn where most letters of the corpus are in no token.

    Nothing is said of lists of tokens, and of tokenizers that know other letters than
    those of ASCII. Letters with accents are few in languages that are written in Latin
    letters, so these give no warning.
    """
    if corpus.is_tokenized or not tokenizer_rules(tokenizer).keeps_ascii_only:
        return
    if _loses_most_letters(_sample(corpus)):
        warn_caller(
            f"Most letters of these texts are in no token: tokenizer {tokenizer!r} knows "
            "ASCII letters and digits only. For texts in other scripts than Latin pass "
            "tokenizer='unicode'."
        )


def _loses_most_letters(texts: Sequence[str]) -> bool:
    """Whether more letters are in no token of ASCII letters than in one."""
    n_lost = sum(map(str.isalpha, _beyond_ascii(texts)))
    return not _is_reached(n_lost, map(_n_ascii_letters, texts))


def _n_ascii_letters(text: str) -> int:
    ascii_text = text.encode("ascii", errors="ignore")
    return len(ascii_text) - len(ascii_text.translate(None, _ASCII_LETTERS))


# --- tokenizers that nobody chose -----------------------------------------------------


def warn_of_unfit_tokenizer(corpus: Corpus, options: TextOptions) -> None:
    """Warn where the tokenizer of the default or preset does not fit the language.

    Nothing is said of one that was chosen, and of lists of tokens.
    """
    if options.chooses_tokenizer or corpus.is_tokenized:
        return
    if options.tokenizer_name == "rouge_score":
        _warn_of_cut_words(corpus)
    elif tokenizer_rules(options.tokenizer_name).warns_of_unspaced:
        _warn_of_unspaced_text(corpus, options)


def _warn_of_cut_words(corpus: Corpus) -> None:
    """Warn where the default tokenizer of `rouge_full` takes letters out of words.

    These are words with letters that are not of ASCII, some as in "schön" or all as in
    "кошка": more than one in a hundred. Where most letters are lost, another warning says
    so.
    """
    texts = _sample(corpus)
    words = chain.from_iterable(map(str.split, filterfalse(str.isascii, texts)))
    count_of_word = Counter(filterfalse(str.isascii, words))
    cut_words = [word for word in count_of_word if _loses_letters(word)]
    n_cut = sum(count_of_word[word] for word in cut_words)
    if _is_reached(n_cut * _WORDS_OF_CUT_WORD, map(_n_words, texts)):
        return
    if _loses_most_letters(texts):
        return
    word = cut_words[0]
    left = " ".join(_RUN_OF_ASCII.findall(word.lower()))
    warn_caller(
        "More than one word in a hundred of these texts loses letters: the default "
        "tokenizer, 'rouge_score', knows ASCII letters and digits only and makes "
        f"{repr(left) if left else 'nothing':.40} of {word!r:.40}. For whole "
        "words pass tokenizer='unicode'; tokenizer='rouge_score' gives these scores "
        "without this warning."
    )


def _loses_letters(word: str) -> bool:
    """Whether a word has a letter that is not of ASCII, or a mark behind one that is."""
    word = word.lower()
    if any(letter.isalpha() and not letter.isascii() for letter in word):
        return True
    return any(
        first.isascii() and first.isalnum() and unicodedata.category(second)[0] == "M"
        for first, second in pairwise(word)
    )


def _warn_of_unspaced_text(corpus: Corpus, options: TextOptions) -> None:
    """Warn where sentences are taken for words.

    These are texts in scripts without spaces, such as Chinese, unless their words are
    separated by blanks.
    """
    texts = _sample(corpus)
    n_letters = len(_UNSPACED_LETTER.findall(_beyond_ascii(texts)))
    if not n_letters:
        return
    text = "\n".join(texts)
    if n_letters <= sum(map(str.isalpha, _UNSPACED_LETTER.sub("", text))):
        return
    n_blanks = len(_BLANKS_BETWEEN_UNSPACED.findall(text))
    if n_blanks * _MOST_LETTERS_OF_WORD >= n_letters:
        return
    if options.tokenizer is None:
        warn_caller(
            "Most of this text has no blanks between words, and tokenizer '13a' takes what "
            "stands between blanks or marks for one word: BLEU compares whole phrases, "
            "and is 0 where none is equal. Pass tokenizer='unicode', which takes each "
            "letter for a word, or 'zh' for Chinese; tokenizer='13a' gives "
            "these scores without this warning."
        )
    elif options.tokenizer_name == "xlsum":
        warn_caller(
            f"Most of this text has no blanks between words, and preset={options.preset!r:.60} "
            "has no language for it: for Chinese, Thai, Japanese and Burmese pass "
            "language='chinese' and so on, as XL-Sum does; for others it has no segmenter."
        )
    else:
        warn_caller(
            "Most of this text has no blanks between words, and "
            f"preset={options.preset!r:.60} takes what stands between blanks, or marks, "
            "for one word: scores are 0 where no phrase or sentence is equal. Put blanks "
            "between words, or between letters, or give lists of tokens."
        )


# --- samples --------------------------------------------------------------------------


def _sample(corpus: Corpus) -> list[str]:
    """Return the starts of some texts of both sides, none where all texts are ASCII."""
    columns = (corpus.predictions, corpus.references)
    if all(map(str.isascii, chain(*columns))):
        return []
    return list(chain.from_iterable(map(_some_of, columns)))


def _some_of(texts: list[str]) -> list[str]:
    """Return the starts of some texts, spread over all of them."""
    step = -(-len(texts) // _N_TEXTS_LOOKED_AT)
    return [text[:_N_CHARACTERS_LOOKED_AT] for text in texts[::step]]


def _beyond_ascii(texts: Sequence[str]) -> str:
    """Return the characters that are not of ASCII."""
    return _ASCII.sub("", "".join(filterfalse(str.isascii, texts)))


def _n_words(text: str) -> int:
    return len(text.split())


def _is_reached(wanted: int, numbers: Iterable[int]) -> bool:
    """Whether numbers add up to as many as are wanted: they are taken until they do."""
    return not wanted or any(wanted <= total for total in accumulate(numbers))
