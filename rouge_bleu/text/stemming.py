"""Tokens -> stems: NLTK's Porter and Snowball stemmers, and those of ROUGE-1.5.5 and py-rouge.

That of ROUGE-1.5.5 is Porter's algorithm with a changed fourth step,

    M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980,
    https://tartarus.org/martin/PorterStemmer/

written from the published rules, with the two departures of Porter's own programs (-bli -> -ble
and -logi -> -log in step 2). What the script changed is in `_step_4`, and that it leaves tokens
of three characters and words of its exception list alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from copy import copy
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..messages import check_encodable, shown, written

Stemmer = Callable[[str], str]
ROUGE_155_STEMMER = "rouge-1.5.5"  # without exception lists
_PY_ROUGE_STEMMER = "py-rouge"
_XLSUM = "xlsum-"
SNOWBALL_LANGUAGES = (
    *("arabic", "danish", "dutch", "english", "finnish", "french", "german"),
    *("hungarian", "italian", "norwegian", "portuguese", "romanian", "russian"),
    *("spanish", "swedish"),
)
STEMMERS_OF_NLTK = (
    *SNOWBALL_LANGUAGES,
    *(f"{_XLSUM}{language}" for language in SNOWBALL_LANGUAGES),
    _PY_ROUGE_STEMMER,
)
STEMMER_NAMES = (*STEMMERS_OF_NLTK, ROUGE_155_STEMMER)

# The modes of NLTK's Porter stemmer that packages use; the first is its default.
NLTK_EXTENSIONS = "NLTK_EXTENSIONS"
ORIGINAL_ALGORITHM = "ORIGINAL_ALGORITHM"


@lru_cache(maxsize=2)
def porter_stemmer(mode: str) -> Stemmer:
    """Return NLTK's Porter stemmer in a mode; rouge_score uses the default one.

    It lowercases every token, as NLTK does by default; tokens of up to three characters
    are not stemmed. Without NLTK an ImportError says what to install.
    """
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise ImportError(
            "use_stemmer=True needs NLTK's Porter stemmer: pip install nltk"
        ) from error
    stemmer = PorterStemmer(mode)

    @lru_cache(maxsize=1 << 18)  # an evaluation after every epoch meets the same words
    def stem(token: str) -> str:
        return stemmer.stem(token) if len(token) > 3 else token.lower()

    return stem


@lru_cache(maxsize=4)
def named_stemmer(name: str) -> Stemmer:
    """Return the stemmer of a name, one of `STEMMER_NAMES`.

    Stemmers of NLTK lowercase every token. That of XL-Sum, such as "xlsum-german", does not
    stem NLTK's stop words and tokens of up to three characters. An ImportError says what is
    missing.
    """
    # An evaluation after every epoch meets the same words.
    return lru_cache(maxsize=1 << 18)(_named_stemmer(name))


def _named_stemmer(name: str) -> Stemmer:
    if name == ROUGE_155_STEMMER:
        return plain_rouge155_stemmer()
    if name == _PY_ROUGE_STEMMER:
        return _py_rouge_stemmer()
    language = name.removeprefix(_XLSUM)
    stem = partial(_stemmed, _snowball(language, language != name).stemmer)
    if language == name:
        return stem
    return lambda token: stem(token) if len(token) > 3 else token.lower()


def _stemmed(stemmer: Any, token: str) -> str:
    """Return the stem from a copy: the Arabic stemmer keeps what it found in the last word."""
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


_PY_ROUGE_FILES = ("wordnet_key_value.txt", "wordnet_key_value_special_cases.txt")


@lru_cache(maxsize=1)
def _py_rouge_stemmer() -> Stemmer:
    """Return the stemmer of an installed py-rouge; an ImportError says what is missing.

    Words of more than three letters are stemmed by the lists of the package, else by NLTK's
    Porter stemmer in its original form.
    """
    spec = find_spec("rouge")
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    paths = [Path(folder) / name for folder in folders for name in _PY_ROUGE_FILES]
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise ImportError("stemmer 'py-rouge' needs NLTK: pip install nltk") from error
    if not paths or not all(path.is_file() for path in paths):
        raise ImportError(
            "stemmer 'py-rouge' needs the lists of that package: pip install py-rouge"
        )
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    form_of_word = dict(line.strip().split("|") for line in lines)
    porter = PorterStemmer(PorterStemmer.ORIGINAL_ALGORITHM)

    def stem(token: str) -> str:
        token = token.lower()  # as NLTK's stemmer does
        if len(token) <= 3:
            return token
        return form_of_word.get(token) or porter.stem(token)

    return stem


def checked_stem(stem: Stemmer, token: str) -> str:
    """Return the stem of a token, if the user's function returns valid text."""
    name = stem(token)
    if not isinstance(name, str):
        raise TypeError(
            f"stemmer must return a string for each token, got {written(name):.60} for {token!r}"
        )
    check_encodable("stemmer", name)
    return name


