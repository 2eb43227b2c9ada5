"""From a checked corpus to the result, where the scores of items are averaged.

texts -> scores of items -> averages, intervals and p-values -> result
"""

from __future__ import annotations

from typing import Any

from ...corpus import Corpus
from ...input_warnings import warn_of_sentences_in_one_line, warn_of_unfit_tokenizer
from ...resampling.uncertainty import with_uncertainty
from ..families.summary_lcs import SUMMARY_LCS
from ..options.checked import RougeOptions
from .averages import averaged, stacked, uncertainty_of_means
from .convention import Convention
from .items import scores_of_items


def result_of_scores(
    convention: Convention,
    corpus: Corpus,
    options: RougeOptions,
    seed: int,
    baseline: Corpus | None,
) -> dict[str, Any]:
    """Return the result of `rouge_full` from the scores of items.

    A float for each key, or with `use_aggregator=False` a list of floats with one for
    each item.
    """
    warn_of_missing_lines(corpus, options)
    warn_of_unfit_tokenizer(corpus, options)
    systems = [corpus] if baseline is None else [corpus, baseline]
    items = [scores_of_items(convention, system, options) for system in systems]
    keys = options.keys_of_types
    if not options.use_aggregator:
        return with_uncertainty(keys, [stacked(scores) for scores in items])
    averages = [stacked(averaged(scores, options, options.seed_or(seed))) for scores in items]
    found = uncertainty_of_means(items, averages, options, seed)
    return with_uncertainty(keys, averages, found)


def warn_of_missing_lines(corpus: Corpus, options: RougeOptions) -> None:
    """Warn where rougeLsum takes each line for a sentence, and no text has lines."""
    if options.sentence_splitter == "newline" and SUMMARY_LCS in options.families:
        warn_of_sentences_in_one_line(corpus)
