"""Files -> columns, some rows at a time.

`read_batches` gives a file as tables of some rows each and never holds more of it;
`read_table` is all of them in one. A row has the name that its file has for it, such as
"line 3"; rows of CSV and Parquet are counted from 1, without the header.

Memory depends on the longest row and not on the length of the file. Of Parquet with long
texts that repeat, which it stores once, a batch may be larger than intended; and of JSON
that is no JSON lines the whole file is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.inputs.opened import Opened, opened, shown_name
from rouge_bleu_tools.commands.inputs.rows.batches import Table, check_columns
from rouge_bleu_tools.commands.inputs.rows.of_csv import csv_batches, tsv_batches
from rouge_bleu_tools.commands.inputs.rows.of_json import json_batches, jsonl_batches
from rouge_bleu_tools.commands.inputs.rows.of_parquet import parquet_batches

N_ROWS = 1_000  # of a batch

_Reader = Callable[[Opened, str, Sequence[str], int], Iterator[Table]]

READERS: dict[str, _Reader] = {
    ".jsonl": jsonl_batches,
    ".json": json_batches,
    ".csv": csv_batches,
    ".tsv": tsv_batches,
    ".parquet": parquet_batches,
}


def extension_of(path: Path) -> str:
    """Return the extension below .gz, in small letters.

    >>> extension_of(Path("a.JSONL")), extension_of(Path("a.csv.gz"))
    ('.jsonl', '.csv')
    """
    is_packed = path.suffix.lower() == ".gz"
    return (path.with_suffix("") if is_packed else path).suffix.lower()


def is_table(path: Path, file_format: str | None = None) -> bool:
    """Whether a file has columns, by its extension or by the format that was named."""
    return (f".{file_format}" if file_format else extension_of(path)) in READERS


def read_table(path: Path, wanted: Sequence[str], file_format: str | None = None) -> Table:
    """Return the wanted columns of a file, which has them all and at least one row."""
    tables = list(read_batches(path, wanted, file_format=file_format))
    return Table(
        tables[-1].column_names,
        {name: [value for table in tables for value in table.columns[name]] for name in wanted},
        [row for table in tables for row in table.rows],
    )


def read_batches(
    path: Path, wanted: Sequence[str], n_rows: int = N_ROWS, file_format: str | None = None
) -> Iterator[Table]:
    """Yield the wanted columns of a file, `n_rows` at a time, or fewer if rows are long.

    A column that the file lacks is an error at once. In JSON lines it is one behind the
    last row, and None in all rows before. `file_format`, such as "jsonl", counts more
    than the extension.
    """
    extension = f".{file_format}" if file_format else extension_of(path)
    name = shown_name(path)
    if extension not in READERS:
        raise FileError(
            f"{name}: the extension must be {', '.join(READERS)}, also with .gz, got "
            f"{path.suffix or 'none'!r}"
        )
    table = None
    with opened(path) as file:
        for table in READERS[extension](file, name, wanted, n_rows):
            yield table
    if table is None:
        raise FileError(f"{name}: the file has no rows")
    check_columns(name, wanted, table.column_names)
