"""Tokenizers of code summarization and code generation.

codexglue   runs of letters and digits of any script; every other character that is
            no blank by itself, underscores and combining marks too. So the evaluator
            of CodeXGLUE's code-to-text task and that of CodeNN cut, after lowercasing
conala      runs of A-Z, a-z, 0-9 and underscores, cut where a capital follows a small
            letter; every other character by itself, both quotes as backticks. So the
            evaluation of CoNaLa cuts, after Ling et al. 2016
            (https://aclanthology.org/P16-1057)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ..rules import Text, TokenizerRules, lowered_if_asked
from ..words import Words, blank_separated_words, words_of_lists

_CODEXGLUE = re.compile(r"[^\W_]+|\S")
_CONALA = re.compile(r"[A-Za-z0-9_]+|\S")
_CAPITAL_BEHIND_SMALL = re.compile("(?<=[a-z])(?=[A-Z])")
_QUOTES = {ord('"'): ord("`"), ord("'"): ord("`")}


def _column_of(
    cut: Callable[[str], list[str]], *, lowercases_words: bool
) -> Callable[[Sequence[str], bool], Words]:
    """Return what cuts a column whose words between blanks are cut by a function."""

    def words_of_column(texts: Sequence[str], lowercase: bool) -> Words:
        words = blank_separated_words(texts, lowercase and not lowercases_words)
        return words.split(words_of_lists(list(map(cut, words.vocabulary.to_pylist()))))

    return words_of_column


def _codexglue_text(text: str, lowercase: bool) -> list[str]:
    return _CODEXGLUE.findall(text.lower() if lowercase else text)


def _conala_words(text: str) -> list[str]:
    return _CONALA.findall(_CAPITAL_BEHIND_SMALL.sub(" ", text.translate(_QUOTES)))


def _conala_text(text: str, lowercase: bool) -> list[str]:
    return _conala_words(text)


def _with_backticks(text: Text, lowercase: bool) -> Text:
    return text.translated(_QUOTES)


CODE_TOKENIZERS = {
    "codexglue": TokenizerRules(
        words_of_column=_column_of(_CODEXGLUE.findall, lowercases_words=False),
        words_of_text=_codexglue_text,
        rewritten=lowered_if_asked,
        separates_sentences=True,
    ),
    "conala": TokenizerRules(
        words_of_column=_column_of(_conala_words, lowercases_words=True),
        words_of_text=_conala_text,
        rewritten=_with_backticks,
        lowercases_words=True,
        separates_sentences=True,
    ),
}
