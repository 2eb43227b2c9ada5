"""The pairs of a chunk as py-rouge counts them, and its limit of length.

Facts about what py-rouge 1.1 computes; none of its code is here. N-grams are those of
the whole text, L is the union over lines, here rougeLsum, and several references are
pooled, or the first one of the highest recall counts. A text of l words has l - n + 1
n-grams, also below 0, so that a short reference takes n-grams off the others, and a
recall may exceed 1. F is 0 where precision or recall is.

The limit of 665 "bytes" is one of characters: lines are stripped; a line is taken whole
while the sum of lengths is below the limit, else cut to what is left, and the rest is
dropped. Blanks and ends of lines between cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..families.ngrams import NGRAMS
from ..measures.family import Counting, Measure
from ..measures.scores import PairStatistics
from ..measures.views import PaperView
from ..paper.pairs import ColumnPairs


@dataclass(frozen=True)
class SignedStatistics(PairStatistics):
    """Statistics whose totals may be below 0."""

    def scores(self, beta: float) -> np.ndarray:
        precision = _quotient(self.matches, self.prediction_total)
        recall = _quotient(self.matches, self.reference_total)
        return np.array([precision, recall, self.f_measure(precision, recall, beta)])

    def f_measure(self, precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
        if beta == 0:
            return precision
        if beta >= 1e150:
            return recall
        weight = beta**2
        above = (1.0 + weight) * precision * recall
        return _quotient(above, weight * precision + recall)


def _quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    result = np.zeros(len(numerator))
    return np.divide(numerator, denominator, out=result, where=denominator != 0)


@dataclass(frozen=True)
class PyRougePairs(ColumnPairs):
    """Pairs with totals that may be below 0."""

    def counting(self, measure: Measure) -> Counting[PaperView]:
        return replace(measure.family.paper, statistics=_statistics)


def _statistics(pairs: Any, measure: Measure) -> PairStatistics:
    statistics = measure.family.paper.statistics(pairs, measure)
    if measure.family == NGRAMS:
        totals = (lengths - measure.order + 1 for lengths in pairs.lengths)
        prediction_total, reference_total = totals
        statistics = replace(
            statistics, prediction_total=prediction_total, reference_total=reference_total
        )
    return SignedStatistics.of(statistics)


def lines_of_py_rouge(text: str, limit: int) -> str:
    """Return the lines up to a number of characters.

    >>> lines_of_py_rouge(" abc \\ndef\\nghi", 6)
    'abc\\ndef'
    """
    lines = []
    rest = limit
    for line in text.split("\n"):
        line = line.strip()
        lines.append(line[:rest])
        if len(line) >= rest:
            break
        rest -= len(line)
    return "\n".join(lines)
