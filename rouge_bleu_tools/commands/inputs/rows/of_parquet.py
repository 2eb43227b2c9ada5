"""Parquet in batches of rows, read by Arrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError, reason
from rouge_bleu_tools.commands.inputs.opened import Opened
from rouge_bleu_tools.commands.inputs.rows import batches as shared
from rouge_bleu_tools.commands.inputs.rows.batches import Table, check_columns

_READ_BYTES = 1 << 20  # at a time, of each column


def parquet_batches(file: Opened, path: str, wanted: Sequence[str], n_rows: int) -> Iterator[Table]:
    import pyarrow

    try:
        with file.seekable() as source:
            yield from _batches(source, path, wanted, n_rows)
    except MemoryError:
        raise
    except pyarrow.ArrowException as error:
        raise FileError(f"{path}: this is not a Parquet file ({reason(error)})") from error
    except OSError as error:
        if error.errno is not None:
            raise
        raise FileError(f"{path}: the file is damaged ({reason(error)})") from error


def _batches(source: Any, path: str, wanted: Sequence[str], n_rows: int) -> Iterator[Table]:
    import pyarrow.parquet

    # Else a group of rows, or all groups one after the other, is held as a whole.
    with pyarrow.parquet.ParquetFile(source, pre_buffer=False, buffer_size=_READ_BYTES) as file:
        names = file.schema_arrow.names
        if not file.metadata.num_rows:
            return
        check_columns(path, wanted, names)
        n_before = 0
        size = min(n_rows, _rows_of_batch(file.metadata, wanted))
        for batch in file.iter_batches(size, columns=list(wanted)):
            columns = {name: _values(batch[name]) for name in wanted}
            end = n_before + batch.num_rows
            rows = [f"row {number}" for number in range(n_before + 1, end + 1)]
            yield Table(names, columns, rows, end / file.metadata.num_rows)
            n_before = end


def _values(column: Any) -> list[Any]:
    """Return the values of a column; numbers for dates that Python does not know."""
    try:
        values: list[Any] = column.to_pylist()
    except OverflowError:
        import pyarrow

        values = column.cast(pyarrow.int64()).to_pylist()
    return values


def _rows_of_batch(metadata: Any, wanted: Sequence[str]) -> int:
    """Return how many rows hold `MAX_CHARACTERS` in the group with the longest rows."""
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
    return int(max(1, min(shared.MAX_CHARACTERS / max(bytes_of_row, 1), 1 << 20)))
