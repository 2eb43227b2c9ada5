"""What families see of pairs: the properties that their functions use.

The classes that have them stand above, in the rooms of the conventions. Arrays are of
int64 and have the shape (n_pairs,), but where it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ...spans.ngrams import IdsOfText
from ...tokens import SharedTokens, Tokens

Sides = tuple[np.ndarray, np.ndarray]  # of predictions and of references


class RulesView(Protocol):
    @property
    def lcs_of_distinct_words(self) -> bool: ...


class OptionsView(Protocol):
    """The options, and the rules, that decide what a family counts."""

    @property
    def summary_lcs(self) -> str: ...
    @property
    def rules(self) -> RulesView: ...


class UnitView(Protocol):
    """Pairs with n-grams and skip-bigrams whose counts are clipped."""

    @property
    def matches_of_order(self) -> np.ndarray:
        """N-gram matches, shape (max_order, n_pairs)."""

    @property
    def matches_of_skip(self) -> Mapping[int | None, np.ndarray]:
        """Skip-bigram matches of each `max_skip`."""

    def totals(self, total: Callable[[np.ndarray], np.ndarray]) -> Sides:
        """Return a function of lengths, summed over the units of each text."""


class PaperView(UnitView, Protocol):
    """Pairs as Lin 2004 counts them: as whole texts, and sentence by sentence."""

    @property
    def options(self) -> OptionsView: ...
    @property
    def tokens(self) -> SharedTokens: ...
    @property
    def lengths(self) -> Sides: ...
    @property
    def lcs_lengths(self) -> np.ndarray: ...
    @property
    def sentence_tokens(self) -> SharedTokens:
        """Those of texts whose sentences are tokenized one by one."""

    @property
    def sentence_lengths(self) -> Sides: ...
    @property
    def union_lcs_lengths(self) -> np.ndarray: ...


class PerlView(UnitView, Protocol):
    """Pairs as the two readers of ROUGE-1.5.5 see them."""

    @property
    def tokens(self) -> SharedTokens:
        """What is read for N, S and SU, and for the clipping of L and W."""

    @property
    def line_tokens(self) -> SharedTokens:
        """What is read for the tables of L and W."""

    @property
    def id_of_reference_token(self) -> np.ndarray:
        """Number of (pair, token) of each reference token of `line_tokens`.

        Of tokens that no table matches it may be UNSHARED.
        """

    @property
    def n_allowed(self) -> np.ndarray:
        """How many positions with that number may be hits, shape (n_numbers,)."""

    @property
    def lcs_matches(self) -> np.ndarray:
        """Hits of L."""

    @property
    def unigram_matches_before_last(self) -> np.ndarray:
        """Matches of unigrams, the last token of each text left out."""


class DistinctView(Protocol):
    """Pairs whose n-grams count once, however often a text has them."""

    @property
    def options(self) -> OptionsView: ...
    @property
    def sides(self) -> tuple[Tokens, Tokens]:
        """The tokens of predictions and references, one row per pair."""

    @property
    def ngram_counts(self) -> Mapping[int, np.ndarray]:
        """Matches and both totals of each order, shape (3, n_pairs)."""


@dataclass(frozen=True)
class ExplainedPair:
    """The token ids of one pair.

    Parameters
    ----------
    prediction, reference : IdsOfText
    n_allowed : sequence of int
        For each token of the reference, how many tokens equal to it may count where
        sentences are compared.
    options : OptionsView
    """

    prediction: IdsOfText
    reference: IdsOfText
    n_allowed: Sequence[int]
    options: OptionsView

    def as_one_sentence(self) -> ExplainedPair:
        """Return the pair with each text as one sentence."""
        return replace(
            self,
            prediction=self.prediction.as_one_sentence(),
            reference=self.reference.as_one_sentence(),
        )
