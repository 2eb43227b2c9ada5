"""ROUGE from a checked corpus to the result of `rouge_full`.

    texts -> tokens -> matches and totals of pairs -> scores of examples -> averages -> result

A corpus is scored in chunks of examples: `counting.py` counts, `scores.py` makes scores. Under the rules
of ROUGE-1.5.5 (`rouge155.py`) averages are made of counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np

from ..aggregation import ItemStatistics, result_of_statistics
from ..arrays import batches
from ..corpus import Corpus
from ..input_warnings import warn_of_lost_text, warn_of_missing_lines, warn_of_unfit_tokenizer
from ..messages import warn_caller
from ..parallel import results_of_chunks
from ..resampling import with_uncertainty
from ..text.tokenizers import TokenizerOptions
from .counting import Counting, Statistics, count_few
from .options import RougeOptions
from .other_packages import package_of
from .rouge155_averages import counts_of_documents, printed_result
from .scores import (
    OUTPUTS,
    PairStatistics,
    example_scores,
    median_of_resampled_means,
    outputs_of_means,
    stacked,
)
from .types import SUMMARY_LCS

_MAX_PAIRED_SIZE = 1 << 20  # characters, or tokens, of pairs of one example

Result = TypeVar("Result")


def rouge(
    corpus: Corpus, options: RougeOptions, seed: int = 0, baseline: Corpus | None = None
) -> dict[str, Any]:
    """Return the result of `rouge_full`.

    A float for each key, or with `use_aggregator=False` a list of floats with one for each example.
    `seed` is what `options.seed` is without a value. A baseline has the predictions of another system
    for the same references.
    """
    if package_of(options).averages_documents:
        return _rouge155(corpus, options)
    statistics = _item_statistics(options)
    if options.use_aggregator and options.rules.average == "resampled_median":
        statistics.warn(corpus)
        scores = scores_of_examples(corpus, options)
        medians = median_of_resampled_means(scores, options.seed_or(seed))
        return with_uncertainty(statistics.keys, [stacked(medians)])
    corpora = [corpus] if baseline is None else [corpus, baseline]
    return result_of_statistics(statistics, corpora, options, seed)


def rouge_statistics(options: RougeOptions) -> ItemStatistics | None:
    """Return what ROUGE keeps of examples; None where averages come from samples of all."""
    return _item_statistics(options) if options.rules.resamples_items else None


def _item_statistics(options: RougeOptions) -> ItemStatistics:
    """Return what ROUGE keeps of examples: their scores, which are averaged."""
    outputs, n_types = options.scored_outputs, len(options.measures)
    names = [
        f"{name}_{output}" if len(outputs) > 1 else name
        for name in options.measures
        for output in outputs
    ]

    def scores(means: np.ndarray) -> np.ndarray:
        return np.concatenate([outputs_of_means(one, options) for one in np.split(means, n_types)])

    def example_scores(scored: np.ndarray) -> np.ndarray:
        wanted = [outputs.index(output) for output in options.outputs]
        return np.concatenate([one[wanted] for one in np.split(scored, n_types)])

    return ItemStatistics(
        kinds=dict.fromkeys(names, "score"),
        of_corpus=lambda corpus, keeps_items: stacked(scores_of_examples(corpus, options)),
        keys=options.keys_of_types,
        scores=scores,
        item_scores=example_scores,
        warn=partial(_warn, options),
    )


def _warn(options: RougeOptions, corpus: Corpus) -> None:
    if options.sentence_splitter == "newline" and SUMMARY_LCS in options.families:
        warn_of_missing_lines(corpus)
    warn_of_unfit_tokenizer(corpus, options)


def scores_of_examples(corpus: Corpus, options: RougeOptions) -> dict[str, np.ndarray]:
    """Return the scores of examples for each rouge type, and warn where texts are lost.

    Ndarrays of float64, shape (n_outputs, n_examples), of the outputs that are needed.
    """
    chunks = _results_of_chunks(corpus, options, partial(_scores_of_types, options))
    return {
        name: np.concatenate([scores[name] for scores in chunks], axis=1)
        for name in options.measures
    }


def _scores_of_types(
    options: RougeOptions, statistics: Statistics, reference_offsets: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the scores of examples for each rouge type, of the outputs that are needed.

    The columns of types that are scored alike are joined, as if they were more examples: a call of
    numpy has a price, and most batches are small.
    """
    n_examples, n_pairs = len(reference_offsets) - 1, int(reference_offsets[-1])
    wanted = [OUTPUTS.index(output) for output in options.scored_outputs]
    alike: dict[Any, list[str]] = {}
    for name, one in statistics.items():
        has_columns = one.prediction_matches is None, one.selection is None
        alike.setdefault((one.formula, one.exponent, has_columns), []).append(name)
    scores = {}
    for names in alike.values():
        joined = PairStatistics.concatenated([statistics[name] for name in names])
        first_pair = n_pairs * np.arange(len(names))[:, np.newaxis]
        starts = (first_pair + reference_offsets[:-1]).ravel()
        offsets = np.append(starts, n_pairs * len(names))
        of_examples = example_scores(joined, offsets, options)[wanted]
        for place, name in enumerate(names):
            first = place * n_examples
            scores[name] = of_examples[:, first : first + n_examples]
    return scores


# --- chunks ---------------------------------------------------------------------------------------


