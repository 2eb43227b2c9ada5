"""Presets "nmt", "sumeval", "sacrerouge" and "ignite" against figures of these programs."""

import math

import pytest

from helpers.published import ITEMS, SUMMARIES, texts, values

NMT = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL"}
OUTPUTS = {"f_score": "fmeasure", "r_score": "recall", "p_score": "precision"}


def test_nmt(rouge_full):
    found = rouge_full.compute(**texts(first=True), preset="nmt")
    for name, expected in values("nmt rouge.py, all items, first reference").items():
        rouge_type, output = name.split("/")
        assert found[f"{NMT[rouge_type]}_{OUTPUTS[output]}"] == pytest.approx(expected, rel=1e-12)


def test_f_of_l_has_a_beta_of_each_pair(rouge_full):
    """P is 1 / 2 and R is 1: beta is 1 / 2, and F is 5 / 4 * 1 / 2 / (1 + 1 / 8)."""
    data = {"predictions": ["a b"], "references": ["a"]}
    found = rouge_full.compute(**data, preset="nmt", rouge_types=["rougeL"], output="fmeasure")
    assert found["rougeL"] == pytest.approx(5 / 9, rel=1e-10)


def test_an_explanation_of_nmt(rouge_full):
    shown = rouge_full.explain(prediction=" a  b", reference="a b", preset="nmt")["rougeL"]
    assert shown["references"][0]["prediction_spans"] == [[1, 2], [4, 5]]
    assert shown["references"][0]["prediction_total"] == 3  # an empty word between


@pytest.mark.parametrize("multi", ["average", "best"])
@pytest.mark.parametrize("alpha", ["0", "0.5"])
def test_ignite(rouge_full, multi, alpha):
    """alpha is the weight of precision: 0 is recall."""
    expected = values(f"ignite Rouge([\"L\", 1, 2], multiref='{multi}', alpha={alpha})")
    options = {"preset": "ignite", "beta": math.inf if alpha == "0" else 1.0}
    if multi == "best":
        options["multi_reference"] = "recall"
    found = rouge_full.compute(**texts(), **options)
    for name, score in expected.items():
        _, rouge_type, output = name.split("-")
        key = {"P": "precision", "R": "recall", "F": "fmeasure"}[output]
        assert found[f"rouge{rouge_type}_{key}"] == pytest.approx(score, rel=1e-12)


def test_sumeval_with_its_stop_words(rouge_full):
    """They have to be given; the first item, of whose words it drops "the" and "over"."""
    expected = values("sumeval RougeCalculator({}); items")["per_item_1_2_L"][0]
    options = {"preset": "sumeval", "stopwords": ["the", "over", "a"]}
    found = rouge_full.compute(**texts(ITEMS[:1]), **options)
    assert list(found.values()) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("which", "items"), [("items", ITEMS), ("summaries", SUMMARIES)])
def test_sumeval_without_stop_words(rouge_full, which, items):
    expected = values(f"sumeval RougeCalculator({{'stopwords': False}}); {which}")
    options = {"preset": "sumeval", "use_aggregator": False}
    found = rouge_full.compute(**texts(items), **options)
    for row, scores in enumerate(expected["per_item_1_2_L"]):
        ours = [found[name][row] for name in ("rouge1", "rouge2", "rougeL")]
        assert ours == pytest.approx(scores, rel=1e-12)


SACREROUGE = {"1": "rouge1", "2": "rouge2", "3": "rouge3", "l": "rougeLsum"}
NO_STEMS = "{'use_porter_stemmer': False}"
SIX_WORDS = "{'use_porter_stemmer': False, 'max_words': 6}"
TWENTY_CHARACTERS = "{'use_porter_stemmer': False, 'max_bytes': 20}"
LIMITS = [(NO_STEMS, {}), (SIX_WORDS, {"max_words": 6}), (TWENTY_CHARACTERS, {"max_bytes": 20})]


@pytest.mark.parametrize(("which", "items"), [("items", ITEMS), ("summaries", SUMMARIES)])
@pytest.mark.parametrize(("name", "options"), LIMITS)
def test_sacrerouge(rouge_full, name, options, which, items):
    """Times 100 there."""
    expected = values(f"sacrerouge python-rouge {name}; {which}")["per_item"]
    options = {**options, "preset": "sacrerouge", "rouge_types": list(SACREROUGE.values())}
    found = rouge_full.compute(**texts(items), **options, use_aggregator=False)
    for row, scores in enumerate(expected):
        for key, of_type in scores.items():
            rouge_type = SACREROUGE[key.rpartition("-")[2]]
            for output, score in of_type.items():
                ours = found[f"{rouge_type}_{output.replace('f1', 'fmeasure')}"][row]
                assert 100 * ours == pytest.approx(score, rel=1e-12)


def test_helm(rouge_full):
    types = ["rouge1", "rouge2", "rougeL"]
    options = {"preset": "rouge_score", "use_stemmer": True, "rouge_types": types}
    expected = values("HELM rouge_1, rouge_2, rouge_l")
    assert rouge_full.compute(**texts(), **options) == pytest.approx(expected, rel=1e-12)
