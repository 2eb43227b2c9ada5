"""p-values where few items differ, so that many resamples have exactly the real difference.

By definition (Riezler and Maxwell 2005, section 4) a p-value is the share of exchanges whose
difference is at least as large as the real one.
"""

import math

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import PairedTest

from rouge_bleu_tools.cli import compare as compare_systems

N_ITEMS = 500
SAME = "the same words stand here"
# A reference, and the outputs of a better and a worse system.
DIFFERING = ("a b c d e f", "a b c d e f", "a b c x e f")


def few_differences(items, n_items=N_ITEMS):
    """Two systems that agree except for some items, which are far apart."""
    columns = [[SAME] * n_items for _ in range(3)]
    for number, texts in enumerate(items):
        for column, text in zip(columns, texts, strict=True):
            column[(7 * number + 3) % n_items] = text
    names = ("references", "predictions", "baseline_predictions")
    return dict(zip(names, columns, strict=True))


def test_one_item_of_500_shows_nothing(metric):
    found = metric.compute(**few_differences([DIFFERING]), confidence_level=0.95)
    p_values = {found[key] for key in found if key.endswith("_p_value")}
    assert p_values == {1.0}
    assert all(found[key] > 0 for key in found if key.endswith("_delta"))


def test_items_that_differ_alike(rouge_full):
    """Of 10 equal differences all point the same way in 2 of 2^10 exchanges: p = 2/1024."""
    data = few_differences([DIFFERING] * 10)
    found = rouge_full.compute(**data, rouge_types=["rouge1"], n_resamples=20_000)
    assert found["rouge1_p_value"] == pytest.approx(2 / 1024, abs=4 * math.sqrt(2 / 1024 / 20_000))


@pytest.mark.parametrize("weight", [1, 1e-300])
def test_ties_are_in_proportion_to_the_scores(bleu_full, weight):
    """NLTK's floor makes scores as small as the value that it adds: they differ all the same."""
    rng = np.random.default_rng(0)
    references = [" ".join(rng.permutation(list("abcdefgh"))) for _ in range(30)]
    worse = [f"x y {text[4:]}" for text in references]
    data = {"references": references, "predictions": references, "baseline_predictions": worse}
    if weight < 1:  # no pair of words is right, so that three orders are as small as the weight
        for name in ("predictions", "baseline_predictions"):
            data[name] = [" z ".join(text.split()) for text in data[name]]
    options = {"preset": "nltk", "smoothing": "floor", "smoothing_value": weight}
    found = bleu_full.compute(**data, **options, output="score")
    assert (found["bleu"] < 1e-12) == (weight < 1)
    assert found["bleu"] > 1.05 * found["bleu_baseline"] > 0
    assert found["bleu_p_value"] == 1 / 1001  # that all 30 coins fall alike happens in 2 of 2^30


def test_the_bootstrap_counts_ties_too(rouge_full):
    """One of two items differs, by 1. The two resamples of seed 10 have it never and twice, so that
    their differences are 0 and 1, with the mean 1/2. The latter lies 1/2 above it, as the real
    difference, 1/2, lies above 0: one of two resamples is as far, and p = (1 + 1) / (2 + 1).
    """
    data = {"references": ["a", "b"], "predictions": ["a", "b"], "baseline_predictions": ["a", "x"]}
    options = {"rouge_types": ["rouge1"], "paired_test": "bootstrap"}
    draws = np.random.default_rng(10).integers(2, size=(2, 2)).tolist()
    assert sorted(draws) == [[0, 0], [1, 1]]
    found = rouge_full.compute(**data, **options, n_resamples=2, seed=10)
    assert found["rouge1_delta"] == 0.5
    assert found["rouge1_p_value"] == 2 / 3


def test_sacrebleu_does_not_count_ties(bleu_full, monkeypatch):
    """Its `--paired-ar` says `stats > real_difference`: one item of 500 has the least p-value that
    there is. This is the difference that docs/comparing.md names.
    """
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    data = few_differences([DIFFERING])
    systems = [("baseline", data["baseline_predictions"]), ("system", data["predictions"])]
    paired = PairedTest(
        systems, {"BLEU": BLEU()}, [data["references"]], test_type="ar", n_samples=1000
    )
    theirs = paired()[1]["BLEU"][1].p_value
    found = bleu_full.compute(**data, preset="sacrebleu", seed=12345)
    assert theirs == pytest.approx(1 / 1001)
    assert found["bleu_p_value"] == 1.0


def test_compared_systems_do_not_differ_by_one_line(tmp_path, capsys):
    """And the plot is drawn, though the one resample leaves the score outside of its bounds."""
    pytest.importorskip("matplotlib", reason="matplotlib, which plots need, is not installed")
    data = few_differences([DIFFERING], 30)
    paths = {name: tmp_path / f"{name}.txt" for name in data}
    for name, lines in data.items():
        paths[name].write_text("".join(f"{line}\n" for line in lines))
    arguments = [
        *(paths["baseline_predictions"], paths["predictions"], "-r", paths["references"]),
        *("--n-resamples", "1", "--plot", tmp_path / "plot.svg"),
    ]
    assert compare_systems.main([str(argument) for argument in arguments]) == 0
    out = capsys.readouterr().out
    assert out.count(" 1.0000\n") == 8
    assert "significantly higher" not in out
    assert (tmp_path / "plot.svg").stat().st_size > 0
