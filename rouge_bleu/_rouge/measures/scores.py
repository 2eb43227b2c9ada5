"""Matches and totals of pairs -> precision, recall and F -> scores of items.

With `matches` common units, of which the prediction has `prediction_total` and the
reference `reference_total`,

    precision = matches / prediction_total
    recall    = matches / reference_total
    F         = (1 + beta^2) precision recall / (beta^2 precision + recall)

after Lin 2004 (https://aclanthology.org/W04-1013). Nothing to match is 0. The scores of
an item come from those of its pairs, by one of `MULTI_REFERENCES`; an item of which no
reference has anything to match is undefined.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ...arrays import first_of_highest

OUTPUTS = ("precision", "recall", "fmeasure")
_COLUMNS = (
    *("matches", "prediction_total", "reference_total"),
    *("prediction_matches", "selection"),
)


@dataclass(frozen=True, kw_only=True)
class PairRules:
    """What an implementation makes of counts otherwise. The defaults are ours.

    Parameters
    ----------
    f_epsilon : float
        What is added below the line in F: 1e-8 in PyPI's rouge and rouge-chinese.
    best_output : str
        The one of `OUTPUTS` by which the best reference is chosen: "recall" in
        rouge-metric.
    has_32_bits : bool
        The scores of a pair are 32-bit numbers, as in torchmetrics. That decides ties
        among references.
    """

    f_epsilon: float = 0.0
    best_output: str = "fmeasure"
    has_32_bits: bool = False


@dataclass(frozen=True)
class PairStatistics:
    """What scores are made of, for each pair; ndarrays, shape (n_pairs,).

    Parameters
    ----------
    matches : ndarray
        Units in common, as recall counts them.
    prediction_total, reference_total : ndarray
    prediction_matches : ndarray or None
        Units in common as precision counts them, where that differs.
    selection : ndarray of float64 or None
        The recall by which ROUGE-1.5.5 chooses the best reference.
    exponent : float
        Of the quotients: 1 / weight for rougeW, else 1.
    rules : PairRules
    """

    matches: np.ndarray
    prediction_total: np.ndarray
    reference_total: np.ndarray
    prediction_matches: np.ndarray | None = None
    selection: np.ndarray | None = None
    exponent: float = 1.0
    rules: PairRules = PairRules()

    @classmethod
    def of(cls, statistics: PairStatistics) -> PairStatistics:
        """Return the same numbers, with the scores of this class."""
        return cls(**{one.name: getattr(statistics, one.name) for one in fields(cls)})

    @classmethod
    def concatenated(cls, parts: Sequence[PairStatistics]) -> PairStatistics:
        """Return the pairs of all parts, which are of the same measure."""
        if len(parts) == 1:
            return parts[0]
        return parts[0]._with_columns(
            lambda name: np.concatenate([getattr(part, name) for part in parts])
        )

    def summed(self, reference_offsets: np.ndarray) -> PairStatistics:
        """Return the sums over the references of each item."""
        starts = reference_offsets[:-1]
        return self._with_columns(lambda name: np.add.reduceat(getattr(self, name), starts))

    def taken(self, pairs: np.ndarray) -> PairStatistics:
        """Return some of the pairs."""
        return self._with_columns(lambda name: getattr(self, name)[pairs])

    def as_floats(self) -> PairStatistics:
        """Return the pairs with counts of float64."""
        return self._with_columns(lambda name: getattr(self, name).astype(np.float64, copy=False))

    def _with_columns(self, column: Callable[[str], np.ndarray]) -> PairStatistics:
        """Return the pairs with another array for each that they have, by its name."""
        there = [name for name in _COLUMNS if getattr(self, name) is not None]
        columns: dict[str, Any] = {name: column(name) for name in there}
        return replace(self, **columns)

    def scores(self, beta: float) -> np.ndarray:
        """Return precision, recall and F, ndarray of float64, shape (3, n_pairs)."""
        prediction_matches = self.prediction_matches
        if prediction_matches is None:
            prediction_matches = self.matches
        precision = prediction_matches / np.maximum(self.prediction_total, 1)
        recall = self.matches / np.maximum(self.reference_total, 1)
        if self.exponent != 1.0:
            precision, recall = precision**self.exponent, recall**self.exponent
        f = self.f_measure(precision, recall, beta)
        return self._rounded(np.array([precision, recall, f]))

    def f_measure(self, precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
        """Return F of precisions and recalls; ndarray of float64."""
        return f_measure(precision, recall, beta, self.rules.f_epsilon)

    def with_f_of_items(
        self, scores: np.ndarray, reference_offsets: np.ndarray, beta: float
    ) -> np.ndarray:
        """Return scores of items with F of their precisions and recalls.

        That of an item of one reference is that of its pair, which is rounded once.
        """
        of_items = self._rounded(self.f_measure(scores[0], scores[1], beta))
        is_single = np.diff(reference_offsets) == 1
        return np.array([scores[0], scores[1], np.where(is_single, scores[2], of_items)])

    def _rounded(self, scores: np.ndarray) -> np.ndarray:
        if self.rules.has_32_bits:
            return scores.astype(np.float32).astype(np.float64)
        return scores


def quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Return the quotients, 0 where nothing is divided by; ndarray of float64."""
    result = np.zeros(len(numerator))
    return np.divide(numerator, denominator, out=result, where=denominator > 0)


