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
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from metric_arguments import (
    add_metric_options,
    errors_of_metric,
    load_metric,
    with_file_first,
)
from one_line_errors import OneLineParser, exit_status
from table_files import predictions_of, read_table, references_of

OUTPUTS = ("precision", "recall", "fmeasure")
LONG = 10_000  # rows from which on a progress bar is shown
BATCH = 1_000


# --- scoring --------------------------------------------------------------------------


def score(
    metric: Any, predictions: list[str], references: list[list[str]], **options: Any
) -> dict[str, Any]:
    """Return the result of the metric with its signature; precision, recall and F of
    rouge_full.
    """
    options["signature"] = True
    if metric.name == "rouge_full":
        options["output"] = "all"
    with errors_of_metric(metric):
        if len(predictions) < LONG:
            return metric.compute(
                predictions=predictions, references=references, **options
            )
        _add_with_progress_bar(metric, predictions, references)
        return metric.compute(**options)


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
    parser = OneLineParser(
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
    options = add_metric_options(parser)
    namespace = parser.parse_args(with_file_first(arguments))
    given = vars(namespace)
    return namespace, {name: given[name] for name in given if name in options}


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


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))


if __name__ == "__main__":
    sys.exit(main())
