"""Two systems compared: p-values and bounds are those of sacreBLEU, and of corpora really drawn.

By definition (Riezler and Maxwell 2005, section 4) a p-value is the share of exchanges whose
difference is at least as large as the real one.
"""

import math
import re

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

from helpers.fold_cases import CASES
from helpers.metrics import loaded
from helpers.texts import random_text
from rouge_bleu import resampling

WORDS = "the a cat sat on mat dog ran to see . ,".split()
N_ITEMS, N_RESAMPLES = 15, 20
OUTPUT = {"rouge_full": {}, "bleu_full": {"output": "score"}}
BASELINE = "baseline_predictions"


def two_systems(n_items, seed=0, n_references=1, noise=(0.3, 0.4)):
    """Predictions of a better and of a worse system, and references."""
    rng = np.random.default_rng(seed)

    def noisy(text, share):
        """The text with so many of its words replaced."""
        parts = re.split("( |\n)", text)
        return "".join("zebra" if one.isalpha() and rng.random() < share else one for one in parts)

    references = [
        [random_text(rng, WORDS, 1, 14) for _ in range(n_references)] for _ in range(n_items)
    ]
    better, worse = ([noisy(texts[-1], share) for texts in references] for share in noise)
    return {"predictions": better, BASELINE: worse, "references": references}


def of_each(metric, data, **options):
    """The scores of the system alone and of the baseline alone, by key."""
    ours, theirs = (
        metric.compute(predictions=data[system], references=data["references"], **options)
        for system in ("predictions", BASELINE)
    )
    return {key: (ours[key], theirs[key]) for key in ours}


def sacrebleu_paired(data, test, n_samples):
    """What sacreBLEU prints for the baseline and for the system."""
    systems = [("baseline", data[BASELINE]), ("system", data["predictions"])]
    references = [[one if isinstance(one, str) else one[0] for one in data["references"]]]
    how = {"test_type": test, "n_samples": n_samples}
    return PairedTest(systems, {"BLEU": BLEU()}, references, **how)()[1]["BLEU"]


@pytest.mark.parametrize(
    ("test", "name", "seed"), [("bs", "bootstrap", 1), ("ar", "randomization", 2)]
)
def test_p_values_are_those_of_sacrebleu(bleu_full, monkeypatch, test, name, seed):
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    data = two_systems(60, seed=seed, noise=(0.3, 0.34))
    expected = sacrebleu_paired(data, test, 500)
    how = {"preset": "sacrebleu", "output": "score", "seed": 12345, "n_resamples": 500}
    found = bleu_full.compute(**data, **how, paired_test=name)
    assert list(found) == ["bleu", "bleu_baseline", "bleu_delta", "bleu_p_value"]
    assert found["bleu_baseline"] == pytest.approx(expected[0].score / 100, abs=1e-12)
    assert found["bleu"] == pytest.approx(expected[1].score / 100, abs=1e-12)
    assert found["bleu_delta"] == found["bleu"] - found["bleu_baseline"]
    # sacreBLEU adds up in float32 under "bs", which may move a draw.
    assert abs(found["bleu_p_value"] - expected[1].p_value) <= (1.1 / 501 if test == "bs" else 0)
    assert 0.002 < found["bleu_p_value"] < 0.999  # the corpora are such that this tells


def p_value(differences, real):
    """The share of differences that are at least as large as the real one, itself among them."""
    defined = [difference for difference in differences if not math.isnan(difference)]
    n_as_large = sum(difference >= abs(real) - 1e-12 for difference in defined)
    return (n_as_large + 1) / (len(defined) + 1)


def drawn_corpora(data, test):
    """The corpora of a test, drawn with seed 5."""
    rng = np.random.default_rng(5)
    if test == "bootstrap":
        for indices in rng.integers(N_ITEMS, size=(N_RESAMPLES, N_ITEMS)):
            yield {name: [column[i] for i in indices] for name, column in data.items()}
        return
    for mask in rng.integers(2, size=(N_RESAMPLES, N_ITEMS), dtype=bool):
        pairs = zip(data["predictions"], data[BASELINE], mask, strict=True)
        exchanged = [(worse, better) if bit else (better, worse) for better, worse, bit in pairs]
        predictions, baseline = zip(*exchanged, strict=True)
        yield {**data, "predictions": list(predictions), BASELINE: list(baseline)}


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
@pytest.mark.parametrize(("name", "options"), CASES)
def test_p_values_and_bounds_are_those_of_corpora_really_drawn(request, name, options, test):
    """The oracle: `compute` scores the drawn or exchanged examples as a separate corpus."""
    metric = request.getfixturevalue(name)
    data = two_systems(N_ITEMS, seed=2, n_references=2)
    options = {**options, **OUTPUT[name]}
    drawn = [of_each(metric, corpus, **options) for corpus in drawn_corpora(data, test)]
    resampling = {"n_resamples": N_RESAMPLES, "seed": 5, "paired_test": test}
    found = metric.compute(**data, **options, confidence_level=0.8, **resampling)
    for key, (ours, theirs) in of_each(metric, data, **options).items():
        of_key = np.array([scores[key] for scores in drawn]).T
        resampled = {"": of_key[0], "_baseline": of_key[1], "_delta": of_key[0] - of_key[1]}
        for suffix, score in {"": ours, "_baseline": theirs, "_delta": ours - theirs}.items():
            low, score_found, high = (
                found.pop(key + suffix + end) for end in ("_low", "", "_high")
            )
            assert str(score_found) == str(score)
            if test == "bootstrap":
                bounds = np.nanpercentile(resampled[suffix], [10, 90])
                assert [low, high] == pytest.approx(bounds, abs=1e-12, nan_ok=True)
        differences = np.abs(resampled["_delta"])
        if test == "bootstrap":
            differences -= np.nanmean(differences)
        assert found.pop(f"{key}_p_value") == p_value(differences, ours - theirs)
    assert found == {}


