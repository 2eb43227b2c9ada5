"""PyRouge of rouge-metric 1.0.1, which counts as ROUGE-1.5.5, with one reader and no rounding.

Its corpus F is that of mean precision and recall. tests/presets/test_rouge_metric.py runs it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._rouge.pairs import Pairs
from .._rouge.rules import POOLED, RougeRules, defaults
from .._rouge.scores import quotient
from ..arrays import lazy_property
from ..rouge_types import WEIGHTED_LCS
from ..rouge_types.family import Columns, RougeType
from ..text.character_offsets import Span
from ..text.sentences import tokenize_lines
from ..tokens import Tokens
from .rouge155.families import WEIGHTED, families, total_weighted_twice, weighted_counts


class _RougeMetricPairs(Pairs):
    @lazy_property
    def text_tokens(self) -> Tokens:
        if self.is_tokenized:
            return super().text_tokens
        return tokenize_lines(self.lines, self.tokenizer)

    @property
    def sentence_tokens(self) -> Tokens:
        return self.text_tokens

    def spans(self, in_sentences: bool) -> list[list[Span | None]]:
        return super().spans(in_sentences=True)


def _count_weighted(rouge_type: RougeType, pairs: Pairs) -> Columns:
    """The choice of a reference has no inverse of the weight."""
    matches, prediction_total, base = weighted_counts(rouge_type, pairs)
    reference_total = total_weighted_twice(base, rouge_type.weight)
    return matches, matches, prediction_total, reference_total, quotient(matches, reference_total)


# Weights below 1 are those of the script.
_WEIGHTED = replace(WEIGHTED, count_columns=_count_weighted, least_weight=WEIGHTED_LCS.least_weight)
ROUGE = {
    "pyrouge-metric": RougeRules(
        about=("rouge-metric 1.0.1, `PyRouge`", "summaries", "1e-12"),
        options=defaults("rouge1 rouge2 rougeL", tokenizer="whitespace", lowercase=False, **POOLED),
        pairs=_RougeMetricPairs,
        families=families(np.asarray, _WEIGHTED),
        average="f_of_means",
        multi_references=("pooled", "best"),
        fixed_options=frozenset({"cross_sentences", "summary_lcs"}),
    )
}
