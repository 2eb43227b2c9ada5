"""Texts -> the statistics of examples: by columns, an order at a time, or example by example if few."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from ..checks import warn_without_tokens
from ..corpus import Corpus
from ..kernels.ngrams import ngram_matches
from ..metric import results_of_corpus
from ..rouge_types.ngrams import clipped_matches, ngrams
from ..text.tokenizers import size_of_texts, tokenized, words_of_few
from ..tokens import example_of_reference, paired, shared_tokens, split_sides
from .options import BleuOptions
from .smoothing import REFERENCE_LENGTHS

_MAX_FEW_CHARACTERS = 5000  # up to this size columns cost more
_MAX_PLAIN_ORDER = 4  # beyond it columns cost less, since they follow only matches


def statistics_of_corpus(
    options: BleuOptions, corpus: Corpus, keeps_examples: bool = True
) -> np.ndarray:
    """Return the statistics of examples, or of pairs if each reference counts alone, or the sums."""
    # Averages of lengths have fractions, whose sum would depend on the chunks.
    keeps_examples |= options.reference_length == "average"
    of_chunk = partial(_statistics_of_chunk, options, keeps_examples)
    chunks = results_of_corpus(corpus, of_chunk, options)
    values = chunks[0] if len(chunks) == 1 else np.concatenate(chunks, axis=1)
    if not keeps_examples and len(chunks) > 1:
        values = values.sum(axis=1, keepdims=True)
    c, _, n_reference_tokens = values[-3:]
    if not (c.any() or n_reference_tokens.any()):
        warn_without_tokens(corpus)
    return values


def _statistics_of_chunk(
    options: BleuOptions, keeps_examples: bool, corpus: Corpus, first: int, end: int
) -> np.ndarray:
    """Return the statistics of the examples of a chunk, or their sums."""
    texts, offsets = corpus.texts_of_examples(first, end)
    lengths, reference_lengths, matches_up_to = _lengths_and_matches(
        texts, offsets, corpus.is_tokenized, options
    )
    if options.multi_reference == "best":
        offsets = np.arange(len(lengths) + 1)
    # Orders longer than every text are all alike, so only one of them is counted.
    orders, least_total = options.counted_orders, options.rules.least_total
    highest = max(options.highest_order, int(orders[-1]))
    if least_total >= 0:
        highest = min(highest, int(lengths.max()) + 1)
    # Negative if a text is shorter than the order.
    n_starts = lengths - np.arange(highest)[:, np.newaxis]
    choose_length = {**REFERENCE_LENGTHS, **options.rules.reference_lengths}
    against = choose_length[options.reference_length](reference_lengths, offsets, lengths)
    values = np.empty((3 * highest + 3, len(lengths)), dtype=against.dtype)
    values[:highest] = matches_up_to(highest)
    np.maximum(n_starts, least_total, out=values[highest : 2 * highest])
    np.maximum(n_starts, 0, out=values[2 * highest : -3])
    values[-3], values[-2] = lengths, against
    np.add.reduceat(reference_lengths, offsets[:-1], out=values[-1])
    if not keeps_examples and len(lengths) > 1:
        values = values.sum(axis=1, keepdims=True)
    if highest == len(orders):
        return values
    rows = np.minimum(orders, highest) - 1
    return values[np.concatenate([rows, highest + rows, 2 * highest + rows, [-3, -2, -1]])]


def _lengths_and_matches(
    texts: list[Any], offsets: np.ndarray, is_tokenized: bool, options: BleuOptions
) -> tuple[np.ndarray, np.ndarray, Callable[[int], np.ndarray]]:
    """Return the lengths of both sides, and a function that counts clipped matches.

    It maps the highest order to an array of shape (max_order, n_examples). If
    each reference counts alone, each prediction occurs once for each of its references.
    """
    takes_pairs = options.multi_reference == "best"
    n_examples = len(offsets) - 1
    words = None
    has_few_orders = options.highest_order <= _MAX_PLAIN_ORDER
    if has_few_orders and size_of_texts(texts, is_tokenized) <= _MAX_FEW_CHARACTERS:
        words = words_of_few(texts, options.word_rules(), is_tokenized)
    if words is not None:
        n_words = np.array(list(map(len, words)), dtype=np.int64)
        bounds = pairwise((n_examples + offsets).tolist())
        examples = [
            (one, words[first:end]) for one, (first, end) in zip(words, bounds, strict=False)
        ]
        if takes_pairs:
            examples = [(prediction, [one]) for prediction, several in examples for one in several]
        lengths = np.array([len(prediction) for prediction, _ in examples], dtype=np.int64)

        def matches_of_examples(max_order: int) -> np.ndarray:
            rows = [_matches_of_orders(one, several, max_order) for one, several in examples]
            return np.array(rows, dtype=np.int64).T

        return lengths, n_words[n_examples:], matches_of_examples
    tokens = tokenized(texts, options.word_rules(), is_tokenized=is_tokenized)
    if takes_pairs:
        sides = paired(tokens, offsets)
        shared = shared_tokens(*sides)
    else:
        sides = split_sides(tokens, offsets)
        shared = shared_tokens(*sides, example_of_reference(offsets))
    prediction, reference = sides
    return prediction.ids.lengths, reference.ids.lengths, partial(ngram_matches, shared)


def _matches_of_orders(
    prediction: list[str], references: list[list[str]], max_order: int
) -> list[int]:
    matches = [0] * max_order
    for order in range(1, max_order + 1):
        found, *others = [ngrams(text, order) for text in (prediction, *references)]
        matches[order - 1] = clipped_matches(found, *others)
        if not matches[order - 1]:  # so longer ones do not match either
            break
    return matches
