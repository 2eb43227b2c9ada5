"""Bootstrap intervals of one system: equal to scipy's; for identical items exactly the score.

So low <= score <= high, and plots with error bars do not fail on bars of negative length.
"""

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from helpers.fold_cases import BLEU_CASES, ROUGE_CASES, corpus
from rouge_bleu import bleu, resampling, rouge
from rouge_bleu.presets.rouge155 import averages
from rouge_bleu.resampling import exchange_masks, percentile_bounds, resample_weights

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4"]


@pytest.mark.parametrize(
    ("seed", "level", "options"),
    [
        (0, 0.95, {}),
        (7, 0.5, {"multi_reference": "jackknife"}),
        (7, 0.95, {"multi_reference": "pooled", "beta": 2.0}),
        (3, 0.9, {"multi_reference": "separate"}),
        (3, 0.9, {"multi_reference": "f_of_means"}),
        (0, 0.9, {"zero_division": math.nan}),
    ],
)
def test_rouge_has_the_interval_of_scipy(rouge_full, seed, level, options):
    """Items without a score are drawn and left out."""
    data = corpus(52)
    data["references"][::4] = [["a"]] * 13  # has no bigram
    options = {"rouge_types": TYPES, "output": "all", **options}
    items = rouge_full.compute(**data, **options, use_aggregator=False)
    assert np.isnan(items["rouge2_recall"]).any() == ("zero_division" in options)
    found = rouge_full.compute(**data, **options, confidence_level=level, seed=seed)
    assert list(found) == [key for name in items for key in (name, f"{name}_low", f"{name}_high")]
    how = {"n_resamples": 1000, "confidence_level": level, "method": "percentile"}
    for name, scores in items.items():
        rng = np.random.default_rng(seed)
        interval = bootstrap((np.array(scores),), np.nanmean, **how, rng=rng).confidence_interval
        expected = [np.nanmean(scores), interval.low, interval.high]
        ours = [found[name], found[f"{name}_low"], found[f"{name}_high"]]
        assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n_weights", [1, 37, 300, 1 << 20])
def test_blocks_are_bounded_and_do_not_change_the_draws(monkeypatch, n_weights):
    monkeypatch.setattr(resampling, "_MAX_WEIGHTS", n_weights)
    weights, masks = (list(draws(37, 100, 3)) for draws in (resample_weights, exchange_masks))
    assert max(block.size for block in weights + masks) <= max(37, n_weights)
    drawn = np.random.default_rng(3).integers(37, size=(100, 37))
    expected = [np.bincount(row, minlength=37).tolist() for row in drawn]
    assert np.concatenate(weights).tolist() == expected
    coins = np.random.default_rng(3).integers(2, size=(100, 37), dtype=bool)
    assert (np.concatenate(masks) == coins).all()


_PAIRED = {"baseline_predictions": corpus(9)["predictions"][::-1]}
_PERL = {"preset": "rouge-1.5.5", "rouge_types": ["rouge1", "rouge2", "rougeL"]}


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (rouge, {"rouge_types": TYPES, **_PAIRED}),
        (bleu, {"weights": {"two": [1, 1], "all": [1] * 30, "one": [1]}, **_PAIRED}),
        (bleu, {"paired_test": "bootstrap", "level": "sentence", **_PAIRED}),
        (rouge, _PERL),
        (rouge, {"corpus_average": "tokens", **_PERL}),
    ],
)
def test_groups_and_blocks_change_no_bit(monkeypatch, function, options):
    """The sums of a block, and the scores of all resamples, are kept in parts of bounded size."""
    options = {"confidence_level": 0.9, "n_resamples": 700, **options}
    whole = function(**corpus(9), **options)
    monkeypatch.setattr(resampling, "_MAX_SUMS", 700)
    for module in (resampling, averages):
        monkeypatch.setattr(module, "_MAX_KEPT", 1_400)  # two scores, or types
    assert repr(function(**corpus(9), **options)) == repr(whole)


OPTIONS = {
    name: [options for options in cases if "zero_division" not in options]
    for name, cases in (("rouge_full", ROUGE_CASES), ("bleu_full", BLEU_CASES))
}
N_ITEMS = st.sampled_from((2, 3, 5, 50, 333))

words = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=12)
text = st.lists(words, min_size=1, max_size=3).map(
    lambda sentences: "\n".join(" ".join(one) + " ." for one in sentences)
)
items = st.tuples(text, st.lists(text, min_size=1, max_size=3))


