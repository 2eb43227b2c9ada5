"""Texts -> matches and totals by the conventions of PyPI's rouge and rouge-chinese.

Facts about what rouge 1.0.1 (by pltrdy) and rouge-chinese 1.0.3 compute, found by
running them; none of their code is here. Where they leave Lin 2004
(https://aclanthology.org/W04-1013):

* A text has each n-gram once, however often it occurs there.
* rougeL of rouge is about distinct words: those of the longest common subsequence of
  any sentence of the prediction with any of the reference, of all distinct words. Of
  several such subsequences it takes the one that the union LCS of rouge_score takes
  with the sides changed.
* rougeL of rouge-chinese is the longest common subsequence of the whole texts.

Sentences and words stand in `rouge/distinct/sentences.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...ground.lazy import lazy_property
from ...ground.tokens import Tokens, paired, shared_tokens
from ...kernels.lcs.lengths import lcs_lengths
from ...kernels.lcs.union import union_lcs_mask
from ...text.tokenizers import tokenized
from ..measures.scores import PairStatistics
from ..measures.types import Measure
from ..pairs.counted import CountedPairs
from .ngrams import distinct_ngram_counts
from .sentences import tokenized_by_stops


@dataclass(frozen=True)
class DistinctPairs(CountedPairs):
    """The pairs of a chunk by these conventions."""

    @lazy_property
    def sides(self) -> tuple[Tokens, Tokens]:
        """The tokens of predictions and references, one row per pair."""
        options = self.options.tokenizer_options(is_tokenized=True)
        if self.is_tokenized:
            tokens = tokenized(self.texts, options, is_tokenized=True)
        else:
            rule = self.options.rules.sentence_rule
            tokens = tokenized_by_stops(self.texts, rule, options)
        return paired(tokens, self.reference_offsets)

    @property
    def has_tokens(self) -> bool:
        """Whether any text has a token."""
        return any(len(side.ids.values) for side in self.sides)

    @lazy_property
    def ngram_counts(self) -> dict[int, np.ndarray]:
        """Matches and totals of each order that is asked for, and of words."""
        measures = self.options.measures.values()
        orders = {measure.order for measure in measures if measure.family == "N"}
        return distinct_ngram_counts(*self.sides, orders | {1})

    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the matches and totals of each pair for a measure."""
        counts = self._counts(measure)
        return PairStatistics(
            matches=counts[0], prediction_total=counts[1], reference_total=counts[2]
        )

    def _counts(self, measure: Measure) -> Sequence[np.ndarray]:
        """Return the matches, and the totals of both sides."""
        if measure.family == "N":
            return tuple(self.ngram_counts[measure.order])
        if self.options.rules.lcs_of_distinct_words:
            return (self._matches_of_sentences(), *self.ngram_counts[1][1:])
        lengths = (side.ids.lengths for side in self.sides)
        return (lcs_lengths(shared_tokens(*self.sides)), *lengths)

    def _matches_of_sentences(self) -> np.ndarray:
        """Return how many distinct words the LCS of sentences have.

        Result: ndarray of int64, shape (n_pairs,).
        """
        prediction, reference = self.sides
        tokens = shared_tokens(reference, prediction)
        in_lcs = union_lcs_mask(tokens)
        word = np.unique(tokens.reference.ids.values[in_lcs])
        return np.bincount(tokens.item_of_id[word], minlength=tokens.n_items)
