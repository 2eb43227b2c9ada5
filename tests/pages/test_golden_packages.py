"""The presets "torchmetrics" and "rouge-chinese" against figures of the packages."""

import numpy as np
import pytest

from helpers.packages import GOLDEN
from helpers.repository import ROOT
from helpers.rouge.rouge155_script import GOLDEN as SCRIPT


def cases_of(metric, preset):
    return [
        pytest.param(case, id=f"{case['corpus']} {number}")
        for number, case in enumerate(GOLDEN["cases"])
        if (case["metric"], case["options"]["preset"]) == (metric, preset)
    ]


def results_of(metric, case):
    """Return the scores of items, and those of the corpus."""
    options = dict(case["options"])
    if "rougeLsum" in options.get("rouge_types", ()):
        options["sentence_splitter"] = GOLDEN["sentences"].__getitem__
    pairs = GOLDEN["corpora"][case["corpus"]]
    items = metric.compute(**pairs, **options, use_aggregator=False)
    return items, metric.compute(**pairs, **options)


@pytest.mark.parametrize("case", cases_of("rouge_full", "torchmetrics"))
def test_rouge_of_torchmetrics(rouge_full, case):
    """Items to the last of 32 bits, those with the mean over references except for it."""
    items, average = results_of(rouge_full, case)
    assert list(items) == list(case["items"])
    is_mean = "multi_reference" in case["options"]
    for key, values in case["items"].items():
        if is_mean:
            np.testing.assert_allclose(items[key], values, rtol=3e-7, atol=0)
        else:
            np.testing.assert_array_equal(np.float32(items[key]), np.float32(values))
    assert average == pytest.approx(case["average"], rel=2e-6)


@pytest.mark.parametrize("case", cases_of("bleu_full", "torchmetrics"))
def test_bleu_of_torchmetrics(bleu_full, case):
    items, average = results_of(bleu_full, case)
    (values,) = case["items"].values()
    np.testing.assert_allclose(items["bleu"], values, rtol=2e-6, atol=0)
    assert (np.array(values) > 0).mean() > 0.1
    assert average["bleu"] == pytest.approx(case["average"]["bleu"], rel=2e-6)


@pytest.mark.parametrize("case", cases_of("rouge_full", "rouge-chinese"))
def test_rouge_chinese(rouge_full, case):
    items, average = results_of(rouge_full, case)
    assert items == case["items"]
    assert average == pytest.approx(case["average"], rel=1e-12)


def test_the_readme_counts_the_figures():
    def n_figures(value):
        if isinstance(value, (dict, list)):
            return sum(map(n_figures, value.values() if isinstance(value, dict) else value))
        return isinstance(value, (int, float))

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    of_packages = sum(n_figures([case["items"], case["average"]]) for case in GOLDEN["cases"])
    runs = [case["expected"] for case in SCRIPT["cases"] if "expected" in case]
    assert f"[{n_figures(runs):,} recorded scores](tests/golden/rouge155.json)" in readme
    assert f"[{of_packages:,} recorded scores](tests/golden/packages.json)" in readme
