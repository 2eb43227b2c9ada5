"""Some rows of a table, and what the readers of all formats share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError

MAX_CHARACTERS = 1 << 24  # of a batch with more than one row, about
_SHOWN_COLUMNS = 20  # in an error
_SHOWN_CHARACTERS = 80  # of the name of each


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
        How much of the file was read, from 0 to 1; 0 where nobody knows.
    """

    column_names: Sequence[str]
    columns: dict[str, list[Any]]
    rows: Sequence[str]
    share: float = 1.0


def check_columns(
    file: object, wanted: Iterable[str], names: Sequence[str], hint: str = ""
) -> None:
    """Raise where a wanted column is not among those of the file, or is there twice."""
    for name in wanted:
        if name not in names:
            shown = ", ".join(f"{n!r:.{_SHOWN_CHARACTERS}}" for n in names[:_SHOWN_COLUMNS])
            more = f" and {len(names) - _SHOWN_COLUMNS:,} more"
            if any(part in names for part in name.split(",")):
                hint = ": separate names by blanks"
            raise FileError(
                f"{file}: there is no column {name!r}; the columns are {shown}"
                f"{more if len(names) > _SHOWN_COLUMNS else ''}{hint}"
            )
        if names.count(name) > 1:
            raise FileError(
                f"{file}: there are {names.count(name)} columns {name!r}; rename all but one"
            )


def batches_of(
    values: Iterable[Any], size: int, n_characters: Callable[[Any], int]
) -> Iterator[list[Any]]:
    """Yield lists of `size` values, or of fewer if these have many characters."""
    batch, n = [], 0
    for value in values:
        batch.append(value)
        n += n_characters(value)
        if len(batch) == size or n >= MAX_CHARACTERS:
            yield batch
            batch, n = [], 0
    if batch:
        yield batch
