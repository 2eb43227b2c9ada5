"""Statistics -> the factors of BLEU: smoothed n-gram precisions, and the brevity penalty.

With m_n matches among t_n n-grams of order n, and 0 where t_n = 0 (but add-k gives 1):

    none           p_n = m_n / t_n
    floor          e / t_n where m_n = 0, e = 0.1                                    (1)
    add-k          (m_n + k) / (t_n + k) for n > 1, k = 1                            (2)
    exp            1 / (2^j t_n) for the j-th order with m_n = 0                     (3)
    chen-cherry-4  ln(c) / (2^j K t_n) for the j-th order with m_n = 0, K = 5, c tokens
    chen-cherry-5  p'_n = (p'_(n-1) + p_n + p_(n+1)) / 3, p'_0 = p_1 + 1
    chen-cherry-6  for n > 2: (m_n + a q) / (l_n + a), q = p_(n-1)^2 / p_(n-2), a = 5,
                   l_n n-grams in the prediction
    chen-cherry-7  4, then 5

Numbers are those of Chen and Cherry 2014 (https://aclanthology.org/W14-3346), 4 to 7 as NLTK
computes them, with t_n = 1 for t_n = 0 in 4; the others follow sacreBLEU.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..arrays import first_of_highest

_CHEN_CHERRY_K = 5.0
_CHEN_CHERRY_ALPHA = 5.0


class BleuStatistics(NamedTuple):
    """The statistics of items, or sums of them, with a column for each."""

    # n-grams of the prediction that are in a reference, each at most as often as in the reference
    # that has it most often (Papineni et al. 2002, section 2.1); shape (n_orders, n_items)
    matches: np.ndarray
    totals: np.ndarray  # denominators: `n_ngrams`, or the least total of a preset
    n_ngrams: np.ndarray  # of the prediction
    lengths: np.ndarray  # c, r, and the tokens of all references together; shape (3, n_items)

    @classmethod
    def of_values(cls, values: np.ndarray) -> BleuStatistics:
        """Return the statistics in a matrix with the rows of `kinds_of_statistics`."""
        n = len(values) // 3 - 1  # orders
        return cls(values[:n], values[n : 2 * n], values[2 * n : -3], values[-3:])


# --- reference lengths ----------------------------------------------------------------
# (lengths of all references, their offsets, lengths of predictions) -> r of each prediction

ReferenceLength = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def closest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray, takes_first: bool = False
) -> np.ndarray:
    """Return the reference length closest to the prediction; on a tie the shorter, or the first."""
    if len(reference) == len(prediction):  # one reference each
        return reference
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    limit = int(reference.max(initial=0)) + 1
    key = distance if takes_first else distance * limit + reference
    return reference[first_of_highest(-key, offsets)]


REFERENCE_LENGTHS: dict[str, ReferenceLength] = {
    "closest": closest_length,
    "shortest": lambda reference, offsets, prediction: np.minimum.reduceat(reference, offsets[:-1]),
    "average": lambda reference, offsets, prediction: (
        np.add.reduceat(reference, offsets[:-1]) / np.diff(offsets)
    ),
}


# --- factors ---------------------------------------------------------------------------

# From statistics, the number of orders and the value of the smoothing to precisions of the
# first orders, shape (n_orders, n_items).
Precisions = Callable[[BleuStatistics, int, float], np.ndarray]


def brevity_penalty(translation_length: np.ndarray, reference_length: np.ndarray) -> np.ndarray:
    """Return 1 where c >= r, else exp(1 - r / c); 0 for an empty translation."""
    quotient = reference_length / np.maximum(translation_length, 1e-300)  # huge if c is 0
    return np.exp(np.minimum(1.0 - quotient, 0.0))


@dataclass(frozen=True)
class Smoothing:
    """Formulas for precisions and brevity penalty: a smoothing, or those of another package."""

    precisions: Precisions
    default_value: float | None = None  # of its parameter; None: it has no parameter
    looks_ahead: bool = False  # whether it needs the counts of one more order
    adds_to_totals: bool = False  # whether its value counts as n-grams of the prediction
    needs_match: bool = True  # whether all precisions are 0 if no unigram matches
    penalty: Callable[[np.ndarray, np.ndarray], np.ndarray] = brevity_penalty  # of c and r
    # BLEU is the unchanged product, even if nothing matches or a side is empty.
    is_complete: bool = False


def plain_precisions(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    """Return m / t of the first orders, 0 if t is 0."""
    return statistics.matches[:n_orders] / np.maximum(statistics.totals[:n_orders], 1)


def _floor(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    matches, totals = statistics.matches[:n_orders], statistics.totals[:n_orders]
    is_missed = (matches == 0) & (totals > 0)
    return np.where(is_missed, value, matches) / np.maximum(totals, 1)


def add_k(
    statistics: BleuStatistics, n_orders: int, value: float, *, to_words: float = 0.0
) -> np.ndarray:
    """Return (m + k) / (t + k) of the first orders, with `to_words` as k for unigrams."""
    added = np.full((n_orders, 1), value)
    added[0] = to_words
    matches = statistics.matches[:n_orders] + added
    totals = statistics.totals[:n_orders] + added
    return np.divide(matches, totals, out=np.zeros(totals.shape), where=totals > 0)


def exp(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    """Return the precisions, 1 / (2^j t) for the j-th order that has n-grams and no match."""
    matches, totals = statistics.matches[:n_orders], statistics.totals[:n_orders]
    is_missed = (matches == 0) & (totals > 0)
    numerator = np.where(is_missed, 0.5 ** np.cumsum(is_missed, axis=0), matches)
    return numerator / np.maximum(totals, 1)


def _chen_cherry_4(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    matches, totals = statistics.matches[:n_orders], statistics.totals[:n_orders]
    logarithm = np.log(np.maximum(statistics.lengths[0], 1))
    is_missed = matches == 0  # an order without n-grams has no matches either
    smoothed = logarithm / (2.0 ** np.cumsum(is_missed, axis=0) * _CHEN_CHERRY_K)
    return np.where(is_missed, smoothed, matches) / np.maximum(totals, 1)


def _chen_cherry_6(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    precisions = plain_precisions(statistics, n_orders, value)
    for n in range(2, n_orders):
        before, two_before = precisions[n - 1], precisions[n - 2]
        expected = np.divide(before**2, two_before, out=np.zeros_like(before), where=two_before > 0)
        matches = statistics.matches[n] + _CHEN_CHERRY_ALPHA * expected
        precisions[n] = matches / (statistics.n_ngrams[n] + _CHEN_CHERRY_ALPHA)
    return precisions


def _averaged(method: Precisions) -> Smoothing:
    """Return the smoothing that averages the precisions of a method with their neighbours."""

    def precisions(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
        next_order = plain_precisions(statistics, n_orders + 1, value)[n_orders:]
        found = np.concatenate([method(statistics, n_orders, value), next_order])
        averaged = [found[0] + 1.0]
        for this, following in pairwise(found):
            averaged.append((averaged[-1] + this + following) / 3.0)
        return np.stack(averaged[1:])

    return Smoothing(precisions, looks_ahead=True)


# (m_n + 1) / (t_n + 1) for every n, as in evaluate's `bleu`.
PLUS_ONE = Smoothing(
    lambda statistics, n_orders, value: add_k(statistics, n_orders, 1.0, to_words=1.0),
    needs_match=False,
)
SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(plain_precisions, needs_match=False),  # nothing is smoothed
    "floor": Smoothing(_floor, default_value=0.1),
    "add-k": Smoothing(add_k, default_value=1.0, adds_to_totals=True),
    "exp": Smoothing(exp),
    "chen-cherry-4": Smoothing(_chen_cherry_4),
    "chen-cherry-5": _averaged(plain_precisions),
    "chen-cherry-6": Smoothing(_chen_cherry_6),
    "chen-cherry-7": _averaged(_chen_cherry_4),
}

# --- formulas of single programs ------------------------------------------------------
# They replace a smoothing in their presets. They were found by running the scripts and contain none
# of their code. c are the tokens of predictions and r the reference length.

# BLEU is the unchanged product.
_Formula = partial(Smoothing, needs_match=False, is_complete=True)

# --- coco-caption, pycocoevalcap and nlg-eval -----------------------------------------
#
#     p_n = (m_n + e) / (t_n + s),   e = 1e-15, s = 1e-9      (found by running pycocoevalcap 1.2)
#     BP  = min(1, exp(1 - 1 / q)),  q = (c + e) / (r + s)

_E, _S = 1e-15, 1e-9


def _coco_precisions(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    return (statistics.matches[:n_orders] + _E) / (statistics.totals[:n_orders] + _S)


def _coco_penalty(c: np.ndarray, r: np.ndarray) -> np.ndarray:
    return np.exp(np.minimum(1.0 - 1.0 / ((c + _E) / (r + _S)), 0.0))


COCO_CAPTION = _Formula(_coco_precisions, penalty=_coco_penalty)

# --- smooth BLEU-4 of CodeXGLUE's code-to-text task and of CodeNN, "BLEU-CN" ----------
#
#     p_1 = (m_1 + M) / (t_1 + M),   p_n = (m_n + 1 + M) / (t_n + 1 + M) for n > 1
#     BP  = min(1, exp(1 - (r + 1) / (c + 1)))
#
# with M = 2.2e-308, the least normal float, and the shortest reference as r. A corpus has the mean
# over its items.


def _codexglue_penalty(c: np.ndarray, r: np.ndarray) -> np.ndarray:
    return np.exp(np.minimum(1.0 - (r + 1.0) / (c + 1.0), 0.0))


_LEAST = sys.float_info.min
CODEXGLUE = _Formula(
    lambda statistics, n_orders, value: add_k(statistics, n_orders, 1.0 + _LEAST, to_words=_LEAST),
    penalty=_codexglue_penalty,
)

# --- mteval-v13a.pl and t2t-bleu ------------------------------------------------------
#
#     p_n = m_n / t_n,  1 / (2^k t_n) for the k-th order without match,  1 where t_n = 0
#
# and 0 for an empty prediction. Corpora of usual size have the BLEU of sacreBLEU. Without smoothing
# mteval does not differ.


def _mteval_precisions(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    return np.where(statistics.totals[:n_orders] > 0, exp(statistics, n_orders, value), 1.0)


def _mteval_penalty(c: np.ndarray, r: np.ndarray) -> np.ndarray:
    return np.where(c > 0, brevity_penalty(c, r), 0.0)


MTEVAL = _Formula(_mteval_precisions, penalty=_mteval_penalty)

# --- pymteval, the stand-in for mteval in e2e-metrics and GEM-metrics -----------------
#
# A text of c words has c - n + 1 n-grams, even below 0: a text of one word subtracts 2 from the
# 4-grams of a corpus. With matches m and n-grams t of the corpus
#
#     p_n = max(m_n, 1e-15) / max(t_n, 1e-9),   BP = 1 if c > r, else exp(1 - r / c)
#
# so that a segment may be above 1; a c of 0 counts as 1e-5 in the quotient. Its smoothing is not here.


def _pymteval_precisions(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    matches = np.maximum(statistics.matches[:n_orders], _E)
    return matches / np.maximum(statistics.totals[:n_orders], _S)


def _pymteval_penalty(c: np.ndarray, r: np.ndarray) -> np.ndarray:
    return np.where(c > r, 1.0, np.exp(1.0 - r / np.maximum(c, 1e-5)))


PYMTEVAL = _Formula(_pymteval_precisions, penalty=_pymteval_penalty)

# --- NLTK before 3.6, by its releases, found by running them --------------------------
#
#     3.2.2 to 3.2.5  without smoothing the first order without match and all above are
#                     left out, and the weights of the others stay: a sentence that shares
#                     only words has p_1 to the power of 1/4
#     to 3.5          method2, here "add-k", adds one to unigrams too
#     3.2.2 to 3.4.5  method4, here "chen-cherry-4", has 1 / (i + 5 / ln c) for the order
#                     n = i + 1 without match
#     3.5             method4 has (i + 5 / ln c) / t, with t n-grams
#
# For a corpus c is that of the whole corpus, as in NLTK since 3.4. method7, "chen-cherry-7", is
# method4 and then method5. An order of one token, whose ln c is 0, is left out, as since 3.6.6.


def _until_missed(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    has_matches = np.logical_and.accumulate(statistics.matches[:n_orders] > 0, axis=0)
    return np.where(has_matches, plain_precisions(statistics, n_orders, value), 1.0)


def _method_4(
    statistics: BleuStatistics, n_orders: int, value: float, *, is_3_5: bool
) -> np.ndarray:
    c = statistics.lengths[0]
    with np.errstate(divide="ignore"):
        term = np.arange(n_orders)[:, np.newaxis] + 5.0 / np.log(np.maximum(c, 1))
    smoothed = term / np.maximum(statistics.totals[:n_orders], 1) if is_3_5 else 1.0 / term
    smoothed = np.where(c > 1, smoothed, 1.0)  # 1 leaves an order out
    plain = plain_precisions(statistics, n_orders, value)
    return np.where(statistics.matches[:n_orders] > 0, plain, smoothed)


def _smoothings_of_nltk(method_4: Precisions) -> dict[str, Smoothing]:
    return {
        "add-k": replace(
            SMOOTHINGS["add-k"],
            precisions=lambda statistics, n_orders, value: add_k(
                statistics, n_orders, value, to_words=value
            ),
        ),
        "chen-cherry-4": Smoothing(method_4),
        "chen-cherry-7": _averaged(method_4),
    }


# By smoothing, for the last release that has them.
NLTK_3_5 = _smoothings_of_nltk(partial(_method_4, is_3_5=True))
NLTK_3_4_5 = _smoothings_of_nltk(partial(_method_4, is_3_5=False))
NLTK_3_2_5 = {**NLTK_3_4_5, "none": Smoothing(_until_missed)}
