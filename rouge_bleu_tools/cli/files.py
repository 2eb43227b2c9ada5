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
import itertools
import json
import math
import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, BinaryIO, cast

from .inputs import CommandError, reason

STANDARD_INPUT = Path("-")
PREDICTION, REFERENCES = "prediction", "references"  # the usual columns
_MAX_CHARACTERS = 1 << 24  # in a batch of more than one row
_N_AHEAD = 10_000  # rows that decide whether quotes are quoting
_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}


@dataclass(frozen=True)
class Texts:
    """Predictions, and a list of references for each."""

    predictions: list[str]
    references: list[list[str]]


Choice = Callable[[Sequence[str]], Sequence[str]]  # all columns of a table -> the wanted ones


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
        """Yield the lines with their ends.

        As in sacreBLEU, only a line feed ends a line; if there is none, a carriage return does.
        """
        for number, line in enumerate(self._encoded_lines(), start=1):
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise CommandError(
                    f"{self.name}, line {number}: the text is not UTF-8 ({error.reason})"
                ) from error

    def _encoded_lines(self) -> Iterator[bytes]:
        first = next(iter(self.file), b"")
        yield from [first] if first.endswith(b"\n") else first.splitlines(keepends=True)
        yield from self.file


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
    with _file_errors(str(path)):  # its name may be too long
        if not path.exists():
            raise CommandError(f"{path}: there is no such file")
        if path.is_dir():
            raise CommandError(f"{path}: this is a folder")


# --- tables ---------------------------------------------------------------------------


def _read_csv(
    source: Source, choose: Choice, n_rows: int, delimiter: str, quoting: str | None = None
) -> Iterator[Rows]:
    """Yield rows with as many cells as the header; pandas moves columns of longer rows."""
    csv.field_size_limit(2**31 - 1)
    records = _records(source, delimiter, quoting)
    header = next(records, None)
    if header is None:
        return
    wanted = choose(header)
    _check_columns(source.name, wanted, header, _delimiter_hint(header, delimiter))
    places = [header.index(name) for name in wanted]
    rows = enumerate(records, start=1)
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


def _records(source: Source, delimiter: str, quoting: str | None) -> Iterator[list[str]]:
    """Yield the header and the rows of CSV or TSV.

    Quotes around cells are quoting ("csv") or text ("none"). If `quoting` is None, a quoted header
    or the rows from the first such cell on decide.
    """
    lines, number, n_columns = source.lines(), 0, 0
    for line in lines:
        cells = _cells(line, delimiter)
        if quoting != "none" and '"' in line and any(cell[:1] == '"' for cell in cells):
            rest = itertools.chain([line], lines)
            if not n_columns:
                quoting = "csv"
            elif quoting is None:
                ahead = next(_batches(rest, _N_AHEAD, len))
                after = list(itertools.islice(lines, 1))
                place = f"{source.name}, row {number}"
                quoting = _found_quoting(ahead, delimiter, n_columns, place, is_cut=bool(after))
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
            f"{source.name}, row {number}: the quotes are not those of CSV ({error}). "
            "--quoting none reads quotes as text"
        ) from error


def _cells(line: str, delimiter: str) -> list[str]:
    return line.removesuffix("\n").removesuffix("\r").split(delimiter)


def _found_quoting(
    lines: Sequence[str], delimiter: str, n_columns: int, place: str, *, is_cut: bool
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
            f"{place}: the quotes may be quoting or text, since both readings have {n_columns} "
            f"columns: {''.join(lines[first:last]).rstrip()!r:.100}. Use --quoting csv or none"
        )
    is_needed = all(
        '"' in value or not value
        for row, record in zip(rows, records, strict=False)
        for cell, value in zip(row, record, strict=False)
        if cell[:1] == '"'
    )
    return "csv" if delimiter != "\t" or is_needed else "none"


def _delimiter_hint(header: Sequence[str], delimiter: str) -> str:
    others = [other for other in _DELIMITERS if other != delimiter and other in header[0]]
    if len(header) > 1 or not others:
        return ""
    return (
        f". The columns seem to be separated by {_DELIMITERS[others[0]]}, expected "
        f"{_DELIMITERS[delimiter]}"
    )


def _read_jsonl(source: Source, choose: Choice, n_rows: int) -> Iterator[Rows]:
    names: dict[str, None] = {}
    wanted: Sequence[str] | None = None
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
            wanted = choose(list(record)) if wanted is None else wanted
            _check_keys(record, wanted, f"{source.name}, {label}")
            names.update(dict.fromkeys(record))
            records.append(record)
        columns = {name: [record.get(name) for record in records] for name in wanted or ()}
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


