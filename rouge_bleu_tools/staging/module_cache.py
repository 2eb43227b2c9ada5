"""Installs the metrics into the module cache of `evaluate`, which finds them by name.

A name without a slash is looked up on the Hub first, then among the cached copies of
what the Hub had. `evaluate` takes the copy with the newest script:

    <modules>/metrics/evaluate-metric--rouge_full/<64 hexadecimal digits>/rouge_full.py

A copy appears under its name only when it is complete, and a file is replaced in one
step. So processes that load the metric meanwhile, or install it too, never see half of
it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from rouge_bleu_tools.staging.loader_rules import shipped_modules
from rouge_bleu_tools.staging.single_file import single_file
from rouge_bleu_tools.staging.spaces import SPACES

MARK_FILE = "installed_by_stage.txt"

_MARK_TEXT = """\
Written by stage.py of rouge_full and bleu_full. `evaluate.load` with the name of the \
metric takes this copy as long as it is the newest.
"""
_UNFINISHED = "unfinished-"
_SECONDS_KEPT = 30 * 24 * 3600  # copies, for processes that run and may still read them
_SECONDS_OF_INSTALL = 3600  # no install takes as long


def install(evaluate_modules: Path, root: Path) -> list[Path]:
    """Copy each metric into the module cache of `evaluate` and return the copies.

    Parameters
    ----------
    evaluate_modules : Path
        The folder that `evaluate.loading.init_dynamic_modules()` returns.
    root : Path
        The folder of the metric scripts.

    Raises
    ------
    StageError
        Something keeps a metric from being staged.
    OSError
        A file cannot be read or written.
    """
    sources = {name: single_file(shipped_modules(root / f"{name}.py")) for name in SPACES}
    return [
        _install_script(evaluate_modules / "metrics", name, source.encode())
        for name, source in sources.items()
    ]


def _install_script(metrics: Path, name: str, script: bytes) -> Path:
    folder = metrics / f"evaluate-metric--{name}"
    folder.mkdir(parents=True, exist_ok=True)
    for package in (metrics.parent, metrics, folder):
        (package / "__init__.py").touch()
    _remove_unfinished(folder)
    copy = folder / hashlib.sha256(script).hexdigest()
    files = {f"{name}.py": script, "__init__.py": b"", MARK_FILE: _MARK_TEXT.encode()}
    if not _holds(copy, files):
        _write_copy(copy, files)
    _make_newest(copy, f"{name}.py")
    _remove_outdated(copy, f"{name}.py")
    return copy


def _holds(copy: Path, files: dict[str, bytes]) -> bool:
    try:
        return all((copy / name).read_bytes() == files[name] for name in files)
    except FileNotFoundError:
        return False


def _write_copy(copy: Path, files: dict[str, bytes]) -> None:
    """Write files under another name, then move them to where `evaluate` looks."""
    unfinished = copy.with_name(f"{_UNFINISHED}{os.getpid()}")
    try:
        unfinished.mkdir(exist_ok=True)
        for name, content in files.items():
            (unfinished / name).write_bytes(content)
        with suppress(OSError):  # another install made it, or somebody has edited it
            unfinished.rename(copy)
            return
        for name in files:
            (unfinished / name).replace(copy / name)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _remove_unfinished(folder: Path) -> None:
    """Remove what installs that were killed have left."""
    for path in folder.glob(f"{_UNFINISHED}*"):
        process = path.name.removeprefix(_UNFINISHED)
        with suppress(OSError):
            is_old = path.stat().st_mtime < time.time() - _SECONDS_OF_INSTALL
            if is_old or not _may_run(process):
                shutil.rmtree(path)


def _may_run(process: str) -> bool:
    """Return whether a process of this machine may have this number."""
    if os.name != "posix" or not process.isdecimal():  # elsewhere asking would end it
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _copies(folder: Path, script: str) -> dict[Path, float]:
    """Return all copies of a metric, ours or not, and when their script changed."""
    changed_of_copy = {}
    for path in folder.glob(f"*/{script}"):
        with suppress(FileNotFoundError):  # another install has removed it
            if len(path.parent.name) == 64:
                changed_of_copy[path.parent] = path.stat().st_mtime
    return changed_of_copy


def _make_newest(copy: Path, script: str) -> None:
    others = _copies(copy.parent, script)
    others.pop(copy, None)
    newest = max([time.time(), *(changed + 1 for changed in others.values())])
    os.utime(copy / script, (newest, newest))


def _remove_outdated(copy: Path, script: str) -> None:
    """Remove copies of earlier installs that no running process can need any more."""
    for path, changed in _copies(copy.parent, script).items():
        is_old = changed < time.time() - _SECONDS_KEPT
        if path != copy and is_old and (path / MARK_FILE).exists():
            shutil.rmtree(path, ignore_errors=True)
