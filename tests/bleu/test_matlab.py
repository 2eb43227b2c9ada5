"""The preset "matlab" and any weights."""

import math

import pytest

from helpers import oracles
from helpers.bleu.peers import FOX, FOX_REFERENCES, random_tokens
from helpers.repository import module_of


@pytest.mark.parametrize(("weights", "printed"), [(None, 0.7825), ([0.5, 0.5], 0.8367)])
def test_matlab_printed_examples(bleu_full, weights, printed):
    # https://www.mathworks.com/help/textanalytics/ref/bleuevaluationscore.html, "Evaluate Summary"
    # and "Specify N-Gram Weights"
    assert (
        round(
            bleu_full.compute(
                predictions=[FOX], references=[FOX_REFERENCES], weights=weights, preset="matlab"
            )["bleu"],
            4,
        )
        == printed
    )


@pytest.mark.parametrize(
    ("prediction", "references", "weights", "expected"),
    [
        # The same page: NaN where candidate and references are all empty
        ([], [[]], [1], math.nan),
        ([], [[], []], [1, 1, 1, 1], math.nan),
        # and 0 where the candidate has fewer words than there are weights, even if it equals a
        # reference
        (["a", "b", "c"], [["a", "b", "c"]], [1, 1, 1, 1], 0.0),
        (["a", "b", "c"], [["a", "b", "c"]], [1, 1, 1], 1.0),
        (["a", "b", "c"], [["a", "b", "c"]], [1, 0, 0, 0], 0.0),
        (["a", "b", "c", "d"], [["a", "b", "c", "d"]], [1, 0, 0, 0], 1.0),
        # only one side is empty
        ([], [["a"]], [1], 0.0),
        ([], [[], ["a"]], [1], 0.0),
        (["a"], [[]], [1], 0.0),
        (["a"], [[], []], [1], 0.0),
        (["a"], [[], ["a"]], [1], 1.0),
    ],
)
def test_matlab_empty_and_short_documents(bleu_full, prediction, references, weights, expected):
    score = bleu_full.compute(
        predictions=[prediction], references=[references], weights=weights, preset="matlab"
    )["bleu"]
    assert score == pytest.approx(expected, nan_ok=True, abs=0)
    both = {"predictions": [prediction, ["x"] * 9], "references": [references, [["x"] * 9]]}
    assert bleu_full.compute(**both, weights=weights, preset="matlab", use_aggregator=False)[
        "bleu"
    ] == pytest.approx([expected, 1.0], nan_ok=True, abs=0)


def test_matlab_zero_division_can_be_chosen(bleu_full):
    assert (
        bleu_full.compute(predictions=[""], references=[""], preset="matlab", zero_division=0.0)[
            "bleu"
        ]
        == 0.0
    )
    assert bleu_full.compute(predictions=[""], references=[""])["bleu"] == 0.0


ANY_WEIGHTS = [
    [3],
    [0.2],
    [1, 1],
    [10, 20, 70],
    [0.1, 0.1, 0.1, 0.1],
    [0, 1],
    [1, 0],
    [0, 0, 1, 0],
    [1, 0, 0, 2],
    [0, 1, 0, 1, 0],
    [1, 2, 3, 4, 5, 6, 7, 8],
    [1] * 8,
    [0, 0, 0, 0, 0, 0, 0, 1],
    [1e-300, 1e-300],
    [1e300, 1e300],
]


@pytest.mark.parametrize("weights", ANY_WEIGHTS)
def test_matlab_with_any_weights(bleu_full, weights):
    predictions, references = random_tokens(6, 400, max_words=14)
    scaled = [weight / math.fsum(weights) for weight in weights]
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        weights=weights,
        preset="matlab",
        use_aggregator=False,
    )
    for prediction, texts, score in zip(predictions, references, result["bleu"], strict=True):
        if not prediction and not any(texts):
            assert math.isnan(score)
        elif len(prediction) < len(weights):
            assert score == 0
        else:
            assert score == pytest.approx(
                oracles.bleu([prediction], [texts], scaled), rel=1e-12, abs=0
            )
    corpus = bleu_full.compute(predictions=predictions, references=references, weights=weights)
    assert corpus["bleu"] == pytest.approx(oracles.bleu(predictions, references, scaled), rel=1e-12)
    assert (
        bleu_full.compute(
            predictions=predictions, references=references, weights=weights, preset="matlab"
        )
        == corpus
    )


def test_several_weights_count_ngrams_once(bleu_full, monkeypatch):
    counts = module_of(bleu_full, "bleu.counts")
    calls = []
    count = counts.plain_ngram_matches
    monkeypatch.setattr(
        counts,
        "plain_ngram_matches",
        lambda *arguments: calls.append(arguments[2]) or count(*arguments),
    )
    weights = {"bleu1": [1], "bleu2": [1, 1], "bleu4": [1, 1, 1, 1]}
    corpus = {"predictions": [FOX, "a b"], "references": [FOX_REFERENCES, ["a b"]]}
    result = bleu_full.compute(**corpus, weights=weights)
    assert calls == [4, 4]  # once for each item, for all orders up to 4
    alone = {
        name: bleu_full.compute(**corpus, weights=values)["bleu"]
        for name, values in weights.items()
    }
    assert calls == [4, 4, 1, 1, 2, 2, 4, 4]
    assert {name: result[name] for name in weights} == alone