def rouge155_stemmer(
    exceptions: Mapping[str, str] | str | os.PathLike[str] | None = None,
) -> Stemmer:
    """Return the stemmer of ROUGE-1.5.5 -m, for `stemmer=`.

    It is Porter's algorithm with a changed fourth step, on tokens of at least four
    characters.

    Parameters
    ----------
    exceptions : mapping of str to str, or path, optional
        Words whose stem is looked up; a word that is looked up is not stemmed. The
        script uses the exception lists of WordNet 2.0, which are not shipped here: give
        the folder that holds adj.exc, adv.exc, noun.exc and verb.exc. Of several lemmas
        in a line the first counts, of several lines of a word the last, in the order of
        those files.

    Raises
    ------
    FileNotFoundError
        A file of the lists is not in the folder.
    TypeError
        This is neither a mapping from strings to strings nor a path.
    ValueError
        A file of the lists has no line with a word and its lemma.

    References
    ----------
    M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980,
    https://tartarus.org/martin/PorterStemmer/
    The exception lists: https://wordnet.princeton.edu/documentation/morphy7wn

    Examples
    --------
    >>> stem = rouge155_stemmer({"geese": "goose"})
    >>> [stem(word) for word in ("governmental", "agreement", "geese", "goose", "ran")]
    ['govern', 'agreem', 'goose', 'goos', 'ran']
    """
    lemma_of_word = _lemma_of_word(exceptions)

    def stem(token: str) -> str:
        if len(token) < 4:
            return token
        return lemma_of_word.get(token) or _porter_stem(token)

    return stem


@lru_cache(maxsize=1)
def plain_rouge155_stemmer() -> Stemmer:
    """Return the stemmer of that name, which is -m of a command line."""
    return rouge155_stemmer()


# --- the exception lists of WordNet ---------------------------------------------------

# In the order in which the script's table was made: "better" is an adverb there.
_EXCEPTION_FILES = ("adj.exc", "adv.exc", "noun.exc", "verb.exc")


def _lemma_of_word(exceptions: Any) -> dict[str, str]:
    if exceptions is None:
        return {}
    if isinstance(exceptions, Mapping):
        for word, lemma in exceptions.items():
            if not isinstance(word, str) or not isinstance(lemma, str):
                raise TypeError(
                    "exceptions must have strings as words and lemmas, got "
                    f"{shown(lemma)} for {shown(word)}"
                )
        return dict(exceptions)
    if not isinstance(exceptions, (str, os.PathLike)):
        raise TypeError(
            "exceptions must be a mapping from words to lemmas, or a folder with "
            f"WordNet's {', '.join(_EXCEPTION_FILES)}, got {shown(exceptions)}"
        )
    lemma_of_word: dict[str, str] = {}
    for name in _EXCEPTION_FILES:
        path = os.path.join(exceptions, name)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                rows = [line.split() for line in file]
        except (FileNotFoundError, NotADirectoryError):
            raise FileNotFoundError(
                f"exceptions must be a folder with WordNet's {', '.join(_EXCEPTION_FILES)}, got "
                f"{os.fspath(exceptions)!r}, which has no {name}: ROUGE-1.5.5 has them in "
                "data/WordNet-2.0-Exceptions, and Debian's wordnet-base in /usr/share/wordnet"
            ) from None
        lemmas = {words[0]: words[1] for words in rows if len(words) > 1}
        if not lemmas:
            raise ValueError(
                f"exceptions: {path} must have lines with a word and its lemma, and has none"
            )
        lemma_of_word |= lemmas
    return lemma_of_word


