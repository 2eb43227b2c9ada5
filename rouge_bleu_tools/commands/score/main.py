"""Score texts with ROUGE, BLEU or both.

    rouge-bleu score hyp.txt -r ref.txt -m bleu -b
    cat hyp.txt | rouge-bleu score -r ref_1.txt ref_2.txt -m rouge bleu
    rouge-bleu score mine.csv --prediction output --reference human_1 human_2

FILE is a text file, one text in each line, or a table: JSON lines (.jsonl), JSON (.json),
CSV and TSV with a header (.csv, .tsv) or Parquet (.parquet); each also as .gz, all in
UTF-8. It may be larger than the memory, but for .json. References of a text file are
text files with as many lines. Those of a table are columns: they hold a text, or where
the format has lists also a list of texts. With several references those of a row that are
empty are left out, as long as one is not. Rows of a table are counted from 1, without the
header.

Only --preset evaluate and rouge-1.5.5 (also as a command line of ROUGE-1.5.5.pl), a
signature of sacreBLEU with bs, and --no-use-aggregator need memory for all of the texts.
"""

from __future__ import annotations

import argparse
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rouge_bleu._bleu.other_lines import sacrebleu_line, warning_of_references
from rouge_bleu_tools.commands.inputs.arguments import (
    METRICS,
    add_interval_options,
    add_metric_option,
    add_metric_options,
    errors_of_metric,
    given_options,
    options_of_metric,
    with_file_first,
)
from rouge_bleu_tools.commands.inputs.errors import FileError, exit_status, say
from rouge_bleu_tools.commands.inputs.items import (
    Texts,
    add_file_options,
    checked_file,
    items_of_arguments,
    rows_of_file,
)
from rouge_bleu_tools.commands.inputs.json_text import json_text
from rouge_bleu_tools.commands.inputs.metrics import full_name, metrics_of_names
from rouge_bleu_tools.commands.inputs.parser import OneLineParser
from rouge_bleu_tools.commands.inputs.progress import progress
from rouge_bleu_tools.commands.inputs.tables import is_table
from rouge_bleu_tools.commands.score.batches import N_ROWS, Scoring, Write
from rouge_bleu_tools.commands.score.printed import (
    Digits,
    numbers_of_result,
    table_of_result,
    table_of_rows,
)
from rouge_bleu_tools.commands.score.row_files import check_can_write, written_scores

# What may stand beside --signature: what it only names, and what changes no score.
_BESIDE_SIGNATURE = ("stemmer", "stopwords", "output")
# Programs that print scores in percent, and with how many digits.
_PERCENT_OF_PRESET = {"sacrebleu": 1}
# And ways to count whose program prints other decimals than the command.
_DECIMALS_OF_COUNTING = {"rouge-1.5.5": 5}

# --- command line ---------------------------------------------------------------------


