"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> matches and totals of each item -> sums over the corpus -> precisions and brevity penalty -> BLEU -> result

With the clipped n-gram `matches` and the number `totals` of n-grams of all predictions, c tokens in all predictions and r in the references,

    p_n  = matches_n / totals_n
    BP   = 1 if c >= r else exp(1 - r / c)
    BLEU = BP exp(sum over n of w_n log p_n),   sum of w_n = 1

after Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine translation" (https://aclanthology.org/P02-1040). Where an item has
several references a count is clipped at the highest count in any of them, and r takes the length that `reference_length` says: the closest one, on a
tie the shorter, as in sacreBLEU.

All of BLEU is a function of integers per item that add up; sentence BLEU is the same function of one item. Python loops run over chunks of items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .inputs import Corpus, check_choice, check_flag, check_integer, check_tokenizer, check_zero_division
from .ngrams import ngram_matches, ngram_totals, shared_tokens
from .tokenization import SACREBLEU_NAMES, TOKENIZER_NAMES, Tokenizer, TokenizerOptions, sacrebleu_tokenizer, tokenized

DEFAULT_MAX_ORDER = 4
_PARTS = ("precisions", "brevity_penalty", "length_ratio", "translation_length", "reference_length")

Weights = Sequence[float] | np.ndarray


@dataclass(frozen=True)
class BleuOptions:
    """The options of `bleu_full`, checked; their meaning stands in the documentation of the metric."""

    tokenizer: str | Tokenizer = "13a"
    max_order: int | None = None
    smooth: bool = False
    weights: Weights | Mapping[str, Weights] | None = None
    reference_length: str = "closest"
    lowercase: bool = False
    effective_order: bool = False
    zero_division: float = 0.0
    use_aggregator: bool = True

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def __post_init__(self) -> None:
        check_tokenizer(self.tokenizer, TOKENIZER_NAMES)
        if self.tokenizer in SACREBLEU_NAMES:
            sacrebleu_tokenizer(self.tokenizer)  # a missing package is reported before any work
        if self.max_order is not None:
            check_integer("max_order", self.max_order, minimum=1)
        check_flag("smooth", self.smooth)
        _check_weights(self.weights, self.max_order)
        check_choice("reference_length", self.reference_length, tuple(_REFERENCE_LENGTHS))
        for name in ("lowercase", "effective_order", "use_aggregator"):
            check_flag(name, getattr(self, name))
        check_zero_division(self.zero_division)

    @property
    def weights_of_name(self) -> dict[str, np.ndarray]:
        """The weights of each BLEU under its key in the result; each sums to one, ndarray of float64."""
        if self.weights is None:
            return {"bleu": _normalised(np.ones(self.max_order or DEFAULT_MAX_ORDER))}
        if isinstance(self.weights, Mapping):
            return {name: _normalised(weights) for name, weights in self.weights.items()}
        return {"bleu": _normalised(self.weights)}

    @property
    def highest_order(self) -> int:
        return max(map(len, self.weights_of_name.values()))


def bleu(corpus: Corpus, options: BleuOptions) -> dict[str, Any]:
    """Return the result of `bleu_full`: with `use_aggregator` of the whole corpus, else each value as a list with one for each item."""
    chunks = [_chunk_statistics(corpus, first, end, options) for first, end in corpus.chunks()]
    statistics = BleuStatistics.concatenated(chunks)
    if options.use_aggregator:
        statistics = statistics.summed()
    columns = _scores(statistics, options)
    return {key: values[0] for key, values in columns.items()} if options.use_aggregator else columns


@dataclass(frozen=True)
class BleuStatistics:
    """The sufficient statistics of items: integers that add up over items (`reference_length` may be fractional with "average").

    Parameters
    ----------
    matches, totals : ndarray of int64, shape (max_order, n_items)
    translation_length : ndarray of int64, shape (n_items,)
    reference_length : ndarray of int64 or float64, shape (n_items,)
    """

    matches: np.ndarray
    totals: np.ndarray
    translation_length: np.ndarray
    reference_length: np.ndarray

    @classmethod
    def concatenated(cls, parts: Sequence[BleuStatistics]) -> BleuStatistics:
        return cls(*(np.concatenate([getattr(part, name) for part in parts], axis=-1) for name in cls.__dataclass_fields__))

    def summed(self) -> BleuStatistics:
        return BleuStatistics(*(getattr(self, name).sum(axis=-1, keepdims=True) for name in self.__dataclass_fields__))


def _chunk_statistics(corpus: Corpus, first: int, end: int, options: BleuOptions) -> BleuStatistics:
    texts, reference_offsets = corpus.texts_of_items(first, end)
    n_items = end - first
    tokens = tokenized(texts, TokenizerOptions(options.tokenizer, lowercase=options.lowercase), is_tokenized=corpus.is_tokenized)
    prediction, reference = tokens.take(np.arange(n_items)), tokens.take(np.arange(n_items, len(texts)))
    item_of_reference = np.repeat(np.arange(n_items), np.diff(reference_offsets))
    shared = shared_tokens(prediction, reference, item_of_reference)
    lengths = prediction.ids.lengths
    return BleuStatistics(
        ngram_matches(shared, options.highest_order),
        ngram_totals(lengths, options.highest_order),
        lengths,
        _REFERENCE_LENGTHS[options.reference_length](reference.ids.lengths, reference_offsets, lengths),
    )


