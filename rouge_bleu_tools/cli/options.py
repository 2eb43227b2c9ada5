"""Explain all options of both metrics: flag, default and values."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .inputs import METRICS, Parser, declarations, filled, option_help


def run(arguments: Sequence[str]) -> str:
    """Return a paragraph for each option."""
    Parser("options", __doc__).parse_args(arguments)
    rouge, bleu = declarations().values()
    # A flag --signature takes a line, and commands always print one.
    shared = [name for name in rouge if name in bleu and name != "signature"]
    groups = {
        "Options of both metrics": shared,
        **{
            f"Options of {metric}": [name for name in own if name not in other]
            for metric, own, other in zip(METRICS, (rouge, bleu), (bleu, rouge), strict=True)
        },
    }
    parts = []
    for title, names in groups.items():
        parts.append(title)
        for name in names:
            default = (rouge.get(name) or bleu[name]).default
            flag = name.replace("_", "-") + ("" if default is None else f" ({default})")
            text = re.sub(r" \((default|1000)\)", "", option_help(name))
            parts.append(filled(f"--{flag}: {text}", "  "))
    return "\n".join(parts)
