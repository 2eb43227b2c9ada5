"""The folder in which scripts, package and page lie: a clone, or one made of what is installed.

An installed wheel has scripts, cards and `app.py` in `rouge_bleu/shipped`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_PACKAGE = "rouge_bleu"
_SCRIPTS = ("rouge_full.py", "bleu_full.py", "app.py")
_CARDS = "metric_cards"


@contextmanager
def root_of_scripts(root: Path) -> Iterator[Path]:
    """Give a folder with scripts, package, link, page and cards, which is gone after the block.

    Parameters
    ----------
    root : Path
        The folder in which `rouge_bleu_tools` lies. A clone is taken as it is.

    Raises
    ------
    FileNotFoundError
        There are no files, as in an archive.
    """
    if all((root / name).is_file() for name in _SCRIPTS[:2]):
        yield root
        return
    if not (root / _PACKAGE / "shipped").is_dir():
        raise FileNotFoundError(
            f"{root} has no files of {_PACKAGE}, as where Python imports it from an"
            " archive: install it with pip, or unpack it"
        )
    with TemporaryDirectory() as folder:
        made = Path(folder)
        for place, name in ((root, _PACKAGE), (root / _PACKAGE / "shipped", _CARDS)):
            _copy(place / name, made / name)
        for name in _SCRIPTS:
            shutil.move(made / _PACKAGE / "shipped" / name, made / name)
        link = made / f"{_PACKAGE}.py"
        try:
            link.symlink_to(_PACKAGE)
        except OSError:  # then as git writes it
            link.write_text(_PACKAGE, encoding="utf-8")
        yield made


def _copy(folder: Path, copy: Path) -> None:
    """Copy a folder without modes: one that cannot be written could not be emptied."""
    for path in [folder, *sorted(folder.rglob("*"))]:
        if "__pycache__" in path.parts:
            continue
        target = copy / path.relative_to(folder)
        if path.is_dir():
            target.mkdir()
        else:
            shutil.copyfile(path, target)
