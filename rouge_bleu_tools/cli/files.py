"""Predictions and references of files, some rows at a time, and the files that commands write."""

from __future__ import annotations

import argparse
import codecs
import csv
import itertools
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

from . import tables
from .inputs import SEVERAL, CommandError, argument, note

PREDICTION, REFERENCES = "prediction", "references"  # the usual columns


@dataclass(frozen=True)
class Texts:
    """Predictions of one or more systems, and a list of references for each row."""

    systems: dict[str, list[str]]  # by name
    references: list[list[str]]
    kept: dict[str, list[Any]] = field(default_factory=dict)  # other columns
    share: float = 0.0  # how much of the file was read; 0 if it is unknown
    places: Sequence[str] = ()  # the files or columns of the references

    @property
    def predictions(self) -> list[str]:
        return next(iter(self.systems.values()))


# --- columns of a table ---------------------------------------------------------------

# Usual names, the most usual one first; a number may follow, as in ref_2.
_SECONDS = "baseline second other system2 prediction2 hyp2 output2"
_REFERENCES = (
    "reference ref gold target tgt highlights label answer human human_reference "
    "reference_summary reference_translation ground_truth doc"
)
_PREDICTIONS = (
    "prediction pred filtered_resps hypothesis hyp output generated generated_text "
    "generated_summary generation candidate system model_output model_response response"
)
_EITHER = "summary response translation text"  # the side that is missing


def usual_columns(names: Sequence[str]) -> tuple[str | None, list[str], str]:
    """Return the columns of predictions, references and a second system by their usual names.

    >>> usual_columns(["id", "ref_1", "ref_2", "Model Output"])
    ('Model Output', ['ref_1', 'ref_2'], '')
    """
    rest = list(names)

    def named(words: str) -> list[str]:
        for word in words.split():
            pattern = rf"{word.replace('_', '[-_ ]?')}s?([-_ ]?(\d+|[A-Z]))?"
            matches = re.compile(pattern, re.IGNORECASE).fullmatch
            if found := [word] * (word in rest) or list(filter(matches, rest)):
                rest[:] = [one for one in rest if one not in found]
                return found
        return []

    seconds, references, predictions = map(named, (_SECONDS, _REFERENCES, _PREDICTIONS))
    if predictions and not references:
        references = named(_EITHER)
    elif references and not predictions:
        predictions = named(_EITHER)
    return next(iter(predictions), None), references, next(iter(seconds), "")


# --- predictions and references -------------------------------------------------------

# Spaces and characters without a width, such as U+3000 and U+200B.
_INVISIBLE = re.compile("[\\s\u00ad\u200b-\u200f\u2060\ufeff]*")


def add_file_flags(parser: argparse.ArgumentParser, of_systems: bool = False) -> None:
    """Add FILE, or FILES of systems, columns, references and format."""
    add = parser.add_argument
    name = "FILES" if of_systems else "FILE"
    text = "text files (a text on each line) or tables; none or -: standard input"
    if of_systems:
        text = "text files or tables, one for each system, or one table"
        columns = "columns of one table with the predictions of each system"
        add("--systems", metavar="COLUMN", help=columns, **SEVERAL)
    add("files", metavar=name, type=Path, nargs="*", help=text)
    add_reference_flags(parser)


def add_reference_flags(parser: argparse.ArgumentParser) -> None:
    """Add columns, references, and how files are read."""
    add = parser.add_argument
    add("--prediction", metavar="COLUMN", help=f"column of the predictions ({PREDICTION})")
    text = f"text files with references, or columns of a table ({REFERENCES})"
    add("-r", "--reference", metavar="REF", help=text, **SEVERAL)
    text = "format of FILE, if its extension does not show it"
    add("--format", choices=tables.FORMATS, help=text)
    encoding = argument(lambda name: codecs.lookup(name).name)
    add("--encoding", metavar="NAME", type=encoding, help="encoding, such as cp1252 (utf-8)")
    characters = ", ".join(tables.DELIMITERS)
    text = f"delimiter of CSV, if it is not recognized: {characters} or a character"
    add("--delimiter", metavar="NAME", type=_delimiter, help=text)
    text = "csv: quotes around cells of CSV and TSV are quoting; none: they are text"
    add("--quoting", choices=("csv", "none"), help=text)
    add("--allow-empty", action="store_true", help="score empty and missing texts as empty")


@argument
def _delimiter(name: str) -> str:
    character = {**tables.DELIMITERS, r"\t": "\t"}.get(name, name)
    if len(character) != 1 or character in '"\r\n':
        raise ValueError(f"expected {', '.join(tables.DELIMITERS)} or one character")
    return character


