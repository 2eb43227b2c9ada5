"""Compare systems with a baseline: scores, intervals, differences, p-values.

    python examples/compare_systems.py --references ref.txt \\
        --systems baseline.txt a.txt b.txt
    python examples/compare_systems.py mine.csv --reference-column human \\
        --system-column baseline --system-column a --write table.tex --write plot.svg

The systems are text files with one item per line, and so are the references: with
several files of them the empty lines of an item are left out, as long as one is not. Or
they are columns of FILE: JSON lines (.jsonl), CSV with a header (.csv) or Parquet
(.parquet). The first system is the baseline if --baseline names no other. All is in
UTF-8. A line is one sentence to rougeLsum; --sentence-splitter sentences finds more.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.compare.files import TABLES, json_table
from rouge_bleu_tools.commands.compare.page import page
from rouge_bleu_tools.commands.compare.plot import PLOTS, check_can_plot, write_plot
from rouge_bleu_tools.commands.compare.systems import (
    CORRECTIONS,
    Comparison,
    Design,
    Systems,
    compared,
)
from rouge_bleu_tools.commands.compare.words import TEST_NAMES, UNITS, Unit
from rouge_bleu_tools.commands.inputs.arguments import (
    METRICS,
    add_metric_options,
    load_metric,
    with_file_first,
)
from rouge_bleu_tools.commands.inputs.errors import (
    FileError,
    OneLineParser,
    exit_status,
    reason,
)
from rouge_bleu_tools.commands.inputs.tables import (
    READERS,
    read_batches,
    read_lines,
    read_table,
)
from rouge_bleu_tools.commands.inputs.texts import (
    checked_predictions,
    predictions_of,
    references_of,
)

# --- files -> systems -----------------------------------------------------------------


def systems_of(namespace: argparse.Namespace) -> Systems:
    """Return the systems and references that the arguments name."""
    _check_form(namespace)
    if namespace.file is None:
        return _systems_of_texts(namespace)
    return _systems_of_table(namespace)


def _check_form(namespace: argparse.Namespace) -> None:
    """Raise where the arguments name neither a table nor text files, or both."""
    texts = {"--systems": namespace.systems, "--references": namespace.references}
    columns = {
        "--system-column": namespace.system_column,
        "--reference-column": namespace.reference_column,
    }
    wanted, others = (texts, columns) if namespace.file is None else (columns, texts)
    for name, value in others.items():
        if value:
            raise FileError(
                f"{name} needs FILE, a table"
                if namespace.file is None
                else f"{name} takes text files, and FILE is a table: choose its columns with "
                "--system-column and --reference-column"
            )
    for name, value in wanted.items():
        if not value and name == "--system-column":
            names = next(iter(read_batches(namespace.file, []))).column_names
            raise FileError(
                f"{namespace.file}: name the columns of the systems with --system-column, "
                f"once for each; the columns are {', '.join(map(repr, names))}"
            )
        if not value and name != "--reference-column":
            raise FileError(
                f"give {' and '.join(texts)}, or FILE with --system-column; {name} is missing"
            )


def _systems_of_texts(namespace: argparse.Namespace) -> Systems:
    paths = {**_names_of_paths(namespace.systems)}
    for path in [*paths.values(), *namespace.references]:
        if path.suffix.lower() in READERS:
            raise FileError(
                f"{path}: --systems and --references take text files with one item per "
                "line; give a table as FILE, with --system-column"
            )
    lines_of_path = {
        path: read_lines(path) for path in [*namespace.references, *paths.values()]
    }
    first = namespace.references[0]
    for path, lines in lines_of_path.items():
        if len(lines) != len(lines_of_path[first]):
            raise FileError(
                f"{path} has {len(lines):,} lines and {first} {len(lines_of_path[first]):,}: "
                "each line is one item"
            )
    predictions = {
        name: checked_predictions(
            lines_of_path[path],
            [
                f"{path}, line {n + 1}: the line"
                for n in range(len(lines_of_path[path]))
            ],
            allow_empty=namespace.allow_empty,
        )
        for name, path in paths.items()
    }
    references = _references_of_lines(
        namespace.references, [lines_of_path[path] for path in namespace.references]
    )
    wanted = namespace.baseline
    is_path = [name for name, path in paths.items() if str(path) == wanted]
    return Systems(
        _baseline(next(iter(is_path), wanted), paths), predictions, references
    )


def _names_of_paths(paths: Sequence[Path]) -> dict[str, Path]:
    """Return paths by the names of their files; by all of them where names are doubled."""
    _check_unique(list(map(str, paths)), "--systems")
    stems = [path.stem for path in paths]
    is_unique = len(set(stems)) == len(stems)
    return dict(zip(stems if is_unique else map(str, paths), paths, strict=True))


def _references_of_lines(
    paths: Sequence[Path], columns: Sequence[Sequence[str]]
) -> list[list[str]]:
    references = []
    for number, row in enumerate(zip(*columns, strict=True), start=1):
        texts = [text for text in row if text]
        if not texts:
            raise FileError(
                f"{' and '.join(map(str, paths))}, line {number}: there must be a reference, "
                f"got {'nothing in any' if paths[1:] else 'nothing'}"
            )
        references.append(texts)
    return references


def _systems_of_table(namespace: argparse.Namespace) -> Systems:
    path, names = namespace.file, namespace.system_column
    _check_unique(names, "--system-column")
    baseline = _baseline(namespace.baseline, names)
    reference_columns = namespace.reference_column or ["references"]
    table = read_table(path, list(dict.fromkeys([*names, *reference_columns])))
    predictions = {
        name: predictions_of(table, name, path, allow_empty=namespace.allow_empty)
        for name in names
    }
    return Systems(baseline, predictions, references_of(table, reference_columns, path))


def _check_unique(names: Sequence[str], argument: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise FileError(f"{argument} has {name!r} {names.count(name)} times")


def _baseline(wanted: str | None, names: Any) -> str:
    if wanted is None:
        return next(iter(names))
    if wanted not in names:
        raise FileError(
            f"--baseline must be one of {', '.join(map(repr, names))}, got {wanted!r}"
        )
    return wanted


# --- files to write -------------------------------------------------------------------


def check_can_write(paths: Sequence[Path], read: Sequence[Path]) -> None:
    """Raise, before any work, where a file cannot be written or is one that is read."""
    extensions = [*TABLES, *PLOTS]
    for path in paths:
        if path.suffix.lower() not in extensions:
            raise FileError(
                f"--write {path}: the extension must be {', '.join(extensions)}, got "
                f"{path.suffix or 'none'!r}"
            )
        try:
            is_read = path.exists() and any(path.samefile(other) for other in read)
            if not path.parent.is_dir():
                raise FileError(f"--write {path}: there is no folder {path.parent}")
        except OSError as error:
            raise FileError(f"--write {path}: {reason(error)}") from error
        if is_read:
            raise FileError(f"--write {path}: this is a file that is compared")
        if path.suffix.lower() in PLOTS:
            check_can_plot()


def write(comparison: Comparison, unit: Unit, path: Path) -> None:
    extension = path.suffix.lower()
    try:
        if extension in PLOTS:
            write_plot(comparison, unit, path)
        else:
            text = TABLES[extension](comparison, unit)
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise FileError(f"--write {path}: {reason(error)}") from error


# --- command line ---------------------------------------------------------------------


def parsed(
    arguments: Sequence[str] | None,
) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Return the arguments of the script, and the options for the metrics that were
    given.
    """
    parser = OneLineParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("file", metavar="FILE", type=Path, nargs="?", help="a table")
    add(
        "--systems",
        metavar="TEXTS",
        type=Path,
        nargs="+",
        help="text files with the predictions of a system each",
    )
    add(
        "--references",
        metavar="TEXTS",
        type=Path,
        nargs="+",
        help="text files with references",
    )
    add(
        "--system-column",
        metavar="NAME",
        action="append",
        help="column of the predictions of a system, to be repeated",
    )
    add(
        "--reference-column",
        metavar="NAME",
        action="append",
        help="column of the references, may be repeated (references)",
    )
    add("--baseline", metavar="NAME", help="the system to compare with (the first)")
    add(
        "--metric",
        action="append",
        help="rouge_full, bleu_full, or the path of the script of one of them; may be "
        "repeated (both)",
    )
    add(
        "--output",
        metavar="NAME",
        help="rouge_full: fmeasure (default), precision, recall, or all",
    )
    add(
        "--allow-empty",
        action="store_true",
        help="score empty and missing predictions as empty texts",
    )
    add("--percent", action="store_true", help="scores from 0 to 100")
    add("--json", action="store_true", help="print the comparison as JSON")
    add(
        "--write",
        metavar="OUT",
        type=Path,
        action="append",
        default=[],
        help="write the table as .csv, .json or .tex, or a plot as .png or .svg; may be "
        "repeated",
    )
    _add_design(parser)
    options = add_metric_options(parser) | {"output"}
    namespace = parser.parse_args(with_file_first(arguments))
    given = vars(namespace)
    return namespace, {
        name: given[name]
        for name in given
        if name in options and given[name] is not None
    }


