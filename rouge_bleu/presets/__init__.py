"""Implementations that are followed, a module for each: values of options, and rules that have no option.

A module says how its package differs and how that was found; none contains code of one. `registry.py` has the
names, and imports a module when its name is used.
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
