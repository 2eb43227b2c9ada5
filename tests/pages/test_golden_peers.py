"""Presets of other fields against what their packages gave for hostile texts.

`golden/peers.json` was printed by `print_peers.py`, which says how:

    {"versions": {package: version},
     "corpora": {name: {"predictions": [text, ...], "references": [[text, ...], ...]}},
     "cases": [{"metric", "corpus", "options", "accuracy",
                "items": {key: [number or null]}, "average": {key: number}}]}

Items are null if the package has an error.
"""

import json

import numpy as np
import pytest

from helpers.repository import ROOT

PEERS = json.loads((ROOT / "tests" / "golden" / "peers.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", PEERS["cases"], ids=lambda case: str(case["options"]))
def test_figures(request, case):
    metric = request.getfixturevalue(case["metric"])
    data, options = PEERS["corpora"][case["corpus"]], case["options"]
    if "items" in case:
        found = metric.compute(**data, **options, use_aggregator=False)
        for key, scores in case["items"].items():
            has_score = [score is not None for score in scores]
            assert sum(has_score) > 50
            kept = np.array(scores, dtype=float)[has_score]
            ours = np.array(found[key])[has_score]
            np.testing.assert_allclose(ours, kept, rtol=case["accuracy"], atol=1e-70, err_msg=key)
            assert len(np.unique(kept)) > 3
    if "average" in case:
        found = metric.compute(**data, **options)
        for key, score in case["average"].items():
            assert found[key] == pytest.approx(score, rel=case["accuracy"]), key


def test_every_package_has_a_case():
    presets = {case["options"].get("preset") for case in PEERS["cases"]}
    of_nltk = {f"nltk-{release}" for release in ("3.2.5", "3.4.5", "3.5")}
    assert presets == {"coco-caption", "py-rouge", "sumeval", "ignite", None} | of_nltk
