"""Find the settings of rouge_full or bleu_full that give the numbers of a paper.

    python examples/find_settings.py mine.csv --reported rouge1=41.16 rougeL=37.98
    python examples/find_settings.py mine.csv --reported bleu=27.3

FILE holds the predictions that were scored and their references: JSON lines (.jsonl),
CSV with a header (.csv) or Parquet (.parquet), in UTF-8. Give the numbers with all the
digits that are printed, of one metric: rouge1, rouge2, rougeL, rougeSU4 and so on, with
_precision, _recall or _fmeasure behind the name where the paper says so; or bleu, bleu1
to bleu9. They may be scores from 0 to 1 or 100 times that.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.find_settings.printed import json_text, page
from rouge_bleu_tools.commands.find_settings.reported import parsed_numbers
from rouge_bleu_tools.commands.find_settings.search import find_settings
from rouge_bleu_tools.commands.inputs.arguments import load_metric, with_file_first
from rouge_bleu_tools.commands.inputs.errors import (
    FileError,
    OneLineParser,
    exit_status,
)
from rouge_bleu_tools.commands.inputs.tables import read_table
from rouge_bleu_tools.commands.inputs.texts import predictions_of, references_of

N_SHOWN = 5  # groups of settings


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments of the script."""
    parser = OneLineParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("file", metavar="FILE", type=Path)
    add(
        "--reported",
        metavar="NAME=NUMBER",
        nargs="+",
        action="extend",
        required=True,
        help="the numbers of the paper",
    )
    add(
        "--prediction-column",
        metavar="NAME",
        default="prediction",
        help="column of the texts that were scored (prediction)",
    )
    add(
        "--reference-column",
        metavar="NAME",
        action="append",
        help="column of the references, may be repeated (references)",
    )
    add(
        "--metric",
        metavar="PATH",
        help="the path of the script of the metric, if it is not installed",
    )
    add(
        "--exceptions",
        metavar="FOLDER",
        help="WordNet's lists of irregular words, for -m of ROUGE-1.5.5",
    )
    add(
        "--allow-empty",
        action="store_true",
        help="score empty and missing predictions as empty texts",
    )
    add(
        "--show",
        metavar="N",
        type=int,
        default=N_SHOWN,
        help=f"groups of settings to show, 0 for all ({N_SHOWN})",
    )
    add("--n-jobs", metavar="N", type=int, default=-1, help="processes (one a core)")
    add("--json", action="store_true", help="print all that was found as JSON")
    return parser.parse_args(with_file_first(arguments))


def run(arguments: Sequence[str] | None) -> str:
    """Return what the script prints."""
    namespace = parsed(arguments)
    if namespace.show < 0:
        raise FileError(f"--show must be at least 0, got {namespace.show}")
    reported = parsed_numbers(namespace.reported)
    path, prediction_column = namespace.file, namespace.prediction_column
    reference_columns = namespace.reference_column or ["references"]
    table = read_table(path, [prediction_column, *reference_columns])
    predictions = predictions_of(
        table, prediction_column, path, allow_empty=namespace.allow_empty
    )
    references = references_of(table, reference_columns, path)
    metric = load_metric(namespace.metric or reported[0].metric)
    if metric.name != reported[0].metric:
        raise FileError(
            f"--reported {reported[0].name} is a score of {reported[0].metric}, and "
            f"--metric is {metric.name}"
        )
    findings = find_settings(
        metric,
        predictions,
        references,
        namespace.reported,
        exceptions=namespace.exceptions,
        n_jobs=namespace.n_jobs,
        progress=_with_progress_bar,
    )
    if namespace.json:
        return json_text(findings)
    title = f"{metric.name}, {len(predictions):,} rows of {path.name}"
    return page(findings, title, namespace.show)


def _with_progress_bar(runs: Sequence[Any]) -> Iterator[Any]:
    """Yield the runs, with one bar for all of them on a terminal."""
    from evaluate.utils import logging
    from tqdm import tqdm

    was_enabled = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()  # one for each run
    try:
        yield from tqdm(runs, desc="settings", unit=" runs", leave=False, disable=None)
    finally:
        if was_enabled:
            logging.enable_progress_bar()


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
