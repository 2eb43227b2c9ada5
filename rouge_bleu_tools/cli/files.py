"""Files of texts: predictions and references, some rows at a time, and files of scores.

A text file has a text on each line. A table is JSON lines (.jsonl), JSON (.json: a list of
objects, or an object with a list for each column), CSV or TSV with a header, or Parquet.
All may be compressed (.gz) or come from a pipe (`-`), in UTF-8. Except for JSON, a file may
be larger than memory. Rows of JSON, CSV and Parquet are numbered from 1 without the header.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import math
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, BinaryIO, cast

from .inputs import CommandError, reason

STANDARD_INPUT = Path("-")
PREDICTION, REFERENCES = "prediction", "references"  # the usual columns
_MAX_CHARACTERS = 1 << 24  # in a batch of more than one row
_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}


@dataclass(frozen=True)
class Texts:
    """Predictions, and a list of references for each."""

    predictions: list[str]
    references: list[list[str]]


@dataclass(frozen=True)
class Rows:
    """Some rows of a table."""

    names: Sequence[str]  # all columns of the file, as far as it was read
    columns: dict[str, list[Any]]  # the wanted ones
    labels: Sequence[str]  # how errors name each row, such as "line 3"
    share: float  # how much of the file was read, from 0 to 1; 0 if it is unknown


# --- opening --------------------------------------------------------------------------


def display_name(path: Path) -> str:
    """Return how messages name a file."""
    return "standard input" if path == STANDARD_INPUT else str(path)


@dataclass(frozen=True)
class Source:
    """An open file."""

    name: str
    file: BinaryIO  # uncompressed
    raw: BinaryIO  # its stream
    size: int  # of `raw` in bytes; 0 for a pipe

    @property
    def share(self) -> float:
        return min(1.0, self.raw.tell() / self.size) if self.size else 0.0

    def lines(self) -> Iterator[str]:
        """Yield the lines with their ends; only a line feed ends a line, as in sacreBLEU."""
        for number, line in enumerate(self.file, start=1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise CommandError(
                    f"{self.name}, line {number}: the text is not UTF-8 ({error.reason})"
                ) from error


@contextmanager
def open_file(path: Path) -> Iterator[Source]:
    """Open a file or standard input; an error names it."""
    name = display_name(path)
    with _file_errors(name), ExitStack() as stack:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise CommandError("standard input is closed")
            raw = cast(io.BufferedReader, sys.stdin.buffer)
        else:
            check_exists(path)
            raw = stack.enter_context(path.open("rb"))
        is_compressed = raw.peek(2)[:2] == b"\x1f\x8b"
        status = os.fstat(raw.fileno())
        file = gzip.GzipFile(fileobj=raw) if is_compressed else raw
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        yield Source(name, cast(BinaryIO, file), cast(BinaryIO, raw), size)


@contextmanager
def _file_errors(name: str) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CommandError(f"{name}: the file is damaged ({reason(error)})") from error
    except OSError as error:
        raise CommandError(f"{name}: {reason(error)}") from error


def check_exists(path: Path) -> None:
    """Raise if a path is no file."""
    if not path.exists():
        raise CommandError(f"{path}: there is no such file")
    if path.is_dir():
        raise CommandError(f"{path}: this is a folder")


# --- tables ---------------------------------------------------------------------------


def _read_csv(source: Source, wanted: Sequence[str], n_rows: int, delimiter: str) -> Iterator[Rows]:
    """Yield rows as Python's `csv` reads them; pandas moves columns of rows that are too long."""
    csv.field_size_limit(2**31 - 1)
    records = csv.reader(source.lines(), strict=True, delimiter=delimiter)
    try:
        header = next(filter(None, records), None)
        if header is None:
            return
        _check_columns(source.name, wanted, header, _delimiter_hint(header, delimiter))
        places = [header.index(name) for name in wanted]
        rows = enumerate(filter(None, records), start=1)
        for batch in _batches(rows, n_rows, lambda row: sum(map(len, row[1]))):
            for number, record in batch:
                if len(record) != len(header):
                    raise CommandError(
                        f"{source.name}, row {number}: the row has {len(record)} values and "
                        f"the header {len(header)}"
                    )
            columns = {
                name: [record[place] for _, record in batch]
                for name, place in zip(wanted, places, strict=True)
            }
            yield Rows(header, columns, [f"row {number}" for number, _ in batch], source.share)
    except csv.Error as error:
        kind = "CSV" if delimiter == "," else "TSV"
        raise CommandError(
            f"{source.name}, line {records.line_num}: this is not valid {kind} ({error})"
        ) from error


