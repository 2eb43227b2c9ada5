"""XL-Sum's fork of rouge_score: rougeLsum splits at spaces, punctuation and ASCII symbols.

Each language has a tokenizer and a stemmer.
"""

from __future__ import annotations

from typing import Any

from .._rouge.rules import ROUGE_SCORE, Languages, RougeRules
from ..options import check_choice
from ..rouge_types import LIN_2004
from ..text.rules import TokenizerRules
from ..text.stemming import SNOWBALL_LANGUAGES, named_stemmer
from ..text.tokenizers import tokenizer_rules
from ..text.xlsum import XLSUM_WORDS


def _tokenizer_of_lines(tokenizer: TokenizerRules) -> TokenizerRules:
    lowercase, stopwords, stem = tokenizer.lowercase, tokenizer.stopwords, tokenizer.stem
    return tokenizer_rules(XLSUM_WORDS, lowercase=lowercase, stopwords=stopwords, stem=stem)


_SEGMENTED = ("chinese", "thai", "japanese", "burmese")
_OTHER_NAMES = {
    "chinese_simplified": "chinese",
    "chinese_traditional": "chinese",
    "mundo": "spanish",
    "bangla": "bengali",
    "turkce": "turkish",
}
_WITHOUT_STEMMER = ("bengali", "hindi", "turkish")  # PyPI has no package with their stemmers
LANGUAGES = (*_SEGMENTED, *SNOWBALL_LANGUAGES, *_WITHOUT_STEMMER, *_OTHER_NAMES)


def tokenizer_of_language(language: str) -> str:
    """Return the segmenter of the language, else "xlsum"."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in _SEGMENTED else "xlsum"


def stemmer_of_language(language: str) -> str | None:
    """Return the name of the stemmer, or None for a language without one."""
    name = _OTHER_NAMES.get(language, language)
    return f"xlsum-{name}" if name in SNOWBALL_LANGUAGES else None


def check_language(name: str, language: Any) -> Any:
    """Return the language if its tokenizer is installed."""
    check_choice(name, language, LANGUAGES)
    tokenizer_rules(tokenizer_of_language(language)).check_installed()
    return language


def check_stemmer_of_language(language: str) -> None:
    """Raise if XL-Sum has a stemmer for the language and this package does not."""
    if _OTHER_NAMES.get(language, language) in _WITHOUT_STEMMER:
        raise ValueError(
            f"use_stemmer must be False with language={language!r}, whose stemmer is not"
            " on PyPI: pass your copy as stemmer=..."
        )
    if (stemmer := stemmer_of_language(language)) is not None:
        named_stemmer(stemmer)


ROUGE = {
    "xlsum": RougeRules(
        families=LIN_2004,
        options={**ROUGE_SCORE, "tokenizer": "xlsum"},
        tokenizer_of_sentences=_tokenizer_of_lines,
        languages=Languages(tokenizer_of_language, stemmer_of_language, check_stemmer_of_language),
        own_options=frozenset({"language"}),
        fixed_options=frozenset({"cross_sentences"}),
    )
}