def test_items_are_compared_one_by_one(metric):
    data, own = two_systems(5), {"use_aggregator": False, **OUTPUT[metric.name]}
    found = metric.compute(**data, **own)
    expected = {}
    for key, (ours, theirs) in of_each(metric, data, **own).items():
        differences = np.subtract(ours, theirs).tolist()
        expected |= {key: ours, f"{key}_baseline": theirs, f"{key}_delta": differences}
    assert found == expected


def test_nothing_is_defined(metric):
    options = {"zero_division": math.nan, "confidence_level": 0.95, **OUTPUT[metric.name]}
    data = {"predictions": ["a", "b"], "references": ["", ""], BASELINE: ["a", "c"]}
    assert all(map(math.isnan, metric.compute(**data, **options).values()))


def test_resamples_without_a_score_are_left_out(rouge_full):
    """Of two items one has a score, so a quarter of the resamples has none. One of two words is in
    the reference of two words: F = 1/2. The item differs by that on either side, so p is 1.
    """
    data = {"predictions": ["a b", "c"], "references": ["a c", ""]}
    options = {"rouge_types": ["rouge1"], "zero_division": math.nan, "confidence_level": 0.95}
    found = rouge_full.compute(**data, baseline_predictions=["d", "c"], **options)
    scores = {"rouge1": 0.5, "rouge1_baseline": 0.0, "rouge1_delta": 0.5}
    expected = {key + end: scores[key] for key in scores for end in ("", "_low", "_high")}
    assert found == expected | {"rouge1_p_value": 1.0}


# References, of which one or none has words; the test; p by hand. Three of the four resamples of seed 3,
# 1 0 | 0 0 | 0 1 | 1 1, have item 0. Its difference is 1/2 in each, and 0 without their mean: 1 / (3 + 1).
FEW_DEFINED = [
    *((["", ""], test, math.nan) for test in ("randomization", "bootstrap")),
    *((["a c", ""], "randomization", 1.0), (["a c", ""], "bootstrap", 1 / 4)),
]


@pytest.mark.parametrize(("references", "test", "p"), FEW_DEFINED)
def test_p_values_of_fewer_than_two_items_with_a_score(rouge_full, references, test, p):
    data = {"predictions": ["a b", "c"], "references": references, BASELINE: ["d", "c"]}
    options = {"rouge_types": ["rouge1"], "zero_division": math.nan, "paired_test": test}
    found = rouge_full.compute(**data, **options, n_resamples=4, seed=3)
    assert found["rouge1_p_value"] == pytest.approx(p, abs=0, nan_ok=True)


def test_a_resample_without_a_score_is_not_counted():
    """By hand: the mean of 0.9, 0.6 and 0 is 0.5. Less that they are 0.4, 0.1 and -0.5, of which one is
    at least 0.2: p is (1 + 1) / (3 + 1).
    """
    differences = np.array([[0.9, 0.6, 0.0, math.nan]])
    real, magnitude = np.array([0.2]), np.ones(1)
    found = resampling._p_values(differences, real, magnitude, less_effect=True)
    assert found.tolist() == [1 / 2]


def test_items_without_a_score_in_one_system_only(bleu_full):
    """They are left out of its mean in each resample, beside a baseline as without one."""
    data = {"predictions": ["", "a b", "a c", "d"], "references": ["", "a b", "a b", "e"]}
    options = {"preset": "matlab", "level": "sentence", "max_order": 1, "confidence_level": 0.9}
    alone = bleu_full.compute(**data, **options)
    beside = bleu_full.compute(**data, **options, baseline_predictions=["z", "a b", "x", "d"])
    assert {key: beside[key] for key in alone} == alone


SAME = "the same words stand here"


def few_differences(n_differing, n_items=500):
    """Two systems that agree except for some items, which are far apart."""
    columns = {name: [SAME] * n_items for name in ("references", "predictions", BASELINE)}
    for number in range(n_differing):
        for name in columns:
            columns[name][7 * number + 3] = "a b c x e f" if name == BASELINE else "a b c d e f"
    return columns