def _delimiter_hint(header: Sequence[str], delimiter: str) -> str:
    others = [other for other in _DELIMITERS if other != delimiter and other in header[0]]
    if len(header) > 1 or not others:
        return ""
    return (
        f". The columns seem to be separated by {_DELIMITERS[others[0]]}, expected "
        f"{_DELIMITERS[delimiter]}"
    )


def _read_jsonl(source: Source, wanted: Sequence[str], n_rows: int) -> Iterator[Rows]:
    names: dict[str, None] = {}
    lines = ((n, line) for n, line in enumerate(source.lines(), start=1) if line.strip())
    for batch in _batches(lines, n_rows, lambda numbered: len(numbered[1])):
        labels = [f"line {number}" for number, _ in batch]
        records = []
        for label, (_, line) in zip(labels, batch, strict=True):
            record = _json_value(line, f"{source.name}, {label}")
            if not isinstance(record, dict):
                raise CommandError(
                    f"{source.name}, {label}: each line must be a JSON object, got "
                    f"{type(record).__name__}"
                )
            _check_keys(record, wanted, f"{source.name}, {label}")
            names.update(dict.fromkeys(record))
            records.append(record)
        columns = {name: [record.get(name) for record in records] for name in wanted}
        yield Rows(list(names), columns, labels, source.share)


def _check_keys(record: dict[str, Any], wanted: Sequence[str], place: str) -> None:
    """Raise if the first wanted key is missing, or all others are."""
    missing = [name for name in wanted if name not in record]
    if missing and (missing[0] == wanted[0] or len(missing) == len(wanted) - 1):
        keys = ", ".join(map(repr, record)) or "none"
        raise CommandError(f"{place}: the key {missing[0]!r} is missing; the keys are {keys}")


