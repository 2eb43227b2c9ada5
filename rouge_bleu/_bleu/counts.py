"""Texts -> the statistics of examples: by columns, an order at a time, or example by example if few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise, repeat
from typing import Any

import numpy as np

from ..arrays import Ragged
from ..checks import warn_without_tokens
from ..corpus import Corpus
from ..kernels.ngrams import ngram_matches
from ..metric import results_by_chunk
from ..rouge_types.matches import TokenList
from ..text.tokenizers import token_lists, tokenization_cost, tokenize
from ..tokens import example_of_reference, number_tokens, pair_sides, split_sides
from .options import BleuOptions

_MAX_FEW_STEPS = 33_000  # characters times orders, at least 4; up to this columns cost more


def statistics_of_corpus(
    options: BleuOptions, corpus: Corpus, keeps_examples: bool = True
) -> np.ndarray:
    """Return the statistics of examples, or of pairs if each reference counts alone, or the sums."""
    # Averages of lengths have fractions, whose sum would depend on the chunks.
    keeps_examples |= options.reference_length == "average"
    of_chunk = partial(_statistics_of_chunk, options, keeps_examples)
    chunks = results_by_chunk(corpus, of_chunk, options)
    values = chunks[0] if len(chunks) == 1 else np.concatenate(chunks, axis=1)
    if not keeps_examples and len(chunks) > 1:
        values = values.sum(axis=1, keepdims=True)
    if not values[-3:].any():  # lengths
        warn_without_tokens(corpus)
    return values


def _statistics_of_chunk(
    options: BleuOptions, keeps_examples: bool, corpus: Corpus, first: int, end: int
) -> np.ndarray:
    """Return the rows of `kinds_of_statistics` for the examples of a chunk, or their sums."""
    texts, offsets = corpus.texts_and_offsets(first, end)
    rules, is_tokenized = options.token_rules(), corpus.is_tokenized
    counts_pairs = options.multi_reference == "best"
    n_steps = tokenization_cost(texts, is_tokenized) * max(4, options.highest_order)
    words = token_lists(texts, rules, is_tokenized) if n_steps <= _MAX_FEW_STEPS else None
    if words is not None:
        bounds = pairwise((end - first + offsets).tolist())
        examples = [
            (one, words[start:stop]) for one, (start, stop) in zip(words, bounds, strict=False)
        ]
        if counts_pairs:
            examples = [(prediction, [one]) for prediction, several in examples for one in several]
        rows = [_statistics_of_example(options, *example) for example in examples]
        return np.array(rows if keeps_examples else [list(map(sum, zip(*rows, strict=True)))]).T
    tokens = tokenize(texts, rules, is_tokenized=is_tokenized)
    prediction, reference = (pair_sides if counts_pairs else split_sides)(tokens, offsets)
    if counts_pairs:
        offsets = np.arange(offsets[-1] + 1)
    shared = number_tokens(prediction, reference, example_of_reference(offsets))
    lengths, reference_lengths = shared.lengths
    r = reference_lengths
    if len(r) > len(lengths) or options.reference_length == "average":
        of_examples = Ragged(reference_lengths, offsets).to_lists()
        r = np.array(list(map(options.reference_length_of, lengths.tolist(), of_examples)))
    # Orders longer than every text are all alike, so only one of them is counted.
    orders, least_total = options.counted_orders, options.rules.least_total
    highest = max(orders)
    if least_total >= 0:
        highest = min(highest, int(lengths.max()) + 1)
    n_starts = lengths - np.arange(highest)[:, np.newaxis]
    totals, n_ngrams = np.maximum(n_starts, least_total), np.maximum(n_starts, 0)
    of_lengths = [lengths, r, np.add.reduceat(reference_lengths, offsets[:-1])]
    values = np.concatenate([ngram_matches(shared, highest), totals, n_ngrams, of_lengths])
    if not keeps_examples:
        values = values.sum(axis=1, keepdims=True)
    if highest == len(orders):
        return values
    kept = np.minimum(orders, highest) - 1
    return values[np.concatenate([kept, highest + kept, 2 * highest + kept, [-3, -2, -1]])]


def _statistics_of_example(
    options: BleuOptions, prediction: TokenList, references: Sequence[TokenList]
) -> list[float]:
    orders, least_total = options.counted_orders, options.rules.least_total
    c, lengths = len(prediction), list(map(len, references))
    matches = clipped_matches_of_orders(prediction, references, max(orders))
    n_starts = [c + 1 - order for order in orders]  # negative if the text is shorter than the order
    n_ngrams = [n if n > 0 else 0 for n in n_starts]
    totals = [max(n, least_total) for n in n_starts] if least_total else n_ngrams
    r = options.reference_length_of(c, lengths)
    return [*[matches[order - 1] for order in orders], *totals, *n_ngrams, c, r, sum(lengths)]


def clipped_matches_of_orders(
    prediction: TokenList, references: Sequence[TokenList], max_order: int
) -> list[int]:
    """Return the clipped matches of the orders 1 to `max_order` in one example.

    The bits of a mask are the positions of an n-gram in the references. A shift leads to the next
    order: so an order takes a step for each match of the order before it.

    >>> clipped_matches_of_orders("the cat is here".split(), ["the cat".split(), "it is here".split()], 3)
    [4, 2, 0]
    """
    mask_of_token: dict[Any, int] = {}
    get, bit, masks_of_references = mask_of_token.get, 1, []
    for reference in references:
        first = bit
        for token in reference:
            mask_of_token[token] = mask_of_token[token] | bit if token in mask_of_token else bit
            bit <<= 1
        masks_of_references.append(bit - first)
        bit <<= 1  # no token's: n-grams do not go from one reference into the next
    of_prediction = map(get, prediction, repeat(0))
    if len(references) == 1:
        return _matches_in_positions(masks_of_references[0], of_prediction, max_order)
    masks = [*of_prediction, 0]
    ngrams = {end: mask for end, mask in enumerate(masks, 1) if mask}
    matches: list[int] = []
    while ngrams and len(matches) < max_order:
        n_matches = len(ngrams)
        for mask, n in Counter(ngrams.values()).items():
            if n > 1:
                highest = max((mask & one).bit_count() for one in masks_of_references)
                n_matches -= max(n - highest, 0)
        matches.append(n_matches)
        ngrams = {end + 1: both for end, mask in ngrams.items() if (both := mask << 1 & masks[end])}
    return matches + [0] * (max_order - len(matches))


def _matches_in_positions(positions: int, masks: Iterable[int], max_order: int) -> list[int]:
    """Return the clipped matches with one reference, whose tokens are at the bits of `positions`."""
    left = [positions] * max_order  # not taken by an n-gram of each order
    ends = [0] * (max_order + 1)  # of the n-grams of each order that end at the token before
    for mask in masks:
        end, order = mask, 0
        while end and order < max_order:
            left_here, before = left[order], ends[order]
            free = end & left_here
            left[order] = left_here ^ free & -free  # an n-gram takes the first of its positions
            ends[order] = end
            end = before << 1 & mask
            order += 1
        ends[order] = 0
    return [(positions ^ one).bit_count() for one in left]
