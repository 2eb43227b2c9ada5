"""The preset "evaluate" against evaluate's `bleu` as written down."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import SEGMENTS, assert_equal, evaluate_13a, evaluate_bleu, segments

EVALUATE_SETTINGS = [(4, False), (4, True), (1, False), (2, True), (6, False), (6, True)]


@pytest.mark.parametrize(("max_order", "smooth"), EVALUATE_SETTINGS)
def test_evaluate_on_many_segments(bleu_full, max_order, smooth):
    predictions, references = SEGMENTS
    options = {"max_order": max_order, "smooth": smooth, "preset": "evaluate"}
    result = bleu_full.compute(predictions=predictions, references=references, **options)
    expected = evaluate_bleu(predictions, references, max_order, smooth)
    assert list(result) == list(expected)
    assert_equal(result, expected)
    assert 0 < result["bleu"] < 1


@pytest.mark.parametrize(("max_order", "smooth"), EVALUATE_SETTINGS)
def test_evaluate_on_each_segment(bleu_full, max_order, smooth):
    """Where it raises ZeroDivisionError, which it does where the prediction or the shortest
    reference has no tokens, there is a score.
    """
    options = {
        "max_order": max_order,
        "smooth": smooth,
        "preset": "evaluate",
        "use_aggregator": False,
    }
    result = bleu_full.compute(predictions=SEGMENTS[0], references=SEGMENTS[1], **options)
    n_raised = 0
    for i, (prediction, texts) in enumerate(zip(*SEGMENTS, strict=True)):
        values = {key: column[i] for key, column in result.items()}
        try:
            assert_equal(values, evaluate_bleu([prediction], [texts], max_order, smooth))
        except ZeroDivisionError:
            n_raised += 1
            assert all(
                map(
                    math.isfinite,
                    (
                        values["bleu"],
                        values["brevity_penalty"],
                        values["length_ratio"],
                        *values["precisions"],
                    ),
                )
            )
            if not any(map(evaluate_13a, texts)):
                assert values["bleu"] == 0
    assert n_raised > 30


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize(
    ("prediction", "references", "bleu", "brevity_penalty", "length_ratio"),
    [
        ("", ["a b"], 0.0, 0.0, 0.0),
        ("a b", [""], 0.0, 1.0, 0.0),
        ("", [""], 0.0, 1.0, 0.0),
        ("\n", ["\f"], 0.0, 1.0, 0.0),
        (
            "a b c d",
            ["", "a b c d"],
            1.0,
            1.0,
            0.0,
        ),  # the shortest reference has no tokens: there is no penalty
    ],
)
def test_evaluate_where_it_divides_by_zero(
    bleu_full, prediction, references, bleu, brevity_penalty, length_ratio, smooth
):
    with pytest.raises(ZeroDivisionError):
        evaluate_bleu([prediction], [references], smooth=smooth)
    result = bleu_full.compute(
        predictions=[prediction], references=[references], preset="evaluate", smooth=smooth
    )
    assert (result["bleu"], result["brevity_penalty"], result["length_ratio"]) == (
        bleu,
        brevity_penalty,
        length_ratio,
    )
    if not any(references):
        result = bleu_full.compute(
            predictions=[prediction],
            references=[references],
            preset="evaluate",
            smooth=smooth,
            zero_division=math.nan,
        )
        assert math.isnan(result["bleu"])


@pytest.mark.parametrize(
    ("preset", "smooth"),
    [(preset, False) for preset in (None, "evaluate", "nltk", "matlab")]
    + [("matlab", True)]
    + [(preset, True) for preset in (None, "evaluate", "nltk")],
)
def test_a_prediction_without_tokens_scores_zero(bleu_full, preset, smooth):
    """Also where one of its references has none."""
    assert (
        bleu_full.compute(predictions=[""], references=[["", "a b"]], smooth=smooth, preset=preset)[
            "bleu"
        ]
        == 0
    )


def test_evaluate_takes_off_a_hyphen_at_the_end_of_a_text(bleu_full):
    """Its 13a is that of sacreBLEU without `rstrip`: "word-\\n" is `word` there and `word-` in
    sacreBLEU.
    """
    for text, of_evaluate, of_sacrebleu in (
        ("word-\n", "word", "word-"),
        ("a-\n\n", "a", "a-"),
        ("5-\n", "5", "5 -"),
        ("word-\nb", "wordb", "wordb"),
    ):
        assert evaluate_13a(text) == of_evaluate.split()
        assert BLEU().tokenizer(text.rstrip()).split() == of_sacrebleu.split()
        for preset, tokens in (
            ("evaluate", of_evaluate),
            ("sacrebleu", of_sacrebleu),
            (None, of_sacrebleu),
        ):
            result = bleu_full.compute(
                predictions=[text], references=[tokens], max_order=1, preset=preset
            )
            assert (result["bleu"], result["translation_length"]) == (1.0, len(tokens.split()))


def test_evaluate_with_another_tokenizer(bleu_full):
    predictions, references = SEGMENTS[0][:300], SEGMENTS[1][:300]
    for tokenizer in (str.split, list, lambda text: text.lower().split("-")):
        result = bleu_full.compute(
            predictions=predictions,
            references=references,
            tokenizer=tokenizer,
            preset="evaluate",
            smooth=True,
        )
        assert_equal(result, evaluate_bleu(predictions, references, 4, True, tokenizer))


@given(segments, st.integers(1, 6), st.booleans())
def test_evaluate_with_any_options(bleu_full, corpus, max_order, smooth):
    predictions, references = map(list, zip(*corpus, strict=True))
    result = bleu_full.compute(
        predictions=predictions,
        references=references,
        max_order=max_order,
        smooth=smooth,
        preset="evaluate",
    )
    try:
        expected = evaluate_bleu(predictions, references, max_order, smooth)
    except ZeroDivisionError:
        assert math.isfinite(result["bleu"])
    else:
        assert_equal(result, expected)
