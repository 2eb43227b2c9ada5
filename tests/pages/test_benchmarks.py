"""The made-up texts of the benchmarks have the shape that benchmarks/README.md promises."""

import importlib
import re
import sys

import pytest

from helpers.repository import ROOT
from rouge_bleu_tools.cli.files import read_rows

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


def test_paragraphs_have_the_shape_of_real_texts(modules):
    figures = modules[1].shape(*modules[0].paragraphs(1_500))
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([a-z0-9A-Z ]+) \| ([0-9.,]+)( %)? \|", readme, re.MULTILINE)
    in_readme = {
        name: float(figure.replace(",", "")) / (100 if percent else 1)
        for name, figure, percent in rows
    }
    for name, (wanted, tolerance) in WANTED.items():
        assert figures[name] == pytest.approx(wanted, abs=tolerance), name
        assert in_readme[name] == pytest.approx(wanted), name


def test_figures_of_shape(modules):
    """By hand: 5 + 2 words in 3 lines; 2 of 7 tokens match on each side."""
    figures = modules[1].shape(["The cat sat.\nIt ran"], [["the CAT"]])
    names = ("words of an item", "lines of a text", "longest text", "words shared")
    assert [figures[name] for name in names] == pytest.approx([7, 1.5, 5, 4 / 7])


@pytest.mark.parametrize("extension", [".csv", ".jsonl", ".parquet"])
def test_a_large_file_has_its_rows(modules, extension, tmp_path, monkeypatch):
    """Of 20 to 54 words, all of them different; Parquet has a last group that is not full."""
    large_file = importlib.import_module("large_file")
    monkeypatch.setattr(large_file, "N_PARAGRAPHS", 60)
    monkeypatch.setattr(large_file, "ROWS_OF_GROUP", 80)
    path = tmp_path / f"rows{extension}"
    large_file.WRITERS[extension](path, large_file.rows(200))
    (rows,) = read_rows(path, large_file.NAMES)
    for texts in rows.columns.values():
        lengths = [len(text.split()) for text in texts]
        assert len(set(texts)) == 200
        assert (min(lengths), max(lengths)) == large_file.N_WORDS
