"""Presets that options can say in full."""

from __future__ import annotations

from .._bleu.rules import BleuRules
from .._rouge.rules import ROUGE_SCORE, RougeRules, of_types

ROUGE = {
    "rouge_score": RougeRules(options=ROUGE_SCORE, tokenizer_replaces_stemmer=True),
    "sumeval": RougeRules(
        options=of_types("rouge1 rouge2 rougeL", tokenizer="rouge-1.5.5", multi_reference="pooled")
    ),
}
BLEU = {"fairseq": BleuRules(options={"tokenizer": "fairseq"})}