def _add_design(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("intervals and tests").add_argument
    add("--confidence-level", metavar="LEVEL", type=float, default=0.95, help="(0.95)")
    add(
        "--n-resamples",
        metavar="N",
        type=int,
        default=1000,
        help="for intervals and p-values (1000)",
    )
    add("--seed", type=int, default=0, help="of the resamples (0)")
    add(
        "--paired-test",
        choices=TEST_NAMES,
        default="randomization",
        help="(randomization)",
    )
    add(
        "--significance-level",
        metavar="LEVEL",
        type=float,
        default=0.05,
        help="p-values below it are marked (0.05)",
    )
    add(
        "--correction",
        choices=CORRECTIONS,
        default="none",
        help="of p-values for their number, over all systems and scores (none)",
    )


def design_of(namespace: argparse.Namespace) -> Design:
    """Return how systems are compared; the metrics check their own options."""
    if not 0 < namespace.significance_level < 1:
        raise FileError(
            "--significance-level must be between 0 and 1, got "
            f"{namespace.significance_level:g}"
        )
    return Design(
        confidence_level=namespace.confidence_level,
        n_resamples=namespace.n_resamples,
        seed=namespace.seed,
        paired_test=namespace.paired_test,
        significance_level=namespace.significance_level,
        correction=namespace.correction,
    )


def run(arguments: Sequence[str] | None) -> str:
    """Return what the script prints, and write the files."""
    namespace, options = parsed(arguments)
    design = design_of(namespace)
    systems = systems_of(namespace)
    texts = [*(namespace.systems or []), *(namespace.references or [])]
    check_can_write(namespace.write, [namespace.file] if namespace.file else texts)
    metrics = [load_metric(name) for name in namespace.metric or METRICS]
    _check_unique([metric.name for metric in metrics], "--metric")
    comparison = compared(metrics, systems, design, options)
    unit = UNITS["percent" if namespace.percent else "score"]
    for path in namespace.write:
        write(comparison, unit, path)
    if namespace.json:
        return json_table(comparison, unit).removesuffix("\n")
    return page(comparison, unit)


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