def parsed(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Return the arguments, and the options for the metrics that were given."""
    parser = OneLineParser(
        prog="rouge-bleu score",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add_file_options(parser)
    add_metric_option(parser, "rouge")
    add(
        "--signature",
        metavar="LINE",
        action="append",
        help="restore the settings of a signature; for both metrics, give two",
    )
    add("-b", "--score-only", action="store_true", help="print numbers only")
    add("--percent", action="store_true", help="print scores from 0 to 100")
    add(
        "-w",
        "--width",
        metavar="N",
        type=int,
        help="decimals (4; of ROUGE-1.5.5 5; with --percent 2)",
    )
    add("--json", action="store_true", help="print the result as JSON")
    add(
        "--scores",
        metavar="OUT",
        type=Path,
        help="write the scores of each row as .parquet, .csv or .jsonl",
    )
    add("--n-jobs", metavar="N", type=int, default=1, help="processes (1); -1: one for each core")
    options = add_interval_options(parser) | add_metric_options(parser)
    namespace = parser.parse_args(with_file_first(arguments))
    if namespace.json and (namespace.percent or namespace.score_only or namespace.width):
        raise FileError("--json has the numbers as they are: leave out -b, -w, --percent")
    if namespace.width is not None and not 0 <= namespace.width <= 17:
        raise FileError(f"--width must be from 0 to 17, got {namespace.width}")
    return namespace, given_options(namespace, options)


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))


# --- options of each metric -----------------------------------------------------------


@dataclass(frozen=True)
class _Run:
    """A metric with its options, and whether its intervals are those of `fold`."""

    metric: Any
    options: dict[str, Any]
    folds: bool = True
    signature: str | None = None


def _runs(namespace: argparse.Namespace, given: Mapping[str, Any]) -> list[_Run]:
    if namespace.signature:
        return _runs_of_signatures(namespace, given)
    metrics = metrics_of_names(namespace.metric or ["rouge"])
    runs = []
    for metric in metrics:
        options = options_of_metric(metric, metrics, given)
        folds = namespace.scores is not None or not _draws_as_compute(metric, options)
        runs.append(_Run(metric, _with_output(namespace, metric, options), folds))
    return runs


def _draws_as_compute(metric: Any, options: Mapping[str, Any]) -> bool:
    """Whether intervals are those that a signature of sacreBLEU, as preset, asks for."""
    if metric.name != "bleu_full":
        return False
    with errors_of_metric(metric):
        line = sacrebleu_line(options.get("preset") or "")
    return line is not None and "confidence_level" in line.options


def _with_output(
    namespace: argparse.Namespace, metric: Any, options: dict[str, Any]
) -> dict[str, Any]:
    """Return the options with what the command wants of the result."""
    if metric.name == "rouge_full":
        options = {"output": "all", **options}
    elif namespace.score_only:
        options = {**options, "output": "score"}
    return {**options, "n_jobs": namespace.n_jobs, "signature": True}


def _runs_of_signatures(namespace: argparse.Namespace, given: Mapping[str, Any]) -> list[_Run]:
    for name in given:
        if name not in _BESIDE_SIGNATURE:
            option = name.replace("_", "-")
            raise FileError(f"--signature says all options: leave out --{option}")
    lines = {line.strip().partition("|")[0]: line for line in namespace.signature}
    for name in lines:
        if name not in METRICS:
            raise FileError(
                "--signature must begin with rouge_full| or bleu_full|, got "
                f"{name!r:.60}; a signature of sacreBLEU is a --preset"
            )
    names = namespace.metric or list(lines)
    if sorted(map(full_name, names)) != sorted(lines) or len(lines) < len(namespace.signature):
        raise FileError(
            "--signature must be a line for each metric, of "
            f"{' and '.join(map(full_name, names))}, got {' and '.join(lines)}"
        )
    supplied = {name: given[name] for name in given if name != "output"}
    runs = []
    for metric in metrics_of_names(names):
        line = lines[metric.name]
        own = supplied if metric.name == "rouge_full" else {}
        with errors_of_metric(metric):
            options = metric.options_of_signature(line, **own)
        if "output" in given:
            options["output"] = given["output"]
        has_interval = options.get("confidence_level") is not None
        folds = "|draws:" in line or not has_interval
        if metric.name == "rouge_full":
            options = {**options, "n_jobs": namespace.n_jobs, "signature": True}
        else:
            options = _with_output(namespace, metric, options)
        runs.append(_Run(metric, options, folds, line))
    return runs


# --- scoring --------------------------------------------------------------------------


def run(arguments: Sequence[str] | None) -> str:
    """Return what the command prints, and write the scores of rows."""
    namespace, given = parsed(arguments)
    # What is wrong with the first rows is said before a metric is imported.
    items = items_of_arguments(namespace, N_ROWS)
    items = itertools.chain([next(items)], items)
    if namespace.scores is not None:
        check_can_write(namespace.scores, _files(namespace), "--scores")
    runs = _runs(namespace, given)
    if namespace.scores is not None and len(runs) > 1:
        raise FileError("--scores needs one metric: -m rouge or -m bleu")
    if namespace.score_only:
        _check_scale(namespace, runs)
    n_rows, results = _results(runs, items, namespace.scores)
    for one, result in zip(runs, results, strict=True):
        _warn_of_other_signature(one, result["signature"])
        _warn_of_other_references(one, result["signature"])
    if namespace.json:
        return _json(runs, results)
    if namespace.score_only:
        return "\n".join(
            line
            for one, result in zip(runs, results, strict=True)
            for line in numbers_of_result(
                result, _alone(namespace, one), only_f="output" not in given
            )
        )
    rows = rows_of_file(namespace, n_rows)
    parts = []
    for one, result in zip(runs, results, strict=True):
        digits = _digits(namespace, one, None)
        of_corpus = one.options.get("use_aggregator", True)
        lines = (
            table_of_result(one.metric.name, result, digits)
            if of_corpus
            else table_of_rows(result, digits)
        )
        parts.append("\n".join([f"{one.metric.name}, {rows}", "", *lines]))
    return "\n\n".join(parts)


def _files(namespace: argparse.Namespace) -> list[Path]:
    path = checked_file(namespace.file)
    if is_table(path, namespace.format):
        return [path]
    return [path, *map(Path, namespace.reference)]


def _check_scale(namespace: argparse.Namespace, runs: Sequence[_Run]) -> None:
    """Raise where numbers without names would be of two scales."""
    factors = set()
    for one in runs:
        with errors_of_metric(one.metric):
            factors.add(_alone(namespace, one).factor)
    if len(factors) > 1:
        raise FileError(
            "-b would print one metric from 0 to 100, as the program of the preset does, "
            "and the other from 0 to 1: add --percent, or leave out -b"
        )


def _results(
    runs: Sequence[_Run], items: Iterator[tuple[Texts, float]], path: Path | None
) -> tuple[int, list[dict[str, Any]]]:
    """Return the number of rows, and the result of each metric."""
    n_rows = 0
    with progress("rows") as show, _writer(path) as write:
        scorings = []
        for one in runs:
            with errors_of_metric(one.metric):
                scorings.append(Scoring(one.metric, one.options, write, folds=one.folds))
        for texts, share in items:
            for one, scoring in zip(runs, scorings, strict=True):
                with errors_of_metric(one.metric):
                    scoring.add(texts)
            n_rows += len(texts.predictions)
            show(len(texts.predictions), share)
        results = []
        for one, scoring in zip(runs, scorings, strict=True):
            with errors_of_metric(one.metric):
                results.append(scoring.result())
    return n_rows, results


def _writer(path: Path | None) -> AbstractContextManager[Write | None]:
    return nullcontext() if path is None else written_scores(path, "--scores")


def _warn_of_other_signature(one: _Run, line: str) -> None:
    """Warn where the texts do not allow the same signature, as with fewer references."""
    if one.signature is None:
        return
    before, now = (text.strip().split("|")[2:] for text in (one.signature, line))
    differences = {
        "has": [part for part in now if part not in before],
        "lacks": [part for part in before if part not in now],
    }
    texts = [f"{how} {', '.join(parts)}" for how, parts in differences.items() if parts]
    if texts:
        say(f"warning: the score has another signature than was given: it {' and '.join(texts)}")


def _warn_of_other_references(one: _Run, line: str) -> None:
    """Warn where a signature of sacreBLEU, as preset, is of another number of references.

    Where rows do not fold, the metric has warned.
    """
    if not (one.folds and one.options.get("use_aggregator", True)):
        return
    most = re.search(r"\|refs:(?:[0-9]+-)?([0-9]+)$", line)
    preset = one.options.get("preset")
    if preset and most and (text := warning_of_references(preset, int(most[1]))):
        say(f"warning: {text}")


# --- what is printed ------------------------------------------------------------------


def _json(runs: Sequence[_Run], results: Sequence[dict[str, Any]]) -> str:
    named = {one.metric.name: result for one, result in zip(runs, results, strict=True)}
    return json_text(results[0] if len(runs) == 1 else named)


def _alone(namespace: argparse.Namespace, one: _Run) -> Digits:
    """Return how the numbers of a metric are printed by -b."""
    preset = one.options.get("preset")
    if preset is not None:  # a signature of sacreBLEU stands for its preset
        line = one.metric.scorer.options_class.options_of_other_line(preset)
        preset = preset if line is None else line["preset"]
    return _digits(namespace, one, preset)


def _digits(namespace: argparse.Namespace, one: _Run, preset: str | None) -> Digits:
    """Return how numbers are printed; alone they are as the program of a preset has them."""
    rules = one.metric.scorer.options(one.options).rules
    decimals = _DECIMALS_OF_COUNTING.get(getattr(rules, "counting", ""), 4)
    n_of_program = None if preset is None else _PERCENT_OF_PRESET.get(preset)
    is_percent = namespace.percent or n_of_program is not None
    n = namespace.width
    if n is None:
        n = n_of_program if n_of_program is not None else (2 if is_percent else decimals)
    n_of_no_score = 4 if namespace.width is None else n
    return Digits(100.0 if is_percent else 1.0, n, n_of_no_score)
