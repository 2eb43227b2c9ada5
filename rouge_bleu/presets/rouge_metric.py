"""PyRouge of rouge-metric 1.0.1, which counts as ROUGE-1.5.5, with one reader and no rounding."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .._rouge.pairs import Pairs
from .._rouge.rules import POOLED, RougeRules, of_types
from ..arrays import lazy_property
from ..rouge_types import WEIGHTED_LCS
from ..text.character_offsets import Span
from ..text.sentences import tokenized_sentences
from ..text.tokenizers import tokenized
from ..tokens import Tokens
from .rouge155.families import ROUGE_155_FAMILIES
from .rouge155.pairs import Rouge155Pairs


class _Pairs(Rouge155Pairs):
    is_script = False

    def limited_texts(self) -> list[Any]:
        return Pairs.limited_texts(self)

    def check(self, first_example: int, n_references_before: int) -> None:
        """Nothing is divided by zero."""

    @lazy_property
    def readers(self) -> list[Tokens]:
        if self.is_tokenized:
            return [tokenized(self.texts, self.tokenizer, is_tokenized=True)]
        return [tokenized_sentences(self.lines, self.tokenizer)]

    def spans(self, in_sentences: bool) -> list[list[Span | None]]:
        return Pairs.spans(self, in_sentences=True)


# Weights below 1 are those of the script.
_W = replace(ROUGE_155_FAMILIES["W"], least_weight=WEIGHTED_LCS.least_weight)
ROUGE = {
    "pyrouge-metric": RougeRules(
        options=of_types("rouge1 rouge2 rougeL", tokenizer="whitespace", lowercase=False, **POOLED),
        pairs=_Pairs,
        families={**ROUGE_155_FAMILIES, "W": _W},
        average="f_of_means",
        multi_references=("pooled", "best"),
        fixed_options=frozenset({"cross_sentences", "summary_lcs"}),
    )
}
