"""From counts of pairs to scores of pairs, of examples and of the corpus.

A pair is a prediction with one of its references, an example is a prediction with all of them. With
`matches` common units, of which the prediction has `prediction_total` and the reference
`reference_total`,

    precision = matches / prediction_total
    recall    = matches / reference_total
    F         = (1 + beta^2) precision recall / (beta^2 precision + recall)

(Lin 2004, https://aclanthology.org/W04-1013), and 0 where there is nothing to divide by. One of
`MULTI_REFERENCES` makes the scores of an example from those of its pairs. The score of the corpus is
the mean of the examples, or what the preset takes instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import first_of_highest
from ..resampling import shares

if TYPE_CHECKING:
    from .options import RougeOptions

OUTPUTS = ("precision", "recall", "fmeasure")
_COLUMNS = ("matches", "prediction_total", "reference_total", "prediction_matches", "selection")


@dataclass(frozen=True, kw_only=True)
class PairRules:
    """What an implementation makes of counts otherwise. The defaults are ours."""

    f_epsilon: float = 0.0  # added below the line in F: 1e-8 in PyPI's rouge and rouge-chinese
    has_32_bits: bool = False  # scores of pairs have 32 bits, as in torchmetrics; that decides ties


def quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Return the quotients, 0 where nothing is divided by; ndarray of float64."""
    if denominator.all():
        return numerator / denominator
    result = np.zeros(np.shape(numerator))
    return np.divide(numerator, denominator, out=result, where=denominator != 0)


def f_measure(
    precision: np.ndarray, recall: np.ndarray, beta: float, epsilon: float = 0.0
) -> np.ndarray:
    """Return F_beta, 0 where precision and recall are; `epsilon` is added below the line.

    The order of the operations is that of rouge_score, which decides ties among references. With a
    beta of 0 or infinity it is precision or recall itself.

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
        return quotient(numerator, denominator)


# From precision, recall, beta and epsilon to F.
Formula = Callable[[np.ndarray, np.ndarray, float, float], np.ndarray]


@dataclass(frozen=True)
class PairStatistics:
    """What the scores of pairs are made of; ndarrays of shape (n_pairs,)."""

    matches: np.ndarray  # units in common, as recall counts them
    prediction_total: np.ndarray
    reference_total: np.ndarray
    prediction_matches: np.ndarray | None = None  # as precision counts them, where that differs
    selection: np.ndarray | None = None  # chooses the best reference, where F does not
    exponent: float = 1.0  # of the quotients: 1 / weight for rougeW
    formula: Formula = f_measure

    @classmethod
    def concatenated(cls, parts: Sequence[PairStatistics]) -> PairStatistics:
        """Return the pairs of all parts, which are of the same rouge type."""
        if len(parts) == 1:
            return parts[0]
        return parts[0]._with_columns(
            lambda name: np.concatenate([getattr(part, name) for part in parts])
        )

    def summed(self, reference_offsets: np.ndarray) -> PairStatistics:
        """Return the sums over the references of each example."""
        starts = reference_offsets[:-1]
        return self._with_columns(lambda name: np.add.reduceat(getattr(self, name), starts))

    def taken(self, pairs: np.ndarray) -> PairStatistics:
        """Return some of the pairs."""
        return self._with_columns(lambda name: getattr(self, name)[pairs])

    def as_floats(self) -> PairStatistics:
        """Return the pairs with counts of float64."""
        return self._with_columns(lambda name: getattr(self, name).astype(np.float64, copy=False))

    def _with_columns(self, column: Callable[[str], np.ndarray]) -> PairStatistics:
        names = [name for name in _COLUMNS if getattr(self, name) is not None]
        columns: dict[str, Any] = {name: column(name) for name in names}
        return replace(self, **columns)

    def scores(self, options: RougeOptions) -> np.ndarray:
        """Return precision, recall and F, ndarray of float64, shape (3, n_pairs)."""
        prediction_matches = self.prediction_matches
        if prediction_matches is None:
            prediction_matches = self.matches
        precision = quotient(prediction_matches, self.prediction_total)
        recall = quotient(self.matches, self.reference_total)
        if self.exponent != 1.0:
            precision, recall = precision**self.exponent, recall**self.exponent
        rules = options.rules.pairs
        f = self.formula(precision, recall, options.beta, rules.f_epsilon)
        return _rounded(np.array([precision, recall, f]), rules)

    def with_f_of_examples(
        self, scores: np.ndarray, reference_offsets: np.ndarray, options: RougeOptions
    ) -> np.ndarray:
        """Return scores of examples with F of their precisions and recalls.

        F of an example with one reference is that of its pair, which is rounded once.
        """
        rules = options.rules.pairs
        f = _rounded(self.formula(scores[0], scores[1], options.beta, rules.f_epsilon), rules)
        is_single = np.diff(reference_offsets) == 1
        return np.array([scores[0], scores[1], np.where(is_single, scores[2], f)])


def _rounded(scores: np.ndarray, rules: PairRules) -> np.ndarray:
    return scores.astype(np.float32).astype(np.float64) if rules.has_32_bits else scores


# --- pairs -> examples ----------------------------------------------------------------------------


def example_scores(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """Return precision, recall and F of examples, ndarray of float64, shape (3, n_examples).

    The pairs of example i are those from `reference_offsets[i]` on. Where no reference of an example
    has anything to match, its scores are `options.zero_division`.
    """
    if len(statistics.matches) == len(reference_offsets) - 1:
        scores, longest = statistics.scores(options), statistics.reference_total
    else:
        choose = MULTI_REFERENCES[options.multi_reference]
        scores = choose(statistics, reference_offsets, options)
        longest = np.maximum.reduceat(statistics.reference_total, reference_offsets[:-1])
    if not longest.all():
        scores[:, longest == 0] = options.zero_division
    return scores


def best_references(
    statistics: PairStatistics, scores: np.ndarray, reference_offsets: np.ndarray, choice: str
) -> np.ndarray:
    """Return the pair of each example that multi_reference="best" or "recall" takes: the first best."""
    by = scores[OUTPUTS.index("recall" if choice == "recall" else "fmeasure")]
    if choice == "best" and statistics.selection is not None:
        by = statistics.selection
    return first_of_highest(by, reference_offsets)


# Each of these takes the statistics of pairs, the offsets of the references of examples and options,
# and returns the scores of examples, ndarray of float64, shape (3, n_examples).


def _best_reference(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """The scores of the first reference with the highest F or recall."""
    scores = statistics.scores(options)
    return scores[
        :, best_references(statistics, scores, reference_offsets, options.multi_reference)
    ]


def _separate_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """The highest precision, the highest recall, of any references, and F of the two."""
    scores = np.maximum.reduceat(statistics.scores(options), reference_offsets[:-1], axis=1)
    return statistics.with_f_of_examples(scores, reference_offsets, options)


def _f_of_means(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """The mean precision, the mean recall, over references, and F of the two."""
    scores = _average_of_references(statistics, reference_offsets, options)
    return statistics.with_f_of_examples(scores, reference_offsets, options)


def _average_of_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """The mean over references of precision, recall and F each."""
    sums = np.add.reduceat(statistics.scores(options), reference_offsets[:-1], axis=1)
    return sums / np.diff(reference_offsets)


def _pooled_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """The scores of matches and totals that are summed over references."""
    return statistics.summed(reference_offsets).scores(options)


def _jackknifed_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """The mean over all sets of K - 1 of the K references of the best one in the set.

    The best of all is the best of K - 1 of these sets; of the one that lacks it the second best is
    (Lin 2004, section 2.1).
    """
    scores = statistics.scores(options)
    f = scores[2].copy()
    best = first_of_highest(f, reference_offsets)
    f[best] = -1.0
    second = first_of_highest(f, reference_offsets)
    n_references = np.diff(reference_offsets)
    mean = ((n_references - 1) * scores[:, best] + scores[:, second]) / n_references
    return np.where(n_references > 1, mean, scores[:, best])


MULTI_REFERENCES: dict[str, Callable[[PairStatistics, np.ndarray, RougeOptions], np.ndarray]] = {
    "best": _best_reference,
    "average": _average_of_references,
    "pooled": _pooled_references,
    "jackknife": _jackknifed_references,
    "separate": _separate_references,
    "recall": _best_reference,
    "f_of_means": _f_of_means,
}


# --- examples -> corpus ---------------------------------------------------------------------------

# Of examples for each rouge type, ndarrays of float64, shape (n_outputs, n_examples); or of the
# corpus, shape (n_outputs,).
Scores = Mapping[str, np.ndarray]

_N_RESAMPLES = 1000  # of rouge_score's BootstrapAggregator
_MAX_DRAWN = 1 << 20  # scores drawn at once


def outputs_of_means(means: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the outputs that are asked for from the means of those that were scored.

    Under the average "f_of_means" F is that of the mean precision and the mean recall. Shape
    (n_outputs, n_means).
    """
    if options.rules.average != "f_of_means":
        return means
    f = f_measure(means[0], means[1], options.beta)
    wanted = [OUTPUTS.index(output) for output in options.outputs]
    return np.stack([means[0], means[1], f])[wanted]


