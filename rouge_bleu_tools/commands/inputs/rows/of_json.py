"""JSON lines in batches of rows; and JSON: a list of objects, or an object of columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.inputs.opened import Opened
from rouge_bleu_tools.commands.inputs.rows.batches import Table, batches_of

_OBJECTS_OR_COLUMNS = "a list of objects, or an object with a list for each column"
_OF_PANDAS = """; pandas writes the former by to_json(..., orient="records")"""


def jsonl_batches(file: Opened, path: str, wanted: Sequence[str], n_rows: int) -> Iterator[Table]:
    names: dict[str, None] = {}
    quoted_names = {name: json.dumps(name, ensure_ascii=False) for name in wanted}
    text = file.lines()
    filled = ((n, line) for n, line in enumerate(text, start=1) if line.strip())
    for lines in batches_of(filled, n_rows, lambda numbered: len(numbered[1])):
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
        columns = {name: [record.get(name) for record in records] for name in wanted}
        yield Table(list(names), columns, rows, file.share)


def _record_of_line(line: str, place: str) -> dict[str, Any]:
    record = _value_of_json(line, place)
    if not isinstance(record, dict):
        raise FileError(f"{place}: each line must be a JSON object, got {type(record).__name__}")
    return record


def _value_of_json(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"character {error.pos + 1}"
        raise FileError(f"{place}: this is not valid JSON ({error.msg} at {where})") from error
    except ValueError as error:  # Python refuses to read very long integers
        raise FileError(f"{place}: a number has too many digits") from error
    except RecursionError as error:
        raise FileError(f"{place}: the JSON is nested too deeply") from error


def _check_key(line: str, name: str, place: str) -> None:
    """Raise where the object has a key twice, of which Python takes the last."""
    pairs = json.loads(line, object_pairs_hook=list)
    n_keys = [key for key, _ in pairs].count(name)
    if n_keys > 1:
        raise FileError(f"{place}: the object has the key {name!r} {n_keys} times")


def json_batches(file: Opened, path: str, wanted: Sequence[str], n_rows: int) -> Iterator[Table]:
    text = file.lines().read()
    if not text.strip():
        return
    _check_no_lines(text, path)
    value = _value_of_json(text, path)
    names, columns = _columns_of_value(value, path, wanted)
    n = len(columns[wanted[0]]) if wanted else 1
    for first in range(0, n, n_rows):
        rows = slice(first, min(first + n_rows, n))
        some = {name: columns[name][rows] for name in wanted}
        shown = [f"row {number + 1}" for number in range(n)[rows]]
        yield Table(names, some, shown, rows.stop / n)


def _check_no_lines(text: str, path: str) -> None:
    """Raise where each line is an object of its own."""
    lines = [line for line in text.splitlines()[:10] if line.strip()]
    is_object = [line.startswith("{") and line.rstrip().endswith("}") for line in lines]
    if len(lines) > 1 and all(is_object):
        raise FileError(f"{path}: these are JSON lines: give --format jsonl")


def _columns_of_value(
    value: Any, path: str, wanted: Sequence[str]
) -> tuple[list[str], dict[str, list[Any]]]:
    if isinstance(value, dict):
        return _columns_of_object(value, path, wanted)
    if not isinstance(value, list):
        raise FileError(
            f"{path}: the file must hold {_OBJECTS_OR_COLUMNS}, got {type(value).__name__}"
        )
    names: dict[str, None] = {}
    for number, record in enumerate(value, start=1):
        if not isinstance(record, dict):
            raise FileError(
                f"{path}, row {number}: this must be a JSON object, got {type(record).__name__}"
            )
        names.update(dict.fromkeys(record))
    return list(names), {name: [record.get(name) for record in value] for name in wanted}


def _columns_of_object(
    value: dict[str, Any], path: str, wanted: Sequence[str]
) -> tuple[list[str], dict[str, list[Any]]]:
    found = [name for name in wanted if name in value]
    for name in found:
        if not isinstance(value[name], list):
            raise FileError(
                f"{path}: {name!r} must be a list with the value of each row, got "
                f"{type(value[name]).__name__}: the file must hold {_OBJECTS_OR_COLUMNS}"
                f"{_OF_PANDAS if isinstance(value[name], dict) else ''}"
            )
        if len(value[name]) != len(value[found[0]]):
            raise FileError(
                f"{path}: {name!r} has {len(value[name]):,} values and {found[0]!r} "
                f"{len(value[found[0]]):,}"
            )
    n_rows = len(value[found[0]]) if found else 1
    columns = {name: value.get(name, [None] * n_rows) for name in wanted}
    return list(value), columns
