"""The words and stems of py-rouge.

Facts about what py-rouge 1.1 computes; none of its code or data is here. Words are runs
of a-z and 0-9 of the lowercased text, of which NLTK's tokenizer cuts five: gimme, gonna,
gotta, lemme and wanna. Words of more than three letters are stemmed by the lists that
the package has, else by NLTK's Porter stemmer in its original form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from ..rules import TokenizerRules, lowered_if_asked
from ..stemming import Stemmer
from ..words import ALPHANUMERIC, Words, lowered_beyond_ascii, words_of_bytes, words_of_lists

PY_ROUGE_STEMMER = "py-rouge"

_PARTS = {
    "gimme": ["gim", "me"],
    "gonna": ["gon", "na"],
    "gotta": ["got", "ta"],
    "lemme": ["lem", "me"],
    "wanna": ["wan", "na"],
}
_ALPHANUMERIC = re.compile("[0-9A-Za-z]+")
_FILES = ("wordnet_key_value.txt", "wordnet_key_value_special_cases.txt")


def _words_of_column(texts: Sequence[str], lowercase: bool) -> Words:
    texts = lowered_beyond_ascii(texts, lowercase)
    words = words_of_bytes(texts, ALPHANUMERIC[lowercase])
    return words.split(words_of_lists(list(map(_parts, words.vocabulary.to_pylist()))))


def _parts(word: str) -> list[str]:
    parts = _PARTS.get(word.lower())
    return [word] if parts is None else [word[: len(parts[0])], word[len(parts[0]) :]]


def _words_of_text(text: str, lowercase: bool) -> list[str]:
    words = _ALPHANUMERIC.findall(text.lower() if lowercase else text)
    return [part for word in words for part in _parts(word)]


@lru_cache(maxsize=1)
def py_rouge_stemmer() -> Stemmer:
    """Return the stemmer of an installed py-rouge; an ImportError says what is missing."""
    spec = find_spec("rouge")
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    paths = [Path(folder) / name for folder in folders for name in _FILES]
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


PY_ROUGE_TOKENIZERS = {
    "py-rouge": TokenizerRules(
        words_of_column=_words_of_column,
        words_of_text=_words_of_text,
        rewritten=lowered_if_asked,
        keeps_ascii_only=True,
        separates_sentences=True,
    )
}
