"""ROUGE from a checked corpus to the result: the pipeline of `rouge_full`.

    texts -> tokens -> matches and totals of each pair -> precision, recall, F -> best
    reference -> item -> result

With `matches` common units, of which the prediction has `prediction_total` and the
reference `reference_total`,

    precision = matches / prediction_total
    recall    = matches / reference_total
    F         = (1 + beta^2) precision recall / (beta^2 precision + recall)

after Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"
(https://aclanthology.org/W04-1013); tokens, sentences, the union LCS and the choice
among references follow rouge_score. Units are n-grams (rougeN), tokens of a common
subsequence (rougeL, rougeLsum), skip-bigrams (rougeS), those and unigrams (rougeSU).
rougeW has real-valued matches and takes f^-1 of both quotients.

Presets are options with other values, but for two: "evaluate" has an average of its own
(`resampling.py`), and "rouge-1.5.5" counts by rules of its own (`rouge155.py`).

Work goes in chunks of items, so that the arrays stay in the cache and memory stays
flat. The Python loops here run over chunks and rouge types.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any

import numpy as np

from .inputs import Corpus, warn_caller
from .ngrams import (
    SharedTokens,
    ngram_matches,
    ngram_totals,
    shared_tokens,
    skip_bigram_matches,
    skip_bigram_totals,
    totals_of_texts,
)
from .ragged import Tokens, first_of_highest
from .resampling import median_of_resampled_means
from .rouge155 import rouge155
from .rouge_options import OUTPUTS, Measure, RougeOptions
from .sentence_splitting import split_sentences
from .subsequences import (
    best_sentence_lcs_lengths,
    lcs_lengths,
    union_lcs_lengths,
    wlcs_scores,
)
from .tokenization import (
    TokenizerOptions,
    tokenized,
    tokenized_sentences,
    with_sentence_lines,
)

_N_TEXTS_LOOKED_AT = 100  # for several sentences in one line


def rouge(corpus: Corpus, options: RougeOptions, seed: int = 0) -> dict[str, Any]:
    """Return the result of `rouge_full`: a float for each key, or with
    `use_aggregator=False` a list of floats with one for each item.

    `seed` is what `options.seed` is without a value.
    """
    if options.preset == "rouge-1.5.5":
        result, has_tokens = rouge155(corpus, options)
        if not has_tokens:
            _warn_of_no_tokens(corpus, options)
        return result
    _warn_of_missing_lines(corpus, options)
    tokenization = options.tokenization(corpus.is_tokenized)
    chunks = [
        _chunk_scores(corpus, first, end, tokenization, options)
        for first, end in corpus.chunks()
    ]
    if not any(chunk.has_tokens for chunk in chunks):
        _warn_of_no_tokens(corpus, options)
    scores = {
        name: np.concatenate([chunk.scores[name] for chunk in chunks], axis=1)
        for name in options.measures
    }
    if not options.use_aggregator:
        aggregate: Callable[[np.ndarray], Any] = np.ndarray.tolist
    elif options.preset == "evaluate":
        scores = median_of_resampled_means(
            scores, seed if options.seed is None else options.seed
        )
        aggregate = float
    else:
        aggregate = _mean
    return {
        options.key(name, output): aggregate(column)
        for name, columns in scores.items()
        for output, column in zip(options.outputs, columns, strict=True)
    }


@dataclass(frozen=True)
class _ChunkScores:
    """The outputs asked for of each item of a chunk for each rouge type, ndarrays of
    float64, shape (n_outputs, n_items).
    """

    scores: dict[str, np.ndarray]
    has_tokens: bool


def _chunk_scores(
    corpus: Corpus,
    first: int,
    end: int,
    tokenization: TokenizerOptions,
    options: RougeOptions,
) -> _ChunkScores:
    texts, reference_offsets = corpus.texts_of_items(first, end)
    pairs = _Pairs(
        _limited(texts, options, corpus.is_tokenized),
        reference_offsets,
        tokenization,
        corpus.is_tokenized,
        options,
    )
    choose = _REFERENCE_CHOICES[options.multi_reference]
    score = partial(
        PairStatistics.scores, beta=options.beta, zero_division=options.zero_division
    )
    wanted = [OUTPUTS.index(output) for output in options.outputs]
    scores = {}
    for name, measure in options.measures.items():
        statistics = _STATISTICS[measure.family](pairs, measure)
        all_outputs = (
            score(statistics)
            if len(texts) == 2 * (end - first)
            else choose(statistics, reference_offsets, score)
        )
        scores[name] = all_outputs[wanted]
    return _ChunkScores(scores, pairs.has_tokens)


def _limited(texts: list[Any], options: RougeOptions, is_tokenized: bool) -> list[Any]:
    """Return the texts cut to at most `max_words` words and `max_bytes` bytes of UTF-8."""
    if options.max_words is not None:
        texts = [
            text[: options.max_words]
            if is_tokenized
            else _first_words(text, options.max_words)
            for text in texts
        ]
    if options.max_bytes is not None:
        texts = [
            text.encode()[: options.max_bytes].decode(errors="ignore") for text in texts
        ]
    return texts


def _first_words(text: str, n_words: int) -> str:
    words = text.split(None, n_words)
    return text[: len(text) - len(words[n_words])] if len(words) > n_words else text


def _warn_of_no_tokens(corpus: Corpus, options: RougeOptions) -> None:
    if not any(
        text.strip()
        for text in chain(corpus.predictions, corpus.references)
        if isinstance(text, str)
    ):
        return
    remedy = ""
    if options.stopwords:
        remedy = " Look at stopwords, which takes tokens out."
    elif not callable(options.tokenizer) and options.tokenizer != "unicode":
        remedy = " For texts in other scripts than Latin pass tokenizer='unicode'."
    name = options.tokenizer or "rouge_score"
    score = "NaN" if math.isnan(options.zero_division) else "0"
    warn_caller(
        f"No text holds a single token, so all scores are {score}: tokenizer {name!r} found none.{remedy}"
    )


def _warn_of_missing_lines(corpus: Corpus, options: RougeOptions) -> None:
    """Warn where rougeLsum is asked for, no text has lines and one of the first texts
    has several sentences.
    """
    if (
        options.sentence_splitter != "newline"
        or corpus.is_tokenized
        or all(measure.family != "Lsum" for measure in options.measures.values())
    ):
        return
    if any("\n" in text for text in chain(corpus.predictions, corpus.references)):
        return
    if any(
        len(split_sentences(text)) > 1
        for text in islice(
            chain(corpus.predictions, corpus.references), _N_TEXTS_LOOKED_AT
        )
    ):
        warn_caller(
            "rougeLsum takes each line for a sentence. No text here has more than one line, though some have several sentences, so rougeLsum is "
            "the same as rougeL. Put a newline between sentences, or pass sentence_splitter='sentences'."
        )


# --- matches and totals of pairs ------------------------------------------------------


@dataclass(frozen=True)
class PairStatistics:
    """What scores are made of, for each pair; ndarrays, shape (n_pairs,).

    Parameters
    ----------
    matches : ndarray
        Units in common, as recall counts them.
    prediction_total, reference_total : ndarray
    prediction_matches : ndarray or None
        Units in common as precision counts them, where that differs.
    inverse : float
        Exponent that turns the quotients back: 1 / weight for rougeW, else 1.
    """

    matches: np.ndarray
    prediction_total: np.ndarray
    reference_total: np.ndarray
    prediction_matches: np.ndarray | None = field(default=None, kw_only=True)
    inverse: float = field(default=1.0, kw_only=True)

    def scores(self, beta: float, zero_division: float) -> np.ndarray:
        """Return precision, recall and F, ndarray of float64, shape (3, n_pairs).

        Nothing to match in a prediction is 0; nothing in a reference is
        `zero_division`.
        """
        prediction_matches = (
            self.matches if self.prediction_matches is None else self.prediction_matches
        )
        precision = prediction_matches / np.maximum(self.prediction_total, 1)
        recall = self.matches / np.maximum(self.reference_total, 1)
        if self.inverse != 1.0:
            precision, recall = precision**self.inverse, recall**self.inverse
        scores = np.stack([precision, recall, f_measure(precision, recall, beta)])
        scores[:, self.reference_total == 0] = zero_division
        return scores

    def summed(self, reference_offsets: np.ndarray) -> PairStatistics:
        """Return the sums over the references of each item."""

        def total(column: np.ndarray) -> np.ndarray:
            return np.add.reduceat(column, reference_offsets[:-1])

        return PairStatistics(
            total(self.matches),
            total(self.prediction_total),
            total(self.reference_total),
            prediction_matches=None
            if self.prediction_matches is None
            else total(self.prediction_matches),
            inverse=self.inverse,
        )


def f_measure(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    """Return F_beta, 0 where precision and recall are; the order of the operations is
    that of rouge_score, which decides ties among references.

    >>> f_measure(np.array([1.0, 0.0]), np.array([0.5, 0.0]), 1.0).tolist()
    [0.6666666666666666, 0.0]
    """
    beta = float(beta)
    weight = beta**2 if beta < 1e150 else math.inf
    if math.isinf(weight):
        return recall
    numerator = (1.0 + weight) * precision * recall
    denominator = weight * precision + recall
    return np.divide(
        numerator, denominator, out=np.zeros_like(precision), where=denominator > 0
    )


@dataclass(frozen=True)
class _Pairs:
    """The pairs of a chunk; each stage is computed when a measure first asks for it,
    and once.

    Parameters
    ----------
    texts : list
        Predictions, then the references of all items.
    reference_offsets : ndarray of int64, shape (n_items + 1,)
    """

    texts: Sequence[Any]
    reference_offsets: np.ndarray
    tokenization: TokenizerOptions
    is_tokenized: bool
    options: RougeOptions
    _skip_bigram_matches: dict[int | None, np.ndarray] = field(default_factory=dict)

    def _shared(self, tokens: Tokens) -> SharedTokens:
        """Return the tokens of the prediction and of the reference of each pair."""
        n_items = len(self.reference_offsets) - 1
        item_of_pair = np.repeat(np.arange(n_items), np.diff(self.reference_offsets))
        return shared_tokens(
            tokens.take(item_of_pair), tokens.take(np.arange(n_items, len(self.texts)))
        )

    @cached_property
    def tokens(self) -> SharedTokens:
        return self._shared(
            tokenized(self.texts, self.tokenization, is_tokenized=self.is_tokenized)
        )

    @cached_property
    def sentence_tokens(self) -> SharedTokens:
        """The same with each sentence tokenized by itself."""
        has_lines = self.options.sentence_splitter == "newline"
        if self.is_tokenized or (has_lines and self.tokenization.separates_sentences):
            return self.tokens
        return self._shared(
            tokenized_sentences(
                with_sentence_lines(self.texts, self.options.sentence_splitter),
                self.tokenization,
            )
        )

    @property
    def unit_tokens(self) -> SharedTokens:
        """The tokens of which n-grams and skip-bigrams are made."""
        return self.tokens if self.options.cross_sentences else self.sentence_tokens

    @property
    def has_tokens(self) -> bool:
        return any(len(side.ids.values) for side in self.tokens.sides)

    @cached_property
    def ngram_matches(self) -> np.ndarray:
        max_order = max(
            [1, *(measure.order for measure in self.options.measures.values())]
        )
        return ngram_matches(
            self.unit_tokens, max_order, cross_sentences=self.options.cross_sentences
        )

    def skip_bigram_matches(self, max_skip: int | None) -> np.ndarray:
        if max_skip not in self._skip_bigram_matches:
            matches = skip_bigram_matches(
                self.unit_tokens, max_skip, cross_sentences=self.options.cross_sentences
            )
            self._skip_bigram_matches[max_skip] = matches
        return self._skip_bigram_matches[max_skip]

    def totals(self, totals: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
        """Return a function of lengths for both sides of each pair."""
        return [
            totals_of_texts(side, totals, cross_sentences=self.options.cross_sentences)
            for side in self.unit_tokens.sides
        ]


def _ngram_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    return PairStatistics(
        pairs.ngram_matches[measure.order - 1],
        *pairs.totals(lambda lengths: ngram_totals(lengths, measure.order)[-1]),
    )


def _lcs_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    return PairStatistics(
        lcs_lengths(pairs.tokens), *(side.ids.lengths for side in pairs.tokens.sides)
    )


def _summary_lcs_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    tokens = pairs.sentence_tokens
    totals = (side.ids.lengths for side in tokens.sides)
    if pairs.options.summary_lcs == "union":
        return PairStatistics(union_lcs_lengths(tokens), *totals)
    prediction_matches, matches = best_sentence_lcs_lengths(tokens)
    return PairStatistics(matches, *totals, prediction_matches=prediction_matches)


def _wlcs_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    totals = (
        side.ids.lengths.astype(np.float64) ** measure.weight
        for side in pairs.tokens.sides
    )
    return PairStatistics(
        wlcs_scores(pairs.tokens, measure.weight), *totals, inverse=1.0 / measure.weight
    )


def _skip_bigram_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    return PairStatistics(
        pairs.skip_bigram_matches(measure.max_skip),
        *pairs.totals(lambda lengths: skip_bigram_totals(lengths, measure.max_skip)),
    )


def _skip_bigram_and_unigram_statistics(
    pairs: _Pairs, measure: Measure
) -> PairStatistics:
    totals = pairs.totals(
        lambda lengths: skip_bigram_totals(lengths, measure.max_skip) + lengths
    )
    return PairStatistics(
        pairs.skip_bigram_matches(measure.max_skip) + pairs.ngram_matches[0], *totals
    )


_STATISTICS: dict[str, Callable[[_Pairs, Measure], PairStatistics]] = {
    "N": _ngram_statistics,
    "L": _lcs_statistics,
    "Lsum": _summary_lcs_statistics,
    "W": _wlcs_statistics,
    "S": _skip_bigram_statistics,
    "SU": _skip_bigram_and_unigram_statistics,
}


# --- references -> items -> corpus ----------------------------------------------------
# Each choice makes of the statistics of pairs, the offsets of the items' references and
# the function from statistics to scores the scores of items, ndarray of float64, shape
# (3, n_items). A reference whose score is NaN counts only where an item has no other.

_Score = Callable[[PairStatistics], np.ndarray]


def _best_reference(
    statistics: PairStatistics, reference_offsets: np.ndarray, score: _Score
) -> np.ndarray:
    """The first reference with the highest F."""
    scores = score(statistics)
    return scores[
        :, first_of_highest(np.nan_to_num(scores[2], nan=-1.0), reference_offsets)
    ]


def _average_of_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, score: _Score
) -> np.ndarray:
    """The mean over references of precision, recall and F each."""
    scores = score(statistics)
    is_number = ~np.isnan(scores[2])
    n_numbers = np.add.reduceat(is_number.astype(np.int64), reference_offsets[:-1])
    sums = np.add.reduceat(
        np.nan_to_num(scores, nan=0.0), reference_offsets[:-1], axis=1
    )
    return np.where(n_numbers > 0, sums / np.maximum(n_numbers, 1), np.nan)


def _pooled_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, score: _Score
) -> np.ndarray:
    """Matches and totals summed over references."""
    return score(statistics.summed(reference_offsets))


def _jackknifed_references(
    statistics: PairStatistics, reference_offsets: np.ndarray, score: _Score
) -> np.ndarray:
    """The mean over all sets of K - 1 of the K references of the best one in the set
    (Lin 2004, section 2.1).

    The best of all is the best of K - 1 of these sets; of the one that lacks it the
    second best is.
    """
    scores = score(statistics)
    f = np.nan_to_num(scores[2], nan=-1.0)
    best = first_of_highest(f, reference_offsets)
    f[best] = -2.0
    second = first_of_highest(f, reference_offsets)
    n_references = np.diff(reference_offsets)
    has_second = (n_references > 1) & ~np.isnan(scores[2, second])
    mean = ((n_references - 1) * scores[:, best] + scores[:, second]) / n_references
    return np.where(has_second, mean, scores[:, best])


_REFERENCE_CHOICES: dict[
    str, Callable[[PairStatistics, np.ndarray, _Score], np.ndarray]
] = {
    "best": _best_reference,
    "average": _average_of_references,
    "pooled": _pooled_references,
    "jackknife": _jackknifed_references,
}


def _mean(scores: np.ndarray) -> float:
    """Return the mean of the scores that are not NaN; NaN where none is."""
    scores = scores[~np.isnan(scores)]
    return float(scores.mean()) if len(scores) else math.nan