def copies(prediction, references, n_items):
    return {"predictions": [prediction] * n_items, "references": [references] * n_items}


def assert_bounds_are_scores(found):
    bounded = [key for key in found if f"{key}_low" in found]
    assert bounded
    for key in bounded:
        bounds = [found[f"{key}_low"], found[f"{key}_high"]]
        np.testing.assert_array_equal(bounds, found[key], key)  # NaN, as under "matlab", equals NaN


@pytest.mark.parametrize("name", OPTIONS)
@given(item=items, baseline=text, n_items=N_ITEMS, data=st.data())
def test_the_interval_is_the_score(request, name, item, baseline, n_items, data):
    metric = request.getfixturevalue(name)
    own = {"confidence_level": 0.95, "n_resamples": 30, **data.draw(st.sampled_from(OPTIONS[name]))}
    found = metric.compute(
        **copies(*item, n_items), baseline_predictions=[baseline] * n_items, **own
    )
    assert_bounds_are_scores(found)
    if name == "rouge_full":  # not only equal to its bounds, but right
        one = metric.compute(**copies(*item, 1), **own)
        np.testing.assert_equal({key: found[key] for key in one}, one)


# Resamples of `fold` have other numbers of items, on which smoothing depends.
FOLDED = [
    (name, options)
    for name, cases in OPTIONS.items()
    for options in cases
    if "smooth" not in str(options) and options.get("preset") != "coco-caption"
]


@pytest.mark.parametrize(("name", "options"), FOLDED)
@pytest.mark.parametrize("n_items", [3, 50])
def test_the_interval_of_folded_items_is_the_score(request, name, options, n_items):
    metric = request.getfixturevalue(name)
    columns = copies("a b c d e f x", ["a b c d e g h", "c b a\nf e d c"], n_items)
    table = pa.table({**columns, "id": list(range(n_items))})
    some = metric.batch_statistics(table, item="id", **options)
    own = {"confidence_level": 0.95, "n_resamples": 30, **options}
    assert_bounds_are_scores(metric.fold(some, **own))


@given(items, N_ITEMS, st.sampled_from(["documents", "tokens"]))
def test_the_interval_of_the_perl_script_is_the_score(rouge_full, item, n_items, corpus_average):
    """It prints five decimals."""
    options = {"preset": "rouge-1.5.5", "rouge_types": TYPES, "output": "all"}
    options |= {"confidence_level": 0.95, "n_resamples": 100, "corpus_average": corpus_average}
    assert_bounds_are_scores(rouge_full.compute(**copies(*item, n_items), **options))


def test_items_without_a_score_are_left_out(rouge_full):
    """Resamples then have means of other numbers of items. Of the reference's 5 pairs of words that
    are side by side 4 are right, of its 15 pairs of any words 10.
    """
    data = {"predictions": ["a b c d e x"] * 50 + ["a"], "references": ["a b c d e f"] * 50 + ["a"]}
    options = {"rouge_types": ["rouge2", "rougeS"], "output": "recall", "zero_division": math.nan}
    found = rouge_full.compute(**data, **options, confidence_level=0.9)
    assert list(found.values()) == [4 / 5] * 3 + [10 / 15] * 3


def test_a_baseline_that_is_small_beside_the_system(rouge_full):
    """Its sums are not rounded as those of the system are."""
    texts = [" ".join(f"w{number}" for number in range(first, first + 9973)) for first in (0, 9972)]
    data = {**copies(texts[0], [texts[0]], 50), "baseline_predictions": [texts[1]] * 50}
    found = rouge_full.compute(**data, rouge_types=["rouge1"], confidence_level=0.95)
    assert found["rouge1_baseline"] == 1 / 9973
    assert_bounds_are_scores(found)


def test_the_interval_of_a_constant_difference_is_that_difference(rouge_full):
    """Items differ, but each system has one word of ten more than the other."""
    letters = list("abcdefghij")
    n_right = np.random.default_rng(0).integers(1, 11, 60)
    data = copies("", " ".join(letters), 60)
    data["predictions"] = [" ".join(letters[:n]) for n in n_right]
    data["baseline_predictions"] = [" ".join([*letters[: n - 1], "x"]) for n in n_right]
    options = {"rouge_types": ["rouge1"], "output": "recall", "confidence_level": 0.95}
    found = rouge_full.compute(**data, **options)
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