def _read_json(source: Source, choose: Choice, n_rows: int) -> Iterator[Rows]:
    text = "".join(source.lines())
    if not text.strip():
        return
    value = _json_value(text, source.name)
    shape = "a list of objects, or an object with a list for each column"
    if isinstance(value, list):
        wanted = choose(list(value[0]) if value and isinstance(value[0], dict) else [])
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
        wanted = choose(names)
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


def _read_parquet(source: Source, choose: Choice, n_rows: int) -> Iterator[Rows]:
    import pyarrow
    from pyarrow.parquet import ParquetFile

    is_plain = source.size and source.file is source.raw and source.name != "standard input"
    given = source.name if is_plain else io.BytesIO(source.file.read())
    try:
        with ParquetFile(given, pre_buffer=False, buffer_size=1 << 20) as file:
            names, n_all = file.schema_arrow.names, file.metadata.num_rows
            wanted = choose(names)
            if n_all:
                _check_columns(source.name, wanted, names)
            n_read = 0
            for batch in file.iter_batches(n_rows, columns=list(wanted)):
                labels = [f"row {n_read + n + 1}" for n in range(batch.num_rows)]
                columns = {
                    name: _python_values(batch[name], name, source.name, labels) for name in wanted
                }
                n_read += batch.num_rows
                yield Rows(names, columns, labels, n_read / n_all)
    except pyarrow.ArrowException as error:
        raise CommandError(
            f"{source.name}: this is not a Parquet file ({reason(error)})"
        ) from error


def _python_values(column: Any, name: str, file: str, labels: Sequence[str]) -> list[Any]:
    """Return the values of a column of Arrow; an error names the row."""
    with suppress(Exception):
        values: list[Any] = column.to_pylist()
        return values
    for label, value in zip(labels, column, strict=True):
        try:
            value.as_py()
        except Exception as error:  # invalid UTF-8, unknown time zones, dates out of range
            raise CommandError(
                f"{file}, {label}: {name!r} cannot be read ({reason(error)})"
            ) from error
    return []


_READERS: dict[str, Callable[..., Iterator[Rows]]] = {
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
    path: Path, choose: Choice, n_rows: int = 1000, *, file_format: str | None = None, **how: Any
) -> Iterator[Rows]:
    """Yield columns of a table, at most `n_rows` rows at a time.

    `choose` takes the names of all columns and returns the wanted ones. `how` may have the
    `quoting` of CSV and TSV.
    """
    rows, extension = None, _extension(path, file_format)
    options = how if extension in (".csv", ".tsv") else {}
    with open_file(path) as source:
        for rows in _READERS[extension](source, choose, n_rows, **options):
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


# --- columns of a table ---------------------------------------------------------------

# Usual names, the more usual ones first; a number may follow, as in ref_2.
_SECONDS = "baseline second other system2 prediction2 hyp2 output2"
_REFERENCES = (
    "reference ref gold target tgt highlights label answer human human_reference "
    "reference_summary reference_translation ground_truth"
)
_PREDICTIONS = (
    "prediction pred filtered_resps hypothesis hyp output generated generated_text "
    "generated_summary generation candidate system model_output response"
)
_EITHER = "summary response translation text"  # the side that is missing


def usual_columns(names: Sequence[str]) -> tuple[str | None, list[str], str]:
    """Return the columns of predictions, references and a second system by their usual names.

    >>> usual_columns(["id", "ref_1", "ref_2", "Output"])
    ('Output', ['ref_1', 'ref_2'], '')
    """
    rest = list(names)

    def named(words: str) -> list[str]:
        found = []
        for word in words.split():
            matches = re.compile(rf"{word}s?([-_ ]?\d+)?", re.IGNORECASE).fullmatch
            found += [one for one in rest if matches(one)]
        rest[:] = [one for one in rest if one not in found]
        return found

    seconds, references, predictions = map(named, (_SECONDS, _REFERENCES, _PREDICTIONS))
    if predictions and not references:
        references = named(_EITHER)
    elif references and not predictions:
        predictions = named(_EITHER)
    return next(iter(predictions), None), references, next(iter(seconds), "")


def chosen_columns(
    names: Sequence[str], prediction: str | None, references: Sequence[str] | None
) -> list[str]:
    """Return the column of predictions and those of references: the named or the usual ones."""
    usual, usual_references, _ = usual_columns(names)
    if PREDICTION in names:
        usual = PREDICTION
    if REFERENCES in names:
        usual_references = [REFERENCES]
    prediction, references = prediction or usual, references or usual_references
    return [prediction or PREDICTION, *(references or [REFERENCES])]


# --- predictions and references -------------------------------------------------------

