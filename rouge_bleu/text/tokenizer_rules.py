"""The record of all rules that turn texts into tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..tokens import Tokens, tokens_of_lists
from .words import whitespace_tokens

Text = Any  # a string, or a SourcedText, which knows where its characters come from


def lowered(text: Text, lowercase: bool) -> Text:
    """Return the text, lowercased if asked for."""
    return text.lower() if lowercase else text


@dataclass(frozen=True, kw_only=True)
class TokenizerRules:
    """A tokenizer and the rules for its words; its functions take texts, then `lowercase`."""

    # One text -> its words, or None if this text needs a column.
    words_of_text: Callable[[str, bool], list[str] | None] = lambda text, lowercase: None
    # Texts -> their words.
    words_of_column: Callable[[Sequence[str], bool], Tokens]
    # A text -> the text that contains the words unchanged, for explanations.
    rewritten: Callable[[Text, bool], Text] = lowered
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


def rules_by_text(
    split: Callable[[str], list[str]],
    rewritten: Callable[[Text, bool], Text] = lowered,
    **others: Any,
) -> TokenizerRules:
    """Return the rules of a tokenizer that splits one rewritten text at a time."""
    return TokenizerRules(
        words_of_text=lambda text, lowercase: split(rewritten(text, lowercase)),
        words_of_column=lambda texts, lowercase: tokens_of_lists(
            [split(rewritten(text, lowercase)) for text in texts]
        ),
        rewritten=rewritten,
        **others,
    )


def rules_by_word(parts: Callable[[str], list[str]], **others: Any) -> TokenizerRules:
    """Return the rules of a tokenizer that may take each distinct word between spaces."""
    return replace(
        rules_by_text(parts, separates_sentences=True, **others),
        words_of_column=lambda texts, lowercase: whitespace_tokens(texts, lowercase).expand(parts),
    )
