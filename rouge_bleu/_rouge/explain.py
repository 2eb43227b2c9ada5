"""What the scores of one example are made of: counts, the reference that counts, the tokens that match.

Every number is that of `scorer.py`; which tokens match say the functions of `plain.py`, and where they
are in the text `text/character_offsets.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..corpus import Corpus
from ..input_warnings import warn_of_lost_text, warn_of_unfit_tokenizer
from ..text.character_offsets import Span
from .counting import Positions
from .options import RougeOptions
from .other_packages import package_of
from .rouge155_averages import counts_of_documents, document_scores
from .scorer import counting_of_texts, warn_of_stemmer
from .scores import OUTPUTS, PairStatistics, best_references, example_scores
from .types import WLCS

_COUNTS = ("matches", "prediction_matches", "prediction_total", "reference_total")


def rouge_explanation(corpus: Corpus, options: RougeOptions) -> dict[str, Any]:
    """Return the explanation of a corpus of one example, and warn where its text is lost.

    For each rouge type "precision", "recall", "fmeasure" of the example, "chosen" and "references", as
    `explain_rouge` says. Options that concern a corpus only have no effect.
    """
    options = options.for_one_example()
    warn_of_unfit_tokenizer(corpus, options)
    texts, reference_offsets = corpus.texts_of_items(0, 1)
    counting = counting_of_texts(texts, reference_offsets, corpus.is_tokenized, options)
    counting.check(0, 0)
    warn_of_lost_text(corpus, options, has_tokens=counting.has_tokens)
    levels = {counting.counts_sentences(measure) for measure in counting.measures}
    spans_of_level = {in_sentences: counting.spans(in_sentences) for in_sentences in levels}
    explanation = {}
    for name, measure in options.measures.items():
        statistics = counting.statistics(measure)
        of_example, of_pairs, chosen = _scores(statistics, reference_offsets, options)
        columns = {key: getattr(statistics, key) for key in _COUNTS}
        columns = {key: column for key, column in columns.items() if column is not None}
        if measure.family != WLCS:
            columns = {key: column.astype(np.int64) for key, column in columns.items()}
        columns |= dict(zip(OUTPUTS, of_pairs, strict=True))
        spans = spans_of_level[counting.counts_sentences(measure)]
        explanation[name] = {
            **dict(zip(OUTPUTS, of_example.tolist(), strict=True)),
            "chosen": chosen,
            "references": [
                {key: column[pair].item() for key, column in columns.items()}
                | _spans_at(positions, spans[0], spans[1 + pair])
                for pair, positions in enumerate(counting.positions(measure))
            ],
        }
    warn_of_stemmer(options)
    return explanation


def _scores(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> tuple[np.ndarray, np.ndarray, int | None]:
    """Return the scores of the example and of its pairs, and the reference whose scores it has.

    Ndarrays of float64, shape (3,) and (3, n_pairs). The reference is None where several count.
    """
    choice = options.multi_reference
    is_one = len(statistics.matches) == 1 or choice in ("best", "recall")
    averages_documents = package_of(options).averages_documents
    if averages_documents:
        document = counts_of_documents(statistics, reference_offsets, options)
        of_example = document_scores(document, options.beta)
        of_pairs = document_scores(statistics, options.beta)
    else:
        of_example = example_scores(statistics, reference_offsets, options)
        of_pairs = statistics.scores(options)
    chosen = int(best_references(statistics, of_pairs, reference_offsets, choice)[0])
    if not averages_documents and not statistics.reference_total.any():
        of_pairs[:] = options.zero_division
    return of_example[:, 0], of_pairs, chosen if is_one else None


def _spans_at(
    positions: Positions, of_prediction: list[Span | None], of_reference: list[Span | None]
) -> dict[str, list[Span | None]]:
    """Return the spans of the tokens that match, as lists of their own."""
    spans = []
    for places, all_spans in zip(positions, (of_prediction, of_reference), strict=True):
        found = [all_spans[place] for place in places]
        spans.append([span and [*span] for span in found])
    return {"prediction_spans": spans[0], "reference_spans": spans[1]}
