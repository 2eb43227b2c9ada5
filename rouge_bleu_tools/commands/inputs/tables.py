"""Files -> columns: JSON lines, CSV and Parquet in batches of rows, and texts by line.

`read_batches` gives a file as tables of some rows each and never holds more of it;
`read_table` is all of them in one. A row has the name that its file has for it, such as
"line 3"; rows of CSV and Parquet are counted from 1, without the header.

Memory depends on the longest row and not on the length of the file. Of Parquet with long
texts that repeat, which it stores once, a batch may be larger than intended.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from rouge_bleu_tools.commands.inputs.errors import FileError, reason

N_ROWS = 1_000  # of a batch
_MAX_CHARACTERS = 1 << 24  # of a batch with more than one row, about
_READ_BYTES = 1 << 20  # at a time, of each column of Parquet
_SHOWN_COLUMNS = 20  # in an error
_SHOWN_CHARACTERS = 80  # of the name of each
_MAX_CELL = 2**31 - 1  # the default of csv is less than a long document


@dataclass(frozen=True)
class Table:
    """The wanted columns of some rows.

    Parameters
    ----------
    column_names : sequence of str
        Those of the file, as far as it was read.
    columns : dict of str to list
    rows : sequence of str
        What the file calls each row.
    share : float
        How much of the file was read, from 0 to 1.
    """

    column_names: Sequence[str]
    columns: dict[str, list[Any]]
    rows: Sequence[str]
    share: float = 1.0


def read_table(path: Path, wanted: Sequence[str]) -> Table:
    """Return the wanted columns of a file, which has them all and at least one row."""
    tables = list(read_batches(path, wanted))
    return Table(
        tables[-1].column_names,
        {
            name: [value for table in tables for value in table.columns[name]]
            for name in wanted
        },
        [row for table in tables for row in table.rows],
    )


def read_batches(
    path: Path, wanted: Sequence[str], n_rows: int = N_ROWS
) -> Iterator[Table]:
    """Yield the wanted columns of a file, `n_rows` at a time, or fewer if rows are long.

    A column that the file lacks is an error at once. In JSON lines it is one behind the
    last row, and None in all rows before.
    """
    if path.suffix.lower() not in READERS:
        raise FileError(
            f"{path}: the extension must be {', '.join(READERS)}, got {path.suffix or 'none'!r}"
        )
    table = None
    with _errors_of_file(path):
        for table in READERS[path.suffix.lower()](path, wanted, n_rows):
            yield table
    if table is None:
        raise FileError(f"{path}: the file has no rows")
    check_columns(path, wanted, table.column_names)


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file, one or more, without their ends.

    Lines end with a line feed and nothing else, as in sacreBLEU.
    """
    with (
        _errors_of_file(path),
        path.open(encoding="utf-8-sig", newline="\n") as file,
    ):
        lines = [line.removesuffix("\n").removesuffix("\r") for line in file]
    if not lines:
        raise FileError(f"{path}: the file has no lines")
    return lines


@contextmanager
def _errors_of_file(path: Path) -> Iterator[None]:
    try:
        if not path.is_file():
            fault = "there is no such file"
            if path.exists():
                fault = f"this is {'a folder' if path.is_dir() else 'no regular file'}"
            raise FileError(f"{path}: {fault}")
        yield
    except OSError as error:
        raise FileError(f"{path}: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise FileError(
            f"{path}: the text is not UTF-8 ({error.reason} at byte {error.start})"
        ) from error


def check_columns(path: Path, wanted: Iterable[str], names: Sequence[str]) -> None:
    """Raise where a wanted column is not among those of the file, or is there twice."""
    for name in wanted:
        if name not in names:
            shown = ", ".join(
                f"{n!r:.{_SHOWN_CHARACTERS}}" for n in names[:_SHOWN_COLUMNS]
            )
            more = f" and {len(names) - _SHOWN_COLUMNS:,} more"
            raise FileError(
                f"{path}: there is no column {name!r}; the columns are {shown}"
                f"{more if len(names) > _SHOWN_COLUMNS else ''}"
            )
        if names.count(name) > 1:
            raise FileError(
                f"{path}: there are {names.count(name)} columns {name!r}; rename all but one"
            )


# --- JSON lines -----------------------------------------------------------------------


def _jsonl_batches(path: Path, wanted: Sequence[str], n_rows: int) -> Iterator[Table]:
    names: dict[str, None] = {}
    quoted_names = {name: json.dumps(name, ensure_ascii=False) for name in wanted}
    with path.open(encoding="utf-8-sig") as file:
        filled = ((n, line) for n, line in enumerate(file, start=1) if line.strip())
        for lines in _batches(filled, n_rows, lambda numbered: len(numbered[1])):
            rows = [f"line {number}" for number, _ in lines]
            records = [
                _record_of_line(line, f"{path}, {row}")
                for row, (_, line) in zip(rows, lines, strict=True)
            ]
            for name, quoted in quoted_names.items():
                for row, (_, line) in zip(rows, lines, strict=True):
                    if line.count(quoted) > 1:  # it may be a value too
                        _check_key(line, name, f"{path}, {row}")
            for record in records:
                if not names.keys() >= record.keys():
                    names.update(dict.fromkeys(record))
            columns = {
                name: [record.get(name) for record in records] for name in wanted
            }
            yield Table(list(names), columns, rows, _share_read(file, path))