# --- Porter's algorithm with a changed fourth step ------------------------------------

# Legend: C a run of consonants, V of vowels; y is a vowel behind a consonant, and a
# digit is a consonant. [C](VC)^m[V] has measure m.
_C, _V = "[^aeiou][^aeiouy]*", "[aeiouy][aeiou]*"
_MEASURE_ABOVE_0 = re.compile(f"(?:{_C})?{_V}{_C}")
_MEASURE_IS_1 = re.compile(f"(?:{_C})?{_V}{_C}(?:{_V})?")
_MEASURE_ABOVE_1 = re.compile(f"(?:{_C})?{_V}{_C}{_V}{_C}")
_HAS_VOWEL = re.compile(f"(?:{_C})?[aeiouy]")
_ENDS_CVC = re.compile(f"{_C}[aeiouy][^aeiouwxy]")
_ENDS_DOUBLE = re.compile(r"([^aeiouylsz])\1$")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous",
    "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive",
    "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = dict.fromkeys(
    "al ance ence er ic able ible ant ement ou ism ate iti ous ive ize".split(), ""
)


def _porter_stem(word: str) -> str:
    """Return the stem of a word of at least three characters."""
    if word.startswith("y"):  # not a vowel there
        return "y" + _porter_stem_of_marked("Y" + word[1:])[1:]
    return _porter_stem_of_marked(word)


def _porter_stem_of_marked(word: str) -> str:
    word = _without_plural(word)
    word = _without_ed_and_ing(word)
    if word.endswith("y") and _HAS_VOWEL.match(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced_suffix(word, _STEP_2, _MEASURE_ABOVE_0)
    word = _replaced_suffix(word, _STEP_3, _MEASURE_ABOVE_0)
    word = _step_4(word)
    if word.endswith("e"):
        rest = word[:-1]
        if _MEASURE_ABOVE_1.match(rest) or (
            _MEASURE_IS_1.fullmatch(rest) and not _ENDS_CVC.fullmatch(rest)
        ):
            word = rest
    if word.endswith("ll") and _MEASURE_ABOVE_1.match(word):
        word = word[:-1]
    return word


def _without_plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_ed_and_ing(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _MEASURE_ABOVE_0.match(word[:-3]) else word
    suffix = next((suffix for suffix in ("ed", "ing") if word.endswith(suffix)), "")
    if not suffix or not _HAS_VOWEL.match(word[: -len(suffix)]):
        return word
    word = word[: -len(suffix)]
    if word.endswith(("at", "bl", "iz")) or _ENDS_CVC.fullmatch(word):
        return word + "e"
    return word[:-1] if _ENDS_DOUBLE.search(word) else word


def _replaced_suffix(word: str, replacements: Mapping[str, str], condition: re.Pattern[str]) -> str:
    """Return the word with its longest listed suffix replaced, if the rest meets the condition."""
    suffix = max((suffix for suffix in replacements if word.endswith(suffix)), key=len, default="")
    if suffix and condition.match(word[: -len(suffix)]):
        return word[: -len(suffix)] + replacements[suffix]
    return word


def _step_4(word: str) -> str:
    """Take off -ment and -ent, or -ion behind s or t.

    It is done behind another suffix that was taken off, too: the script's own change.
    """
    word = _replaced_suffix(word, _STEP_4, _MEASURE_ABOVE_1)
    word = _replaced_suffix(word, {"ment": ""}, _MEASURE_ABOVE_1)
    if word.endswith("ent"):
        return _replaced_suffix(word, {"ent": ""}, _MEASURE_ABOVE_1)
    return (
        word[:-3] if word.endswith(("sion", "tion")) and _MEASURE_ABOVE_1.match(word[:-3]) else word
    )
