"""Metrics as `evaluate` loads them from this repository."""

import os

import evaluate

import rouge_bleu
from helpers.repository import ROOT

_load = evaluate.load  # a test may put `loaded` in its place


def loaded(name, *configuration, **options):
    """Return a metric, loaded by the path of its script."""
    if "MUTANT_UNDER_TEST" in os.environ:  # mutmut does not know the copies that evaluate makes
        return rouge_bleu.load(name, *configuration, **options)
    return _load(str(ROOT / f"{name}.py"), *configuration, **options)
