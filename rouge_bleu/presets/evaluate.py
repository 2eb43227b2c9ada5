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
from .._rouge.results import requested_scores
from .._rouge.rules import ROUGE_SCORE, Averaging, RougeRules
from ..resampling import block_sizes, scores_by_key
from ..rouge_types import LIN_2004
from ..text.tokenizer_13a import UNSTRIPPED_13A

_N_RESAMPLES = 1000
_MAX_DRAWN = 1 << 20  # scores drawn at once


def _median_result(columns: np.ndarray, options: RougeOptions, seed: int) -> dict[str, Any]:
    medians = median_of_resampled_means(columns.transpose(1, 0, 2), options.seed_or(seed))
    return scores_by_key(options.result_keys(options.outputs), [medians.ravel()])


def median_of_resampled_means(scores: np.ndarray, seed: int) -> np.ndarray:
    """Return medians of 1,000 resampled means: (n_types, n_outputs, n_examples) -> (n_types, n_outputs)."""
    random = np.random.RandomState(seed)
    medians = []
    for of_type in scores:
        columns = of_type[:, ~np.isnan(of_type[0])]
        n_examples = columns.shape[1]
        if not n_examples:
            medians.append(np.full(len(columns), np.nan))
            continue
        sums = []
        # At least two resamples at once: numpy adds a single column in pairs, evaluate in order.
        for n_resamples in block_sizes(_N_RESAMPLES, 2 * max(1, _MAX_DRAWN // (2 * n_examples))):
            drawn = random.randint(0, n_examples, size=(n_resamples, n_examples))
            drawn = np.ascontiguousarray(drawn.T)
            sums.append([np.add.reduce(column[drawn], axis=0) for column in columns])
        medians.append(np.percentile(np.concatenate(sums, axis=1) / n_examples, 50, axis=1))
    return np.array(medians)


ROUGE = {
    "evaluate": RougeRules(
        about=("`rouge` of `evaluate` 0.4.6, for the same `seed`", "summaries", "the last bit"),
        families=LIN_2004,
        options=ROUGE_SCORE,
        average="resampled_median",
        averaging=Averaging(columns=requested_scores, result=_median_result),
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
