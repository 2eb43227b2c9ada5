"""BLEU of each item, by the reference that suits it best where one is chosen, and means.

    statistics of items, or of pairs -> scores of items -> their means, with intervals

The mean of sentence BLEUs is not the BLEU of the corpus. With `multi_reference="best"`
each reference is held against the prediction alone, and the first one of the highest
score counts, for each BLEU by itself; what stands beside the scores is of the reference
that the first of them chose. A score that is NaN is left out of the mean. Of what stands
beside it, counts and lengths are sums, and all else is the mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...arrays import first_of_highest
from ...corpus import Corpus
from ...folding.exact_sums import mean_of_defined
from ...resampling.means import uncertainty_of_item_means
from ...resampling.uncertainty import with_uncertainty
from ..counts import BleuStatistics, bleu_item_statistics
from ..options import BleuOptions
from .parts import listed_parts, part_columns
from .scores import BleuFactors, bleu_scores, warn_of_short_predictions

# What of the columns of parts is averaged; the others add up.
_MEANS = ("precision_", "brevity_penalty", "length_ratio")


@dataclass(frozen=True)
class SentenceScores:
    """The scores of items.

    Parameters
    ----------
    scores : ndarray of float64, shape (n_weightings, n_items)
    factors : BleuFactors
        Of the items: where each chooses a reference, those of that one.
    chosen : ndarray of int64, shape (n_items,), or None
        The pair that counts, among all pairs; None: all references count.
    """

    scores: np.ndarray
    factors: BleuFactors
    chosen: np.ndarray | None


def sentence_scores(
    statistics: BleuStatistics, reference_offsets: np.ndarray, options: BleuOptions
) -> SentenceScores:
    """Return the scores of items from their statistics, or those of their pairs.

    `reference_offsets` say where the pairs of each item start.
    """
    factors = BleuFactors(statistics, options)
    scores = bleu_scores(factors)
    if not options.takes_references_alone:
        return SentenceScores(scores, factors, None)
    by = np.where(np.isnan(scores), -1.0, scores)
    chosen = [first_of_highest(of_pairs, reference_offsets) for of_pairs in by]
    best = np.stack([row[pairs] for row, pairs in zip(scores, chosen, strict=True)])
    items = BleuFactors(statistics.taken(chosen[0]), options)
    return SentenceScores(best, items, chosen[0])


def scores_of_sentences(corpus: Corpus, options: BleuOptions) -> SentenceScores:
    """Return the scores of the items of a corpus; warn where texts are lost."""
    statistics = bleu_item_statistics(corpus, options, True)
    return sentence_scores(statistics, corpus.reference_offsets, options)


def bleu_of_sentences(corpora: Sequence[Corpus], options: BleuOptions, seed: int) -> dict[str, Any]:
    """Return the result of `bleu_full` where it is made of the scores of items.

    `corpora` are those of the system, and of the baseline if there is one.
    """
    keys = list(options.weights_of_name)
    systems = [scores_of_sentences(corpus, options) for corpus in corpora]
    items = [system.scores for system in systems]
    for system in systems:
        warn_of_short_predictions(system.factors, system.scores)
    parts = part_columns(systems[0].factors)
    if not options.use_aggregator:
        return with_uncertainty(keys, items) | listed_parts(parts, options)
    means = [np.array(list(map(mean_of_defined, scores))) for scores in items]
    found = {}
    if options.confidence_level is not None or len(corpora) > 1:
        # Weights such as 1e300 make infinite scores.
        with np.errstate(invalid="ignore"):
            found = uncertainty_of_item_means(
                items, means, lambda scores: scores, options.resampling(seed)
            )
    of_corpus = listed_parts(_parts_of_corpus(systems[0].factors), options)
    return with_uncertainty(keys, means, found) | {
        name: values[0] for name, values in of_corpus.items()
    }


def _parts_of_corpus(factors: BleuFactors) -> dict[str, np.ndarray]:
    of_items = part_columns(factors)
    sums = part_columns(BleuFactors(factors.statistics.summed(), factors.options))
    return {
        name: np.array([mean_of_defined(column)]) if is_mean(name) else sums[name]
        for name, column in of_items.items()
    }


def is_mean(part: str) -> bool:
    """Whether a column of parts is averaged over items; others add up."""
    return part.startswith(_MEANS)


# --- folding --------------------------------------------------------------------------


def columns_of_sentences(corpus: Corpus, options: BleuOptions) -> dict[str, np.ndarray]:
    """Return the scores of items, numbered, and what stands beside them."""
    sentences = scores_of_sentences(corpus, options)
    scores = {f"score_{n}": row for n, row in enumerate(sentences.scores, start=1)}
    return scores | part_columns(sentences.factors)


def kinds_of_sentences(options: BleuOptions) -> dict[str, str]:
    """Return of which kind in `folding/exact_sums.py` each of these columns is."""
    n_scores = len(options.weights_of_name)
    kinds = {f"score_{n}": "score" for n in range(1, n_scores + 1)}
    nothing = BleuStatistics.of_nothing(len(options.counted_orders))
    has_fractions = options.reference_length == "average"
    for part in part_columns(BleuFactors(nothing, options)):
        is_length = part == "reference_length" and has_fractions
        kinds[part] = "score" if is_mean(part) else "length" if is_length else "count"
    return kinds


def scores_of_columns(values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the scores among the columns, or among means of them."""
    rows = [column for name, column in values.items() if name.startswith("score_")]
    return np.stack(rows).astype(np.float64)


def parts_of_columns(options: BleuOptions, values: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Return what stands beside the scores of the corpus."""
    parts = {name: column for name, column in values.items() if not name.startswith("score_")}
    return {name: of[0] for name, of in listed_parts(parts, options).items()}
