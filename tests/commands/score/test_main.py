"""rouge-bleu score: tables in their formats, options and output, and what is said about files that
cannot be scored. Text files and pipes are in test_texts.py, other programs in test_beside_others.py.
"""

import json
import os
import sys
from functools import partial
from pathlib import Path

import evaluate
import pandas as pd
import pyarrow as pa
import pytest

from helpers.programs import run_here
from rouge_bleu_tools.commands.inputs.tables import read_table
from rouge_bleu_tools.commands.score import main as score_file

PREDICTIONS = ["The cat sat on a mat.", "Nothing new, he said."]
REFERENCES = [["The cat sat on the mat.", "A cat is on the mat."], ["There is nothing new."]]
FIRST_REFERENCES = [texts[0] for texts in REFERENCES]


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


def assert_error(result, message):
    code, out, err = result
    assert (code, out, err) == (2, "", f"error: {message}\n")


# --- formats --------------------------------------------------------------------------------------


@pytest.mark.parametrize("extension", [".jsonl", ".csv", ".parquet", ".JSONL"])
def test_one_reference_in_each_format(extension, tmp_path, run, rouge_full):
    path = tmp_path / f"texts{extension}"
    written(
        path.with_suffix(extension.lower()),
        {"id": [7, 8], "output": PREDICTIONS, "gold": FIRST_REFERENCES},
    ).rename(path)
    code, out, err = run(path, "--prediction", "output", "-r", "gold", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == rouge_full.compute(
        predictions=PREDICTIONS, references=FIRST_REFERENCES, output="all", signature=True
    )


@pytest.mark.parametrize("extension", [".jsonl", ".parquet"])
def test_list_of_references(extension, tmp_path, run, bleu_full):
    path = written(
        tmp_path / f"texts{extension}", {"prediction": PREDICTIONS, "references": REFERENCES}
    )
    code, out, _ = run(path, "--json", metric="bleu_full")
    assert code == 0
    assert json.loads(out) == bleu_full.compute(
        predictions=PREDICTIONS, references=REFERENCES, signature=True
    )


@pytest.mark.parametrize("extension", [".jsonl", ".csv", ".parquet"])
def test_several_reference_columns_of_which_some_are_empty(extension, tmp_path, run, rouge_full):
    columns = {
        "prediction": PREDICTIONS,
        "first": FIRST_REFERENCES,
        "second": [REFERENCES[0][1], None],
    }
    path = written(tmp_path / f"texts{extension}", columns)
    code, out, _ = run(path, "-r", "first", "-r", "second", "--json")
    assert code == 0
    assert json.loads(out) == rouge_full.compute(
        predictions=PREDICTIONS, references=REFERENCES, output="all", signature=True
    )


@pytest.mark.parametrize(
    "text", ['says "no", twice', "two\nlines", "NA", "1", "null", "Ünïcödé 你好", " blanks "]
)
@pytest.mark.parametrize("extension", [".jsonl", ".csv", ".parquet"])
def test_texts_arrive_as_they_are(extension, text, tmp_path):
    path = written(tmp_path / f"texts{extension}", {"prediction": [text], "references": [text]})
    table = read_table(path, ["prediction", "references"])
    assert table.columns == {"prediction": [text], "references": [text]}


@pytest.mark.parametrize("extension", [".jsonl", ".csv"])
def test_byte_order_mark_and_blank_lines(extension, tmp_path, run):
    path = written(
        tmp_path / f"texts{extension}", {"prediction": PREDICTIONS, "references": FIRST_REFERENCES}
    )
    path.write_text(
        path.read_text(encoding="utf-8").replace("\n", "\r\n\r\n"), encoding="utf-8-sig", newline=""
    )
    assert run(path)[0] == 0


@pytest.mark.parametrize(
    "text",
    [
        "['a' is how it starts, and not how it ends",
        '["a" starts like JSON',
        "it ends like a list of Python']",
        'and this like one of JSON"]',
        "[a] in brackets [b]",
        "['",
        "']",
    ],
)
def test_csv_texts_that_only_look_like_a_list(text, tmp_path, run):
    """What only starts, or only ends, as a written-out list does is a text like any other."""
    path = written(tmp_path / "texts.csv", {"prediction": ["a", "b"], "references": [text, "b"]})
    table = read_table(path, ["prediction", "references"])
    assert table.columns["references"] == [text, "b"]
    assert run(path)[0] == 0


def test_long_texts(tmp_path, run):
    path = written(
        tmp_path / "texts.csv", {"prediction": ["word " * 50_000], "references": ["word " * 50_000]}
    )
    code, out, _ = run(path, "--rouge-types", "rouge1", "--json")
    assert (code, json.loads(out)["rouge1_fmeasure"]) == (0, 1.0)


# --- options and output ---------------------------------------------------------------------------


def test_rouge_table(tmp_path, run):
    path = written(tmp_path / "texts.jsonl", {"prediction": ["a b c d"], "references": ["a b x"]})
    assert run(path, "--rouge-types", "rouge1", "rougeSU4")[1].splitlines() == [
        "rouge_full, 1 row of texts.jsonl",
        "",
        "          precision   recall        F",
        "rouge1       0.5000   0.6667   0.5714",
        "rougeSU4     0.3000   0.5000   0.3750",
        "",
        "rouge_full|0.3.0|types:rouge1,rougeSU4"
        "|tok:rouge_score|case:lower|stem:no|refs:1|cross:yes|out:all|beta:1|zero:0|avg:mean",
    ]


def test_bleu_table(tmp_path, run):
    path = written(tmp_path / "texts.jsonl", {"prediction": ["a b c d"], "references": ["a b x"]})
    assert run(path, "--weights", "3", "1", metric="bleu_full")[1].splitlines() == [
        "bleu_full, 1 row of texts.jsonl",
        "",
        "bleu                   0.4518",
        "precision of 1-grams   0.5000",
        "precision of 2-grams   0.3333",
        "brevity penalty        1.0000",
        "length ratio           1.3333",
        "translation length          4",
        "reference length            3",
        "",
        "bleu_full|0.3.0|weights:0.75,0.25|smooth:none|eff:no"
        "|tok:13a|case:mixed|refs:1|zero:0|level:corpus",
    ]


def test_bleu_table_with_counts(tmp_path, run):
    path = written(tmp_path / "texts.jsonl", {"prediction": ["a b c d"], "references": ["a b x"]})
    lines = run(path, "--max-order", "2", "--preset", "sacrebleu", metric="bleu_full")[
        1
    ].splitlines()
    assert lines[-6:] == [
        "count of 1-grams            2",
        "count of 2-grams            1",
        "total of 1-grams            4",
        "total of 2-grams            3",
        "",
        "bleu_full|0.3.0|order:2|smooth:exp|eff:no|tok:13a|case:mixed|refs:1|zero:0|level:corpus",
    ]


@pytest.mark.parametrize(
    ("metric", "arguments", "options"),
    [
        ("rouge_full", ["--use-stemmer"], {"use_stemmer": True}),
        ("rouge_full", ["--tokenizer", "char", "--beta", "2"], {"tokenizer": "char", "beta": 2.0}),
        (
            "rouge_full",
            ["--preset", "rouge-1.5.5", "--rouge-types", "rougeSU4"],
            {"preset": "rouge-1.5.5", "rouge_types": ["rougeSU4"]},
        ),
        (
            "rouge_full",
            ["--sentence-splitter", "sentences", "--multi-reference", "average"],
            {"sentence_splitter": "sentences", "multi_reference": "average"},
        ),
        ("bleu_full", ["--max-order", "2", "--lowercase"], {"max_order": 2, "lowercase": True}),
        ("bleu_full", ["--smoothing", "exp"], {"smoothing": "exp"}),
        (
            "bleu_full",
            ["--effective-order", "--tokenizer", "whitespace"],
            {"effective_order": True, "tokenizer": "whitespace"},
        ),
    ],
)
def test_options_reach_the_metric(metric, arguments, options, tmp_path, run, request):
    path = written(
        tmp_path / "texts.jsonl", {"prediction": PREDICTIONS, "references": FIRST_REFERENCES}
    )
    all_outputs = {"output": "all"} if metric == "rouge_full" else {}
    expected = request.getfixturevalue(metric).compute(
        predictions=PREDICTIONS,
        references=FIRST_REFERENCES,
        signature=True,
        **options,
        **all_outputs,
    )
    assert json.loads(run(path, *arguments, "--json", metric=metric)[1]) == expected


def test_progress_is_shown_on_a_terminal_only(tmp_path, run, monkeypatch):
    columns = {"prediction": PREDICTIONS * 4, "references": FIRST_REFERENCES * 4}
    path = written(tmp_path / "texts.parquet", columns)
    monkeypatch.setattr(score_file, "N_ROWS", 3)
    code, without, err = run(path, "--json")
    assert (code, err) == (0, "")
    monkeypatch.setattr(type(sys.stderr), "isatty", lambda stream: True)
    code, shown, err = run(path, "--json")
    assert (code, shown) == (0, without)
    assert "rows" in err


@pytest.mark.parametrize("extension", [".jsonl", ".csv", ".parquet"])
@pytest.mark.parametrize("n_jobs", ["1", "2"])
def test_scores_of_rows(extension, n_jobs, tmp_path, run, rouge_full, monkeypatch):
    """Batches of three rows; the bar of evaluate is as it was."""
    monkeypatch.setattr(score_file, "N_ROWS", 3)
    columns = {"prediction": PREDICTIONS * 4, "references": FIRST_REFERENCES * 4}
    path, out = written(tmp_path / "texts.jsonl", columns), tmp_path / f"scores{extension}"
    was_enabled = evaluate.logging.is_progress_bar_enabled()
    types = ["--rouge-types", "rouge1", "rougeL"]
    assert run(path, "--scores", str(out), "--n-jobs", n_jobs, *types)[0] == 0
    assert evaluate.logging.is_progress_bar_enabled() == was_enabled
    read = {".jsonl": partial(pd.read_json, lines=True), ".csv": pd.read_csv}
    found = read.get(extension, pd.read_parquet)(out)
    expected = rouge_full.compute(
        predictions=PREDICTIONS * 4,
        references=FIRST_REFERENCES * 4,
        rouge_types=["rouge1", "rougeL"],
        output="all",
        use_aggregator=False,
    )
    pd.testing.assert_frame_equal(found, pd.DataFrame({"row": range(1, 9), **expected}))
    assert sorted(os.listdir(tmp_path)) == sorted([path.name, out.name])


def test_an_error_far_behind_leaves_no_scores(tmp_path, run, monkeypatch):
    monkeypatch.setattr(score_file, "N_ROWS", 3)
    monkeypatch.chdir(tmp_path)
    written(Path("a.jsonl"), {"prediction": ["a"] * 7 + [""], "references": ["b"] * 8})
    assert_error(
        run("a.jsonl", "--scores", "scores.csv"),
        "a.jsonl, line 8: 'prediction' is empty; --allow-empty scores it as an empty text",
    )
    assert os.listdir() == ["a.jsonl"]


def test_intervals(tmp_path, run, bleu_full):
    columns = {"prediction": PREDICTIONS * 4, "references": REFERENCES * 4}
    path = written(tmp_path / "texts.jsonl", columns)
    given = ["--confidence-level", "0.9", "--n-resamples", "40", "--seed", "3"]
    given += ["--max-order", "1", "--json"]
    result = json.loads(run(path, *given, metric="bleu_full")[1])
    options = {"confidence_level": 0.9, "n_resamples": 40, "seed": 3, "signature": True}
    rows = pa.table({"predictions": PREDICTIONS * 4, "references": REFERENCES * 4})
    options["max_order"] = 1
    statistics = bleu_full.batch_statistics(rows, first_item=1, **options)
    expected = bleu_full.fold(statistics, **options)
    assert result == {key: expected[key] for key in expected if not key.startswith("n_")}
    assert result["bleu_low"] < result["bleu"] < result["bleu_high"]


def test_scores_over_the_file_itself(tmp_path, run):
    path = written(tmp_path / "a.csv", {"prediction": ["a"], "references": ["b"]})
    message = f"--scores {path}: this is a file that is scored"
    assert_error(run(path, "--scores", str(path)), message)


def test_a_column_that_starts_late(tmp_path, run, monkeypatch):
    """It is missing in the first batch, and that is no error where a row has another."""
    monkeypatch.setattr(score_file, "N_ROWS", 1)
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"prediction": "a", "x": "a"}\n{"prediction": "a", "y": "a"}\n', encoding="utf-8"
    )
    columns = ["--reference", "x", "y"]
    code, out, _ = run(path, *columns, "--rouge-types", "rouge1", "--json")
    assert (code, json.loads(out)["rouge1_fmeasure"]) == (0, 1.0)


