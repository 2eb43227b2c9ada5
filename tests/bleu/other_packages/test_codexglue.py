"""Preset "codexglue" against figures of CodeXGLUE's evaluator, and other BLEUs of code."""

import ast
import re

import numpy as np
import pytest

from helpers.published import ITEMS, texts, values
from helpers.repository import ROOT
from rouge_bleu import bleu

FIRST = "CodeXGLUE code-to-text smooth BLEU-4 (first references)"
ALL = "CodeXGLUE code-to-text smooth BLEU-4 (all references)"
CODE_SUM = "CodeSumEvaluation, all items"
FULL = "CodeSumEvaluation, without the empty prediction and the one-word prediction"
FULL_ITEMS = [item for item in ITEMS if item["id"] not in ("a3", "a4")]


@pytest.mark.parametrize(("name", "first"), [(FIRST, True), (ALL, False)])
def test_code_to_text(name, first):
    expected = values(name)
    mean = bleu(**texts(first=first), preset="codexglue")
    items = bleu(**texts(first=first), preset="codexglue", use_aggregator=False)
    assert 100 * mean["bleu"] == pytest.approx(expected["bleu"], rel=1e-12)
    of_items = list(expected["per_item"].values())
    np.testing.assert_allclose(100 * np.array(items["bleu"]), of_items, rtol=1e-12)


def test_an_empty_prediction_and_nothing_in_common():
    """Not 0: exp(-6) and exp(-5) for references of six and five tokens, and some 1e-78."""
    items = bleu(**texts(), preset="codexglue", use_aggregator=False)
    empty = [item["prediction"] for item in ITEMS].index("")
    assert items["bleu"][empty] == pytest.approx(np.exp(-5))
    assert 0 < min(items["bleu"]) < 1e-70


def test_bleu_cn_of_code_sum_evaluation():
    """The same formula on 13a tokens in lowercase, without pairs that have an empty side."""
    kept = [item for item in ITEMS if item["prediction"]]
    options = {"preset": "codexglue", "tokenizer": "13a"}
    found = bleu(**texts(kept, first=True), **options)["bleu"]
    assert 100 * found == pytest.approx(values(CODE_SUM)["BLEU-CN"], rel=1e-12)


NLTK = {"preset": "nltk", "level": "sentence"}
NMT = {"preset": "evaluate", "tokenizer": "whitespace", "smooth": True, "level": "sentence"}


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("BLEU-DM (DCOM)", NLTK),
        ("BLEU-FC", {"preset": "nltk"}),
        ("BLEU-DC", NLTK | {"smoothing": "chen-cherry-4"}),
        ("mean NLTK method2 (M2)", NLTK | {"smoothing": "add-k"}),
        ("BLEU-NCS", NMT),
        ("BLEU-RC", {"preset": "coco-caption", "level": "sentence", "weights": [1] * 4}),
    ],
)
@pytest.mark.parametrize(("entry", "items"), [(CODE_SUM, ITEMS), (FULL, FULL_ITEMS)])
def test_other_bleus_of_code_sum_evaluation(entry, items, name, options):
    """BLEU-NCS has 0 for an empty text, where adding one gives the penalty of an empty text."""
    found = 100 * bleu(**texts(items, first=True), **options)["bleu"]
    assert found == pytest.approx(values(entry)[name], rel=1e-12)


def test_conala():
    expected = values("CoNaLa eval")
    found = bleu(**texts(first=True), preset="evaluate", tokenizer="conala")
    assert found["bleu"] == pytest.approx(expected["bleu"], rel=1e-12)
    np.testing.assert_allclose(found["precisions"], expected["precisions"], rtol=1e-12)
    lengths = [found["translation_length"], found["reference_length"]]
    assert lengths == [expected["translation_length"], expected["reference_length"]]


def test_funcom():
    """B1 to B4 are individual orders; tokens with "<" in them, of which there are none, are dropped."""
    page = (ROOT / "docs/reproducing.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"Funcom.* weights=(.*)\)`", page)
    weights = ast.literal_eval(row)
    found = bleu(**texts(first=True), preset="nltk", weights=weights, output="score")
    expected = values("Funcom bleu.py")
    assert {name: 100 * score for name, score in found.items()} == pytest.approx(
        expected, rel=1e-12
    )


@pytest.mark.parametrize("smooth", [True, False])
@pytest.mark.parametrize("references", ["first", "all"])
def test_code_to_code(smooth, references):
    """nmt's bleu.py, on `str.split` tokens."""
    expected = values(f"nmt bleu.py as in CodeXGLUE, smooth={smooth}, {references} references")
    found = bleu(
        **texts(first=references == "first"),
        preset="evaluate",
        tokenizer="whitespace",
        smooth=smooth,
    )
    assert found["bleu"] == pytest.approx(expected["bleu"], rel=1e-12)
    np.testing.assert_allclose(found["precisions"], expected["precisions"], rtol=1e-12)
    assert found["brevity_penalty"] == pytest.approx(expected["bp"], rel=1e-12)
