"""The folder in which scripts, package and link lie: a clone, or one made of what is installed.

An installed wheel has the scripts in `rouge_bleu/shipped`, and no link to the package.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rouge_bleu_tools.staging.sources import StageError
from rouge_bleu_tools.staging.spaces import SPACES

_PACKAGE = "rouge_bleu"


@contextmanager
def root_of_scripts(root: Path) -> Iterator[Path]:
    """Give a folder with scripts, package and link, which is gone after the block.

    Parameters
    ----------
    root : Path
        The folder in which `rouge_bleu_tools` lies. A clone is taken as it is.

    Raises
    ------
    StageError
        There are no files, as in an archive.
    """
    if all((root / f"{name}.py").is_file() for name in SPACES):
        yield root
        return
    shipped = root / _PACKAGE / "shipped"
    if not shipped.is_dir():
        raise StageError(
            f"{root} has no files of {_PACKAGE}, as where Python imports it from an"
            " archive: install it with pip, or unpack it"
        )
    with TemporaryDirectory() as folder:
        made = Path(folder)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(root / _PACKAGE, made / _PACKAGE, ignore=ignored)
        for name in SPACES:
            (made / _PACKAGE / "shipped" / f"{name}.py").rename(made / f"{name}.py")
        # As git writes a link where there are none.
        (made / f"{_PACKAGE}.py").write_text(_PACKAGE, encoding="utf-8")
        yield made
