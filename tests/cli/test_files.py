"""Texts of all formats arrive as they are, and a wrong file is an error that names the place."""

import argparse
import gzip
import io
import sys
from functools import partial

import pandas as pd
import pytest

from rouge_bleu import rouge
from rouge_bleu_tools.cli import files, score

from .conftest import FIRST, PREDICTIONS, REFERENCES

FILES = ["hyp.txt -r ref.txt ref2.txt", "hyp.txt.gz -r ref.txt -r ref2.txt"]
FILES += [f"mine.{kind} --prediction output -r human_1 human_2" for kind in ("csv", "tsv")]
FILES += ["mine.jsonl", "mine.jsonl.gz", "mine.json", "columns.json", "mine.parquet"]


def read(*arguments, n_rows=2):
    parser = argparse.ArgumentParser()
    files.add_file_flags(parser)
    batches = [texts for texts, _ in files.read_texts(parser.parse_args(arguments), n_rows)]
    predictions = [text for batch in batches for text in batch.predictions]
    return predictions, [texts for batch in batches for texts in batch.references]


@pytest.mark.parametrize("arguments", FILES)
@pytest.mark.parametrize("n_rows", [1, 2, 1000])
def test_formats(folder, arguments, n_rows):
    assert read(*arguments.split(), n_rows=n_rows) == (PREDICTIONS, REFERENCES)


@pytest.mark.parametrize("arguments", FILES)
def test_standard_input(folder, monkeypatch, arguments):
    name, *others = arguments.split()
    kinds = [kind for kind in files.FORMATS if kind == name.split(".")[1]]
    with (folder / name).open("rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file, encoding="utf-8"))
        form = ["--format", *kinds] if kinds else []
        assert read("-", *others, *form) == (PREDICTIONS, REFERENCES)
        sys.stdin.detach()


TEXTS = ['says "no", twice', "two\nlines", "NA", "1", "null", "Ünïcödé 你好", " spaces ", "\u2028"]


@pytest.mark.parametrize("extension", [".jsonl", ".csv", ".parquet", ".csv.gz"])
def test_texts_arrive_as_they_are(folder, extension):
    table, path = pd.DataFrame({"prediction": TEXTS, "references": TEXTS}), f"texts{extension}"
    if extension == ".jsonl":
        table.to_json(path, orient="records", lines=True)
    elif extension == ".parquet":
        table.to_parquet(path)
    else:
        table.to_csv(path, index=False, lineterminator="\n")
    assert read(path) == (TEXTS, [[text] for text in TEXTS])


def test_bytes_that_are_no_text(folder):
    """gzip is known without its extension. Lines end with line feeds only, as in sacreBLEU."""
    (folder / "packed.jsonl").write_bytes(gzip.compress((folder / "mine.jsonl").read_bytes()))
    assert read("packed.jsonl") == (PREDICTIONS, REFERENCES)
    (folder / "a.txt").write_bytes("\ufeffone\r\ntwo\u2028\x0b\nthree".encode())
    assert read("a.txt", "-r", "ref.txt")[0] == ["one", "two\u2028\x0b", "three"]


def test_empty_predictions(folder):
    assert read("gap.txt", "-r", "ref.txt", "--allow-empty")[0] == ["a", "", "b"]
    assert read("null.jsonl", "--allow-empty") == ([""], [["b"]])


def test_long_rows_make_small_batches(folder, monkeypatch):
    monkeypatch.setattr(files, "_MAX_CHARACTERS", 100)
    batches = [rows.labels for rows in files.read_rows(folder / "mine.csv", ["output"])]
    assert batches == [["row 1", "row 2"], ["row 3"]]  # 105 characters in two rows of the file


ERRORS = [  # arguments, and names that the error must contain
    ("none.txt -r ref.txt", "none.txt"),
    (". -r ref.txt", "folder"),
    ("empty.txt -r empty.txt", "empty.txt"),
    ("hyp.txt", "-r"),
    ("hyp.txt -r short.txt", "hyp.txt has 3 lines and short.txt has 2"),
    ("hyp.txt -r gap.txt", "gap.txt, line 2"),
    ("gap.txt -r ref.txt", "gap.txt, line 2"),
    ("hyp.txt -r mine.csv", "mine.csv"),
    ("latin.txt -r ref.txt", "latin.txt, line 2"),
    ("- -r -", "twice"),
    ("hyp.txt -r ref.txt --prediction x", "--prediction"),
    ("mine.csv", "'prediction'; the columns are 'output', 'human_1', 'human_2'"),
    ("mine.csv --prediction output -r human_3", "'human_3'"),
    ("wide.csv", "wide.csv, row 1"),
    ("twice.csv", "2 columns 'prediction'"),
    ("semicolon.csv", "semicolons"),
    ("mine.tsv --format csv", "tabs"),
    ("quote.csv", "quote.csv, line 2"),
    ("printed.csv", "printed.csv, row 1: 'references'"),
    ("key.jsonl", "key.jsonl, line 2: the key 'prediction'"),
    ("broken.jsonl", "broken.jsonl, line 2"),
    ("null.jsonl", "null.jsonl, line 1: 'prediction'"),
    ("number.jsonl", "number.jsonl, line 1: 'prediction'"),
    ("list.jsonl", "list.jsonl, line 1: 'references'[1]"),
    ("none.jsonl", "none.jsonl, line 1"),
    ("surrogate.jsonl", "surrogate.jsonl, line 1: 'prediction'"),
    ("pandas.json", "'prediction' must be a list"),
    ("hyp.txt --format json", "JSON"),
    ("bad.parquet", "bad.parquet"),
    ("cut.jsonl.gz", "cut.jsonl.gz"),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors(error, arguments, message):
    assert message in error("score", *arguments.split())


@pytest.mark.parametrize("extension", files.SCORE_FILES)
@pytest.mark.parametrize("preset", ["rouge_score", "evaluate"])
def test_scores_of_rows(folder, output, monkeypatch, extension, preset):
    """In batches, and where the score is no function of sums."""
    monkeypatch.setattr(score, "_N_ROWS", 2)
    path = folder / f"out{extension}"
    call = ["score", "hyp.txt", "-r", "ref.txt", "--rouge-types", "rouge1", "--preset", preset]
    output(*call, "--scores", path)
    readers = {".csv": pd.read_csv, ".jsonl": partial(pd.read_json, lines=True)}
    found = readers.get(extension, pd.read_parquet)(path).to_dict("list")
    options = {"rouge_types": ["rouge1"], "output": "all", "use_aggregator": False}
    items = rouge(PREDICTIONS, FIRST, preset=preset, **options)
    assert found == {"row": [1, 2, 3], **{k: pytest.approx(v) for k, v in items.items()}}


def test_nothing_is_left_of_scores_after_an_error(folder, error):
    """The error comes after the first batch of rows was written."""
    (folder / "long.jsonl").write_text('{"prediction": "a", "references": "b"}\n' * 20_000 + "x\n")
    before = {path.name for path in folder.iterdir()}
    assert "line 20001" in error("score", "long.jsonl", "--scores", "out.csv", "-m", "bleu")
    assert {path.name for path in folder.iterdir()} == before


@pytest.mark.parametrize("path", ["out.xyz", "mine.jsonl", "none/out.csv", "folder.csv"])
def test_files_that_cannot_be_written(folder, error, path):
    (folder / "folder.csv").mkdir()
    assert path.partition("/")[0] in error("score", "mine.jsonl", "--scores", path)
