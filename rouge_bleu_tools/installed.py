"""The folder in which scripts, package and page are: a clone, or one made of what is installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rouge_bleu_tools.hub.bundle import METRICS, files_in, metric_files, scripts_folder, write_files


@contextmanager
def root_of_scripts(root: Path) -> Iterator[Path]:
    """Give the clone `root`, or a temporary folder with the files of an installed package."""
    scripts = scripts_folder(root)
    if scripts == root:
        yield root
        return
    with TemporaryDirectory() as made:
        for name in METRICS:
            write_files(Path(made), {**files_in(scripts), **metric_files(name, root)})
        yield Path(made)
