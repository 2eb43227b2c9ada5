"""rouge-bleu score: tables in their formats, options and output, and what is said about files that
cannot be scored. Text files and pipes are in test_texts.py.
"""

import json
import os
import re
import sys
from pathlib import Path

import evaluate
import pandas as pd
import pytest

from helpers.programs import printed, refusal, run_here
from rouge_bleu_tools.commands.inputs.tables import read_table
from rouge_bleu_tools.commands.score import main as score_file

PREDICTIONS = ["The cat sat on a mat.", "Nothing new, he said."]
REFERENCES = [["The cat sat on the mat.", "A cat is on the mat."], ["There is nothing new."]]
FIRST_REFERENCES = [texts[0] for texts in REFERENCES]
DATA = {"predictions": PREDICTIONS, "references": REFERENCES}


def written(path, columns):
    """Write columns in the format of the extension."""
    table = pd.DataFrame(columns)
    if path.suffix == ".jsonl":
        table.to_json(path, orient="records", lines=True)
    elif path.suffix == ".csv":
        table.to_csv(path, index=False)
    else:
        table.to_parquet(path)
    return path


@pytest.fixture
def run(capsys):
    """Run the command in this process: exit code, output, errors."""
    run = run_here(score_file.main, capsys)
    return lambda path, *arguments, metric="rouge_full": run(path, "-m", metric, *arguments)


# --- formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize("extension", [".JSONL", ".csv", ".parquet"])
def test_several_reference_columns_of_which_some_are_empty(extension, tmp_path, run, rouge_full):
    seconds = [REFERENCES[0][1], None]
    columns = {"output": PREDICTIONS, "first": FIRST_REFERENCES, "second": seconds}
    path = tmp_path / f"texts{extension}"
    written(path.with_suffix(extension.lower()), columns).rename(path)
    given = ["--prediction", "output", "-r", "first", "-r", "second", "--json", "--use-stemmer"]
    expected = rouge_full.compute(**DATA, use_stemmer=True, output="all", signature=True)
    assert json.loads(printed(run(path, *given))) == expected


@pytest.mark.parametrize("extension", [".jsonl", ".parquet"])
def test_list_of_references(extension, tmp_path, run, bleu_full):
    columns = {"prediction": PREDICTIONS, "references": REFERENCES}
    path = written(tmp_path / f"texts{extension}", columns)
    found = json.loads(run(path, "--json", "--smoothing", "exp", metric="bleu_full")[1])
    assert found == bleu_full.compute(**DATA, smoothing="exp", signature=True)


@pytest.mark.parametrize("extension", [".jsonl", ".csv", ".parquet"])
def test_texts_arrive_as_they_are(extension, tmp_path):
    """Also what only starts, or only ends, as a list does that is written into a cell of CSV."""
    texts = ['says "no", twice', "two\nlines", "NA", "1", "null", "Ünïcödé 你好", " blanks "]
    texts += ["['a' is how it starts", '["a" too', "it ends so']", 'and so"]', "[a] b [c]", "['"]
    texts += ["word " * 50_000]
    path = written(tmp_path / f"texts{extension}", {"prediction": texts, "references": texts})
    table = read_table(path, ["prediction", "references"])
    assert table.columns == {"prediction": texts, "references": texts}


@pytest.mark.parametrize("extension", [".jsonl", ".csv"])
def test_byte_order_mark_and_blank_lines(extension, tmp_path, run):
    path = tmp_path / f"texts{extension}"
    written(path, {"prediction": PREDICTIONS, "references": FIRST_REFERENCES})
    content = path.read_text(encoding="utf-8").replace("\n", "\r\n\r\n")
    path.write_text(content, encoding="utf-8-sig", newline="")
    assert run(path)[0] == 0


# --- options and output ---------------------------------------------------------------------------


@pytest.fixture
def one_row(tmp_path):
    return written(tmp_path / "texts.jsonl", {"prediction": ["a b c d"], "references": ["a b x"]})


def test_rouge_table(one_row, run):
    assert run(one_row, "--rouge-types", "rouge1", "rougeSU4")[1].splitlines() == [
        "rouge_full, 1 row of texts.jsonl",
        "",
        "          precision   recall        F",
        "rouge1       0.5000   0.6667   0.5714",
        "rougeSU4     0.3000   0.5000   0.3750",
        "",
        "rouge_full|0.3.0|preset:none|types:rouge1,rougeSU4"
        "|tok:rouge_score|case:lower|stem:no|avg:mean|out:all|multi:best|n:1|refs:1",
    ]


