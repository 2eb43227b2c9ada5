"""What all ways to count the pairs of a chunk have in common.

`RougeRules.counting` says which way it is; `rouge/scorer.py` has the table of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..measures.scores import PairStatistics
from ..measures.types import Measure
from ..options.checked import RougeOptions


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
    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the matches and totals of each pair for a measure."""
