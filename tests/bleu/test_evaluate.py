"""The preset "evaluate" against evaluate's `bleu` as written down."""

import math

import pytest
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import SEGMENTS, assert_equal, evaluate_13a, evaluate_bleu
from rouge_bleu import bleu

EVALUATE = {"preset": "evaluate"}


@pytest.mark.parametrize(("max_order", "smooth"), [(4, False), (4, True), (6, False), (6, True)])
def test_a_corpus_and_each_segment(max_order, smooth):
    """If it raises ZeroDivisionError, which it does if the prediction or the shortest
    reference has no tokens, there is a score.
    """
    options = {"max_order": max_order, "smooth": smooth, **EVALUATE}
    result = bleu(*SEGMENTS, **options)
    expected = evaluate_bleu(*SEGMENTS, max_order, smooth)
    assert list(result) == list(expected)
    assert_equal(result, expected)
    columns = bleu(*SEGMENTS, **options, use_aggregator=False)
    n_raised = 0
    for i, (prediction, texts) in enumerate(zip(*SEGMENTS, strict=True)):
        values = {key: column[i] for key, column in columns.items()}
        try:
            assert_equal(values, evaluate_bleu([prediction], [texts], max_order, smooth))
        except ZeroDivisionError:
            n_raised += 1
            assert all(map(math.isfinite, (values["bleu"], values["length_ratio"])))
    assert n_raised > 10


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize(
    ("prediction", "references", "bleu_brevity_ratio"),
    [
        ("", ["a b"], (0.0, 0.0, 0.0)),
        ("a b", [""], (0.0, 1.0, 0.0)),
        ("\n", ["\f"], (0.0, 1.0, 0.0)),
        # The shortest reference has no tokens: there is no penalty.
        ("a b c d", ["", "a b c d"], (1.0, 1.0, 0.0)),
    ],
)
def test_where_it_divides_by_zero(prediction, references, bleu_brevity_ratio, smooth):
    with pytest.raises(ZeroDivisionError):
        evaluate_bleu([prediction], [references], smooth=smooth)
    result = bleu([prediction], [references], **EVALUATE, smooth=smooth)
    keys = ("bleu", "brevity_penalty", "length_ratio")
    assert tuple(result[key] for key in keys) == bleu_brevity_ratio


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("preset", [None, "evaluate", "nltk", "matlab"])
def test_a_prediction_without_tokens_scores_zero(preset, smooth):
    """Also if one of its references has none."""
    assert bleu([""], [["", "a b"]], smooth=smooth, preset=preset)["bleu"] == 0


@pytest.mark.parametrize(
    ("text", "of_evaluate", "of_sacrebleu"),
    [
        ("word-\n", "word", "word-"),
        ("a-\n\n", "a", "a-"),
        ("5-\n", "5", "5 -"),
        ("word-\nb", "wordb", "wordb"),
    ],
)
def test_a_hyphen_at_the_end_of_a_text_is_taken_off(text, of_evaluate, of_sacrebleu):
    """Its 13a is that of sacreBLEU without `rstrip`."""
    assert evaluate_13a(text) == of_evaluate.split()
    assert BLEU().tokenizer(text.rstrip()).split() == of_sacrebleu.split()
    for preset, tokens in (("evaluate", of_evaluate), ("sacrebleu", of_sacrebleu)):
        result = bleu([text], [tokens], max_order=1, preset=preset)
        assert (result["bleu"], result["translation_length"]) == (1.0, len(tokens.split()))
