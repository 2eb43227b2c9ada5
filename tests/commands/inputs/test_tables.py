"""Batches of rows, and files that were made to break readers.

The formats and most errors are tested through a command, in `commands/score/test_main.py`.
"""

import gzip
import json
import os
import re
import sys
import threading

import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest

from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.inputs.items import read_lines
from rouge_bleu_tools.commands.inputs.rows import batches as shared_rows
from rouge_bleu_tools.commands.inputs.tables import READERS, read_batches, read_table

N_ROWS = 23


def written(path):
    """Write columns `a` and `b` of texts, with blank lines where the format allows them."""
    rows = [{"a": f"text {n}", "b": f'"{n}",\nand a line', "c": n} for n in range(N_ROWS)]
    if path.suffix == ".jsonl":
        path.write_text("".join(f"{json.dumps(row)}\n\n" for row in rows))
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows, indent=1))
    elif path.suffix in (".csv", ".tsv"):
        pd.DataFrame(rows).to_csv(path, index=False, sep="," if path.suffix == ".csv" else "\t")
    else:
        pd.DataFrame(rows).to_parquet(path, row_group_size=7)
    return path


@pytest.mark.parametrize("n_rows", [1, 5, 24])
@pytest.mark.parametrize("extension", READERS)
def test_batches_are_the_table_cut(extension, n_rows, tmp_path):
    path = written(tmp_path / f"texts{extension}")
    whole = read_table(path, ["b", "a"])
    assert whole.columns == {
        "b": [f'"{n}",\nand a line' for n in range(N_ROWS)],
        "a": [f"text {n}" for n in range(N_ROWS)],
    }
    step = 2 if extension == ".jsonl" else 1  # each second line is blank
    kind = "line" if extension == ".jsonl" else "row"
    assert whole.rows == [f"{kind} {1 + step * n}" for n in range(N_ROWS)]
    batches = list(read_batches(path, ["b", "a"], n_rows))
    assert max(len(batch.rows) for batch in batches) <= n_rows
    shares = [batch.share for batch in batches]  # of the file that was read
    assert 0 < shares[0] <= shares[-1] == 1
    assert shares == sorted(shares)
    assert [row for batch in batches for row in batch.rows] == whole.rows
    for name in ("a", "b"):
        assert [text for one in batches for text in one.columns[name]] == whole.columns[name]


@pytest.mark.parametrize("extension", [".jsonl", ".csv"])
def test_a_batch_is_read_before_the_next_one(extension, tmp_path):
    """What is wrong behind it is no error yet: the file is not read as a whole."""
    path = written(tmp_path / f"texts{extension}")
    with path.open("a") as file:
        file.write("{" * 100_000 if extension == ".jsonl" else '"x' * 100_000)
    batches = read_batches(path, ["a"], 5)
    assert next(batches).columns["a"] == [f"text {n}" for n in range(5)]
    with pytest.raises(FileError, match="this is not valid"):
        list(batches)


def test_a_column_that_starts_late_in_json_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"a": "x"}\n{"a": "y", "b": "z"}\n')
    assert [batch.columns["b"] for batch in read_batches(path, ["b"], 1)] == [[None], ["z"]]
    batches = read_batches(path, ["c"], 1)
    assert [next(batches).columns["c"] for _ in range(2)] == [[None], [None]]
    with pytest.raises(FileError, match=r"there is no column 'c'; the columns are 'a', 'b'$"):
        next(batches)


def error_of(path, wanted=("a",)):
    with pytest.raises(FileError) as error:
        read_table(path, list(wanted))
    return str(error.value).removeprefix(f"{path.parent}/")


