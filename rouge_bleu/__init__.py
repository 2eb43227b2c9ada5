"""ROUGE and BLEU: functions, and the scorers of the metrics `rouge_full` and `bleu_full`.

`rouge` and `bleu` score predictions against references, `explain_rouge` and `explain_bleu`
say what the score of one item is made of, all without `evaluate`. `load` gives what
`evaluate.load` gives. `evaluate` copies this package with a metric script.

    texts -> tokens -> token ids -> matches and totals of each pair
          -> precision, recall, F / BLEU -> references -> items -> result

Each folder is a room with one purpose, which its own `__init__` says. Imports go down
this list; import-linter holds them to it (`pyproject.toml`):

    shipped         the metric scripts as modules, and `load`
    rouge, bleu     the two metrics, each in rooms by convention
    metric          what both metrics add to `evaluate.Metric`
    folding         scores of data that no machine has as a whole
    calls           one call, from its arguments to its result
    options         checks, presets, options at load, signatures
    data            what the user gave, checked, in chunks
    spans           which words match, for explanations
    resampling      intervals and paired tests
    kernels         ids in, matches out
    text            from strings to ids
    ground          rows of unequal length, tokens of a column, messages

What is named here is imported when it is asked for, so that what needs one room loads no
other.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bleu.functions import bleu, explain_bleu
    from .options.signature import VERSION as __version__
    from .rouge.functions import explain_rouge, rouge
    from .shipped.loading import load

__all__ = ["__version__", "bleu", "explain_bleu", "explain_rouge", "load", "rouge"]

_PLACES = {
    "__version__": (".options.signature", "VERSION"),
    "bleu": (".bleu.functions", "bleu"),
    "explain_bleu": (".bleu.functions", "explain_bleu"),
    "explain_rouge": (".rouge.functions", "explain_rouge"),
    "load": (".shipped.loading", "load"),
    "rouge": (".rouge.functions", "rouge"),
}

# `rouge` and `bleu` are rooms too. Python names a room in the package once, when it is
# first imported. That is done here, so that from now on the names are the functions'.
# Modules of a room are imported as in `from rouge_bleu.rouge import scorer`.
for _room in ("bleu", "rouge"):
    import_module(f".{_room}", __name__)
    globals().pop(_room, None)


def __getattr__(name: str) -> Any:
    """Import what is asked for, and keep it."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, name_there = _PLACES[name]
    value = getattr(import_module(module, __name__), name_there)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_PLACES]
