"""Formulas of single implementations of BLEU, in place of a smoothing, for their presets.

Facts about what these programs compute; none of their code is here. m_n are the matches
among the t_n n-grams of order n, c the tokens of predictions and r the reference length.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial

import numpy as np

from .smoothing import (
    SMOOTHINGS,
    BleuStatistics,
    Precisions,
    Smoothing,
    add_k,
    brevity_penalty,
    chen_cherry_7_after,
    exp,
    plain_precisions,
)

# BLEU is the product as it is.
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
# mteval has nothing of its own.


def _mteval_precisions(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    return np.where(statistics.totals[:n_orders] > 0, exp(statistics, n_orders, value), 1.0)


def _mteval_penalty(c: np.ndarray, r: np.ndarray) -> np.ndarray:
    return np.where(c > 0, brevity_penalty(c, r), 0.0)


MTEVAL = _Formula(_mteval_precisions, penalty=_mteval_penalty)

# --- pymteval, the stand-in for mteval in e2e-metrics and GEM-metrics -----------------
#
# A text of c words has c - n + 1 n-grams, also below 0, so that one of a single word takes 2 off the
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
        "chen-cherry-7": Smoothing(chen_cherry_7_after(method_4), looks_ahead=True),
    }


# By the smoothing, for the last release that has them.
NLTK_3_5 = _smoothings_of_nltk(partial(_method_4, is_3_5=True))
NLTK_3_4_5 = _smoothings_of_nltk(partial(_method_4, is_3_5=False))
NLTK_3_2_5 = {**NLTK_3_4_5, "none": Smoothing(_until_missed)}
