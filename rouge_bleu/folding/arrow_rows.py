"""A batch of Arrow -> a checked corpus, and which rows of the batch it has.

Errors are those of `data/corpus.py`, and these: a column that is not there or has another
type, a missing value, an item without an id.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ..corpus import Corpus, checked_corpus
from ..messages import shown
from ..options import check_choice, check_integer

_MISSING = ("error", "skip")
_TEXT_TYPES = ("string", "large_string", "string_view")
_MAX_ID = (1 << 63) - 1


@dataclass(frozen=True)
class ArrowRows:
    """The rows of a batch.

    Parameters
    ----------
    corpus : Corpus
        Those that can be scored.
    is_scored : ndarray of bool, shape (n_rows,)
        Which ones these are.
    item : pyarrow array or None
        The ids of all rows.
    """

    corpus: Corpus
    is_scored: np.ndarray
    item: Any


def checked_rows(
    batch: Any,
    *,
    predictions: str,
    references: str,
    item: str | None,
    first_item: int | None,
    missing: str,
) -> ArrowRows:
    """Return the rows of a batch.

    Parameters
    ----------
    batch : pyarrow.RecordBatch or pyarrow.Table
    predictions, references : str
        The columns of texts, or of lists of tokens; references may be lists of them.
    item : str or None
        The column of ids.
    first_item : int or None
        The id of the first row, if they are to be counted.
    missing : str
        What becomes of a row with a null, or without a reference: "error" or "skip".

    Raises
    ------
    TypeError
        This is no batch, or a column has another type.
    ValueError
        A column is not there, a value is missing, or an argument is not allowed.
    """
    batch = record_batch("batch", batch)
    check_choice("missing", missing, _MISSING)
    ids = _ids(batch, item, first_item)
    columns = {
        "predictions": _text_column(batch, "predictions", predictions),
        "references": _text_column(batch, "references", references),
    }
    depth = {role: _depth(column.type) for role, column in columns.items()}
    cells = {role: column.to_pylist() for role, column in columns.items()}
    is_scored = np.ones(batch.num_rows, dtype=bool)
    for role, column in columns.items():
        # A list of tokens that is empty is a reference; a list of references is none.
        has_lists = role == "references" and depth[role] > depth["predictions"]
        rows = _rows_without_value(column, cells[role], has_lists)
        if rows and missing == "error":
            raise ValueError(_missing_value(role, rows[0], cells[role][rows[0]], ids))
        is_scored[rows] = False
    if not is_scored.all():
        kept = np.flatnonzero(is_scored).tolist()
        cells = {role: [column[row] for row in kept] for role, column in cells.items()}
    corpus = checked_corpus(cells["predictions"], cells["references"])
    return ArrowRows(corpus, is_scored, ids)


def record_batch(name: str, batch: Any) -> pa.RecordBatch:
    """Return a batch or a table as one batch; `name` is that of the argument."""
    if isinstance(batch, pa.RecordBatch):
        return batch
    if not isinstance(batch, pa.Table):
        raise TypeError(
            f"{name} must be a pyarrow.RecordBatch or a pyarrow.Table, got {shown(batch)}"
        )
    columns = [column.combine_chunks() for column in batch.columns]
    return pa.RecordBatch.from_arrays(columns, schema=batch.schema)


def _column(batch: Any, role: str, name: Any) -> Any:
    number = batch.schema.get_all_field_indices(name) if isinstance(name, str) else []
    if len(number) != 1:
        fault = "stands twice" if number else "is not there"
        raise ValueError(
            f"{role} must name a column of the batch, which has "
            f"{', '.join(map(repr, batch.schema.names)) or 'none'}: {name!r} {fault}"
        )
    return batch.column(number[0])


def _text_column(batch: Any, role: str, name: str) -> Any:
    column = _column(batch, role, name)
    kind = column.type
    while _is_list(kind):
        kind = kind.value_type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    is_text = pa.types.is_null(kind) or str(kind) in _TEXT_TYPES
    if not is_text or _depth(column.type) > 2:
        raise TypeError(
            f"{role} must be a column of strings or of lists of strings, got column "
            f"{name!r} of type {column.type}"
        )
    return column


def _depth(kind: Any) -> int:
    """Return how many lists stand around a string."""
    return 1 + _depth(kind.value_type) if _is_list(kind) else 0


def _is_list(kind: Any) -> bool:
    types = pa.types
    return types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)


# --- missing values -------------------------------------------------------------------


def _rows_without_value(column: Any, cells: list[Any], has_lists: bool) -> list[int]:
    """Return the rows with a null; where references are lists, also those without any."""
    has_nulls = _has_nulls(column)
    is_missing_empty = has_lists and not all(cells)
    if not has_nulls and not is_missing_empty:
        return []
    return [
        row
        for row, cell in enumerate(cells)
        if (has_nulls and _holds_null(cell)) or (is_missing_empty and cell == [])
    ]


def _has_nulls(column: Any) -> bool:
    if column.null_count:
        return True
    return _is_list(column.type) and _has_nulls(column.flatten())


def _holds_null(cell: Any) -> bool:
    if type(cell) is list:
        return any(map(_holds_null, cell))
    return cell is None


def _missing_value(role: str, row: int, cell: Any, ids: Any) -> str:
    fault = "is null" if cell is None else "holds a null" if cell else "is empty"
    item = "" if ids is None else f" (item {ids[row].as_py()!r})"
    return (
        f"{role}[{row}]{item} {fault}: give missing='skip' to leave out and count rows"
        " with a null or without a reference"
    )


# --- ids ------------------------------------------------------------------------------


def _ids(batch: Any, item: str | None, first_item: int | None) -> Any:
    """Return the ids of all rows, or None."""
    if item is None:
        if first_item is None:
            return None
        last = _MAX_ID - batch.num_rows
        check_integer("first_item", first_item, minimum=0, maximum=last)
        return pa.array(np.arange(first_item, first_item + batch.num_rows))
    if first_item is not None:
        raise ValueError("item and first_item cannot both be given: both give ids")
    column = _column(batch, "item", item)
    kind = column.type
    if pa.types.is_dictionary(kind):
        column, kind = column.dictionary_decode(), kind.value_type
    is_text = str(kind) in _TEXT_TYPES
    if not is_text and not pa.types.is_integer(kind):
        raise TypeError(
            f"item must be a column of integers or strings, got column {item!r} of type {kind}"
        )
    if column.null_count:
        row = column.is_null().to_pylist().index(True)
        raise ValueError(f"item must have no nulls, got one in row {row} of {item!r}")
    n_different = len(column.unique())
    if n_different < len(column):
        raise ValueError(
            f"item must have another id for each row, got {n_different} in the "
            f"{len(column)} rows of {item!r}: items with one id would stand in the same "
            "resamples"
        )
    try:
        return column.cast(pa.string() if is_text else pa.int64())
    except pa.ArrowInvalid as error:
        raise ValueError(
            f"item must have integers of 64 bits with a sign, got others in {item!r} of "
            f"type {kind}: cast it to string"
        ) from error
