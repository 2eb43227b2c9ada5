"""The pairs of a chunk as XL-Sum's fork of rouge_score counts them.

Facts about what the fork computes; none of its code is here. All is as in rouge_score on
the tokens of `text/fields/xlsum.py`; but the lines of rougeLsum are cut at blanks, marks
and ASCII signs only, so that those of Chinese, Thai, Japanese and Burmese are compared
clause by clause.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...corpus import Corpus
from ...lazy import lazy_property
from ...spans.tokens import sentence_token_spans, sourced_lines
from ...text.sentences import tokenized_sentences, with_sentence_lines
from ...text.tokenizers import TokenizerOptions
from ...text.xlsum import XLSUM_WORDS
from ...tokens import SharedTokens, paired, shared_tokens
from ..pairs.shown import ShownPair, shown_pairs
from ..paper.pairs import ColumnPairs


@dataclass(frozen=True)
class XlsumPairs(ColumnPairs):
    """Pairs whose lines have other tokens than whole texts."""

    @property
    def _options_of_lines(self) -> TokenizerOptions:
        options = self.options.tokenizer_options(self.is_tokenized)
        return replace(options, tokenizer=XLSUM_WORDS)

    @lazy_property
    def sentence_tokens(self) -> SharedTokens:
        if self.is_tokenized:
            return self.tokens
        texts = with_sentence_lines(self.texts, self.options.sentence_splitter)
        tokens = tokenized_sentences(texts, self._options_of_lines)
        return shared_tokens(*paired(tokens, self.reference_offsets))

    def _shown_of_level(self, corpus: Corpus, in_sentences: bool) -> list[ShownPair]:
        if self.is_tokenized or not in_sentences:
            return super()._shown_of_level(corpus, in_sentences)
        lines = with_sentence_lines(self.texts, self.options.sentence_splitter)
        spans = sentence_token_spans(
            list(map(sourced_lines, lines, self.texts)), self._options_of_lines
        )
        return shown_pairs(self.sentence_tokens.sides, spans, self.options)
