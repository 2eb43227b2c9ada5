"""rouge_score, and evaluate's `rouge`, which is fetched from the Hub, rebuilt from its parts:
RougeScorer and BootstrapAggregator behind `np.random.seed(seed)`.
"""

from types import SimpleNamespace

import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from rouge_score.scoring import BootstrapAggregator

from helpers.published import PACKAGES
from helpers.rouge.corpora import OUTPUTS

LETTERS = {"precision": "p", "recall": "r", "fmeasure": "f"}
SUMMARIES = PACKAGES["corpora"]["summaries"]
FOUR_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum")


def rouge_score_items(
    predictions, references, rouge_types=FOUR_TYPES, use_stemmer=False, tokenizer=None
):
    """Return rouge_score's scores of each item, of which the references may be lists."""
    scorer = RougeScorer(
        list(rouge_types),
        use_stemmer=use_stemmer,
        tokenizer=tokenizer and SimpleNamespace(tokenize=tokenizer),
    )
    score = scorer.score if isinstance(references[0], str) else scorer.score_multi
    return [
        score(reference, prediction)
        for prediction, reference in zip(predictions, references, strict=True)
    ]


def evaluate_averages(items, seed):
    """Return what evaluate's `rouge` returns, and precision and recall, which it drops."""
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(seed)  # noqa: NPY002
    try:
        aggregator = BootstrapAggregator()
        for scores in items:
            aggregator.add_scores(scores)
        mid = {name: score.mid for name, score in aggregator.aggregate().items()}
    finally:
        np.random.set_state(state)  # noqa: NPY002
    return {
        f"{name}_{output}": float(getattr(score, output))
        for name, score in mid.items()
        for output in OUTPUTS
    }


def with_names(items):
    """Return scores of items as rouge_full names them with output="all"."""
    return {
        f"{name}_{output}": [float(getattr(scores[name], output)) for scores in items]
        for name in items[0]
        for output in OUTPUTS
    }


def row_of(result, place):
    return {key: values[place] for key, values in result.items()}


def named(scores, types):
    """Return the scores of rouge or PyRouge under our names; types are in the same order."""
    return {
        f"{name}_{output}": of_type[LETTERS[output]]
        for name, of_type in zip(types, scores.values(), strict=True)
        for output in OUTPUTS
    }