def test_one_item_of_500_shows_nothing(metric, monkeypatch):
    """sacreBLEU's `--paired-ar` says `stats > real_difference`: it has the least p-value that there
    is. This is the difference that docs/comparing.md names.
    """
    data = few_differences(1)
    found = metric.compute(**data, confidence_level=0.95)
    assert {found[key] for key in found if key.endswith("_p_value")} == {1.0}
    assert all(found[key] > 0 for key in found if key.endswith("_delta"))
    if metric.name == "bleu_full":
        monkeypatch.setenv("SACREBLEU_SEED", "12345")
        assert sacrebleu_paired(data, "ar", 1000)[1].p_value == pytest.approx(1 / 1001)
        assert metric.compute(**data, preset="sacrebleu", seed=12345)["bleu_p_value"] == 1.0


@pytest.mark.parametrize("weight", [1, 1e-300])
def test_the_tolerance_of_ties_is_relative(bleu_full, weight):
    """NLTK's floor makes scores as small as the value that it adds: they differ all the same."""
    rng = np.random.default_rng(0)
    references = [" ".join(rng.permutation(list("abcdefgh"))) for _ in range(30)]
    worse = [f"x y {text[4:]}" for text in references]
    data = {"references": references, "predictions": references, BASELINE: worse}
    if weight < 1:  # no pair of words is right, so that three orders are as small as the weight
        for name in ("predictions", BASELINE):
            data[name] = [" z ".join(text.split()) for text in data[name]]
    options = {"preset": "nltk", "smoothing": "floor", "smoothing_value": weight}
    found = bleu_full.compute(**data, **options, output="score")
    assert (found["bleu"] < 1e-12) == (weight < 1)
    assert found["bleu"] > 1.05 * found["bleu_baseline"] > 0
    assert found["bleu_p_value"] == 1 / 1001  # that all 30 coins fall alike happens in 2 of 2^30


def test_the_baseline_stands_for_all_that_was_added(metric):
    data = two_systems(20)
    expected = metric.compute(**data, confidence_level=0.9)
    first, rest = (
        {"predictions": data["predictions"][part], "references": data["references"][part]}
        for part in (slice(9), slice(9, None))
    )
    metric.add_batch(**first)
    with pytest.raises(ValueError, match=BASELINE):
        metric.compute(**rest, baseline_predictions=data[BASELINE][9:])
    assert len(metric) == 9  # added examples are not lost
    found = metric.compute(**rest, baseline_predictions=data[BASELINE], confidence_level=0.9)
    assert found == expected


def test_tokens_are_compared(metric):
    data = two_systems(20)
    tokens = {name: [text.split() for text in data[name]] for name in ("predictions", BASELINE)}
    tokens["references"] = [[text.split() for text in texts] for texts in data["references"]]
    assert metric.compute(**tokens, n_jobs=2) == metric.compute(**data, tokenizer=str.split)


def test_bad_baselines(metric):
    for baseline, error, named in (
        (["a"], ValueError, BASELINE),
        ("a b", TypeError, BASELINE),
        (["a", None], TypeError, rf"{BASELINE}\[1\]"),
        ([["a"], ["b"]], TypeError, rf"{BASELINE}\[0\]"),
        (["a", "\ud800"], ValueError, rf"{BASELINE}\[1\]"),
    ):
        with pytest.raises(error, match=named):
            metric.compute(predictions=["a"] * 2, references=["a"] * 2, **{BASELINE: baseline})


DRAWS_ITSELF = [{"preset": preset} for preset in ("evaluate", "rouge-1.5.5")]
WEIGHTS = {"b": [1], "b_low": [1, 1], "b_delta": [1]}

# Metric, options, and a name in the ValueError.
REFUSED = [
    (
        "rouge_full bleu_full",
        {"n_resamples": 10, "use_aggregator": False},
        "n_resamples has no effect",
    ),
    *(("rouge_full", preset | {BASELINE: ["b"]}, BASELINE) for preset in DRAWS_ITSELF),
    *(("rouge_full", p | {"paired_test": "bootstrap"}, "paired_test") for p in DRAWS_ITSELF),
    ("rouge_full", {"preset": "evaluate", "confidence_level": 0.95}, "confidence_level"),
    ("rouge_full", {"preset": "evaluate", "n_resamples": 10}, "n_resamples"),
    ("bleu_full", {"weights": WEIGHTS, "confidence_level": 0.9}, "'b_low'"),
    ("bleu_full", {"weights": WEIGHTS, BASELINE: ["b"]}, "'b_delta'"),
]


@pytest.mark.parametrize(("names", "options", "named"), REFUSED)
def test_options_that_do_not_go_together(request, names, options, named):
    for name in names.split():
        with pytest.raises(ValueError, match=named):
            request.getfixturevalue(name).compute(predictions=["a"], references=["a"], **options)


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
def test_what_was_drawn_is_in_the_signature(metric, options, parts):
    """And the options that are read from it give the same result again."""
    data = two_systems(10)
    seeded = loaded(metric.name, seed=3)
    result = seeded.compute(**data, **options, signature=True)
    assert re.findall(r"(?:ci|bs|seed|test):[\w.]+", result["signature"]) == parts
    restored = metric.options_of_signature(result["signature"])
    assert metric.compute(**data, **restored, signature=True) == result
    assert "|seed:" not in of_each(seeded, data, signature=True)["signature"][0]
