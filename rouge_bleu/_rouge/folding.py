"""How `rouge_full` folds: items have scores, and those of a corpus are their means."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np

from ..corpus import Corpus
from ..folding.plan import CannotFold, FoldPlan
from ..input_warnings import warn_of_unfit_tokenizer
from .options.checked import RougeOptions
from .scorer import scores_of_examples, warn_of_missing_lines
from .scores import outputs_of_means, stacked


def rouge_fold_plan(options: RougeOptions) -> FoldPlan:
    """Return the plan of checked options.

    Raises
    ------
    CannotFold
        The score of a corpus is no function of sums under these options.
    """
    if not options.rules.resamples_items:
        raise CannotFold(
            f"preset must not be {options.preset!r} where statistics are folded: its"
            " averages come from random samples of all items, which no machine has"
        )
    outputs = options.scored_outputs
    columns = [
        f"{name}_{output}" if len(outputs) > 1 else name
        for name in options.measures
        for output in outputs
    ]
    return FoldPlan(
        kind_of_column=dict.fromkeys(columns, "score"),
        of_items=partial(_item_columns, options, columns),
        keys=options.keys_of_types,
        scores=partial(_scores_of_means, options),
        item_scores=partial(_wanted_scores, options),
        parts=lambda values: {},
    )


def _item_columns(
    options: RougeOptions, columns: list[str], corpus: Corpus
) -> dict[str, np.ndarray]:
    warn_of_missing_lines(corpus, options)
    warn_of_unfit_tokenizer(corpus, options)
    of_types = scores_of_examples(corpus, options)
    return dict(zip(columns, stacked(of_types), strict=True))


def _scores_of_means(options: RougeOptions, values: Mapping[str, np.ndarray]) -> np.ndarray:
    means = np.stack(list(values.values()))
    of_types = np.split(means, len(options.measures))
    return np.concatenate([outputs_of_means(one, options) for one in of_types])


def _wanted_scores(options: RougeOptions, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return those of the scores that are asked for; others are for averages only."""
    wanted = [options.scored_outputs.index(output) for output in options.outputs]
    rows = np.stack(list(values.values()))
    of_types = np.split(rows, len(options.measures))
    return np.concatenate([one[wanted] for one in of_types])
