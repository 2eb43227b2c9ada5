"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> counts of each item -> sums over the corpus
          -> precisions and brevity penalty -> BLEU -> result

With the clipped n-gram `matches` and the number `totals` of n-grams of all predictions,
c tokens in all predictions and r in the references,

    p_n  = matches_n / totals_n
    BP   = 1 if c >= r else exp(1 - r / c)
    BLEU = BP exp(sum over n of w_n log p_n),   sum of w_n = 1

after Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine
translation" (https://aclanthology.org/P02-1040). Where an item has several references a
count is clipped at the highest count in any of them, and r takes the length that
`reference_length` says (`bleu/brevity.py`). How p_n is smoothed stands in `bleu/smoothing.py`.

All of BLEU is a function of numbers per item that add up; sentence BLEU is the same
function of one item. Python loops run over chunks of items, orders and weightings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..data.chunks import results_of_chunks
from ..data.corpus import Corpus
from ..data.lost_text import warn_of_lost_text, warn_of_unspaced_text
from ..ground.lazy import lazy_property
from ..ground.tokens import SharedTokens, item_of_reference, shared_tokens, split_sides
from ..kernels.ngrams import ngram_matches, ngram_totals
from ..kernels.plain_counts import MAX_PLAIN_ORDER, plain_ngram_matches
from ..resampling.uncertainty import uncertainty, with_uncertainty
from ..text.plain_words import are_few, plain_words_of_texts
from ..text.tokenizers import tokenized
from .brevity import brevity_penalty
from .options import BLEU_COUNTS, BLEU_PARTS, BleuOptions
from .smoothing import SMOOTHINGS, OrderCounts, plus_one


def bleu(
    corpus: Corpus,
    options: BleuOptions,
    seed: int = 0,
    baseline: Corpus | None = None,
) -> dict[str, Any]:
    """Return the result of `bleu_full`.

    Its values are those of the whole corpus, or without `use_aggregator` lists with one
    value for each item. `seed` is what `options.seed` is without a value. A baseline
    has the predictions of another system for the same references.
    """
    warn_of_unspaced_text(corpus, options.tokenizer)
    is_resampled = options.confidence_level is not None or baseline is not None
    keeps_items = is_resampled or not options.use_aggregator
    corpora = [corpus] if baseline is None else [corpus, baseline]
    items = [bleu_item_statistics(one, options, keeps_items) for one in corpora]
    sums = items
    if options.use_aggregator:
        sums = [statistics.summed() for statistics in items]
    # A tiny score is 0, whatever numpy is set to.
    with np.errstate(under="ignore", over="ignore"):
        factors = [BleuFactors(statistics, options) for statistics in sums]
        scores = [bleu_scores(of_system) for of_system in factors]
        parts = bleu_parts(factors[0])
        if not options.use_aggregator:
            return with_uncertainty(list(options.weights_of_name), scores) | parts
        of_corpus = [of_system[:, 0] for of_system in scores]
        found = {}
        if is_resampled:
            found = _uncertainty_of_sums(items, of_corpus, options, seed)
    return with_uncertainty(list(options.weights_of_name), of_corpus, found) | {
        key: values[0] for key, values in parts.items()
    }


def bleu_item_statistics(
    corpus: Corpus, options: BleuOptions, keeps_items: bool
) -> BleuStatistics:
    """Return the statistics of the items, and warn where texts are lost.

    Unless items are kept, those of a chunk are summed.
    """
    statistics_of_chunk = partial(_bleu_statistics, corpus, options, keeps_items)
    chunks = results_of_chunks(corpus, statistics_of_chunk, options.n_workers)
    statistics = BleuStatistics.concatenated(chunks)
    n_tokens = statistics.translation_length.sum() + statistics.n_reference_tokens.sum()
    warn_of_lost_text(
        corpus,
        options.tokenizer_name,
        has_tokens=n_tokens > 0,
        zero_division=options.zero_division,
    )
    return statistics


def bleu_of_item(
    corpus: Corpus, options: BleuOptions
) -> tuple[BleuStatistics, dict[str, Any]]:
    """Return the statistics and the result of a corpus of one item."""
    statistics = _bleu_statistics(corpus, options, True, 0, 1)
    with np.errstate(under="ignore", over="ignore"):
        factors = BleuFactors(statistics, options)
        scores, parts = bleu_scores(factors), bleu_parts(factors)
    result = with_uncertainty(list(options.weights_of_name), [scores]) | parts
    return statistics, {key: values[0] for key, values in result.items()}


