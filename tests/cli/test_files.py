"""Texts of all formats arrive as they are, and a wrong file is an error that names the place."""

import csv
import errno
import gzip
import io

import pandas as pd
import pytest

from rouge_bleu_tools.cli import files, tables

from .conftest import PREDICTIONS, REFERENCES, read

FILES = ["hyp.txt -r ref.txt ref2.txt", "hyp.txt.gz -r ref.txt -r ref2.txt"]
FILES += [f"mine.{kind} --prediction output -r human_1 human_2" for kind in ("csv", "tsv")]
FILES += ["stated.csv --prediction output -r human_1 human_2", "objects.jsonl"]
FILES += ["mine.jsonl", "mine.jsonl.gz", "mine.json", "columns.json", "pandas.json"]
FILES += ["mine.parquet", "keyed.json"]


@pytest.mark.parametrize("arguments", FILES)
@pytest.mark.parametrize("n_rows", [1, 2, 1000])
def test_formats(folder, arguments, n_rows):
    assert read(*arguments.split(), n_rows=n_rows) == (PREDICTIONS, REFERENCES)


@pytest.mark.parametrize("arguments", FILES)
def test_standard_input(folder, standard_input, arguments):
    name, *others = arguments.split()
    kinds = [kind for kind in tables.FORMATS if kind == name.split(".")[1]]
    standard_input(name)
    form = ["--format", *kinds] if kinds else []
    assert read("-", *others, *form) == (PREDICTIONS, REFERENCES)


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


def test_empty_texts(folder):
    """Blank references are left out if the row has another one."""
    assert read("gap.txt", "-r", "ref.txt", "--allow-empty")[0] == ["a", "", "b"]
    assert read("null.jsonl", "--allow-empty") == ([""], [["b"]])
    for kind in ("csv", "tsv", "jsonl"):  # the last blank row is none
        assert read(f"gap.{kind}", "--allow-empty") == (["a", "", "b"], [["c"], [""], ["d"]])
    assert read("none.jsonl", "--allow-empty") == (["a"], [[""]])
    assert read("gap.txt", "-r", "gap.txt", "--allow-empty")[1] == [["a"], [""], ["b"]]
    (folder / "spaces.jsonl").write_text(
        '{"output": "a", "gold": ["", " ", "\u3000\u00a0\u200b", null, "b"]}'
    )
    assert read("spaces.jsonl") == (["a"], [["b"]])


# Texts without tabs and line breaks, and with; pandas cannot write the latter without quotes.
QUOTES = ['"I am home" he said', '"Hello"', 'He said "no"', '"', "", "it's", '""']
QUOTED = [*QUOTES, '"two\nlines"', 'a\t"b"', "Nothing new, he said.", "x\r\ny"]


@pytest.mark.parametrize("quoting", range(6))  # minimal, all, nonnumeric, none, strings, notnull
@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_quoting_of_pandas(folder, kind, quoting):
    """A file is read as it was written, or is an error that names the flag; texts never change."""
    if quoting > 3 and not hasattr(csv, "QUOTE_STRINGS"):
        pytest.skip("Python 3.12")
    is_text = quoting == csv.QUOTE_NONE
    texts, path = QUOTES if is_text else QUOTED, f"quotes.{kind}"
    table = pd.DataFrame({"n": 1.5, "prediction": texts, "references": "a"})
    how = {"sep": {"csv": ",", "tsv": "\t"}[kind], "quotechar": "\0" if is_text else '"'}
    table.to_csv(path, index=False, quoting=quoting, **how)
    flags = ["--allow-empty", "--quoting", "none" if is_text else "csv"]
    assert read(path, *flags)[0] == texts
    if is_text or (kind == "tsv" and quoting == csv.QUOTE_MINIMAL):  # others quote the header
        with pytest.raises(files.CommandError, match=f"{path}, line .*{flags[2]}"):
            read(path)
    else:
        assert read(path, "--allow-empty")[0] == texts


def test_carriage_returns_end_lines_where_no_line_feed_does(folder):
    (folder / "mac.txt").write_bytes(b"one\rtwo\rthree\r")
    assert read("mac.txt", "-r", "ref.txt")[0] == ["one", "two", "three"]
    (folder / "mac.csv").write_bytes(b'prediction,references\r"a, b",c\r')
    assert read("mac.csv") == (["a, b"], [["c"]])


def test_long_rows_make_small_batches(folder, monkeypatch):
    monkeypatch.setattr(tables, "_MAX_CHARACTERS", 100)
    batches = tables.read_rows(folder / "mine.csv", lambda _: ["output"])
    assert [len(rows.labels) for rows in batches] == [2, 1]  # 105 characters in the first two


