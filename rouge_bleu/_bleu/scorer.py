"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> statistics of each item (`counts.py`) -> sums over the corpus
          -> precisions and brevity penalty (`smoothing.py`) -> BLEU (`scores.py`) -> result

Sentence BLEU is the same function of one item, and with level="sentence" a corpus has the
means over its items: of what is beside the scores, counts and lengths are summed, and all else
is averaged.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..aggregation import ItemStatistics, result_of_statistics
from ..corpus import Corpus
from ..input_warnings import warn_of_tokenized_predictions, warn_of_unfit_tokenizer
from .counts import statistics_of_corpus
from .options import BleuOptions
from .other_lines import warn_of_references
from .scores import (
    kinds_of_parts,
    parts_of_rows,
    scores,
    sentence_rows,
    warn_of_short_predictions,
)
from .statistics import kinds_of_statistics


def bleu(
    corpus: Corpus, options: BleuOptions, seed: int = 0, baseline: Corpus | None = None
) -> dict[str, Any]:
    """Return the result of `bleu_full`.

    `seed` is what `options.seed` is without a value. A baseline has the predictions of
    another system for the same references.
    """
    statistics = bleu_statistics(options)
    if options.preset is not None:
        most = int(np.diff(corpus.reference_offsets).max())
        warn_of_references(options.preset, most)
    corpora = [corpus] if baseline is None else [corpus, baseline]
    return result_of_statistics(statistics, corpora, options, seed)


def bleu_statistics(options: BleuOptions) -> ItemStatistics:
    """Return what BLEU keeps of items: counts and lengths, or their scores where these count."""
    options.check_choice_of_references()
    keys = list(options.weights_of_name)
    if options.scores_items:
        kinds = {f"score_{number}": "score" for number in range(1, len(keys) + 1)}
        return ItemStatistics(
            kinds=kinds | kinds_of_parts(options),
            of_corpus=lambda corpus, keeps_items: sentence_rows(
                options, statistics_of_corpus(options, corpus), corpus.reference_offsets
            )[0],
            keys=keys,
            scores=lambda rows: rows,
            item_scores=lambda rows: rows,
            parts=partial(parts_of_rows, options),
            warn=partial(_warn, options),
            n_scored=len(keys),
        )
    return ItemStatistics(
        kinds=kinds_of_statistics(len(options.counted_orders), options.reference_length),
        of_corpus=partial(statistics_of_corpus, options),
        keys=keys,
        scores=partial(_corpus_rows, options),
        item_scores=lambda values: sentence_rows(options.for_one_example(), values, np.empty(0))[0],
        parts=partial(parts_of_rows, options),
        warn=partial(_warn, options),
    )


def _corpus_rows(options: BleuOptions, values: np.ndarray) -> np.ndarray:
    """Return the rows of a corpus, which is the first column, and of resamples of it."""
    rows = scores(options, values)
    warn_of_short_predictions(options, values[:, :1], rows[:, :1])
    return rows


def _warn(options: BleuOptions, corpus: Corpus) -> None:
    warn_of_unfit_tokenizer(corpus, options)
    warn_of_tokenized_predictions(corpus, options)
    options.warn_of_weights()
