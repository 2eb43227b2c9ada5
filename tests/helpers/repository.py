"""Where the repository lies, and modules of it that are imported in other ways."""

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def module_of(metric, name):
    """Return a module of the copy of the package that a loaded metric runs, such as "corpus"."""
    folder = type(metric).__module__.rpartition(".")[0]
    return sys.modules[f"{folder}.rouge_bleu.{name}"]


def module_at(path):
    """Return the module that is in a file, which is in no package."""
    specification = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(specification)
    sys.modules[path.stem] = module  # dataclasses look it up
    specification.loader.exec_module(module)
    del sys.modules[path.stem]
    return module
