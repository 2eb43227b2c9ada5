"""What all ways to count the pairs of a chunk have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...corpus import Corpus
from ...kernels.ngrams import ngram_matches
from ...kernels.skip_bigrams import skip_bigram_matches
from ...lazy import lazy_property
from ...tokens import SharedTokens
from ..measures.family import Counting, Measure
from ..measures.scores import PairStatistics
from ..measures.views import Sides
from ..options import RougeOptions
from .shown import ShownPairs


@dataclass(frozen=True)
class CountedPairs(ABC):
    """The pairs of a chunk; each stage is computed when a measure first asks for it.

    Parameters
    ----------
    texts : list
        Predictions, then the references of all items. A list of tokens is one sentence.
    reference_offsets : ndarray of int64, shape (n_items + 1,)
        Where the pairs of each item start.
    is_tokenized : bool
    options : RougeOptions
    """

    texts: list[Any]
    reference_offsets: np.ndarray
    is_tokenized: bool
    options: RougeOptions

    @property
    @abstractmethod
    def has_tokens(self) -> bool:
        """Whether any text has a token."""

    @abstractmethod
    def counting(self, measure: Measure) -> Counting[Any]:
        """Return how a measure is counted here."""

    @abstractmethod
    def shown(self, corpus: Corpus) -> ShownPairs:
        """Return where the tokens stand in a corpus of one item, for explanations."""

    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the matches and totals of each pair for a measure."""
        return self.counting(measure).statistics(self, measure)

    def check(self, first_item: int, n_references_before: int) -> None:
        """Raise where some measure cannot be counted; by most conventions all can.

        The items start with number `first_item`, and the only one of a part of its
        references has `n_references_before` more before them.
        """
        return


@dataclass(frozen=True)
class UnitPairs(CountedPairs):
    """Pairs with n-grams and skip-bigrams whose counts are clipped; see `UnitView`."""

    @property
    @abstractmethod
    def tokens(self) -> SharedTokens:
        """Those of whole texts."""

    @property
    def unit_tokens(self) -> SharedTokens:
        """The tokens of which n-grams and skip-bigrams are made."""
        return self.tokens

    @property
    def has_tokens(self) -> bool:
        return any(len(side.ids.values) for side in self.tokens.sides)

    @lazy_property
    def matches_of_order(self) -> np.ndarray:
        return ngram_matches(
            self.unit_tokens, self.options.max_order, cross_sentences=self.options.cross_sentences
        )

    @lazy_property
    def matches_of_skip(self) -> dict[int | None, np.ndarray]:
        return {
            max_skip: skip_bigram_matches(
                self.unit_tokens, max_skip, cross_sentences=self.options.cross_sentences
            )
            for max_skip in self.options.max_skips
        }

    def totals(self, total: Callable[[np.ndarray], np.ndarray]) -> Sides:
        across = self.options.cross_sentences
        prediction, reference = self.unit_tokens.sides
        return (
            prediction.totals(total, cross_sentences=across),
            reference.totals(total, cross_sentences=across),
        )


# --- limits ---------------------------------------------------------------------------


def limited_texts(texts: list[Any], options: RougeOptions, is_tokenized: bool) -> list[Any]:
    """Return the texts cut to `max_words` words and `max_bytes` bytes of UTF-8."""
    limit = options.max_words
    if limit is not None and is_tokenized:
        texts = [tokens[:limit] for tokens in texts]
    elif limit is not None:
        texts = [_first_words(text, limit) for text in texts]
    if options.max_bytes is not None:
        cut = (text.encode()[: options.max_bytes] for text in texts)
        texts = [text.decode(errors="ignore") for text in cut]
    return texts


def texts_with_cut_lines(
    cut_lines: Callable[[str, int], str],
    texts: list[Any],
    options: RougeOptions,
    is_tokenized: bool,
) -> list[Any]:
    """Return the texts cut to `max_words` words, and to `max_bytes` by a rule of lines."""
    limit = options.max_bytes
    texts = limited_texts(texts, replace(options, max_bytes=None), is_tokenized)
    return texts if limit is None else [cut_lines(text, limit) for text in texts]


def _first_words(text: str, n_words: int) -> str:
    words = text.split(None, n_words)
    return text[: len(text) - len(words[n_words])] if len(words) > n_words else text
