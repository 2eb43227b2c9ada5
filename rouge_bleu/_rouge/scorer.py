"""ROUGE from a checked corpus to the result of `rouge_full`.

    texts -> tokens -> matches and totals of pairs -> scores of items -> result

after Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"
(https://aclanthology.org/W04-1013). How pairs are counted and what becomes of the counts
says a record of `rouge/conventions.py`. Follow the paper's from `rouge/pairs/results.py`
by `rouge/pairs/items.py` to `rouge/paper/pairs.py` and `rouge/families/`.
"""

from __future__ import annotations

from typing import Any

from ..aggregation import ItemStatistics
from ..corpus import Corpus
from .conventions import convention_of
from .options import RougeOptions
from .pairs.results import item_statistics


def rouge(
    corpus: Corpus, options: RougeOptions, seed: int = 0, baseline: Corpus | None = None
) -> dict[str, Any]:
    """Return the result of `rouge_full`.

    A float for each key, or with `use_aggregator=False` a list of floats with one for
    each item. `seed` is what `options.seed` is without a value. A baseline has the
    predictions of another system for the same references.
    """
    convention = convention_of(options)
    return convention.result(convention, corpus, options, seed, baseline)


def rouge_statistics(options: RougeOptions) -> ItemStatistics | None:
    """Return what ROUGE keeps of items; None where averages come from samples of all items."""
    if not options.rules.resamples_items:
        return None
    return item_statistics(convention_of(options), options)


def rouge_explanation(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return what the scores of a corpus of one item are made of."""
    convention = convention_of(options)
    return convention.explanation(convention, corpus, options)
