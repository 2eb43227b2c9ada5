"""From a checked corpus to the result, where the scores of items are averaged.

texts -> scores of items -> averages, intervals and p-values -> result
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...aggregation import ItemStatistics, result_of_statistics
from ...corpus import Corpus
from ...input_warnings import warn_of_sentences_in_one_line, warn_of_unfit_tokenizer
from ...resampling import with_uncertainty
from ..families.summary_lcs import SUMMARY_LCS
from ..options import RougeOptions
from .averages import Scores, median_of_resampled_means, outputs_of_means
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
    statistics = item_statistics(convention, options)
    if options.use_aggregator and options.rules.average == "resampled_median":
        statistics.warn(corpus)
        items = scores_of_items(convention, corpus, options)
        medians = median_of_resampled_means(items, options.seed_or(seed))
        return with_uncertainty(statistics.keys, [_stacked(medians)])
    corpora = [corpus] if baseline is None else [corpus, baseline]
    return result_of_statistics(statistics, corpora, options, seed)


def item_statistics(convention: Convention, options: RougeOptions) -> ItemStatistics:
    """Return what ROUGE keeps of items, their scores, which are averaged."""
    outputs = options.scored_outputs
    names = [
        f"{name}_{output}" if len(outputs) > 1 else name
        for name in options.measures
        for output in outputs
    ]

    def of_corpus(corpus: Corpus, keeps_items: bool) -> np.ndarray:
        return _stacked(scores_of_items(convention, corpus, options))

    def scores(means: np.ndarray) -> np.ndarray:
        of_types = np.split(means, len(options.measures))
        return np.concatenate([outputs_of_means(one, options) for one in of_types])

    def item_scores(scored: np.ndarray) -> np.ndarray:
        wanted = [outputs.index(output) for output in options.outputs]
        of_types = np.split(scored, len(options.measures))
        return np.concatenate([one[wanted] for one in of_types])

    def warn(corpus: Corpus) -> None:
        warn_of_missing_lines(corpus, options)
        warn_of_unfit_tokenizer(corpus, options)

    return ItemStatistics(
        kinds=dict.fromkeys(names, "score"),
        of_corpus=of_corpus,
        keys=options.keys_of_types,
        scores=scores,
        item_scores=item_scores,
        warn=warn,
    )


def _stacked(scores: Scores) -> np.ndarray:
    """Return the outputs of all rouge types one below the other."""
    return np.concatenate(list(scores.values()))


def warn_of_missing_lines(corpus: Corpus, options: RougeOptions) -> None:
    """Warn where rougeLsum takes each line for a sentence, and no text has lines."""
    if options.sentence_splitter == "newline" and SUMMARY_LCS in options.families:
        warn_of_sentences_in_one_line(corpus)
