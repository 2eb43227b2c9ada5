"""Intervals and paired tests: those of sacreBLEU, and of corpora that are really drawn."""

import math
import os
import re

import evaluate
import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest
from scipy.stats import bootstrap

from helpers.fold_cases import CASES
from helpers.repository import ROOT
from helpers.texts import random_text
from rouge_bleu import resampling as module
from rouge_bleu.resampling import exchange_masks, resample_weights

WORDS = "the a cat sat on mat dog ran to see . ,".split()
N_RESAMPLES = 20
TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4"]


def noisy(rng, text, share):
    """The text with so many of its words replaced."""
    words = re.split("( |\n)", text)
    return "".join("zebra" if word.isalpha() and rng.random() < share else word for word in words)


def two_systems(n_items, seed=0, n_references=1, noise=(0.3, 0.4)):
    """Predictions of a better and of a worse system, and references."""
    rng = np.random.default_rng(seed)
    references = [
        [random_text(rng, WORDS, 1, 14) for _ in range(n_references)] for _ in range(n_items)
    ]
    predictions, baseline = (
        [noisy(rng, of_item[-1], share) for of_item in references] for share in noise
    )
    return {"predictions": predictions, "references": references, "baseline_predictions": baseline}


def system(data):
    return {key: data[key] for key in ("predictions", "references")}


def of_baseline(data):
    return {"predictions": data["baseline_predictions"], "references": data["references"]}


def chosen(data, indices):
    return {key: [column[i] for i in indices] for key, column in data.items()}


# --- intervals ----------------------------------------------------------------------


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
    data = system(two_systems(50, n_references=2))
    data["references"][::4] = [["a"]] * len(data["references"][::4])  # has no bigram
    options = {"rouge_types": TYPES, "output": "all", **options}
    items = rouge_full.compute(**data, **options, use_aggregator=False)
    assert np.isnan(items["rouge2_recall"]).any() == ("zero_division" in options)
    found = rouge_full.compute(**data, **options, confidence_level=level, seed=seed)
    assert list(found) == [key for name in items for key in (name, f"{name}_low", f"{name}_high")]
    for name, scores in items.items():
        interval = bootstrap(
            (np.array(scores),),
            np.nanmean,
            n_resamples=1000,
            confidence_level=level,
            method="percentile",
            rng=np.random.default_rng(seed),
        ).confidence_interval
        expected = [np.nanmean(scores), interval.low, interval.high]
        ours = [found[name], found[f"{name}_low"], found[f"{name}_high"]]
        assert ours == pytest.approx(expected, abs=1e-12)


def test_nothing_is_defined(rouge_full, bleu_full):
    options = {"zero_division": math.nan, "confidence_level": 0.95}
    data = {"predictions": ["a", "b"], "references": ["", ""], "baseline_predictions": ["a", "c"]}
    for metric, key in ((rouge_full, "rouge1"), (bleu_full, "bleu")):
        found = metric.compute(**data, **options)
        names = [name for name in found if name.startswith(key)]
        assert len(names) == 10
        assert all(math.isnan(found[name]) for name in names)


def test_resamples_without_a_score_are_left_out(rouge_full):
    """Of two items one has a score, so a quarter of the resamples has none. One of two words is in
    the reference of two words: F = 1/2. The item differs by that on either side, so p is 1.
    """
    data = {"predictions": ["a b", "c"], "references": ["a c", ""]}
    options = {"rouge_types": ["rouge1"], "zero_division": math.nan, "confidence_level": 0.95}
    found = rouge_full.compute(**data, baseline_predictions=["d", "c"], **options)
    scores = {"rouge1": 0.5, "rouge1_baseline": 0.0, "rouge1_delta": 0.5}
    ends = ("", "_low", "_high")
    expected = {key + end: score for key, score in scores.items() for end in ends}
    assert found == expected | {"rouge1_p_value": 1.0}


# --- paired tests -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "name", "seed"), [("bs", "bootstrap", 1), ("ar", "randomization", 2)]
)
def test_p_values_are_those_of_sacrebleu(bleu_full, monkeypatch, test, name, seed):
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    data = two_systems(60, seed=seed, noise=(0.3, 0.34))
    systems = [("baseline", data["baseline_predictions"]), ("system", data["predictions"])]
    references = [[of_item[0] for of_item in data["references"]]]
    paired = PairedTest(systems, {"BLEU": BLEU()}, references, test_type=test, n_samples=500)
    expected = paired()[1]["BLEU"]
    found = bleu_full.compute(
        **data, preset="sacrebleu", output="score", seed=12345, n_resamples=500, paired_test=name
    )
    assert list(found) == ["bleu", "bleu_baseline", "bleu_delta", "bleu_p_value"]
    assert found["bleu_baseline"] == pytest.approx(expected[0].score / 100, abs=1e-12)
    assert found["bleu"] == pytest.approx(expected[1].score / 100, abs=1e-12)
    assert found["bleu_delta"] == found["bleu"] - found["bleu_baseline"]
    # sacreBLEU adds up in float32 under "bs", which may move a draw.
    assert abs(found["bleu_p_value"] - expected[1].p_value) <= (1.1 / 501 if test == "bs" else 0)
    assert 0.002 < found["bleu_p_value"] < 0.999  # the corpora are such that this tells


