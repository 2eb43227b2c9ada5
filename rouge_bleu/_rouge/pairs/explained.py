"""What the scores of one item are made of: counts, choice, and the tokens that match.

    item -> counts and scores of its pairs -> numbers
         -> the token ids of these -> positions of matches -> spans of characters

Every number is that of the scorer; `spans/ngrams.py` says which tokens are shown, and
`spans/tokens.py` where they stand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...corpus import Corpus
from ...input_warnings import warn_of_lost_text, warn_of_unfit_tokenizer
from ..measures.family import Measure
from ..measures.scores import OUTPUTS, PairStatistics
from ..options import RougeOptions
from .convention import Convention
from .counted import CountedPairs
from .items import scores_of_statistics
from .shown import Figures, ShownPairs

_COUNTS = ("matches", "prediction_matches", "prediction_total", "reference_total")


def explanation_of_item(
    convention: Convention, corpus: Corpus, options: RougeOptions
) -> dict[str, Any]:
    """Return the explanation of a corpus of one item, and warn where its text is lost.

    Parameters
    ----------
    convention : Convention
    corpus : Corpus
    options : RougeOptions
        Those of a call. What concerns a corpus only has no effect.

    Returns
    -------
    dict
        For each rouge type "precision", "recall", "fmeasure" of the item, "chosen" and
        "references", as `SafeMetric.explain` says.
    """
    options = options.for_one_example()
    warn_of_unfit_tokenizer(corpus, options)
    texts, reference_offsets = corpus.texts_of_items(0, 1)
    texts = convention.read(texts, options, corpus.is_tokenized)
    pairs = convention.pairs(texts, reference_offsets, corpus.is_tokenized, options)
    pairs.check(0, 0)
    shown = pairs.shown(corpus)
    warn_of_lost_text(corpus, options, has_tokens=pairs.has_tokens)
    explanation = {}
    for name, measure in options.measures.items():
        statistics = pairs.statistics(measure)
        figures = convention.figures(statistics, reference_offsets, options)
        explanation[name] = {
            **dict(zip(OUTPUTS, figures.of_item.tolist(), strict=True)),
            "chosen": figures.chosen,
            "references": _explained_pairs(pairs, statistics, figures, measure, shown),
        }
    return explanation


def _explained_pairs(
    pairs: CountedPairs,
    statistics: PairStatistics,
    figures: Figures,
    measure: Measure,
    shown: ShownPairs,
) -> list[dict[str, Any]]:
    """Return the counts, scores and spans of each pair, by name."""
    columns = {name: getattr(statistics, name) for name in _COUNTS}
    columns = {name: column for name, column in columns.items() if column is not None}
    if measure.family.has_whole_counts:
        columns = {name: column.astype(np.int64) for name, column in columns.items()}
    columns |= dict(zip(OUTPUTS, figures.of_pairs, strict=True))
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    positions = pairs.counting(measure).positions
    return [
        {**dict(zip(columns, row, strict=True)), **pair.spans_at(positions(pair.ids, measure))}
        for row, pair in zip(rows, shown(measure), strict=True)
    ]


def figures_of_scores(
    statistics: PairStatistics, reference_offsets: np.ndarray, options: RougeOptions
) -> Figures:
    """Return the scores of an item and of its pairs, and the reference that is chosen."""
    statistics = replace(statistics, rules=options.rules.pairs)
    of_item = scores_of_statistics(statistics, reference_offsets, options)
    of_pairs = statistics.scores(options.beta)
    best_output = statistics.rules.best_output
    if options.multi_reference == "recall":
        best_output = "recall"
    by = of_pairs[OUTPUTS.index(best_output)]
    is_one = len(by) == 1 or options.multi_reference in ("best", "recall")
    chosen = int(by.argmax()) if is_one else None
    if not statistics.reference_total.any():
        of_pairs[:] = options.zero_division
    return Figures(of_item[:, 0], of_pairs, chosen)
