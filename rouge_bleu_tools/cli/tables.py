"""Tables: columns of texts, some rows at a time, for the command and the page.

A table is JSON lines (.jsonl), JSON (.json: objects, a list of them, or an object with a list for
each column), CSV or TSV with a header, Excel (.xlsx), Parquet, Arrow (.arrow, .feather), a log of
inspect-ai (.eval), or a folder of `datasets.save_to_disk`. It may be compressed (.gz) or come from a
pipe (`-`). Except for JSON and Excel, it may be larger than memory. Rows are numbered from 1, without
the header. Blank rows between others count. `parts_of` finds the files of other folders.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import importlib
import io
import itertools
import json
import math
import operator
import os
import re
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
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
_UNREAD = {  # patterns of other starts, and what is said of such files
    rb"BZh\d1AY&SY": "a bzip2 file. Unpack it",
    rb"\xfd7zXZ\0": "an xz file. Unpack it",
    rb"\x28\xb5\x2f\xfd": "a zstd file. Unpack it",
    rb"PK\x03\x04": "an Excel or zip file. Use --format xlsx, or unpack it",
    rb"\xd0\xcf\x11\xe0": "an old Excel file. Save it as .xlsx or CSV",
}
_UNREAD_NAME = r"\.(bz2|xz|zst|zip|xls|xlsb|ods)$"  # left out of folders
_UTF_16 = {
    rb"([\t\n\r -~]\0){2}": "utf-16-le",
    rb"(\0[\t\n\r -~]){2}": "utf-16-be",
}  # without a mark
_DECODER, _NOT_SPACE = json.JSONDecoder(), re.compile(r"\S")
_MAX_CHARACTERS = 1 << 24  # in a batch of more than one row
_BLANK: dict[str, Any] = {}  # what readers yield for a blank row; compared by `is`

Choice = Callable[[Sequence[str]], Sequence[str]]  # all columns of a table -> the wanted ones
ArrowTable = tuple[list[str], int, Callable[[list[str]], Iterable[Any]]]  # columns, rows, batches
Objects = Iterator[tuple[str, Any, int]]  # label, object by column, its number of characters


@dataclass
class Reading:
    """How a file is read: the user's flags, and the recognised format."""

    format: str | None = None
    delimiter: str | None = None
    quoting: str | None = None
    encoding: str | None = None
    limit: int | None = None  # of unpacked bytes; larger and compressed files are refused
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Rows:
    """Some rows of a table, or of text files, whose columns are their names."""

    file: str | None  # None for text files
    names: Sequence[str]  # all columns, as far as the file was read
    columns: dict[str, list[Any]]  # the wanted ones
    labels: Sequence[str]  # how errors name each row, such as "line 3"
    share: float  # how much of the file was read, from 0 to 1; 0 if it is unknown

    def place(self, row: int, names: Sequence[str]) -> str:
        """Return how errors name the values of a row in some columns."""
        if self.file is None:
            return f"{' and '.join(names)}, {self.labels[row]}: the line"
        return f"{self.file}, {self.labels[row]}: {' and '.join(map(repr, names))}"


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
            with file_errors(self.name):  # other files may be open
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


