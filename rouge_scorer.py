"""ROUGE from a checked corpus to the result: the pipeline of `rouge_full`.

    texts -> tokens -> matches and totals of each pair -> precision, recall, F -> best reference -> item -> result

With `matches` common units, of which the prediction has `prediction_total` and the reference `reference_total`,

    precision = matches / prediction_total
    recall    = matches / reference_total
    F         = (1 + beta^2) precision recall / (beta^2 precision + recall)

after Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries" (https://aclanthology.org/W04-1013); tokens, sentences, the union LCS and the
choice among references follow rouge_score. Units are n-grams (rougeN), tokens of a common subsequence (rougeL, rougeLsum), skip-bigrams (rougeS), those and
unigrams (rougeSU). rougeW has real-valued matches and takes f^-1 of both quotients.

Work goes in chunks of items, so that the arrays stay in the cache and memory stays flat. The Python loops here run over chunks and rouge types.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from .inputs import Corpus, check_choice, check_flag, check_number, check_tokenizer, check_zero_division
from .ngrams import SharedTokens, ngram_matches, ngram_totals, shared_tokens, skip_bigram_matches, skip_bigram_totals
from .ragged import Tokens
from .subsequences import lcs_lengths, union_lcs_lengths, wlcs_scores
from .tokenization import TOKENIZER_NAMES, Stemmer, Tokenizer, TokenizerOptions, porter_stemmer, tokenized, tokenized_sentences

DEFAULT_ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")
DEFAULT_WLCS_WEIGHT = 1.2
OUTPUTS = ("precision", "recall", "fmeasure")

_MAX_CACHED_STEMS = 1 << 18

_ROUGE_TYPE = re.compile(r"rouge(?:(?P<order>[1-9][0-9]*)|(?P<lcs>L|Lsum)|W(?:-(?P<weight>[0-9]+(?:\.[0-9]+)?))?|(?P<skip>SU?)(?P<max_skip>\*|[0-9]+)?)")


@dataclass(frozen=True)
class Measure:
    """One rouge type: its family (N, L, Lsum, W, S or SU) and what the type says beside it."""

    family: str
    order: int = 0
    weight: float = DEFAULT_WLCS_WEIGHT
    max_skip: int | None = None

    @classmethod
    def of_name(cls, name: str) -> Measure | None:
        """Return the measure that a rouge type names, or None.

        >>> Measure.of_name("rougeSU4")
        Measure(family='SU', order=0, weight=1.2, max_skip=4)
        """
        match = _ROUGE_TYPE.fullmatch(name)
        if match is None:
            return None
        if match["order"]:
            return cls("N", order=int(match["order"]))
        if match["lcs"]:
            return cls(match["lcs"])
        if match["skip"]:
            max_skip = match["max_skip"]
            return cls(match["skip"], max_skip=None if max_skip in (None, "*") else int(max_skip))
        weight = float(match["weight"] or DEFAULT_WLCS_WEIGHT)
        return cls("W", weight=weight) if 1 <= weight < math.inf else None


@dataclass(frozen=True)
class RougeOptions:
    """The options of `rouge_full`, checked; their meaning stands in the documentation of the metric."""

    rouge_types: Sequence[str] | None = None
    use_aggregator: bool = True
    use_stemmer: bool = False
    tokenizer: str | Tokenizer | None = None
    output: str = "fmeasure"
    beta: float = 1.0
    multi_reference: str = "best"
    zero_division: float = 0.0

    def __post_init__(self) -> None:
        _check_rouge_types(self.rouge_types)
        check_flag("use_aggregator", self.use_aggregator)
        check_flag("use_stemmer", self.use_stemmer)
        if self.tokenizer is not None:
            check_tokenizer(self.tokenizer, TOKENIZER_NAMES)
        check_choice("output", self.output, (*OUTPUTS, "all"))
        check_number("beta", self.beta, minimum=0.0, may_be_infinite=True)
        check_choice("multi_reference", self.multi_reference, tuple(_REFERENCE_CHOICES))
        check_zero_division(self.zero_division)
        if self.use_stemmer:
            porter_stemmer()  # a missing NLTK is reported before any work

    @property
    def measures(self) -> dict[str, Measure]:
        """The measure of each rouge type as the user spelled it."""
        names = DEFAULT_ROUGE_TYPES if self.rouge_types is None else self.rouge_types
        return {str(name): measure for name in names if (measure := Measure.of_name(name)) is not None}

    @property
    def outputs(self) -> tuple[str, ...]:
        return OUTPUTS if self.output == "all" else (self.output,)

    def tokenization(self, is_tokenized: bool) -> TokenizerOptions:
        """How texts become tokens; only named tokenizers lowercase."""
        stem: Stemmer | None = lru_cache(maxsize=_MAX_CACHED_STEMS)(porter_stemmer()) if self.use_stemmer else None
        lowercase = not is_tokenized and not callable(self.tokenizer)
        return TokenizerOptions(self.tokenizer or "rouge_score", lowercase=lowercase, stem=stem)


def rouge(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the result of `rouge_full`: a float for each key, or with `use_aggregator=False` a list of floats with one for each item."""
    tokenization = options.tokenization(corpus.is_tokenized)
    chunks = [_chunk_scores(corpus, first, end, tokenization, options) for first, end in corpus.chunks()]
    result: dict[str, Any] = {}
    for name in options.measures:
        for output in options.outputs:
            key = f"{name}_{output}" if options.output == "all" else name
            scores = np.concatenate([chunk[name][OUTPUTS.index(output)] for chunk in chunks])
            result[key] = _mean(scores) if options.use_aggregator else scores.tolist()
    return result


