"""BLEU from a checked corpus to the result: the pipeline of `bleu_full`.

    texts -> tokens -> counts of each item -> sums over the corpus
          -> precisions and brevity penalty -> BLEU -> result

With the clipped n-gram `matches` and the number `totals` of n-grams of all predictions,
c tokens in all predictions and r in the references,

    p_n  = matches_n / totals_n
    BP   = 1 if c >= r else exp(1 - r / c)
    BLEU = BP exp(sum over n of w_n log p_n),   sum of w_n = 1

after Papineni et al. 2002, "BLEU: a method for automatic evaluation of machine
translation" (https://aclanthology.org/P02-1040). Where an item has several references a
count is clipped at the highest count in any of them, and r takes the length that
`reference_length` says (`bleu/brevity.py`). How p_n is smoothed stands in `bleu/smoothing.py`.

All of BLEU is a function of numbers per item that add up (`bleu/levels/scores.py`); sentence
BLEU is the same function of one item (`bleu/levels/sentences.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..corpus import Corpus
from ..input_warnings import warn_of_unfit_tokenizer
from ..messages import warn_caller
from ..resampling.uncertainty import uncertainty, with_uncertainty
from .counts import BleuStatistics, bleu_item_statistics, statistics_of_items
from .levels.parts import listed_parts, part_columns
from .levels.scores import BleuFactors, bleu_scores
from .levels.sentences import bleu_of_sentences, sentence_scores
from .options import BleuOptions
from .other_lines import warning_of_references


def bleu(
    corpus: Corpus, options: BleuOptions, seed: int = 0, baseline: Corpus | None = None
) -> dict[str, Any]:
    """Return the result of `bleu_full`.

    Its values are those of the whole corpus, with level="sentence" means of items, or
    without `use_aggregator` lists with one value for each item. `seed` is what
    `options.seed` is without a value. A baseline has the predictions of another system
    for the same references.
    """
    options.check_choice_of_references()
    warn_of_unfit_tokenizer(corpus, options)
    options.warn_of_weights()
    _warn_of_other_references(corpus, options)
    corpora = [corpus] if baseline is None else [corpus, baseline]
    # A tiny score is 0, whatever numpy is set to.
    with np.errstate(under="ignore", over="ignore"):
        if options.scores_items:
            return bleu_of_sentences(corpora, options, seed)
        return _bleu_of_corpus(corpora, options, seed)


def _warn_of_other_references(corpus: Corpus, options: BleuOptions) -> None:
    if options.preset is None:
        return
    most = int(np.diff(corpus.reference_offsets).max())
    if text := warning_of_references(options.preset, most):
        warn_caller(f"{text[0].upper()}{text[1:]}.")


def _bleu_of_corpus(corpora: list[Corpus], options: BleuOptions, seed: int) -> dict[str, Any]:
    is_resampled = options.confidence_level is not None or len(corpora) > 1
    items = [bleu_item_statistics(one, options, is_resampled) for one in corpora]
    factors = [BleuFactors(statistics.summed(), options) for statistics in items]
    scores = [bleu_scores(of_system)[:, 0] for of_system in factors]
    bounds = {}
    if is_resampled:
        bounds = _bounds_and_p_values(items, scores, options, seed)
    parts = listed_parts(part_columns(factors[0]), options)
    return with_uncertainty(list(options.weights_of_name), scores, bounds) | {
        key: values[0] for key, values in parts.items()
    }


def bleu_of_item(
    corpus: Corpus, options: BleuOptions
) -> tuple[BleuStatistics, int | None, dict[str, Any]]:
    """Return the statistics and the result of a corpus of one item.

    Between them stands the reference that was chosen, if one was.
    """
    statistics = statistics_of_items(options, True, corpus, 0, 1)
    with np.errstate(under="ignore", over="ignore"):
        item = sentence_scores(statistics, corpus.reference_offsets, options)
        parts = listed_parts(part_columns(item.factors), options)
    result = with_uncertainty(list(options.weights_of_name), [item.scores]) | parts
    chosen = None if item.chosen is None else int(item.chosen[0])
    values = {key: of_items[0] for key, of_items in result.items()}
    return item.factors.statistics, chosen, values


def _bounds_and_p_values(
    items: list[BleuStatistics], scores: list[np.ndarray], options: BleuOptions, seed: int
) -> dict[str, np.ndarray]:
    """Return bounds and p-values of each BLEU, whose numbers are summed anew.

    Parameters
    ----------
    items : list of BleuStatistics
        The items of the system, and of the baseline if there is one.
    scores : list of ndarray of float64, shape (n_weightings,)
        The BLEUs of the corpus of each.
    """

    def scores_of_sums(sums: np.ndarray) -> np.ndarray:
        return bleu_scores(BleuFactors(BleuStatistics.of_stacked(sums), options))

    columns = [statistics.stacked() for statistics in items]
    return uncertainty(columns, scores, scores_of_sums, options.resampling(seed))
