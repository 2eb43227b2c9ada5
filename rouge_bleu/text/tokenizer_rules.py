"""The record of all rules that turn texts into tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .words import Words, blank_separated_words, words_of_lists

Text = Any  # a SourcedText, which is rewritten and knows where its characters come from


def lowered(text: str, lowercase: bool) -> str:
    """Return the text, lowercased if asked for."""
    return text.lower() if lowercase else text


def lowered_source(text: Text, lowercase: bool) -> Text:
    """Return a text with its source, lowercased if asked for."""
    return text.lowered() if lowercase else text


@dataclass(frozen=True, kw_only=True)
class TokenizerRules:
    """A tokenizer and the rules for its words; its functions take texts, then `lowercase`."""

    # One text -> its words, or None if this text needs a column.
    words_of_text: Callable[[str, bool], list[str] | None] = lambda text, lowercase: None
    # Texts -> their words.
    words_of_column: Callable[[Sequence[str], bool], Words]
    # A text -> the text that contains the words unchanged, for explanations.
    rewritten: Callable[[Text, bool], Text] = lowered_source
    lowercases_words: bool = False  # words are lowercased after tokenization, not texts before it
    keeps_ascii_only: bool = False  # letters and digits beyond ASCII are dropped
    warns_of_unspaced: bool = False  # unless the user chose it: warn of scripts without spaces
    separates_sentences: bool = False  # each line of a text is tokenized separately, as a sentence
    is_thread_safe: bool = True
    is_program: bool = False  # each column starts a process, so columns are few and large
    check_installed: Callable[[], object] = lambda: None  # raises an ImportError
    package: str | None = None  # the package that tokenizes; signatures contain its version

    # --- as the options of a call say ---
    lowercase: bool = True  # texts, or given tokens, are lowercased first
    stopwords: frozenset[str] = frozenset()  # tokens that are dropped, before stemming
    stem: Callable[[str], str] | None = None  # applied to every token


def rules_of_texts(
    split: Callable[[str], list[str]], prepared: Callable[[str, bool], str] = lowered, **others: Any
) -> TokenizerRules:
    """Return the rules of a tokenizer that takes one text at a time."""

    def words_of_text(text: str, lowercase: bool) -> list[str]:
        return split(prepared(text, lowercase))

    def words_of_column(texts: Sequence[str], lowercase: bool) -> Words:
        return words_of_lists([words_of_text(text, lowercase) for text in texts])

    return TokenizerRules(words_of_text=words_of_text, words_of_column=words_of_column, **others)


def rules_of_parts(parts: Callable[[str], list[str]], **others: Any) -> TokenizerRules:
    """Return the rules of a tokenizer that may take each distinct word between spaces."""

    def words_of_column(texts: Sequence[str], lowercase: bool) -> Words:
        return blank_separated_words(texts, lowercase).split(parts)

    rules = rules_of_texts(parts, separates_sentences=True, **others)
    return replace(rules, words_of_column=words_of_column)