def _chunk_scores(corpus: Corpus, first: int, end: int, tokenization: TokenizerOptions, options: RougeOptions) -> dict[str, np.ndarray]:
    """Return precision, recall and F of each item for each rouge type, ndarrays of float64, shape (3, n_items)."""
    texts, reference_offsets = corpus.texts_of_items(first, end)
    max_order = max([1, *(measure.order for measure in options.measures.values())])
    pairs = _Pairs(texts, reference_offsets, tokenization, corpus.is_tokenized, max_order)
    choose = _REFERENCE_CHOICES[options.multi_reference]
    scores = {}
    for name, measure in options.measures.items():
        statistics = _STATISTICS[measure.family](pairs, measure)
        scores[name] = choose(statistics.scores(options.beta, options.zero_division), reference_offsets)
    return scores


# --- matches and totals of pairs -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PairStatistics:
    """What scores are made of, for each pair; ndarrays, shape (n_pairs,).

    `inverse` is the exponent that turns the quotients back (rougeW), else 1.
    """

    matches: np.ndarray
    prediction_total: np.ndarray
    reference_total: np.ndarray
    inverse: float = 1.0

    def scores(self, beta: float, zero_division: float) -> np.ndarray:
        """Return precision, recall and F, ndarray of float64, shape (3, n_pairs).

        Nothing to match in a prediction is 0; nothing in a reference is `zero_division`.
        """
        precision = self.matches / np.maximum(self.prediction_total, 1)
        recall = self.matches / np.maximum(self.reference_total, 1)
        if self.inverse != 1.0:
            precision, recall = precision**self.inverse, recall**self.inverse
        scores = np.stack([precision, recall, f_measure(precision, recall, beta)])
        scores[:, self.reference_total == 0] = zero_division
        return scores


