"""Texts -> the numbers of each item from which BLEU is made: counts and lengths.

They add up over items. Each order of n-grams is counted in all items of a chunk at once;
where there is little text, item by item. Python loops run over chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..corpus import Corpus
from ..data.chunks import results_of_chunks
from ..input_warnings import warn_of_lost_text
from ..kernels.ngrams import ngram_matches, ngram_totals
from ..plain import clipped_matches, ngrams
from ..text.tokenizers import are_few, tokenized, words_of_few
from ..tokens import item_of_reference, paired, shared_tokens, split_sides
from .options import BleuOptions

_MAX_FEW_CHARACTERS = 4000  # up to that columns cost more
_MAX_PLAIN_ORDER = 4  # longer n-grams cost less by columns, which look at matches only


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

    @classmethod
    def of_nothing(cls, n_orders: int) -> BleuStatistics:
        """Return the statistics of no item."""
        return cls.of_stacked(np.zeros((3 * n_orders + 3, 0), dtype=np.int64))

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
        sums = {name: column.sum(axis=-1, keepdims=True) for name, column in self.columns.items()}
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

    def taken(self, item: np.ndarray) -> BleuStatistics:
        """Return some of the items."""
        return BleuStatistics(**{name: column[..., item] for name, column in self.columns.items()})

    def of_orders(self, row: np.ndarray) -> BleuStatistics:
        """Return the counts of other orders, given as rows of these; lengths stay."""
        columns = self.columns
        for name in ("matches", "totals", "n_ngrams"):
            columns[name] = columns[name][row]
        return BleuStatistics(**columns)


def bleu_item_statistics(corpus: Corpus, options: BleuOptions, keeps_items: bool) -> BleuStatistics:
    """Return the statistics of the items, and warn where texts are lost.

    Unless items are kept, those of a chunk are summed. Where references are taken
    alone, the items are the pairs of a prediction and a reference.
    """
    statistics_of_chunk = partial(statistics_of_items, options, keeps_items)
    is_program = options.tokenizer_options.is_program and not corpus.is_tokenized
    chunks = results_of_chunks(
        corpus, statistics_of_chunk, options.n_workers, is_program=is_program
    )
    statistics = BleuStatistics.concatenated(chunks)
    n_tokens = statistics.translation_length.sum() + statistics.n_reference_tokens.sum()
    warn_of_lost_text(corpus, options, has_tokens=n_tokens > 0)
    return statistics


def statistics_of_items(
    options: BleuOptions, keeps_items: bool, corpus: Corpus, first: int, end: int
) -> BleuStatistics:
    """Return the statistics of the items of a chunk, or their sums."""
    texts, offsets = corpus.texts_of_items(first, end)
    lengths, reference_lengths, matches_up_to = _lengths_and_matches(
        texts, offsets, corpus.is_tokenized, options
    )
    if options.takes_references_alone:
        offsets = np.arange(len(lengths) + 1)

    # Orders that no text has are all alike, so one of them is counted.
    orders, least_total = options.counted_orders, options.rules.least_total
    highest = int(orders.max())
    if least_total >= 0:
        highest = min(highest, int(lengths.max()) + 1)
    # Below 0 where a text is shorter than the order.
    n_starts = lengths - np.arange(highest)[:, np.newaxis]
    statistics = BleuStatistics(
        matches=matches_up_to(highest),
        totals=np.maximum(n_starts, least_total),
        n_ngrams=ngram_totals(lengths, highest),
        translation_length=lengths,
        reference_length=options.length_against(reference_lengths, offsets, lengths),
        n_reference_tokens=np.add.reduceat(reference_lengths, offsets[:-1]),
    )
    if not keeps_items:
        statistics = statistics.summed()
    return statistics.of_orders(np.minimum(orders, highest) - 1)


def _lengths_and_matches(
    texts: list[Any], offsets: np.ndarray, is_tokenized: bool, options: BleuOptions
) -> tuple[np.ndarray, np.ndarray, Callable[[int], np.ndarray]]:
    """Return the tokens of predictions and of references, and what counts matches.

    That is a function from the highest order to the clipped matches of all orders up to
    that, ndarray of int64, shape (max_order, n_items). A prediction stands there once
    for each of its references where these are taken alone. Of two ways to count the one
    that costs less is taken.
    """
    takes_pairs = options.takes_references_alone
    words = None
    if options.highest_order <= _MAX_PLAIN_ORDER and are_few(
        texts, is_tokenized, _MAX_FEW_CHARACTERS
    ):
        words = words_of_few(texts, options.tokenizer_options, is_tokenized)
    if words is not None:
        n_items = len(offsets) - 1
        lengths = np.array(list(map(len, words)), dtype=np.int64)
        predictions, references = lengths[:n_items], lengths[n_items:]
        if takes_pairs:
            predictions = predictions[item_of_reference(offsets)]
        count = partial(_plain_matches, words, offsets, takes_pairs)
        return predictions, references, count
    tokens = tokenized(texts, options.tokenizer_options, is_tokenized=is_tokenized)
    if takes_pairs:
        sides = paired(tokens, offsets)
        shared = shared_tokens(*sides)
    else:
        sides = split_sides(tokens, offsets)
        shared = shared_tokens(*sides, item_of_reference(offsets))
    prediction, reference = sides
    return prediction.ids.lengths, reference.ids.lengths, partial(ngram_matches, shared)


def _plain_matches(
    words: list[list[str]], offsets: np.ndarray, takes_pairs: bool, max_order: int
) -> np.ndarray:
    n_items = len(offsets) - 1
    bounds = list(enumerate(pairwise((n_items + offsets).tolist())))
    if takes_pairs:
        bounds = [
            (item, (place, place + 1))
            for item, (start, end) in bounds
            for place in range(start, end)
        ]
    rows = [
        _matches_of_orders(words[item], words[start:end], max_order)
        for item, (start, end) in bounds
    ]
    return np.array(rows, dtype=np.int64).T


def _matches_of_orders(
    prediction: list[str], references: list[list[str]], max_order: int
) -> list[int]:
    matches = [0] * max_order
    for order in range(1, max_order + 1):
        units = [ngrams(text, order) for text in (prediction, *references)]
        matches[order - 1] = clipped_matches(*units)
        if not matches[order - 1]:  # so longer ones do not match either
            break
    return matches