def check_size(name: str, size: float, reading: Reading) -> None:
    """Raise if a file has more unpacked bytes than it may have."""
    if reading.limit is not None and size > reading.limit:
        raise CommandError(f"{name}: too large (limit {reading.limit / 2**20:g} MB unpacked)")


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
            raw = stack.enter_context(path.open("rb"))
        unread = next((_UNREAD[start] for start in _UNREAD if re.match(start, raw.peek(10))), "")
        if unread and _kind(path, reading.format) not in (".xlsx", ".eval"):
            raise CommandError(f"{name}: this is {unread}")
        is_compressed = raw.peek(2)[:2] == b"\x1f\x8b"
        status = os.fstat(raw.fileno())
        file: Any = gzip.GzipFile(fileobj=raw) if is_compressed else raw
        if reading.limit is not None and _kind(path, reading.format) != ".parquet":
            # What JSON separates by a comma takes some 70 bytes of memory.
            n_bytes = math.inf if is_compressed else 10 * path.read_bytes().count(b",")
            check_size(name, n_bytes, reading)
        size = status.st_size if stat.S_ISREG(status.st_mode) else 0
        start = file.peek(4)
        unmarked = next((_UTF_16[one] for one in _UTF_16 if re.match(one, start)), "utf-8")
        found = next((_MARKS[mark] for mark in _MARKS if start.startswith(mark)), unmarked)
        if found.startswith("utf-16") and reading.encoding is None:
            reading.notes.append("UTF-16")
        yield Source(name, file, cast(BinaryIO, raw), size, reading.encoding or found)


def start_of_input() -> bytes | None:
    """Return the first characters of standard input, which stay there; None if it has none."""
    buffer: Any = getattr(sys.stdin, "buffer", None)
    return buffer.peek(2000)[:2000] if hasattr(buffer, "peek") else None


