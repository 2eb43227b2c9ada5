"""Score the predictions in a file of yours with rouge_full or bleu_full.

    python examples/score_file.py examples/summaries.jsonl
    python examples/score_file.py mine.csv --metric bleu_full \\
        --prediction-column output --reference-column human_1 --reference-column human_2

FILE is JSON lines (.jsonl), CSV with a header (.csv) or Parquet (.parquet), in UTF-8. A
reference column holds a text, or in JSON lines and Parquet also a list of texts. With
several reference columns those of a row that are empty are left out, as long as one is
not. Rows are counted from 1, without the header.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

METRICS = ("rouge_full", "bleu_full")
OUTPUTS = ("precision", "recall", "fmeasure")
LONG = 10_000  # rows from which on a progress bar is shown
BATCH = 1_000


class FileError(Exception):
    """What is wrong with the file, the metric or an option, in one line for the user."""


@dataclass(frozen=True)
class Table:
    """The wanted columns of a file: `rows[i]` is what the file calls the values at
    index i, such as "line 3".
    """

    column_names: Sequence[str]
    columns: dict[str, list[Any]]
    rows: Sequence[str]


# --- file -> table --------------------------------------------------------------------


def read_table(path: Path, wanted: Sequence[str]) -> Table:
    """Return the wanted columns of a file; all of them are there, and at least one row
    is.
    """
    if path.suffix.lower() not in READERS:
        raise FileError(
            f"{path}: the extension must be {', '.join(READERS)}, got {path.suffix or 'none'!r}"
        )
    if not path.is_file():
        raise FileError(
            f"{path}: {'this is a folder' if path.is_dir() else 'there is no such file'}"
        )
    try:
        table = READERS[path.suffix.lower()](path, wanted)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise FileError(
            f"{path}: the text is not UTF-8 ({error.reason} at byte {error.start})"
        ) from error
    if not table.rows:
        raise FileError(f"{path}: the file has no rows")
    for name in wanted:
        if name not in table.column_names:
            raise FileError(
                f"{path}: there is no column {name!r}; the columns are "
                f"{', '.join(map(repr, table.column_names))}"
            )
    return table


def _read_jsonl(path: Path, wanted: Sequence[str]) -> Table:
    records, rows = [], []
    with path.open(encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                rows.append(f"line {number}")
                records.append(_record_of_line(line, f"{path}, line {number}"))
    names = dict.fromkeys(name for record in records for name in record)
    return Table(
        list(names),
        {name: [record.get(name) for record in records] for name in wanted},
        rows,
    )


def _record_of_line(line: str, place: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise FileError(
            f"{place}: this is not valid JSON ({error.msg} at character {error.pos + 1})"
        ) from error
    if not isinstance(record, dict):
        raise FileError(
            f"{place}: each line must be a JSON object, got {type(record).__name__}"
        )
    return record


def _read_csv(path: Path, wanted: Sequence[str]) -> Table:
    csv.field_size_limit(
        2**31 - 1
    )  # the default, 131,072 characters, is less than a long document
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, strict=True)
        try:
            header = next(reader, [])
            records = [record for record in reader if record]
        except csv.Error as error:
            raise FileError(
                f"{path}, line {reader.line_num}: this is not valid CSV ({error})"
            ) from error
    for number, record in enumerate(records, start=1):
        if len(record) != len(header):
            raise FileError(
                f"{path}, row {number}: the row has {len(record)} values and the header {len(header)}"
            )
    columns = dict(zip(header, zip(*records, strict=True), strict=False))
    for name in wanted:
        for number, cell in enumerate(columns.get(name, ()), start=1):
            if cell.startswith(("['", '["')) and cell.endswith(("']", '"]')):
                raise FileError(
                    f"{path}, row {number}: {name!r} holds a written-out list; use JSON "
                    "lines, or one column for each reference"
                )
    return Table(
        header,
        {name: list(columns[name]) for name in wanted if name in columns},
        _row_names(len(records)),
    )


def _read_parquet(path: Path, wanted: Sequence[str]) -> Table:
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            columns = file.read(columns=[name for name in wanted if name in names])
            n_rows = file.metadata.num_rows
    except pyarrow.ArrowException as error:
        raise FileError(
            f"{path}: this is not a Parquet file ({str(error).splitlines()[0]})"
        ) from error
    return Table(
        names,
        {name: columns[name].to_pylist() for name in columns.column_names},
        _row_names(n_rows),
    )


def _row_names(n_rows: int) -> list[str]:
    return [f"row {number}" for number in range(1, n_rows + 1)]


READERS: dict[str, Callable[[Path, Sequence[str]], Table]] = {
    ".jsonl": _read_jsonl,
    ".csv": _read_csv,
    ".parquet": _read_parquet,
}


# --- table -> predictions and references ----------------------------------------------


def predictions_of(
    table: Table, column: str, path: Path, *, allow_empty: bool
) -> list[str]:
    values = table.columns[column]
    if allow_empty:
        values = ["" if value is None else value for value in values]
    for row, value in zip(table.rows, values, strict=True):
        place = f"{path}, {row}: {column!r}"
        if value is None or (value == "" and not allow_empty):
            raise FileError(
                f"{place} is {'missing' if value is None else 'empty'}; --allow-empty "
                "scores it as an empty text"
            )
        if not isinstance(value, str):
            raise FileError(
                f"{place} must be a text, got {type(value).__name__} {value!r:.40}"
            )
    return values


def references_of(table: Table, columns: Sequence[str], path: Path) -> list[list[str]]:
    """Return the list of references of each row."""
    references = []
    for index, row in enumerate(table.rows):
        texts = [
            text
            for column in columns
            for text in _texts_of_value(
                table.columns[column][index], f"{path}, {row}: {column!r}"
            )
        ]
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
        yield value
        return
    if not isinstance(value, list):
        raise FileError(
            f"{place} must be a text or a list of texts, got {type(value).__name__} {value!r:.40}"
        )
    for index, text in enumerate(value):
        if not isinstance(text, str) or not text:
            shown = (
                "an empty text" if text == "" else f"{type(text).__name__} {text!r:.40}"
            )
            raise FileError(
                f"{place}[{index}] must be a text, got {'nothing' if text is None else shown}"
            )
        yield text


# --- scoring --------------------------------------------------------------------------


def load_metric(name: str) -> Any:
    """Return the metric of this name, or of the script at this path."""
    _check_metric_name(name)
    try:
        import evaluate  # takes seconds, so what is wrong with the file is said before
    except ImportError as error:
        raise FileError(
            f"{sys.executable} cannot import evaluate: pip install -r requirements.txt, or "
            "use .venv/bin/python"
        ) from error

    # Nothing about "the latest cached version" of an installed metric.
    evaluate.utils.logging.set_verbosity_error()
    try:
        metric = evaluate.load(name)
    except OSError as error:
        raise FileError(
            f"cannot load {name!r}: install the metrics with `make install`, or give the path "
            "of a script, --metric rouge_full.py"
        ) from error
    except ImportError as error:
        raise FileError(
            f"cannot load {name!r}: {str(error).splitlines()[0]}"
        ) from error
    if metric.name not in METRICS:
        raise _other_metric_error(name)
    return metric


def _check_metric_name(name: str) -> None:
    """Raise where a name is that of no script, and of neither metric."""
    path = Path(name)
    if path.exists():
        return
    if path.suffix == ".py":
        raise FileError(f"--metric {name}: there is no such file")
    if path.name == name and name not in METRICS:  # a name alone
        raise _other_metric_error(name)


def _other_metric_error(name: str) -> FileError:
    return FileError(
        f"--metric must be {' or '.join(METRICS)}, or the path of the script of one of "
        f"them, got {name!r}"
    )


def score(
    metric: Any, predictions: list[str], references: list[list[str]], **options: Any
) -> dict[str, Any]:
    """Return the result of the metric with its signature; precision, recall and F of
    rouge_full.
    """
    options["signature"] = True
    if metric.name == "rouge_full":
        options["output"] = "all"
    try:
        if len(predictions) < LONG:
            return metric.compute(
                predictions=predictions, references=references, **options
            )
        _add_with_progress_bar(metric, predictions, references)
        return metric.compute(**options)
    except (
        TypeError,
        ValueError,
        ImportError,
    ) as error:  # the metrics say in one line what is wrong
        raise FileError(f"{metric.name}: {error}") from error


def _add_with_progress_bar(
    metric: Any, predictions: list[str], references: list[list[str]]
) -> None:
    from tqdm import tqdm

    with tqdm(total=len(predictions), desc="adding", unit=" rows") as bar:
        for start in range(0, len(predictions), BATCH):
            batch = slice(start, start + BATCH)
            metric.add_batch(
                predictions=predictions[batch], references=references[batch]
            )
            bar.update(len(predictions[batch]))


# --- result -> lines ------------------------------------------------------------------


def table_of_result(metric_name: str, result: dict[str, Any]) -> list[str]:
    """Return the lines of the scores, and the signature, which says how to get them."""
    scores = {key: value for key, value in result.items() if key != "signature"}
    return [*LAYOUTS[metric_name](scores), "", result["signature"]]


def _rouge_table(result: dict[str, float]) -> list[str]:
    names = list(dict.fromkeys(key.rpartition("_")[0] for key in result))
    width = max(map(len, names))
    lines = [f"{'':{width}}  precision   recall        F"]
    for name in names:
        precision, recall, f = (result[f"{name}_{output}"] for output in OUTPUTS)
        lines.append(f"{name:{width}}  {precision:9.4f}{recall:9.4f}{f:9.4f}")
    return lines


def _bleu_table(result: dict[str, Any]) -> list[str]:
    rows: list[tuple[str, Any]] = []
    for name, value in result.items():
        label = name.replace("_", " ")
        if isinstance(
            value, list
        ):  # precisions, and with preset "sacrebleu" counts and totals
            rows += [
                (f"{label.removesuffix('s')} of {order}-grams", part)
                for order, part in enumerate(value, start=1)
            ]
        else:
            rows.append((label, value))
    return [
        f"{label:20}{value:9{',' if isinstance(value, int) else '.4f'}}"
        for label, value in rows
    ]


LAYOUTS: dict[str, Callable[[dict[str, Any]], list[str]]] = {
    "rouge_full": _rouge_table,
    "bleu_full": _bleu_table,
}


# --- command line ---------------------------------------------------------------------


def parsed(
    arguments: Sequence[str] | None,
) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Return the arguments of the script, and the options for the metric that were
    given.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", metavar="FILE", type=Path)
    parser.add_argument(
        "--prediction-column",
        metavar="NAME",
        default="prediction",
        help="column of the texts to score (prediction)",
    )
    parser.add_argument(
        "--reference-column",
        metavar="NAME",
        action="append",
        help="column of the references, may be repeated (references)",
    )
    parser.add_argument(
        "--metric",
        default="rouge_full",
        help="rouge_full (default), bleu_full, or the path of the script of one of them",
    )
    parser.add_argument(
        "--allow-empty",
        action="store_true",
        help="score empty and missing predictions as empty texts",
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    own = {action.dest for action in parser._actions}
    options = parser.add_argument_group(
        "options of the metrics, by default as they are documented there",
        argument_default=argparse.SUPPRESS,
    )
    options.add_argument("--tokenizer", metavar="NAME")
    options.add_argument(
        "--preset",
        metavar="NAME",
        help="such as rouge-1.5.5 for rouge_full, sacrebleu for bleu_full",
    )
    options.add_argument(
        "--rouge-types",
        metavar="TYPE",
        nargs="+",
        help="rouge_full: such as rouge1 rougeLsum rougeSU4",
    )
    options.add_argument("--use-stemmer", action="store_true", help="rouge_full")
    options.add_argument(
        "--sentence-splitter",
        metavar="NAME",
        help="rouge_full: newline or sentences, for rougeLsum",
    )
    options.add_argument(
        "--multi-reference",
        metavar="NAME",
        help="rouge_full: best, average, pooled or jackknife",
    )
    options.add_argument("--beta", type=float, help="rouge_full: weight of recall in F")
    options.add_argument(
        "--weights",
        metavar="WEIGHT",
        nargs="+",
        type=float,
        help="bleu_full: one for each order",
    )
    options.add_argument("--max-order", metavar="N", type=int, help="bleu_full")
    options.add_argument("--smoothing", metavar="NAME", help="bleu_full: such as exp")
    options.add_argument("--lowercase", action="store_true", help="bleu_full")
    options.add_argument("--effective-order", action="store_true", help="bleu_full")
    namespace = parser.parse_args(arguments)
    return namespace, {
        name: value for name, value in vars(namespace).items() if name not in own
    }


def run(arguments: Sequence[str] | None) -> str:
    """Return what the script prints."""
    namespace, options = parsed(arguments)
    path, prediction_column = namespace.file, namespace.prediction_column
    reference_columns = namespace.reference_column or ["references"]
    table = read_table(path, [prediction_column, *reference_columns])
    predictions = predictions_of(
        table, prediction_column, path, allow_empty=namespace.allow_empty
    )
    references = references_of(table, reference_columns, path)
    metric = load_metric(namespace.metric)
    result = score(metric, predictions, references, **options)
    if namespace.json:
        return json.dumps(result, indent=2)
    title = f"{metric.name}, {len(predictions):,} rows of {path.name}"
    return "\n".join([title, "", *table_of_result(metric.name, result)])


def _show_warning(message: Warning | str, *_: Any) -> None:
    print(f"warning: {message}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            print(run(arguments))
    except FileError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
