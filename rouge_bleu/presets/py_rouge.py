"""py-rouge 1.1. Its L is rougeLsum.

A text of l words has l - n + 1 n-grams, also below 0. Its limit of 665 "bytes" is one of characters.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from .._rouge.rules import POOLED, RougeRules, of_types
from ..rouge_types import NGRAMS, SUMMARY_LCS, table
from ..rouge_types.ngrams import count_columns


def _signed_totals(lengths: np.ndarray, order: int) -> np.ndarray:
    return lengths - (order - 1)


def _first_characters(text: str, limit: int) -> str:
    """Return the lines up to a number of characters."""
    lines = []
    for line in map(str.strip, text.split("\n")):
        lines.append(line[:limit])
        if len(line) >= limit:
            break
        limit -= len(line)
    return "\n".join(lines)


_SIGNED_NGRAMS = replace(
    NGRAMS, count_few=None, count_columns=partial(count_columns, totals=_signed_totals)
)
ROUGE = {
    "py-rouge": RougeRules(
        options=of_types("rouge1 rouge2 rougeLsum", tokenizer="py-rouge", max_bytes=665, **POOLED),
        first_bytes=_first_characters,
        families=table(_SIGNED_NGRAMS, SUMMARY_LCS),
        multi_references=("pooled", "recall"),
        fixed_options=frozenset({"cross_sentences", "summary_lcs", "zero_division"}),
    )
}
