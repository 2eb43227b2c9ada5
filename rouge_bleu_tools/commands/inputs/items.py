"""FILE and `-r` -> predictions and their references, some rows at a time.

A table has a column for the predictions and one or more for the references; a text file
has a prediction in each line, and each file of references has one in the same line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any

from rouge_bleu_tools.commands.inputs.errors import FileError
from rouge_bleu_tools.commands.inputs.opened import (
    STANDARD_INPUT,
    check_is_file,
    errors_of_file,
    opened,
    shown_name,
)
from rouge_bleu_tools.commands.inputs.rows.batches import batches_of
from rouge_bleu_tools.commands.inputs.tables import READERS, is_table, read_batches
from rouge_bleu_tools.commands.inputs.texts import (
    checked_predictions,
    predictions_of,
    references_of,
)

FORMATS = ("text", *(extension[1:] for extension in READERS))
PREDICTION, REFERENCES = "prediction", "references"  # the usual columns


@dataclass(frozen=True)
class Texts:
    """Some rows: predictions, and a list of references for each."""

    predictions: list[str]
    references: list[list[str]]


# --- arguments ------------------------------------------------------------------------


def add_file_options(parser: argparse.ArgumentParser) -> None:
    """Add FILE and what says where predictions and references stand."""
    add = parser.add_argument
    add(
        "file",
        metavar="FILE",
        type=Path,
        nargs="?",
        help="texts, one in each line, or a table; - or none is standard input",
    )
    add(
        "-r",
        "--reference",
        metavar="REF",
        nargs="+",
        action="extend",
        help="text files with references, or columns of a table (references)",
    )
    add("--prediction", metavar="COLUMN", help="column of the texts to score (prediction)")
    add_format_options(parser)


def add_format_options(parser: argparse.ArgumentParser) -> None:
    """Add what says how files are read."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        help="format of FILE, if its name does not say it; standard input is text",
    )
    parser.add_argument(
        "--allow-empty",
        action="store_true",
        help="score empty and missing predictions as empty texts",
    )


def items_of_arguments(namespace: argparse.Namespace, n_rows: int) -> Iterator[tuple[Texts, float]]:
    """Yield some rows at a time, and how much of the file was read.

    The share is from 0 to 1, and 0 where nobody knows, as for a pipe.
    """
    path = checked_file(namespace.file)
    if is_table(path, namespace.format):
        return _items_of_table(namespace, path, n_rows)
    if namespace.prediction is not None:
        raise FileError(
            f"--prediction names a column of a table, and {shown_name(path)} is read as "
            f"text: --format may be {', '.join(FORMATS[1:])}"
        )
    if not namespace.reference:
        if path != STANDARD_INPUT:
            check_is_file(path)
        raise FileError(
            f"{shown_name(path)} has predictions, one in each line: give the file of "
            "their references with -r"
        )
    references = [Path(name) for name in namespace.reference]
    return _items_of_lines(path, references, n_rows, namespace.allow_empty)


def checked_file(path: Path | None) -> Path:
    """Return the path, or that of standard input where there is none."""
    if path is None and sys.stdin is not None and sys.stdin.isatty():
        raise FileError(
            "give FILE before the options, or the texts on standard input (--help shows "
            "all arguments)"
        )
    return path or STANDARD_INPUT


def rows_of_file(namespace: argparse.Namespace, n_rows: int) -> str:
    """Return what the rows are called in what is printed: "34 rows of summaries.jsonl"."""
    path = namespace.file or STANDARD_INPUT
    name = shown_name(path) if path == STANDARD_INPUT else str(path.name)
    return f"1 row of {name}" if n_rows == 1 else f"{n_rows:,} rows of {name}"


def _items_of_table(
    namespace: argparse.Namespace, path: Path, n_rows: int
) -> Iterator[tuple[Texts, float]]:
    name = shown_name(path)
    prediction = namespace.prediction or PREDICTION
    references = namespace.reference or [REFERENCES]
    wanted = list(dict.fromkeys([prediction, *references]))
    for table in read_batches(path, wanted, n_rows, namespace.format):
        predictions = predictions_of(table, prediction, name, allow_empty=namespace.allow_empty)
        yield Texts(predictions, references_of(table, references, name)), table.share


