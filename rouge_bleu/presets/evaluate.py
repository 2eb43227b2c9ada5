"""The metrics `rouge` and `bleu` of Hugging Face's evaluate 0.4.6.

The average of `rouge` is the median over 1,000 resamples of the mean, by rouge_score's BootstrapAggregator.
`bleu` takes the shortest reference, and its 13a keeps spaces at the end. tests/presets/test_evaluate.py
runs both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._bleu.rules import BleuRules
from .._rouge.options import RougeOptions
from .._rouge.results import wanted_scores
from .._rouge.rules import ROUGE_SCORE, Averaging, RougeRules
from ..resampling import shares, with_uncertainty
from ..rouge_types import LIN_2004
from ..text.tokenizer_13a import UNSTRIPPED_13A

_N_RESAMPLES = 1000
_MAX_DRAWN = 1 << 20  # scores drawn at once


def _result(columns: np.ndarray, options: RougeOptions, seed: int) -> dict[str, Any]:
    medians = median_of_resampled_means(columns.transpose(1, 0, 2), options.seed_or(seed))
    return with_uncertainty(options.keys_of(options.outputs), [medians.ravel()])


def median_of_resampled_means(scores: np.ndarray, seed: int) -> np.ndarray:
    """Return the median over 1,000 resamples of the mean of each output.

    Shapes (n_rouge_types, n_outputs, n_examples) -> (n_rouge_types, n_outputs).
    """
    random = np.random.RandomState(seed)
    medians = []
    for all_columns in scores:
        columns = all_columns[:, ~np.isnan(all_columns[0])]
        n_examples = columns.shape[1]
        if not n_examples:
            medians.append(np.full(len(columns), np.nan))
            continue
        means = [
            _drawn_means(columns, random.randint(0, n_examples, size=(n_resamples, n_examples)))
            for n_resamples in shares(_N_RESAMPLES, max(1, _MAX_DRAWN // n_examples))
        ]
        medians.append(np.percentile(np.concatenate(means, axis=1), 50, axis=1))
    return np.array(medians)


def _drawn_means(columns: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return the mean of each column over each row of draws, shape (n_columns, n_resamples)."""
    n_resamples, n_examples = drawn.shape
    drawn = np.ascontiguousarray(drawn.T)
    # Examples are added in order, as in evaluate; numpy would add a single column in pairs.
    sums = [
        np.cumsum(column[drawn], axis=0)[-1]
        if n_resamples == 1
        else np.add.reduce(column[drawn], axis=0)
        for column in columns
    ]
    return np.stack(sums) / n_examples


ROUGE = {
    "evaluate": RougeRules(
        about=("`rouge` of `evaluate` 0.4.6, for the same `seed`", "summaries", "the last bit"),
        families=LIN_2004,
        options=ROUGE_SCORE,
        average="resampled_median",
        averaging=Averaging(columns=wanted_scores, result=_result),
        tokenizer_replaces_stemmer=True,
        fixed_options=frozenset({"confidence_level", "n_resamples", "paired_test"}),
    )
}
BLEU = {
    "evaluate": BleuRules(
        about=("the `bleu` metric of `evaluate` 0.4.6", "any, code", "1e-12"),
        options={"reference_length": "shortest"},
        own_tokenizers={"13a": UNSTRIPPED_13A},
    )
}
