"""Preset "evaluate" against rouge_score and the average of evaluate's `rouge`, and evaluate's `bleu`."""

import math

import numpy as np
import pytest
from rouge_score.scoring import Score
from sacrebleu.metrics import BLEU

from helpers.bleu.peers import SEGMENTS, assert_equal, evaluate_13a, evaluate_bleu
from helpers.rouge.corpora import random_corpus
from helpers.rouge.peers import FOUR_TYPES, evaluate_averages, rouge_score_items, with_names
from rouge_bleu import bleu, rouge
from rouge_bleu.presets import evaluate as averages

EACH, ALL = {"use_aggregator": False}, {"output": "all"}
EVALUATE = {"preset": "evaluate"}


# --- the average of `rouge`, bit for bit ----------------------------------------------------------
EVALUATE_CASES = {  # most references of an item, options
    "one reference": (1, {}),
    "stemmed, several references": (3, {"use_stemmer": True}),
    # A tokenizer that keeps case, and repeats words.
    "tokenizer, several references": (3, {"tokenizer": lambda text: text.split() * 2}),
    # A tokenizer leaves the stemmer without effect.
    "tokenizer and stemmer": (1, {"tokenizer": str.split, "use_stemmer": True}),
    "other types in another order": (2, {"rouge_types": ["rougeLsum", "rouge3", "rouge1"]}),
}


@pytest.mark.parametrize(("max_references", "options"), EVALUATE_CASES.values(), ids=EVALUATE_CASES)
def test_evaluate_to_the_last_bit(max_references, options):
    """Without a seed it is 0, where evaluate's own differs from process to process."""
    predictions, references = random_corpus(1, 80, max_references=max_references)
    if max_references == 1:
        references = [texts[0] for texts in references]
    items = rouge_score_items(predictions, references, **options)
    options = {**EVALUATE, **options}
    assert rouge(predictions, references, **options, **ALL, **EACH) == with_names(items)
    for seed in (None, 2**32 - 1):
        expected = evaluate_averages(items, seed or 0)
        assert rouge(predictions, references, **options, seed=seed, **ALL) == expected
        found = rouge(predictions, references, **options, seed=seed)
        assert (
            found.items()
            <= {key.removesuffix("_fmeasure"): x for key, x in expected.items()}.items()
        )


@pytest.mark.parametrize("n_items", [1, 2, 9, 1049])
def test_evaluate_for_any_number_of_items(n_items):
    """Resamples are drawn in shares of 1,048,576 scores; from 1,049 items on 1,000 of them are more
    than one share. The generator of numpy is left alone.
    """
    corpus = random_corpus(3, min(n_items, 100))
    sides = (*corpus, rouge_score_items(*corpus))
    predictions, references, items = ((side * 11)[:n_items] for side in sides)
    expected, before = evaluate_averages(items, 5), np.random.get_state()  # noqa: NPY002
    assert rouge(predictions, references, **EVALUATE, **ALL, seed=5) == expected
    np.testing.assert_equal(np.random.get_state(), before)  # noqa: NPY002


@pytest.mark.parametrize("share", [0.5, 1, 7, 999])
def test_the_size_of_shares_changes_nothing(monkeypatch, share):
    """Up to share 1 two resamples are drawn at a time, which exceed the limit."""
    scores = np.random.default_rng(4).random((4, 3, 61))
    monkeypatch.setattr(averages, "_MAX_DRAWN", int(61 * share))
    medians = averages.median_of_resampled_means(scores, 6)
    items = [
        {name: Score(*scores[k, :, item]) for k, name in enumerate(FOUR_TYPES)}
        for item in range(61)
    ]
    assert medians.ravel().tolist() == list(evaluate_averages(items, 6).values())


def test_undefined_items_are_left_out_of_the_average_of_evaluate():
    options = {"zero_division": math.nan, "rouge_types": ["rouge1", "rouge2"]}
    result = rouge(["a", "b"], ["a", ""], **EVALUATE, **options)
    assert result == pytest.approx({"rouge1": 1.0, "rouge2": math.nan}, nan_ok=True)


# --- `bleu` ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        *({}, {"smooth": True}, {"max_order": 6}, {"max_order": 6, "smooth": True}),
        {"max_order": 2, "tokenizer": str.split},
    ],
)
def test_evaluate(options):
    """If it raises ZeroDivisionError, which it does if the prediction or the shortest reference has
    no tokens, there is a score.
    """
    result = bleu(*SEGMENTS, **options, **EVALUATE)
    expected = evaluate_bleu(*SEGMENTS, **options)
    assert list(result) == list(expected)
    assert_equal(result, expected)
    columns = bleu(*SEGMENTS, **options, **EVALUATE, use_aggregator=False)
    n_raised = 0
    for i, (prediction, texts) in enumerate(zip(*SEGMENTS, strict=True)):
        found = {key: column[i] for key, column in columns.items()}
        try:
            assert_equal(found, evaluate_bleu([prediction], [texts], **options))
        except ZeroDivisionError:
            n_raised += 1
            assert all(map(math.isfinite, (found["bleu"], found["length_ratio"])))
    assert n_raised > 10


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize(
    ("prediction", "references", "bleu_brevity_ratio"),
    [
        ("", ["a b"], (0.0, 0.0, 0.0)),
        ("\n", ["\f"], (0.0, 1.0, 0.0)),
        # The shortest reference has no tokens: there is no penalty.
        ("a b c d", ["", "a b c d"], (1.0, 1.0, 0.0)),
    ],
)
def test_where_evaluate_divides_by_zero(prediction, references, bleu_brevity_ratio, smooth):
    with pytest.raises(ZeroDivisionError):
        evaluate_bleu([prediction], [references], smooth=smooth)
    result = bleu([prediction], [references], **EVALUATE, smooth=smooth)
    found = (result["bleu"], result["brevity_penalty"], result["length_ratio"])
    assert found == bleu_brevity_ratio


@pytest.mark.parametrize(
    ("text", "tokens", "of_sacrebleu"),
    [
        ("word-\n", "word", "word-"),
        ("a-\n\n", "a", "a-"),
        ("5-\n", "5", "5 -"),
        ("word-\nb", "wordb", "wordb"),
    ],
)
def test_a_hyphen_at_the_end_of_a_text_is_taken_off(text, tokens, of_sacrebleu):
    """The 13a of evaluate is that of sacreBLEU without `rstrip`."""
    assert evaluate_13a(text) == tokens.split()
    assert BLEU().tokenizer(text.rstrip()).split() == of_sacrebleu.split()
    for preset, words in (("evaluate", tokens), ("sacrebleu", of_sacrebleu)):
        result = bleu([text], [words], max_order=1, preset=preset)
        assert (result["bleu"], result["translation_length"]) == (1.0, len(words.split()))