def f_measure(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    """Return F_beta, 0 where precision and recall are; the order of the operations is that of rouge_score, which decides ties among references.

    >>> f_measure(np.array([1.0, 0.0]), np.array([0.5, 0.0]), 1.0).tolist()
    [0.6666666666666666, 0.0]
    """
    weight = float(beta) ** 2 if beta < 1e150 else math.inf
    if math.isinf(weight):
        return recall
    numerator = (1.0 + weight) * precision * recall
    denominator = weight * precision + recall
    return np.divide(numerator, denominator, out=np.zeros_like(precision), where=denominator > 0)


@dataclass(frozen=True)
class _Pairs:
    """The pairs of a chunk; each stage is computed when a measure first asks for it, and once.

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
    max_order: int

    def _both_sides(self, tokens: Tokens) -> tuple[Tokens, Tokens]:
        """Return the tokens of the prediction and of the reference of each pair."""
        n_items = len(self.reference_offsets) - 1
        item_of_pair = np.repeat(np.arange(n_items), np.diff(self.reference_offsets))
        return tokens.take(item_of_pair), tokens.take(np.arange(n_items, len(self.texts)))

    @cached_property
    def tokens(self) -> SharedTokens:
        return shared_tokens(*self._both_sides(tokenized(self.texts, self.tokenization, is_tokenized=self.is_tokenized)))

    @cached_property
    def sentence_tokens(self) -> SharedTokens:
        """The same with each sentence tokenized by itself."""
        if self.is_tokenized or self.tokenization.separates_sentences:
            return self.tokens
        return shared_tokens(*self._both_sides(tokenized_sentences(self.texts, self.tokenization)))

    @cached_property
    def ngram_matches(self) -> np.ndarray:
        return ngram_matches(self.tokens, self.max_order)

    @cached_property
    def _skip_bigram_matches(self) -> dict[int | None, np.ndarray]:
        return {}

    def skip_bigram_matches(self, max_skip: int | None) -> np.ndarray:
        if max_skip not in self._skip_bigram_matches:
            self._skip_bigram_matches[max_skip] = skip_bigram_matches(self.tokens, max_skip)
        return self._skip_bigram_matches[max_skip]


def _lengths(tokens: SharedTokens) -> tuple[np.ndarray, np.ndarray]:
    return tokens.prediction.ids.lengths, tokens.reference.ids.lengths


def _ngram_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    totals = (ngram_totals(lengths, measure.order)[-1] for lengths in _lengths(pairs.tokens))
    return PairStatistics(pairs.ngram_matches[measure.order - 1], *totals)


def _lcs_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    return PairStatistics(lcs_lengths(pairs.tokens), *_lengths(pairs.tokens))


def _union_lcs_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    return PairStatistics(union_lcs_lengths(pairs.sentence_tokens), *_lengths(pairs.sentence_tokens))


def _wlcs_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    totals = (lengths.astype(np.float64) ** measure.weight for lengths in _lengths(pairs.tokens))
    return PairStatistics(wlcs_scores(pairs.tokens, measure.weight), *totals, inverse=1.0 / measure.weight)


def _skip_bigram_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    totals = (skip_bigram_totals(lengths, measure.max_skip) for lengths in _lengths(pairs.tokens))
    return PairStatistics(pairs.skip_bigram_matches(measure.max_skip), *totals)


def _skip_bigram_and_unigram_statistics(pairs: _Pairs, measure: Measure) -> PairStatistics:
    totals = (skip_bigram_totals(lengths, measure.max_skip) + lengths for lengths in _lengths(pairs.tokens))
    return PairStatistics(pairs.skip_bigram_matches(measure.max_skip) + pairs.ngram_matches[0], *totals)


_STATISTICS: dict[str, Callable[[_Pairs, Measure], PairStatistics]] = {
    "N": _ngram_statistics,
    "L": _lcs_statistics,
    "Lsum": _union_lcs_statistics,
    "W": _wlcs_statistics,
    "S": _skip_bigram_statistics,
    "SU": _skip_bigram_and_unigram_statistics,
}


# --- references -> items -> corpus -----------------------------------------------------------------------------------


def _best_reference(scores: np.ndarray, reference_offsets: np.ndarray) -> np.ndarray:
    """Return the scores of each item's first reference with the highest F, ndarray of float64, shape (3, n_items); NaN is below all."""
    first_of_item = reference_offsets[:-1]
    if scores.shape[1] == len(first_of_item):
        return scores
    f = np.nan_to_num(scores[2], nan=-1.0)
    best = np.flatnonzero(f == np.repeat(np.maximum.reduceat(f, first_of_item), np.diff(reference_offsets)))
    return scores[:, best[np.searchsorted(best, first_of_item)]]


_REFERENCE_CHOICES: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {"best": _best_reference}


def _mean(scores: np.ndarray) -> float:
    """Return the mean of the scores that are not NaN; NaN where none is."""
    scores = scores[~np.isnan(scores)]
    return float(scores.mean()) if len(scores) else math.nan


def _check_rouge_types(rouge_types: Any) -> None:
    if rouge_types is None:
        return
    if not isinstance(rouge_types, (list, tuple)):
        raise TypeError(f"rouge_types must be a list of rouge types such as ['rouge1', 'rougeL'], got {type(rouge_types).__name__} {rouge_types!r:.60}")
    if not rouge_types:
        raise ValueError("rouge_types is empty: name at least one rouge type, or leave it out for the default ones")
    for index, name in enumerate(rouge_types):
        if not isinstance(name, str) or Measure.of_name(name) is None:
            raise ValueError(
                f"rouge_types[{index}] must be rouge1, rouge2, ..., rougeL, rougeLsum, rougeW, rougeS or rougeSU "
                f"(W with an optional weight >= 1 as in rougeW-1.5, S and SU with an optional number as in rougeS4), got {name!r}"
            )
