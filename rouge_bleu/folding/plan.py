"""What folding has to know of a metric: columns of items, and scores from their sums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..corpus import Corpus
from .exact_sums import PARTS_OF_KIND

Values = Mapping[str, np.ndarray]


class CannotFold(ValueError):
    """Under these options the score of a corpus does not follow from sums."""


@dataclass(frozen=True, kw_only=True)
class FoldPlan:
    """What a metric makes of items and of sums, under some options.

    Parameters
    ----------
    kind_of_column : mapping of str to str
        The columns of items, and of which kind in `folding/exact_sums.py` each one is.
    of_items : function
        From a corpus to the columns of its items, ndarrays of shape (n_items,).
    keys : list of str
        The scores.
    scores : function
        From columns summed over items, or averaged if they are scores, to the scores
        of the corpus, ndarray of float64, shape (n_keys, n_sums).
    item_scores : function
        From columns of items to their scores, shape (n_keys, n_items).
    parts : function
        From the columns of the corpus, shape (1,), to what stands beside the scores.
    """

    kind_of_column: Mapping[str, str]
    of_items: Callable[[Corpus], Values]
    keys: list[str]
    scores: Callable[[Values], np.ndarray]
    item_scores: Callable[[Values], np.ndarray]
    parts: Callable[[Values], dict[str, Any]]

    @property
    def summed_columns(self) -> list[str]:
        """The names under which the sums of the columns are held."""
        return [
            column + part
            for column, kind in self.kind_of_column.items()
            for part in PARTS_OF_KIND[kind]
        ]