def _json_value(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"character {error.pos + 1}"
        raise CommandError(f"{place}: this is not valid JSON ({error.msg} at {where})") from error
    except (ValueError, RecursionError) as error:  # a very long number, very deep nesting
        raise CommandError(f"{place}: this JSON cannot be read ({reason(error)})") from error


def _read_json(source: Source, wanted: Sequence[str], n_rows: int) -> Iterator[Rows]:
    text = "".join(source.lines())
    if not text.strip():
        return
    value = _json_value(text, source.name)
    shape = "a list of objects, or an object with a list for each column"
    if isinstance(value, list):
        for number, record in enumerate(value, start=1):
            if not isinstance(record, dict):
                raise CommandError(
                    f"{source.name}, row {number}: expected a JSON object, got "
                    f"{type(record).__name__}"
                )
            _check_keys(record, wanted, f"{source.name}, row {number}")
        names = list(dict.fromkeys(key for record in value for key in record))
        columns = {name: [record.get(name) for record in value] for name in wanted}
    elif isinstance(value, dict):
        names = list(value)
        _check_columns(source.name, wanted, names)
        columns = {name: value[name] for name in wanted}
        for name, column in columns.items():
            if not isinstance(column, list):
                raise CommandError(
                    f"{source.name}: {name!r} must be a list with the value of each row, got "
                    f"{type(column).__name__}: the file must hold {shape}, as pandas writes "
                    'with to_json(..., orient="records")'
                )
            if len(column) != len(columns[wanted[0]]):
                raise CommandError(
                    f"{source.name}: {name!r} has {len(column):,} values and {wanted[0]!r} has "
                    f"{len(columns[wanted[0]]):,}"
                )
    else:
        raise CommandError(f"{source.name}: the file must hold {shape}, got {type(value).__name__}")
    n_all = len(columns[wanted[0]]) if wanted else 1
    for first in range(0, n_all, n_rows):
        last = min(first + n_rows, n_all)
        some = {name: columns[name][first:last] for name in wanted}
        yield Rows(names, some, [f"row {n + 1}" for n in range(first, last)], last / n_all)


def _read_parquet(source: Source, wanted: Sequence[str], n_rows: int) -> Iterator[Rows]:
    import pyarrow
    from pyarrow.parquet import ParquetFile

    is_plain = source.size and source.file is source.raw and source.name != "standard input"
    given = source.name if is_plain else io.BytesIO(source.file.read())
    try:
        with ParquetFile(given, pre_buffer=False, buffer_size=1 << 20) as file:
            names, n_all = file.schema_arrow.names, file.metadata.num_rows
            if n_all:
                _check_columns(source.name, wanted, names)
            n_read = 0
            for batch in file.iter_batches(n_rows, columns=list(wanted)):
                columns = {name: batch[name].to_pylist() for name in wanted}
                labels = [f"row {n_read + n + 1}" for n in range(batch.num_rows)]
                n_read += batch.num_rows
                yield Rows(names, columns, labels, n_read / n_all)
    except pyarrow.ArrowException as error:
        raise CommandError(
            f"{source.name}: this is not a Parquet file ({reason(error)})"
        ) from error


_READERS: dict[str, Callable[[Source, Sequence[str], int], Iterator[Rows]]] = {
    ".jsonl": _read_jsonl,
    ".json": _read_json,
    ".csv": partial(_read_csv, delimiter=","),
    ".tsv": partial(_read_csv, delimiter="\t"),
    ".parquet": _read_parquet,
}
FORMATS = ("text", *(extension[1:] for extension in _READERS))


def _extension(path: Path, file_format: str | None) -> str:
    if file_format:
        return f".{file_format}"
    is_compressed = path.suffix.lower() == ".gz"
    return (path.with_suffix("") if is_compressed else path).suffix.lower()


def is_table(path: Path, file_format: str | None = None) -> bool:
    """Whether a file has columns, by its extension or by its stated format.

    >>> is_table(Path("a.csv.gz")), is_table(Path("a.txt")), is_table(Path("-"), "jsonl")
    (True, False, True)
    """
    return _extension(path, file_format) in _READERS


def read_rows(
    path: Path, wanted: Sequence[str], n_rows: int = 1000, file_format: str | None = None
) -> Iterator[Rows]:
    """Yield the wanted columns of a table, at most `n_rows` rows at a time."""
    rows = None
    with open_file(path) as source:
        for rows in _READERS[_extension(path, file_format)](source, wanted, n_rows):
            yield rows
    if rows is None:
        raise CommandError(f"{display_name(path)}: the file has no rows")


def _check_columns(name: str, wanted: Iterable[str], names: Sequence[str], hint: str = "") -> None:
    for column in wanted:
        if names.count(column) > 1:
            raise CommandError(f"{name}: there are {names.count(column)} columns {column!r}")
        if column not in names:
            shown = ", ".join(f"{one!r:.80}" for one in names[:20])
            more = f" and {len(names) - 20} more" if len(names) > 20 else ""
            raise CommandError(
                f"{name}: there is no column {column!r}; the columns are {shown}{more}{hint}"
            )


def _batches(
    values: Iterable[Any], size: int, n_characters: Callable[[Any], int]
) -> Iterator[list[Any]]:
    """Yield lists of `size` values, or of fewer where these are long."""
    batch, n = [], 0
    for value in values:
        batch.append(value)
        n += n_characters(value)
        if len(batch) == size or n >= _MAX_CHARACTERS:
            yield batch
            batch, n = [], 0
    if batch:
        yield batch


# --- predictions and references -------------------------------------------------------


def add_file_flags(parser: argparse.ArgumentParser) -> None:
    """Add FILE, references, columns and format."""
    add = parser.add_argument
    add(
        "file",
        metavar="FILE",
        type=Path,
        nargs="?",
        help="a text on each line, or a table; - or none is standard input",
    )
    add("--prediction", metavar="COLUMN", help=f"column of the predictions ({PREDICTION})")
    add_reference_flags(parser)


def add_reference_flags(parser: argparse.ArgumentParser) -> None:
    """Add references and the format of files."""
    add = parser.add_argument
    add(
        "-r",
        "--reference",
        metavar="REF",
        nargs="+",
        action="extend",
        help=f"text files with references, or columns of a table ({REFERENCES})",
    )
    add("--format", choices=FORMATS, help="format of FILE where its name does not tell")
    add("--allow-empty", action="store_true", help="score empty and missing predictions as empty")


def read_texts(namespace: argparse.Namespace, n_rows: int) -> Iterator[tuple[Texts, float]]:
    """Yield at most `n_rows` predictions with their references, and the share that was read."""
    path = namespace.file or STANDARD_INPUT
    if namespace.file is None and sys.stdin is not None and sys.stdin.isatty():
        raise CommandError("FILE is missing, and standard input is a terminal")
    name = display_name(path)
    if is_table(path, namespace.format):
        column, references = namespace.prediction or PREDICTION, namespace.reference or [REFERENCES]
        wanted = list(dict.fromkeys([column, *references]))
        for rows in read_rows(path, wanted, n_rows, namespace.format):
            yield texts_of_rows(rows, column, references, name, namespace.allow_empty), rows.share
        return
    if path != STANDARD_INPUT:
        check_exists(path)
    if namespace.prediction is not None:
        raise CommandError(
            f"--prediction names a column of a table, but {name} is read as text: "
            f"--format may be {', '.join(FORMATS[1:])}"
        )
    if not namespace.reference:
        raise CommandError(f"{name} is read as text: name the file of its references with -r")
    paths = [path, *map(Path, namespace.reference)]
    n_read = 0
    for lines, share in read_lines(paths, n_rows):
        columns = dict(zip(map(str, range(len(paths))), zip(*lines, strict=True), strict=True))
        labels = [f"line {n_read + n + 1}" for n in range(len(lines))]
        n_read += len(lines)
        names = [display_name(one) for one in paths]
        predictions = checked_predictions(
            columns["0"], [f"{name}, {label}: the line" for label in labels], namespace.allow_empty
        )
        yield Texts(predictions, references_of_lines(lines, labels, names[1:])), share


def read_lines(
    paths: Sequence[Path], n_rows: int = 1000
) -> Iterator[tuple[list[tuple[str, ...]], float]]:
    """Yield the lines with the same number of several text files, and the share that was read."""
    for path in paths[1:]:
        if is_table(path):
            raise CommandError(
                f"{path}: this is a table, expected a text file with one text per line"
            )
    if list(paths).count(STANDARD_INPUT) > 1:
        raise CommandError("standard input can be read only once, got - twice")
    with ExitStack() as stack:
        sources = [stack.enter_context(open_file(path)) for path in paths]
        counts = [0] * len(paths)

        def rows() -> Iterator[tuple[str, ...]]:
            for lines in zip_longest(*(source.lines() for source in sources)):
                for place, line in enumerate(lines):
                    counts[place] += line is not None
                if None not in lines:
                    yield tuple(line.removesuffix("\n").removesuffix("\r") for line in lines)

        for batch in _batches(rows(), n_rows, lambda row: sum(map(len, row))):
            yield batch, max(source.share for source in sources)
    for path, count in zip(paths, counts, strict=True):
        if not count:
            raise CommandError(f"{display_name(path)}: the file has no lines")
        if count != counts[0]:
            raise CommandError(
                f"{display_name(paths[0])} has {counts[0]:,} lines and {display_name(path)} has "
                f"{count:,}: line n of each file belongs to example n"
            )


def references_of_lines(
    lines: Sequence[Sequence[str]], labels: Sequence[str], names: Sequence[str]
) -> list[list[str]]:
    """Return the references of each row, without empty ones; the first file is no reference."""
    references = [[text for text in row[1:] if text] for row in lines]
    for label, texts in zip(labels, references, strict=True):
        if not texts:
            raise CommandError(f"{' and '.join(names)}, {label}: there is no reference")
    return references


def texts_of_rows(
    rows: Rows, column: str, reference_columns: Sequence[str], name: str, allow_empty: bool
) -> Texts:
    """Return predictions and references of some rows of a table."""
    places = [f"{name}, {label}: {column!r}" for label in rows.labels]
    predictions = checked_predictions(rows.columns[column], places, allow_empty)
    references: list[list[str]] = [[] for _ in rows.labels]
    for reference_column in reference_columns:
        for row, value in enumerate(rows.columns[reference_column]):
            place = f"{name}, {rows.labels[row]}: {reference_column!r}"
            if isinstance(value, list):
                for index, text in enumerate(value):
                    _check_text(text, f"{place}[{index}]")
                    if not text:
                        raise CommandError(f"{place}[{index}] must be a text, got an empty text")
                references[row] += value
            elif value is not None and value != "":
                _check_text(value, place)
                if value.startswith(("['", '["')) and value.endswith(("']", '"]')):
                    raise CommandError(f"{place} is a printed list: use JSON lines for lists")
                references[row].append(value)
    for label, texts in zip(rows.labels, references, strict=True):
        if not texts:
            shown = " and ".join(map(repr, reference_columns))
            raise CommandError(f"{name}, {label}: there is no reference in {shown}")
    return Texts(predictions, references)


def checked_predictions(
    values: Sequence[Any], places: Sequence[str], allow_empty: bool
) -> list[str]:
    """Return predictions, which must be texts and, without `allow_empty`, not empty."""
    for place, value in zip(places, values, strict=True):
        if value is None or value == "":
            if not allow_empty:
                what = "missing" if value is None else "empty"
                raise CommandError(f"{place} is {what}; --allow-empty scores it as an empty text")
        else:
            _check_text(value, place)
    return ["" if value is None else value for value in values]


def _check_text(value: Any, place: str) -> None:
    if not isinstance(value, str):
        shown = "nothing" if value is None else f"{type(value).__name__} {value!r:.40}"
        raise CommandError(f"{place} must be a text, got {shown}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise CommandError(
                f"{place} must be valid Unicode, got a lone surrogate at character "
                f"{error.start + 1}"
            ) from error


# --- files of scores ------------------------------------------------------------------


def check_output(path: Path, flag: str, extensions: Sequence[str], read: Sequence[Path]) -> None:
    """Raise, before any work, if a file cannot be written or is one that is read."""
    if path.suffix.lower() not in extensions:
        raise CommandError(
            f"{flag} {path}: the extension must be {', '.join(extensions)}, got "
            f"{path.suffix or 'none'!r}"
        )
    try:
        if path.exists() and not path.is_file():
            raise CommandError(f"{flag} {path}: this is not a regular file")
        if not path.parent.is_dir():
            raise CommandError(f"{flag} {path}: there is no folder {path.parent}")
        if any(other.exists() and path.exists() and path.samefile(other) for other in read):
            raise CommandError(f"{flag} {path}: this is an input file")
    except OSError as error:
        raise CommandError(f"{flag} {path}: {reason(error)}") from error


SCORE_FILES = (".parquet", ".csv", ".jsonl")


@contextmanager
def write_scores(path: Path, flag: str) -> Iterator[Callable[[Any], None]]:
    """Yield a function that writes record batches of Arrow to a file.

    The file gets its name when it is complete; after an error or Ctrl-C nothing is left.
    """
    target = Path(os.path.realpath(path))
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    writer: Any = None

    def write(batch: Any) -> None:
        nonlocal writer
        if path.suffix.lower() == ".jsonl":
            for row in batch.to_pylist():
                no_nan = {key: None if _is_nan(value) else value for key, value in row.items()}
                file.write((json.dumps(no_nan) + "\n").encode())
            return
        if writer is None:
            writer = _new_writer(path.suffix.lower(), file, batch.schema)
        writer.write_batch(batch)

    with _file_errors(f"{flag} {path}"):
        try:
            with part.open("wb") as file:
                yield write
                if writer is not None:
                    writer.close()
            part.replace(target)
        finally:
            with suppress(OSError):
                part.unlink()


def _new_writer(extension: str, file: Any, schema: Any) -> Any:
    if extension == ".parquet":
        from pyarrow.parquet import ParquetWriter

        return ParquetWriter(file, schema)
    from pyarrow import csv as arrow_csv

    options = arrow_csv.WriteOptions(quoting_style="none", include_header=False)
    file.write((",".join(schema.names) + "\n").encode())
    return arrow_csv.CSVWriter(file, schema, write_options=options)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)