# Spaces and characters without a width, such as U+3000 and U+200B.
_INVISIBLE = re.compile("[\\s\u00ad\u200b-\u200f\u2060\ufeff]*")


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
    """Add references, and how files are read."""
    add = parser.add_argument
    add(
        "-r",
        "--reference",
        metavar="REF",
        nargs="+",
        action="extend",
        help=f"text files with references, or columns of a table ({REFERENCES})",
    )
    add("--format", choices=FORMATS, help="format of FILE, if its extension does not show it")
    add(
        "--quoting",
        choices=("csv", "none"),
        help="whether quotes around cells of CSV and TSV are quoting or text, if that is unclear",
    )
    add("--allow-empty", action="store_true", help="score empty and missing texts as empty")


def reading_options(namespace: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `read_rows` that flags set."""
    return {"file_format": namespace.format, "quoting": namespace.quoting}


def read_texts(namespace: argparse.Namespace, n_rows: int) -> Iterator[tuple[Texts, float]]:
    """Yield at most `n_rows` predictions with their references, and the share that was read."""
    path, allow_empty = namespace.file or STANDARD_INPUT, namespace.allow_empty
    if namespace.file is None and sys.stdin is not None and sys.stdin.isatty():
        raise CommandError("FILE is missing, and standard input is a terminal")
    name = display_name(path)
    if is_table(path, namespace.format):
        chosen: list[str] = []

        def choose(names: Sequence[str]) -> list[str]:
            chosen[:] = chosen_columns(names, namespace.prediction, namespace.reference)
            return list(dict.fromkeys(chosen))

        for rows in read_rows(path, choose, n_rows, **reading_options(namespace)):
            yield texts_of_rows(rows, chosen[0], chosen[1:], name, allow_empty), rows.share
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
        columns = list(zip(*lines, strict=True))
        labels = [f"line {n_read + n + 1}" for n in range(len(lines))]
        n_read += len(lines)
        names = [display_name(one) for one in paths]
        places = [f"{name}, {label}: the line" for label in labels]
        predictions = checked_predictions(columns[0], places, allow_empty)
        references = references_of_lines(columns[1:], labels, names[1:], allow_empty)
        yield Texts(predictions, references), share


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
    columns: Sequence[Sequence[str]], labels: Sequence[str], names: Sequence[str], allow_empty: bool
) -> list[list[str]]:
    """Return the references of each line, of a column for each file."""
    places = [f"{' and '.join(names)}, {label}" for label in labels]
    return _references(zip(*columns, strict=True), places, allow_empty)


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
                    if text is not None:
                        _check_text(text, f"{place}[{index}]")
                        references[row].append(text)
            elif value is not None:
                _check_text(value, place)
                if value.startswith(("['", '["')) and value.endswith(("']", '"]')):
                    raise CommandError(f"{place} is a printed list: use JSON lines for lists")
                references[row].append(value)
    shown = " and ".join(map(repr, reference_columns))
    places = [f"{name}, {label}: {shown}" for label in rows.labels]
    return Texts(predictions, _references(references, places, allow_empty))


def _references(
    references: Iterable[Sequence[str]], places: Sequence[str], allow_empty: bool
) -> list[list[str]]:
    """Return the references of each row, without blank ones if another has text."""
    kept = []
    for texts, place in zip(references, places, strict=True):
        visible = [text for text in texts if not _INVISIBLE.fullmatch(text)]
        kept.append(visible or list(filter(None, texts)) or [""] * allow_empty)
        if not kept[-1]:
            raise CommandError(f"{place}: there is no reference; --allow-empty scores an empty one")
    return kept


def checked_predictions(
    values: Sequence[Any], places: Sequence[str], allow_empty: bool
) -> list[str]:
    """Return predictions, which must be texts and, without `allow_empty`, not empty.

    A list of one text is that text, as in sample files of lm-eval.
    """
    texts = []
    for place, value in zip(places, values, strict=True):
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if value is None or value == "":
            if not allow_empty:
                what = "missing" if value is None else "empty"
                raise CommandError(f"{place} is {what}; --allow-empty scores it as an empty text")
        else:
            _check_text(value, place)
        texts.append(value or "")
    return texts


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
def complete_file(path: Path, flag: str) -> Iterator[BinaryIO]:
    """Open a file that gets its name when it is complete; after an error nothing is left."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f"{target.name[:40]}.{os.getpid()}.part")
    with _file_errors(f"{flag} {path}"):
        try:
            with part.open("wb") as file:
                yield file
            part.replace(target)
        finally:
            with suppress(OSError):
                part.unlink()


@contextmanager
def write_scores(path: Path, flag: str) -> Iterator[Callable[[Any], None]]:
    """Yield a function that writes record batches of Arrow to a file."""
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

    with complete_file(path, flag) as file:
        yield write
        if writer is not None:
            writer.close()


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