# --- texts by line --------------------------------------------------------------------


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file, one or more, without their ends.

    Lines end with a line feed and nothing else, as in sacreBLEU.
    """
    with opened(path) as file:
        lines = list(map(_without_end, file.lines()))
    if not lines:
        raise FileError(f"{shown_name(path)}: the file has no lines")
    return lines


def references_of_lines(
    names: Sequence[str], rows: Sequence[Sequence[str]], first: int = 1
) -> list[list[str]]:
    """Return the references of each row, which are those of its texts that are not empty.

    Parameters
    ----------
    names : sequence of str
        Of the files.
    rows : sequence of sequences of str
        The texts of each line, one of each file.
    first : int
        The number of the first line.
    """
    references = []
    for number, row in enumerate(rows, start=first):
        texts = [text for text in row if text]
        if not texts:
            raise FileError(
                f"{' and '.join(names)}, line {number}: there must be a reference, "
                f"got {'nothing in any' if names[1:] else 'nothing'}"
            )
        references.append(texts)
    return references


def check_no_tables(paths: Sequence[Path]) -> None:
    """Raise where a file that is read by line is a table."""
    for path in paths:
        if is_table(path):
            raise FileError(
                f"{path}: this is a table; where texts stand in files of their own, each "
                "of them has one text in each line"
            )
    if list(paths).count(STANDARD_INPUT) > 1:
        raise FileError("standard input can be read only once, got - twice")


def _items_of_lines(
    path: Path, references: Sequence[Path], n_rows: int, allow_empty: bool
) -> Iterator[tuple[Texts, float]]:
    paths = [path, *references]
    check_no_tables(references)
    check_no_tables([one for one in paths if one == STANDARD_INPUT])
    names = list(map(shown_name, paths))
    n_before = 0
    with ExitStack() as stack:
        files = [stack.enter_context(opened(one)) for one in paths]
        lines = [_lines(one, file.lines()) for one, file in zip(paths, files, strict=True)]
        rows = _checked_rows(names, lines)
        for batch in batches_of(rows, n_rows, lambda row: sum(map(len, row))):
            places = (
                f"{names[0]}, line {n_before + number}: the line"
                for number in range(1, len(batch) + 1)
            )
            predictions = checked_predictions(
                [row[0] for row in batch], places, allow_empty=allow_empty
            )
            of_batch = [row[1:] for row in batch]
            texts = references_of_lines(names[1:], of_batch, n_before + 1)
            n_before += len(batch)
            yield Texts(predictions, texts), max(file.share for file in files)
    if not n_before:
        raise FileError(f"{names[0]}: the file has no lines")


def _lines(path: Path, file: IO[str]) -> Iterator[str]:
    """Yield the lines; what is wrong is said of this file among several."""
    with errors_of_file(path):
        yield from map(_without_end, file)


def _without_end(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


_HINT_OF_ORDER = ". Behind -r all files are references: give FILE before it"


def _is_piped(name: str) -> bool:
    return name == shown_name(STANDARD_INPUT)


def _checked_rows(
    names: Sequence[str], lines: Sequence[Iterator[str]]
) -> Iterator[tuple[str, ...]]:
    """Yield the texts of each line; raise where a file has fewer lines than another."""
    rows: Iterator[tuple[Any, ...]] = zip_longest(*lines)
    for n_rows, row in enumerate(rows):
        if None in row:
            n_lines = [
                n_rows + (text is not None) + sum(1 for _ in rest)
                for text, rest in zip(row, lines, strict=True)
            ]
            other = next(n for n, count in enumerate(n_lines) if count != n_lines[0])
            raise FileError(
                f"{names[0]} has {n_lines[0]:,} lines and {names[other]} "
                f"{n_lines[other]:,}: each line is one item"
                f"{_HINT_OF_ORDER if names[2:] and _is_piped(names[0]) else ''}"
            )
        yield row
