"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> matches and totals of each item -> sums over the corpus ->
    precisions and brevity penalty -> BLEU -> result

With the clipped n-gram `matches` and the number `totals` of n-grams of all predictions,
c tokens in all predictions and r in the references,

    p_n  = matches_n / totals_n
    BP   = 1 if c >= r else exp(1 - r / c)
    BLEU = BP exp(sum over n of w_n log p_n),   sum of w_n = 1

after Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine
translation" (https://aclanthology.org/P02-1040). Where an item has several references a
count is clipped at the highest count in any of them, and r takes the length that
`reference_length` says: the closest one, on a tie the shorter, as in sacreBLEU. How p_n
is smoothed stands in `smoothing.py`.

All of BLEU is a function of integers per item that add up; sentence BLEU is the same
function of one item. Python loops run over chunks of items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .bleu_options import COUNTS, PARTS, BleuOptions
from .inputs import Corpus
from .ngrams import ngram_matches, ngram_totals, shared_tokens
from .smoothing import smoothed_precisions
from .tokenization import tokenized


def bleu(corpus: Corpus, options: BleuOptions) -> dict[str, Any]:
    """Return the result of `bleu_full`: with `use_aggregator` of the whole corpus, else
    each value as a list with one for each item.
    """
    chunks = (
        _chunk_statistics(corpus, first, end, options) for first, end in corpus.chunks()
    )
    statistics = BleuStatistics.concatenated(
        [chunk.summed() if options.use_aggregator else chunk for chunk in chunks]
    )
    if not options.use_aggregator:
        return _scores(statistics, options)
    return {
        key: values[0] for key, values in _scores(statistics.summed(), options).items()
    }


@dataclass(frozen=True)
class BleuStatistics:
    """The sufficient statistics of items: integers that add up over items
    (`reference_length` may be fractional with "average").

    Parameters
    ----------
    matches : ndarray of int64, shape (n_orders, n_items)
        Clipped matches of each order, and of the extra one if the smoothing needs it.
    totals : ndarray of int64, shape (n_orders, n_items)
        What matches are divided by.
    n_ngrams : ndarray of int64, shape (n_orders, n_items)
        N-grams of the prediction. The same as `totals`, but for preset "nltk", which
        divides by at least 1 for each item.
    translation_length : ndarray of int64, shape (n_items,)
    reference_length : ndarray of int64 or float64, shape (n_items,)
        The length that the prediction is held against.
    n_reference_tokens : ndarray of int64, shape (n_items,)
        Tokens of all references.
    """

    matches: np.ndarray
    totals: np.ndarray
    n_ngrams: np.ndarray
    translation_length: np.ndarray
    reference_length: np.ndarray
    n_reference_tokens: np.ndarray

    @classmethod
    def concatenated(cls, parts: Sequence[BleuStatistics]) -> BleuStatistics:
        return cls(
            *(
                np.concatenate([getattr(part, name) for part in parts], axis=-1)
                for name in cls.__dataclass_fields__
            )
        )

    def summed(self) -> BleuStatistics:
        return BleuStatistics(
            *(
                getattr(self, name).sum(axis=-1, keepdims=True)
                for name in self.__dataclass_fields__
            )
        )


def _chunk_statistics(
    corpus: Corpus, first: int, end: int, options: BleuOptions
) -> BleuStatistics:
    texts, reference_offsets = corpus.texts_of_items(first, end)
    n_items = end - first
    tokens = tokenized(texts, options.tokenization, is_tokenized=corpus.is_tokenized)
    prediction, reference = (
        tokens.take(np.arange(n_items)),
        tokens.take(np.arange(n_items, len(texts))),
    )
    item_of_reference = np.repeat(np.arange(n_items), np.diff(reference_offsets))
    orders = [
        *range(options.highest_order),
        *([] if options.extra_order is None else [options.extra_order - 1]),
    ]
    matches = ngram_matches(
        shared_tokens(prediction, reference, item_of_reference), max(orders) + 1
    )[orders]
    lengths = prediction.ids.lengths
    n_ngrams = ngram_totals(lengths, max(orders) + 1)[orders]
    totals = np.maximum(n_ngrams, 1) if options.preset == "nltk" else n_ngrams
    reference_length = _REFERENCE_LENGTHS[options.reference_length](
        reference.ids.lengths, reference_offsets, lengths
    )
    n_reference_tokens = np.add.reduceat(reference.ids.lengths, reference_offsets[:-1])
    return BleuStatistics(
        matches, totals, n_ngrams, lengths, reference_length, n_reference_tokens
    )


