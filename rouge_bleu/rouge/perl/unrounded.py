"""Texts -> matches and totals by the conventions of rouge-metric's PyRouge.

Facts about what rouge-metric 1.0.1 computes, found by running it; none of its code is
here. It counts as ROUGE-1.5.5 does (`rouge/perl/counts.py`): rougeL is that of summaries,
the last word of a text is no unigram of rougeSU, rougeW counts runs in the reference. It
rounds nothing, and a text without words scores 0 in rougeW too.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ground.lazy import lazy_property
from ...ground.tokens import paired
from ...text.sentence_lines import tokenized_sentences, with_sentence_lines
from ...text.tokenizers import tokenized
from ..measures.scores import PairStatistics
from ..measures.types import Measure
from ..pairs.counted import CountedPairs
from .counts import document_counts
from .pairs import DocumentPairs


@dataclass(frozen=True)
class UnroundedPairs(CountedPairs):
    """The pairs of a chunk by these conventions."""

    @lazy_property
    def documents(self) -> DocumentPairs:
        """The pairs as ROUGE-1.5.5 counts them."""
        options = self.options.tokenizer_options(self.is_tokenized)
        if self.is_tokenized:
            tokens = tokenized(self.texts, options, is_tokenized=True)
        else:
            lines = with_sentence_lines(self.texts, self.options.sentence_splitter)
            tokens = tokenized_sentences(lines, options)
        sides = paired(tokens, self.reference_offsets)
        return DocumentPairs.of_sides(sides, self.options)

    @property
    def has_tokens(self) -> bool:
        """Whether any text has a token."""
        return self.documents.has_tokens

    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the matches and totals of each pair for a measure."""
        counts = document_counts(self.documents, measure)
        return PairStatistics(
            matches=counts.matches,
            prediction_total=counts.prediction_total,
            reference_total=counts.reference_total,
            exponent=counts.exponent,
        )
