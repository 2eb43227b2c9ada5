"""Score predictions in Parquet on Apache Spark, where no machine has all of them.

    python examples/score_on_spark.py data.parquet --id-column id --confidence-level 0.95
    spark-submit examples/score_on_spark.py hdfs://.../data --metric bleu_full \\
        --scores hdfs://.../scores

DATA is a Parquet file, or a folder of them, with a text to score and its reference, or a
list of references, in each row. The executors score, each partition for itself, and add
up; the driver gets sums whose size does not depend on the data. The result is that of
the metric for all rows, however they are partitioned.

The metric is loaded on the executors as on the driver: by its path if they see the same
files, by its name if it is installed there, or from the Hub.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from rouge_bleu_tools.cli.inputs import (
    CommandError,
    Parser,
    add_option_flags,
    errors_of,
    exit_status,
    files_first,
    given_options,
)

# Of columns of sums that are not added up.
_AGGREGATES = {"fewest_references": "min", "most_references": "max", "seed": "max"}
_ERROR_OF_WORKER = re.compile(r"^\w*Error: .*", re.MULTILINE)
_CAUSE_IN_JAVA = re.compile(r"^Caused by: (.*)", re.MULTILINE)
# What errors of `batch_statistics` name -> what one types here.
_TYPED = {"give missing='skip'": "give --missing skip", "item must": "--id-column must"}

Batches = Iterable[pa.RecordBatch]
MapBatches = Callable[[Batches], Iterator[pa.RecordBatch]]


# --- what executors do ----------------------------------------------------------------
# Functions in functions: Spark sends these as they are, with the metric that they hold.


def statistics_of_batches(
    metric: Any, columns: dict[str, Any], options: dict[str, Any], *, with_scores: bool
) -> MapBatches:
    """Return the function from batches of texts to the statistics of items, and to their
    scores if they are asked for.
    """

    def statistics(batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            of_items = metric.batch_statistics(batch, **columns, **options)
            if not with_scores:
                yield of_items
                continue
            scores = metric.item_scores(of_items, **options)
            both = dict(zip(of_items.schema.names, of_items.columns, strict=True))
            both |= dict(zip(scores.schema.names, scores.columns, strict=True))
            yield pa.RecordBatch.from_pydict(both)

    return statistics


def sums_of_batches(metric: Any, options: dict[str, Any]) -> MapBatches:
    """Return the function from the statistics of a partition to their sums."""

    def sums(batches: Batches) -> Iterator[pa.RecordBatch]:
        yield metric.sum_statistics(batches, **options)

    return sums


# --- what the driver does -------------------------------------------------------------


def score(
    data: Any,
    metric: Any,
    columns: dict[str, Any],
    options: dict[str, Any],
    scores: str | None = None,
) -> dict[str, Any]:
    """Return the result of a DataFrame, and write the scores of items if asked for.

    Parameters
    ----------
    data : pyspark.sql.DataFrame
    metric : evaluate.Metric
    columns : dict
        Arguments of `batch_statistics` that say where texts and ids are.
    options : dict
        Options of the metric.
    scores : str, optional
        The folder to write to, as Parquet.
    """
    names = [columns[role] for role in ("predictions", "references", "item")]
    data = data.select(*[name for name in names if name])
    statistics = statistics_of_batches(metric, columns, options, with_scores=scores is not None)
    sums = sums_of_batches(metric, options)
    no_rows = _no_rows(data)
    next(statistics(no_rows))  # columns of a wrong type are refused here
    check_rows(data, columns)
    if scores is None:
        # In one step: what lies between two steps goes through Java, row by row.
        of_partitions = _mapped(data, lambda rows: sums(statistics(rows)), no_rows)
    else:
        _mapped(data, statistics, no_rows).write.parquet(scores)
        of_items = data.sparkSession.read.parquet(scores)
        of_partitions = _mapped(of_items, sums, [])
    return metric.fold(_added_up(of_partitions), **options)


def check_rows(data: Any, columns: dict[str, Any]) -> None:
    """Raise where rows have nulls that are not to be skipped, or an id stands in two rows.

    An executor sees its own rows only, and what it raises comes with the traces of Java.
    """
    from pyspark.sql import functions

    prediction, references, item = (columns[role] for role in ("predictions", "references", "item"))
    of_item = functions.min(item) if item else functions.lit(None)
    if columns.get("missing", "error") == "error":
        has_lists = _depth(data, references) > _depth(data, prediction)
        is_missing = _holds_null(data, prediction) | _holds_null(data, references)
        if has_lists:
            is_missing = is_missing | (functions.size(references) == 0)
        rows = data.filter(is_missing)
        n_rows, example = rows.agg(functions.count("*"), of_item).head()
        if n_rows:
            raise CommandError(
                f"{_number(n_rows, 'row')} with a null or without a reference"
                + (f", such as item {example!r}" if item else "")
                + ": give --missing skip to leave out and count them"
            )
    if item:
        n_of_item = data.groupBy(item).count().filter("count > 1")
        n_items, example = n_of_item.agg(functions.count("*"), of_item).head()
        if n_items:
            raise CommandError(
                f"{_number(n_items, 'id')} of {item!r} in more than one row, such as"
                f" {example!r}: items with one id would stand in the same resamples"
            )


def _number(n: int, what: str) -> str:
    return f"{n:,} {what}" + ("s" if n > 1 else "")


def _depth(data: Any, column: str) -> int:
    """Return how many lists stand around a string."""
    return data.schema[column].dataType.simpleString().count("array<")


def _holds_null(data: Any, column: str) -> Any:
    """Return the condition that a cell is null, or one of the texts or tokens in it."""
    from pyspark.sql import functions

    def holds_null(cell: Any, depth: int) -> Any:
        is_null = cell.isNull()
        if not depth:
            return is_null
        return is_null | functions.exists(cell, lambda x: holds_null(x, depth - 1))

    return holds_null(functions.col(column), _depth(data, column))


def _no_rows(data: Any) -> Batches:
    """Return a batch of the columns without rows, from which types can be had."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return [pa.RecordBatch.from_pylist([], schema=to_arrow_schema(data.schema))]