def reading_of(namespace: argparse.Namespace) -> tables.Reading:
    """Return how flags say that files are read."""
    flags = ("format", "delimiter", "quoting", "encoding")
    return tables.Reading(**{name: getattr(namespace, name) for name in flags})


def read_texts(
    namespace: argparse.Namespace, n_rows: int, kept: Sequence[str] = ()
) -> Iterator[Texts]:
    """Yield at most `n_rows` predictions with their references, and the `kept` columns.

    A note says what was recognised.
    """
    paths, given = namespace.files or [tables.STANDARD_INPUT], namespace.reference
    reading = reading_of(namespace)
    if not namespace.files and sys.stdin is not None:
        is_terminal = sys.stdin.isatty()
        if is_terminal or tables.start_of_input() == b"":
            took = f": -r took {' and '.join(given)}. Put FILE before -r" if given else ""
            what = "is a terminal" if is_terminal else "is empty"
            raise CommandError(f"FILE is missing, and standard input {what}{took}")
    are_tables = {tables.is_table(path, reading.format) for path in paths}
    if len(are_tables) > 1:
        raise CommandError(f"{' and '.join(map(str, paths))}: name text files or tables, not both")
    if are_tables == {True}:
        parts = [part for path in paths for part in tables.parts_of(path, reading.format)]
        for number, part in enumerate(parts):
            for texts in _texts_of_table(part, namespace, n_rows, reading, kept):
                yield replace(texts, share=(number + texts.share) / len(parts) * bool(texts.share))
    else:
        if paths[1:] and not hasattr(namespace, "systems"):
            raise CommandError(f"{paths[1]}: name one text file. References come after -r")
        _check_text_flags(paths[0], namespace, kept)
        names = [tables.display_name(path) for path in paths]
        references = [tables.display_name(Path(one)) for one in given]
        for rows in read_lines([*paths, *map(Path, given)], n_rows, reading):
            texts = texts_of_rows(rows, names, references, namespace.allow_empty)
            systems = dict(zip(short_names(paths), texts.systems.values(), strict=True))
            yield replace(texts, systems=systems, places=[Path(one).name for one in given])
    if reading.notes:
        name = Path(tables.display_name(paths[0])).name
        note(f"{name}: {'; '.join(dict.fromkeys(reading.notes))}")


def read_all(namespace: argparse.Namespace) -> Texts:
    """Return the texts of all rows."""
    return joined(list(read_texts(namespace, 1000)))


def joined(batches: Sequence[Texts]) -> Texts:
    """Return the texts of several batches; the systems have the names of the first one."""
    columns = zip(*(one.systems.values() for one in batches), strict=True)
    predictions = [list(itertools.chain(*of_batches)) for of_batches in columns]
    systems = dict(zip(batches[0].systems, predictions, strict=True))
    references = [texts for one in batches for texts in one.references]
    return Texts(systems, references, places=batches[0].places)


def short_names(paths: Sequence[Path]) -> list[str]:
    """Return file names without extensions, or whole paths where names are equal."""
    names = [Path(tables.display_name(path).removesuffix(".gz")).stem for path in paths]
    return names if len(set(names)) == len(names) else list(map(str, paths))


def _texts_of_table(
    path: Path,
    namespace: argparse.Namespace,
    n_rows: int,
    reading: tables.Reading,
    kept: Sequence[str],
) -> Iterator[Texts]:
    name, references = tables.display_name(path), list(namespace.reference or [])
    columns = list(getattr(namespace, "systems", None) or filter(None, [namespace.prediction]))
    filters: set[str] = set()  # lm-eval writes a row for each example and filter

    def choose(names: Sequence[str]) -> list[str]:
        """Return the columns that flags name, or those with usual names."""
        named = {*columns, *references, PREDICTION, REFERENCES}
        usual_prediction, usual_references, _ = usual_columns(names)
        columns[:] = columns or filter(None, [usual_prediction])
        references[:] = references or [one for one in usual_references if one not in columns]
        flags = {PREDICTION: "--prediction" * (not columns), REFERENCES: "-r" * (not references)}
        if missing := list(filter(flags.get, flags)):
            remedy = " and ".join(f"{flags[one]} COLUMN" for one in missing)
            raise tables.missing_columns(name, missing, names, f". Use {remedy}")
        if given := [one for one in references if one not in names and os.path.isfile(one)]:
            remedy = ". -r takes columns of a table, not files"
            raise tables.missing_columns(name, given, names, remedy)
        if not {columns[0], *references} <= named:
            shown = " and ".join(map(repr, references))
            reading.notes.append(f"predictions are {columns[0]!r}, references are {shown}")
        of_filter = ["filter"] * (columns == ["filtered_resps"] and "filter" in names)
        return list(dict.fromkeys([*columns, *references, *kept, *of_filter]))

    for rows in tables.read_rows(path, choose, n_rows, reading):
        if columns == ["filtered_resps"]:
            filters.update(map(str, rows.columns.get("filter", ())))
        if len(filters) > 1:
            raise CommandError(
                f"{name}: each example has rows of several filters, {sorted(filters)}: "
                "keep the rows of one filter"
            )
        texts = texts_of_rows(rows, columns, references, namespace.allow_empty)
        yield replace(texts, kept={one: rows.columns[one] for one in kept})


