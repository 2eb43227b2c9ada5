"""Metrics as `evaluate` loads them from this repository."""

import os
import re
import sys
from importlib import import_module

import evaluate

import rouge_bleu
from helpers.repository import ROOT

_load = evaluate.load  # a test may put `loaded` in its place


def loaded(name, *configuration, **options):
    """Return a metric, loaded by the path of its script."""
    if "MUTANT_UNDER_TEST" in os.environ:  # mutmut knows the modules of the package only
        for module in ("_bleu.api", "_rouge.api", "evaluate_metric"):
            import_module(f"rouge_bleu.{module}")
        names = [one for one in sys.modules if re.fullmatch(r"rouge_bleu(\.(?!loading).*)?", one)]
        sys.modules.update({f"rouge_bleu.loading.{one}": sys.modules[one] for one in names})
        return rouge_bleu.load(name, *configuration, **options)
    return _load(str(ROOT / f"{name}.py"), *configuration, **options)
