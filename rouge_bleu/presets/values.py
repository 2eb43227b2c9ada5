"""Presets that options can say in full."""

from __future__ import annotations

from .._bleu.rules import BleuRules
from .._rouge.rules import ROUGE_SCORE, RougeRules, of_types
from ..rouge_types import LIN_2004

ROUGE = {
    "rouge_score": RougeRules(
        families=LIN_2004, options=ROUGE_SCORE, tokenizer_replaces_stemmer=True
    ),
    "sumeval": RougeRules(
        families=LIN_2004,
        options=of_types("rouge1 rouge2 rougeL", tokenizer="rouge-1.5.5", multi_reference="pooled"),
    ),
}
BLEU = {"fairseq": BleuRules(options={"tokenizer": "fairseq"})}