NO_A = "there is no column 'a'; the columns are "
SEPARATED = "they seem to be separated by"
A_LIST = "a list of objects, or an object with a list for each column"
WRONG_FILES = [  # content, and what the message begins with: the name of the file
    ('\n{"a": ' + "[" * 200_000, "a.jsonl, line 2: the JSON is nested too deeply"),
    ('{"a": 1, "b": 2, "a": 3}', "a.jsonl, line 1: the object has the key 'a' 2 times"),
    ("c" * 20_000 + ",b\n", f"a.csv: {NO_A}'{'c' * 79}, 'b'"),
    (
        ",".join(map(str, range(1234))),
        f"a.csv: {NO_A}{str([*map(str, range(20))])[1:-1]} and 1,214 more",
    ),
    ("b,a,c,a\n1,2,3,4\n", "a.csv: there are 2 columns 'a'; rename all but one"),
    ('{"a": 1}\n{"a": 2}\n', "a.json: these are JSON lines: give --format jsonl"),
    ('"x"', f"a.json: the file must hold {A_LIST}, got str"),
    ('[{"a": "x"}, 7]', "a.json, row 2: this must be a JSON object, got int"),
    ('[{"b": "x"}]', f"a.json: {NO_A}'b'"),
    ('{"a": "x"}', "a.json: 'a' must be a list with the value of each row, got str: the file "),
    ("{", "a.json: this is not valid JSON (Expecting property name enclosed in "),
    ("[]", "a.json: the file has no rows"),
    ("b\ta\nx\ty\n", f"a.csv: {NO_A}'b\\ta': {SEPARATED} tabs, give --format tsv"),
    ("b;a\n", f"a.csv: {NO_A}'b;a': {SEPARATED} semicolons, save it with commas"),
    ("b,a\n", f"a.tsv: {NO_A}'b,a': {SEPARATED} commas, give --format csv"),
    ('a\n"x', "a.tsv, line 2: this is not valid TSV (unexpected end of data)"),
    (
        "x",
        "a.xlsx: the extension must be .jsonl, .json, .csv, .tsv, .parquet, also with .gz, got '.x",
    ),
]
if hasattr(sys, "get_int_max_str_digits"):  # Python before 3.10.7 reads any number
    many = '{"a": ' + "1" * 5000 + "}"
    WRONG_FILES.append((many, "a.jsonl, line 1: a number has too many digits"))


@pytest.mark.parametrize(("text", "message"), WRONG_FILES, ids=[row[1] for row in WRONG_FILES])
def test_what_is_wrong_with_a_file(text, message, tmp_path):
    path = tmp_path / re.match(r"[\w.]+", message)[0]
    path.write_text(text)
    assert error_of(path).startswith(message)


def test_the_json_of_pandas(tmp_path):
    """As it writes tables by default, and as the error says."""
    path, table = tmp_path / "a.json", pd.DataFrame({"a": ["x", "y"]})
    table.to_json(path)
    remedy = 'pandas writes the former by to_json(..., orient="records")'
    assert error_of(path).endswith(f"got dict: the file must hold {A_LIST}; {remedy}")
    table.to_json(path, orient="records")
    assert read_table(path, ["a"]).columns == {"a": ["x", "y"]}


def test_a_key_that_is_a_value_or_deeper_too(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"a": "a", "b": {"a": ["a"], "a": 1}, "c": 1, "c": 2}')
    assert read_table(tmp_path / "a.jsonl", ["a", "b"]).columns == {"a": ["a"], "b": [{"a": 1}]}


def test_doubled_columns_that_nobody_wants(tmp_path):
    (tmp_path / "a.csv").write_text("b,a,b\n1,2,3\n")
    assert read_table(tmp_path / "a.csv", ["a"]).columns == {"a": ["2"]}
    columns = [pyarrow.array([text]) for text in "123"]
    table = pyarrow.table(columns, names=["b", "a", "b"])
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet", ["a"]).columns == {"a": ["2"]}
    message = "a.parquet: there are 2 columns 'b'; rename all but one"
    assert error_of(tmp_path / "a.parquet", ["b"]) == message


@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.parametrize("extension", READERS)
def test_pipes_and_packed_files_hold_the_same(extension, packed, tmp_path):
    """A pipe can be read once, from its beginning to its end."""
    path = written(tmp_path / f"texts{extension}")
    whole = read_table(path, ["b", "a"])
    content = gzip.compress(path.read_bytes()) if packed else path.read_bytes()
    copy, pipe = (tmp_path / f"{name}{extension}{packed}" for name in ("copy", "pipe"))
    copy.write_bytes(content)
    assert read_table(copy, ["b", "a"]) == whole
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[content])
    writer.start()
    assert read_table(pipe, ["b", "a"]).columns == whole.columns
    writer.join()


@pytest.mark.parametrize("extension", READERS)
def test_a_packed_file_that_ends_too_soon(extension, tmp_path):
    path = written(tmp_path / f"texts{extension}")
    packed = tmp_path / f"texts{extension}.gz"
    packed.write_bytes(gzip.compress(path.read_bytes())[:-20])
    assert error_of(packed).startswith(f"texts{extension}.gz: the file is damaged (")


