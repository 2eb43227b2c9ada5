"""`load`: a metric as `evaluate.load` returns it, from the script in the package.

This module is also the package of the scripts, which are in `scripts` of a wheel or beside the package
in a clone: so every process can import their classes by name, and pickle finds them.
"""

from __future__ import annotations

from importlib import import_module
from os.path import dirname, join
from typing import Any

from .options import check_choice

_FOLDER = dirname(__file__)
__path__ = [join(_FOLDER, "scripts"), dirname(_FOLDER)]

_CLASS_OF_METRIC = {"rouge_full": "RougeFull", "bleu_full": "BleuFull"}


def load(name: str, config_name: str | None = None, **options: Any) -> Any:
    """Return a metric as `evaluate.load` returns it, from any folder and without a network.

    Args:
        name (str): "rouge_full" or "bleu_full"
        config_name (str, default None): a preset, as in the second argument of evaluate.load
        **options: options that compute then has as defaults, and arguments of evaluate.load
            (num_process, process_id, seed, experiment_id, cache_dir, ...)

    Returns:
        evaluate.Metric: the metric, with compute, add, add_batch, explain and other methods

    Raises:
        ValueError, TypeError: a name is not known, or a value is not allowed.
        ImportError: evaluate is not installed.

    Examples:

        >>> import rouge_bleu
        >>> metric = rouge_bleu.load("rouge_full", rouge_types=["rouge1"])
        >>> metric.compute(predictions=["the cat"], references=["a cat"])
        {'rouge1': 0.5}
    """
    check_choice("name", name, tuple(_CLASS_OF_METRIC))
    script = import_module(f".{name}", __name__)
    return getattr(script, _CLASS_OF_METRIC[name])(config_name, **options)
