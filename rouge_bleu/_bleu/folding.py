"""How `bleu_full` folds: items have counts and lengths, and BLEU is that of their sums."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from ..corpus import Corpus
from ..folding.plan import FoldPlan
from ..input_warnings import warn_of_unfit_tokenizer
from .counts import BleuStatistics, bleu_item_statistics
from .levels.parts import listed_parts, part_columns
from .levels.scores import BleuFactors, bleu_scores
from .levels.sentences import (
    columns_of_sentences,
    kinds_of_sentences,
    parts_of_columns,
    scores_of_columns,
)
from .options import BleuOptions

_COLUMN_OF_FIELD = {"matches": "matches_{}", "totals": "totals_{}", "n_ngrams": "ngrams_{}"}


def bleu_fold_plan(options: BleuOptions) -> FoldPlan:
    """Return the plan of checked options."""
    options.check_choice_of_references()
    if options.scores_items:
        return _plan_of_sentences(options)
    orders = range(1, len(options.counted_orders) + 1)
    columns = {
        field: [name.format(order) for order in orders] for field, name in _COLUMN_OF_FIELD.items()
    }
    kinds = {name: "count" for names in columns.values() for name in names}
    has_fractions = options.reference_length == "average"
    kinds |= {
        "translation_length": "count",
        "reference_length": "length" if has_fractions else "count",
        "n_reference_tokens": "count",
    }
    return FoldPlan(
        kind_of_column=kinds,
        of_items=partial(_columns_of_items, options),
        keys=list(options.weights_of_name),
        scores=partial(_scores_of_values, options),
        item_scores=partial(_scores_of_values, options.for_one_example()),
        parts=partial(_parts_of_values, options),
    )


def _plan_of_sentences(options: BleuOptions) -> FoldPlan:
    """Return the plan of means of items."""
    return FoldPlan(
        kind_of_column=kinds_of_sentences(options),
        of_items=partial(_columns_of_sentences, options),
        keys=list(options.weights_of_name),
        scores=scores_of_columns,
        item_scores=scores_of_columns,
        parts=partial(parts_of_columns, options),
    )


def _columns_of_sentences(options: BleuOptions, corpus: Corpus) -> dict[str, np.ndarray]:
    warn_of_unfit_tokenizer(corpus, options)
    options.warn_of_weights()
    with np.errstate(under="ignore", over="ignore"):
        return columns_of_sentences(corpus, options)


def _columns_of_items(options: BleuOptions, corpus: Corpus) -> dict[str, np.ndarray]:
    warn_of_unfit_tokenizer(corpus, options)
    options.warn_of_weights()
    statistics = bleu_item_statistics(corpus, options, True)
    columns = {}
    for field, values in statistics.columns.items():
        if field in _COLUMN_OF_FIELD:
            for order, row in enumerate(values, start=1):
                columns[_COLUMN_OF_FIELD[field].format(order)] = row
        else:
            columns[field] = values
    columns["reference_length"] = statistics.float_reference_length
    return columns


def statistics_of_columns(values: Mapping[str, np.ndarray]) -> BleuStatistics:
    """Return the statistics of columns of items, or of sums of them."""
    n_orders = sum(name.startswith("matches_") for name in values)
    fields = {
        field: np.stack([values[name.format(order + 1)] for order in range(n_orders)])
        for field, name in _COLUMN_OF_FIELD.items()
    }
    lengths = ("translation_length", "reference_length", "n_reference_tokens")
    return BleuStatistics(**fields, **{name: values[name] for name in lengths})


def _scores_of_values(options: BleuOptions, values: Mapping[str, np.ndarray]) -> np.ndarray:
    with np.errstate(under="ignore", over="ignore"):
        return bleu_scores(BleuFactors(statistics_of_columns(values), options))


def _parts_of_values(options: BleuOptions, values: Mapping[str, np.ndarray]) -> dict[str, Any]:
    with np.errstate(under="ignore", over="ignore"):
        factors = BleuFactors(statistics_of_columns(values), options)
        parts = listed_parts(part_columns(factors), options)
    return {key: of_sums[0] for key, of_sums in parts.items()}
