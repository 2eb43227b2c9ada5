"""Presets, a module for each implementation that is reproduced; none contains code of one.

A module has the tables that `registry.py` names: `ROUGE`, `BLEU`, `TOKENIZERS`, `STEMMERS`. If its
package has command lines or signatures, `rules_of_line` reads them. The docstring
says what it reproduces, how that differs from the defaults, and which tests compare both. `values.py`
has presets that consist of options and records alone.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_PERL = re.compile(r"(?:.*[/\\])?perl(?:\.exe)?", re.IGNORECASE)
_PRINTED_DASHES = re.compile("(?<!\\S)[\u2010\u2011\u2012\u2013\u2014\u2212]")  # of a PDF


def files_of_package(user: str, package: str, folder: str, *names: str) -> list[Path]:
    """Return files of an installed package that `user`, an option with its value, needs."""
    spec = find_spec(folder)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    paths = [Path(place) / name for place in folders for name in names]
    if not paths or not all(map(Path.is_file, paths)):
        raise ImportError(f"{user} needs {package}: pip install {package}")
    return paths


def words_of_command(line: str) -> list[str]:
    """Return the words of a command line after `perl`; a missing quotation mark is a ValueError."""
    words = shlex.split(_PRINTED_DASHES.sub("-", line.replace("\\\n", " ")))
    words = shlex.split(words[0]) if len(words) == 1 else words  # the line is in quotation marks
    return words[1:] if words and _PERL.fullmatch(words[0]) else words


def with_options(rules: Any, options: Mapping[str, Any], **changes: Any) -> Any:
    """Return the record of a preset with more options, those of a line, and other fields."""
    return replace(rules, options={**rules.options, **options}, **changes)