def _check_text_flags(path: Path, namespace: argparse.Namespace, kept: Sequence[str]) -> None:
    """Raise if flags name columns of a file that is read as text."""
    remedy = (
        f"{tables.display_name(path)} is read as text. For a table, use --format csv, tsv or jsonl"
    )
    systems, given = getattr(namespace, "systems", None), namespace.reference
    columns = {"--prediction": namespace.prediction, "--systems": systems, "--keep": kept}
    for flag in filter(columns.get, columns):
        raise CommandError(f"{flag} names columns of a table, but {remedy}")
    if not given:
        raise CommandError(f"the references are missing: name their file with -r. {remedy}")
    for one in given:
        if not Path(one).suffix and one != "-" and not os.path.exists(one):
            raise CommandError(f"-r {one}: there is no such file. {remedy}")


def read_lines(
    paths: Sequence[Path], n_rows: int, reading: tables.Reading
) -> Iterator[tables.Rows]:
    """Yield the lines of several text files, a column for each."""
    for path in paths[1:]:
        if tables.is_table(path):
            raise CommandError(
                f"{path}: this is a table, expected a text file with one text per line"
            )
    if list(paths).count(tables.STANDARD_INPUT) > 1:
        raise CommandError("standard input can be read only once, got - twice")
    names = list(map(tables.display_name, paths))
    with ExitStack() as stack:
        sources = [stack.enter_context(tables.open_file(path, reading)) for path in paths]
        counts, last = [0] * len(paths), [""] * len(paths)

        def rows() -> Iterator[tuple[str, ...]]:
            for lines in zip_longest(*(source.lines() for source in sources)):
                for place, line in enumerate(lines):
                    if line is not None:
                        counts[place] += 1
                        last[place] = line
                if None not in lines:
                    yield tuple(line.removesuffix("\n").removesuffix("\r") for line in lines)

        n_read = 0
        for batch in tables.batches(rows(), n_rows, lambda row: sum(map(len, row))):
            columns = dict(zip(names, map(list, zip(*batch, strict=True)), strict=True))
            labels = [f"line {n_read + n}" for n in range(1, len(batch) + 1)]
            n_read += len(batch)
            share = max(source.share for source in sources)
            yield tables.Rows(None, names, columns, labels, share)
    for name, count in zip(names, counts, strict=True):
        if not count:
            raise CommandError(f"{name}: the file has no lines")
        if count != counts[0]:
            ends = zip(names, counts, last, strict=True)
            blank = [one for one, n, line in ends if n > min(counts) and not line.strip()]
            remedy = f". Delete the blank lines at the end of {' and '.join(blank)}" * bool(blank)
            raise CommandError(
                f"{names[0]} has {counts[0]:,} lines and {name} has {count:,}: line n of each file "
                f"belongs to example n{remedy}"
            )


def texts_of_rows(
    rows: tables.Rows, predictions: Sequence[str], references: Sequence[str], allow_empty: bool
) -> Texts:
    """Return the predictions of columns, and the references, of some rows.

    Without `allow_empty`, a prediction must not be empty, and each row must have a reference. An
    empty reference is left out if the row has another one.
    """

    def converted(name: str, convert: Callable[[Any], Any]) -> list[Any]:
        found: list[Any] = []
        if name not in rows.columns:
            raise tables.missing_columns(rows.file or "text files", [name], rows.names)
        for value in rows.columns[name]:
            try:
                found.append(convert(value))
            except ValueError as error:
                if rows.file and name not in rows.names:
                    raise tables.missing_columns(rows.file, [name], rows.names) from error
                raise CommandError(f"{rows.place(len(found), [name])}{error}") from error
        return found

    if rows.file and (same := [one for one in predictions if one in references]):
        raise CommandError(f"{rows.file}: column {same[0]!r} is both prediction and reference")
    to_text = partial(_prediction, allow_empty=allow_empty)
    to_list = partial(_references, is_table=rows.file is not None)
    systems = {name: converted(name, to_text) for name in predictions}
    kept = []
    of_columns = (converted(name, to_list) for name in references)
    for row, lists in enumerate(zip(*of_columns, strict=True)):
        texts = list(itertools.chain(*lists))
        visible = [text for text in texts if not _INVISIBLE.fullmatch(text)]
        kept.append(visible or list(filter(None, texts)) or [""] * allow_empty)
        if not kept[-1]:
            raise CommandError(
                f"{rows.place(row, references)}: there is no reference. Use --allow-empty for an "
                "empty reference"
            )
    return Texts(systems, kept, share=rows.share, places=references)


