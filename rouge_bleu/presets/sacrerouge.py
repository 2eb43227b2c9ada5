"""`PythonRouge` of sacrerouge 0ca5202. Its limit of "bytes" is one of characters, line by line."""

from __future__ import annotations

from .._rouge.rules import POOLED, RougeRules, of_types
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
        families=LIN_2004,
        options=of_types("rouge1 rouge2 rougeLsum", tokenizer="rouge-1.5.5", **POOLED),
        first_bytes=_first_characters,
        porter_mode=ORIGINAL_ALGORITHM,
    )
}
