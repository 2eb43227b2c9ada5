"""ROUGE and BLEU, with confidence intervals, significance tests and signatures.

    rouge(predictions, references, ...)        the scores of texts against references
    bleu(predictions, references, ...)
    analyze(predictions, references, ...)      where two systems differ
    explain_rouge(prediction, reference, ...)  counts and matching tokens of one example
    explain_bleu(prediction, reference, ...)
    load("rouge_full"), load("bleu_full")      the metric that `evaluate.load` returns
    check(predictions, references, ...)        mistakes in texts, such as special tokens

The functions do not import `evaluate`. All take options, which `help(rouge_bleu.rouge)`
and `help(rouge_bleu.bleu)` list. With `signature=True`, the result has a line that says how
it was scored, and `load(...).options_of_signature(line)` restores the options:

    >>> import rouge_bleu
    >>> texts = {"predictions": ["the cat sat"], "references": ["a cat sat"]}
    >>> rouge_bleu.rouge(**texts, rouge_types=["rouge1", "rouge2"])
    {'rouge1': 0.6666666666666666, 'rouge2': 0.5}
    >>> rouge_bleu.bleu(**texts, max_order=2, output="score")
    {'bleu': 0.5773502691896257}

Submodules are imported on first use.

    texts -> tokens -> token ids -> matches and totals of each pair
          -> precision, recall, F / BLEU -> result
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PLACES = {  # declared in `__init__.pyi` too
    "TextWarning": (".messages", "TextWarning"),
    "__version__": (".version", "VERSION"),
    "analyze": (".analysis", "analyze"),
    "bleu": ("._bleu.api", "bleu"),
    "check": (".findings", "check"),
    "explain_bleu": ("._bleu.api", "explain_bleu"),
    "explain_rouge": ("._rouge.api", "explain_rouge"),
    "load": (".loading", "load"),
    "rouge": ("._rouge.api", "rouge"),
}
__all__ = [*_PLACES]


def __getattr__(name: str) -> Any:
    """Import the requested name on first use, and keep it."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, name_there = _PLACES[name]
    value = getattr(import_module(module, __name__), name_there)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
