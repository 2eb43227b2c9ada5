"""Tables: columns of texts, some rows at a time, for the command and the page.

A table is JSON lines (.jsonl), JSON (.json: objects, a list of them, or an object with a list for
each column), CSV or TSV with a header, Excel (.xlsx), Parquet, Arrow (.arrow, .feather), a log of
inspect-ai (.eval), or a folder of `datasets.save_to_disk`. It may be compressed (.gz) or come from a
pipe (`-`). Except for JSON and Excel, it may be larger than memory. Rows are numbered from 1, without
the header. `parts_of` finds the files of other folders.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import importlib
import io
import itertools
import json
import os
import re
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, cast

from .inputs import CommandError, reason

STANDARD_INPUT = Path("-")
DELIMITERS = {"comma": ",", "tab": "\t", "semicolon": ";", "bar": "|"}
_MARKS = {  # at the start of a file
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_DECODER, _NOT_SPACE = json.JSONDecoder(), re.compile(r"\S")
_SHAPE = "a list of objects, or an object with a list for each column"
_MAX_CHARACTERS = 1 << 24  # in a batch of more than one row
_N_AHEAD = 10_000  # rows that decide whether quotes are quoting

Choice = Callable[[Sequence[str]], Sequence[str]]  # all columns of a table -> the wanted ones


@dataclass
class Reading:
    """How a file is read: the user's flags, and the recognised format."""

    format: str | None = None
    delimiter: str | None = None
    quoting: str | None = None
    encoding: str | None = None
    limit: int | None = None  # of unpacked bytes; a larger file is refused while it is read
    notes: list[str] = field(default_factory=list)


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
    encoding: str

    @property
    def share(self) -> float:
        return min(1.0, self.raw.tell() / self.size) if self.size else 0.0

    def lines(self) -> Iterator[str]:
        """Yield the lines with their ends.

        As in sacreBLEU, only a line feed ends a line; if there is none, a carriage return does.
        """
        number, rest = 1, ""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        try:
            for encoded in itertools.chain(self.file, [b""]):
                text = rest + decoder.decode(encoded, final=not encoded)
                *lines, rest = text.split("\n")
                for line in lines:
                    yield f"{line}\n"
                number += len(lines)
            yield from filter(None, re.split("(?<=\r)", rest) if number == 1 else [rest])
        except UnicodeError as error:
            why = error.reason if isinstance(error, UnicodeDecodeError) else error
            shown = self.encoding.upper().removesuffix("-SIG")
            raise CommandError(
                f"{self.name}, line {number}: the text is not {shown} ({why}). "
                "Use --encoding, such as --encoding cp1252 for files of Windows"
            ) from error

    def seekable(self) -> Any:
        """Return the path of a plain file, or its content."""
        is_plain = self.size and self.file is self.raw and self.name != "standard input"
        return self.name if is_plain else io.BytesIO(self.file.read())


def check_size(name: str, size: int, reading: Reading) -> None:
    """Raise if a file has more unpacked bytes than it may have."""
    if reading.limit is not None and size > reading.limit:
        raise CommandError(f"{name}: too large (limit {reading.limit / 2**20:g} MB unpacked)")


class _Limited(io.RawIOBase):
    """A stream that raises when more bytes, or more commas, are read than a file may have.

    Each value that JSON separates by a comma takes some 70 bytes of memory.
    """

    def __init__(self, name: str, file: Any, reading: Reading) -> None:
        self._name, self._file, self._reading = name, file, reading
        self._size = self._n_commas = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        found = self._file.read(len(buffer))
        buffer[: len(found)] = found
        self._size += len(found)
        self._n_commas += found.count(b",")
        check_size(self._name, self._size, self._reading)
        most = (self._reading.limit or 0) // 10
        if self._n_commas > most:
            raise CommandError(f"{self._name}: too many values (limit {most:,} commas)")
        return len(found)


@contextmanager
def open_file(path: Path, reading: Reading) -> Iterator[Source]:
    """Open a file or standard input; an error names it."""
    name = display_name(path)
    with file_errors(name), ExitStack() as stack:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise CommandError("standard input is closed")
            raw = cast(io.BufferedReader, sys.stdin.buffer)
        else:
            check_exists(path)
            raw = stack.enter_context(path.open("rb"))
        is_compressed = raw.peek(2)[:2] == b"\x1f\x8b"
        status = os.fstat(raw.fileno())
        file: Any = gzip.GzipFile(fileobj=raw) if is_compressed else raw
        if reading.limit is not None and (
            is_compressed or _kind(path, reading.format) != ".parquet"
        ):
            file = io.BufferedReader(_Limited(name, file, reading), 1 << 16)
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        start = file.peek(4)
        found = next((_MARKS[mark] for mark in _MARKS if start.startswith(mark)), "utf-8")
        if found.startswith("utf-16") and reading.encoding is None:
            reading.notes.append("UTF-16")
        yield Source(name, file, cast(BinaryIO, raw), size, reading.encoding or found)


