"""An uploaded table -> texts, checked, within the limits of the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.inputs.tables import read_batches
from rouge_bleu_tools.commands.inputs.texts import predictions_of, references_of
from rouge_bleu_tools.page.shared.limits import (
    MAX_ROWS,
    MAX_TABLE_CHARACTERS,
    Refusal,
    checked_file,
    refusals,
    without_folder,
)

_PREDICTIONS = ("prediction", "predictions", "output", "summary", "translation")
_REFERENCES = ("references", "reference", "target", "highlights")


def column_names(path: Any) -> list[str]:
    """Return the names of the columns of an uploaded file."""
    path = checked_file(path)
    try:
        with refusals():
            return list(next(iter(read_batches(path, []))).column_names)
    except Refusal as refusal:
        raise Refusal(without_folder(str(refusal), path)) from refusal
    except StopIteration:
        raise Refusal(f"{path.name} has no rows.") from None


def check_columns(names: Sequence[str], wanted: Sequence[str | None]) -> None:
    """Raise where a wanted column is not among those that the file begins with.

    Rows of JSON lines may have more further on, so the first of them are no proof.
    """
    for column in wanted:
        if column is not None and column not in names:
            raise Refusal(
                f"The file begins without a column {column!r:.60}; it has "
                f"{', '.join(map(repr, names))}."
            )


def likely_columns(names: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the column that may hold the predictions, and those of the references.

    >>> likely_columns(["id", "Output", "references"])
    ('Output', ['references'])
    """
    lowered = {name.lower(): name for name in reversed(names)}
    prediction = next((lowered[one] for one in _PREDICTIONS if one in lowered), None)
    reference = next((lowered[one] for one in _REFERENCES if one in lowered), None)
    numbered = [name for name in names if name.lower().startswith("reference")]
    return prediction, [reference] if reference is not None else numbered


def texts_of_file(
    path: Path,
    prediction_columns: Sequence[str],
    reference_columns: Sequence[str],
    *,
    allow_empty: bool,
    max_rows: int = MAX_ROWS,
) -> tuple[list[list[str]], list[list[str]], list[str]]:
    """Return the predictions of each column, the references of each row, and what the
    file calls its rows.
    """
    predictions: list[list[str]] = [[] for _ in prediction_columns]
    references: list[list[str]] = []
    rows: list[str] = []
    n_characters = 0
    wanted = list(dict.fromkeys([*prediction_columns, *reference_columns]))
    for batch in read_batches(path, wanted):
        if len(rows) + len(batch.rows) > max_rows:
            raise Refusal(f"The file has more than {max_rows:,} rows, which the page takes.")
        of_batch = [
            predictions_of(batch, column, path, allow_empty=allow_empty)
            for column in prediction_columns
        ]
        for texts, more in zip(predictions, of_batch, strict=True):
            texts += more
        of_batch += references_of(batch, reference_columns, path)
        references += of_batch[len(prediction_columns) :]
        rows += batch.rows
        n_characters += sum(len(text) for texts in of_batch for text in texts)
        if n_characters > MAX_TABLE_CHARACTERS:
            raise Refusal(
                f"The texts of the file have more than {MAX_TABLE_CHARACTERS:,} "
                "characters, which the page takes."
            )
    return predictions, references, rows


def checked_columns(
    prediction_column: Any, reference_columns: Any, other_column: Any
) -> tuple[str, list[str], str | None]:
    """Return the names of columns, all of them given."""
    if not isinstance(prediction_column, str) or not prediction_column:
        raise Refusal("Choose the column of the predictions.")
    if isinstance(reference_columns, str):
        reference_columns = [reference_columns]
    names = [one for one in reference_columns or [] if isinstance(one, str) and one]
    if not names:
        raise Refusal("Choose at least one column of references.")
    if other_column in ("", None):
        return prediction_column, names, None
    if not isinstance(other_column, str):
        raise Refusal("The column of the other system must be a name.")
    if other_column == prediction_column:
        raise Refusal("The other system must be another column than the predictions.")
    return prediction_column, names, other_column
