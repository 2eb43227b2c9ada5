"""The pairs of a chunk as rouge.py of tensorflow/nmt counts them.

Facts about what the script computes; none of its code is here. A text is stripped and
split at every single blank, has each n-gram once, and L is the longest common
subsequence of the whole texts. With precision P and recall R,

    F of n-grams = 2 P R / (P + R + 1e-8)
    F of L = (1 + b^2) R P / (R + b^2 P + 1e-12),   b = P / (R + 1e-12)
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...corpus import Corpus
from ...lazy import lazy_property
from ...spans.tokens import cut_token_spans, given_token_spans
from ...text.tokenizers import tokenized
from ...tokens import Tokens, paired
from ..distinct.pairs import DistinctPairs
from ..families.lcs import LCS
from ..measures.family import Counting, Measure
from ..measures.scores import PairStatistics
from ..measures.views import DistinctView
from ..pairs.shown import Spans

_TINY = 1e-12


@dataclass(frozen=True)
class LcsStatistics(PairStatistics):
    """Statistics of L, whose F has a beta of each pair."""

    def f_measure(self, precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
        square = (precision / (recall + _TINY)) ** 2
        below = recall + square * precision + _TINY
        return (1 + square) * recall * precision / below


@dataclass(frozen=True)
class NmtPairs(DistinctPairs):
    """Pairs of texts that are split at single blanks."""

    @lazy_property
    def words(self) -> list[Any]:
        """The words of each text."""
        if self.is_tokenized:
            return [list(tokens) or [""] for tokens in self.texts]
        return [text.strip().split(" ") for text in self.texts]

    @lazy_property
    def sides(self) -> tuple[Tokens, Tokens]:
        options = self.options.tokenizer_options(is_tokenized=True)
        tokens = tokenized(self.words, options, is_tokenized=True)
        return paired(tokens, self.reference_offsets)

    def counting(self, measure: Measure) -> Counting[DistinctView]:
        counting = super().counting(measure)
        if measure.family != LCS:
            return counting
        return replace(counting, statistics=_lcs_statistics)

    def _spans(self, corpus: Corpus) -> list[Spans]:
        options = self.options.tokenizer_options(is_tokenized=True)
        if corpus.is_tokenized:
            return given_token_spans(self.words, options)
        return cut_token_spans(self.texts, self.words, options)


def _lcs_statistics(pairs: Any, measure: Measure) -> PairStatistics:
    statistics = LCS.distinct.statistics(pairs, measure)  # type: ignore[union-attr]
    return LcsStatistics.of(statistics)