def _results_of_chunks(
    corpus: Corpus, options: RougeOptions, make: Callable[[Statistics, np.ndarray], Result]
) -> list[Result]:
    """Return what `make` makes of the statistics of each chunk, and warn where texts are lost.

    It takes the statistics of each rouge type and the offsets of references.
    """
    tokenizer = options.tokenizer_options(corpus.is_tokenized)
    chunks = results_of_chunks(
        corpus,
        partial(_result_of_chunk, options, make),
        options.n_workers,
        is_program=tokenizer.rules.is_program and not corpus.is_tokenized,
    )
    has_tokens = any(has_tokens for _, has_tokens in chunks)
    warn_of_lost_text(corpus, options, has_tokens=has_tokens)
    _warn_of_idle_stopwords(tokenizer)
    return [result for result, _ in chunks]


def _result_of_chunk(
    options: RougeOptions,
    make: Callable[[Statistics, np.ndarray], Result],
    corpus: Corpus,
    first: int,
    end: int,
) -> tuple[Result, bool]:
    """Return what `make` makes of the statistics of a chunk, and whether a text has tokens."""
    texts, reference_offsets = corpus.texts_of_items(first, end)
    parts: list[Statistics] = []
    has_tokens = False
    n_references_before = 0
    for some_texts, offsets in _parts_of_example(texts, reference_offsets):
        counting = counting_of_texts(some_texts, offsets, corpus.is_tokenized, options)
        counting.check(first, n_references_before)
        counts, part_has_tokens = count_few(counting) or counting.all_statistics()
        has_tokens = has_tokens or part_has_tokens
        parts.append(counts)
        n_references_before += int(offsets[-1])
    statistics = {
        name: PairStatistics.concatenated([part[name] for part in parts])
        for name in options.measures
    }
    return make(statistics, reference_offsets), has_tokens


def counting_of_texts(
    texts: list[Any], reference_offsets: np.ndarray, is_tokenized: bool, options: RougeOptions
) -> Counting:
    """Return what counts some examples by the rules of the preset."""
    package = package_of(options)
    return package.counting(texts, reference_offsets, is_tokenized, options, package)


def _parts_of_example(
    texts: list[Any], reference_offsets: np.ndarray
) -> list[tuple[list[Any], np.ndarray]]:
    """Return the texts of a chunk, those of a large example with some references at a time.

    A prediction is compared with each reference as if it were there once for each, so memory would
    grow with their number.
    """
    is_one_pair = len(texts) == 2
    if is_one_pair or len(reference_offsets) > 2:  # chunks of several examples are small
        return [(texts, reference_offsets)]
    prediction, *references = texts
    size = np.array([len(prediction) + len(reference) for reference in references])
    return [
        ([prediction, *references[first:end]], np.array([0, end - first]))
        for first, end in batches(size, _MAX_PAIRED_SIZE)
    ]


# --- ROUGE-1.5.5 ----------------------------------------------------------------------------------

_MISSING_EXCEPTIONS = (
    "-m is stemming without WordNet's exception lists here: irregular words such as 'went' "
    "are stemmed otherwise than by ROUGE-1.5.5.pl. Its figures need "
    "stemmer=metric.rouge155_stemmer(folder) beside the command line, where folder has the "
    "lists; stemmer='rouge-1.5.5' leaves them out without this warning."
)
_OTHER_STEMMER = (
    "use_stemmer=True is NLTK's Porter stemmer, which stems other words than -m of "
    "ROUGE-1.5.5.pl does: pass stemmer='rouge-1.5.5', or for its exceptions "
    "stemmer=metric.rouge155_stemmer(folder) with WordNet's lists."
)
_PERCENT = (
    "the intervals are of {:g} %: -c of a command line of ROUGE-1.5.5.pl is in percent, as "
    "in -c 95."
)


def _rouge155(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the result under the rules of ROUGE-1.5.5, which has a seed of its own."""
    chunks = _results_of_chunks(corpus, options, partial(_documents_of_types, options))
    counts = {
        name: PairStatistics.concatenated([chunk[name] for chunk in chunks])
        for name in options.measures
    }
    warn_of_stemmer(options)
    level = options.confidence_level
    is_command = options.preset not in options.presets
    if is_command and level is not None and level < 0.01:  # as in -c 0.95
        warn_caller(_PERCENT.format(100 * level))
    return printed_result(counts, options)


def _documents_of_types(
    options: RougeOptions, statistics: Statistics, reference_offsets: np.ndarray
) -> Statistics:
    return {
        name: counts_of_documents(one, reference_offsets, options)
        for name, one in statistics.items()
    }


def warn_of_stemmer(options: RougeOptions) -> None:
    """Warn where the stemmer is not that of the script; that of a command line knows no exceptions."""
    if not package_of(options).averages_documents:
        return
    if options.stems_without_exceptions:
        warn_caller(_MISSING_EXCEPTIONS)
    if options.use_stemmer:
        warn_caller(_OTHER_STEMMER)


# --- warnings -------------------------------------------------------------------------------------


def _warn_of_idle_stopwords(tokenizer: TokenizerOptions) -> None:
    """Warn of stop words with uppercase letters where texts are lowercased."""
    if not tokenizer.lowercase:
        return
    if any(word.lower() not in tokenizer.stopwords for word in tokenizer.stopwords):
        warn_caller(
            "stopwords has words with capitals, which take nothing out: texts are lowercased "
            "first. Give them in lowercase, or pass lowercase=False."
        )