def own_options(metric):
    return {"output": "score"} if metric.name == "bleu_full" else {}


def p_value(differences, real):
    """The share of differences that are at least as large as the real one, itself among them."""
    defined = [difference for difference in differences if not math.isnan(difference)]
    n_as_large = sum(difference >= abs(real) - 1e-12 for difference in defined)
    return (n_as_large + 1) / (len(defined) + 1)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_bootstrap_is_that_of_corpora_that_are_really_drawn(request, name, options):
    """The oracle: the drawn items as a corpus of their own, scored by `compute`."""
    metric = request.getfixturevalue(name)
    data = two_systems(15, seed=2, n_references=2)
    options = {**options, **own_options(metric)}
    drawn = [
        [metric.compute(**side(chosen(data, indices)), **options) for side in (system, of_baseline)]
        for indices in np.random.default_rng(5).integers(15, size=(N_RESAMPLES, 15))
    ]
    whole, baseline = (metric.compute(**side(data), **options) for side in (system, of_baseline))
    resampling = {"n_resamples": N_RESAMPLES, "seed": 5, "paired_test": "bootstrap"}
    found = metric.compute(**data, **options, confidence_level=0.8, **resampling)
    for key, score in whole.items():
        assert (found[key], found[f"{key}_baseline"]) == (score, baseline[key])
        scores = [ours[key] for ours, _ in drawn if not math.isnan(ours[key])]
        assert [found[f"{key}_low"], found[f"{key}_high"]] == pytest.approx(
            np.percentile(scores, [10, 90]), abs=1e-12
        )
        differences = np.array([abs(ours[key] - theirs[key]) for ours, theirs in drawn])
        centred = differences - np.nanmean(differences)
        assert found[f"{key}_p_value"] == p_value(centred, score - baseline[key])


@pytest.mark.parametrize(("name", "options"), CASES)
def test_randomization_is_that_of_corpora_that_are_really_exchanged(request, name, options):
    """The oracle: exchanged items as corpora of their own, scored by `compute`."""
    metric = request.getfixturevalue(name)
    data = two_systems(15, seed=3, n_references=2)
    options = {**options, **own_options(metric)}
    pairs = list(zip(data["predictions"], data["baseline_predictions"], strict=True))
    differences = []
    for mask in np.random.default_rng(5).integers(2, size=(N_RESAMPLES, 15), dtype=bool):
        ours, theirs = (
            metric.compute(
                predictions=[pair[side ^ bit] for pair, bit in zip(pairs, mask, strict=True)],
                references=data["references"],
                **options,
            )
            for side in (0, 1)
        )
        differences.append({key: abs(ours[key] - theirs[key]) for key in ours})
    found = metric.compute(**data, **options, n_resamples=N_RESAMPLES, seed=5)
    for key in differences[0]:
        expected = p_value([each[key] for each in differences], found[f"{key}_delta"])
        assert found[f"{key}_p_value"] == expected


def test_bounds_of_all_three(metric):
    """Those of the baseline are its own, since the draws are the same."""
    data = two_systems(25)
    own = own_options(metric)
    found = metric.compute(**data, confidence_level=0.9, **own)
    alone, baseline = (
        metric.compute(**one, confidence_level=0.9, **own)
        for one in (system(data), of_baseline(data))
    )
    keys = [key for key in alone if not key.endswith(("_low", "_high"))]
    ends = ["", "_low", "_high"]
    assert list(found) == [
        *(
            key + suffix + end
            for key in keys
            for suffix in ("", "_baseline", "_delta", "_p_value")
            for end in (ends if suffix != "_p_value" else [""])
        )
    ]
    for key in keys:
        for end in ends:
            assert found[key + end] == alone[key + end]
            assert found[f"{key}_baseline{end}"] == baseline[key + end]
        assert found[f"{key}_delta_low"] <= found[f"{key}_delta"] <= found[f"{key}_delta_high"]
    assert {type(value) for value in found.values()} == {float}


