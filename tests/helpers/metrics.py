"""Metrics as `evaluate` loads them from this repository."""

import evaluate

from helpers.repository import ROOT

_load = evaluate.load  # a test may put `loaded` in its place


def loaded(name, *configuration, **options):
    """Return a metric, loaded by the path of its script."""
    return _load(str(ROOT / f"{name}.py"), *configuration, **options)