def _prediction(value: Any, allow_empty: bool) -> str:
    """Return a prediction.

    A list of one text is that text, as in samples of lm-eval, and so is an object with "text" or
    "generated_text", as in details of lighteval and outputs of pipelines.
    """
    for _ in range(2 * (not isinstance(value, str))):
        if isinstance(value, dict):
            texts_of = ("text_post_processed", "text", "generated_text")
            value = next((value[key] for key in texts_of if value.get(key) is not None), value)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
    if value is not None and value != "":
        return _checked_text(value)
    if not allow_empty:
        what = "missing" if value is None else "empty"
        raise ValueError(
            f" is {what}. Leave the example out, or use --allow-empty to score it as empty"
        )
    return ""


def _references(value: Any, is_table: bool) -> list[str]:
    """Return the references of a value: those of a list, or one text, or none."""
    if isinstance(value, dict) and {"choices", "gold_index"} <= value.keys():
        gold = value["gold_index"]  # details of lighteval
        with suppress(TypeError, IndexError):
            value = [value["choices"][one] for one in (gold if isinstance(gold, list) else [gold])]
    if isinstance(value, list):
        texts = enumerate(value)
        return [_checked_text(one, f"[{index}]") for index, one in texts if one is not None]
    if value is None:
        return []
    text = _checked_text(value)
    if is_table and text.startswith(("['", '["')) and text.endswith(("']", '"]')):
        raise ValueError(" is a list in a string: use JSON lines for lists")
    return [text]


def _checked_text(value: Any, place: str = "") -> str:
    if not isinstance(value, str):
        raise ValueError(f"{place} must be a text, got {type(value).__name__} {value!r:.40}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise ValueError(
                f"{place} must be valid Unicode, got a lone surrogate at character "
                f"{error.start + 1}"
            ) from error
    return value


# --- files of scores ------------------------------------------------------------------


SCORE_FILES = (".parquet", ".csv", ".tsv", ".jsonl")


@contextmanager
def complete_file(path: Path, flag: str) -> Iterator[BinaryIO]:
    """Open a file that gets its name when it is complete; after an error nothing is left."""
    target = Path(os.path.realpath(path))
    part = target.with_name(f"{target.name[:40]}.{os.getpid()}.part")
    with tables.file_errors(f"{flag} {path}"):
        try:
            with part.open("wb") as file:
                yield file
            part.replace(target)
            note(f"wrote {path}")
        finally:
            with suppress(OSError):
                part.unlink()


@contextmanager
def write_columns(path: Path, flag: str) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Yield a function that appends columns of rows to a file, the same ones in each call."""
    kind = path.suffix.lower()
    writer: Any = None

    def write_line(line: str) -> None:
        file.write(f"{line}\n".encode())

    def write(columns: dict[str, Any]) -> None:
        nonlocal writer
        if kind == ".parquet":
            import pyarrow as pa
            from pyarrow.parquet import ParquetWriter

            arrays = {name: _arrow_column(name, values) for name, values in columns.items()}
            table = pa.table(arrays)
            writer = writer or stack.enter_context(ParquetWriter(file, table.schema))
            writer.write_table(table)
            return
        if writer is None and kind != ".jsonl":
            # Cells with either character of \r\n are quoted; lines end with \n.
            lines = SimpleNamespace(write=lambda line: write_line(line[:-2]))
            writer = csv.writer(lines, delimiter="\t" if kind == ".tsv" else ",")
            writer.writerow(columns)
        lists = (one.tolist() if hasattr(one, "tolist") else one for one in columns.values())
        for row in zip(*lists, strict=True):
            if kind == ".jsonl":
                no_nan = (None if value != value else value for value in row)
                write_line(_json(dict(zip(columns, no_nan, strict=True))))
            else:
                plain = (str, int, float, type(None))
                writer.writerow([one if isinstance(one, plain) else _json(one) for one in row])

    with complete_file(path, flag) as file, ExitStack() as stack:
        yield write


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _arrow_column(name: str, values: Any) -> Any:
    """Return a column of one type for all rows: values of other kept columns become texts."""
    import pyarrow as pa

    if name == "references":
        return pa.array(values, pa.list_(pa.large_string()))
    if isinstance(values, list) and {*map(type, values)} != {float}:
        return pa.array([None if one is None else str(one) for one in values], pa.large_string())
    return pa.array(values)
