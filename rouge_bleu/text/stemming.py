"""Tokens -> stems: NLTK's Porter and Snowball stemmers, and those of ROUGE-1.5.5 and py-rouge.

ROUGE-1.5.5 uses Porter's algorithm (M. F. Porter, "An algorithm for suffix stripping",
Program 14 (3), 1980, https://tartarus.org/martin/PorterStemmer/) with a changed fourth step, and with
the two departures of Porter's own programs (-bli -> -ble and -logi -> -log in step 2). Tokens of up to
three characters and words of its exception list are not stemmed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from copy import copy
from functools import lru_cache, partial
from importlib import import_module
from typing import Any

from ..messages import check_encodable, safe_repr, shown
from ..registry import PRESET_STEMMERS, SNOWBALL_LANGUAGES, LazyRecords

Stemmer = Callable[[str], str]
ROUGE_155_STEMMER = "rouge-1.5.5"  # without exception lists

# The modes of NLTK's Porter stemmer that packages use; the first is its default.
NLTK_EXTENSIONS = "NLTK_EXTENSIONS"
ORIGINAL_ALGORITHM = "ORIGINAL_ALGORITHM"

_MAX_STEMS_KEPT = 1 << 18  # an evaluation after every epoch sees the same words
# In the order of the script's table, where "better" is an adverb.
_EXCEPTION_FILES = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")
_STEP_4_SUFFIXES = "al ance ence er ic able ible ant ement ou ism ate iti ous ive ize".split()


@lru_cache(maxsize=2)
def porter_stemmer(mode: str) -> Stemmer:
    """Return NLTK's Porter stemmer in a mode; rouge_score uses the default one."""
    stem = import_optional("use_stemmer=True", "nltk.stem.porter").PorterStemmer(mode).stem
    return lru_cache(_MAX_STEMS_KEPT)(unless_short(stem))


@lru_cache(maxsize=4)
def named_stemmer(name: str) -> Stemmer:
    """Return the stemmer with a name of `STEMMERS`; an ImportError names a missing package."""
    return lru_cache(_MAX_STEMS_KEPT)(STEMMERS[name]())


def snowball_stemmer(name: str, language: str, *, keeps_stopwords: bool = False) -> Stemmer:
    """Return NLTK's Snowball stemmer of a language, whose option has this name."""
    snowball = import_optional(f"stemmer {name!r}", "nltk.stem.snowball").SnowballStemmer
    try:
        stemmer = snowball(language, ignore_stopwords=keeps_stopwords).stemmer
    except LookupError as error:
        raise ImportError(
            f"stemmer {name!r} needs NLTK's stop words: python -m nltk.downloader stopwords"
        ) from error
    # The Arabic stemmer keeps state from the previous word.
    return lambda token: copy(stemmer).stem(token)


def import_optional(user: str, module: str) -> Any:
    """Return a module of a package that `user`, an option with its value, needs."""
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{user} needs {package}: pip install {package}") from error


def unless_short(stem: Stemmer) -> Stemmer:
    """Return a stemmer that only lowercases tokens of up to three characters."""
    return lambda token: stem(token) if len(token) > 3 else token.lower()


def checked_stem(stem: Stemmer, token: str) -> str:
    """Return the stem of a token, if the user's function returns valid text."""
    name = stem(token)
    if not isinstance(name, str):
        raise TypeError(
            f"stemmer must return a string for each token, got {safe_repr(name):.60} for {token!r}"
        )
    check_encodable("stemmer", name)
    return name


