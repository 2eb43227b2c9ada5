"""Texts -> the statistics of each item: integers that add up, from which BLEU is made.

    matches      n-grams of the prediction that are in a reference. Each counts at most as
                 often as in the reference that has it most often (Papineni et al. 2002,
                 section 2.1, https://aclanthology.org/P02-1040)
    totals       what matches are divided by: the n-grams of the prediction, unless a preset
                 has a least total
    lengths      of the prediction, of its references together, and of the reference that
                 the brevity penalty compares with (`REFERENCE_LENGTHS`)

Each order of n-grams is counted in all items of a chunk at once; where there is little
text, item by item.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..arrays import first_of_highest
from ..corpus import Corpus
from ..data.chunks import results_of_chunks
from ..input_warnings import warn_of_lost_text
from ..kernels.ngrams import ngram_matches
from ..kernels.plain_counts import MAX_PLAIN_ORDER, plain_ngram_matches
from ..text.plain_words import are_few, plain_words_of_texts
from ..text.tokenizers import tokenized
from ..tokens import item_of_reference, paired, shared_tokens, split_sides

if TYPE_CHECKING:
    from .options import BleuOptions


@dataclass(frozen=True)
class BleuStatistics:
    """The statistics of items, or sums of them, by name.

    `values` has a row for each of `statistic_names` and a column for each item.
    """

    values: np.ndarray

    @property
    def n_orders(self) -> int:
        """The number of `BleuOptions.counted_orders`."""
        return len(self.values) // 3 - 1

    @property
    def matches(self) -> np.ndarray:
        """Clipped matches of each order, shape (n_orders, n_items)."""
        return self.values[: self.n_orders]

    @property
    def totals(self) -> np.ndarray:
        """What matches are divided by, shape (n_orders, n_items)."""
        return self.values[self.n_orders : 2 * self.n_orders]

    @property
    def n_ngrams(self) -> np.ndarray:
        """N-grams of the predictions, shape (n_orders, n_items)."""
        return self.values[2 * self.n_orders : -3]

    @property
    def lengths(self) -> np.ndarray:
        """Tokens of predictions, reference lengths and tokens of all references, (3, n_items)."""
        return self.values[-3:]


def statistic_names(n_orders: int) -> list[str]:
    """Return the names of the rows of `BleuStatistics`.

    >>> statistic_names(1)[:3]
    ['matches_1', 'totals_1', 'ngrams_1']
    """
    names = ("matches", "totals", "ngrams")
    return [
        *(f"{name}_{order}" for name in names for order in range(1, n_orders + 1)),
        *("translation_length", "reference_length", "n_reference_tokens"),
    ]


def statistics_of_corpus(
    options: BleuOptions, corpus: Corpus, keeps_items: bool = True
) -> np.ndarray:
    """Return the statistics of the items, or their sums, and warn where texts are lost.

    Where references are taken alone, the items are pairs of a prediction and a reference.
    """
    # Averages of lengths have fractions, whose sum would depend on the chunks.
    keeps_items |= options.reference_length == "average"
    of_chunk = partial(_statistics_of_chunk, options, keeps_items)
    is_program = options.tokenizer_options.is_program and not corpus.is_tokenized
    chunks = results_of_chunks(corpus, of_chunk, options.n_workers, is_program=is_program)
    values = chunks[0] if len(chunks) == 1 else np.concatenate(chunks, axis=1)
    if not keeps_items:
        values = values.sum(axis=1, keepdims=True)
    translation_length, _, n_reference_tokens = BleuStatistics(values).lengths
    has_tokens = bool(translation_length.any() or n_reference_tokens.any())
    warn_of_lost_text(corpus, options, has_tokens=has_tokens)
    return values


def _statistics_of_chunk(
    options: BleuOptions, keeps_items: bool, corpus: Corpus, first: int, end: int
) -> np.ndarray:
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
    values = np.concatenate(
        [
            matches_up_to(highest),
            np.maximum(n_starts, least_total),
            np.maximum(n_starts, 0),
            [lengths],
            [options.length_against(reference_lengths, offsets, lengths)],
            [np.add.reduceat(reference_lengths, offsets[:-1])],
        ]
    )
    if not keeps_items:
        values = values.sum(axis=1, keepdims=True)
    if highest == len(orders):
        return values
    rows = np.minimum(orders, highest) - 1
    return values[np.concatenate([rows, highest + rows, 2 * highest + rows, [-3, -2, -1]])]


def _lengths_and_matches(
    texts: list[Any], offsets: np.ndarray, is_tokenized: bool, options: BleuOptions
) -> tuple[np.ndarray, np.ndarray, Callable[[int], np.ndarray]]:
    """Return the tokens of predictions and of references, and what counts matches.

    That is a function from the highest order to the clipped matches of all orders up to
    it, shape (max_order, n_items). Where references are taken alone, each prediction
    occurs once for each of its references.
    """
    takes_pairs = options.takes_references_alone
    n_items = len(offsets) - 1
    words = None
    if options.highest_order <= MAX_PLAIN_ORDER and are_few(texts, is_tokenized):
        words = plain_words_of_texts(texts, options.tokenizer_options, is_tokenized)
    if words is not None:
        n_words = np.array(list(map(len, words)), dtype=np.int64)
        references = [[row] for row in words[n_items:]]
        of_items = [references[start:end] for start, end in pairwise(offsets.tolist())]
        items = list(zip(words, of_items, strict=False))
        if takes_pairs:
            items = [(prediction, [one]) for prediction, several in items for one in several]
        lengths = np.array([len(prediction) for prediction, _ in items], dtype=np.int64)

        def matches_of_items(max_order: int) -> np.ndarray:
            rows = [plain_ngram_matches([one], several, max_order) for one, several in items]
            return np.array(rows, dtype=np.int64).T

        return lengths, n_words[n_items:], matches_of_items
    tokens = tokenized(texts, options.tokenizer_options, is_tokenized=is_tokenized)
    if takes_pairs:
        sides = paired(tokens, offsets)
        shared = shared_tokens(*sides)
    else:
        sides = split_sides(tokens, offsets)
        shared = shared_tokens(*sides, item_of_reference(offsets))
    prediction, reference = sides
    return prediction.ids.lengths, reference.ids.lengths, partial(ngram_matches, shared)


# --- reference lengths ----------------------------------------------------------------
#
# Each function takes the lengths of all references, the offsets of the items' references and
# the lengths of the predictions, and returns the length that each prediction is compared
# with, shape (n_items,).


def _closest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    """The length closest to that of the prediction, on a tie the shorter."""
    if len(reference) == len(prediction):  # one reference each
        return reference
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    limit = int(reference.max(initial=0)) + 1
    return np.minimum.reduceat(distance * limit + reference, offsets[:-1]) % limit


def first_closest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    """Return the length closest to that of the prediction, on a tie the first one.

    >>> first_closest_length(np.array([8, 4]), np.array([0, 2]), np.array([6])).tolist()
    [8]
    """
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    return reference[first_of_highest(-distance, offsets)]


def _shortest_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    return np.minimum.reduceat(reference, offsets[:-1])


def _average_length(
    reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray
) -> np.ndarray:
    return np.add.reduceat(reference, offsets[:-1]) / np.diff(offsets)


ReferenceLength = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
REFERENCE_LENGTHS: dict[str, ReferenceLength] = {
    "closest": _closest_length,
    "shortest": _shortest_length,
    "average": _average_length,
}
