"""Columns of a table -> predictions and references, checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.inputs.rows.batches import Table, check_columns


def predictions_of(table: Table, column: str, path: object, *, allow_empty: bool) -> list[str]:
    """Return the predictions in a column; a missing one is "" with `allow_empty`."""
    if not allow_empty:
        check_columns(path, [column], table.column_names)
    places = (f"{path}, {row}: {column!r}" for row in table.rows)
    return checked_predictions(table.columns[column], places, allow_empty=allow_empty)


def checked_predictions(
    values: Sequence[Any], places: Iterable[str], *, allow_empty: bool
) -> list[str]:
    """Return values that must be texts; `places` says of each where it stands."""
    if _are_plain(values):
        return list(values)
    if allow_empty:
        values = ["" if value is None else value for value in values]
    for place, value in zip(places, values, strict=True):
        if value is None or (value == "" and not allow_empty):
            raise FileError(
                f"{place} is {'missing' if value is None else 'empty'}; --allow-empty "
                "scores it as an empty text"
            )
        if not isinstance(value, str):
            raise FileError(f"{place} must be a text, got {_shown(value)}")
        _check_unicode(value, place)
    return list(values)


def _are_plain(values: Sequence[Any]) -> bool:
    """Whether all values are texts of ASCII, which is found out fast."""
    return all(type(value) is str and value and value.isascii() for value in values)


def _check_unicode(text: str, place: str) -> None:
    """Raise where JSON has half of a character, as "\\ud800" is."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise FileError(
            f"{place} must be valid Unicode text, got a lone surrogate "
            f"{text[error.start]!a} at character {error.start + 1}"
        ) from error


def references_of(table: Table, columns: Sequence[str], path: object) -> list[list[str]]:
    """Return the list of references of each row."""
    if not any(column in table.column_names for column in columns):
        check_columns(path, columns, table.column_names)
    if len(columns) == 1:
        values = table.columns[columns[0]]
        if _are_plain(values):
            return [[value] for value in values]
    references = []
    for index, row in enumerate(table.rows):
        texts: list[str] = []
        for column in columns:
            place = f"{path}, {row}: {column!r}"
            texts += _texts_of_value(table.columns[column][index], place)
        if not texts:
            raise FileError(
                f"{path}, {row}: {' and '.join(map(repr, columns))} must hold a reference, "
                f"got {'nothing in any' if columns[1:] else 'nothing'}"
            )
        references.append(texts)
    return references


def _texts_of_value(value: Any, place: str) -> Iterator[str]:
    if value is None or value == "":
        return
    if isinstance(value, str):
        _check_unicode(value, place)
        yield value
        return
    if not isinstance(value, list):
        raise FileError(f"{place} must be a text or a list of texts, got {_shown(value)}")
    for index, text in enumerate(value):
        if not isinstance(text, str) or not text:
            what = "an empty text" if text == "" else _shown(text)
            raise FileError(
                f"{place}[{index}] must be a text, got {'nothing' if text is None else what}"
            )
        _check_unicode(text, f"{place}[{index}]")
        yield text


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {value!r:.40}"
