"""Smooth BLEU-4 of CodeXGLUE ac74a62 (code to text) and of CodeNN, "BLEU-CN", found by running it.

    p_1 = (m_1 + M) / (t_1 + M),   p_n = (m_n + 1 + M) / (t_n + 1 + M) for n > 1
    BP  = min(1, exp(1 - (r + 1) / (c + 1)))

with M = 2.2e-308, the least normal float, and the shortest reference as r.
The score of a corpus is the mean over its examples. tests/golden/published.json has its scores.
"""

from __future__ import annotations

import re
import sys

import numpy as np

from .._bleu.rules import FIXED_BY_FORMULA, BleuRules
from .._bleu.smoothing import Formula, add_k
from ..text.tokenizer_rules import rules_by_word

# Runs of letters and digits of any script; every other character is a token.
TOKENIZERS = {"codexglue": rules_by_word(re.compile(r"[^\W_]+|\S").findall)}

_LEAST = sys.float_info.min
_FORMULA = Formula(
    lambda statistics, n_orders, value: add_k(statistics, n_orders, 1.0 + _LEAST, to_words=_LEAST),
    penalty=lambda c, r: np.exp(np.minimum(1.0 - (r + 1.0) / (c + 1.0), 0.0)),
)

BLEU = {
    "codexglue": BleuRules(
        about=("smooth BLEU-4 (BLEU-CN) of CodeXGLUE ac74a62", "code summaries", "1e-12"),
        options={
            "tokenizer": "codexglue",
            "lowercase": True,
            "reference_length": "shortest",
            "level": "sentence",
        },
        formulas={"none": _FORMULA},
        fixed_options=FIXED_BY_FORMULA,
    )
}
