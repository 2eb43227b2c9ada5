"""The limit of length in sacrerouge's python-rouge.

Facts about what sacrerouge 0ca5202 computes; none of its code is here. `max_bytes` is a
number of characters: each line is cut to what is left of it and stripped, and as many
characters as it has then are taken off. Blanks at the ends and the ends of lines cost
nothing, so that of a line that was cut behind a blank a character may be left for the next.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..options.checked import RougeOptions
from ..pairs.counted import limited_texts


def texts_of_stripped_lines(
    texts: list[Any], options: RougeOptions, is_tokenized: bool
) -> list[Any]:
    """Return the texts cut to `max_words` words, and to `max_bytes` characters."""
    limit = options.max_bytes
    texts = limited_texts(texts, replace(options, max_bytes=None), is_tokenized)
    return texts if limit is None else [_cut_lines(text, limit) for text in texts]


def _cut_lines(text: str, limit: int) -> str:
    """Return the lines up to a number of characters.

    >>> _cut_lines("abc d\\nefg", 4)
    'abc\\ne'
    """
    lines = []
    for line in text.split("\n"):
        lines.append(line[:limit].strip())
        limit -= len(lines[-1])
    return "\n".join(lines)
