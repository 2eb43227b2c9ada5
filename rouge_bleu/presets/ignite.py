"""`Rouge` and `Bleu` of PyTorch Ignite."""

from __future__ import annotations

import math
from dataclasses import replace

from .._rouge.rules import POOLED, RougeRules, of_types
from ..rouge_types import LIN_2004
from .nltk import NLTK

ROUGE = {
    "ignite": RougeRules(
        families=LIN_2004,
        options=of_types(
            "rouge1 rouge2 rougeL",
            tokenizer="whitespace",
            lowercase=False,
            beta=math.inf,
            **POOLED,
        ),
    )
}
BLEU = {"ignite": replace(NLTK, options={"tokenizer": "whitespace", "level": "sentence"})}
