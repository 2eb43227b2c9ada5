"""Presets, a module for each implementation that is reproduced; none contains code of one.

A module has the tables that `registry.py` names: `ROUGE`, `BLEU`, `TOKENIZERS`, `STEMMERS`. Its docstring
says what it reproduces, how that differs from the defaults, and which tests compare both. `values.py`
has presets that consist of options and records alone.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def files_of_package(package: str, *names: str) -> list[Path]:
    """Return files of an installed package, or none if one of them is missing."""
    spec = find_spec(package)
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    paths = [Path(folder) / name for folder in folders for name in names]
    return paths if all(map(Path.is_file, paths)) else []
