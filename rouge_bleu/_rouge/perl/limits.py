"""Limits on words and bytes, as the Perl script ROUGE-1.5.5 applies them to raw lines.

Facts about what the script does, found by running it; none of its code is here. Under a
limit on bytes the reader for L and W keeps lines that the reader for the other measures
cuts. Python loops run over lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ..options import RougeOptions

_PERL_BLANKS = re.compile(r"[ \t\n\r\f\v]+")  # a vertical tab is one since Perl 5.18


def texts_of_readers(
    texts: list[Any], options: RougeOptions, is_tokenized: bool
) -> list[list[Any]]:
    """Return the texts as the reader for N, S and SU cuts them.

    Under a limit on bytes those of the reader for L and W follow, which holds each line
    to the limit by itself.
    """
    limit = options.max_words
    if limit and is_tokenized:
        return [[text[:limit] for text in texts]]
    if limit:
        return [[_limited_text(text, limit, _words_of_line) for text in texts]]
    limit = options.max_bytes
    if not limit:
        return [texts]
    return [
        [_limited_text(text, limit, str.encode, adds_lines) for text in texts]
        for adds_lines in (True, False)
    ]


def _limited_text(
    text: str, limit: int, units_of_line: Callable[[str], Any], adds_lines: bool = True
) -> str:
    """Return the lines of a text up to the first that reaches `limit` units.

    With `adds_lines` the units of the lines before it count, too.
    """
    kept: list[str] = []
    count = 0
    for line in filter(None, text.split("\n")):
        units = units_of_line(line)
        if count + len(units) >= limit:
            rest = units[: limit - count]
            is_bytes = isinstance(rest, bytes)
            kept.append(rest.decode(errors="ignore") if is_bytes else " ".join(rest))
            break
        kept.append(line)
        count += len(units) if adds_lines else 0
    return "\n".join(kept)


def _words_of_line(line: str) -> list[str]:
    """Return the words of a line as the limit counts them.

    Blanks at its start make one empty word; a line of blanks has no word.
    """
    words = _PERL_BLANKS.split(line)
    if not any(words):
        return []
    return words if words[-1] else words[:-1]