def test_json_of_columns_and_of_objects(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('{"a": ["x", "y"], "b": [["1"], ["2", "3"]]}')
    assert read_table(path, ["b", "a"]).columns == {"a": ["x", "y"], "b": [["1"], ["2", "3"]]}
    path.write_text('[{"a": "x"}, {"b": "y"}]')
    assert read_table(path, ["b", "a"]).columns == {"a": ["x", None], "b": [None, "y"]}


def test_a_format_that_the_name_does_not_say(tmp_path):
    (tmp_path / "a.txt").write_text("a\tb\nx\ty\n")
    assert read_table(tmp_path / "a.txt", ["b"], "tsv").columns == {"b": ["y"]}


def test_parquet_that_is_damaged(tmp_path):
    path = tmp_path / "a.parquet"
    table = pyarrow.table({"a": [f"text {n}" for n in range(5000)]})
    pyarrow.parquet.write_table(table, path, compression="snappy", use_dictionary=False)
    content = path.read_bytes()
    path.write_bytes(content[:600] + b"\xff" * 300 + content[900:])
    assert error_of(path).startswith("a.parquet: the file is damaged (")


def test_names_with_dots_and_blank_lines_above_the_header(tmp_path):
    table = pyarrow.table({"my.text": ["x"], "a": [{"b": "y"}]})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet", ["my.text"]).columns == {"my.text": ["x"]}
    (tmp_path / "a.csv").write_text("\n\na,b\n1,2\n")
    assert read_table(tmp_path / "a.csv", ["a"]).columns == {"a": ["1"]}


@pytest.mark.parametrize("extension", sorted(set(READERS) - {".json"}))
def test_long_rows_make_small_batches(extension, tmp_path, monkeypatch):
    """Some hundred characters a row, and a limit of a thousand."""
    monkeypatch.setattr(shared_rows, "MAX_CHARACTERS", 1000)
    path = tmp_path / f"a{extension}"
    texts = [f"{n}" + "x" * 300 for n in range(23)]
    if extension == ".parquet":
        table = pyarrow.table({"a": texts})
        pyarrow.parquet.write_table(table, path, compression="none", use_dictionary=False)
    elif extension in (".csv", ".tsv"):
        path.write_text("\n".join(["a", *texts]))
    else:
        path.write_text("\n".join(json.dumps({"a": text}) for text in texts))
    batches = list(read_batches(path, ["a"], 20))
    assert max(len(batch.rows) for batch in batches) in (2, 3, 4)
    assert [text for batch in batches for text in batch.columns["a"]] == texts


def test_parquet_is_not_read_group_by_group(tmp_path):
    """A group of rows of 20 MB; what Arrow holds is far less."""
    path = tmp_path / "a.parquet"
    texts = [f"{n} " * 100 for n in range(40_000)]
    table = pyarrow.table({"a": texts})
    pyarrow.parquet.write_table(table, path, compression="none", use_dictionary=False)
    del texts, table
    before = pyarrow.total_allocated_bytes()
    for _ in read_batches(path, ["a"], 100):
        assert pyarrow.total_allocated_bytes() - before < 8 << 20


# --- lines ------------------------------------------------------------------------------


def test_lines_end_with_a_line_feed_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffa\u2028b\x0cc\x85d\r\n\n e \nlast".encode())
    assert read_lines(path) == ["a\u2028b\x0cc\x85d", "", " e ", "last"]
    path.write_bytes(b"a\rb\n\0")
    assert read_lines(path) == ["a\rb", "\0"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"a\.txt: the file has no lines"),
        (b"a\ncaf\xe9 a", r"a\.txt: the text is not UTF-8 \(.* byte in line 2\)"),
        (
            gzip.compress(b"a\ncaf\xe9 a", mtime=0),
            r"a\.txt: the text is not UTF-8 \(.* byte in line 2\)",
        ),
        ("a cat".encode("utf-16-le"), r"a\.txt: the text is not UTF-8: it seems to be UTF-16"),
        (
            gzip.compress("мир b c\n".encode("utf-16-be"), mtime=0),
            r"a\.txt: the .* it seems to be UTF-16",
        ),
    ],
)
def test_texts_that_cannot_be_read(content, message, tmp_path):
    (tmp_path / "a.txt").write_bytes(content)
    with pytest.raises(FileError, match=f"{message}$"):
        read_lines(tmp_path / "a.txt")
