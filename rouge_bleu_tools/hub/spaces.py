"""Build the folder of a Space for each metric: script, package, page, card, requirements."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from rouge_bleu_tools.hub.bundle import BUNDLE, METRICS, ROOT, files_in, metric_files, write_files

# What the page of a Space runs from, as it is in the repository.
PAGE = ("app.py", "rouge_bleu_tools")

# The Hub takes 60 characters of a short description.
_LOOKS = {
    "rouge_full": """\
emoji: \N{STRAIGHT RULER}
colorFrom: blue
colorTo: indigo
short_description: All five ROUGE variants, exact and fast""",
    "bleu_full": """\
emoji: \N{EARTH GLOBE EUROPE-AFRICA}
colorFrom: green
colorTo: blue
short_description: BLEU with any weights, exact and fast""",
}
_LEFT_BY_RUNNING = {"__pycache__", ".gradio"}


def build(output: Path, root: Path = ROOT) -> list[Path]:
    """Write a Space folder for each metric, in place of those of an earlier build.

    Nothing is written where a file is missing, or where a folder is not one of a build.
    """
    files = {output / name: space_files(name, root) for name in METRICS}
    for folder in files:
        _check_replaceable(folder, {Path(path).parts[0] for path in files[folder]})
    for folder in files:
        if folder.is_dir():
            shutil.rmtree(folder)
        write_files(folder, files[folder])
    return list(files)


def space_files(name: str, root: Path) -> dict[str, bytes]:
    """Return the content of each file of a Space by its path."""
    requirements, gradio = _requirements(root)
    files = metric_files(name, root)
    script = (root / f"{name}.py").read_text(encoding="utf-8")
    card = (root / "metric_cards" / f"{name}.md").read_text(encoding="utf-8")
    files["README.md"] = f"{front_matter(name, script, gradio)}\n{card}".encode()
    files["requirements.txt"] = "\n".join([*requirements, ""]).encode()
    for part in PAGE:
        if (root / part).is_dir():
            files |= {f"{part}/{path}": text for path, text in files_in(root / part).items()}
        else:
            files[part] = (root / part).read_bytes()
    return files


def _requirements(root: Path) -> tuple[list[str], str]:
    """Return what a Space installs, and the version of Gradio among it."""
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    project = (root / "pyproject.toml").read_text(encoding="utf-8")
    extra = re.search(r"^page = (\[.*?\])$", project, re.MULTILINE | re.DOTALL)
    lines += json.loads(extra[1]) if extra else []
    gradio = re.search(r"^gradio==([\d.]+)$", "\n".join(lines), re.MULTILINE)
    if gradio is None:
        raise ValueError("the extra page of pyproject.toml must pin gradio, as gradio==6.31.0")
    return list(dict.fromkeys(lines)), gradio[1]


def front_matter(name: str, script: str, gradio: str) -> str:
    """Return the YAML above the card, which the Hub reads."""
    description = re.search(r'^_DESCRIPTION = """\\\n(.*?)"""$', script, re.MULTILINE | re.DOTALL)
    if description is None:
        raise ValueError(f'{name}.py must have _DESCRIPTION = """\\ ... """')
    return f"""\
---
title: {name}
{_LOOKS[name]}
sdk: gradio
sdk_version: {gradio}
app_file: app.py
pinned: false
license: apache-2.0
tags:
- evaluate
- metric
description: >-
{textwrap.indent(description[1].strip(), "  ")}
---
"""


def _check_replaceable(folder: Path, names: set[str]) -> None:
    """Raise where a folder has no package in one file, or what no build writes."""
    present = {path.name for path in folder.iterdir()} if folder.exists() else set()
    if present and not {BUNDLE} <= present <= names | _LEFT_BY_RUNNING:
        raise FileExistsError(
            f"{folder} has files that no build writes: remove it, or choose another --output"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `python -m rouge_bleu_tools.hub build` and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m rouge_bleu_tools.hub build",
        description="Write a Space folder for each metric, ready for `hf upload`.",
    )
    parser.add_argument("--output", type=Path, default=Path("build"), metavar="DIR")
    output = parser.parse_args(arguments).output
    try:
        folders = build(output)
    except (OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for folder in folders:
        print(f"{folder}: {', '.join(sorted(path.name for path in folder.iterdir()))}")
    print(f"To publish one: hf upload <user>/{folder.name} {folder} --repo-type space")
    return 0
