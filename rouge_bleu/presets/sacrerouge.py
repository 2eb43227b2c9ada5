"""`PythonRouge` of sacrerouge 0ca5202.

Its limit of "bytes" is one of characters, line by line; its stemmer is Porter's original one, without its
WordNet list. tests/golden/published.json and tests/presets/test_small_rouge.py have its scores.
"""

from __future__ import annotations

from .._rouge.rules import POOLED, RougeRules, defaults
from ..rouge_types import LIN_2004
from ..text.stemming import ORIGINAL_ALGORITHM


def _first_characters(text: str, limit: int) -> str:
    lines = []
    for line in text.split("\n"):
        lines.append(line[:limit].strip())
        limit -= len(lines[-1])
    return "\n".join(lines)


ROUGE = {
    "sacrerouge": RougeRules(
        about=("python-rouge of sacrerouge 0ca5202", "summaries", "1e-12, examples"),
        families=LIN_2004,
        options=defaults("rouge1 rouge2 rougeLsum", tokenizer="rouge-1.5.5", **POOLED),
        truncate_to_bytes=_first_characters,
        porter_mode=ORIGINAL_ALGORITHM,
    )
}