# --- texts -> statistics --------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class BleuStatistics:
    """The sufficient statistics of items: numbers that add up over items.

    Parameters
    ----------
    matches : ndarray of int64, shape (n_orders, n_items)
        Clipped matches of each of `BleuOptions.counted_orders`.
    totals : ndarray of int64, shape (n_orders, n_items)
        What matches are divided by.
    n_ngrams : ndarray of int64, shape (n_orders, n_items)
        N-grams of the prediction: `totals`, unless the rules set a least total.
    translation_length : ndarray of int64, shape (n_items,)
    reference_length : ndarray of int64 or Fraction, shape (n_items,)
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

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """The columns under their names."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def concatenated(cls, parts: Sequence[BleuStatistics]) -> BleuStatistics:
        """Return the items of all parts."""
        if len(parts) == 1:
            return parts[0]
        columns = {
            field.name: np.concatenate([part.columns[field.name] for part in parts], -1)
            for field in fields(cls)
        }
        return cls(**columns)

    def summed(self) -> BleuStatistics:
        """Return the sums over all items, as one item."""
        if len(self.translation_length) == 1:
            return self
        sums = {
            name: column.sum(axis=-1, keepdims=True)
            for name, column in self.columns.items()
        }
        return BleuStatistics(**sums)

    @property
    def float_reference_length(self) -> np.ndarray:
        """The reference length, as float64 if it is made of fractions."""
        has_fractions = self.reference_length.dtype == object
        kind = np.float64 if has_fractions else self.reference_length.dtype
        return self.reference_length.astype(kind, copy=False)

    def stacked(self) -> np.ndarray:
        """Return all columns as one ndarray of float64, shape (n_columns, n_items)."""
        columns = [np.atleast_2d(column) for column in self.columns.values()]
        return np.concatenate(columns).astype(np.float64)

    @classmethod
    def of_stacked(cls, stacked: np.ndarray) -> BleuStatistics:
        """Return the statistics of what `stacked` made, or of sums of that."""
        n_orders = (len(stacked) - 3) // 3
        matches, totals, n_ngrams = stacked[: 3 * n_orders].reshape(3, n_orders, -1)
        lengths = stacked[3 * n_orders :]
        return cls(
            matches=matches,
            totals=totals,
            n_ngrams=n_ngrams,
            translation_length=lengths[0],
            reference_length=lengths[1],
            n_reference_tokens=lengths[2],
        )

    def of_orders(self, row: np.ndarray) -> BleuStatistics:
        """Return the same with these rows of orders; a row may be asked for again."""
        columns = self.columns
        for name in ("matches", "totals", "n_ngrams"):
            columns[name] = columns[name][row]
        return BleuStatistics(**columns)


def _bleu_statistics(
    corpus: Corpus, options: BleuOptions, keeps_items: bool, first: int, end: int
) -> BleuStatistics:
    """Return the statistics of the items of a chunk, or their sums."""
    texts, offsets = corpus.texts_of_items(first, end)
    items = _items_of_texts(texts, offsets, corpus.is_tokenized, options)
    lengths, reference_lengths = items.lengths

    # Orders that no text has are all alike, so one of them is counted.
    orders = options.counted_orders
    highest = min(int(orders.max()), int(lengths.max()) + 1)
    n_ngrams = ngram_totals(lengths, highest)
    statistics = BleuStatistics(
        matches=items.ngram_matches(highest),
        totals=np.maximum(n_ngrams, options.rules.least_total),
        n_ngrams=n_ngrams,
        translation_length=lengths,
        reference_length=options.length_against(reference_lengths, offsets, lengths),
        n_reference_tokens=np.add.reduceat(reference_lengths, offsets[:-1]),
    )
    if not keeps_items:
        statistics = statistics.summed()
    return statistics.of_orders(np.minimum(orders, highest) - 1)


@dataclass(frozen=True)
class _Items:
    """The tokens of items by columns."""

    tokens: SharedTokens

    @property
    def lengths(self) -> list[np.ndarray]:
        """Tokens of predictions and of references, ndarrays of int64."""
        return [side.ids.lengths for side in self.tokens.sides]

    def ngram_matches(self, max_order: int) -> np.ndarray:
        """Return clipped matches, ndarray of int64, shape (max_order, n_items)."""
        return ngram_matches(self.tokens, max_order)


