"""Write sample files into a folder: summaries, translations and three systems."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from .inputs import CommandError, Parser, reason

_NAMES = ("summaries.jsonl", "translations.jsonl", "systems")  # as in pyproject.toml


def run(arguments: Sequence[str]) -> str:
    """Copy the samples of the repository or of the installed package."""
    parser = Parser("sample FOLDER", __doc__)
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="a new or empty folder")
    folder = parser.parse_args(arguments).folder
    installed = Path(__file__).resolve().parents[1] / "samples"  # in a wheel
    source = installed if installed.is_dir() else installed.parents[1] / "examples"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise CommandError(f"{folder}: the folder is not empty")
        for name in _NAMES:
            copy = shutil.copytree if (source / name).is_dir() else shutil.copyfile
            copy(source / name, folder / name)
    except OSError as error:
        raise CommandError(f"{folder}: {reason(error)}") from error
    return f"wrote {', '.join(_NAMES)} into {folder}"
