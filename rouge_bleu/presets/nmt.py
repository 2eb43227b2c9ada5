"""rouge.py of tensorflow/nmt 0be8642: n-grams are sets, L is the LCS of texts.

F of n-grams = 2 P R / (P + R + 1e-8). With b = P / (R + 1e-12), F of L = (1 + b^2) R P / (R + b^2 P + 1e-12).
tests/golden/published.json has scores of corpora.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._rouge.options import RougeOptions
from ..rouge_types import LCS, by_name
from .pltrdy import DISTINCT_NGRAMS, PLTRDY_RULES


def _tokenized_sentences(texts: list[str], options: RougeOptions) -> list[list[list[str]]]:
    return [[text.strip().split(" ")] for text in texts]


def _f_measure_of_lcs(precision: np.ndarray, recall: np.ndarray) -> np.ndarray:
    square = (precision / (recall + 1e-12)) ** 2
    return (1 + square) * recall * precision / (recall + square * precision + 1e-12)


ROUGE = {
    "nmt": replace(
        PLTRDY_RULES,
        about=("rouge.py of tensorflow/nmt 0be8642", "seq2seq", "1e-12, corpora"),
        sentences=_tokenized_sentences,
        no_words=("",),
        families=by_name(DISTINCT_NGRAMS, replace(LCS, formula=_f_measure_of_lcs)),
        fixed_options=PLTRDY_RULES.fixed_options | {"beta", "zero_division"},
    )
}