# --- statistics -> scores -------------------------------------------------------------


def _scores(statistics: BleuStatistics, options: BleuOptions) -> dict[str, list[Any]]:
    """Return each key of the result with one value for each item."""
    penalty = brevity_penalty(
        statistics.translation_length, statistics.reference_length
    )
    precisions, is_counted = smoothed_precisions(statistics, options)
    is_undefined = _is_undefined(statistics, options)
    length_ratio = statistics.translation_length / np.where(
        statistics.reference_length == 0, 1, statistics.reference_length
    )
    length_ratio[statistics.reference_length == 0] = options.zero_division
    columns: dict[str, list[Any]] = {}
    for name, weights in options.weights_of_name.items():
        n_orders = len(weights)
        score = penalty * weighted_geometric_mean(
            precisions[:n_orders], weights, is_counted[:n_orders]
        )
        score[
            statistics.translation_length
            < (n_orders if options.preset == "matlab" else 1)
        ] = 0.0
        score[is_undefined] = options.zero_division
        columns[name] = score.tolist()
    parts = (
        precisions.T,
        penalty,
        length_ratio,
        statistics.translation_length,
        statistics.reference_length,
    )
    columns |= {name: part.tolist() for name, part in zip(PARTS, parts, strict=True)}
    if options.preset == "sacrebleu":
        columns |= {
            name: count.T.tolist()
            for name, count in zip(
                COUNTS, (statistics.matches, statistics.totals), strict=True
            )
        }
    return columns


def _is_undefined(statistics: BleuStatistics, options: BleuOptions) -> np.ndarray:
    """Return where there is nothing to compare with, whatever the smoothing says: no
    reference token, or for preset "matlab" no token at all.
    """
    is_empty = statistics.n_reference_tokens == 0
    return (
        is_empty & (statistics.translation_length == 0)
        if options.preset == "matlab"
        else is_empty
    )


def brevity_penalty(
    translation_length: np.ndarray, reference_length: np.ndarray
) -> np.ndarray:
    """Return exp(1 - r / c) where the translation is the shorter one, else 1; 0 for an
    empty translation.

    >>> brevity_penalty(np.array([10, 5, 0, 0]), np.array([8, 10, 4, 0])).round(6).tolist()
    [1.0, 0.367879, 0.0, 1.0]
    """
    is_short = translation_length < reference_length
    exponent = 1.0 - reference_length / np.maximum(translation_length, 1)
    return np.where(
        is_short, np.exp(np.minimum(exponent, 0.0)) * (translation_length > 0), 1.0
    )


def weighted_geometric_mean(
    values: np.ndarray, weights: np.ndarray, is_counted: np.ndarray
) -> np.ndarray:
    """Return exp(sum of w log v) over the orders that are counted, ndarray of float64,
    shape (n_items,).

    Where orders are left out, the other weights grow to the same sum. It is 0 where a
    value of positive weight is 0, and where no weight is left.

    Parameters
    ----------
    values : ndarray of float64, shape (n_orders, n_items)
    weights : ndarray of float64, shape (n_orders,)
    is_counted : ndarray of bool, shape (n_orders, n_items)
    """
    weight = weights[:, np.newaxis] * is_counted
    total = sum(weight, start=np.zeros(values.shape[1]))
    is_zero = ((values == 0) & (weight > 0)).any(axis=0) | (total == 0)
    logarithm = np.log(values, out=np.zeros_like(values), where=values > 0)
    scale = np.where(
        is_counted.all(axis=0) | (total == 0),
        1.0,
        weights.sum() / np.where(total == 0, 1.0, total),
    )
    exponent = np.zeros(values.shape[1])
    for term in (
        weight * logarithm
    ):  # one by one: numpy's own sum would add in another order for a single item
        exponent += term
    return np.where(is_zero, 0.0, np.exp(exponent * scale))


# --- lengths of references ------------------------------------------------------------


def _closest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    """Return for each item the reference length closest to the prediction's, on a tie
    the shorter.
    """
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    limit = int(reference.max(initial=0)) + 1
    return np.minimum.reduceat(distance * limit + reference, offsets[:-1]) % limit


def _shortest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    return np.minimum.reduceat(reference, offsets[:-1])


def _average_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    return np.add.reduceat(reference, offsets[:-1]) / np.diff(offsets)


_REFERENCE_LENGTHS: dict[
    str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
] = {
    "closest": _closest_length,
    "shortest": _shortest_length,
    "average": _average_length,
}
