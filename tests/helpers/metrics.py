"""Metrics as `evaluate` loads them from this repository."""

import evaluate

from helpers.repository import ROOT


def loaded(name, *configuration, **options):
    """Return a metric, loaded by the path of its script."""
    return evaluate.load(str(ROOT / f"{name}.py"), *configuration, **options)
