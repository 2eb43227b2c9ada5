"""Scores of rows in files: what stands in the files, and that there is no half of one."""

import json
import math
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from helpers.errors import error_of
from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.score.row_files import WRITERS, check_can_write, written_scores

ROWS = [
    pa.RecordBatch.from_pydict({"row": [1, 2], "rouge1": [0.1, 1 / 3]}),
    pa.RecordBatch.from_pydict({"row": [3], "rouge1": [math.nan]}),
]


def write(path, tables=ROWS):
    with written_scores(path, "--scores") as write:
        for table in tables:
            write(table)


def test_what_is_written(tmp_path):
    for extension in WRITERS:
        write(tmp_path / f"a{extension}")
    table = pyarrow.parquet.read_table(tmp_path / "a.parquet")
    assert str(table.to_pydict()) == "{'row': [1, 2, 3], 'rouge1': [0.1, %r, nan]}" % (1 / 3)
    text = (tmp_path / "a.csv").read_bytes()
    assert text == b"row,rouge1\n1,0.1\n2,0.3333333333333333\n3,nan\n"
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    assert rows == [{"row": n, "rouge1": x} for n, x in ((1, 0.1), (2, 1 / 3), (3, None))]


@pytest.mark.parametrize("extension", WRITERS)
@pytest.mark.parametrize("error", [FileError, KeyboardInterrupt])
def test_an_interrupted_run_leaves_what_was_there(extension, error, tmp_path):
    path = tmp_path / f"a{extension}"
    path.write_text("old")

    def tables():
        yield ROWS[0]
        assert len(os.listdir(tmp_path)) == 2  # the old one, and the new one's beginning
        assert path.read_text() == "old"
        raise error

    with pytest.raises(error):
        write(path, tables())
    assert os.listdir(tmp_path) == [path.name]
    assert path.read_text() == "old"
    write(path)
    assert os.listdir(tmp_path) == [path.name]
    assert path.read_bytes() != b"old"


class FullFile:
    """A file on a disk that gets full."""

    def __init__(self, file, n_bytes):
        self._file, self._left = file, n_bytes

    def write(self, data):
        self._left -= len(data)
        if self._left < 0:
            raise OSError(28, "No space left on device")
        return self._file.write(data)

    def writelines(self, lines):
        list(map(self.write, lines))

    def __getattr__(self, name):
        return getattr(self._file, name)


@pytest.mark.parametrize("n_bytes", [0, 20, 500])
@pytest.mark.parametrize("extension", WRITERS)
def test_a_full_disk(extension, n_bytes, tmp_path, monkeypatch):
    opened = Path.open
    monkeypatch.setattr(Path, "open", lambda *given: FullFile(opened(*given), n_bytes))
    path = tmp_path / f"a{extension}"
    message = f"--scores {path}: No space left on device"
    assert error_of(write, path, ROWS[:1] * 50) == (FileError, message)
    assert os.listdir(tmp_path) == []


def test_a_link_to_itself_is_replaced(tmp_path):
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    write(tmp_path / "loop.csv")


def test_a_link_stays_one(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.csv").symlink_to("folder/b.csv")
    write(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").is_symlink()
    assert (tmp_path / "folder" / "b.csv").read_bytes().startswith(b"row,rouge1\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.txt", "out.txt: the extension must be .parquet, .csv, .jsonl, got '.txt'"),
        ("out", "out: the extension must be .parquet, .csv, .jsonl, got 'none'"),
        ("in.csv", "in.csv: this is a file that is scored"),
        ("link.csv", "link.csv: this is a file that is scored"),
        ("folder.csv", "folder.csv: this is a folder"),
        ("pipe.csv", "pipe.csv: this is no regular file"),
        ("none/out.csv", "none/out.csv: there is no folder none"),
        ("a" * 300 + ".csv", "a" * 300 + ".csv: File name too long"),
    ],
)
def test_where_nothing_can_be_written(name, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("a\n", encoding="utf-8")
    Path("link.csv").symlink_to("in.csv")
    Path("folder.csv").mkdir()
    os.mkfifo("pipe.csv")
    found = error_of(check_can_write, Path(name), [Path("in.csv")], "--scores")
    assert found == (FileError, f"--scores {message}")


@pytest.mark.parametrize("name", ["a\0b.csv", "a" * 250 + ".csv"])
def test_names_that_cannot_be_opened(name, tmp_path):
    with pytest.raises(FileError, match=r"^--scores "):
        write(tmp_path / name)
