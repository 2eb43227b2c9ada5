"""Texts of a corpus -> counts of pairs -> what becomes of them for each item.

    texts -> tokens -> matches and totals of pairs -> scores of items

Work goes in chunks of items; Python loops run over chunks, the parts of a large item,
and rouge types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ...arrays import batches
from ...corpus import Corpus
from ...input_warnings import warn_of_lost_text
from ...messages import warn_caller
from ...parallel import results_of_chunks
from ...text.tokenizers import TokenizerOptions
from ..measures.scores import OUTPUTS, PairStatistics, item_scores
from ..options import RougeOptions
from .convention import Convention

_MAX_PAIRED_SIZE = 1 << 20  # characters, or tokens, of pairs of one item

Items = TypeVar("Items")
# From the counts of pairs for each rouge type, and the offsets of references.
OfItems = Callable[[dict[str, PairStatistics], np.ndarray], Items]


def results_of_items(
    convention: Convention, corpus: Corpus, options: RougeOptions, of_items: OfItems[Items]
) -> list[Items]:
    """Return what becomes of the counts of each chunk; warn where texts are lost."""
    count = partial(_result_of_chunk, convention, options, of_items)
    tokenizer = options.tokenizer_options(corpus.is_tokenized)
    is_program = tokenizer.is_program and not corpus.is_tokenized
    chunks = results_of_chunks(corpus, count, options.n_workers, is_program=is_program)
    has_tokens = any(has_tokens for _, has_tokens in chunks)
    warn_of_lost_text(corpus, options, has_tokens=has_tokens)
    _warn_of_idle_stopwords(tokenizer)
    return [result for result, _ in chunks]


def _warn_of_idle_stopwords(options: TokenizerOptions) -> None:
    """Warn of stop words with capitals where there are none in tokens."""
    if not options.lowercase:
        return
    idle = [word for word in options.stopwords if word.lower() not in options.stopwords]
    if idle:
        warn_caller(
            "stopwords has words with capitals, which take nothing out: texts are lowercased "
            "first. Give them in lowercase, or pass lowercase=False."
        )


def _result_of_chunk(
    convention: Convention,
    options: RougeOptions,
    of_items: OfItems[Items],
    corpus: Corpus,
    first: int,
    end: int,
) -> tuple[Items, bool]:
    """Return what becomes of the counts of a chunk, and whether it has tokens."""
    texts, reference_offsets = corpus.texts_of_items(first, end)
    texts = convention.read(texts, options, corpus.is_tokenized)
    parts: dict[str, list[PairStatistics]] = {name: [] for name in options.measures}
    has_tokens = False
    n_references_before = 0
    for some_texts, offsets in _parts_of_item(texts, reference_offsets):
        pairs = convention.pairs(some_texts, offsets, corpus.is_tokenized, options)
        pairs.check(first, n_references_before)
        has_tokens |= pairs.has_tokens
        for name, measure in options.measures.items():
            parts[name].append(pairs.statistics(measure))
        n_references_before += int(offsets[-1])
    statistics = {name: PairStatistics.concatenated(all_) for name, all_ in parts.items()}
    return of_items(statistics, reference_offsets), has_tokens


def _parts_of_item(
    texts: list[Any], reference_offsets: np.ndarray
) -> list[tuple[list[Any], np.ndarray]]:
    """Return the texts of a chunk, those of a large item with some references at a time.

    Each part has its own offsets. A prediction is held against each of its references as
    if it stood there once for each, so memory would grow with their number.
    """
    is_one_pair = len(texts) == 2
    if is_one_pair or len(reference_offsets) > 2:  # chunks of several items are small
        return [(texts, reference_offsets)]
    prediction, *references = texts
    size = np.array([len(prediction) + len(reference) for reference in references])
    return [
        ([prediction, *references[first:end]], np.array([0, end - first]))
        for first, end in batches(size, _MAX_PAIRED_SIZE)
    ]


# --- scores ---------------------------------------------------------------------------


def scores_of_items(
    convention: Convention, corpus: Corpus, options: RougeOptions
) -> dict[str, np.ndarray]:
    """Return the scores of items for each rouge type, and warn where texts are lost.

    Ndarrays of float64, shape (n_outputs, n_items), of the outputs that are needed.
    """
    of_items = partial(_scores_of_types, options)
    chunks = results_of_items(convention, corpus, options, of_items)
    return {
        name: np.concatenate([scores[name] for scores in chunks], axis=1)
        for name in options.measures
    }


def _scores_of_types(
    options: RougeOptions, statistics: dict[str, PairStatistics], reference_offsets: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the scores of items for each rouge type, of the outputs that are needed.

    The columns of types that are scored alike stand one after the other, as if they were
    more items: a call of numpy has a price, and most batches are small.
    """
    n_items, n_pairs = len(reference_offsets) - 1, int(reference_offsets[-1])
    wanted = [OUTPUTS.index(output) for output in options.scored_outputs]
    alike: dict[tuple[type, float, bool], list[str]] = {}
    for name, of_type in statistics.items():
        has_own = of_type.prediction_matches is not None
        key = (type(of_type), of_type.exponent, has_own)
        alike.setdefault(key, []).append(name)
    scores = {}
    for names in alike.values():
        joined = PairStatistics.concatenated([statistics[name] for name in names])
        first_pair = n_pairs * np.arange(len(names))[:, np.newaxis]
        starts = (first_pair + reference_offsets[:-1]).ravel()
        offsets = np.append(starts, n_pairs * len(names))
        of_items = scores_of_statistics(joined, offsets, options)[wanted]
        for place, name in enumerate(names):
            scores[name] = of_items[:, place * n_items : (place + 1) * n_items]
    return scores


def scores_of_statistics(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """Return precision, recall and F of items, ndarray of float64, shape (3, n_items)."""
    return item_scores(
        replace(statistics, rules=options.rules.pairs),
        reference_offsets,
        multi_reference=options.multi_reference,
        beta=options.beta,
        zero_division=options.zero_division,
    )
