"""An item with a long prediction and many references is scored some references at a time."""

import math

import numpy as np
import pytest
from full_metrics import rouge_scorer
from full_metrics.corpus import checked_corpus
from full_metrics.rouge_options import RougeOptions

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4")


def texts_of_one_item(is_tokenized):
    """Return a prediction and 30 references, one of them without a word."""
    rng = np.random.default_rng(0)
    words = np.array(["the", "cat", "sat", "on", "a", "mat.\n", "dogs", "ran"])
    texts = [rng.choice(words, length).tolist() for length in (60, *range(30))]
    if not is_tokenized:
        texts = [" ".join(text) for text in texts]
    return texts[0], texts[1:]


@pytest.mark.parametrize("summary_lcs", ["union", "best"])
@pytest.mark.parametrize("multi_reference", ["best", "average", "pooled", "jackknife"])
@pytest.mark.parametrize("is_tokenized", [False, True])
def test_parts_of_an_item_give_its_scores(monkeypatch, multi_reference, summary_lcs, is_tokenized):
    prediction, references = texts_of_one_item(is_tokenized)
    corpus = checked_corpus([prediction], [references])
    options = RougeOptions(
        rouge_types=ROUGE_TYPES,
        multi_reference=multi_reference,
        summary_lcs=summary_lcs,
        output="all",
        zero_division=math.nan,
    )
    expected = rouge_scorer.rouge(corpus, options)
    n_pairs = []
    paired = rouge_scorer.paired
    monkeypatch.setattr(
        rouge_scorer,
        "paired",
        lambda tokens, offsets: n_pairs.append(int(offsets[-1])) or paired(tokens, offsets),
    )
    # All references; some of them; each by itself, a pair larger than the limit included.
    for limit, n_parts in ((1 << 20, 1), (1000, None), (1, 30)):
        n_pairs.clear()
        monkeypatch.setattr(rouge_scorer, "_MAX_PAIRED_SIZE", limit)
        assert rouge_scorer.rouge(corpus, options) == expected
        assert sum(n_pairs) == 30
        assert n_parts is None or len(n_pairs) == n_parts
