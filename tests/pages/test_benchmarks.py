"""The made-up texts of the benchmarks have the shape that benchmarks/README.md promises."""

import importlib
import re
import sys

import numpy as np
import pytest

from helpers.oracles import joined
from helpers.repository import ROOT
from rouge_bleu_tools.commands.inputs.tables import read_table

FOLDER = ROOT / "benchmarks"


@pytest.fixture(scope="module")
def modules():
    """The generator and the figures; they need numpy only, not the peers."""
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("paragraphs"), importlib.import_module("shape")
    sys.path.remove(str(FOLDER))
    for name in set(sys.modules) - before:
        if (FOLDER / f"{name}.py").is_file():
            del sys.modules[name]


@pytest.fixture(scope="module")
def texts(modules):
    return modules[0].paragraphs(1_500)


@pytest.fixture(scope="module")
def figures(modules, texts):
    return modules[1].shape(*texts)


# What was measured on real texts, the table in benchmarks/README.md, with what 1,500
# pairs may be off by.
WANTED = {
    "words of a prediction": (54, 1.5),
    "words of a reference": (55, 2),
    "lines of a text": (2.2, 0.1),
    "median of words": (44, 1.5),
    "texts above 100 words": (0.1, 0.01),
    "texts above 200 words": (0.01, 0.003),
    "texts not ASCII": (0.014, 0.001),
    "words shared": (0.5, 0.02),
}


@pytest.mark.parametrize("name", WANTED)
def test_paragraphs_have_the_shape_of_real_texts(figures, name):
    wanted, tolerance = WANTED[name]
    assert figures[name] == pytest.approx(wanted, abs=tolerance)


def test_readme_has_the_same_figures():
    rows = re.findall(
        r"^\| ([a-z0-9A-Z ]+) \| ([0-9.,]+)( %)? \|",
        (FOLDER / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    in_readme = {
        name: float(figure.replace(",", "")) / (100 if percent else 1)
        for name, figure, percent in rows
    }
    for name, (wanted, _) in WANTED.items():
        assert in_readme[name] == pytest.approx(wanted)


def test_many_lines_are_paragraphs(texts, figures):
    assert figures["lines of 65 to 200 words"] > 0.05
    one_line = [text for text in texts[1] if "\n" not in text]
    assert sum(text.count(". ") >= 2 for text in one_line) > 100  # of several sentences


def test_longest_reference_of_ten_thousand(modules):
    likeness = np.random.default_rng(0).standard_normal(10_000)
    rng = np.random.default_rng(1)
    lengths = modules[0]._lengths(likeness, rng, longest=modules[0]._LONGEST)
    assert lengths.max() == 7_200


def test_few_texts_have_words_of_other_scripts(texts):
    predictions, references = texts
    beyond = [text for text in predictions + references if not text.isascii()]
    n_letters = [sum(not letter.isascii() for letter in text) for text in beyond]
    assert np.median(n_letters) <= 2
    assert 0 < sum(n > 4 for n in n_letters) < 0.3 * len(beyond)


def test_13a_has_work(texts):
    joined = " ".join(texts[0])
    assert re.search(r"\d,\d", joined)
    assert re.search(r"[a-z],", joined)
    assert all(sign in joined for sign in ("'s", "(", '"', "$", "-", "/", "?"))


def test_same_seed_same_texts(modules):
    assert modules[0].paragraphs(50) == modules[0].paragraphs(50)
    assert modules[0].paragraphs(50) != modules[0].paragraphs(50, seed=1)


def test_several_references(modules):
    predictions, references = modules[0].paragraphs_with_references(300)
    assert set(map(len, references)) == {1, 2, 3, 4, 5}
    figures = modules[1].shape(predictions, references)
    assert figures["words of an item"] == pytest.approx(175, abs=15)


def test_long_lines_have_65_to_512_words(modules):
    predictions, references = modules[0].long_lines(40)
    lengths = [
        len(line.replace(" - ", " ").replace("/", " ").split())
        for text in predictions + references
        for line in text.split("\n")
    ]
    assert min(lengths) >= 65
    assert max(lengths) <= 512


def test_texts_of_lines(modules):
    predictions, references = modules[0].texts_of_lines([[3, 1], [2]], [[4], [5]])
    lines = [text.count("\n") + 1 for text in predictions + references]
    assert lines == [2, 1, 1, 1]


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 0.95])
def test_texts_that_are_alike(modules, share):
    """Of real pairs that share 76 % of their words 43 % of the lines of the references stand in the
    prediction, with 55 % of their words; 1 % of the pairs are equal. See benchmarks/README.md.
    """
    edited = importlib.import_module("edited")
    predictions, references = edited.edited_texts(1_000, share)
    pairs = [
        [[_words(line) for line in text.split("\n")] for text in pair]
        for pair in zip(predictions, references, strict=True)
    ]
    lines = [(line, line in prediction) for prediction, reference in pairs for line in reference]
    words = [
        is_there
        for prediction, reference in pairs
        for is_there in np.isin(joined(reference), joined(prediction)).tolist()
    ]
    assert np.mean(words) == pytest.approx(share, abs=0.04)
    assert np.mean([prediction == reference for prediction, reference in pairs]) < 0.03
    if share == 0.75:
        assert np.mean([stands for _, stands in lines]) == pytest.approx(0.43, abs=0.03)
        n_standing = sum(len(line) for line, stands in lines if stands)
        assert n_standing / len(words) == pytest.approx(0.55, abs=0.03)


def _words(line):
    return re.findall("[a-z0-9]+", line.lower())


def test_edits_as_references(modules):
    edited = importlib.import_module("edited")
    predictions, references = edited.edited_texts_with_references(100)
    assert len(predictions) == len(references) == 100
    assert set(map(len, references)) == {1, 2, 3, 4, 5}
    assert edited.edited_texts_with_references(100) == (predictions, references)


def test_figures_of_shape(modules):
    """By hand: 5 + 2 words in 3 lines; 2 of 7 tokens match on each side."""
    figures = modules[1].shape(["The cat sat.\nIt ran"], [["the CAT"]])
    assert figures["words of an item"] == 7
    assert figures["lines of a text"] == 1.5
    assert figures["longest text"] == 5
    assert figures["words shared"] == pytest.approx(4 / 7)


@pytest.mark.parametrize("extension", [".csv", ".jsonl", ".parquet"])
def test_a_large_file_has_its_rows(modules, extension, tmp_path, monkeypatch):
    """Of 20 to 54 words, all of them different; Parquet has a last group that is not full."""
    large_file = importlib.import_module("large_file")
    monkeypatch.setattr(large_file, "N_PARAGRAPHS", 60)
    monkeypatch.setattr(large_file, "ROWS_OF_GROUP", 80)
    path = tmp_path / f"rows{extension}"
    large_file.WRITERS[extension](path, large_file.rows(200))
    columns = read_table(path, large_file.NAMES).columns
    for texts in columns.values():
        lengths = [len(text.split()) for text in texts]
        assert len(set(texts)) == 200
        assert (min(lengths), max(lengths)) == large_file.N_WORDS
