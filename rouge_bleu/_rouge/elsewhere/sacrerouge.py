"""The limit of length in sacrerouge's python-rouge.

Facts about what sacrerouge 0ca5202 computes; none of its code is here. `max_bytes` is a
number of characters: each line is cut to what is left of it and stripped, and as many
characters as it has then are taken off. Blanks at the ends and the ends of lines cost
nothing, so that of a line that was cut behind a blank a character may be left for the next.
"""

from __future__ import annotations


def lines_of_sacrerouge(text: str, limit: int) -> str:
    """Return the lines up to a number of characters.

    >>> lines_of_sacrerouge("abc d\\nefg", 4)
    'abc\\ne'
    """
    lines = []
    for line in text.split("\n"):
        lines.append(line[:limit].strip())
        limit -= len(lines[-1])
    return "\n".join(lines)