def median_of_resampled_means(scores: Scores, seed: int) -> Scores:
    """Return the median over 1,000 resamples of the mean of each output, as evaluate's `rouge`.

    numpy's legacy generator draws as many examples as there are with replacement, for all types in
    their order. Means are summed example after example, as `mean` over the first axis of an
    (n_examples, 3) matrix does, so that the last digit agrees.
    """
    random = np.random.RandomState(seed)
    medians = {}
    for name, all_columns in scores.items():
        columns = all_columns[:, ~np.isnan(all_columns[0])]
        n_examples = columns.shape[1]
        if not n_examples:
            medians[name] = np.full(len(columns), np.nan)
            continue
        n_of_blocks = shares(_N_RESAMPLES, max(1, _MAX_DRAWN // n_examples))
        means = [_drawn_means(columns, random, n) for n in n_of_blocks]
        medians[name] = np.percentile(np.concatenate(means, axis=1), 50, axis=1)
    return medians


def _drawn_means(
    columns: np.ndarray, random: np.random.RandomState, n_resamples: int
) -> np.ndarray:
    """Return the means of so many resamples, ndarray of float64, shape (n_outputs, n_resamples)."""
    n_examples = columns.shape[1]
    drawn = random.randint(0, n_examples, size=(n_resamples, n_examples))
    drawn = np.ascontiguousarray(drawn.T)
    # Rows of more than one number are added one after the other; a single column numpy would add up
    # in pairs.
    sums = [
        np.cumsum(column[drawn], axis=0)[-1]
        if n_resamples == 1
        else np.add.reduce(column[drawn], axis=0)
        for column in columns
    ]
    return np.stack(sums) / n_examples


def stacked(scores: Scores) -> np.ndarray:
    """Return the outputs of all types one below the other."""
    return np.concatenate(list(scores.values()))
