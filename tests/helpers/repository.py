"""Where the repository lies, and the copy of its package that `evaluate` made for a metric."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def module_of(metric, name):
    """Return a module of the copy of the package that a loaded metric runs, such as "data.corpus"."""
    folder = type(metric).__module__.rpartition(".")[0]
    return sys.modules[f"{folder}.rouge_bleu.{name}"]