def test_items_are_compared_one_by_one(metric):
    data = two_systems(5)
    own = own_options(metric)
    found = metric.compute(**data, use_aggregator=False, **own)
    items, baseline = (
        metric.compute(**one, use_aggregator=False, **own)
        for one in (system(data), of_baseline(data))
    )
    for key in items:
        assert found[key] == items[key]
        assert found[f"{key}_baseline"] == baseline[key]
        assert found[f"{key}_delta"] == [
            a - b for a, b in zip(items[key], baseline[key], strict=True)
        ]
    assert len(found) == 3 * len(items)


# --- draws --------------------------------------------------------------------------


@pytest.mark.parametrize("n_weights", [1, 37, 300, 1 << 20])
def test_blocks_do_not_change_the_draws(monkeypatch, n_weights):
    monkeypatch.setattr(module, "_MAX_WEIGHTS", n_weights)
    drawn = np.random.default_rng(3).integers(37, size=(100, 37))
    weights = np.concatenate(list(resample_weights(37, 100, 3)))
    assert weights.tolist() == [np.bincount(row, minlength=37).tolist() for row in drawn]
    masks = np.concatenate(list(exchange_masks(37, 100, 3)))
    assert (masks == np.random.default_rng(3).integers(2, size=(100, 37), dtype=bool)).all()


def test_blocks_are_bounded(monkeypatch):
    monkeypatch.setattr(module, "_MAX_WEIGHTS", 100)
    for draws in (resample_weights, exchange_masks):
        assert max(block.size for block in draws(37, 100, 3)) <= 100


# --- ways in ------------------------------------------------------------------------


def test_the_baseline_stands_for_all_that_was_added(metric):
    data = two_systems(20)
    expected = metric.compute(**data, confidence_level=0.9)
    metric.add(prediction=data["predictions"][0], reference=data["references"][0])
    metric.add_batch(predictions=data["predictions"][1:9], references=data["references"][1:9])
    rest = {"predictions": data["predictions"][9:], "references": data["references"][9:]}
    with pytest.raises(ValueError, match="baseline_predictions"):
        metric.compute(**rest, baseline_predictions=data["baseline_predictions"][9:])
    assert len(metric) == 9  # added examples are not lost
    baseline = data["baseline_predictions"]
    assert metric.compute(**rest, baseline_predictions=baseline, confidence_level=0.9) == expected


def test_combine_hands_the_baseline_to_both():
    data = two_systems(10)
    paths = [str(ROOT / f"{name}.py") for name in ("rouge_full", "bleu_full")]
    metrics = [evaluate.load(path) for path in paths]
    expected = {}
    for metric in metrics:
        expected |= metric.compute(**data, confidence_level=0.95, seed=3)
    combined = evaluate.combine([evaluate.load(path) for path in paths])
    assert combined.compute(**data, confidence_level=0.95, seed=3) == expected


def test_tokens_are_compared(metric):
    data = two_systems(20)
    tokens = {name: [text.split() for text in data[name]] for name in data if name != "references"}
    tokens["references"] = [[text.split() for text in of_item] for of_item in data["references"]]
    found = metric.compute(**tokens, n_jobs=2)
    assert found == metric.compute(**data, tokenizer=str.split)


BASELINE = "baseline_predictions"
BAD_BASELINES = [
    (["a"], ValueError, BASELINE),
    ("a b", TypeError, BASELINE),
    (["a", None], TypeError, f"{BASELINE}[1]"),
    ([["a"], ["b"]], TypeError, f"{BASELINE}[0]"),
    (["a", "\ud800"], ValueError, f"{BASELINE}[1]"),
]


@pytest.mark.parametrize(("baseline", "error", "message"), BAD_BASELINES)
def test_bad_baselines(metric, baseline, error, message):
    with pytest.raises(error, match=re.escape(message)):
        metric.compute(predictions=["a", "b"], references=["a", "b"], baseline_predictions=baseline)


NO_AGGREGATOR = "needs use_aggregator=True"
BAD_OPTIONS = [
    ({"confidence_level": 95}, "confidence_level must be a number between 0 and 1 such as 0.95"),
    ({"n_resamples": 0}, "n_resamples must be an integer >= 1, got 0"),
    ({"n_resamples": 10**6 + 1}, "n_resamples must be at most 1000000, got 1000001"),
    ({"seed": -1}, "seed must be an integer >= 0, got -1"),
    ({"paired_test": "t"}, "paired_test must be 'randomization' or 'bootstrap', got 't'"),
    ({"confidence_level": 0.9, "use_aggregator": False}, f"confidence_level {NO_AGGREGATOR}"),
    ({"n_resamples": 10, "use_aggregator": False}, f"n_resamples {NO_AGGREGATOR}"),
]


