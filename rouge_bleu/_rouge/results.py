"""ROUGE from a checked corpus to the result of `rouge_full`.

texts -> tokens -> matches and totals of pairs -> scores of examples -> averages -> result
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..arrays import batches
from ..checks import warn_without_tokens
from ..corpus import Corpus
from ..messages import warn_caller
from ..metric import Result, ScoringPlan, results_by_chunk
from .options import RougeOptions
from .pairs import columns_of_counts, counts_by_columns, counts_of_lists, pairs_of_texts
from .rules import OUTPUTS
from .scores import example_scores, f_measure, scores_of_few

_MAX_PAIRED_SIZE = 1 << 20  # characters, or tokens, of pairs of one example
_IDLE_STOPWORDS = (
    "stopwords has words in uppercase. They remove nothing, because texts are lowercased first. "
    "Pass them in lowercase, or pass lowercase=False."
)

# From the counts of pairs, the offsets of references and options to columns of examples.
ColumnsOfCounts = Callable[[np.ndarray, np.ndarray, RougeOptions], np.ndarray]


class RougePlan(ScoringPlan):
    """The statistics of examples are their scores, which are averaged, or a preset averages them."""

    def __init__(self, options: RougeOptions) -> None:
        super().__init__(options)
        self.needs_all_examples = options.rules.averaging is not None
        self.kinds = dict.fromkeys(options.result_keys(options.scored_outputs), "score")
        self.keys = options.result_keys(options.outputs)

    def result(self, corpus: Corpus, seed: int = 0, baseline: Corpus | None = None) -> Result:
        averaging = self.options.rules.averaging
        if averaging is None or not (self.options.use_aggregator or averaging.scores):
            return super().result(corpus, seed, baseline)
        columns = columns_of_examples(corpus, self.options, averaging.columns)
        return averaging.result(columns, self.options, seed)

    def count_examples(self, corpus: Corpus, keeps_examples: bool) -> np.ndarray:
        scores = columns_of_examples(corpus, self.options, requested_scores)
        return scores.transpose(1, 0, 2).reshape(len(self.kinds), -1)

    def score(self, sums: np.ndarray) -> np.ndarray:
        options = self.options
        if not options.averages_f_of_means:
            return sums
        of_types = sums.reshape(-1, len(OUTPUTS), sums.shape[1]).copy()
        of_types[:, 2] = f_measure(of_types[:, 0], of_types[:, 1], options.beta)
        return self.score_examples(of_types.reshape(sums.shape))

    def score_examples(self, statistics: np.ndarray) -> np.ndarray:
        if not self.options.averages_f_of_means:
            return statistics
        wanted = [OUTPUTS.index(output) for output in self.options.outputs]
        of_types = statistics.reshape(len(self.options.types_by_name), len(OUTPUTS), -1)
        return of_types[:, wanted].reshape(len(self.keys), -1)


def requested_scores(
    counts: np.ndarray, reference_offsets: np.ndarray, options: RougeOptions
) -> np.ndarray:
    """Return the needed outputs of examples."""
    scores = example_scores(counts, reference_offsets, options)
    return scores[[OUTPUTS.index(output) for output in options.scored_outputs]]


def columns_of_examples(corpus: Corpus, options: RougeOptions, make: ColumnsOfCounts) -> np.ndarray:
    """Return `make` applied to the counts of pairs, shape (n_rows, n_rouge_types, n_examples)."""
    chunks = results_by_chunk(corpus, partial(_columns_of_chunk, options, make), options)
    columns, have_tokens = zip(*chunks, strict=True)
    if not any(have_tokens):
        warn_without_tokens(corpus)
    stopwords = options.stopwords or ()
    is_idle = any(word.lower() not in stopwords for word in stopwords)
    if is_idle and options.token_rules(corpus.is_tokenized).lowercase:
        warn_caller(_IDLE_STOPWORDS)
    return columns[0] if len(columns) == 1 else np.concatenate(columns, axis=2)


def _columns_of_chunk(
    options: RougeOptions, make: ColumnsOfCounts, corpus: Corpus, first: int, end: int
) -> tuple[np.ndarray, bool]:
    """Return the columns of the examples of a chunk, and whether a text has tokens."""
    texts, offsets = corpus.texts_and_offsets(first, end)
    # Only an example that is a chunk by itself can be as large as this.
    if end - first == 1 and sum(map(len, texts)) * len(texts) > _MAX_PAIRED_SIZE:
        counts, has_tokens = _counts_of_large_example(texts, corpus.is_tokenized, options, first)
        return make(counts, offsets, options), has_tokens
    pairs = pairs_of_texts(texts, offsets, corpus.is_tokenized, options, first)
    if pairs.listed_words is None:
        counts, has_tokens = counts_by_columns(pairs)
        return make(counts, offsets, options), has_tokens
    few_counts, has_tokens = counts_of_lists(pairs), any(map(any, pairs.listed_words.texts))
    # With these options `scores_of_few` has the `requested_scores`, and takes less time.
    if make is requested_scores and options.has_scores_of_one_pair:
        return scores_of_few(few_counts, offsets, options), has_tokens
    return make(columns_of_counts(few_counts), offsets, options), has_tokens


def _counts_of_large_example(
    texts: list[Any], is_tokenized: bool, options: RougeOptions, example: int
) -> tuple[np.ndarray, bool]:
    """Return the `counts_by_columns` of an example, some references at a time, which needs less memory."""
    prediction, *references = texts
    size = np.array([len(prediction) + len(reference) for reference in references])
    counts, have_tokens = [], []
    for first, end in batches(size, _MAX_PAIRED_SIZE):
        some_texts, offsets = [prediction, *references[first:end]], np.array([0, end - first])
        pairs = pairs_of_texts(some_texts, offsets, is_tokenized, options, example, first)
        counts_of_part, has_tokens = counts_by_columns(pairs)
        counts.append(counts_of_part)
        have_tokens.append(has_tokens)
    return np.concatenate(counts, axis=2), any(have_tokens)
