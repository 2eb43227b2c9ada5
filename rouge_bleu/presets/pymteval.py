"""pymteval of e2e-metrics 1b9c4d8 and GEM-metrics, a stand-in for mteval, found by running it.

A text of c words has c - n + 1 n-grams, even below 0: a text of one word subtracts 2 from the
4-grams of a corpus. With matches m and n-grams t of the corpus

    p_n = max(m_n, 1e-15) / max(t_n, 1e-9),   BP = 1 if c > r, else exp(1 - r / c)

so that a segment may be above 1; a c of 0 counts as 1e-5 in the quotient. Its smoothing is not here.
Tokens are those of 13a that keeps spaces at the end; an empty text has one empty word.
tests/presets/test_small_bleu.py has its scores.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._bleu.rules import FIXED_BY_FORMULA, BleuRules
from .._bleu.smoothing import Formula
from ..kernels.ngrams import MAX_ORDER
from ..text.tokenizer_13a import UNSTRIPPED_13A
from ..tokens import tokens_of_lists


def _words_of_text(text: str, lowercase: bool) -> list[str] | None:
    words = UNSTRIPPED_13A.words_of_text(text, lowercase)
    return [""] if words == [] else words


TOKENIZERS = {
    "pymteval": replace(
        UNSTRIPPED_13A,
        words_of_column=lambda texts, lowercase: tokens_of_lists(
            [row or [""] for row in UNSTRIPPED_13A.words_of_column(texts, lowercase).to_lists()]
        ),
        words_of_text=_words_of_text,
        lowercases_words=True,
    )
}

_FORMULA = Formula(
    lambda statistics, n_orders, value: (
        np.maximum(statistics.matches[:n_orders], 1e-15)
        / np.maximum(statistics.totals[:n_orders], 1e-9)
    ),
    penalty=lambda c, r: np.where(c > r, 1.0, np.exp(1.0 - r / np.maximum(c, 1e-5))),
)
BLEU = {
    "pymteval": BleuRules(
        about=(
            "pymteval of e2e-metrics 1b9c4d8 (its `-p`), without smoothing",
            "data to text",
            "1e-12",
        ),
        options={"tokenizer": "pymteval", "lowercase": True},
        least_total=-MAX_ORDER,
        formulas={"none": _FORMULA},
        fixed_options=FIXED_BY_FORMULA,
    )
}
