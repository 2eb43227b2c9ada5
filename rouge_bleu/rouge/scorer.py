"""ROUGE from a checked corpus to the result: the pipeline of `rouge_full`.

    texts -> tokens -> matches and totals of pairs -> scores of items -> result

after Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"
(https://aclanthology.org/W04-1013); tokens, sentences, the union LCS and the choice
among references follow rouge_score. Units are n-grams (rougeN), tokens of a common
subsequence (rougeL, rougeLsum), skip-bigrams (rougeS), those and unigrams (rougeSU).
rougeW has real-valued matches and takes f^-1 of both quotients. `rouge/perl/scorer.py` is
the same by the conventions of the Perl script.

Work goes in chunks of items; the Python loops here run over chunks and rouge types.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Any

import numpy as np

from ..data.chunks import results_of_chunks
from ..data.corpus import Corpus
from ..data.lost_text import warn_of_cut_words, warn_of_lost_text
from ..folding.exact_sums import mean_rounded_once
from ..ground.lazy import lazy_property
from ..ground.messages import warn_caller
from ..ground.ragged import batches
from ..ground.tokens import SharedTokens, paired, shared_tokens
from ..kernels.lcs.lengths import lcs_lengths
from ..kernels.lcs.union import best_sentence_lcs_lengths, union_lcs_lengths
from ..kernels.ngrams import ngram_matches, ngram_totals_of_order
from ..kernels.skip_bigrams import skip_bigram_matches, skip_bigram_totals
from ..kernels.wlcs.scores import wlcs_scores
from ..resampling.uncertainty import uncertainty, with_uncertainty
from ..text.sentence_lines import tokenized_sentences, with_sentence_lines
from ..text.sentence_splitting import has_several_sentences
from ..text.tokenizers import tokenized
from .distinct.counts import DistinctPairs
from .measures.scores import OUTPUTS, PairStatistics, f_measure, item_scores
from .measures.types import Measure
from .options.checked import RougeOptions
from .pairs.counted import CountedPairs
from .paper.few_pairs import FewPairs, few_pairs
from .perl.samples import median_of_resampled_means
from .perl.unrounded import UnroundedPairs

_MAX_PAIRED_SIZE = 1 << 20  # characters, or tokens, of pairs of one item
_N_TEXTS_SEARCHED = 100  # for several sentences in one line


def rouge(
    corpus: Corpus,
    options: RougeOptions,
    seed: int = 0,
    baseline: Corpus | None = None,
) -> dict[str, Any]:
    """Return the result of `rouge_full`.

    A float for each key, or with `use_aggregator=False` a list of floats with one for
    each item. `seed` is what `options.seed` is without a value. A baseline has the
    predictions of another system for the same references.
    """
    warn_of_missing_lines(corpus, options)
    warn_of_cut_words(corpus, options.tokenizer)
    systems = [corpus] if baseline is None else [corpus, baseline]
    items = [rouge_scores_of_items(system, options) for system in systems]
    keys = [
        options.key(name, output)
        for name in options.measures
        for output in options.outputs
    ]
    if not options.use_aggregator:
        return with_uncertainty(keys, [_stacked(scores) for scores in items])
    average = _AVERAGES[options.rules.average]
    averages = [
        _stacked(average(scores, options, options.seed_or(seed))) for scores in items
    ]
    found = _uncertainty(items, averages, options, seed)
    return with_uncertainty(keys, averages, found)


def rouge_scores_of_items(
    corpus: Corpus, options: RougeOptions
) -> dict[str, np.ndarray]:
    """Return the scores of items for each rouge type, and warn where texts are lost.

    Ndarrays of float64, shape (n_outputs, n_items).
    """
    score = partial(_scores_of_chunk, corpus, options)
    chunks = results_of_chunks(corpus, score, options.n_workers)
    warn_of_lost_text(
        corpus,
        options.tokenizer_name,
        has_tokens=any(chunk.has_tokens for chunk in chunks),
        stopwords=options.stopwords or (),
        zero_division=options.zero_division,
    )
    return {
        name: np.concatenate([chunk.scores[name] for chunk in chunks], axis=1)
        for name in options.measures
    }


def _stacked(scores: dict[str, np.ndarray]) -> np.ndarray:
    """Return the outputs of all types one below the other."""
    return np.concatenate(list(scores.values()))


@dataclass(frozen=True)
class _ChunkScores:
    """Scores of the items of a chunk for each rouge type, and whether it has tokens.

    Scores are ndarrays of float64, shape (n_outputs, n_items), of the outputs asked for.
    """

    scores: dict[str, np.ndarray]
    has_tokens: bool


def _scores_of_chunk(
    corpus: Corpus, options: RougeOptions, first: int, end: int
) -> _ChunkScores:
    texts, reference_offsets = corpus.texts_of_items(first, end)
    texts = _limited(texts, options, corpus.is_tokenized)
    pairs_of_texts = _PAIRS_OF_COUNTING[options.rules.counting]
    statistics: dict[str, list[PairStatistics]] = {
        name: [] for name in options.measures
    }
    has_tokens = False
    for some_texts, offsets in parts_of_item(texts, reference_offsets):
        pairs = pairs_of_texts(some_texts, offsets, corpus.is_tokenized, options)
        has_tokens |= pairs.has_tokens
        for name, measure in options.measures.items():
            statistics[name].append(pairs.statistics(measure))
    of_types = {
        name: PairStatistics.concatenated(parts) for name, parts in statistics.items()
    }
    scores = _scores_of_statistics(of_types, reference_offsets, options)
    wanted = [OUTPUTS.index(output) for output in options.scored_outputs]
    return _ChunkScores({name: scores[name][wanted] for name in statistics}, has_tokens)


def _scores_of_statistics(
    statistics: dict[str, PairStatistics],
    reference_offsets: np.ndarray,
    options: RougeOptions,
) -> dict[str, np.ndarray]:
    """Return precision, recall and F of items for each rouge type.

    The columns of types that are scored alike stand one after the other, as if they were
    more items: a call of numpy has a price, and most batches are small. Ndarrays of
    float64, shape (3, n_items).
    """
    n_items, n_pairs = len(reference_offsets) - 1, int(reference_offsets[-1])
    alike: dict[tuple[float, bool], list[str]] = {}
    for name, of_type in statistics.items():
        has_own = of_type.prediction_matches is not None
        alike.setdefault((of_type.exponent, has_own), []).append(name)
    scores = {}
    for names in alike.values():
        joined = PairStatistics.concatenated([statistics[name] for name in names])
        first_pair = n_pairs * np.arange(len(names))[:, np.newaxis]
        starts = (first_pair + reference_offsets[:-1]).ravel()
        of_items = item_scores(
            replace(joined, rules=options.rules.pairs),
            np.append(starts, n_pairs * len(names)),
            multi_reference=options.multi_reference,
            beta=options.beta,
            zero_division=options.zero_division,
        )
        for place, name in enumerate(names):
            scores[name] = of_items[:, place * n_items : (place + 1) * n_items]
    return scores


def parts_of_item(
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


def _limited(texts: list[Any], options: RougeOptions, is_tokenized: bool) -> list[Any]:
    """Return the texts cut to `max_words` words and `max_bytes` bytes of UTF-8."""
    limit = options.max_words
    if limit is not None and is_tokenized:
        texts = [tokens[:limit] for tokens in texts]
    elif limit is not None:
        texts = [_first_words(text, limit) for text in texts]
    if options.max_bytes is not None:
        cut = (text.encode()[: options.max_bytes] for text in texts)
        texts = [text.decode(errors="ignore") for text in cut]
    return texts


def _first_words(text: str, n_words: int) -> str:
    words = text.split(None, n_words)
    return text[: len(text) - len(words[n_words])] if len(words) > n_words else text


def warn_of_missing_lines(corpus: Corpus, options: RougeOptions) -> None:
    """Warn that rougeLsum has no lines, while one of the first texts has sentences."""
    if options.sentence_splitter != "newline" or corpus.is_tokenized:
        return
    if "Lsum" not in options.families:
        return
    if any("\n" in text for text in chain(corpus.predictions, corpus.references)):
        return
    first_texts = chain(corpus.predictions, corpus.references)
    for text in islice(first_texts, _N_TEXTS_SEARCHED):
        if has_several_sentences(text):
            warn_caller(
                "rougeLsum takes each line for a sentence. No text here has more than "
                "one line, though some have several sentences, so rougeLsum is the same "
                "as rougeL. Put a newline between sentences, or pass "
                "sentence_splitter='sentences'."
            )
            return


# --- matches and totals of pairs ------------------------------------------------------


@dataclass(frozen=True)
class PaperPairs(CountedPairs):
    """The pairs of a chunk as Lin 2004 counts them, by columns."""

    @lazy_property
    def tokens(self) -> SharedTokens:
        tokens = tokenized(
            self.texts,
            self.options.tokenizer_options(self.is_tokenized),
            is_tokenized=self.is_tokenized,
        )
        return shared_tokens(*paired(tokens, self.reference_offsets))

    @lazy_property
    def sentence_tokens(self) -> SharedTokens:
        """The same with each sentence tokenized by itself."""
        splitter = self.options.sentence_splitter
        tokenizer_options = self.options.tokenizer_options(self.is_tokenized)
        has_lines = splitter == "newline" and tokenizer_options.separates_sentences
        if self.is_tokenized or has_lines:
            return self.tokens
        texts = with_sentence_lines(self.texts, splitter)
        tokens = tokenized_sentences(texts, tokenizer_options)
        return shared_tokens(*paired(tokens, self.reference_offsets))

    @property
    def unit_tokens(self) -> SharedTokens:
        """The tokens of which n-grams and skip-bigrams are made."""
        return self.tokens if self.options.cross_sentences else self.sentence_tokens

    def statistics(self, measure: Measure) -> PairStatistics:
        """Return the matches and totals of each pair for a measure."""
        return _STATISTICS_OF_FAMILY[measure.family](self, measure)

    @property
    def lengths(self) -> list[np.ndarray]:
        """Tokens of both sides of each pair, ndarrays of int64, shape (n_pairs,)."""
        return [side.ids.lengths for side in self.tokens.sides]

    @property
    def sentence_lengths(self) -> list[np.ndarray]:
        """The same where each sentence is tokenized by itself."""
        return [side.ids.lengths for side in self.sentence_tokens.sides]

    @property
    def has_tokens(self) -> bool:
        """Whether any text has a token."""
        return any(len(side.ids.values) for side in self.tokens.sides)

    @lazy_property
    def lcs_lengths(self) -> np.ndarray:
        """LCS lengths of the whole texts, ndarray of int64, shape (n_pairs,)."""
        return lcs_lengths(self.tokens)

    @lazy_property
    def union_lcs_lengths(self) -> np.ndarray:
        """Union LCS of the sentences, ndarray of int64, shape (n_pairs,)."""
        tokens = self.sentence_tokens
        if "L" in self.options.families and tokens is self.tokens:
            return union_lcs_lengths(tokens, self.lcs_lengths)
        return union_lcs_lengths(tokens)

    @lazy_property
    def matches_of_order(self) -> np.ndarray:
        """N-gram matches, ndarray of int64, shape (max_order, n_pairs)."""
        return ngram_matches(
            self.unit_tokens,
            self.options.max_order,
            cross_sentences=self.options.cross_sentences,
        )

    @lazy_property
    def matches_of_skip(self) -> dict[int | None, np.ndarray]:
        """Skip-bigram matches of each `max_skip`, ndarrays of int64, shape (n_pairs,)."""
        return {
            max_skip: skip_bigram_matches(
                self.unit_tokens,
                max_skip,
                cross_sentences=self.options.cross_sentences,
            )
            for max_skip in self.options.max_skips
        }

    def totals(self, total: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
        """Return a function of lengths for both sides of each pair."""
        across = self.options.cross_sentences
        return [
            side.totals(total, cross_sentences=across)
            for side in self.unit_tokens.sides
        ]


@dataclass(frozen=True)
class _FewPairs(PaperPairs):
    """The same where there is little text, for the types that `few` counts."""

    few: FewPairs

    @property
    def lengths(self) -> list[np.ndarray]:
        return self.few.lengths

    @property
    def sentence_lengths(self) -> list[np.ndarray]:
        return self.few.sentence_lengths

    @property
    def has_tokens(self) -> bool:
        return self.few.has_tokens

    @property
    def lcs_lengths(self) -> np.ndarray:
        return self.few.lcs_lengths

    @property
    def union_lcs_lengths(self) -> np.ndarray:
        return self.few.union_lcs_lengths

    @lazy_property
    def matches_of_order(self) -> np.ndarray:
        return self.few.ngram_matches(self.options.max_order)

    def totals(self, total: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
        return self.few.totals(total)


def _pairs_of_texts(
    texts: list[Any],
    reference_offsets: np.ndarray,
    is_tokenized: bool,
    options: RougeOptions,
) -> PaperPairs:
    """Return the pairs of some texts, by the way that costs less."""
    few = few_pairs(texts, reference_offsets, is_tokenized, options)
    if few is None:
        return PaperPairs(texts, reference_offsets, is_tokenized, options)
    return _FewPairs(texts, reference_offsets, is_tokenized, options, few)


def _statistics(matches: np.ndarray, totals: list[np.ndarray]) -> PairStatistics:
    prediction_total, reference_total = totals
    return PairStatistics(
        matches=matches,
        prediction_total=prediction_total,
        reference_total=reference_total,
    )


def _ngram_statistics(pairs: PaperPairs, measure: Measure) -> PairStatistics:
    order = measure.order
    totals = pairs.totals(lambda lengths: ngram_totals_of_order(lengths, order))
    return _statistics(pairs.matches_of_order[order - 1], totals)


def _lcs_statistics(pairs: PaperPairs, measure: Measure) -> PairStatistics:
    return _statistics(pairs.lcs_lengths, pairs.lengths)


def _summary_lcs_statistics(pairs: PaperPairs, measure: Measure) -> PairStatistics:
    if pairs.options.summary_lcs == "union":
        return _statistics(pairs.union_lcs_lengths, pairs.sentence_lengths)
    prediction_matches, matches = best_sentence_lcs_lengths(pairs.sentence_tokens)
    prediction_total, reference_total = pairs.sentence_lengths
    return PairStatistics(
        matches=matches,
        prediction_total=prediction_total,
        reference_total=reference_total,
        prediction_matches=prediction_matches,
    )


def _wlcs_statistics(pairs: PaperPairs, measure: Measure) -> PairStatistics:
    weight = measure.weight
    prediction_total, reference_total = (
        lengths.astype(np.float64) ** weight for lengths in pairs.lengths
    )
    return PairStatistics(
        matches=wlcs_scores(pairs.tokens, weight),
        prediction_total=prediction_total,
        reference_total=reference_total,
        exponent=1.0 / weight,
    )


def _skip_bigram_statistics(pairs: PaperPairs, measure: Measure) -> PairStatistics:
    max_skip = measure.max_skip
    totals = pairs.totals(lambda lengths: skip_bigram_totals(lengths, max_skip))
    return _statistics(pairs.matches_of_skip[max_skip], totals)


def _skip_bigram_and_unigram_statistics(
    pairs: PaperPairs, measure: Measure
) -> PairStatistics:
    max_skip = measure.max_skip
    matches = pairs.matches_of_skip[max_skip] + pairs.matches_of_order[0]
    totals = pairs.totals(
        lambda lengths: skip_bigram_totals(lengths, max_skip) + lengths
    )
    return _statistics(matches, totals)


_STATISTICS_OF_FAMILY: dict[str, Callable[[PaperPairs, Measure], PairStatistics]] = {
    "N": _ngram_statistics,
    "L": _lcs_statistics,
    "Lsum": _summary_lcs_statistics,
    "W": _wlcs_statistics,
    "S": _skip_bigram_statistics,
    "SU": _skip_bigram_and_unigram_statistics,
}

_PAIRS_OF_COUNTING: dict[str, Callable[..., CountedPairs]] = {
    "paper": _pairs_of_texts,
    "distinct": DistinctPairs,
    "unrounded": UnroundedPairs,
}


# --- one item -------------------------------------------------------------------------


def counts_in_sentences(options: RougeOptions, measure: Measure) -> bool:
    """Whether a measure counts the tokens of sentences, each tokenized by itself."""
    if measure.family in ("L", "W"):
        return False
    return measure.family == "Lsum" or not options.cross_sentences


def texts_of_item(
    corpus: Corpus, options: RougeOptions
) -> tuple[list[Any], np.ndarray]:
    """Return the texts of a corpus of one item, as far as they count, and the offsets."""
    texts, reference_offsets = corpus.texts_of_items(0, 1)
    return _limited(texts, options, corpus.is_tokenized), reference_offsets


def measured_item(
    pairs: CountedPairs, measure: Measure, options: RougeOptions
) -> tuple[PairStatistics, np.ndarray]:
    """Return the counts of the pairs of one item, and the scores of the item.

    These are precision, recall and F, ndarray of float64, shape (3,).
    """
    statistics = replace(pairs.statistics(measure), rules=options.rules.pairs)
    scores = item_scores(
        statistics,
        pairs.reference_offsets,
        multi_reference=options.multi_reference,
        beta=options.beta,
        zero_division=options.zero_division,
    )
    return statistics, scores[:, 0]


# --- items -> corpus ------------------------------------------------------------------
# Each average takes the scores of items of each rouge type, the options and a seed, and
# returns those of the corpus, ndarrays of float64, shape (n_outputs,).


def _means(
    scores: dict[str, np.ndarray], options: RougeOptions, seed: int
) -> dict[str, np.ndarray]:
    """The means of the scores that are not NaN; NaN where none is."""
    return {
        name: outputs_of_means(np.array([_mean(column) for column in columns]), options)
        for name, columns in scores.items()
    }


def outputs_of_means(means: np.ndarray, options: RougeOptions) -> np.ndarray:
    """Return the outputs that are asked for from the means of those that were scored.

    Under the average "f_of_means" F is that of the mean precision and the mean recall.
    Shape (n_outputs,) or (n_outputs, n_means).
    """
    if options.rules.average != "f_of_means":
        return means
    f = f_measure(means[:1], means[1:2], options.beta)
    wanted = [OUTPUTS.index(output) for output in options.outputs]
    return np.concatenate([means[:2], f])[wanted]


def _mean(scores: np.ndarray) -> float:
    if len(scores) == 1:
        return float(scores[0])
    scores = scores[~np.isnan(scores)]
    return mean_rounded_once(scores) if len(scores) else math.nan


def _uncertainty(
    items: list[dict[str, np.ndarray]],
    averages: list[np.ndarray],
    options: RougeOptions,
    seed: int,
) -> dict[str, np.ndarray]:
    """Return bounds and p-values of the means of items, NaN left out.

    Parameters
    ----------
    items : list of dict
        The scores of items of the system, and of the baseline if there is one.
    averages : list of ndarray of float64, shape (n_scores,)
        The scores of the corpus of each.
    """
    if options.confidence_level is None and len(items) == 1:
        return {}
    of_systems = [_stacked(scores) for scores in items]
    n_columns, n_items = of_systems[0].shape
    has_undefined = any(np.isnan(scores).any() for scores in of_systems)
    # A mean is made of two sums, of scores and of how many there are.
    columns = [
        np.concatenate(
            [
                np.where(np.isnan(scores), 0.0, scores),
                ~np.isnan(scores) if has_undefined else np.ones((1, n_items)),
            ]
        )
        for scores in of_systems
    ]

    def scores_of_sums(sums: np.ndarray) -> np.ndarray:
        totals, numbers = sums[:n_columns], sums[n_columns:]
        undefined = np.full_like(totals, np.nan)
        means = np.divide(totals, numbers, out=undefined, where=numbers > 0)
        of_types = np.split(means, len(items[0]))
        return np.concatenate([outputs_of_means(one, options) for one in of_types])

    return uncertainty(columns, averages, scores_of_sums, options.resampling(seed))


def _resampled_medians(
    scores: dict[str, np.ndarray], options: RougeOptions, seed: int
) -> dict[str, np.ndarray]:
    return median_of_resampled_means(scores, seed)


_AVERAGES: dict[
    str,
    Callable[[dict[str, np.ndarray], RougeOptions, int], dict[str, np.ndarray]],
] = {
    "mean": _means,
    "resampled_median": _resampled_medians,
    "f_of_means": _means,
}