@pytest.mark.filterwarnings("always")
def test_warning_in_one_line(tmp_path, run):
    path = written(tmp_path / "texts.jsonl", {"prediction": ["你好"], "references": ["你好"]})
    code, _, err = run(path, "--rouge-types", "rouge1")
    assert code == 0
    assert err.startswith("warning: No text holds a single token")
    assert err.count("\n") == 1


def test_empty_predictions_where_allowed(tmp_path, run):
    path = tmp_path / "texts.jsonl"
    path.write_text(
        '{"prediction": "a", "references": "a"}\n{"prediction": "", "references": "a"}\n'
        '{"prediction": null, "references": "a"}\n'
    )
    code, out, _ = run(path, "--allow-empty", "--rouge-types", "rouge1", "--json")
    assert (code, json.loads(out)["rouge1_fmeasure"]) == (0, pytest.approx(1 / 3))


# --- what cannot be scored ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.txt",
            "text",
            "a.txt has predictions, one in each line: give the file of their references with -r",
        ),
        ("a.jsonl", "", "a.jsonl: the file has no rows"),
        ("a.jsonl", "\n\n", "a.jsonl: the file has no rows"),
        (
            "a.jsonl",
            '{"prediction": "a", "references": "b"}\n{"prediction": ',
            "a.jsonl, line 2: this is not valid JSON (Expecting value at character 16)",
        ),
        (
            "a.jsonl",
            '{"prediction": "a", "references": "b"}\n\n["a", "b"]',
            "a.jsonl, line 3: each line must be a JSON object, got list",
        ),
        (
            "a.jsonl",
            '{"text": "a", "references": "b"}\n',
            "a.jsonl: there is no column 'prediction'; the columns are 'text', 'references'",
        ),
        (
            "a.jsonl",
            '{"prediction": "", "references": "b"}',
            "a.jsonl, line 1: 'prediction' is empty; --allow-empty scores it as an empty text",
        ),
        (
            "a.jsonl",
            '{"prediction": "a", "references": "b"}\n\n{"references": "b"}\n',
            "a.jsonl, line 3: 'prediction' is missing; --allow-empty scores it as an empty text",
        ),
        (
            "a.jsonl",
            '{"prediction": ["a"], "references": "b"}',
            "a.jsonl, line 1: 'prediction' must be a text, got list ['a']",
        ),
        (
            "a.jsonl",
            '{"prediction": "a", "references": 5}',
            "a.jsonl, line 1: 'references' must be a text or a list of texts, got int 5",
        ),
        (
            "a.jsonl",
            '{"prediction": "a", "references": []}',
            "a.jsonl, line 1: 'references' must hold a reference, got nothing",
        ),
        (
            "a.jsonl",
            '{"prediction": "a", "references": ""}',
            "a.jsonl, line 1: 'references' must hold a reference, got nothing",
        ),
        (
            "a.jsonl",
            '{"prediction": "a", "references": ["b", ""]}',
            "a.jsonl, line 1: 'references'[1] must be a text, got an empty text",
        ),
        (
            "a.jsonl",
            '{"prediction": "a", "references": ["b", null]}',
            "a.jsonl, line 1: 'references'[1] must be a text, got nothing",
        ),
        (
            "a.jsonl",
            '{"prediction": "a", "references": ["b", 7]}',
            "a.jsonl, line 1: 'references'[1] must be a text, got int 7",
        ),
        (
            "a.jsonl",
            b'{"prediction": "caf\xe9", "references": "a"}',
            "a.jsonl: the text is not UTF-8 (invalid continuation byte at byte 19)",
        ),
        ("a.csv", "", "a.csv: the file has no rows"),
        ("a.csv", "prediction,references\n", "a.csv: the file has no rows"),
        (
            "a.csv",
            "prediction,references\na,b\n,b\n",
            "a.csv, row 2: 'prediction' is empty; --allow-empty scores it as an empty text",
        ),
        (
            "a.csv",
            "prediction,references\na,b\na,\n",
            "a.csv, row 2: 'references' must hold a reference, got nothing",
        ),
        (
            "a.csv",
            "prediction,references\na,b,c\n",
            "a.csv, row 1: the row has 3 values and the header 2",
        ),
        (
            "a.csv",
            'prediction,references\na,"b\n',
            "a.csv, line 2: this is not valid CSV (unexpected end of data)",
        ),
    ],
)
def test_what_is_wrong_with_a_file(name, content, message, tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert_error(run(name), message)


def test_missing_file_and_folder(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert_error(run("none.jsonl"), "none.jsonl: there is no such file")
    Path("folder.csv").mkdir()
    assert_error(run("folder.csv"), "folder.csv: this is a folder")


def test_not_parquet(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.parquet").write_text("prediction,references\na,b\n" * 9, encoding="utf-8")
    code, out, err = run("a.parquet")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("error: a.parquet: this is not a Parquet file (")  # and what Arrow says


def test_missing_column_lists_those_of_parquet_and_csv(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.parquet", "a.csv"):
        written(Path(name), {"prediction": ["a"], "gold": ["b"]})
        assert_error(
            run(name),
            f"{name}: there is no column 'references'; the columns are 'prediction', 'gold'",
        )


def test_no_reference_in_any_column(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written(Path("a.csv"), {"prediction": ["a", "a"], "x": ["b", ""], "y": ["b", ""]})
    assert_error(
        run("a.csv", "--reference", "x", "y"),
        "a.csv, row 2: 'x' and 'y' must hold a reference, got nothing in any",
    )


@pytest.mark.parametrize(
    ("arguments", "beginning"),
    [
        (["--tokenizer", "words"], "rouge_full: tokenizer must be "),
        (["--rouge-types", "rouge_1"], "rouge_full: rouge_types[0] must be "),
        (
            ["--weights", "1", "1"],
            "--weights is no option of rouge_full",
        ),
    ],
)
def test_what_the_metric_says_about_options(arguments, beginning, tmp_path, run):
    path = written(tmp_path / "a.csv", {"prediction": ["a"], "references": ["b"]})
    code, out, err = run(path, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"error: {beginning}")


@pytest.mark.parametrize("name", ["sacrebleu", "rouge-full", "rouge_full.py", ""])
def test_a_name_of_another_metric(tmp_path, run, name):
    path = written(tmp_path / "a.csv", {"prediction": ["a"], "references": ["b"]})
    assert_error(run(path, metric=name), f"--metric must be rouge or bleu, got {name!r}")


def test_help_has_each_command_on_lines_of_its_own(capsys):
    """A long one goes on after a backslash, as shells take it."""
    with pytest.raises(SystemExit):
        score_file.main(["--help"])
    example = capsys.readouterr().out.split("\n\n    ")[1].split("\n\n")[0]
    commands = example.replace("\\\n", "").splitlines()
    assert [command.split()[:3] for command in commands] == [
        ["rouge-bleu", "score", "hyp.txt"],
        ["cat", "hyp.txt", "|"],
        ["rouge-bleu", "score", "mine.csv"],
    ]