def rouge155_stemmer(
    exceptions: Mapping[str, str] | str | os.PathLike[str] | None = None,
) -> Stemmer:
    """Return the stemmer of ROUGE-1.5.5 -m, for `stemmer=`.

    It is Porter's algorithm with a changed fourth step, on tokens of at least four characters.

    Examples:

        >>> stem = rouge155_stemmer({"geese": "goose"})
        >>> [stem(word) for word in ("governmental", "agreement", "geese", "goose", "ran")]
        ['govern', 'agreem', 'goose', 'goos', 'ran']

    Args:
        exceptions: words whose stem is looked up instead, or the folder of adj.exc, adv.exc, noun.exc
            and verb.exc. The script uses the exception lists of WordNet 2.0
            (https://wordnet.princeton.edu/documentation/morphy7wn), which are not included.

    Raises:
        FileNotFoundError: a file of the lists is not in the folder.
        TypeError: this is neither a mapping from strings to strings nor a path.
        ValueError: a file of the lists has no line with a word and its lemma.
    """
    lemma_of_word = _lemma_of_word(exceptions)

    def stem(token: str) -> str:
        if len(token) < 4:
            return token
        return lemma_of_word.get(token) or porter_stem_of_rouge155()(token)

    return stem


plain_rouge155_stemmer = lru_cache(maxsize=1)(rouge155_stemmer)  # -m without exception lists

# How each named stemmer is made.
_STEMMERS = {
    **{name: partial(snowball_stemmer, name, name) for name in SNOWBALL_LANGUAGES},
    ROUGE_155_STEMMER: plain_rouge155_stemmer,
}
STEMMERS = LazyRecords("STEMMERS", PRESET_STEMMERS, _STEMMERS)


def _lemma_of_word(exceptions: Any) -> dict[str, str]:
    if exceptions is None:
        return {}
    if isinstance(exceptions, Mapping):
        for word, lemma in exceptions.items():
            if not isinstance(word, str) or not isinstance(lemma, str):
                given = f"{shown(lemma)} for {shown(word)}"
                raise TypeError(f"exceptions must have strings as words and lemmas, got {given}")
        return dict(exceptions)
    files = ", ".join(_EXCEPTION_FILES)
    if not isinstance(exceptions, (str, os.PathLike)):
        expected = f"a mapping from words to lemmas, or a folder with WordNet's {files}"
        raise TypeError(f"exceptions must be {expected}, got {shown(exceptions)}")
    lemma_of_word: dict[str, str] = {}
    for name in _EXCEPTION_FILES:
        path = os.path.join(exceptions, name)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                rows = [line.split() for line in file]
        except (FileNotFoundError, NotADirectoryError):
            raise FileNotFoundError(
                f"exceptions must be a folder with WordNet's {files}, got "
                f"{os.fspath(exceptions)!r}, which has no {name}: ROUGE-1.5.5 has them in "
                "data/WordNet-2.0-Exceptions, and Debian's wordnet-base in /usr/share/wordnet"
            ) from None
        lemmas = {words[0]: words[1] for words in rows if len(words) > 1}
        if not lemmas:
            raise ValueError(f"exceptions: {path} must have lines of a word and its lemma")
        lemma_of_word |= lemmas
    return lemma_of_word


@lru_cache(maxsize=1)
def porter_stem_of_rouge155() -> Stemmer:
    """Return NLTK's stemmer with the departures of Porter's programs, and with the script's fourth step."""
    porter = import_optional(f"stemmer {ROUGE_155_STEMMER!r}", "nltk.stem.porter").PorterStemmer

    class Rouge155Porter(porter):  # type: ignore[misc, valid-type]
        def _step4(self, word: str) -> str:
            """Remove suffixes; unlike in Porter's algorithm, one of them may follow another."""
            for suffixes in (_STEP_4_SUFFIXES, ["ment"], ["ent", "sion", "tion"]):
                suffix = max(filter(word.endswith, suffixes), key=len, default="")
                n_removed = 3 if suffix.endswith("ion") else len(suffix)  # s and t stay
                rest = word[: len(word) - n_removed]
                word = rest if suffix and self._measure(rest) > 1 else word
            return word

        def _ends_double_consonant(self, word: str) -> bool:
            return not word.endswith("yy") and super()._ends_double_consonant(word)

    return partial(Rouge155Porter(porter.MARTIN_EXTENSIONS).stem, to_lowercase=False)
