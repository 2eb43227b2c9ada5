"""Tokens of pairs as the Perl script ROUGE-1.5.5 reads them.

Lines are sentences, and two readers tokenize them, with different limits on bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..._rouge.pairs import Pairs
from ...arrays import lazy_property
from ...text.character_offsets import Span, given_token_spans, locate_lines, token_spans
from ...text.sentences import one_sentence_per_line
from ...text.tokenizers import tokenize
from ...tokens import Tokens

_PERL_SPACES = re.compile(r"[ \t\n\r\f\v]+")  # \s has matched a vertical tab since Perl 5.18


class Rouge155Pairs(Pairs):
    """Pairs of the script, whose readers make different tokens."""

    def truncated_texts(self) -> list[Any]:
        """Return the texts with a sentence in each line; each reader limits them in its own way."""
        if self.is_tokenized:
            return super().truncated_texts()
        return list(one_sentence_per_line(self.given_texts, self.options.sentence_splitter))

    @lazy_property
    def texts_by_reader(self) -> list[list[Any]]:
        """The truncated texts of each reader; one column if both readers truncate alike."""
        texts, words, most_bytes = self.texts, self.options.max_words, self.options.max_bytes
        if words and not self.is_tokenized:
            return [[_truncated_text(text, words, _words_of_line) for text in texts]]
        if most_bytes:
            return [
                [_truncated_text(text, most_bytes, str.encode, adds_lines) for text in texts]
                for adds_lines in (True, False)
            ]
        return [texts]

    @lazy_property
    def tokens_by_reader(self) -> list[Tokens]:
        """The tokens of texts: first those for N, S and SU, last those for L and W."""
        columns = self.texts_by_reader
        texts = [text for column in columns for text in column]
        tokens = tokenize(texts, self.tokenizer, is_tokenized=self.is_tokenized)
        n_texts = len(self.texts)
        return [tokens.slice_texts(k * n_texts, (k + 1) * n_texts) for k in range(len(columns))]

    @lazy_property
    def text_tokens(self) -> Tokens:
        return self.tokens_by_reader[0]

    @property
    def sentence_tokens(self) -> Tokens:
        return self.tokens_by_reader[-1]

    # --- explanations ---

    def spans(self, in_sentences: bool) -> list[list[Span | None]]:
        texts = self.texts_by_reader[-1 if in_sentences else 0]
        if self.is_tokenized:
            return given_token_spans(texts, self.tokenizer)
        return token_spans(list(map(locate_lines, texts, self.given_texts)), self.tokenizer)


def _truncated_text(
    text: str, limit: int, units_of_line: Callable[[str], Any], adds_lines: bool = True
) -> str:
    """Return the lines of a text up to the first that reaches `limit` units, alone or in sum."""
    kept: list[str] = []
    count = 0
    for line in filter(None, text.split("\n")):
        units = units_of_line(line)
        if count + len(units) >= limit:
            rest = units[: limit - count]
            is_bytes = isinstance(rest, bytes)
            kept.append(rest.decode(errors="ignore") if is_bytes else " ".join(rest))
            break
        kept.append(line)
        count += len(units) if adds_lines else 0
    return "\n".join(kept)


def _words_of_line(line: str) -> list[str]:
    """Return the words of a line as the limit counts them: spaces at its start make an empty one."""
    words = _PERL_SPACES.split(line)
    if not any(words):
        return []
    return words if words[-1] else words[:-1]
