"""Preset "py-rouge" beside the package, and against its figures with stems."""

import importlib.metadata

import numpy as np
import pytest

from helpers.published import ITEMS, SUMMARIES, texts, values

try:
    importlib.metadata.version("py-rouge")
except importlib.metadata.PackageNotFoundError:
    pytest.skip("py-rouge is missing", allow_module_level=True)

TYPES = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-3": "rouge3", "rouge-l": "rougeLsum"}
OF_OUTPUT = {"f": "fmeasure", "p": "precision", "r": "recall"}
PRESET = {"preset": "py-rouge", "rouge_types": list(TYPES.values()), "stemmer": "py-rouge"}
CASES = {
    "py-rouge, defaults, pooled references; ": {},
    "py-rouge, no limit; ": {"max_bytes": None},
    "py-rouge, limit 6 words; ": {"max_bytes": None, "max_words": 6},
    'py-rouge, limit 20 "bytes"; ': {"max_bytes": 20},
    "py-rouge, apply_best, no limit; ": {"max_bytes": None, "multi_reference": "recall"},
}


def assert_scores(found, expected, row=None):
    for name, scores in expected.items():
        for letter, output in OF_OUTPUT.items():
            ours = found[f"{TYPES[name]}_{output}"]
            ours = ours if row is None else ours[row]
            np.testing.assert_allclose(ours, scores[letter], rtol=1e-12, err_msg=name)


@pytest.mark.parametrize(("which", "items"), [("items", ITEMS), ("summaries", SUMMARIES)])
@pytest.mark.parametrize("name", CASES)
def test_figures(rouge_full, name, which, items):
    expected = values(name + which)
    options = {**PRESET, **CASES[name]}
    assert_scores(rouge_full.compute(**texts(items), **options), expected["mean"])
    found = rouge_full.compute(**texts(items), **options, use_aggregator=False)
    for row, scores in enumerate(expected["per_item"]):
        assert_scores(found, scores, row)


def test_hostile_texts(rouge_full, hostile, monkeypatch):
    """Some calls of the package divide by zero, where totals below 0 add up so."""
    import nltk

    import rouge

    monkeypatch.setattr(nltk.tokenize, "sent_tokenize", lambda text, language: [text])
    scorer = rouge.Rouge(metrics=["rouge-n", "rouge-l"], max_n=3, length_limit=40)
    options = {**PRESET, "max_bytes": 40, "use_aggregator": False}
    found = rouge_full.compute(**hostile, **options)
    n_same = 0
    rows = zip(hostile["predictions"], hostile["references"], strict=True)
    for row, (prediction, references) in enumerate(rows):
        try:
            expected = scorer.get_scores([prediction], [references])
        except ZeroDivisionError:
            continue
        assert_scores(found, expected, row)
        n_same += 1
    assert n_same > 100
