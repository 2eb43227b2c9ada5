"""The hash of a metric, by which `datasets` knows whether it has computed something before.

`Dataset.map` saves its result under a hash of its function, and what the function holds
is hashed as bytes of pickle. Those of a metric have folders of this machine in them, by
which another process finds the script. The hash is about what a metric computes: its
class, version, options, seed and what was added. The name of the class has a hash of the
code in it, as `evaluate` loads it, so that another code has another hash.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any


def register_hash(metric_class: type) -> None:
    """Let `datasets` hash metrics of this class by what they compute.

    Without a place for that in `datasets` they are hashed as other objects are.

    Parameters
    ----------
    metric_class : type
        Its objects have a method `_hashed_parts`, which returns the options of `load`
        and whatever else tells one of them from another.
    """
    with suppress(ImportError):
        from datasets.utils._dill import pklregister

        pklregister(metric_class)(_save_for_hash)


def _save_for_hash(pickler: Any, metric: Any) -> None:
    """Give a pickler of `datasets` the bytes to hash; nothing reads them."""
    options, *others = metric._hashed_parts()
    # The order of a set differs from process to process.
    ordered = {
        name: sorted(value) if isinstance(value, frozenset) else value
        for name, value in options.items()
    }
    pickler.save_reduce(type(metric), (ordered, *others), obj=metric)
