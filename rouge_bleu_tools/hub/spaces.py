"""Build the folder of a Space for each metric: script, package, page, card, requirements."""

from __future__ import annotations

import json
import re
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path

from ..app.scoring import REPOSITORY
from ..cli.inputs import CommandError, Parser, exit_status
from .install import BUNDLE, METRICS, ROOT, metric_files, write_files

# What the page of a Space runs from, as it is in the repository.
PAGE = ("app.py", "rouge_bleu_tools")

_CARD = """\
---
title: {name}
emoji: {looks[0]}
colorFrom: {looks[1]}
colorTo: {looks[2]}
short_description: {looks[3]}
sdk: gradio
sdk_version: {version}
python_version: "3.12"
thumbnail: {repository}/raw/main/rouge_bleu_tools/app/preview.png
app_file: app.py
pinned: false
license: apache-2.0
tags:
- evaluate
- metric
description: >-
{description}
---

{card}"""
# Emoji, first and second colour, and a description of at most 60 characters.
_LOOKS = {
    "rouge_full": ("📏", "blue", "indigo", "All five ROUGE variants, exact and fast"),
    "bleu_full": ("🌍", "green", "blue", "BLEU with any weights, exact and fast"),
}


def build(output: Path, root: Path = ROOT) -> list[Path]:
    """Write a Space folder for each metric, in place of those of an earlier build.

    Nothing is written if a file is missing, or if a folder has other files.
    """
    files = {output / name: space_files(name, root) for name in METRICS}
    for folder, content in files.items():
        present = {path.name for path in folder.iterdir()} if folder.exists() else set()
        written = {Path(path).parts[0] for path in content} | {"__pycache__", ".gradio"}
        if present and not {BUNDLE} <= present <= written:
            raise FileExistsError(
                f"{folder} has other files: remove it, or choose a different --output"
            )
    for folder, content in files.items():
        if folder.is_dir():
            shutil.rmtree(folder)
        write_files(folder, content)
    return list(files)


def space_files(name: str, root: Path) -> dict[str, bytes]:
    """Return the content of each file of a Space by its path."""
    files = metric_files(name, root)
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    if extra := re.search(r"^page = (\[.*?\])$", project, re.MULTILINE | re.DOTALL):
        lines += json.loads(extra[1])
    requirements = "\n".join([*dict.fromkeys(lines), ""])
    gradio = re.search(r"^gradio==([\d.]+)$", requirements, re.MULTILINE)
    if gradio is None:
        raise ValueError("the extra page of pyproject.toml must pin gradio, as gradio==6.31.0")
    script = files[f"{name}.py"].decode().replace("\r\n", "\n")
    description = re.search(r'^_DESCRIPTION = """\\\n(.*?)"""$', script, re.MULTILINE | re.DOTALL)
    if description is None:
        raise ValueError(f'{name}.py must have _DESCRIPTION = """\\ ... """')
    card = _CARD.format(
        name=name,
        looks=_LOOKS[name],
        version=gradio[1],
        repository=REPOSITORY,
        description=textwrap.indent(description[1].strip(), "  "),
        card=(root / "metric_cards" / f"{name}.md").read_text(encoding="utf-8"),
    )
    files |= {"README.md": card.encode(), "requirements.txt": requirements.encode()}
    return files | {
        path.relative_to(root).as_posix(): path.read_bytes() for path in page_files(root)
    }


def page_files(root: Path) -> list[Path]:
    """Return the files of the page, without what Python or an editor left beside them."""
    hidden = re.compile(r"/(\.|__pycache__)")
    files = sorted((root / PAGE[1]).rglob("*.*"))
    shown = [one for one in files if not hidden.search(f"/{one.relative_to(root).as_posix()}")]
    return [root / PAGE[0], *shown]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `python -m rouge_bleu_tools.hub build` and return its exit status."""
    return exit_status(lambda: _run(arguments))


def _run(arguments: Sequence[str] | None) -> str:
    parser = Parser("", "Write a Space folder for each metric, ready for `hf upload`.")
    parser.usage = "python -m rouge_bleu_tools.hub build [--output DIR]"
    parser.add_argument("--output", type=Path, default=Path("build"), metavar="DIR", help="(build)")
    try:
        folders = build(parser.parse_args(arguments).output)
    except (OSError, ValueError) as error:
        raise CommandError(str(error)) from error
    uploads = (f"hf upload <user>/{one.name} {one} --repo-type space" for one in folders)
    return "\n".join([*(f"{one} is written" for one in folders), *uploads])
