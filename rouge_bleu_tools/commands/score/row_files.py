"""Scores of rows -> a file, as they come: Parquet, CSV or JSON lines.

They go to a file beside the wanted one, which takes its place when all is written. So
what has the wanted name is whole, also after Ctrl-C or on a full disk. CSV has "nan", and
JSON lines null, where a score is no number.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from rouge_bleu_tools.commands.inputs.errors import FileError, reason
from rouge_bleu_tools.commands.inputs.opened import is_same_file

Write = Callable[[Any], None]


def check_can_write(path: Path, read: Sequence[Path], argument: str) -> None:
    """Raise, before any work, where scores cannot be written to a path.

    `read` are the files that are scored, `argument` the name of the option.
    """
    if path.suffix.lower() not in WRITERS:
        raise FileError(
            f"{argument} {path}: the extension must be {', '.join(WRITERS)}, got "
            f"{path.suffix or 'none'!r}"
        )
    try:
        if path.exists():
            if any(is_same_file(path, other) for other in read):
                raise FileError(f"{argument} {path}: this is a file that is scored")
            if not path.is_file():
                kind = "a folder" if path.is_dir() else "no regular file"
                raise FileError(f"{argument} {path}: this is {kind}")
        if not path.parent.is_dir():
            raise FileError(f"{argument} {path}: there is no folder {path.parent}")
    except OSError as error:
        raise FileError(f"{argument} {path}: {reason(error)}") from error


@contextmanager
def written_scores(path: Path, argument: str) -> Iterator[Write]:
    """Give the function that writes tables of Arrow, all with the same columns.

    At the end without an error the file has its name; else nothing is left of it.
    """
    with _errors_of_writing(path, argument):
        whole = Path(os.path.realpath(path))  # what a link leads to
        part = whole.with_name(f"{whole.name}.{os.getpid()}.part")
        file = part.open("wb")
    writer = WRITERS[path.suffix.lower()](file)

    def write(scores: Any) -> None:
        with _errors_of_writing(path, argument):
            writer.write(scores)

    try:
        yield write
        with _errors_of_writing(path, argument):
            writer.finish()
            file.flush()
            os.fsync(file.fileno())
            file.close()
            part.replace(whole)
    finally:
        for close in (writer.finish, file.close, part.unlink):
            with suppress(OSError, ValueError):  # as after an error before
                close()


@contextmanager
def _errors_of_writing(path: Path, argument: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # a name with a zero byte is the latter
        raise FileError(f"{argument} {path}: {reason(error)}") from error


# --- formats --------------------------------------------------------------------------


class _ParquetScores:
    """Writes scores as Parquet, which has an end."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._writer: Any = None

    def write(self, scores: Any) -> None:
        from pyarrow.parquet import ParquetWriter

        if self._writer is None:
            self._writer = ParquetWriter(self._file, scores.schema)
        self._writer.write_batch(scores)

    def finish(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()


class _CsvScores:
    """Writes scores as CSV with a header."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._has_header = False

    def write(self, scores: Any) -> None:
        from pyarrow import csv

        if not self._has_header:
            self._has_header = True
            self._file.write(f"{','.join(scores.schema.names)}\n".encode())
        csv.write_csv(scores, self._file, csv.WriteOptions(include_header=False))

    def finish(self) -> None:
        pass


class _JsonScores:
    """Writes scores as JSON lines."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, scores: Any) -> None:
        for row in scores.to_pylist():
            values = {name: _json_value(value) for name, value in row.items()}
            self._file.write((json.dumps(values) + "\n").encode())

    def finish(self) -> None:
        pass


def _json_value(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


WRITERS: dict[str, Callable[[BinaryIO], Any]] = {
    ".parquet": _ParquetScores,
    ".csv": _CsvScores,
    ".jsonl": _JsonScores,
}
