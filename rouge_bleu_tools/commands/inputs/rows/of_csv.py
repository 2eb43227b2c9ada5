"""CSV and TSV with a header, in batches of rows.

They are read by Python's `csv`, which says in which line a quote has no end, and not by
Arrow, which does not.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.inputs.opened import Opened
from rouge_bleu_tools.commands.inputs.rows.batches import Table, batches_of, check_columns

_MAX_CELL = 2**31 - 1  # the default of csv is less than a long document
_FORMATS = {",": "csv", "\t": "tsv"}
_OTHER_DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "bars"}


def _batches(
    delimiter: str, file: Opened, path: str, wanted: Sequence[str], n_rows: int
) -> Iterator[Table]:
    csv.field_size_limit(_MAX_CELL)
    reader = csv.reader(file.text(), strict=True, delimiter=delimiter)
    records = _records(reader, path, _FORMATS[delimiter])
    header = next(filter(None, records), None)  # above it may be blank lines
    if header is None:
        return
    check_columns(path, wanted, header, _hint_of_delimiter(header, delimiter))
    numbered = enumerate((record for record in records if record), start=1)
    for batch in batches_of(numbered, n_rows, lambda row: sum(map(len, row[1]))):
        rows = [f"row {number}" for number, _ in batch]
        for row, (_, record) in zip(rows, batch, strict=True):
            if len(record) != len(header):
                raise FileError(
                    f"{path}, {row}: the row has {len(record)} values and the header {len(header)}"
                )
        columns = {name: [record[header.index(name)] for _, record in batch] for name in wanted}
        _check_no_lists(path, columns, rows)
        yield Table(header, columns, rows, file.share)


csv_batches = partial(_batches, ",")
tsv_batches = partial(_batches, "\t")


def _hint_of_delimiter(header: Sequence[str], delimiter: str) -> str:
    """Return what to say where the header is one name that holds another delimiter."""
    if len(header) > 1:
        return ""
    for other, name in _OTHER_DELIMITERS.items():
        if other in header[0] and other != delimiter:
            remedy = f"save it with {_OTHER_DELIMITERS[delimiter]}"
            if other in _FORMATS:
                remedy = f"give --format {_FORMATS[other]}"
            return f": they seem to be separated by {name}, {remedy}"
    return ""


def _records(reader: Any, path: str, kind: str) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise FileError(
            f"{path}, line {reader.line_num}: this is not valid {kind.upper()} ({error})"
        ) from error


def _check_no_lists(path: str, columns: dict[str, list[str]], rows: Sequence[str]) -> None:
    for name, cells in columns.items():
        for row, cell in zip(rows, cells, strict=True):
            if cell.startswith(("['", '["')) and cell.endswith(("']", '"]')):
                raise FileError(
                    f"{path}, {row}: {name!r} holds a written-out list; use JSON "
                    "lines, or one column for each reference"
                )
