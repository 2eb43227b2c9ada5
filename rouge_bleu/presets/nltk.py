"""BLEU of NLTK 3.10, and of its releases before 3.6, found by running them.

Weights are not scaled, and each example has at least one n-gram of each order. Before 3.6:

    3.2.2 to 3.2.5  without smoothing the first order without match and all above are
                    left out, and the weights of the others stay: a sentence that shares
                    only words has p_1 to the power of 1/4
    to 3.5          method2, here "add-k", adds one to unigrams too
    3.2.2 to 3.4.5  method4, here "chen-cherry-4", has 1 / (i + 5 / ln c) for the order
                    n = i + 1 without match
    3.5             method4 has (i + 5 / ln c) / t, with t n-grams

For a corpus c is that of the whole corpus, as in NLTK since 3.4. method7, "chen-cherry-7", is
method4 and then method5. An order of one token, whose ln c is 0, is left out, as since 3.6.6.

tests/presets/test_nltk.py runs NLTK; tests/golden/peers.json has scores of older releases.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from .._bleu.rules import BleuRules
from .._bleu.smoothing import (
    SMOOTHINGS,
    UNSMOOTHED,
    BleuStatistics,
    Precisions,
    Smoothing,
    add_k,
    averaged_with_neighbours,
)


def _until_missed(statistics: BleuStatistics, n_orders: int, value: float) -> np.ndarray:
    has_matches = np.logical_and.accumulate(statistics.matches[:n_orders] > 0, axis=0)
    return np.where(has_matches, UNSMOOTHED.precisions(statistics, n_orders, value), 1.0)


def _chen_cherry_4_precisions(
    statistics: BleuStatistics, n_orders: int, value: float, *, is_3_5: bool
) -> np.ndarray:
    c = statistics.lengths[0]
    with np.errstate(divide="ignore"):
        term = np.arange(n_orders)[:, np.newaxis] + 5.0 / np.log(np.maximum(c, 1))
    smoothed = term / np.maximum(statistics.totals[:n_orders], 1) if is_3_5 else 1.0 / term
    smoothed = np.where(c > 1, smoothed, 1.0)  # 1 leaves an order out
    plain = UNSMOOTHED.precisions(statistics, n_orders, value)
    return np.where(statistics.matches[:n_orders] > 0, plain, smoothed)


def _smoothings_of_nltk(method_4: Precisions) -> dict[str, Smoothing]:
    return {
        "add-k": replace(
            SMOOTHINGS["add-k"],
            precisions=lambda statistics, n_orders, value: add_k(
                statistics, n_orders, value, to_words=value
            ),
        ),
        "chen-cherry-4": Smoothing(method_4, skips_zero=True),
        "chen-cherry-7": averaged_with_neighbours(method_4),
    }


NLTK = BleuRules(
    about=("NLTK 3.10, `corpus_bleu`; `sentence_bleu` with `use_aggregator=False`", "any", "1e-12"),
    options={"tokenizer": "whitespace"},
    scales_weights=False,
    least_total=1,
    next_order=5,
    # ln(c) of a single token is 0.
    formulas={"chen-cherry-4": replace(SMOOTHINGS["chen-cherry-4"], skips_zero=True)},
)
_OF_3_5, _BEFORE_3_5 = (
    _smoothings_of_nltk(partial(_chen_cherry_4_precisions, is_3_5=one)) for one in (True, False)
)
_RELEASES = {
    "nltk-3.2.5": ("NLTK 3.2.2 to 3.2.5 (2017)", {**_BEFORE_3_5, "none": Smoothing(_until_missed)}),
    "nltk-3.4.5": ("NLTK 3.3 to 3.4.5 (2018, 2019)", _BEFORE_3_5),
    "nltk-3.5": ("NLTK 3.5 (2020)", _OF_3_5),
}
BLEU = {
    "nltk": NLTK,
    **{
        name: replace(NLTK, about=(releases, "older papers, code", "1e-12"), formulas=formulas)
        for name, (releases, formulas) in _RELEASES.items()
    },
}