def f_measure(
    precision: np.ndarray, recall: np.ndarray, beta: float, epsilon: float = 0.0
) -> np.ndarray:
    """Return F_beta, 0 where precision and recall are.

    `epsilon` is added below the line. The order of the operations is that of
    rouge_score, which decides ties among references. With a beta of 0 or infinity it is
    precision or recall itself.

    >>> f_measure(np.array([1.0, 0.0]), np.array([0.5, 0.0]), 1.0).tolist()
    [0.6666666666666666, 0.0]
    """
    beta = float(beta)
    weight = beta**2 if beta < 1e150 else math.inf
    if weight == 0:
        return precision
    if math.isinf(weight):
        return recall
    with np.errstate(under="ignore"):  # a tiny number is 0, whatever numpy is set to
        numerator = (1.0 + weight) * precision * recall
        denominator = weight * precision + recall + epsilon
    is_positive = denominator > 0
    if is_positive.all():
        return numerator / denominator
    return np.divide(numerator, denominator, out=np.zeros_like(precision), where=is_positive)


def item_scores(
    statistics: PairStatistics,
    reference_offsets: np.ndarray,
    *,
    multi_reference: str,
    beta: float,
    zero_division: float,
) -> np.ndarray:
    """Return precision, recall and F of items, ndarray of float64, shape (3, n_items).

    Parameters
    ----------
    statistics : PairStatistics
    reference_offsets : ndarray of int64, shape (n_items + 1,)
        The pairs of item i are those from `reference_offsets[i]` on.
    multi_reference : str
        One of `MULTI_REFERENCES`.
    beta : float
    zero_division : float
        The score of an item of which no reference has anything to match.
    """
    if len(statistics.matches) == len(reference_offsets) - 1:
        scores, longest = statistics.scores(beta), statistics.reference_total
    else:
        choose = MULTI_REFERENCES[multi_reference]
        scores = choose(statistics, reference_offsets, beta)
        longest = np.maximum.reduceat(statistics.reference_total, reference_offsets[:-1])
    if not longest.all():
        scores[:, longest == 0] = zero_division
    return scores


# --- the choice among references -----------------------------------------------------
# Each takes the statistics of pairs, the offsets of the items' references and beta, and
# returns the scores of items, ndarray of float64, shape (3, n_items).


def _best_reference(
    statistics: PairStatistics, reference_offsets: np.ndarray, beta: float
) -> np.ndarray:
    """The first reference with the highest F, or what the rules go by."""
    scores = statistics.scores(beta)
    by = scores[OUTPUTS.index(statistics.rules.best_output)]
    return scores[:, first_of_highest(by, reference_offsets)]


def _reference_of_best_recall(
    statistics: PairStatistics, reference_offsets: np.ndarray, beta: float
) -> np.ndarray:
    """The first reference with the highest recall."""
    scores = statistics.scores(beta)
    return scores[:, first_of_highest(scores[1], reference_offsets)]


def _separate_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, beta: float
) -> np.ndarray:
    """The highest precision, the highest recall, of any references, and F of the two."""
    starts = reference_offsets[:-1]
    scores = np.maximum.reduceat(statistics.scores(beta), starts, axis=1)
    return statistics.with_f_of_items(scores, reference_offsets, beta)


def _f_of_means(
    statistics: PairStatistics, reference_offsets: np.ndarray, beta: float
) -> np.ndarray:
    """The mean precision, the mean recall, over references, and F of the two."""
    scores = _average_of_references(statistics, reference_offsets, beta)
    return statistics.with_f_of_items(scores, reference_offsets, beta)


def _average_of_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, beta: float
) -> np.ndarray:
    """The mean over references of precision, recall and F each."""
    sums = np.add.reduceat(statistics.scores(beta), reference_offsets[:-1], axis=1)
    return sums / np.diff(reference_offsets)


def _pooled_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, beta: float
) -> np.ndarray:
    """Matches and totals summed over references."""
    return statistics.summed(reference_offsets).scores(beta)


def _jackknifed_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, beta: float
) -> np.ndarray:
    """The mean over all sets of K - 1 of the K references of the best one in the set.

    The best of all is the best of K - 1 of these sets; of the one that lacks it the
    second best is (Lin 2004, section 2.1).
    """
    scores = statistics.scores(beta)
    f = scores[2].copy()
    best = first_of_highest(f, reference_offsets)
    f[best] = -1.0
    second = first_of_highest(f, reference_offsets)
    n_references = np.diff(reference_offsets)
    mean = ((n_references - 1) * scores[:, best] + scores[:, second]) / n_references
    return np.where(n_references > 1, mean, scores[:, best])


MULTI_REFERENCES: dict[str, Callable[[PairStatistics, np.ndarray, float], np.ndarray]] = {
    "best": _best_reference,
    "average": _average_of_references,
    "pooled": _pooled_references,
    "jackknife": _jackknifed_references,
    "separate": _separate_references,
    "recall": _reference_of_best_recall,
    "f_of_means": _f_of_means,
}
