"""The record of a convention: all that is said of a way to count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...corpus import Corpus
from ..measures.scores import PairStatistics
from ..options import RougeOptions
from .counted import CountedPairs
from .shown import Figures


@dataclass(frozen=True, kw_only=True)
class Convention:
    """How texts are counted and how scores follow. No field has a default.

    Parameters
    ----------
    read : function
        From texts, options and whether they are tokenized to the texts as far as they
        count.
    pairs : function
        From these texts, the offsets of references, whether they are tokenized, and
        options to the pairs of a chunk.
    result : function
        From this record, a corpus, options, the seed of `load` and a baseline to the
        result of `rouge_full`.
    explanation : function
        From this record, a corpus of one item and options to its explanation.
    figures : function
        From the counts of the pairs of an item, the offsets of its references and
        options to the numbers of its explanation.
    has_sentences : bool
        Whether the sentences of a text matter to all rouge types.
    averages_samples : bool
        Whether averages are those of samples of ROUGE-1.5.5, which depend on the order
        of documents.
    chooses_by_f : bool
        Whether a signature has beta where it may decide which reference is the best.
    names_weights : bool
        Whether a signature always has the weight of rougeW, as ROUGE-1.5.5 names it.
    unsigned_options : frozenset of str
        Options that a signature leaves out, since no score depends on them.
    """

    read: Callable[[list[Any], RougeOptions, bool], list[Any]]
    pairs: Callable[[list[Any], np.ndarray, bool, RougeOptions], CountedPairs]
    result: Callable[[Convention, Corpus, RougeOptions, int, Corpus | None], dict[str, Any]]
    explanation: Callable[[Convention, Corpus, RougeOptions], dict[str, Any]]
    figures: Callable[[PairStatistics, np.ndarray, RougeOptions], Figures]
    has_sentences: bool
    averages_samples: bool
    chooses_by_f: bool
    names_weights: bool
    unsigned_options: frozenset[str]