@contextmanager
def file_errors(name: str) -> Iterator[None]:
    """Turn an error of the system, or of a damaged file, into one that names the file."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CommandError(f"{name}: the file is damaged ({reason(error)})") from error
    except OSError as error:
        raise CommandError(f"{name}: {reason(error)}") from error


# --- CSV, TSV and Excel ---------------------------------------------------------------


def _read_csv(source: Source, reading: Reading, choose: Choice, *, usual: str) -> Objects:
    csv.field_size_limit(2**31 - 1)
    lines = source.lines()
    first = next((line for line in lines if line.strip("\r\n")), "")
    stated = re.fullmatch("sep=(.)[\r\n]*", first)  # by Excel and for it
    if stated:
        first = next(lines, "")
    plain = re.sub('"[^"]*"', "", first)
    found = stated[1] if stated else max((usual, *DELIMITERS.values()), key=plain.count)
    delimiter = reading.delimiter or found
    if delimiter != usual:
        names = {character: name for name, character in DELIMITERS.items()}
        reading.notes.append(f"separated by {names.get(delimiter, repr(delimiter))}s")
    # Excel quotes cells in its tables of tabs, which are UTF-16.
    is_csv = delimiter != "\t" or source.encoding.startswith("utf-16")
    lines = itertools.chain([first], lines)
    records = _records(source.name, lines, delimiter, reading.quoting, is_csv)
    yield from _objects_of_records(source.name, records)


def _objects_of_records(name: str, records: Iterable[list[Any]]) -> Objects:
    """Yield objects for the rows below a header; a blank row has no values.

    Pandas moves columns of longer rows. Columns of one name get numbers that make new names.
    """
    header: list[str] = []
    for number, record in enumerate(itertools.dropwhile(operator.not_, records)):
        label = f"row {number} of the data"
        if not header:
            given = ["" if cell is None else str(cell) for cell in record]
            header = list(given)
            for column in {one for one in given if given.count(one) > 1}:
                names = (f"{column} ({n})" for n in itertools.count(1))
                free = (one for one in names if one not in given)
                while column in header:
                    header[header.index(column)] = next(free)
        elif record and len(record) != len(header):
            raise CommandError(
                f"{name}, {label}: the row has {len(record)} values and the header {len(header)}. "
                "Quote cells that contain the delimiter"
            )
        elif record and record == given:
            raise CommandError(f"{name}, {label}: the header is repeated. Delete this row")
        else:
            size = sum(len(cell) for cell in record if isinstance(cell, str))
            yield label, dict(zip(header, record, strict=True)) if record else _BLANK, size


def _records(
    name: str, lines: Iterator[str], delimiter: str, quoting: str | None, is_csv: bool
) -> Iterator[list[str]]:
    """Yield the header and the rows of CSV or TSV.

    Quotes around cells are quoting ("csv") or text ("none"). With tabs and no quoted header, only
    the user knows: pandas would join lines, and change texts, silently.
    """
    first = next(lines)
    quoting = quoting or ("csv" if is_csv or first[:1] == '"' else None)
    lines = itertools.chain([first], lines)
    if quoting == "csv":
        reader, number = csv.reader(lines, strict=True, delimiter=delimiter), 1
        try:
            for record in reader:
                yield record
                number = reader.line_num + 1  # of the next row
        except csv.Error as error:
            raise CommandError(
                f"{name}, line {number}: the quotes are not valid in CSV ({error}). "
                "Use --quoting none if quotes are text"
            ) from error
        return
    for number, line in enumerate(lines, start=1):
        cells = line.removesuffix("\n").removesuffix("\r").split(delimiter)
        if quoting is None and any(cell[:1] == '"' for cell in cells):
            raise CommandError(
                f"{name}, line {number}: the quotes are text, or a program has quoted cells. Use "
                "--quoting none for text, --quoting csv for files of pandas or Excel"
            )
        yield cells if cells != [""] else []


def _read_excel(source: Source, reading: Reading, choose: Choice) -> Objects:
    """Yield the rows of the first sheet."""
    try:
        content = io.BytesIO(source.file.read())
        with zipfile.ZipFile(content) as parts:
            check_size(source.name, sum(one.file_size for one in parts.infolist()), reading)
        openpyxl = _imported("openpyxl", source.name, "rouge-bleu-full[xlsx]")
        sheets = openpyxl.load_workbook(content, read_only=True, data_only=True).worksheets
        if sheets[1:]:
            reading.notes.append(f"sheet {sheets[0].title!r}, the first of {len(sheets)}")
        rows = ([*map(_shown, row)] for row in sheets[0].iter_rows())
        blank_as_empty = (row if {*map(type, row)} != {type(None)} else [] for row in rows)
        yield from _objects_of_records(source.name, blank_as_empty)
    except CommandError:
        raise
    except Exception as error:  # of zip, XML and openpyxl
        raise CommandError(
            f"{source.name}: this is not an .xlsx file ({reason(error)}). Save it as .xlsx or CSV, "
            "or say its --format"
        ) from error


def _shown(cell: Any) -> Any:
    """Return the value of a cell.

    Numbers of up to 15 digits without a format of their own are texts, as Excel shows them.
    """
    is_number = isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool)
    text = f"{cell.value:.15g}" if is_number and cell.number_format == "General" else ""
    return text if text and "e" not in text and float(text) == cell.value else cell.value


def _imported(module: str, name: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise CommandError(
            f"{name} needs {module.partition('.')[0]}. Install it: pip install '{package}'"
        ) from error


# --- JSON -----------------------------------------------------------------------------


def _read_json(source: Source, reading: Reading, choose: Choice, *, has_columns: bool) -> Objects:
    """Yield an object for each line; other JSON is read as a whole."""
    lines = source.lines()
    ahead: list[str] = []  # lines up to the second one with text
    filled: list[str] = []
    while len(filled) < 2 and (line := next(lines, "")):
        ahead.append(line)
        filled += [line] * (not line.isspace())
    if len(filled) == 2 and re.fullmatch(r"\s*\{.*\}\s*", filled[0]):
        for number, line in enumerate(itertools.chain(ahead, lines), start=1):
            for value in _json_values(line.rstrip(), source.name, number) or [_BLANK]:
                yield f"line {number}", value, len(line)
        return
    found = _json_values("".join([*ahead, *lines]), source.name)
    if len(found) == 1 and isinstance(found[0], list):
        [found] = found
    elif len(found) == 1 and has_columns:
        found = _objects_of_columns(source.name, found[0], choose)
    for number, value in enumerate(found, start=1):
        yield f"row {number}", value, 0


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


def _objects_of_columns(name: str, value: Any, choose: Choice) -> list[Any]:
    """Return the rows of an object of columns, which are lists, or objects as pandas writes them.

    Any other object is a row.
    """
    try:
        wanted = list(choose(list(value))) if isinstance(value, dict) else []
    except CommandError as error:
        lists = [name for name in value if isinstance(value[name], list)]
        lists = [name for name in lists if {*map(type, value[name])} == {dict}]
        remedy = f", or save the list {lists[0]!r} alone" if lists else ""
        raise CommandError(f"{error}{remedy}") from error
    columns = [value.get(one) for one in wanted]
    are_texts = any(isinstance(one, dict) and "text" in one for one in columns)
    if not columns or are_texts or not all(isinstance(one, (list, dict)) for one in columns):
        return [value]
    columns = [dict(enumerate(one)) if isinstance(one, list) else one for one in columns]
    if any(one.keys() != columns[0].keys() for one in columns):
        lengths = " and ".join(str(len(one)) for one in columns)
        raise CommandError(
            f"{name}: {' and '.join(map(repr, wanted))} must be lists of equal length, or objects "
            f"with equal keys, got {lengths} values. Use --format jsonl for a single row"
        )
    rows = ([one[key] for one in columns] for key in columns[0])
    return [dict.fromkeys(value) | dict(zip(wanted, row, strict=True)) for row in rows]


# --- Arrow ----------------------------------------------------------------------------


def _read_parquet(source: Source, reading: Reading, n_rows: int) -> ArrowTable:
    from pyarrow.parquet import ParquetFile

    given, repeated = source.seekable(), None
    if reading.limit is not None:  # a text that is repeated may be stored once
        schema = ParquetFile(given).schema
        leaves = map(schema.column, range(len(schema)))
        repeated = [one.path for one in leaves if one.physical_type == "BYTE_ARRAY"]
    how = {"pre_buffer": False, "buffer_size": 1 << 20, "read_dictionary": repeated}
    file = ParquetFile(given, **how)
    groups = map(file.metadata.row_group, range(file.metadata.num_row_groups))
    check_size(source.name, sum(one.total_byte_size for one in groups), reading)

    def batches_of(wanted: list[str]) -> Iterator[Any]:
        size = 0
        for batch in file.iter_batches(n_rows, columns=wanted):
            if reading.limit is not None:
                size += sum(map(_unpacked_size, batch.columns))
                check_size(source.name, size, reading)
            yield batch

    return file.schema_arrow.names, file.metadata.num_rows, batches_of


def _unpacked_size(column: Any) -> int:
    """Return the bytes of a column of Arrow when each value is stored by itself."""
    from pyarrow import compute, types

    if types.is_dictionary(column.type):
        lengths = compute.binary_length(column.dictionary).take(column.indices)
        return len(column) + (compute.sum(lengths).as_py() or 0)
    if types.is_list(column.type) or types.is_large_list(column.type):
        return len(column) + _unpacked_size(column.flatten())
    return int(column.nbytes)


def _read_arrow(source: Source, reading: Reading, n_rows: int) -> ArrowTable:
    """Return a file or stream of Arrow, or of Feather."""
    import pyarrow as pa

    given = source.seekable()
    file = pa.memory_map(given) if isinstance(given, str) else given
    is_stream = file.read(6) != b"ARROW1"
    file.seek(0)
    table = (pa.ipc.open_stream(file) if is_stream else pa.ipc.open_file(file)).read_all()

    def batches_of(wanted: list[str]) -> Any:
        return table.select(wanted).to_batches(max_chunksize=n_rows)

    return table.column_names, len(table), batches_of


@contextmanager
def _arrow_errors(name: str) -> Iterator[None]:
    import pyarrow

    try:
        yield
    except pyarrow.ArrowException as error:
        raise CommandError(f"{name}: the file cannot be read ({reason(error)})") from error


def _rows_of_arrow(name: str, table: ArrowTable, choose: Choice) -> Iterator[Rows]:
    names, n_all, batches_of = table
    if not n_all:
        return
    wanted = list(choose(names))
    _check_columns(name, wanted, names)
    if not wanted:
        yield Rows(name, names, {}, [], 0.0)
        return
    n_read = 0
    for batch in batches_of(wanted):
        labels = [f"row {n_read + n + 1}" for n in range(batch.num_rows)]
        rows = Rows(name, names, {}, labels, (n_read + batch.num_rows) / n_all)
        rows.columns.update((one, _python_values(batch.column(one), rows, one)) for one in wanted)
        n_read += batch.num_rows
        yield rows


def _python_values(column: Any, rows: Rows, name: str) -> list[Any]:
    """Return the values of a column of Arrow; an error names the row."""
    try:
        return list(column.to_pylist())
    except Exception:  # invalid UTF-8, unknown time zones, dates out of range
        for row, value in enumerate(column):
            try:
                value.as_py()
            except Exception as error:
                place = rows.place(row, [name])
                raise CommandError(f"{place} cannot be read ({reason(error)})") from error
        raise


def _read_inspect(source: Source, reading: Reading, choose: Choice) -> Objects:
    """Yield the samples of a log of inspect-ai, by its own reader."""
    log = _imported("inspect_ai.log", source.name, "inspect-ai")
    unread = {"messages", "store", "events", "attachments"}
    try:
        samples = list(log.read_eval_log_samples(source.name, exclude_fields=unread))
    except Exception as error:
        raise CommandError(f"{source.name}: the log cannot be read ({reason(error)})") from error
    for one in samples:
        output = one.output.completion
        row = {"id": one.id, "epoch": one.epoch, "output": output, "target": one.target}
        yield f"sample {one.id} of epoch {one.epoch}", row, len(output)


# --- any table ------------------------------------------------------------------------

_OBJECT_READERS: dict[str, Callable[[Source, Reading, Choice], Objects]] = {
    ".jsonl": partial(_read_json, has_columns=False),
    ".json": partial(_read_json, has_columns=True),
    ".csv": partial(_read_csv, usual=","),
    ".tsv": partial(_read_csv, usual="\t"),
    ".xlsx": _read_excel,
    ".eval": _read_inspect,
}
_ARROW_READERS = {".parquet": _read_parquet, ".arrow": _read_arrow, ".feather": _read_arrow}
EXTENSIONS = (*_OBJECT_READERS, *_ARROW_READERS)
FORMATS = ("text", *(extension[1:] for extension in EXTENSIONS))


def _kind(path: Path, given: str | None) -> str:
    """Return the extension of a file; of standard input as its first characters show it."""
    if given:
        return f".{given}"
    if path == STANDARD_INPUT:
        start = start_of_input() or b""
        is_json = re.match(rb'\s*(\{\s*"|\[\s*\{)', start.removeprefix(codecs.BOM_UTF8))
        return ".json" if is_json else ".parquet" if start.startswith(b"PAR1") else ""
    found = Path(re.sub(r"\.(gz|bz2|xz|zst|zip)$", "", str(path).lower())).suffix
    return ".xlsx" if found in (".xls", ".xlsm", ".xlsb", ".ods") else found


def is_table(path: Path, given: str | None = None) -> bool:
    """Whether a file has columns, by its extension or by its stated format.

    >>> is_table(Path("a.csv.gz")), is_table(Path("a.txt")), is_table(Path("-"), "jsonl")
    (True, False, True)
    """
    return os.path.isdir(path) or _kind(path, given) in EXTENSIONS


def parts_of(path: Path, given: str | None = None) -> list[Path]:
    """Return the files of a table: itself, or those of a folder, which are of one kind.

    Results of lm-eval, lighteval and inspect-ai are one file for each task and run: there must be one.
    """
    if not os.path.isdir(path):
        return [path]
    if (path / "dataset_dict.json").is_file():  # of datasets.save_to_disk
        splits = " or ".join(str(one.parent) for one in sorted(path.glob("*/state.json")))
        raise CommandError(f"{path}: this folder has several datasets. Name one: {splits}")
    state = path / "state.json"
    text = state.read_text("utf-8", errors="replace") if state.is_file() else ""
    if names := re.findall('"filename": "([^"]+)"', text):
        return [path / name for name in names]
    hidden, of_run = (
        rf"^[._]|/[._]|{_UNREAD_NAME}",
        r"samples_.*\.jsonl$|details_.*\.parquet$|.*\.eval$",
    )
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


def read_rows(
    path: Path, choose: Choice, n_rows: int = 1000, reading: Reading | None = None
) -> Iterator[Rows]:
    """Yield columns of a table, at most `n_rows` rows at a time.

    `choose` takes the names of all columns and returns the wanted ones.
    """
    reading = reading or Reading()
    kind, name, rows = _kind(path, reading.format), display_name(path), None
    with ExitStack() as stack:
        source = stack.enter_context(open_file(path, reading))
        if kind in _OBJECT_READERS:
            objects = _OBJECT_READERS[kind](source, reading, choose)
            found = _rows_of_objects(source, objects, choose, n_rows)
        else:
            stack.enter_context(_arrow_errors(name))
            found = _rows_of_arrow(name, _ARROW_READERS[kind](source, reading, n_rows), choose)
        for rows in found:
            yield rows
    if rows is None:
        raise CommandError(f"{name}: {'; '.join(['the file has no rows', *reading.notes])}")


def _without_blank_ends(objects: Objects) -> Objects:
    """Yield objects, and blank rows between them."""
    kept = []
    for one in itertools.dropwhile(lambda one: one[1] is _BLANK, objects):
        kept.append(one)
        if one[1] is not _BLANK:
            yield from kept
            kept.clear()


def _rows_of_objects(
    source: Source, objects: Objects, choose: Choice, n_rows: int
) -> Iterator[Rows]:
    names: dict[str, None] = {}
    wanted: Sequence[str] | None = None
    for batch in batches(_without_blank_ends(objects), n_rows, lambda one: one[2]):
        for label, record, _ in batch:
            if not isinstance(record, dict):
                kind = type(record).__name__
                raise CommandError(f"{source.name}, {label}: expected a JSON object, got {kind}")
            place = source.name if wanted is None else f"{source.name}, {label}"
            wanted = list(choose(list(record))) if wanted is None else wanted
            if record is not _BLANK and record.keys() != names.keys():
                missing = [one for one in wanted if one not in record]
                # A row may have some of several references only.
                if missing and (missing[0] == wanted[0] or len(missing) == len(wanted) - 1):
                    raise missing_columns(place, missing, list(record))
                names.update(dict.fromkeys(record))
        columns = {name: [record.get(name) for _, record, _ in batch] for name in wanted or ()}
        yield Rows(source.name, list(names), columns, [label for label, *_ in batch], source.share)
    _check_columns(source.name, wanted or (), list(names))


def _check_columns(name: str, wanted: Sequence[str], names: Sequence[str]) -> None:
    if missing := [column for column in wanted if column not in names]:
        raise missing_columns(name, missing, names)
    for column in wanted:
        if (n := names.count(column)) > 1:
            raise CommandError(f"{name}: there are {n} columns {column!r}. Rename one")


def missing_columns(
    file: str, columns: Sequence[str], names: Sequence[str], remedy: str = ""
) -> CommandError:
    """Return an error that lists the columns of a file."""
    shown = ", ".join(f"{one!r:.80}" for one in names[:20])
    more = f" and {len(names) - 20} more" if len(names) > 20 else ""
    missing = " or ".join(map(repr, columns))
    return CommandError(
        f"{file}: there is no column {missing}; the columns are {shown}{more}{remedy}"
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
