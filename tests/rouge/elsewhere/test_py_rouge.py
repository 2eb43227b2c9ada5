"""Preset "py-rouge" against figures of py-rouge 1.1; those with stems are in tests/peers."""

import importlib.metadata

import pytest

from helpers.published import ITEMS, SUMMARIES, texts, values

TYPES = {"rouge-1": "rouge1", "rouge-2": "rouge2", "rouge-3": "rouge3", "rouge-l": "rougeLsum"}
OF_OUTPUT = {"f": "fmeasure", "p": "precision", "r": "recall"}
PRESET = {"preset": "py-rouge", "rouge_types": list(TYPES.values())}
NO_LIMIT = {"max_bytes": None}


def assert_scores(found, expected, row=None):
    for name, scores in expected.items():
        for letter, output in OF_OUTPUT.items():
            ours = found[f"{TYPES[name]}_{output}"]
            ours = ours if row is None else ours[row]
            assert ours == pytest.approx(scores[letter], rel=1e-12), name


@pytest.mark.parametrize(("which", "items"), [("items", ITEMS), ("summaries", SUMMARIES)])
def test_without_stems(rouge_full, which, items):
    expected = values(f"py-rouge, no limit, no stemming; {which}")
    found = rouge_full.compute(**texts(items), **PRESET, **NO_LIMIT)
    assert_scores(found, expected["mean"])
    found = rouge_full.compute(**texts(items), **PRESET, **NO_LIMIT, use_aggregator=False)
    for row, scores in enumerate(expected["per_item"]):
        assert_scores(found, scores, row)


@pytest.mark.parametrize("edge", values("edges: py-rouge"))
def test_edges(rouge_full, edge):
    """A recall of 2 among them, and words such as gonna."""
    data = {"predictions": [edge["prediction"]], "references": [edge["references"]]}
    assert_scores(rouge_full.compute(**data, **PRESET, **NO_LIMIT), edge["scores"])


def test_the_limit_is_one_of_characters_over_lines(rouge_full):
    """Of "abcd" and "ef gh" 7 characters are abcd and ef; what stands between costs nothing."""
    data = {"predictions": ["  abcd \nef gh"], "references": ["abcd\nef"]}
    options = {**PRESET, "rouge_types": ["rouge1"], "output": "fmeasure"}
    assert rouge_full.compute(**data, **options, max_bytes=6) == {"rouge1": 1.0}
    assert rouge_full.compute(**data, **options, max_bytes=8)["rouge1"] < 1
    long = {"predictions": ["a " * 400], "references": ["a " * 333]}
    assert rouge_full.compute(**long, **options) == {"rouge1": 1.0}


def test_explanation(rouge_full):
    pair = {"prediction": "a b c d", "reference": ["a b c d", "a"]}
    of_trigrams = rouge_full.explain(**pair, **PRESET)["rouge3"]
    assert of_trigrams["recall"] == 2
    assert [one["reference_total"] for one in of_trigrams["references"]] == [2, -1]


def test_the_stemmer_needs_the_package(rouge_full):
    """Another package has its modules in a folder of that name too."""
    pytest.importorskip("nltk")
    if any(found.name == "py-rouge" for found in importlib.metadata.distributions()):
        pytest.skip("py-rouge is here")
    with pytest.raises(ImportError, match="pip install py-rouge"):
        rouge_full.compute(**texts(), **PRESET, stemmer="py-rouge")


@pytest.mark.parametrize(
    "options", [{"preset": "py-rouge"}, {"preset": "sacrerouge", "max_bytes": 99}]
)
@pytest.mark.parametrize("name", ["rouge1", "rougeLsum"])
def test_words_are_marked_where_they_stand(rouge_full, options, name):
    """Blanks at the ends of lines are taken off before they are counted."""
    prediction = " The cat sat. \n It slept."
    texts = {"prediction": prediction, "reference": "It slept, the cat"}
    spans = rouge_full.explain(**texts, **options, rouge_types=[name])[name]["references"][0]
    marked = [prediction[start:end] for start, end in spans["prediction_spans"]]
    assert marked == ["The", "cat", "It", "slept"]