def _record_of_line(line: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise FileError(
            f"{place}: this is not valid JSON ({error.msg} at character {error.pos + 1})"
        ) from error
    except ValueError as error:  # Python refuses to read very long integers
        raise FileError(f"{place}: a number has too many digits") from error
    except RecursionError as error:
        raise FileError(f"{place}: the JSON is nested too deeply") from error
    if not isinstance(record, dict):
        raise FileError(
            f"{place}: each line must be a JSON object, got {type(record).__name__}"
        )
    return record


def _check_key(line: str, name: str, place: str) -> None:
    """Raise where the object has a key twice, of which Python takes the last."""
    pairs = json.loads(line, object_pairs_hook=list)
    n_keys = [key for key, _ in pairs].count(name)
    if n_keys > 1:
        raise FileError(f"{place}: the object has the key {name!r} {n_keys} times")


# --- CSV ------------------------------------------------------------------------------


def _csv_batches(path: Path, wanted: Sequence[str], n_rows: int) -> Iterator[Table]:
    csv.field_size_limit(_MAX_CELL)
    with path.open(encoding="utf-8-sig", newline="") as file:
        records = _records(csv.reader(file, strict=True), path)
        header = next(filter(None, records), None)  # above it may be blank lines
        if header is None:
            return
        check_columns(path, wanted, header)
        numbered = enumerate((record for record in records if record), start=1)
        for batch in _batches(numbered, n_rows, lambda row: sum(map(len, row[1]))):
            rows = [f"row {number}" for number, _ in batch]
            for row, (_, record) in zip(rows, batch, strict=True):
                if len(record) != len(header):
                    raise FileError(
                        f"{path}, {row}: the row has {len(record)} values and the header "
                        f"{len(header)}"
                    )
            columns = {
                name: [record[header.index(name)] for _, record in batch]
                for name in wanted
            }
            _check_no_lists(path, columns, rows)
            yield Table(header, columns, rows, _share_read(file, path))


def _records(reader: Any, path: Path) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise FileError(
            f"{path}, line {reader.line_num}: this is not valid CSV ({error})"
        ) from error


def _check_no_lists(
    path: Path, columns: dict[str, list[str]], rows: Sequence[str]
) -> None:
    for name, cells in columns.items():
        for row, cell in zip(rows, cells, strict=True):
            if cell.startswith(("['", '["')) and cell.endswith(("']", '"]')):
                raise FileError(
                    f"{path}, {row}: {name!r} holds a written-out list; use JSON "
                    "lines, or one column for each reference"
                )


# --- Parquet --------------------------------------------------------------------------


def _parquet_batches(path: Path, wanted: Sequence[str], n_rows: int) -> Iterator[Table]:
    import pyarrow
    import pyarrow.parquet

    try:
        # Else a group of rows, or all groups one after the other, is held as a whole.
        with pyarrow.parquet.ParquetFile(
            path, pre_buffer=False, buffer_size=_READ_BYTES
        ) as file:
            names = file.schema_arrow.names
            if not file.metadata.num_rows:
                return
            check_columns(path, wanted, names)
            n_before = 0
            size = min(n_rows, _rows_of_parquet_batch(file.metadata, wanted))
            for batch in file.iter_batches(size, columns=list(wanted)):
                columns = {name: _parquet_values(batch[name]) for name in wanted}
                end = n_before + batch.num_rows
                rows = [f"row {number}" for number in range(n_before + 1, end + 1)]
                yield Table(names, columns, rows, end / file.metadata.num_rows)
                n_before = end
    except MemoryError:
        raise
    except pyarrow.ArrowException as error:
        raise FileError(
            f"{path}: this is not a Parquet file ({reason(error)})"
        ) from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise FileError(f"{path}: the file is damaged ({reason(error)})") from error


def _parquet_values(column: Any) -> list[Any]:
    """Return the values of a column; numbers for dates that Python does not know."""
    try:
        return column.to_pylist()
    except OverflowError:
        import pyarrow

        return column.cast(pyarrow.int64()).to_pylist()


def _rows_of_parquet_batch(metadata: Any, wanted: Sequence[str]) -> int:
    """Return how many rows hold `_MAX_CHARACTERS` in the group with the longest rows."""
    paths = tuple(f"{name}." for name in wanted)
    groups = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    bytes_of_row = max(
        sum(
            column.total_uncompressed_size
            for column in map(group.column, range(group.num_columns))
            if f"{column.path_in_schema}.".startswith(paths)
        )
        / max(group.num_rows, 1)
        for group in groups
    )
    return int(max(1, min(_MAX_CHARACTERS / max(bytes_of_row, 1), 1 << 20)))


READERS: dict[str, Callable[[Path, Sequence[str], int], Iterator[Table]]] = {
    ".jsonl": _jsonl_batches,
    ".csv": _csv_batches,
    ".parquet": _parquet_batches,
}


def _batches(
    values: Iterable[Any], size: int, n_characters: Callable[[Any], int]
) -> Iterator[list[Any]]:
    """Yield lists of `size` values, or of fewer if these have many characters."""
    batch, n = [], 0
    for value in values:
        batch.append(value)
        n += n_characters(value)
        if len(batch) == size or n >= _MAX_CHARACTERS:
            yield batch
            batch, n = [], 0
    if batch:
        yield batch


def _share_read(file: TextIO, path: Path) -> float:
    """Return how much of an open file was read, from 0 to 1."""
    return min(1.0, file.buffer.tell() / max(path.stat().st_size, 1))
