"""Stemmers, and the languages of preset "xlsum": which tokenizer and stemmer each has."""

from __future__ import annotations

from typing import Any

from ...messages import shown
from ...options.values import check_choice
from ...text.stemming import (
    NLTK_EXTENSIONS,
    SNOWBALL_LANGUAGES,
    STEMMER_NAMES,
    named_stemmer,
    porter_stemmer,
)
from ...text.tokenizers import check_installed

_SEGMENTED = ("chinese", "thai", "japanese", "burmese")
_OTHER_NAMES = {
    "chinese_simplified": "chinese",
    "chinese_traditional": "chinese",
    "mundo": "spanish",
    "bangla": "bengali",
    "turkce": "turkish",
}
_A_FUNCTION = ", or in Python a function from a token to its stem"
# Their stemmers are in no package of PyPI.
_WITHOUT_STEMMER_HERE = ("bengali", "hindi", "turkish")
LANGUAGES = (*_SEGMENTED, *SNOWBALL_LANGUAGES, *_WITHOUT_STEMMER_HERE, *_OTHER_NAMES)


def tokenizer_of_language(language: str) -> str:
    """Return the tokenizer: that of a segmenter, else "xlsum"."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in _SEGMENTED else "xlsum"


def stemmer_of_language(language: str) -> str | None:
    """Return the stemmer by its name; None: the language has none.

    A ValueError says that the one it has is not here.
    """
    name = _OTHER_NAMES.get(language, language)
    if name in _WITHOUT_STEMMER_HERE:
        raise ValueError(
            f"use_stemmer must be False with language={language!r}, whose stemmer is in no"
            " package of PyPI: give it as stemmer=..."
        )
    return None if name in _SEGMENTED else f"xlsum-{name}"


def check_language(language: Any, use_stemmer: bool) -> None:
    """Raise where a language is not known, or lacks what it needs."""
    check_choice("language", language, LANGUAGES)
    check_installed(tokenizer_of_language(language))
    if use_stemmer:
        check_stemmer(stemmer_of_language(language), False)


def check_stemmer(stemmer: Any, use_stemmer: bool) -> None:
    """Raise where a stemmer is none, or lacks what it needs."""
    if use_stemmer:
        porter_stemmer(NLTK_EXTENSIONS)  # a missing NLTK is reported before any work
    if stemmer is None:
        return
    if stemmer is True or (isinstance(stemmer, str) and stemmer == "porter"):
        raise ValueError(
            "stemmer must be a name or a function from a token to its stem, got "
            f"{stemmer!r}. Did you mean use_stemmer=True?"
        )
    if isinstance(stemmer, str):
        check_choice("stemmer", stemmer, STEMMER_NAMES, _A_FUNCTION)
        named_stemmer(stemmer)  # what is missing is reported before any work
    elif not callable(stemmer):
        raise TypeError(
            f"stemmer must be a name or a function from a token to its stem, got {shown(stemmer)}"
        )
    if use_stemmer:
        raise ValueError(
            "stemmer and use_stemmer=True cannot both be given: use_stemmer stands for NLTK's Porter stemmer"
        )
