"""Stemmers that have a name: NLTK's Snowball stemmers by language, and those of scripts."""

from __future__ import annotations

from copy import copy
from functools import lru_cache, partial
from typing import Any

from ..stemming import ROUGE_155_STEMMER, Stemmer, plain_rouge155_stemmer
from .py_rouge import PY_ROUGE_STEMMER, py_rouge_stemmer

SNOWBALL_LANGUAGES = (
    *("arabic", "danish", "dutch", "english", "finnish", "french", "german"),
    *("hungarian", "italian", "norwegian", "portuguese", "romanian", "russian"),
    *("spanish", "swedish"),
)
_XLSUM = "xlsum-"
STEMMERS_OF_NLTK = (
    *SNOWBALL_LANGUAGES,
    *(f"{_XLSUM}{language}" for language in SNOWBALL_LANGUAGES),
    PY_ROUGE_STEMMER,
)
STEMMER_NAMES = (*STEMMERS_OF_NLTK, ROUGE_155_STEMMER)


@lru_cache(maxsize=4)
def named_stemmer(name: str) -> Stemmer:
    """Return the stemmer of a name, one of `STEMMER_NAMES`.

    Stemmers of NLTK lowercase every token. That of XL-Sum, such as "xlsum-german", does
    not stem NLTK's stop words and tokens of up to three characters. Where NLTK or its list is
    missing, an ImportError says what to install.
    """
    # An evaluation after every epoch meets the same words.
    return lru_cache(maxsize=1 << 18)(_stemmer(name))


def _stemmer(name: str) -> Stemmer:
    if name == ROUGE_155_STEMMER:
        return plain_rouge155_stemmer()
    if name == PY_ROUGE_STEMMER:
        return py_rouge_stemmer()
    language = name.removeprefix(_XLSUM)
    stem = partial(_stemmed, _snowball(language, language != name).stemmer)
    if language == name:
        return stem
    return lambda token: stem(token) if len(token) > 3 else token.lower()


def _stemmed(stemmer: Any, token: str) -> str:
    """Return the stem by a copy: Arabic's keeps what it found in the word before."""
    return copy(stemmer).stem(token)


@lru_cache(maxsize=4)
def _snowball(language: str, ignores_stopwords: bool) -> Any:
    try:
        from nltk.stem.snowball import SnowballStemmer
    except ImportError as error:
        raise ImportError(f"stemmer {language!r} is one of NLTK's: pip install nltk") from error
    try:
        return SnowballStemmer(language, ignore_stopwords=ignores_stopwords)
    except LookupError as error:
        raise ImportError(
            f"stemmer 'xlsum-{language}' needs NLTK's stop words: python -m"
            " nltk.downloader stopwords"
        ) from error
