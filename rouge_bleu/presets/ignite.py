"""`Rouge` and `Bleu` of PyTorch Ignite."""

from __future__ import annotations

import math
from dataclasses import replace

from .._rouge.rules import POOLED, RougeRules, of_types
from .nltk import NLTK

ROUGE = {
    "ignite": RougeRules(
        options=of_types(
            "rouge1 rouge2 rougeL",
            tokenizer="whitespace",
            lowercase=False,
            beta=math.inf,
            **POOLED,
        )
    )
}
BLEU = {"ignite": replace(NLTK, options={"tokenizer": "whitespace", "level": "sentence"})}
