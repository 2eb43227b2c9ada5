"""Where the repository is, and modules of the copies that `evaluate` makes."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def module_of(metric, name):
    """Return a module of the copy of the package that a loaded metric runs, such as "corpus"."""
    folder = type(metric).__module__.rpartition(".")[0]
    return sys.modules[f"{folder}.rouge_bleu.{name}"]