@dataclass(frozen=True)
class _FewItems:
    """The same where there is little text, one item after the other."""

    predictions: list[list[str]]
    references: list[list[str]]
    reference_offsets: np.ndarray

    @property
    def lengths(self) -> list[np.ndarray]:
        return [
            np.array(list(map(len, side)), dtype=np.int64)
            for side in (self.predictions, self.references)
        ]

    def ngram_matches(self, max_order: int) -> np.ndarray:
        bounds = pairwise(self.reference_offsets.tolist())
        rows = [
            plain_ngram_matches(
                [prediction],
                [[words] for words in self.references[start:end]],
                max_order,
            )
            for prediction, (start, end) in zip(self.predictions, bounds, strict=True)
        ]
        return np.array(rows, dtype=np.int64).T


def _items_of_texts(
    texts: list[Any], offsets: np.ndarray, is_tokenized: bool, options: BleuOptions
) -> _Items | _FewItems:
    """Return the items of some texts, by the way that costs less."""
    is_short = options.highest_order <= MAX_PLAIN_ORDER
    if is_short and are_few(texts, is_tokenized):
        words = plain_words_of_texts(texts, options.tokenizer_options, is_tokenized)
        if words is not None:
            n_items = len(offsets) - 1
            return _FewItems(words[:n_items], words[n_items:], offsets)
    tokens = tokenized(texts, options.tokenizer_options, is_tokenized=is_tokenized)
    sides = split_sides(tokens, offsets)
    return _Items(shared_tokens(*sides, item_of_reference(offsets)))


# --- statistics -> scores -------------------------------------------------------------