@pytest.mark.parametrize(("options", "message"), BAD_OPTIONS)
def test_bad_options(metric, options, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        metric.compute(predictions=["a"], references=["a"], **options)


@pytest.mark.deep
def test_as_many_resamples_as_there_may_be(bleu_full):
    """And all of them are drawn: p-values are whole numbers of 1,000,001ths."""
    found = bleu_full.compute(**two_systems(2), n_resamples=10**6, output="score")
    p_values = [found[key] for key in found if key.endswith("_p_value")]
    assert p_values == [round(p * 1_000_001) / 1_000_001 for p in p_values]
    assert set(p_values) != {1.0}


@pytest.mark.parametrize("preset", ["evaluate", "rouge-1.5.5"])
def test_presets_with_samples_of_their_own_compare_nothing(rouge_full, preset):
    data = two_systems(5)
    with pytest.raises(ValueError, match=r"^baseline_predictions must be left out with preset="):
        rouge_full.compute(**data, preset=preset)
    with pytest.raises(ValueError, match=r"^paired_test must be 'randomization' with preset="):
        rouge_full.compute(**system(data), preset=preset, paired_test="bootstrap")


@pytest.mark.parametrize(("option", "default"), [("confidence_level", 0.95), ("n_resamples", 10)])
def test_the_median_of_evaluate_has_no_interval(rouge_full, option, default):
    with pytest.raises(ValueError, match=f"^{option} must be .* with preset='evaluate', got"):
        rouge_full.compute(**system(two_systems(5)), preset="evaluate", **{option: default})


def test_names_of_weights_that_are_keys_of_something_else(bleu_full):
    weights = {"b": [1], "b_low": [1, 1], "b_delta": [1]}
    data = two_systems(5)
    assert "b_low" in bleu_full.compute(**system(data), weights=weights)
    with pytest.raises(ValueError, match=r"^weights must have names other than 'b_low'"):
        bleu_full.compute(**system(data), weights=weights, confidence_level=0.9)
    with pytest.raises(ValueError, match=r"^weights must have names other than 'b_delta'"):
        bleu_full.compute(**data, weights=weights)


def test_a_baseline_at_load_and_between_processes(tmp_path):
    path = str(ROOT / "rouge_full.py")
    with pytest.raises(TypeError, match="'baseline_predictions'"):
        evaluate.load(path, baseline_predictions=["a"])
    metric = evaluate.load(
        path,
        num_process=2,
        process_id=0,
        experiment_id=os.urandom(4).hex(),
        cache_dir=str(tmp_path),
    )
    with pytest.raises(ValueError, match=r"^baseline_predictions needs num_process=1"):
        metric.compute(**two_systems(3))


# --- signature ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({}, ["bs:1000", "test:randomization", "seed:3"]),
        (
            {"confidence_level": 0.95, "paired_test": "bootstrap", "n_resamples": 50, "seed": 8},
            ["ci:0.95", "bs:50", "test:bootstrap", "seed:8"],
        ),
        ({"use_aggregator": False}, []),
    ],
)
def test_what_was_drawn_stands_in_the_signature(name, options, parts):
    """And the options that are read from it give the same result again."""
    data = two_systems(10)
    metric = evaluate.load(str(ROOT / f"{name}.py"), seed=3)
    result = metric.compute(**data, **options, signature=True)
    line = result["signature"]
    drawn = [part for part in line.split("|") if part.split(":")[0] in ("ci", "bs", "seed", "test")]
    assert drawn == parts
    unseeded = evaluate.load(str(ROOT / f"{name}.py"))
    again = unseeded.compute(**data, **unseeded.options_of_signature(line), signature=True)
    assert again == result
    alone = metric.compute(**system(data), signature=True)
    assert not re.search(r"\|(ci|bs|seed|test):", alone["signature"])


def test_items_without_a_score_in_one_system_only(bleu_full):
    """They are left out of its mean in each resample, beside a baseline as without one."""
    data = {"predictions": ["", "a b", "a c", "d"], "references": ["", "a b", "a b", "e"]}
    options = {"preset": "matlab", "level": "sentence", "max_order": 1, "confidence_level": 0.9}
    alone = bleu_full.compute(**data, **options)
    beside = bleu_full.compute(**data, **options, baseline_predictions=["z", "a b", "x", "d"])
    assert {key: beside[key] for key in alone} == alone