def test_bleu_table(one_row, run):
    given = ("--preset", "sacrebleu", "--weights", "3", "1")
    assert run(one_row, *given, metric="bleu_full")[1].splitlines() == [
        "bleu_full, 1 row of texts.jsonl",
        "",
        "bleu                   0.4518",
        "precision of 1-grams   0.5000",
        "precision of 2-grams   0.3333",
        "brevity penalty        1.0000",
        "length ratio           1.3333",
        "translation length          4",
        "reference length            3",
        "count of 1-grams            2",
        "count of 2-grams            1",
        "total of 1-grams            4",
        "total of 2-grams            3",
        "",
        "bleu_full|0.3.0|preset:sacrebleu|order:2|weights:3,1|smooth:exp|tok:13a|case:mixed"
        "|level:corpus|reflen:closest|multi:clip|n:1|refs:1",
    ]


def test_progress_is_shown_on_a_terminal_only(tmp_path, run, monkeypatch):
    columns = {"prediction": PREDICTIONS * 4, "references": FIRST_REFERENCES * 4}
    path = written(tmp_path / "texts.parquet", columns)
    monkeypatch.setattr(score_file, "N_ROWS", 3)
    without = printed(run(path, "--json"))
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    code, shown, err = run(path, "--json")
    assert (code, shown) == (0, without)
    assert "rows" in err


def test_scores_of_rows(tmp_path, run, rouge_full, monkeypatch):
    """Batches of three rows in two processes; the bar of evaluate is as it was."""
    monkeypatch.setattr(score_file, "N_ROWS", 3)
    data = {"predictions": PREDICTIONS * 4, "references": FIRST_REFERENCES * 4}
    path, out = tmp_path / "texts.jsonl", tmp_path / "scores.csv"
    written(path, {"prediction": data["predictions"], "references": data["references"]})
    was_enabled = evaluate.logging.is_progress_bar_enabled()
    assert run(path, "--scores", out, "--n-jobs", "2", "--rouge-types", "rouge1", "rougeL")[0] == 0
    assert evaluate.logging.is_progress_bar_enabled() == was_enabled
    options = {"rouge_types": ["rouge1", "rougeL"], "output": "all", "use_aggregator": False}
    expected = pd.DataFrame({"row": range(1, 9), **rouge_full.compute(**data, **options)})
    pd.testing.assert_frame_equal(pd.read_csv(out), expected)
    assert sorted(os.listdir(tmp_path)) == sorted([path.name, out.name])


def test_an_error_far_behind_leaves_no_scores(tmp_path, run, monkeypatch):
    monkeypatch.setattr(score_file, "N_ROWS", 3)
    monkeypatch.chdir(tmp_path)
    written(Path("a.jsonl"), {"prediction": ["a"] * 7 + [""], "references": ["b"] * 8})
    said = refusal(run("a.jsonl", "--scores", "scores.csv"))
    assert said == f"a.jsonl, line 8: 'prediction' is empty{ALLOW}"
    assert os.listdir() == ["a.jsonl"]


def test_empty_predictions_where_allowed(tmp_path, run):
    path = tmp_path / "texts.jsonl"
    rows = ['"prediction": "a", ', '"prediction": "", ', '"prediction": null, ', ""]
    path.write_text("\n".join(f'{{{row}"references": "a"}}' for row in rows))
    code, out, _ = run(path, "--allow-empty", "--rouge-types", "rouge1", "--json")
    assert (code, json.loads(out)["rouge1_fmeasure"]) == (0, 1 / 4)


# --- what cannot be scored ------------------------------------------------------------------------