@dataclass(frozen=True)
class BleuFactors:
    """What BLEU is a product of, for each item; computed when it is first asked for.

    Parameters
    ----------
    statistics : BleuStatistics
    options : BleuOptions
    """

    statistics: BleuStatistics
    options: BleuOptions

    @lazy_property
    def brevity_penalty(self) -> np.ndarray:
        """BP, ndarray of float64, shape (n_items,)."""
        statistics = self.statistics
        return brevity_penalty(
            statistics.translation_length, statistics.float_reference_length
        )

    def precisions(self, n_orders: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the smoothed precisions of the first orders, and which of them count.

        Two ndarrays, of float64 and of bool, shape (n_orders, n_items).
        """
        if n_orders not in self._known_precisions:
            self._known_precisions[n_orders] = _precisions(
                self.statistics, self.options, n_orders
            )
        return self._known_precisions[n_orders]

    @lazy_property
    def _known_precisions(self) -> dict[int, tuple[np.ndarray, np.ndarray]]:
        return {}


def bleu_scores(factors: BleuFactors) -> np.ndarray:
    """Return each BLEU of each item, ndarray of float64, shape (n_weightings, n_items)."""
    statistics, options = factors.statistics, factors.options
    translation_length = statistics.translation_length
    is_undefined = statistics.n_reference_tokens == 0
    if options.rules.scores_against_nothing:
        is_undefined &= translation_length == 0
    scores = []
    for weights in options.weights_of_name.values():
        n_orders = len(weights)
        n_smoothed = options.n_smoothed_orders(weights)
        precisions, is_counted = factors.precisions(n_smoothed)
        # Orders behind those that are smoothed have weight 0.
        score = factors.brevity_penalty * weighted_geometric_mean(
            precisions[:n_orders], weights[: len(precisions)], is_counted[:n_orders]
        )
        least_length = n_orders if options.rules.needs_every_order else 1
        score[translation_length < least_length] = 0.0
        if options.rules.needs_every_match:
            score[~statistics.matches[:n_orders].all(axis=0)] = 0.0
        score[is_undefined] = options.zero_division
        scores.append(score)
    return np.stack(scores)


def bleu_parts(factors: BleuFactors) -> dict[str, list[Any]]:
    """Return what scores are made of, each with one value for each item."""
    statistics, options = factors.statistics, factors.options
    if options.output == "score":
        return {}
    translation_length = statistics.translation_length
    reference_length = statistics.float_reference_length
    has_length = reference_length > 0
    length_ratio = translation_length / np.where(has_length, reference_length, 1)
    length_ratio[~has_length] = options.zero_division
    precisions, _ = factors.precisions(options.highest_order)
    columns = (
        precisions.T,
        factors.brevity_penalty,
        length_ratio,
        translation_length,
        reference_length,
    )
    parts = {
        name: column.tolist() for name, column in zip(BLEU_PARTS, columns, strict=True)
    }
    if options.rules.returns_counts:
        counts = statistics.of_orders(np.arange(options.highest_order))
        parts |= {
            name: count.T.tolist()
            for name, count in zip(
                BLEU_COUNTS, (counts.matches, counts.totals), strict=True
            )
        }
    return _flat(parts) if options.output == "flat" else parts


def _flat(parts: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the same with a key for each order, as in `precision_1`."""
    flat: dict[str, list[Any]] = {}
    for name, values in parts.items():
        if name not in ("precisions", *BLEU_COUNTS):
            flat[name] = values
            continue
        for order, column in enumerate(zip(*values, strict=True), start=1):
            flat[f"{name.removesuffix('s')}_{order}"] = list(column)
    return flat


def _uncertainty_of_sums(
    items: list[BleuStatistics],
    scores: list[np.ndarray],
    options: BleuOptions,
    seed: int,
) -> dict[str, np.ndarray]:
    """Return bounds and p-values of each BLEU, whose numbers are summed anew.

    Parameters
    ----------
    items : list of BleuStatistics
        The items of the system, and of the baseline if there is one.
    scores : list of ndarray of float64, shape (n_weightings,)
        The BLEUs of the corpus of each.
    """

    def scores_of_sums(sums: np.ndarray) -> np.ndarray:
        return bleu_scores(BleuFactors(BleuStatistics.of_stacked(sums), options))

    columns = [statistics.stacked() for statistics in items]
    return uncertainty(columns, scores, scores_of_sums, options.resampling(seed))


def _precisions(
    statistics: BleuStatistics, options: BleuOptions, n_orders: int
) -> tuple[np.ndarray, np.ndarray]:
    counts = OrderCounts(
        matches=statistics.matches,
        totals=statistics.totals,
        n_ngrams=statistics.n_ngrams,
        translation_length=statistics.translation_length,
    )
    of_orders = counts.first(n_orders)
    n_added = 0.0
    if options.smooth:
        precisions = plus_one(of_orders)
    else:
        smoothing = SMOOTHINGS[options.smoothing]
        value = options.smoothing_constant
        precisions = smoothing.precisions(counts, n_orders, value)
        if options.smoothing in options.rules.skips_zero_with:
            precisions = np.where(precisions > 0, precisions, 1.0)
        # Where an item has no match at all, no smoothing helps.
        precisions = np.where(of_orders.matches.any(axis=0), precisions, 0.0)
        if smoothing.adds_to_totals:
            n_added = value
    if not options.uses_effective_order:
        return precisions, np.ones(precisions.shape, dtype=bool)
    return precisions, of_orders.n_ngrams + n_added > 0


def weighted_geometric_mean(
    values: np.ndarray, weights: np.ndarray, is_counted: np.ndarray
) -> np.ndarray:
    """Return exp(sum of w log v) over the orders that are counted.

    Where orders are left out, the other weights grow to the same sum. It is 0 where a
    value of positive weight is 0, and where no weight is left.

    Parameters
    ----------
    values : ndarray of float64, shape (n_orders, n_items)
    weights : ndarray of float64, shape (n_orders,)
    is_counted : ndarray of bool, shape (n_orders, n_items)

    Returns
    -------
    ndarray of float64, shape (n_items,)
    """
    weight = weights[:, np.newaxis] * is_counted
    is_zero = ((values == 0) & (weight > 0)).any(axis=0)
    logarithm = np.log(values, out=np.zeros_like(values), where=values > 0)
    is_left_out = ~is_counted.all(axis=0)
    if is_left_out.any():  # what is left may be tiny; powers of 2 change no digit
        _, power = np.frexp(weight.max(axis=0))
        weight = np.ldexp(weight, np.where(is_left_out, -power, 0))
    exponent = _sum_of_orders(weight * logarithm)
    if is_left_out.any():
        total = _sum_of_orders(weight)
        has_weight = total > 0
        # A precision of 1 stays 1 under any weight, infinite sums of weights too.
        is_scaled = has_weight & is_left_out & (exponent != 0)
        scale = weights.sum() / np.where(has_weight, total, 1.0)
        exponent *= np.where(is_scaled, scale, 1.0)
        is_zero |= ~has_weight
    return np.where(is_zero, 0.0, np.exp(exponent))


def _sum_of_orders(values: np.ndarray) -> np.ndarray:
    """Return the sums over the first axis, one after the other.

    Numpy adds the orders of a single item in another order than those of several.
    """
    return sum(values, start=np.zeros(values.shape[1]))
