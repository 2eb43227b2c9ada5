"""--report, --analysis and --frequencies: what `rouge_bleu.analyze` finds, as JSON or as a report."""

from __future__ import annotations

import argparse
import shlex
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .files import complete_file
from .inputs import errors_of, reason

REPORTS = (".html",)
_MOST_EXAMPLES = 1000  # of which a report has all
_N_EXAMPLES = 50  # gains, losses and low scores of others


def add_report_flags(add: Any) -> None:
    """Add the flags that `score` and `compare` share."""
    text = "use the settings of a signature; for both metrics, give two"
    add("--signature", metavar="LINE", action="append", help=text)
    add("--report", metavar="FILE", type=Path, help="write a report as one .html file")
    text = "how often words are in other texts, each line a word, a tab and a number"
    add("--frequencies", metavar="FILE", type=_frequencies, help=f"for the report: {text}")


def _frequencies(name: str) -> dict[str, float]:
    found = {}
    try:
        for number, line in enumerate(Path(name).read_text("utf-8-sig").splitlines(), start=1):
            word, _, count = line.rpartition("\t")
            if line and not (word and count.strip().isdecimal()):
                raise argparse.ArgumentTypeError(
                    f"{name}, line {number}: expected a word, a tab and a number, got {line!r:.60}"
                )
            if line:
                found[word] = float(count)
    except (OSError, ValueError) as error:
        raise argparse.ArgumentTypeError(f"{name}: {reason(error)}") from error
    return found


def analysis(metric: Any, n_systems: int, frequencies: Any, **arguments: Any) -> dict[str, Any]:
    """Return the analysis of one system, with as many examples as a report has room for."""
    import rouge_bleu

    has_all = len(arguments["predictions"]) * n_systems <= _MOST_EXAMPLES
    return rouge_bleu.analyze(
        metric=metric.name.removesuffix("_full"),
        max_examples=None if has_all else _N_EXAMPLES,
        frequencies=frequencies,
        **arguments,
    )


def findings(
    predictions: Sequence[str],
    references: Sequence[Any],
    options_of_metric: Mapping[str, Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """Return what the checks find in the texts of a system, each check once."""
    from rouge_bleu import check

    found: dict[str, dict[str, Any]] = {}
    for metric, options in options_of_metric.items():
        with errors_of(metric), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # shown with the scores
            for one in check(predictions, references, metric=metric, **options):
                found.setdefault(one["check"], one)
    return list(found.values())


def write_report(
    path: Path, parts: Sequence[Mapping[str, Any]], arguments: Sequence[str], level: float = 0.05
) -> None:
    """Write the report of `arguments`, a command with its arguments."""
    from rouge_bleu_tools.report.page import report

    text = report(parts, command=shlex.join(["rouge-bleu", *arguments]), level=level)
    with complete_file(path, "--report") as file:
        file.write(text.encode())
