"""Files as people have them, and the rows, tables, plots and signatures that the command makes of them."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pytest

import rouge_bleu
from rouge_bleu_tools.cli import files, score
from rouge_bleu_tools.cli.compare import holm
from rouge_bleu_tools.cli.main import main

from .conftest import ALL, FEW, FIRST, PREDICTIONS, read

TABLE = pd.DataFrame({"id": [1, 2, 3], "output": PREDICTIONS, "ref A": FIRST})
RESULTS = Path(__file__).with_name("results")


@pytest.mark.parametrize(
    ("name", "separator", "encoding", "flags", "note"),
    [
        ("a.csv", ";", "utf-8-sig", "", "semicolons"),  # Excel in German, French and Spanish
        ("a.csv", "\t", "utf-8", "--quoting csv", "tabs"),
        ("a.csv", "|", "utf-16-le", "", "UTF-16; separated by bars"),
        ("a.tsv", "\t", "utf-16", "", "UTF-16"),  # "Unicode text" of Excel
        ("a.csv", ",", "cp1252", "--encoding cp1252", ""),
        ("a.csv", "^", "utf-8", "--delimiter ^", "'^'"),
    ],
)
def test_delimiters_and_encodings(folder, run, name, separator, encoding, flags, note):
    table = TABLE.assign(output=['Größe, "so"; ja', "b\nc", "|\t"])
    table.to_csv(name, sep=separator, index=False, encoding=encoding)
    assert read(name, *flags.split()) == (list(table["output"]), [[one] for one in FIRST])
    shown = run("score", name, *flags.split(), *FEW)[2]
    assert re.search(rf"note: a\..*{re.escape(note)}.*'output'", shown)
    if encoding == "cp1252":
        with pytest.raises(files.CommandError, match="--encoding cp1252"):
            read(name)


@pytest.mark.parametrize("kind", ["xlsx", "feather", "arrow", "saved", "jsonl.json"])
def test_formats(folder, kind, monkeypatch):
    table, name = pa.Table.from_pandas(TABLE), f"a.{kind}"
    if kind == "xlsx":
        TABLE.to_excel(name, index=False)
    elif kind == "feather":
        pyarrow.feather.write_feather(table, name)
    elif kind == "arrow":
        with pa.ipc.new_stream(name, table.schema) as writer:
            writer.write_table(table)
    elif kind == "saved":
        data = datasets.Dataset(table)
        datasets.DatasetDict(test=data).save_to_disk(name)
        with pytest.raises(files.CommandError, match=re.escape(os.path.join(name, "test"))):
            read(name)
        name = os.path.join(name, "test")
    else:
        TABLE.to_json(name, orient="records", lines=True)
    assert read(name) == (PREDICTIONS, [[one] for one in FIRST])
    if kind == "xlsx":
        monkeypatch.setitem(sys.modules, "openpyxl", None)
        with pytest.raises(files.CommandError, match=r"rouge-bleu-full\[xlsx\]"):
            read(name)


@pytest.mark.parametrize(("harness", "order"), [("lm_eval", [0, 1, 2]), ("lighteval", [1, 0, 2])])
def test_results_of_harnesses(harness, order):
    """Files that lm-eval 0.4.13 and lighteval 0.13.0 wrote for three answers of a fixed model.

    The first has one reference each; lighteval has sorted the rows.
    """
    answers = ["the cat sat on a mat", "a dog ran off today", "rain"]
    golds = [["a cat", "the cat sat on the mat"], ["a dog ran off"], ["it rains"]]
    golds = [one[: 1 if harness == "lm_eval" else 2] for one in golds]
    expected = [answers[row] for row in order], [golds[row] for row in order]
    assert read(str(RESULTS / harness)) == expected
    with pytest.raises(files.CommandError, match=r"2 runs. Name one: .*\.jsonl"):
        read(str(RESULTS))


def test_folders_and_several_files(folder, output):
    """As Spark writes them."""
    os.makedirs("spark/_temporary")
    for name, rows in (("part-0", TABLE[:2]), ("part-1", TABLE[2:])):
        rows.to_parquet(f"spark/{name}.parquet")
    for name in ("_SUCCESS", ".part-0.crc", "_temporary/x.csv", "notes.ods", "old.csv.zip"):
        (folder / "spark" / name).write_text("x")
    expected = PREDICTIONS, [[one] for one in FIRST]
    parts = ["spark/part-0.parquet", "spark/part-1.parquet"]
    for given in (["spark"], parts):
        assert read(*given) == expected
    TABLE.assign(output=FIRST).to_csv("new.csv", index=False)
    flags = ["-m", "bleu", "--smoothing", "exp", "--n-resamples", "10", "--json"]
    (folder / "spark.txt").write_text("\n".join(PREDICTIONS))
    of_tables, of_texts = (
        json.loads(output("compare", *given, *flags))["scores"]
        for given in (
            ["spark", "new.csv", "--prediction", "output", "-r", "ref A"],
            ["spark.txt", "ref.txt", "-r", "ref.txt"],
        )
    )
    names = {"spark": "spark", "new": "ref"}
    assert [one | {"system": names[one["system"]]} for one in of_tables] == of_texts


def test_standard_input_and_missing_files(folder, error, standard_input):
    lines = TABLE.to_json(orient="records", lines=True).encode()
    for content in (lines, b"[" + b",".join(lines.splitlines()) + b"]"):
        (folder / "in.txt").write_bytes(content)
        standard_input("in.txt")
        assert read("-")[0] == PREDICTIONS
    remedy = "--format csv, tsv or jsonl"
    assert remedy in error("score", "in.txt")
    standard_input("mine.csv")
    assert remedy in error("score", "-r", "human_1")
    standard_input(os.devnull)
    message = error("score", "-r", "ref.txt", "ref2.txt", "hyp.txt")
    assert "ref.txt and ref2.txt and hyp.txt" in message


def test_sheets_and_cells_of_excel(folder, run):
    """Numbers are texts as Excel shows them; a format of their own, such as 50 %, is unknown."""
    table = pd.DataFrame({"output": ["a", 3, 2.5, None], "target": ["b", 3, 2.5, "c"]})
    with pd.ExcelWriter("a.xlsx") as writer:
        for name in ("first", "second"):
            table[:3].to_excel(writer, sheet_name=name, index=False)
    assert read("a.xlsx") == (["a", "3", "2.5"], [["b"], ["3"], ["2.5"]])
    assert "note: a.xlsx: sheet 'first', the first of 2; " in run("score", "a.xlsx")[2]
    with pd.ExcelWriter("a.xlsx") as writer:
        table.to_excel(writer, index=False)
        writer.sheets["Sheet1"]["A4"].number_format = "0 %"
    assert "row 3 of the data: 'output' must be a text, got float" in run("score", "a.xlsx")[2]
    table.mask(table["output"] == 3).to_excel("a.xlsx", index=False)
    assert "a.xlsx, row 2 of the data: 'output' is missing" in run("score", "a.xlsx")[2]
    for number in (12345678901234567, 1 / 3, 1e-7):  # over 15 digits, an exponent
        table[:1].assign(target=number).to_excel("a.xlsx", index=False)
        assert "row 1 of the data: 'target' must be a text, got" in run("score", "a.xlsx")[2]


@pytest.mark.parametrize("kind", files.SCORE_FILES)
@pytest.mark.parametrize("preset", ["matlab", "evaluate"])  # evaluate's has no sums
def test_scores_with_texts_and_kept_columns(folder, run, monkeypatch, kind, preset):
    monkeypatch.setattr(score, "_N_ROWS", 2)
    table = TABLE.assign(output=['=a "b"', "two\r\nlines", "x\ty"])
    table.to_csv("in.csv", index=False)
    call = ["score", "in.csv", *FEW[2:], "-m", "rouge", "bleu", "--scores", f"out{kind}"]
    call += ["--preset", preset]
    assert f"wrote out{kind}" in run(*call, "--keep", "id", "--with-texts")[2]
    name = f"out{kind}"
    if kind in (".parquet", ".jsonl"):
        found = pd.read_json(name, lines=True) if kind == ".jsonl" else pd.read_parquet(name)
    else:
        with open(name, encoding="utf-8", newline="") as file:
            found = pd.DataFrame(csv.DictReader(file, delimiter="," if kind == ".csv" else "\t"))
    keys = [f"rouge1_{one}" for one in ("precision", "recall", "fmeasure")]
    assert list(found) == ["row", "id", "prediction", "references", *keys, "bleu"]
    assert list(found["prediction"]) == list(table["output"])
    first = found["references"][0]
    assert (json.loads(first) if isinstance(first, str) else list(first)) == [FIRST[0]]
    assert list(map(int, found["id"])) == [1, 2, 3]
    how = {"use_aggregator": False, "preset": preset}
    expected = rouge_bleu.bleu(list(table["output"]), FIRST, **how)["bleu"]
    assert list(map(float, found["bleu"])) == pytest.approx(expected, nan_ok=True)
    if kind == ".tsv":  # only cells that need it are quoted
        assert "\n1\t1\t" in (folder / "out.tsv").read_text()


def test_rows_with_the_lowest_and_highest_scores(output, monkeypatch):
    """F of rouge1 of the three rows is 5/6, 1/2 and 0."""
    monkeypatch.setattr(score, "_N_ROWS", 2)
    monkeypatch.setenv("COLUMNS", "40")
    shown = output("score", "hyp.txt", "-r", "ref.txt", *FEW, "--worst", "2", "--best", "1")
    lowest, highest = shown.partition("Lowest rouge1_fmeasure:")[2].split("Highest")
    assert re.findall(r"row (\d) +([\d.]+)", lowest) == [("3", "0.00"), ("2", "50.00")]
    assert re.findall(r"row (\d) +([\d.]+)", highest) == [("1", "83.33")]
    assert max(map(len, lowest.splitlines())) <= 40
    row = output("explain", "hyp.txt", "-r", "ref.txt", "--row", "2", *FEW)
    assert row == output("explain", PREDICTIONS[1], FIRST[1], *FEW)


def test_intervals_are_those_of_python_while_statistics_fit(output, monkeypatch):
    """Python draws all examples at once; larger files are drawn row by row."""
    monkeypatch.setattr(score, "_N_ROWS", 2)
    for name in ("rouge", "bleu"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            options = {"confidence_level": 0.9, "n_resamples": 50, "signature": True}
            more = {"output": "all"} if name == "rouge" else {"max_order": 2}
            expected = getattr(rouge_bleu, name)(PREDICTIONS, FIRST, **options, **more)
        flags = ["-m", name, "--confidence-level", "0.9", "--n-resamples", "50", "--json"]
        flags += ["--max-order", "2"] * (name == "bleu")
        call = ["score", "hyp.txt", "-r", "ref.txt", *flags]
        assert json.loads(output(*call)) == expected
        with monkeypatch.context() as patch:
            patch.setattr(score, "_MAX_BYTES", 1)
            line = json.loads(output(*call))["signature"]
        assert "draws:poisson" in line
        again = ["score", "hyp.txt", "-r", "ref.txt", "--signature", line, "--json"]
        assert json.loads(output(*again))["signature"] == line


def test_signatures_as_a_page_prints_them(output, run):
    call = ["score", "hyp.txt", "-r", "ref.txt", "--json"]
    expected = output(*call, "-m", "bleu", "--smoothing", "chen-cherry-4", "--tokenizer", "unicode")
    line = json.loads(expected)["signature"]
    for printed in (
        line.replace("|", " | "),
        line.replace("chen-cherry", "chen-\ncherry").replace("unicode", "uni-\ncode"),
        line.replace("|", "|\n").replace("-", "\u2010"),
        f"“{line.replace('|', ' ∣ ').replace('bleu_full', 'bleu full')}.”",
    ):
        assert output(*call, "--signature", printed) == expected
    # Of a comparison: what belongs to its test has no effect here. Sizes that differ are said.
    line = json.loads(output("compare", *ALL, "--json"))["signatures"]["rouge_full"]
    err = run(*call, "--signature", line)[2]
    assert re.search("warning: .* n:3", err)
    assert "test:randomization" in err.partition("note: ")[2]
    again = json.loads(output("compare", *ALL[:5], "--signature", line, "--json"))
    assert again["signatures"]["rouge_full"] == line


def test_all_pairs_are_corrected_together(output):
    found = json.loads(output("compare", *ALL, "--all-pairs", "--json"))
    assert (found["n_comparisons"], found["correction"]) == (3, "holm")
    (pair,) = found["pairs"]
    tested = [one for one in [*found["scores"], pair] if one["p_value"] is not None]
    corrected = holm([one["p_value"] for one in tested])
    assert [one["corrected_p_value"] for one in tested] == corrected
    assert (pair["system"], pair["baseline"]) == ("better", "similar")
    scores = {one["system"]: one["score"] for one in found["scores"]}
    assert pair["delta"] == pytest.approx(scores["better"] - scores["similar"])
    shown = output("compare", *ALL, "--all-pairs", "--largest-differences", "1")
    assert "better - similar" in shown
    first, second = re.findall(r"row (\d+)  ([+-][\d.]+)", shown)
    options = {"rouge_types": ["rouge1"], "use_aggregator": False}
    columns = [path.read_text(encoding="utf-8").splitlines() for path in (*ALL[:3], ALL[4])]
    base, *others = (rouge_bleu.rouge(one, columns[3], **options)["rouge1"] for one in columns[:3])
    for (row, delta), own in zip((first, second), others, strict=True):
        deltas = 100 * (np.array(own) - np.array(base))
        assert float(delta) == pytest.approx(deltas[int(row) - 1], abs=0.005)
        assert abs(float(delta)) == pytest.approx(abs(deltas).max(), abs=0.005)


def test_latex_has_the_best_in_bold_and_the_signature(output):
    shown = output("compare", *ALL, "--latex", "--no-intervals")
    scores = json.loads(output("compare", *ALL, "--json"))["scores"]
    best = max(100 * one["score"] for one in scores)
    assert re.findall(r"textbf\{([\d.]+)\}", shown) == [f"{best:.2f}"]
    assert "[" not in shown.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    assert r"\label{" in shown
    assert r"rouge\_full\textbar{}" in shown


@pytest.mark.deep
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")
def test_latex_compiles(folder, output):
    table = output("compare", *ALL, "-m", "bleu", "--latex")
    head = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n"
    (folder / "a.tex").write_text(f"{head}{table}\\end{{document}}\n", encoding="utf-8")
    done = subprocess.run(["pdflatex", "-halt-on-error", "a.tex"], capture_output=True, text=True)
    assert (done.returncode, "Overfull" in done.stdout) == (0, False), done.stdout


def test_plot_of_rows(folder, output):
    level = ["--confidence-level", "0.9", "--n-resamples", "20"]
    output("score", "hyp.txt", "-r", "ref.txt", *FEW, *level, "--plot", "a.svg")
    assert b"44.44" in (folder / "a.svg").read_bytes()  # the score, as in test_commands.py


def test_help_version_and_options(output, error, capsys):
    def help_of(*arguments):
        with pytest.raises(SystemExit):
            main(arguments)
        return capsys.readouterr().out

    assert help_of("help", "score") == help_of("score", "--help")
    assert output("version") == output("--version")
    shown = output("options")
    names = ["--tokenizer", "chen-cherry-7", "rouge-1.5.5", "jackknife", "spanish", "or flat"]
    for name in names:
        assert name in shown
    assert "(None)" not in shown
    assert "--signature" not in shown  # in commands, a flag with a line
    assert "--n-resamples" not in help_of("explain", "--help")
    assert "--scale" not in help_of("check", "--help")
    shown = help_of("compare", "--help")
    assert not any(name in shown for name in ("--use-aggregator", "evaluate, rouge-1.5.5"))
    assert "level of the intervals (0.95)" in shown
    assert not re.search(r"\w-\n", shown)
    message = error("compare", *ALL[:5], "--preset", "rouge-1.5.5", "-m", "rouge")
    assert "--preset rouge_score" in message