def _mapped(data: Any, function: MapBatches, no_rows: Batches) -> Any:
    """Return the DataFrame of what a function makes of each partition."""
    from pyspark.sql.pandas.types import from_arrow_schema

    schema = next(function(no_rows)).schema
    return data.mapInArrow(function, from_arrow_schema(schema))


def _added_up(sums: Any) -> pa.Table:
    """Return the sums of all partitions, which the executors add up."""
    from pyspark.sql import functions

    columns = [
        getattr(functions, _AGGREGATES.get(name, "sum"))(name).alias(name)
        for name in sums.columns
        if name != "resample"
    ]
    rows = sums.groupBy("resample").agg(*columns).collect()
    return pa.Table.from_pylist([row.asDict() for row in rows])


# --- command line ---------------------------------------------------------------------


def parsed(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Return the arguments of the script, and the options of the metric that are given."""
    parser = Parser("", __doc__)
    parser.usage = "python score_on_spark.py DATA [options]"
    add = parser.add_argument
    add("data", metavar="DATA")
    add("--metric", default="rouge_full", help="name, path of a script, or Hub address")
    add("--prediction-column", metavar="NAME", default="prediction")
    add("--reference-column", metavar="NAME", default="references")
    add("--id-column", metavar="NAME", help="which intervals need")
    add("--scores", metavar="FOLDER", help="write the scores of items, as Parquet")
    add(
        "--missing",
        choices=("error", "skip"),
        default="error",
        help="what becomes of rows with a null, or without a reference (error)",
    )
    add("--master", metavar="URL", help="of Spark, such as local[4]")
    several = add_option_flags(parser)
    namespace = parser.parse_args(files_first(arguments, several))
    options = given_options(namespace)
    if "confidence_level" in options and namespace.id_column is None:
        raise CommandError("--confidence-level needs --id-column, a column of ids")
    return namespace, {**options, "signature": True}


def load_metric(name: str) -> Any:
    """Return a metric of `evaluate`, which Spark can send to executors."""
    import evaluate

    try:
        return evaluate.load(name)
    except Exception as error:  # the loader and the metric raise many types
        raise CommandError(f"--metric {name!r}: {error}") from error


def session(master: str | None) -> Any:
    """Return a session of Spark that shows progress."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("score_on_spark")
    if master is not None:
        builder = builder.master(master)
    # A worker of Python for each core: more threads would be in each other's way.
    return (
        builder.config("spark.ui.showConsoleProgress", "true")
        .config("spark.executorEnv.OMP_NUM_THREADS", "1")
        .getOrCreate()
    )


def as_typed(message: str) -> str:
    """Return an error of the metric in the words of the command line.

    >>> as_typed("predictions[3] is null: give missing='skip' to leave out rows")
    'predictions[3] is null: give --missing skip to leave out rows'
    """
    for name, typed in _TYPED.items():
        message = message.replace(name, typed)
    return message


def line_of_error(message: str) -> str:
    """Return the line of an error of Spark that says what is wrong.

    >>> line_of_error("Job aborted\\n\\tat a.b(c:1)\\nCaused by: no Parquet\\n\\tat d.e(f:2)")
    'no Parquet'
    """
    for kind in (_ERROR_OF_WORKER, _CAUSE_IN_JAVA):
        if lines := kind.findall(message):
            return str(lines[-1])
    return message.partition("\n")[0]


def run(arguments: Sequence[str] | None) -> str:
    """Return what the script prints."""
    namespace, options = parsed(arguments)
    metric = load_metric(namespace.metric)
    try:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
    except ImportError as error:
        raise CommandError(
            f"{sys.executable} cannot import pyspark: pip install pyspark"
        ) from error
    columns = {
        "predictions": namespace.prediction_column,
        "references": namespace.reference_column,
        "item": namespace.id_column,
        "missing": namespace.missing,
    }
    spark = session(namespace.master)
    # What goes wrong is said here, and Java would print the traces of each attempt.
    spark.sparkContext.setLogLevel("OFF")
    try:
        with errors_of(metric.name):
            data = spark.read.parquet(namespace.data)
            result = score(data, metric, columns, options, namespace.scores)
    except CommandError as error:
        raise CommandError(as_typed(str(error))) from error
    except (PySparkException, Py4JError) as error:
        fault = as_typed(line_of_error(str(error)))
        raise CommandError(f"{namespace.data}: {fault}") from error
    finally:
        spark.stop()
    return json.dumps(result, indent=2)


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))


if __name__ == "__main__":
    sys.exit(main())
