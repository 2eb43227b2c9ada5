"""Counts of pairs -> counts of documents -> the result of ROUGE-1.5.5.

    texts -> pairs -> counts of pairs -> counts of documents -> averages and bounds -> result

Several references are pooled, or the one of highest recall is taken. The conventions
stand in `rouge/perl/pairs.py`, in `rouge/families/` and in `rouge/perl/averages.py`.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import numpy as np

from ...arrays import first_of_highest
from ...corpus import Corpus
from ...messages import warn_caller
from ..measures.scores import PairStatistics
from ..options import RougeOptions
from ..pairs.convention import Convention
from ..pairs.explained import explanation_of_item
from ..pairs.items import results_of_items
from ..pairs.shown import Figures
from .averages import document_scores, printed_result

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


def result_of_documents(
    convention: Convention,
    corpus: Corpus,
    options: RougeOptions,
    seed: int,
    baseline: Corpus | None,
) -> dict[str, Any]:
    """Return the result under the rules of ROUGE-1.5.5; it has a seed of its own."""
    of_items = partial(_counts_of_types, options)
    chunks = results_of_items(convention, corpus, options, of_items)
    counts = {
        name: PairStatistics.concatenated([chunk[name] for chunk in chunks])
        for name in options.measures
    }
    _warn_of_stemmer(options)
    _warn_of_percent(options)
    return printed_result(counts, options)


def explanation_of_document(
    convention: Convention, corpus: Corpus, options: RougeOptions
) -> dict[str, Any]:
    """Return the explanation of a corpus of one item under the rules of ROUGE-1.5.5."""
    explanation = explanation_of_item(convention, corpus, options)
    _warn_of_stemmer(options)
    return explanation


def _warn_of_stemmer(options: RougeOptions) -> None:
    """Warn where the stemmer is not that of the script.

    That of a command line knows no exceptions.
    """
    if options.stems_without_exceptions:
        warn_caller(_MISSING_EXCEPTIONS)
    if options.use_stemmer:
        warn_caller(_OTHER_STEMMER)


def _warn_of_percent(options: RougeOptions) -> None:
    """Warn where -c of a command line, as in -c 0.95, is below one percent."""
    level = options.confidence_level
    is_line = options.preset not in options.presets
    if is_line and level is not None and level < 0.01:
        warn_caller(_PERCENT.format(100 * level))


def _counts_of_types(
    options: RougeOptions, statistics: dict[str, PairStatistics], reference_offsets: np.ndarray
) -> dict[str, PairStatistics]:
    return {
        name: _counts_of_documents(of_type, reference_offsets, options)
        for name, of_type in statistics.items()
    }


def _counts_of_documents(
    counts: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> PairStatistics:
    """Return the counts of documents, given those of their pairs."""
    if options.multi_reference == "pooled":
        return counts.summed(reference_offsets)
    return counts.taken(_best_references(counts, reference_offsets))


def _best_references(counts: PairStatistics, reference_offsets: np.ndarray) -> np.ndarray:
    """Return the first reference of highest recall of each document."""
    return first_of_highest(cast(np.ndarray, counts.selection), reference_offsets)


def figures_of_document(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> Figures:
    """Return the printed scores of a document and of its pairs, each as a document."""
    of_document = _counts_of_documents(statistics, reference_offsets, options)
    chosen = None
    if len(statistics.matches) == 1 or options.multi_reference == "best":
        chosen = int(_best_references(statistics, reference_offsets)[0])
    return Figures(
        document_scores(of_document, options.beta)[:, 0],
        document_scores(statistics, options.beta),
        chosen,
    )
