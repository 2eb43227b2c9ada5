"""From counts of pairs to scores of pairs, of examples and of the corpus.

    precision = matches / prediction_total, recall = matches / reference_total
    F         = (1 + beta^2) precision recall / (beta^2 precision + recall)

(Lin 2004, https://aclanthology.org/W04-1013), and 0 if the denominator is 0. Counts are
float64, shape (n_rows, n_rouge_types, n_pairs), with the rows `COUNT_NAMES`; ROUGE-1.5.5 adds a row, which
chooses the best reference. Scores have the shape (3, n_rouge_types, n_pairs or n_examples). The pairs of
example i are those from `reference_offsets[i]` on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, pairwise
from operator import itemgetter

import numpy as np

from ..arrays import argmax_per_row
from ..rouge_types.family import COUNT_NAMES, Count
from .options import RougeOptions
from .rules import OUTPUTS

_RECALL, _F = 1, 2


def quotient(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """Return the quotients, 0 if the denominator is 0; ndarray of float64."""
    result = np.zeros(np.shape(numerator))
    return np.divide(numerator, denominator, out=result, where=denominator != 0)


def f_measure(
    precision: np.ndarray, recall: np.ndarray, beta: float, epsilon: float = 0.0
) -> np.ndarray:
    """Return F_beta, in rouge_score's order of operations, because rounding decides ties."""
    beta = float(beta)
    weight = beta**2 if beta < 1e150 else math.inf
    if weight == 0:
        return precision
    if math.isinf(weight):
        return recall
    with np.errstate(under="ignore"):  # underflow gives 0, whatever the settings of numpy
        numerator = (1.0 + weight) * precision * recall
        denominator = weight * precision + recall + epsilon
        return quotient(numerator, denominator)


def precision_and_recall(counts: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return precision and recall; rougeW applies the inverse of its weight function."""
    scores = quotient(counts[:2], counts[2:4])
    families = zip(options.types_by_name.values(), options.families_of_types, strict=True)
    for k, (rouge_type, family) in enumerate(families):
        if family.inverse is not None:
            scores[:, k] = family.inverse(rouge_type, scores[:, k])
    return scores


def _with_f_measure(precision_recall: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return precision, recall and F by the formula of the preset."""
    precision, recall = precision_recall
    rules = options.rules
    scores = np.empty((3, *precision.shape))
    scores[:_F] = precision_recall
    scores[_F] = f_measure(precision, recall, options.beta, rules.f_epsilon)
    for k, family in enumerate(options.families_of_types):
        if family.formula is not None:
            scores[_F, k] = family.formula(precision[k], recall[k])
    return scores.astype(np.float32).astype(np.float64) if rules.has_32_bits else scores


def pair_scores(counts: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the scores of pairs."""
    return _with_f_measure(precision_and_recall(counts, options), options)


# --- pairs -> examples ----------------------------------------------------------------------------


def example_scores(
    counts: np.ndarray, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """Return the scores of examples: `zero_division` if no reference has units to match."""
    longest = counts[3]
    if counts.shape[2] == len(reference_offsets) - 1:
        scores = pair_scores(counts, options)
    else:
        scores = _scores_of_several_references(counts, reference_offsets, options)
        longest = np.maximum.reduceat(longest, reference_offsets[:-1], axis=-1)
    if not longest.all():
        scores[:, longest == 0] = options.zero_division
    return scores


def scores_of_few(
    counts: Sequence[Sequence[Count]], reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """Return the wanted `example_scores` of counts of each type, pair by pair.

    Python's floats are rounded like those of numpy, and take less time if pairs are few.
    """
    weight, epsilon = float(options.beta) ** 2, options.rules.f_epsilon
    choice = itemgetter(_RECALL if options.multi_reference == "recall" else _F)
    undefined = (options.zero_division,) * 3
    of_pairs = []
    for matches, p_total, r_total in chain.from_iterable(counts):
        p = matches / p_total if p_total else 0.0
        r = matches / r_total if r_total else 0.0
        denominator = weight * p + r + epsilon
        f = (1.0 + weight) * p * r / denominator if denominator else 0.0
        of_pairs.append((p, r, f) if r_total else undefined)
    of_examples = of_pairs
    # A score that equals `undefined` is left out too, and the default is the same.
    if len(counts[0]) >= len(reference_offsets):  # some examples have several
        of_examples = [
            max(filter(undefined.__ne__, of_pairs[start:end]), key=choice, default=undefined)
            for first in range(0, len(of_pairs), len(counts[0]))
            for start, end in pairwise((reference_offsets + first).tolist())
        ]
    wanted = [[one[OUTPUTS.index(name)] for one in of_examples] for name in options.scored_outputs]
    return np.array(wanted).reshape(len(wanted), len(counts), -1)


def _scores_of_several_references(
    counts: np.ndarray, offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """Return the scores of examples if some have several references."""
    choice, starts, n_references = options.multi_reference, offsets[:-1], np.diff(offsets)
    if choice == "pooled":
        return pair_scores(np.add.reduceat(counts, starts, axis=-1), options)
    of_pairs = pair_scores(counts, options)
    if choice in ("best", "recall"):
        return take_pairs(of_pairs, chosen_pairs(counts, of_pairs, offsets, choice))
    if choice == "jackknife":
        # The best of all K references is the best in K - 1 of the sets; in the set without it,
        # the second best is (Lin 2004, section 2.1).
        f = of_pairs[_F].copy()
        first = argmax_per_row(f, offsets)
        np.put_along_axis(f, first, -1.0, axis=1)
        best, second = take_pairs(of_pairs, first), take_pairs(of_pairs, argmax_per_row(f, offsets))
        return np.where(n_references > 1, ((n_references - 1) * best + second) / n_references, best)
    if choice == "separate":
        scores = np.maximum.reduceat(of_pairs, starts, axis=-1)
    else:
        scores = np.add.reduceat(of_pairs, starts, axis=-1) / n_references
    if choice != "average":  # with one reference, F of the example is F of the pair: rounded once
        f = _with_f_measure(scores[:2], options)[_F]
        scores[_F] = np.where(n_references == 1, scores[_F], f)
    return scores


def take_pairs(rows: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    """Return the values of rows, shape (n_rows, n_rouge_types, n_pairs), at a pair of each example."""
    return np.take_along_axis(rows, pairs[np.newaxis], axis=2)


def chosen_pairs(
    counts: np.ndarray, scores: np.ndarray, reference_offsets: np.ndarray, choice: str
) -> np.ndarray:
    """Return the pair of each example that multi_reference="best" or "recall" chooses."""
    if choice == "best" and len(counts) > len(COUNT_NAMES):
        return argmax_per_row(counts[-1], reference_offsets)
    return argmax_per_row(scores[_RECALL if choice == "recall" else _F], reference_offsets)
