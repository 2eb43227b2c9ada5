"""--report, --analysis and --frequencies: what `rouge_bleu.analyze` finds, as JSON or as a report."""

from __future__ import annotations

import argparse
import shlex
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import plots
from .files import SCORE_FILES, Texts, complete_file
from .inputs import CommandError, argument, errors_of
from .tables import file_errors

_MOST_EXAMPLES = 1000  # of which a report has all
_N_EXAMPLES = 50  # gains, losses and low scores of others


def add_report_flags(add: Any) -> None:
    """Add the flags that `score` and `compare` share."""
    text = "use the settings of a signature; for both metrics, give two"
    add("--signature", metavar="LINE", action="append", help=text)
    add("--report", metavar="FILE", type=Path, help="write a report as one .html file")
    text = "frequencies of words in other texts; each line has a word, a tab and a number"
    add("--frequencies", metavar="FILE", type=_frequencies, help=f"for --report: {text}")


@argument
def _frequencies(name: str) -> dict[str, float]:
    found = {}
    for number, line in enumerate(Path(name).read_text("utf-8-sig").splitlines(), start=1):
        word, _, count = line.rpartition("\t")
        if word and count.strip().isdecimal():
            found[word] = float(count)
        elif line:
            raise ValueError(
                f"{name}, line {number}: expected a word, a tab and a number, got {line!r:.60}"
            )
    return found


def analysis(metric: Any, n_systems: int, frequencies: Any, **arguments: Any) -> dict[str, Any]:
    """Return the analysis of one system, with as many examples as a report shows."""
    import rouge_bleu

    has_all = len(arguments["predictions"]) * n_systems <= _MOST_EXAMPLES
    return rouge_bleu.analyze(
        metric=metric.name.removesuffix("_full"),
        max_examples=None if has_all else _N_EXAMPLES,
        frequencies=frequencies,
        **arguments,
    )


def check_outputs(namespace: argparse.Namespace) -> None:
    """Raise, before any work, if the files that flags name cannot be written."""
    read = [*namespace.files, *map(Path, namespace.reference or [])]
    kinds_of_flag = {"scores": SCORE_FILES, "plot": plots.FILES, "report": (".html",)}
    for flag, kinds in kinds_of_flag.items():
        if path := getattr(namespace, flag, None):
            place = f"--{flag} {path}"
            if path.suffix.lower() not in kinds:
                raise CommandError(
                    f"{place}: the extension must be one of {', '.join(kinds)}, got "
                    f"{path.suffix or 'none'!r}"
                )
            with file_errors(place):
                if path.exists() and not path.is_file():
                    raise CommandError(f"{place}: this is not a regular file")
                if not path.parent.is_dir():
                    raise CommandError(f"{place}: there is no folder {path.parent}")
                if path.exists() and any(one.is_file() and path.samefile(one) for one in read):
                    raise CommandError(f"{place}: this is an input file")
    if namespace.plot is not None:
        plots.import_matplotlib()


def write_report(
    command: str,
    namespace: argparse.Namespace,
    arguments: Sequence[str],
    texts: Texts,
    options_of_metric: Mapping[str, Mapping[str, Any]],
    analyses: Mapping[str, Mapping[str, Any]],
    level: float = 0.05,
    *,
    baseline: str | None = None,
    note: str = "",
) -> None:
    """Write the report of a command: the analyses of systems, and what checks find in their texts."""
    from rouge_bleu import check
    from rouge_bleu_tools.report.page import report

    parts = []
    for system, of_metrics in analyses.items():
        found: dict[str, dict[str, Any]] = {}  # each check once
        for metric, options in options_of_metric.items():
            with errors_of(metric), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # shown with the scores
                pairs = texts.systems[system], texts.references
                for one in check(*pairs, metric=metric, **options):
                    found.setdefault(one["check"], one)
        part = {"system": system, "baseline": baseline, "analyses": of_metrics, "note": note}
        parts.append({**part, "findings": list(found.values())})
    text = report(parts, command=shlex.join(["rouge-bleu", command, *arguments]), level=level)
    with complete_file(namespace.report, "--report") as file:
        file.write(text.encode())
