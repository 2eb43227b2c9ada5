"""Explain all options of both metrics: flag, default and values."""

from __future__ import annotations

from collections.abc import Sequence

from .inputs import Parser, add_option_flags


def run(arguments: Sequence[str]) -> str:
    """Return the part of the help that has the options."""
    parser = Parser("options", __doc__)
    parser.parse_args(arguments)
    add_option_flags(parser, "options")
    text = parser.format_help()
    return text[text.index("options of both") :].rstrip()