ERRORS = [  # arguments, and names that the error must contain
    ("none.txt -r ref.txt", "none.txt"),
    ("empty.txt -r empty.txt", "empty.txt"),
    ("hyp.txt", "-r"),
    ("hyp.txt -r short.txt", "hyp.txt has 3 lines and short.txt has 2"),
    ("early.txt -r ended.txt --allow-empty", "Delete the blank lines at the end of ended.txt"),
    ("hyp.txt -r gap.txt", "gap.txt, line 2"),
    ("gap.txt -r ref.txt", "gap.txt, line 2"),
    *((f"gap.{kind}", f"gap.{kind}, row 2 of the data") for kind in ("csv", "tsv")),
    ("gap.jsonl", "gap.jsonl, line 2"),
    ("hyp.txt -r mine.csv", "mine.csv"),
    ("- -r -", "twice"),
    ("hyp.txt -r ref.txt --prediction x", "--prediction"),
    ("odd.csv", "'prediction' or 'references'; the columns are 'a', 'b'. Use --prediction COLUMN"),
    ("mine.csv --prediction output -r output", "column 'output' is both prediction and reference"),
    ("mine.csv --prediction hyp -r human_1 ref", "'hyp' or 'ref'; the columns are"),
    ("mine.jsonl -r references ref.txt", "'references'. -r takes columns of a table, not files"),
    ("wide.csv", "wide.csv, row 1"),
    ("again.csv", "again.csv, row 2 of the data: the header is repeated"),
    ("open.csv", "open.csv, line 2: the quotes"),  # where the row begins
    ("wrapped.json", "save the list 'data' alone"),
    ("old.xls", "this is not an .xlsx file (File is not a zip file). Save it as .xlsx or CSV"),
    ("mine.csv.bz2", "mine.csv.bz2: this is a bzip2 file. Unpack it"),
    ("taken.csv -r ref", "the columns are 'prediction', 'ref (1)', 'ref (2)', 'ref (3)'"),
    ("twice.parquet --prediction id", "twice.parquet: there are 2 columns 'id'"),
    ("twice.parquet --keep id --scores a.csv", "twice.parquet: there are 2 columns 'id'"),
    ("hyp.txt ref.txt -r ref2.txt", "References come after -r"),
    ("mine.csv hyp.txt -r ref2.txt", "name text files or tables"),
    (". -r ref.txt", "log.eval needs inspect_ai. Install it: pip install"),
    ("greeting.tsv", "--quoting none for text, --quoting csv"),
    ("tabs.csv", "tabs.csv, line 2: the quotes are text"),
    ("several.jsonl", "several.jsonl, row 1: 'filtered_resps'"),
    ("filters.jsonl", "keep the rows of one filter"),
    ("utf8.parquet", "utf8.parquet, row 2: 'references'"),
    ("x" * 256 + " -r ref.txt", "too long"),
    ("printed.csv", "printed.csv, row 1 of the data: 'references'"),
    ("key.jsonl", "key.jsonl, line 2: there is no column 'prediction'"),
    ("broken.jsonl", "broken.jsonl, line 2"),
    ("empty.txt --format csv", "empty.txt: the file has no rows"),
    ("headed.csv", "headed.csv: the file has no rows; separated by semicolons"),
    ("list.jsonl", "list.jsonl, row 1: 'references'[1]"),
    ("dict.jsonl", "dict.jsonl, row 1: 'references' must be a text, got dict"),
    ("dict.json", "dict.json, row 1: 'references' must be a text, got dict"),
    ("none.jsonl", "none.jsonl, row 1"),
    ("surrogate.jsonl", "surrogate.jsonl, row 1: 'prediction'"),
    ("unequal.json", "'prediction' and 'references' must be lists of equal length"),
    ("mixed.json", "or objects with equal keys, got 1 and 1 values"),
    ("bad.parquet", "bad.parquet"),
    ("cut.jsonl.gz --format text -r ref.txt", "cut.jsonl.gz: the file is damaged"),
    *((f"mine.jsonl --scores {x}", x) for x in ("a.xyz", "mine.jsonl", "none/x.csv", ".csv")),
]


@pytest.mark.parametrize(("arguments", "message"), ERRORS)
def test_errors(error, arguments, message):
    assert message in error("score", *arguments.split())


def test_the_old_file_stays_if_the_disk_is_full(folder, error, monkeypatch):
    class Full(io.FileIO):
        def write(self, content):
            raise OSError(errno.ENOSPC, "No space left on device")

    really_open = files.Path.open

    def opened(path, mode="r", **how):
        return Full(path, mode) if mode == "wb" else really_open(path, mode, **how)

    (folder / "out.csv").write_text("old", encoding="utf-8")
    before = {path.name for path in folder.iterdir()}
    with monkeypatch.context() as patch:
        patch.setattr(files.Path, "open", opened)
        assert "No space left" in error("score", "mine.jsonl", "--scores", "out.csv")
    assert (folder / "out.csv").read_text(encoding="utf-8") == "old"
    assert {path.name for path in folder.iterdir()} == before