# --- statistics -> scores --------------------------------------------------------------------------------------------


def _scores(statistics: BleuStatistics, options: BleuOptions) -> dict[str, list[Any]]:
    """Return each key of the result with one value for each item."""
    penalty = brevity_penalty(statistics.translation_length, statistics.reference_length)
    precisions = ngram_precisions(statistics, add=1 if options.smooth else 0)
    # A missing reference text leaves nothing to compare with, whatever the smoothing says.
    is_undefined = statistics.reference_length == 0
    length_ratio = statistics.translation_length / np.where(is_undefined, 1, statistics.reference_length)
    length_ratio[is_undefined] = options.zero_division
    columns: dict[str, list[Any]] = {}
    for name, weights in options.weights_of_name.items():
        n_orders = len(weights)
        is_counted = statistics.totals[:n_orders] > 0 if options.effective_order else np.ones_like(precisions[:n_orders], dtype=bool)
        score = penalty * weighted_geometric_mean(precisions[:n_orders], weights[:, np.newaxis] * is_counted)
        score[is_undefined] = options.zero_division
        columns[name] = score.tolist()
    parts = (precisions.T, penalty, length_ratio, statistics.translation_length, statistics.reference_length)
    return columns | {name: part.tolist() for name, part in zip(_PARTS, parts, strict=True)}


def brevity_penalty(translation_length: np.ndarray, reference_length: np.ndarray) -> np.ndarray:
    """Return exp(1 - r / c) where the translation is the shorter one, else 1; 0 for an empty translation.

    >>> brevity_penalty(np.array([10, 5, 0, 0]), np.array([8, 10, 4, 0])).tolist()
    [1.0, 0.36787944117144233, 0.0, 1.0]
    """
    is_short = translation_length < reference_length
    exponent = 1.0 - reference_length / np.maximum(translation_length, 1)
    return np.where(is_short, np.exp(np.minimum(exponent, 0.0)) * (translation_length > 0), 1.0)


def ngram_precisions(statistics: BleuStatistics, *, add: int = 0) -> np.ndarray:
    """Return matches / totals of each order with `add` added to both, ndarray of float64, shape (max_order, n_items); 0 / 0 is 0."""
    return (statistics.matches + add) / np.maximum(statistics.totals + add, 1)


def weighted_geometric_mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return exp(sum of w log v / sum of w) over the first axis, ndarray of float64.

    It is 0 where a value of positive weight is 0, and where all weights are.
    """
    total = weights.sum(axis=0)
    is_zero = ((values == 0) & (weights > 0)).any(axis=0) | (total == 0)
    logarithm = np.log(values, out=np.zeros_like(values), where=values > 0)
    mean = (weights * logarithm).sum(axis=0) / np.where(total == 0, 1, total)
    return np.where(is_zero, 0.0, np.exp(mean))


# --- lengths of references -------------------------------------------------------------------------------------------


def _closest_length(reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    """Return for each item the reference length closest to the prediction's, on a tie the shorter."""
    distance = np.abs(reference - np.repeat(prediction, np.diff(offsets)))
    limit = int(reference.max(initial=0)) + 1
    return np.minimum.reduceat(distance * limit + reference, offsets[:-1]) % limit


def _shortest_length(reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    return np.minimum.reduceat(reference, offsets[:-1])


def _average_length(reference: np.ndarray, offsets: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    return np.add.reduceat(reference, offsets[:-1]) / np.diff(offsets)


_REFERENCE_LENGTHS: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]] = {
    "closest": _closest_length,
    "shortest": _shortest_length,
    "average": _average_length,
}


# --- weights ---------------------------------------------------------------------------------------------------------


def _normalised(weights: Weights) -> np.ndarray:
    values = np.asarray(weights, dtype=np.float64)
    return values / values.sum()


def _check_weights(weights: Any, max_order: int | None) -> None:
    if weights is None:
        return
    if not isinstance(weights, Mapping):
        _check_weight_list("weights", weights)
    else:
        if not weights:
            raise ValueError("weights is empty: give at least one name with its weights, or leave it out for uniform ones")
        for name, values in weights.items():
            if not isinstance(name, str) or name in _PARTS:
                raise ValueError(f"weights must have strings other than {', '.join(map(repr, _PARTS))} as names, got {name!r}")
            _check_weight_list(f"weights[{name!r}]", values)
    highest_order = max(map(len, weights.values())) if isinstance(weights, Mapping) else len(weights)
    if max_order is not None and max_order != highest_order:
        raise ValueError(f"max_order must be {highest_order}, the number of weights, or be left out, got {max_order}")


def _check_weight_list(name: str, weights: Any) -> None:
    is_list = isinstance(weights, (list, tuple)) or (isinstance(weights, np.ndarray) and weights.ndim == 1)
    if not is_list or not all(isinstance(w, (int, float, np.integer, np.floating)) and not isinstance(w, bool) for w in weights):
        raise TypeError(f"{name} must be a list of numbers, one for each order, got {type(weights).__name__} {weights!r:.60}")
    if not len(weights) or not all(0 <= w < math.inf for w in weights) or not any(weights):
        raise ValueError(f"{name} must be one or more finite numbers >= 0, not all of them 0, got {weights!r:.60}")
