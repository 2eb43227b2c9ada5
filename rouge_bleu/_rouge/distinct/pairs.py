"""The pairs of a chunk by the conventions of PyPI's rouge and rouge-chinese.

Facts about what rouge 1.0.1 (by pltrdy) and rouge-chinese 1.0.3 compute, found by
running them; none of their code is here. Where they leave Lin 2004
(https://aclanthology.org/W04-1013):

* A text has each n-gram once, however often it occurs there.
* rougeL of rouge is about distinct words: those of the longest common subsequence of
  any sentence of the prediction with any of the reference, of all distinct words.
* rougeL of rouge-chinese is the longest common subsequence of the whole texts.

How n-grams are counted stands in `rouge/distinct/ngrams.py`, rougeL in
`rouge/families/lcs.py`, sentences and words in `rouge/distinct/sentences.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import cast

import numpy as np

from ...corpus import Corpus
from ...lazy import lazy_property
from ...spans.tokens import cut_token_spans, given_token_spans
from ...text.tokenizers import tokenized
from ...tokens import Tokens, paired, shared_tokens
from ..measures.family import Counting, Measure
from ..measures.views import DistinctView
from ..pairs.counted import CountedPairs
from ..pairs.shown import ShownPairs, Spans, shown_pairs
from .ngrams import distinct_ngram_counts
from .sentences import sentences_of_words, tokenized_by_stops


@dataclass(frozen=True)
class DistinctPairs(CountedPairs):
    """Pairs whose n-grams count once; see `DistinctView`."""

    @lazy_property
    def sides(self) -> tuple[Tokens, Tokens]:
        options = self.options.tokenizer_options(is_tokenized=True)
        if self.is_tokenized:
            tokens = tokenized(self.texts, options, is_tokenized=True)
        else:
            rule = self.options.rules.sentence_rule
            tokens = tokenized_by_stops(self.texts, rule, options)
        return paired(tokens, self.reference_offsets)

    @property
    def has_tokens(self) -> bool:
        return any(len(side.ids.values) for side in self.sides)

    @lazy_property
    def ngram_counts(self) -> dict[int, np.ndarray]:
        return distinct_ngram_counts(*self.sides, {1, *self.options.orders})

    def counting(self, measure: Measure) -> Counting[DistinctView]:
        return cast(Counting[DistinctView], measure.family.distinct)

    def shown(self, corpus: Corpus) -> ShownPairs:
        """Return the pairs, which are the same for all measures."""
        sides = shared_tokens(*self.sides).sides
        shown = shown_pairs(sides, self._spans(corpus), self.options)
        return lambda measure: shown

    def _spans(self, corpus: Corpus) -> list[Spans]:
        """Return the span of each word of each text.

        An empty word, which blanks behind the last full stop make, has none.
        """
        options = self.options.tokenizer_options(is_tokenized=True)
        if corpus.is_tokenized:
            return given_token_spans(self.texts, options)
        rule = self.options.rules.sentence_rule
        words = [list(chain(*sentences_of_words(text, rule))) for text in self.texts]
        return cut_token_spans(self.texts, words, options)
