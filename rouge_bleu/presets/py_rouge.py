"""py-rouge 1.1, found by running it. Its L is rougeLsum.

A text of l words has l - n + 1 n-grams, also below 0. Its limit of 665 "bytes" is one of characters.
Its tokens are runs of a-z and 0-9; NLTK's tokenizer splits five of them, such as gimme.
tests/test_recorded.py runs it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from .._rouge.rules import POOLED, RougeRules, defaults
from ..rouge_types import NGRAMS, SUMMARY_LCS, by_name
from ..rouge_types.ngrams import count_ngram_columns
from ..text.stemming import ORIGINAL_ALGORITHM, Stemmer, porter_stemmer, unless_short
from ..text.tokenizers import tokenizer_rules
from . import files_of_package

_LEMMA_FILES = ("wordnet_key_value.txt", "wordnet_key_value_special_cases.txt")  # of its stemmer
_SPLIT_WORDS = frozenset(("gimme", "gonna", "gotta", "lemme", "wanna"))  # each after three letters


def _split(word: str) -> list[str]:
    return [word[:3], word[3:]] if word.lower() in _SPLIT_WORDS else [word]


_WORDS = tokenizer_rules("rouge_score")
TOKENIZERS = {
    "py-rouge": replace(
        _WORDS,
        words_of_column=lambda texts, lowercase: _WORDS.words_of_column(texts, lowercase).expand(
            _split
        ),
        words_of_text=lambda text, lowercase: [
            part for word in _WORDS.words_of_text(text, lowercase) or () for part in _split(word)
        ],
    )
}


def _stemmer() -> Stemmer:
    """Return the lists of an installed py-rouge, and Porter's original stemmer for other words."""
    porter = porter_stemmer(ORIGINAL_ALGORITHM)
    paths = files_of_package("stemmer 'py-rouge'", "py-rouge", "rouge", *_LEMMA_FILES)
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    form_of_word = dict(line.strip().split("|") for line in lines)
    return unless_short(lambda token: form_of_word.get(token.lower()) or porter(token))


STEMMERS = {"py-rouge": _stemmer}


def _first_characters(text: str, limit: int) -> str:
    """Return the lines up to a number of characters."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines.append(line.strip()[:limit])
        limit -= len(lines[-1])
    return "\n".join(lines)


_NGRAMS_WITH_NEGATIVE_TOTALS = replace(
    NGRAMS,
    count_few=None,
    count_columns=partial(count_ngram_columns, totals=lambda lengths, order: lengths - (order - 1)),
)
ROUGE = {
    "py-rouge": RougeRules(
        about=("py-rouge 1.1", "dialogue (ParlAI)", "1e-12"),
        options=defaults("rouge1 rouge2 rougeLsum", tokenizer="py-rouge", max_bytes=665, **POOLED),
        truncate_to_bytes=_first_characters,
        families=by_name(_NGRAMS_WITH_NEGATIVE_TOTALS, SUMMARY_LCS),
        multi_references=("pooled", "recall"),
        fixed_options=frozenset({"cross_sentences", "summary_lcs", "zero_division"}),
    )
}
