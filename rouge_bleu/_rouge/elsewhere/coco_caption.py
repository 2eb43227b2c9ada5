"""The pairs of a chunk as ROUGE_L of coco-caption and pycocoevalcap counts them.

Facts about what pycocoevalcap 1.2 computes; none of its code is here. A text is split at
every single blank, so two blanks in a row make an empty word, and an empty text is one
empty word: nothing against nothing is 1. With the longest common subsequence l of a
prediction of c words and a reference of r,

    P = max l / c,   R = max l / r,   F = (1 + 1.2^2) P R / (R + 1.2^2 P)

where the maxima may come from different references, which is `multi_reference="separate"`.
Tokens of another tokenizer than "whitespace" stand as they are; a text without any is one
empty word too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...corpus import Corpus
from ...lazy import lazy_property
from ...spans.tokens import cut_token_spans, given_token_spans, rows_of_words
from ...text.other_packages import ptb_lines
from ...text.tokenizers import tokenized
from ...tokens import SharedTokens, paired, shared_tokens
from ..pairs.shown import ShownPairs, shown_pairs
from ..paper.pairs import ColumnPairs


@dataclass(frozen=True)
class SingleBlankPairs(ColumnPairs):
    """Pairs of texts that are split at every single blank."""

    @lazy_property
    def words(self) -> list[Any]:
        """The words of each text, at least one."""
        options = self.options.tokenizer_options(self.is_tokenized)
        if self.is_tokenized:
            rows = self.texts
        elif options.tokenizer == "whitespace":
            rows = [text.split(" ") for text in self.texts]
        elif options.tokenizer == "ptb":
            rows = [line.split(" ") for line in ptb_lines(self.texts)]
        else:
            rows = rows_of_words(self.texts, options, is_tokenized=False)
        return [list(row) or [""] for row in rows]

    @lazy_property
    def tokens(self) -> SharedTokens:
        options = self.options.tokenizer_options(self.is_tokenized)
        tokens = tokenized(self.words, options, is_tokenized=True)
        return shared_tokens(*paired(tokens, self.reference_offsets))

    def shown(self, corpus: Corpus) -> ShownPairs:
        """Return the pairs, which are the same for all measures."""
        options = self.options.tokenizer_options(self.is_tokenized)
        if self.is_tokenized:
            spans = given_token_spans(self.words, options)
        else:
            spans = cut_token_spans(self.texts, self.words, options)
        shown = shown_pairs(self.tokens.sides, spans, self.options)
        pairs = [pair.as_one_sentence() for pair in shown]
        return lambda measure: pairs
