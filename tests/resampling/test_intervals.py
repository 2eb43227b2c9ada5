"""Where all items are the same their score is that of each, and the interval is that score.

So low <= score <= high, and plots with error bars do not fail on bars of negative length. A mean
that is added up in one order for the score and in another for its bounds gave for 50 items of 5/6
0.8333333333333335 and the interval [0.8333333333333334, 0.8333333333333334].
"""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.fold_cases import BLEU_CASES, ROUGE_CASES
from rouge_bleu.resampling import percentile_bounds

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4"]

OPTIONS = {
    name: [options for options in cases if "zero_division" not in options]
    for name, cases in (("rouge_full", ROUGE_CASES), ("bleu_full", BLEU_CASES))
}
N_ITEMS = (2, 3, 5, 50, 333)

word = st.sampled_from("a b c d e f g".split())
words = st.lists(word, min_size=1, max_size=12)
drawn_text = st.lists(words, min_size=1, max_size=3).map(
    lambda sentences: "\n".join(" ".join(one) + " ." for one in sentences)
)
items = st.tuples(drawn_text, st.lists(drawn_text, min_size=1, max_size=3), drawn_text)


def copies(prediction, references, baseline, n_items):
    return {
        "predictions": [prediction] * n_items,
        "references": [references] * n_items,
        "baseline_predictions": [baseline] * n_items,
    }


def bounded(result):
    """The keys of a result that have bounds."""
    return [key for key in result if f"{key}_low" in result]


def without_baseline(data):
    return {name: data[name] for name in ("predictions", "references")}


@pytest.mark.parametrize("name", OPTIONS)
@given(item=items, data=st.data())
def test_the_interval_is_the_score(request, name, item, data):
    metric = request.getfixturevalue(name)
    options = data.draw(st.sampled_from(OPTIONS[metric.name]))
    columns = copies(*item, data.draw(st.sampled_from(N_ITEMS)))
    own = {"confidence_level": 0.95, "n_resamples": 30, **options}
    found = metric.compute(**columns, **own)
    assert bounded(found)
    for key in bounded(found):
        assert found[f"{key}_low"] == found[key] == found[f"{key}_high"], key
    if metric.name == "rouge_full":
        one = metric.compute(**{k: column[:1] for k, column in columns.items()}, **own)
        for key in bounded(found):  # not only equal to its bounds, but right
            assert found[key] == one[key], key


@pytest.mark.parametrize("name", OPTIONS)
@given(item=items, data=st.data())
def test_the_interval_of_folded_items_is_the_score(request, name, item, data):
    """Resamples of `fold` have other numbers of items, on which smoothing depends; so this takes
    texts that match in each order.
    """
    metric = request.getfixturevalue(name)
    prediction, references, _ = item
    if metric.name == "bleu_full":
        prediction = f"{references[0]} {prediction}"
    n_items = data.draw(st.sampled_from(N_ITEMS))
    columns = copies(
        f"{prediction} a b c d e", [f"{text} a b c d e" for text in references], "", n_items
    )
    table = pa.table({**without_baseline(columns), "id": list(range(n_items))})
    given_options = data.draw(st.sampled_from(OPTIONS[metric.name]))
    options = {"confidence_level": 0.95, "n_resamples": 30, **given_options}
    parts = [
        metric.batch_statistics(table[first : first + 60], item="id", **options)
        for first in range(0, n_items, 60)
    ]
    found = metric.fold(parts, **options)
    assert bounded(found)
    for key in bounded(found):
        has_constants = options.get("preset") == "coco-caption"
        if has_constants or options.get("smooth") or "chen-cherry" in options.get("smoothing", ""):
            assert found[f"{key}_low"] <= found[key] <= found[f"{key}_high"], key
        else:
            assert found[f"{key}_low"] == found[key] == found[f"{key}_high"], key


