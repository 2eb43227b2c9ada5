"""What is to be known of a tokenizer: one record that says all of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from .words import Words

Text = TypeVar("Text", bound="Rewritable")


class Rewritable(Protocol):
    """A text that is rewritten and knows where its characters come from."""

    @property
    def text(self) -> str:
        """The text as it is written now."""

    def lowered(self: Text) -> Text:
        """Return the text in small letters."""

    def translated(self: Text, character_of_code: Mapping[int, int]) -> Text:
        """Return the text with some characters written as others."""

    def replaced(self: Text, old: str, new: str) -> Text:
        """Return the text with `new`, at most one character, for each `old`."""

    def blanked(self: Text, pattern: re.Pattern[str]) -> Text:
        """Return the text with blanks in the place of each match."""

    def part(self: Text, start: int, end: int) -> Text:
        """Return the characters start..end-1."""


@dataclass(frozen=True, kw_only=True)
class TokenizerRules:
    """All of a tokenizer. A default is what most of them have.

    Functions take whether texts are lowercased as their second argument.

    Parameters
    ----------
    words_of_column : callable
        Texts -> their words.
    words_of_text : callable or None
        One text -> its words, or None where that text is left to the column; None: every
        text is. It is for a few texts, which do not pay back the price of a column.
    rewritten : callable
        A text -> the text in which the words stand as they are, for explanations.
    lowercases_words : bool
        Texts are cut as they are, and words are lowercased then.
    keeps_ascii_only : bool
        Letters and digits beyond ASCII are in no word.
    warns_of_unspaced : bool
        A preset with it warns of scripts without blanks, whose words it does not separate.
    separates_sentences : bool
        The words of a text are those of its lines, and each line is a sentence.
    is_thread_safe : bool
        Threads may cut texts side by side.
    is_program : bool
        Each column starts a program, so that they are few and large.
    is_option : bool
        Users choose it by its name. Others are what presets make of it.
    check_installed : callable or None
        Raises an ImportError where something is missing that it needs.
    package : str or None
        The package that cuts, whose version stands in a signature.
    """

    words_of_column: Callable[[Sequence[str], bool], Words]
    words_of_text: Callable[[str, bool], list[str] | None] | None
    rewritten: Callable[[Text, bool], Text]
    lowercases_words: bool = False
    keeps_ascii_only: bool = False
    warns_of_unspaced: bool = False
    separates_sentences: bool = False
    is_thread_safe: bool = True
    is_program: bool = False
    is_option: bool = True
    check_installed: Callable[[], object] | None = None
    package: str | None = None


def lowered_if_asked(text: Text, lowercase: bool) -> Text:
    """Return the text, in small letters if asked for."""
    return text.lowered() if lowercase else text
