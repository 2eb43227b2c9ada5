"""Pairs -> their matches and totals, as the families of the preset count them.

Short texts are counted pair by pair with the definitions, others as columns with kernels; the numbers are
the same. Which family counts how is in `rouge_types/`, and in the records that replace those.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .options import RougeOptions
from .pairs import Pairs


def pairs_of_texts(
    texts: list[Any], reference_offsets: np.ndarray, is_tokenized: bool, options: RougeOptions
) -> Pairs:
    """Return the pairs of predictions and the references of all examples, as the preset has them."""
    kind: type[Pairs] = options.rules.pairs or Pairs
    return kind(texts, reference_offsets, is_tokenized, options)


def counts_of_pairs(pairs: Pairs) -> tuple[np.ndarray, bool]:
    """Return the counts of pairs (see `scores.py`), and whether any text has a token."""
    few = pairs.few()
    if few is None:
        return counts_of_columns(pairs)
    rows = []
    for measure, family in zip(pairs.measures, pairs.families, strict=True):
        assert family.of_few is not None
        rows.append([(count[0], *count) for count in family.of_few(measure, few)])
    counts = np.ascontiguousarray(np.array(rows, dtype=np.float64).transpose(2, 0, 1))
    return counts, any(map(any, few.words))


def counts_of_columns(pairs: Pairs) -> tuple[np.ndarray, bool]:
    """Return the counts of pairs, by columns."""
    rows = [
        family.of_columns(measure, pairs)
        for measure, family in zip(pairs.measures, pairs.families, strict=True)
    ]
    counts = np.array(rows, dtype=np.float64).transpose(1, 0, 2)
    return counts, len(pairs.text_tokens.ids.values) > 0
