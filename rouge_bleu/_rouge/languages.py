"""The languages of preset "xlsum": which tokenizer and stemmer each has."""

from __future__ import annotations

from typing import Any

from ..options import check_choice
from ..text.stemming import SNOWBALL_LANGUAGES, named_stemmer
from ..text.tokenizers import tokenizer_rules

_SEGMENTED = ("chinese", "thai", "japanese", "burmese")
_OTHER_NAMES = {
    "chinese_simplified": "chinese",
    "chinese_traditional": "chinese",
    "mundo": "spanish",
    "bangla": "bengali",
    "turkce": "turkish",
}
_WITHOUT_STEMMER = ("bengali", "hindi", "turkish")  # theirs are in no package of PyPI
LANGUAGES = (*_SEGMENTED, *SNOWBALL_LANGUAGES, *_WITHOUT_STEMMER, *_OTHER_NAMES)


def tokenizer_of_language(language: str) -> str:
    """Return the tokenizer: that of a segmenter, else "xlsum"."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in _SEGMENTED else "xlsum"


def stemmer_of_language(language: str) -> str | None:
    """Return the name of the stemmer, or None where there is none."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in SNOWBALL_LANGUAGES else None


def check_language(name: str, language: Any) -> Any:
    """Return a language whose tokenizer is installed."""
    check_choice(name, language, LANGUAGES)
    tokenizer_rules(tokenizer_of_language(language)).check_installed()
    return language


def check_stemmer_of_language(language: str) -> None:
    """Raise where a language that has a stemmer lacks it here."""
    if _OTHER_NAMES.get(language, language) in _WITHOUT_STEMMER:
        raise ValueError(
            f"use_stemmer must be False with language={language!r}, whose stemmer is in no"
            " package of PyPI: give it as stemmer=..."
        )
    if (stemmer := stemmer_of_language(language)) is not None:
        named_stemmer(stemmer)
