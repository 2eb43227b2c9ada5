"""The pairs of a chunk as Lin 2004 and rouge_score count them, by columns.

After "ROUGE: A Package for Automatic Evaluation of Summaries"
(https://aclanthology.org/W04-1013); tokens and sentences follow rouge_score. What
several families ask for stands here, each family's own in `rouge/families/`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...corpus import Corpus
from ...kernels.lcs import lcs_lengths
from ...kernels.union_lcs import union_lcs_lengths
from ...lazy import lazy_property
from ...text.sentences import tokenized_sentences, with_sentence_lines
from ...text.tokenizers import tokenized
from ...tokens import SharedTokens, paired, shared_tokens
from ..families.lcs import LCS
from ..measures.family import Counting, Measure
from ..measures.views import PaperView, Sides
from ..pairs.counted import UnitPairs
from ..pairs.shown import ShownPair, ShownPairs, shown_pairs, spans_of_texts


@dataclass(frozen=True)
class ColumnPairs(UnitPairs):
    """Pairs that are counted by columns; see `PaperView`."""

    @lazy_property
    def tokens(self) -> SharedTokens:
        tokens = tokenized(
            self.texts,
            self.options.tokenizer_options(self.is_tokenized),
            is_tokenized=self.is_tokenized,
        )
        return shared_tokens(*paired(tokens, self.reference_offsets))

    @lazy_property
    def sentence_tokens(self) -> SharedTokens:
        splitter = self.options.sentence_splitter
        tokenizer_options = self.options.tokenizer_options(self.is_tokenized)
        has_lines = splitter == "newline" and tokenizer_options.separates_sentences
        if self.is_tokenized or has_lines:
            return self.tokens
        texts = with_sentence_lines(self.texts, splitter)
        tokens = tokenized_sentences(texts, tokenizer_options)
        return shared_tokens(*paired(tokens, self.reference_offsets))

    @property
    def unit_tokens(self) -> SharedTokens:
        return self.tokens if self.options.cross_sentences else self.sentence_tokens

    def counting(self, measure: Measure) -> Counting[PaperView]:
        return measure.family.paper

    @property
    def lengths(self) -> Sides:
        prediction, reference = self.tokens.sides
        return prediction.ids.lengths, reference.ids.lengths

    @property
    def sentence_lengths(self) -> Sides:
        prediction, reference = self.sentence_tokens.sides
        return prediction.ids.lengths, reference.ids.lengths

    @lazy_property
    def lcs_lengths(self) -> np.ndarray:
        return lcs_lengths(self.tokens)

    @lazy_property
    def union_lcs_lengths(self) -> np.ndarray:
        tokens = self.sentence_tokens
        if LCS in self.options.families and tokens is self.tokens:
            return union_lcs_lengths(tokens, self.lcs_lengths)
        return union_lcs_lengths(tokens)

    def shown(self, corpus: Corpus) -> ShownPairs:
        """Return the pairs as a measure sees them: as texts, or as sentences."""
        measures = self.options.measures.values()
        levels = set(map(self.options.counts_in_sentences, measures))
        shown_of_level = {level: self._shown_of_level(corpus, level) for level in levels}
        return lambda measure: shown_of_level[self.options.counts_in_sentences(measure)]

    def _shown_of_level(self, corpus: Corpus, in_sentences: bool) -> list[ShownPair]:
        tokens = self.sentence_tokens if in_sentences else self.tokens
        spans = spans_of_texts(corpus, self.texts, self.options, in_sentences=in_sentences)
        shown = shown_pairs(tokens.sides, spans, self.options)
        return shown if in_sentences else [pair.as_one_sentence() for pair in shown]
