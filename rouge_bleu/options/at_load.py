"""Options that `evaluate.load` was given: the defaults of one object.

    evaluate.load("rouge_full", rouge_types=["rougeL"], tokenizer="unicode")
    evaluate.load("rouge_full", "rouge-1.5.5")

The second argument of `load`, the name of a configuration, is a preset.
`evaluate.combine`, `evaluator` and `EvaluationSuite` hand no options to `compute`:
there this is the only way.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from typing import Any

import evaluate
import numpy as np

from .checked import CheckedOptions, checked_options

# What `evaluate.load` hands to every metric, beside options.
LOAD_ARGUMENTS = tuple(
    name
    for name, parameter in inspect.signature(evaluate.Metric).parameters.items()
    if parameter.kind is not inspect.Parameter.VAR_KEYWORD
)


def checked_load_options(
    options_class: type[CheckedOptions], config_name: str | None, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the checked options that `load` was given.

    A preset that was given as the name of a configuration is one of them.

    Raises
    ------
    TypeError
        A name is not known, or a value is of the wrong type.
    ValueError
        A value is not allowed, or the configuration name and `preset` differ.
    """
    options = dict(given)
    if config_name not in (None, "default"):
        preset = options.setdefault("preset", config_name)
        if preset != config_name:
            raise ValueError(
                f"load() got two presets, the configuration name {config_name!r}"
                f" and preset={preset!r}: give one of them"
            )
    checked = checked_options(options_class, options, caller="load", other_arguments=LOAD_ARGUMENTS)
    # As checked, since an iterator can be read only once.
    return copied_options({name: getattr(checked, name) for name in options})


def copied_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of options, with copies of their lists, dicts and arrays."""
    return {name: _copied(value) for name, value in options.items()}


def _copied(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _copied(item) for name, item in value.items()}
    return copy.copy(value) if isinstance(value, (list, set, np.ndarray)) else value
