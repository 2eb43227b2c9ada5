"""Code as HTML: coloured, to be copied, in lines that are not broken."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Iterator

from rouge_bleu_tools.page.shared.looks.html_parts import escaped

_KINDS = {tokenize.COMMENT: "comment", tokenize.NUMBER: "number", tokenize.STRING: "string"}
_OF_COMMANDS = re.compile(r"(?P<comment>^#.*$)|(?P<keyword>(?<=\s)--?[a-z][\w-]*)", re.M)


def code_block(label: str, code: str, language: str = "python") -> str:
    """Return code with a button that copies it (`script.py`); language "python" or "shell"."""
    colour = {"python": python_in_colours, "shell": _shell_in_colours}[language]
    return (
        '<div class="page-code-block"><div class="page-code-head">'
        f'<span class="page-label">{escaped(label)}</span>'
        f'<button type="button" class="page-copy" aria-label="Copy: {escaped(label)}">Copy'
        '</button></div><pre tabindex="0" role="region" '
        f'aria-label="{escaped(label)}"><code>{colour(code)}</code></pre></div>'
    )


def python_in_colours(code: str) -> str:
    """Return Python code as HTML, with a class for each kind of token.

    >>> python_in_colours("x = 1  # one")
    'x = <span class="code-number">1</span>  <span class="code-comment"># one</span>'
    """
    starts = [0]
    for line in io.StringIO(code):  # as tokenize reads it
        starts.append(starts[-1] + len(line))
    parts, end = [], 0
    for kind, (row, column), (end_row, end_column) in _kinds_of_tokens(code):
        start, stop = starts[row - 1] + column, starts[end_row - 1] + end_column
        parts.append(escaped(code[end:start]))
        parts.append(f'<span class="code-{kind}">{escaped(code[start:stop])}</span>')
        end = stop
    return "".join([*parts, escaped(code[end:])])


def _kinds_of_tokens(code: str) -> Iterator[tuple[str, tuple[int, int], tuple[int, int]]]:
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        kind = _KINDS.get(token.type)
        if token.type == tokenize.NAME and keyword.iskeyword(token.string):
            kind = "keyword"
        if kind is not None:
            yield kind, token.start, token.end


def _shell_in_colours(code: str) -> str:
    parts, end = [], 0
    for match in _OF_COMMANDS.finditer(code):
        parts.append(escaped(code[end : match.start()]))
        parts.append(f'<span class="code-{match.lastgroup}">{escaped(match[0])}</span>')
        end = match.end()
    return "".join([*parts, escaped(code[end:])])
