"""The options of a call for a single item, without what concerns a corpus only."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TypeVar

from .checked import CheckedOptions

ItemOptions = TypeVar("ItemOptions", bound=CheckedOptions)

# What scores of one item do not depend on: how items become a corpus, threads, and the
# form of a result.
_OPTIONS_OF_CORPUS = (
    *("output", "n_jobs", "seed", "corpus_average", "document_order"),
    *("confidence_level", "n_resamples", "paired_test", "level"),
    "signature",
)
_FUNCTIONS_OF_TEXTS = ("tokenizer", "sentence_splitter")


def options_of_item(options: ItemOptions) -> ItemOptions:
    """Return the options of a call for one item, as for `use_aggregator=False`.

    Options that concern a corpus only have their defaults. A function of the user is
    called once for each text, however often its result is needed.
    """
    values = {}
    for field in dataclasses.fields(options):  # type: ignore[arg-type]
        value = getattr(options, field.name)
        if field.name in _OPTIONS_OF_CORPUS:
            values[field.name] = field.default
        elif field.name in _FUNCTIONS_OF_TEXTS and callable(value):
            values[field.name] = cache(value)
    return dataclasses.replace(options, use_aggregator=False, **values)  # type: ignore[type-var]
