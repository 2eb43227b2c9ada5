"""Find the settings of rouge_full or bleu_full that give the numbers of a paper.

    rouge-bleu find-settings mine.csv --reported rouge1=41.16 rougeL=37.98
    rouge-bleu find-settings hyp.txt -r ref.txt --reported sacrebleu=27.3

FILE holds the predictions that were scored: a text file with its references in others, or
a table, as for `rouge-bleu score`. Give the numbers with all the digits that are printed,
of one metric: rouge1, rouge2, rougeL, rougeSU4 and so on, with _precision, _recall or
_fmeasure behind the name where the paper says so; bleu, bleu1 to bleu9; or sacrebleu,
where the paper names that package. They may be scores from 0 to 1 or 100 times that.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rouge_bleu_tools.commands.find_settings.reported import parsed_numbers
from rouge_bleu_tools.commands.inputs.arguments import with_file_first
from rouge_bleu_tools.commands.inputs.errors import FileError, exit_status
from rouge_bleu_tools.commands.inputs.items import (
    Texts,
    add_file_options,
    items_of_arguments,
    rows_of_file,
)
from rouge_bleu_tools.commands.inputs.metrics import metric_of_name
from rouge_bleu_tools.commands.inputs.options import one_of_several
from rouge_bleu_tools.commands.inputs.parser import OneLineParser
from rouge_bleu_tools.commands.inputs.progress import with_progress

_N_ROWS = 1_000  # read at a time

N_SHOWN = 5  # groups of settings


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the arguments."""
    parser = OneLineParser(
        prog="rouge-bleu find-settings",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add_file_options(parser)
    add(
        "--reported",
        metavar="NAME=NUMBER",
        type=one_of_several(),
        nargs="+",
        action="extend",
        required=True,
        help="the numbers of the paper",
    )
    add(
        "--exceptions",
        metavar="FOLDER",
        help="WordNet's lists of irregular words, for -m of ROUGE-1.5.5",
    )
    add(
        "--show",
        metavar="N",
        type=int,
        default=N_SHOWN,
        help=f"groups of settings to show, 0 for all ({N_SHOWN})",
    )
    add("--n-jobs", metavar="N", type=int, default=1, help="processes (1); -1: one for each core")
    add("--json", action="store_true", help="print all that was found as JSON")
    return parser.parse_args(with_file_first(arguments))


def run(arguments: Sequence[str] | None) -> str:
    """Return what the command prints."""
    namespace = parsed(arguments)
    # What they import takes longer than --help may.
    from rouge_bleu_tools.commands.find_settings.printed import json_text, page
    from rouge_bleu_tools.commands.find_settings.search import find_settings

    if namespace.show < 0:
        raise FileError(f"--show must be at least 0, got {namespace.show}")
    reported = parsed_numbers(namespace.reported)
    texts = Texts([], [])
    for some, _ in items_of_arguments(namespace, _N_ROWS):
        texts.predictions.extend(some.predictions)
        texts.references.extend(some.references)
    metric = metric_of_name(reported[0].metric)
    findings = find_settings(
        metric,
        texts.predictions,
        texts.references,
        namespace.reported,
        exceptions=namespace.exceptions,
        n_jobs=namespace.n_jobs,
        progress=lambda runs: with_progress(runs, "runs"),
    )
    if namespace.json:
        return json_text(findings)
    rows = rows_of_file(namespace, len(texts.predictions))
    return page(findings, f"{metric.name}, {rows}", namespace.show)


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