ALLOW = "; --allow-empty scores it as an empty text"
NO_UNICODE = "must be valid Unicode text, got a lone surrogate"
ROW = '{"p": "a", "r": "b"}\n'
WRONG_LINES = [  # of a file a.jsonl, and the error behind its name
    ("\n\n", ": the file has no rows"),
    (f'{ROW}{{"p": ', ", line 2: this is not valid JSON (Expecting value at character 7)"),
    (f'{ROW}\n["a", "b"]', ", line 3: each line must be a JSON object, got list"),
    ('{"text": 1, "r": 2}', ": there is no column 'p'; the columns are 'text', 'r'"),
    ('{"p": "", "r": "b"}', f", line 1: 'p' is empty{ALLOW}"),
    (f'{ROW}\n{{"r": "b"}}', f", line 3: 'p' is missing{ALLOW}"),
    ('{"p": ["a"], "r": "b"}', ", line 1: 'p' must be a text, got list ['a']"),
    ('{"p": "a", "r": 5}', ", line 1: 'r' must be a text or a list of texts, got int 5"),
    ('{"p": "a", "r": []}', ", line 1: 'r' must hold a reference, got nothing"),
    ('{"p": "a", "r": ""}', ", line 1: 'r' must hold a reference, got nothing"),
    ('{"p": "a", "r": ["b", ""]}', ", line 1: 'r'[1] must be a text, got an empty text"),
    ('{"p": "a", "r": ["b", null]}', ", line 1: 'r'[1] must be a text, got nothing"),
    ('{"p": "a", "r": ["b", 7]}', ", line 1: 'r'[1] must be a text, got int 7"),
    ('{"p": "x \\ud800", "r": "y"}', f", line 1: 'p' {NO_UNICODE} '\\ud800' at character 3"),
    ('{"p": "x", "r": ["\\udfff"]}', f", line 1: 'r'[0] {NO_UNICODE} '\\udfff' at character 1"),
]
WRONG_CSV = [  # of a file a.csv
    ("p,r\n", ": the file has no rows"),
    ("p,gold\na,b\n", ": there is no column 'r'; the columns are 'p', 'gold'"),
    ("p,r\na,b\n,b\n", f", row 2: 'p' is empty{ALLOW}"),
    ("p,r\na,b\na,\n", ", row 2: 'r' must hold a reference, got nothing"),
    ("p,r\na,b,c\n", ", row 1: the row has 3 values and the header 2"),
    ('p,r\na,"b\n', ", line 2: this is not valid CSV (unexpected end of data)"),
]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [*(("a.jsonl", *row) for row in WRONG_LINES), *(("a.csv", *row) for row in WRONG_CSV)],
)
def test_what_is_wrong_with_a_file(name, content, message, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(content, encoding="utf-8")
    assert refusal(run(name, "--prediction", "p", "-r", "r")) == f"{name}{message}"


WRONG_ARGUMENTS = """
$ a.txt
a.txt has predictions, one in each line: give the file of their references with -r
$ none.jsonl
none.jsonl: there is no such file
$ folder.csv
folder.csv: this is a folder
$ latin.jsonl
latin.jsonl: the text is not UTF-8 (invalid continuation byte in line 1)
$ a.csv -r y z
a.csv, row 2: 'y' and 'z' must hold a reference, got nothing in any
$ a.csv -r x,y
a.csv: there is no column 'x,y'; the columns are 'prediction', 'x', 'y', 'z': separate names by blanks
$ a.csv -r x --scores ./a.csv
--scores a.csv: this is a file that is scored
$ a.csv -r x --weights 1 1
--weights is no option of rouge_full: add --metric bleu_full
$ folder
folder: this is a folder
$ none.txt
none.txt: there is no such file
$ a.csv -r x -m rouge-full
--metric must be rouge or bleu, got 'rouge-full'
"""


@pytest.mark.parametrize(
    ("arguments", "message"), re.findall(r"^\$ (.*)\n(.*)$", WRONG_ARGUMENTS, re.MULTILINE)
)
def test_what_is_wrong_with_the_arguments(arguments, message, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("text", encoding="utf-8")
    Path("latin.jsonl").write_bytes(b"caf\xe9 a")
    for name in ("folder", "folder.csv"):
        Path(name).mkdir()
    gap = ["b", ""]
    written(Path("a.csv"), {"prediction": ["a", "a"], "x": ["b", "b"], "y": gap, "z": gap})
    assert refusal(run(*arguments.split())) == message


def test_not_parquet(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.parquet").write_text("prediction,references\na,b\n" * 9, encoding="utf-8")
    said = refusal(run("a.parquet"))
    assert said.startswith("a.parquet: this is not a Parquet file (")  # and what Arrow says
