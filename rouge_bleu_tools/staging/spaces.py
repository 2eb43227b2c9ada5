"""Builds the folder of a Space for each metric: one script, the page, and the card."""

from __future__ import annotations

import ast
import re
import shutil
import textwrap
from dataclasses import dataclass
from pathlib import Path

from rouge_bleu_tools.staging.loader_rules import shipped_modules
from rouge_bleu_tools.staging.page_files import page_files
from rouge_bleu_tools.staging.single_file import MARK, single_file
from rouge_bleu_tools.staging.sources import Module, StageError


@dataclass(frozen=True)
class Space:
    """What the front matter of a Space says beside the metric's description."""

    emoji: str
    color_from: str
    color_to: str
    short_description: str  # the Hub takes 60 characters


SPACES = {
    "rouge_full": Space(
        "\N{STRAIGHT RULER}", "blue", "indigo", "All five ROUGE variants, exact and fast"
    ),
    "bleu_full": Space(
        "\N{EARTH GLOBE EUROPE-AFRICA}", *("green", "blue", "BLEU with any weights, exact and fast")
    ),
}

_REQUIREMENTS = "requirements.txt"
_PROJECT = "pyproject.toml"
_LEFT_BY_RUNNING = ("__pycache__", ".gradio")


def build(output: Path, root: Path) -> list[Path]:
    """Write a complete Space folder for each metric and return the folders.

    A folder of an earlier build is replaced. Nothing is written if a file is missing,
    if a script breaks a rule, or if a folder holds what no build wrote.

    Parameters
    ----------
    output : Path
        The folder for the folders.
    root : Path
        The folder of the metric scripts and of `metric_cards`.

    Raises
    ------
    StageError
        Something keeps a metric from being staged.
    OSError
        A file cannot be read or written.
    """
    files_of_folder = {output / name: _files_of_space(name, root) for name in SPACES}
    for folder, files in files_of_folder.items():
        _check_replaceable(folder, files)
    for folder, files in files_of_folder.items():
        _write(folder, files)
    return list(files_of_folder)


def _files_of_space(name: str, root: Path) -> dict[str, bytes]:
    """Return the content of each file; the script, which has the mark, is the first."""
    card = root / "metric_cards" / f"{name}.md"
    modules = shipped_modules(root / f"{name}.py")
    if not card.is_file():
        raise StageError(f"{card} is missing: the Space of {name} needs it")
    requirements = _requirements(root)
    head = front_matter(modules[0], _gradio_version(requirements))
    return {
        f"{name}.py": single_file(modules).encode(),
        **page_files(root),
        "requirements.txt": "\n".join([*requirements, ""]).encode(),
        "README.md": (head + "\n" + card.read_text(encoding="utf-8")).encode(),
    }


def _requirements(root: Path) -> list[str]:
    """Return what the metrics need, and what the extra `page` of the package has beside."""
    texts = {}
    for name in (_REQUIREMENTS, _PROJECT):
        if not (root / name).is_file():
            raise StageError(f"{root / name} is missing: the Spaces need it")
        texts[name] = (root / name).read_text(encoding="utf-8")
    of_metrics = texts[_REQUIREMENTS].splitlines()
    # Python 3.10 reads no TOML; a list of strings is written there as it is in Python.
    extra = re.search(r"^page = (\[[^]]*\])$", texts[_PROJECT], re.MULTILINE)
    of_page = ast.literal_eval(extra[1]) if extra else []
    return list(dict.fromkeys([*of_metrics, *of_page]))


def _gradio_version(requirements: list[str]) -> str:
    """Return the version of Gradio that requirements pin."""
    matches = (re.fullmatch(r"gradio==([\d.]+)", line) for line in requirements)
    version = next((match[1] for match in matches if match), None)
    if version is None:
        raise StageError(f"{_PROJECT} must pin gradio in the extra page, as in gradio==6.31.0")
    return version


def front_matter(script: Module, gradio_version: str) -> str:
    """Return the YAML head of a Space's README.md, which the Hub reads."""
    space = SPACES[script.name]
    description = textwrap.fill(
        " ".join(_description(script).split()),
        width=100,
        initial_indent="  ",
        subsequent_indent="  ",
    )
    return f"""\
---
title: {script.name}
emoji: {space.emoji}
colorFrom: {space.color_from}
colorTo: {space.color_to}
sdk: gradio
sdk_version: {gradio_version}
app_file: app.py
pinned: false
license: apache-2.0
short_description: {space.short_description}
tags:
- evaluate
- metric
description: >-
{description}
---
"""


def _description(script: Module) -> str:
    """Return the text of `_DESCRIPTION` without running the script."""
    for node in script.tree.body:
        if not isinstance(node, ast.Assign):
            continue
        if ast.unparse(node.targets[0]) == "_DESCRIPTION":
            return str(ast.literal_eval(node.value))
    raise StageError(f"{script.file} has no _DESCRIPTION, which is the description of its Space")


def _check_replaceable(folder: Path, files: dict[str, bytes]) -> None:
    """Raise where a folder has something that no build wrote.

    A build writes its mark into the script. Builds before there was a mark wrote none,
    and their folders look like those of other people.
    """
    if not folder.exists():
        return
    found = _paths_in(folder)
    others = [path for path in found if path not in files]
    script = folder / next(iter(files))
    is_marked = script.is_file() and MARK.encode() in script.read_bytes().splitlines()
    advice = "remove the folder, or choose another --output"
    if found and not is_marked:
        raise StageError(
            f"{folder} has no mark of a build, so it may be somebody's work "
            f"(or that of an older stage.py): {advice}"
        )
    if others:
        raise StageError(f"{folder} holds {others[0]}, which this build does not write: {advice}")


def _paths_in(folder: Path) -> list[str]:
    """Return the paths of the files in a folder but for what running its app leaves."""
    paths: list[str] = []
    for path in sorted(folder.iterdir()):
        if path.name in _LEFT_BY_RUNNING:
            continue
        if path.is_dir() and not path.is_symlink():
            paths += [f"{path.name}/{inside}" for inside in _paths_in(path)]
        else:
            paths.append(path.name)
    return paths


def _write(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in _LEFT_BY_RUNNING:
        for left in sorted(folder.rglob(name)):
            shutil.rmtree(left)
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True, parents=True)
        (folder / name).write_bytes(content)
