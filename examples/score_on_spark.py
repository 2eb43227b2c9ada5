"""Score predictions in Parquet on Apache Spark; no machine holds all of them.

    python examples/score_on_spark.py data.parquet --id-column id --confidence-level 0.95
    spark-submit examples/score_on_spark.py hdfs://.../data --metric bleu_full --scores hdfs://.../scores
    python examples/score_on_spark.py data.parquet --options '{"rouge_types": ["rouge1", "rougeL"]}'

DATA is a Parquet file, or a folder of them. Each row has a prediction and its reference, or a list of
references. Executors score their partitions and add up; the driver gets sums whose size does not
depend on the data. The result is that of the metric for all rows, however they are partitioned.

Executors load the metric as the driver does: by its path, by its name if it is installed there, or
from the Hub.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import evaluate
import pyarrow as pa

Batches = Iterable[pa.RecordBatch]
MapBatches = Callable[[Batches], Iterator[pa.RecordBatch]]

# How Spark aggregates the columns of sums that are not added up.
_AGGREGATES = {"fewest_references": "min", "most_references": "max", "seed": "max"}


def statistics_of_batches(
    metric: Any, columns: dict[str, Any], options: dict[str, Any], *, with_scores: bool
) -> MapBatches:
    """Return the function from texts to statistics of items, with their scores if asked for.

    Spark sends it to the executors, with the metric that it refers to.
    """

    def statistics(batches: Batches) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = metric.batch_statistics(batch, **columns, **options)
            if with_scores:
                scores = metric.item_scores(rows, **options)
                both = dict(zip(rows.schema.names, rows.columns, strict=True))
                both |= dict(zip(scores.schema.names, scores.columns, strict=True))
                rows = pa.RecordBatch.from_pydict(both)
            yield rows

    return statistics


def score(
    data: Any,
    metric: Any,
    columns: dict[str, Any],
    options: dict[str, Any],
    scores: str | None = None,
) -> dict[str, Any]:
    """Return the result of a Spark DataFrame, and write the scores of items as Parquet if asked for.

    `columns` are the arguments of `batch_statistics` with the columns of texts and ids, `options`
    those of the metric, and `scores` is the folder to write to.
    """
    from pyspark.sql import functions
    from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

    def mapped(frame: Any, function: MapBatches) -> Any:
        no_rows = pa.RecordBatch.from_pylist([], schema=to_arrow_schema(frame.schema))
        schema = next(function([no_rows])).schema
        return frame.mapInArrow(function, from_arrow_schema(schema))

    names = [columns[role] for role in ("predictions", "references", "item")]
    data = data.select(*filter(None, names))
    check_ids(data, columns["item"])
    statistics = statistics_of_batches(metric, columns, options, with_scores=scores is not None)

    def sums(batches: Batches) -> Iterator[pa.RecordBatch]:
        yield metric.sum_statistics(batches, **options)

    if scores is None:  # in one step: what lies between two steps goes through Java, row by row
        partitions = mapped(data, lambda batches: sums(statistics(batches)))
    else:
        mapped(data, statistics).write.parquet(scores)
        partitions = mapped(data.sparkSession.read.parquet(scores), sums)
    columns_of_sums = [
        getattr(functions, _AGGREGATES.get(name, "sum"))(name).alias(name)
        for name in partitions.columns
        if name != "resample"
    ]
    rows = partitions.groupBy("resample").agg(*columns_of_sums).collect()
    return metric.fold(pa.Table.from_pylist([row.asDict() for row in rows]), **options)


def check_ids(data: Any, item: str | None) -> None:
    """Raise if an id is in two rows, which no executor sees: they would be resampled together."""
    if item is not None:
        twice = data.groupBy(item).count().filter("count > 1").head()
        if twice is not None:
            raise ValueError(f"id {twice[0]!r} of {item!r} is in {twice[1]} rows")


def session(master: str | None) -> Any:
    """Return a Spark session that shows progress; each worker of Python has one thread."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("score_on_spark")
    if master is not None:
        builder = builder.master(master)
    builder = builder.config("spark.ui.showConsoleProgress", "true")
    return builder.config("spark.executorEnv.OMP_NUM_THREADS", "1").getOrCreate()


def line_of_error(message: str) -> str:
    r"""Return the line with the fault, without the traces of Java.

    >>> line_of_error("Job aborted\n\tat a.b(c:1)\nCaused by: no Parquet\n\tat d.e(f:2)")
    'no Parquet'
    """
    for pattern in (r"^\w*Error: .*", r"(?<=^Caused by: ).*"):
        if lines := re.findall(pattern, message, re.MULTILINE):
            return lines[-1]
    return message.partition("\n")[0]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("data", metavar="DATA")
    add("--metric", default="rouge_full", help="name, path of a script, or Hub address")
    add("--prediction-column", metavar="NAME", default="prediction")
    add("--reference-column", metavar="NAME", default="references")
    add("--id-column", metavar="NAME", help="needed for intervals")
    add("--confidence-level", metavar="LEVEL", type=float, help="such as 0.95")
    add("--options", metavar="JSON", type=json.loads, default={}, help="options of the metric")
    add("--scores", metavar="FOLDER", help="write the scores of items, as Parquet")
    add("--missing", choices=("error", "skip"), default="error", help="rows without a text (error)")
    add("--master", metavar="URL", help="of Spark, such as local[4]")
    given = parser.parse_args(arguments)
    columns = {
        "predictions": given.prediction_column,
        "references": given.reference_column,
        "item": given.id_column,
        "missing": given.missing,
    }
    options = {"confidence_level": given.confidence_level, **given.options, "signature": True}
    if options["confidence_level"] is not None and given.id_column is None:
        sys.exit("error: an interval needs --id-column, a column of ids")
    metric = evaluate.load(given.metric)
    spark = session(given.master)
    spark.sparkContext.setLogLevel("OFF")  # Java would print the traces of each attempt
    try:
        result = score(spark.read.parquet(given.data), metric, columns, options, given.scores)
    except Exception as error:
        sys.exit(f"error: {line_of_error(str(error))}")
    finally:
        spark.stop()
    print(json.dumps(result, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
