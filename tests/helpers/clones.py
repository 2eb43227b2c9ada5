"""Copies of the repository, as far as it is loaded and built, to be changed."""

import shutil

from helpers.repository import ROOT

PACKAGE = "rouge_bleu"
PROJECT_FILES = ("requirements.txt", "pyproject.toml")


def clone(folder, *, has_links=True):
    """Copy scripts, packages, cards and requirements into a folder that is made, and return it.

    Without links, as git writes them on Windows: a text file that contains the target of a link.
    """
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / PACKAGE, folder / PACKAGE, ignore=ignored)
    for name in ("rouge_bleu_tools", "metric_cards"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in ("rouge_full.py", "bleu_full.py", "app.py", *PROJECT_FILES):
        shutil.copyfile(ROOT / name, folder / name)
    link = folder / f"{PACKAGE}.py"
    if has_links:
        link.symlink_to(PACKAGE)
    else:
        link.write_text(PACKAGE, encoding="utf-8")
    return folder