def start_of_input() -> bytes | None:
    """Return the first characters of standard input, which stay there; None if it has none."""
    buffer: Any = getattr(sys.stdin, "buffer", None)
    return buffer.peek(2000)[:2000] if hasattr(buffer, "peek") else None


def start_of(path: Path) -> str:
    """Return the first characters of a file."""
    if path == STANDARD_INPUT:
        start = start_of_input() or b""
    else:
        with open_file(path, Reading()) as source:
            start = source.file.read(2000)
    encoding = next((_MARKS[mark] for mark in _MARKS if start.startswith(mark)), "utf-8")
    return start.decode(encoding, errors="replace").lstrip()


@contextmanager
def file_errors(name: str) -> Iterator[None]:
    """Turn an error of the system, or of a damaged file, into one that names the file."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CommandError(f"{name}: the file is damaged ({reason(error)})") from error
    except OSError as error:
        raise CommandError(f"{name}: {reason(error)}") from error


def check_exists(path: Path) -> None:
    """Raise if a path is no file."""
    with file_errors(str(path)):  # its name may be too long
        if not path.exists():
            raise CommandError(f"{path}: there is no such file")


# --- CSV, TSV and Excel ---------------------------------------------------------------


def _read_csv(
    source: Source, reading: Reading, choose: Choice, n_rows: int, usual: str
) -> Iterator[Rows]:
    csv.field_size_limit(2**31 - 1)
    lines = source.lines()
    lines = itertools.dropwhile(lambda line: not line.strip("\r\n"), lines)
    first = next(lines, None)
    if first is None:
        return
    stated = re.fullmatch("sep=(.)[\r\n]*", first)  # by Excel and for it
    if stated:
        first = next(lines, "")
    plain = re.sub('"[^"]*"', "", first)
    found = stated[1] if stated else max((usual, *DELIMITERS.values()), key=plain.count)
    delimiter = reading.delimiter or found
    if delimiter != usual:
        names = {character: name for name, character in DELIMITERS.items()}
        reading.notes.append(f"separated by {names.get(delimiter, repr(delimiter))}s")
    lines = itertools.chain([first], lines)
    # Excel quotes cells in its tables of tabs, which are UTF-16.
    is_csv = delimiter != "\t" or source.encoding.startswith("utf-16")
    records = _records(source.name, lines, delimiter, reading.quoting, is_csv)
    yield from _rows_of_records(source, records, choose, n_rows)


def _rows_of_records(
    source: Source, records: Iterator[list[Any]], choose: Choice, n_rows: int
) -> Iterator[Rows]:
    """Yield rows with as many cells as the header; pandas moves columns of longer rows."""
    header = next(records, [])
    wanted = choose(header)
    _check_columns(source.name, wanted, header)
    places = [header.index(name) for name in wanted]
    rows = enumerate(records, start=1)
    for batch in batches(rows, n_rows, lambda row: sum(len(str(cell)) for cell in row[1])):
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


def _records(
    name: str, lines: Iterator[str], delimiter: str, quoting: str | None, is_csv: bool
) -> Iterator[list[str]]:
    """Yield the header and the rows of CSV or TSV.

    Quotes around cells are quoting ("csv") or text ("none"). If `quoting` is None, a quoted header
    or the rows from the first such cell on decide.
    """
    number = n_columns = 0
    for line in lines:
        cells = _cells(line, delimiter)
        if quoting != "none" and '"' in line and any(cell[:1] == '"' for cell in cells):
            rest = itertools.chain([line], lines)
            if not n_columns:
                quoting = "csv"
            elif quoting is None:
                ahead = next(batches(rest, _N_AHEAD, len))
                after = list(itertools.islice(lines, 1))
                place = f"{name}, row {number}"
                quoting = _found_quoting(ahead, delimiter, n_columns, place, is_csv, bool(after))
                rest = itertools.chain(ahead, after, lines)
            break
        if cells != [""]:
            yield cells
            number, n_columns = number + 1, n_columns or len(cells)
    else:
        return
    if quoting == "none":
        yield from (cells for line in rest if (cells := _cells(line, delimiter)) != [""])
        return
    try:
        for record in filter(None, csv.reader(rest, strict=True, delimiter=delimiter)):
            yield record
            number += 1
    except csv.Error as error:
        raise CommandError(
            f"{name}, row {number}: the quotes are not valid in CSV ({error}). "
            "Use --quoting none if quotes are text"
        ) from error


def _cells(line: str, delimiter: str) -> list[str]:
    return line.removesuffix("\n").removesuffix("\r").split(delimiter)


def _found_quoting(
    lines: Sequence[str], delimiter: str, n_columns: int, place: str, is_csv: bool, is_cut: bool
) -> str:
    """Return the reading in which all rows have `n_columns` cells.

    If both have, quotes are quoting in CSV, and in TSV if a writer needs each. A cell that
    would join rows of the other reading is an error, so nothing is joined or split silently.
    """
    reader = csv.reader(lines, strict=True, delimiter=delimiter)
    records, n_lines, is_valid = [], [0], True
    try:
        for record in reader:
            records.append(record)
            n_lines.append(reader.line_num)
    except csv.Error as error:
        is_valid = is_cut and bool(records) and "end of data" in str(error)
    records = list(filter(None, records))
    whole = lines[: n_lines[-1]] if is_valid else lines
    rows = [cells for line in whole if (cells := _cells(line, delimiter)) != [""]]
    is_text = all(len(row) == n_columns for row in rows)
    is_quoting = is_valid and all(len(record) == n_columns for record in records)
    if is_text != is_quoting:
        return "none" if is_text else "csv"
    if is_text and len(records) < len(rows):
        first, last = next(pair for pair in pairwise(n_lines) if pair[1] > pair[0] + 1)
        raise CommandError(
            f"{place}: the quotes may be quoting or text, because both give {n_columns} columns: "
            f"{''.join(lines[first:last]).rstrip()!r:.100}. Use --quoting csv or none"
        )
    is_needed = all(
        '"' in value or not value
        for row, record in zip(rows, records, strict=False)
        for cell, value in zip(row, record, strict=False)
        if cell[:1] == '"'
    )
    return "csv" if is_csv or is_needed else "none"


def _read_excel(source: Source, reading: Reading, choose: Choice, n_rows: int) -> Iterator[Rows]:
    """Yield the rows of the first sheet."""
    try:
        content = io.BytesIO(source.file.read())
        with zipfile.ZipFile(content) as parts:
            check_size(source.name, sum(one.file_size for one in parts.infolist()), reading)
        openpyxl = _imported("openpyxl", source.name, "rouge-bleu-full[xlsx]")
        book = openpyxl.load_workbook(content, read_only=True, data_only=True)
        rows = map(list, book.worksheets[0].iter_rows(values_only=True))
        records = (row for row in rows if any(cell is not None for cell in row))
        header = [str(name or "") for name in next(records, [])]
        yield from _rows_of_records(source, itertools.chain([header], records), choose, n_rows)
    except CommandError:
        raise
    except Exception as error:  # of zip, XML and openpyxl
        raise CommandError(f"{source.name}: this is not an Excel file ({reason(error)})") from error


def _imported(module: str, name: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise CommandError(
            f"{name} needs {module.partition('.')[0]}. Install it: pip install '{package}'"
        ) from error


# --- JSON -----------------------------------------------------------------------------


def _read_json(
    source: Source, reading: Reading, choose: Choice, n_rows: int, are_rows: bool = False
) -> Iterator[Rows]:
    """Yield the rows of lines with an object each; of other JSON, which is read as a whole.

    `are_rows`: a single object is a row, and has no lists of columns.
    """
    lines = source.lines()
    ahead = list(itertools.islice(lines, 2))
    is_second = are_rows or (len(ahead) == 2 and ahead[1].startswith("{"))
    if is_second and _is_object(ahead[:1]):
        if not are_rows:
            reading.notes.append("JSON lines")
        values = (
            (f"line {number}", value, len(line))
            for number, line in enumerate(itertools.chain(ahead, lines), start=1)
            for value in _json_values(line.rstrip(), source.name, number)
        )
        yield from _rows_of_objects(source, values, choose, n_rows)
        return
    found = _json_values("".join([*ahead, *lines]), source.name)
    if len(found) == 1 and isinstance(found[0], list):
        [found] = found
    elif len(found) == 1 and isinstance(found[0], dict) and not are_rows:
        wanted = choose(list(found[0]))
        if not any(isinstance(found[0].get(name), str) for name in wanted):
            found = _objects_of_columns(source.name, found[0], wanted)
    rows = ((f"row {number}", record, 0) for number, record in enumerate(found, start=1))
    yield from _rows_of_objects(source, rows, choose, n_rows)


def _is_object(lines: Sequence[str]) -> bool:
    with suppress(ValueError, RecursionError):
        return isinstance(json.loads("".join(lines)), dict)
    return False


def _json_values(text: str, name: str, number: int = 1) -> list[Any]:
    """Return the values of a text, one after another; `number` is that of its first line."""
    values: list[Any] = []
    start = _NOT_SPACE.search(text)
    try:
        while start:
            value, end = _DECODER.raw_decode(text, start.start())
            values.append(value)
            start = _NOT_SPACE.search(text, end)
    except json.JSONDecodeError as error:
        raise CommandError(
            f"{name}, line {number + error.lineno - 1}: this is not valid JSON ({error.msg} at "
            f"character {error.colno})"
        ) from error
    except (ValueError, RecursionError) as error:  # a very long number, very deep nesting
        raise CommandError(f"{name}: this JSON cannot be read ({reason(error)})") from error
    return values


def _rows_of_objects(
    source: Source, values: Iterable[tuple[str, Any, int]], choose: Choice, n_rows: int
) -> Iterator[Rows]:
    """Yield the rows of labelled JSON objects, which come with their numbers of characters."""
    names: dict[str, None] = {}
    wanted: Sequence[str] | None = None
    for batch in batches(values, n_rows, lambda one: one[2]):
        for label, record, _ in batch:
            place = f"{source.name}, {label}"
            if not isinstance(record, dict):
                kind = type(record).__name__
                raise CommandError(f"{place}: expected a JSON object, got {kind}")
            wanted = choose(list(record)) if wanted is None else wanted
            _check_keys(record, wanted, place)
            names.update(dict.fromkeys(record))
        columns = {name: [record.get(name) for _, record, _ in batch] for name in wanted or ()}
        yield Rows(list(names), columns, [label for label, *_ in batch], source.share)


def _check_keys(record: dict[str, Any], wanted: Sequence[str], place: str) -> None:
    """Raise if the first wanted key is missing, or all others are."""
    missing = [name for name in wanted if name not in record]
    if missing and (missing[0] == wanted[0] or len(missing) == len(wanted) - 1):
        keys = ", ".join(map(repr, record)) or "none"
        raise CommandError(f"{place}: the key {missing[0]!r} is missing; the keys are {keys}")


def _objects_of_columns(
    name: str, columns: dict[str, Any], wanted: Sequence[str]
) -> list[dict[str, Any]]:
    """Return an object for each row, with values in the wanted columns only."""
    _check_columns(name, wanted, list(columns))
    for column in wanted:
        values, first = columns[column], columns[wanted[0]]
        if not isinstance(values, list) or len(values) != len(first):
            size = f" of {len(values):,}" if isinstance(values, list) else ""
            raise CommandError(
                f"{name}: {column!r} must be a list with the value of each row, got "
                f"{type(values).__name__}{size}: the file must hold {_SHAPE}, as pandas writes "
                'with to_json(..., orient="records")'
            )
    rows = zip(*(columns[one] for one in wanted), strict=True) if wanted else [()]
    return [dict.fromkeys(columns) | dict(zip(wanted, row, strict=True)) for row in rows]


# --- Arrow ----------------------------------------------------------------------------


def _read_parquet(source: Source, reading: Reading, choose: Choice, n_rows: int) -> Iterator[Rows]:
    from pyarrow.parquet import ParquetFile

    with _arrow_errors(source.name, "a Parquet"):
        given, repeated = source.seekable(), None
        if reading.limit is not None:  # a text that is repeated may be stored once
            schema = ParquetFile(given).schema
            leaves = map(schema.column, range(len(schema)))
            repeated = [one.path for one in leaves if one.physical_type == "BYTE_ARRAY"]
        how = {"pre_buffer": False, "buffer_size": 1 << 20, "read_dictionary": repeated}
        with ParquetFile(given, **how) as file:
            groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
            check_size(source.name, sum(one.total_byte_size for one in groups), reading)

            def batches_of(wanted: list[str]) -> Iterator[Any]:
                size = 0
                for batch in file.iter_batches(n_rows, columns=wanted):
                    if reading.limit is not None:
                        size += sum(map(_unpacked_size, batch.columns))
                        check_size(source.name, size, reading)
                    yield batch

            names, n_all = file.schema_arrow.names, file.metadata.num_rows
            yield from _rows_of_arrow(source.name, names, n_all, choose, batches_of)


def _unpacked_size(column: Any) -> int:
    """Return the bytes of a column of Arrow when each value is stored by itself."""
    from pyarrow import compute, types

    if types.is_dictionary(column.type):
        lengths = compute.binary_length(column.dictionary).take(column.indices)
        return len(column) + (compute.sum(lengths).as_py() or 0)
    if types.is_list(column.type) or types.is_large_list(column.type):
        return len(column) + _unpacked_size(column.flatten())
    return int(column.nbytes)


def _read_arrow(source: Source, reading: Reading, choose: Choice, n_rows: int) -> Iterator[Rows]:
    """Yield the rows of a file or stream of Arrow, or of Feather."""
    import pyarrow as pa

    with _arrow_errors(source.name, "an Arrow"):
        given = source.seekable()
        file = pa.memory_map(given) if isinstance(given, str) else given
        is_stream = file.read(6) != b"ARROW1"
        file.seek(0)
        table = (pa.ipc.open_stream(file) if is_stream else pa.ipc.open_file(file)).read_all()
        names, n_all = table.column_names, table.num_rows
        yield from _rows_of_arrow(
            source.name,
            names,
            n_all,
            choose,
            lambda wanted: table.select(wanted).to_batches(max_chunksize=n_rows),
        )


def _read_inspect(source: Source, reading: Reading, choose: Choice, n_rows: int) -> Iterator[Rows]:
    """Yield the samples of a log of inspect-ai, by its own reader."""
    log = _imported("inspect_ai.log", source.name, "inspect-ai")
    unread = {"messages", "store", "events", "attachments"}
    try:
        samples = list(log.read_eval_log_samples(source.name, exclude_fields=unread))
    except Exception as error:
        raise CommandError(f"{source.name}: the log cannot be read ({reason(error)})") from error
    rows = []
    for one in samples:
        row = {"id": one.id, "epoch": one.epoch, "output": one.output.completion}
        label = f"sample {one.id} of epoch {one.epoch}"
        rows.append((label, {**row, "target": one.target}, len(one.output.completion)))
    yield from _rows_of_objects(source, rows, choose, n_rows)


def _read_folder(path: Path, choose: Choice, n_rows: int) -> Iterator[Rows]:
    """Yield the rows of a folder that `datasets` saved."""
    import datasets

    name = str(path)
    try:
        data = datasets.load_from_disk(name)
    except Exception as error:
        raise CommandError(f"{name}: the dataset cannot be read ({reason(error)})") from error
    if isinstance(data, datasets.DatasetDict):
        splits = " or ".join(str(path / split) for split in data)
        raise CommandError(f"{name}: this folder has several datasets. Name one: {splits}")
    with _arrow_errors(name, "an Arrow"):
        yield from _rows_of_arrow(
            name,
            data.column_names,
            len(data),
            choose,
            lambda wanted: data.select_columns(wanted).with_format("arrow").iter(n_rows),
        )


@contextmanager
def _arrow_errors(name: str, kind: str) -> Iterator[None]:
    import pyarrow

    try:
        yield
    except pyarrow.ArrowException as error:
        raise CommandError(f"{name}: this is not {kind} file ({reason(error)})") from error


def _rows_of_arrow(
    name: str,
    names: Sequence[str],
    n_all: int,
    choose: Choice,
    batches_of: Callable[[list[str]], Iterable[Any]],
) -> Iterator[Rows]:
    wanted = list(choose(names))
    if n_all:
        _check_columns(name, wanted, names)
    if not wanted and n_all:
        yield Rows(names, {}, [], 0.0)
        return
    n_read = 0
    for batch in batches_of(wanted):
        labels = [f"row {n_read + n + 1}" for n in range(batch.num_rows)]
        columns = {one: _python_values(batch.column(one), one, name, labels) for one in wanted}
        n_read += batch.num_rows
        yield Rows(names, columns, labels, n_read / n_all)


def _python_values(column: Any, name: str, file: str, labels: Sequence[str]) -> list[Any]:
    """Return the values of a column of Arrow; an error names its rows."""
    try:
        values: list[Any] = column.to_pylist()
    except Exception as error:  # invalid UTF-8, unknown time zones, dates out of range
        place = f"{file}, {labels[0]} to {labels[-1]}"
        raise CommandError(f"{place}: {name!r} cannot be read ({reason(error)})") from error
    return values


# --- any table ------------------------------------------------------------------------

_READERS: dict[str, Callable[..., Iterator[Rows]]] = {
    ".jsonl": partial(_read_json, are_rows=True),
    ".json": _read_json,
    ".csv": partial(_read_csv, usual=","),
    ".tsv": partial(_read_csv, usual="\t"),
    ".parquet": _read_parquet,
    ".arrow": _read_arrow,
    ".feather": _read_arrow,
    ".xlsx": _read_excel,
    ".eval": _read_inspect,
}
EXTENSIONS = tuple(_READERS)
FORMATS = ("text", *(extension[1:] for extension in EXTENSIONS))
_FOLDER = "folder"


def _kind(path: Path, given: str | None) -> str:
    """Return the extension of a file; of standard input as its first characters show it."""
    if given:
        return f".{given}"
    if path == STANDARD_INPUT:
        start = start_of_input() or b""
        is_json = re.match(rb'\s*(\{\s*"|\[\s*\{)', start.removeprefix(codecs.BOM_UTF8))
        return ".json" if is_json else ".parquet" if start.startswith(b"PAR1") else ""
    if os.path.isdir(path):
        return _FOLDER
    is_compressed = path.suffix.lower() == ".gz"
    return (path.with_suffix("") if is_compressed else path).suffix.lower()


def is_table(path: Path, given: str | None = None) -> bool:
    """Whether a file has columns, by its extension or by its stated format.

    >>> is_table(Path("a.csv.gz")), is_table(Path("a.txt")), is_table(Path("-"), "jsonl")
    (True, False, True)
    """
    return _kind(path, given) in (*_READERS, _FOLDER)


def parts_of(path: Path, given: str | None = None) -> list[Path]:
    """Return the files of a table: itself, or those of a folder, which are of one kind.

    Results of lm-eval, lighteval and inspect-ai are one file for each task and run: there must be one.
    """
    if not os.path.isdir(path) or _is_saved(path):
        return [path]
    hidden, of_run = "^[._]|/[._]", r"samples_.*\.jsonl$|details_.*\.parquet$|.*\.eval$"
    files = [one for one in sorted(path.rglob("*")) if one.is_file()]
    files = [one for one in files if not re.search(hidden, one.relative_to(path).as_posix())]
    runs = [one for one in files if re.match(of_run, one.name)]
    if runs[1:]:
        listed = ", ".join(map(str, runs[:10]))
        raise CommandError(
            f"{path}: this folder has the results of {len(runs)} runs. Name one: {listed}"
        )
    found = runs or [one for one in files if is_table(one, given)]
    kinds = sorted({_kind(one, given) for one in found})
    if len(kinds) != 1:
        fault = f"files of several kinds ({', '.join(kinds)})" if kinds else "no table"
        raise CommandError(f"{path}: this folder has {fault}")
    return found


def _is_saved(path: Path) -> bool:
    """Whether `datasets` has saved a folder."""
    return any((path / name).is_file() for name in ("state.json", "dataset_dict.json"))


def read_rows(
    path: Path, choose: Choice, n_rows: int = 1000, reading: Reading | None = None
) -> Iterator[Rows]:
    """Yield columns of a table, at most `n_rows` rows at a time.

    `choose` takes the names of all columns and returns the wanted ones.
    """
    rows, reading = None, reading or Reading()
    kind = _kind(path, reading.format)
    if kind == _FOLDER:
        yield from _read_folder(path, choose, n_rows)
        return
    with open_file(path, reading) as source:
        for rows in _READERS[kind](source, reading, choose, n_rows):
            yield rows
    if rows is None:
        raise CommandError(f"{display_name(path)}: the file has no rows")


def _check_columns(name: str, wanted: Iterable[str], names: Sequence[str]) -> None:
    for column in wanted:
        if names.count(column) > 1:
            raise CommandError(f"{name}: there are {names.count(column)} columns {column!r}")
        if column not in names:
            raise missing_column(name, column, names)


def missing_column(file: str, column: str, names: Sequence[str], remedy: str = "") -> CommandError:
    """Return an error that lists the columns of a file."""
    shown = ", ".join(f"{one!r:.80}" for one in names[:20])
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    return CommandError(
        f"{file}: there is no column {column!r}; the columns are {shown}{more}{remedy}"
    )


def batches(
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
