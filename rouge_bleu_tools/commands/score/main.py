"""Score the predictions in a file of yours with rouge_full or bleu_full.

    python examples/score_file.py examples/summaries.jsonl
    python examples/score_file.py mine.csv --metric bleu_full \\
        --prediction-column output --reference-column human_1 --reference-column human_2

FILE is JSON lines (.jsonl), CSV with a header (.csv) or Parquet (.parquet), in UTF-8, and
may be larger than the memory. A reference column holds a text, or in JSON lines and
Parquet also a list of texts. With several reference columns those of a row that are empty
are left out, as long as one is not. Rows are counted from 1, without the header.

Only --preset evaluate and rouge-1.5.5 (also as a command line of ROUGE-1.5.5.pl) of
rouge_full need memory for all of the texts: their averages are made of random samples
of all rows.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.inputs.arguments import (
    add_interval_options,
    add_metric_options,
    errors_of_metric,
    load_metric,
    with_file_first,
)
from rouge_bleu_tools.commands.inputs.errors import (
    FileError,
    OneLineParser,
    exit_status,
)
from rouge_bleu_tools.commands.inputs.tables import read_batches
from rouge_bleu_tools.commands.inputs.texts import predictions_of, references_of
from rouge_bleu_tools.commands.score.batches import (
    N_ROWS,
    Texts,
    Write,
    result_of_batches,
)
from rouge_bleu_tools.commands.score.printed import table_of_result
from rouge_bleu_tools.commands.score.row_files import check_can_write, written_scores

# --- file -> texts --------------------------------------------------------------------


def texts_of_file(namespace: argparse.Namespace) -> Iterator[tuple[Texts, float]]:
    """Yield the texts of a file, some rows at a time, and how much of it was read."""
    path, prediction_column = namespace.file, namespace.prediction_column
    reference_columns = namespace.reference_column or ["references"]
    wanted = list(dict.fromkeys([prediction_column, *reference_columns]))
    for table in read_batches(path, wanted, N_ROWS):
        texts = Texts(
            predictions_of(
                table, prediction_column, path, allow_empty=namespace.allow_empty
            ),
            references_of(table, reference_columns, path),
        )
        yield texts, table.share


@contextmanager
def progress_bar() -> Iterator[Callable[[int, float], None]]:
    """Give the function that shows some rows more, and how much of the file was read.

    Nothing is shown where nobody sees it.
    """
    from evaluate.utils import logging
    from tqdm import tqdm

    was_enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # one for each batch
    with tqdm(unit=" rows", leave=False, disable=None) as bar:

        def show(n_rows: int, share: float) -> None:
            bar.total = round((bar.n + n_rows) / share)  # as it seems
            bar.update(n_rows)

        try:
            yield show
        finally:
            if was_enabled:
                logging.enable_progress_bar()


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
    add = parser.add_argument
    add("file", metavar="FILE", type=Path)
    add(
        "--prediction-column",
        metavar="NAME",
        default="prediction",
        help="column of the texts to score (prediction)",
    )
    add(
        "--reference-column",
        metavar="NAME",
        action="append",
        help="column of the references, may be repeated (references)",
    )
    add(
        "--metric",
        default="rouge_full",
        help="rouge_full (default), bleu_full, or the path of the script of one of them",
    )
    add(
        "--allow-empty",
        action="store_true",
        help="score empty and missing predictions as empty texts",
    )
    add("--json", action="store_true", help="print the result as JSON")
    add(
        "--scores",
        metavar="OUT",
        type=Path,
        help="write the scores of each row as .parquet, .csv or .jsonl",
    )
    add("--n-jobs", metavar="N", type=int, default=-1, help="processes (one a core)")
    options = add_interval_options(parser) | add_metric_options(parser) | {"n_jobs"}
    namespace = parser.parse_args(with_file_first(arguments))
    given = vars(namespace)
    return namespace, {name: given[name] for name in given if name in options}


def run(arguments: Sequence[str] | None) -> str:
    """Return what the script prints, and write the scores of rows."""
    namespace, options = parsed(arguments)
    # What is wrong with the first rows is said before a metric is loaded.
    texts = texts_of_file(namespace)
    texts = itertools.chain([next(texts)], texts)
    if namespace.scores is not None:
        check_can_write(namespace.scores, namespace.file, "--scores")
    metric = load_metric(namespace.metric)
    options = metric_options(metric, options)
    n_rows = 0

    def counted(show: Callable[[int, float], None]) -> Iterator[Texts]:
        nonlocal n_rows
        for some, share in texts:
            yield some
            n_rows += len(some.predictions)
            show(len(some.predictions), share)

    with (
        progress_bar() as show,
        _writer(namespace.scores) as write,
        errors_of_metric(metric),
    ):
        result = result_of_batches(metric, counted(show), options, write)
    if namespace.json:
        return json.dumps(result, indent=2)
    title = f"{metric.name}, {n_rows:,} rows of {namespace.file.name}"
    return "\n".join([title, "", *table_of_result(metric.name, result)])


def _writer(path: Path | None) -> AbstractContextManager[Write | None]:
    return nullcontext() if path is None else written_scores(path, "--scores")


def metric_options(metric: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the metric; it must have all that are given."""
    names = {field.name for field in dataclasses.fields(metric.options_class)}
    for name in given:
        if name not in names:
            option = name.replace("_", "-")
            raise FileError(f"--{option} is no option of {metric.name}")
    outputs = {"output": "all"} if metric.name == "rouge_full" else {}
    return {**given, **outputs, "signature": True}


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