@given(items, st.sampled_from(N_ITEMS), st.sampled_from(["documents", "tokens"]))
def test_the_interval_of_the_perl_script_is_the_score(rouge_full, item, n_items, corpus_average):
    """It prints five decimals."""
    found = rouge_full.compute(
        **without_baseline(copies(*item, n_items)),
        preset="rouge-1.5.5",
        rouge_types=TYPES,
        output="all",
        corpus_average=corpus_average,
        confidence_level=0.95,
        n_resamples=100,
    )
    for key in bounded(found):
        assert found[f"{key}_low"] == found[key] == found[f"{key}_high"], key


@pytest.mark.parametrize("n_items", [2, 50])
def test_items_without_a_score_are_left_out(rouge_full, n_items):
    """Resamples then have means of other numbers of items. Of the reference's 5 pairs of words that
    stand side by side 4 are right, of its 15 pairs of any words 10.
    """
    data = {"predictions": ["a b c d e x"] * n_items, "references": ["a b c d e f"] * n_items}
    data = {name: [*column, "a"] for name, column in data.items()}
    found = rouge_full.compute(
        **data,
        rouge_types=["rouge2", "rougeS"],
        output="recall",
        zero_division=math.nan,
        confidence_level=0.9,
    )
    assert list(found.values()) == [4 / 5] * 3 + [10 / 15] * 3


def test_average_lengths_that_are_no_whole_numbers(bleu_full):
    """Of three references the average has 23/3 tokens, which are rounded when they are added up."""
    references = ["a b c d e f g", "a b c d e f g h", "a b c d e f h g"]
    data = without_baseline(copies("a b c d e f", references, "", 50))
    found = bleu_full.compute(**data, reference_length="average", confidence_level=0.95)
    assert found["bleu"] == pytest.approx(math.exp(1 - 23 / 18), abs=1e-15)
    assert found["bleu_low"] == found["bleu"] == found["bleu_high"]


def test_a_baseline_that_is_small_beside_the_system(rouge_full):
    """Its sums are not rounded as those of the system are."""
    texts = [" ".join(f"w{number}" for number in range(first, first + 9973)) for first in (0, 9972)]
    data = copies(texts[0], [texts[0]], texts[1], 50)
    found = rouge_full.compute(**data, rouge_types=["rouge1"], confidence_level=0.95)
    assert found["rouge1_baseline"] == 1 / 9973
    assert found["rouge1_baseline_low"] == found["rouge1_baseline_high"] == 1 / 9973
    assert found["rouge1_delta_low"] == found["rouge1_delta"] == found["rouge1_delta_high"]


def test_the_interval_of_a_constant_difference_is_that_difference(rouge_full):
    """Items differ, but each system has one word of ten more than the other."""
    rng = np.random.default_rng(0)
    letters = "a b c d e f g h i j".split()
    n_right = rng.integers(1, 11, 60)
    data = {
        "references": [" ".join(letters)] * 60,
        "predictions": [" ".join(letters[:n]) for n in n_right],
        "baseline_predictions": [" ".join([*letters[: n - 1], "x"]) for n in n_right],
    }
    found = rouge_full.compute(
        **data, rouge_types=["rouge1"], output="recall", confidence_level=0.95
    )
    assert found["rouge1_delta"] == pytest.approx(0.1, abs=1e-15)
    assert found["rouge1_delta_low"] == found["rouge1_delta"] == found["rouge1_delta_high"]
    assert found["rouge1_low"] < found["rouge1"] < found["rouge1_high"]


def test_only_rounding_is_taken_for_the_score():
    """Resampled scores 1e-11 apart from the score stay, those 1e-13 apart are the score; of small
    scores in proportion.
    """
    for unit in (1.0, 1e-200):
        score = np.array([0.5]) * unit
        for gap, low in ((1e-11, 0.5 - 1e-11), (1e-13, 0.5)):
            resampled = np.array([[0.5 - gap, 0.5 + gap, 0.5]]) * unit
            bounds = percentile_bounds(resampled, score, score, 0.999999999999)
            assert bounds[0, 0] == pytest.approx(low * unit, abs=0, rel=1e-15)
