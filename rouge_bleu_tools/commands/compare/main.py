"""Compare systems with a baseline: scores, intervals, differences, p-values.

    rouge-bleu compare ref.txt baseline.txt a.txt b.txt
    rouge-bleu compare baseline.txt a.txt -r ref_1.txt ref_2.txt
    rouge-bleu compare mine.csv --systems baseline a -r human --write table.tex

FILES are text files with one item in each line: the references, then the systems; or all
of them systems where -r names the references. With several files of references the empty
lines of an item are left out, as long as one is not. Or FILES is one table: JSON lines
(.jsonl), JSON (.json), CSV and TSV with a header (.csv, .tsv) or Parquet (.parquet). Each
may be .gz, and - is standard input; all is in UTF-8. The first system is the baseline if
--baseline names no other. A line is one sentence to rougeLsum; --sentence-splitter
sentences finds more.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import suppress
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
from rouge_bleu_tools.commands.compare.words import TEST_NAMES, UNITS, Unit, listed
from rouge_bleu_tools.commands.inputs.arguments import (
    METRICS,
    add_metric_option,
    add_metric_options,
    given_options,
    with_file_first,
)
from rouge_bleu_tools.commands.inputs.errors import FileError, exit_status, reason
from rouge_bleu_tools.commands.inputs.items import (
    REFERENCES,
    add_format_options,
    check_no_tables,
    read_lines,
    references_of_lines,
)
from rouge_bleu_tools.commands.inputs.metrics import metrics_of_names
from rouge_bleu_tools.commands.inputs.opened import is_same_file, shown_name
from rouge_bleu_tools.commands.inputs.parser import OneLineParser
from rouge_bleu_tools.commands.inputs.tables import is_table, read_batches, read_table
from rouge_bleu_tools.commands.inputs.texts import (
    checked_predictions,
    predictions_of,
    references_of,
)

# --- files -> systems -----------------------------------------------------------------


def systems_of(namespace: argparse.Namespace) -> Systems:
    """Return the systems and references that the arguments name."""
    if not namespace.files:
        raise FileError(
            "give the files: the references and then the systems, or a table with "
            "--systems (--help shows all arguments)"
        )
    first, *others = namespace.files
    if not is_table(first, namespace.format):
        return _systems_of_texts(namespace)
    if others:
        raise FileError(
            f"{first}: this is a table, which holds all systems: name its columns with "
            f"--systems, and leave out {listed(map(str, others))}"
        )
    return _systems_of_table(namespace, first)


def _systems_of_texts(namespace: argparse.Namespace) -> Systems:
    if namespace.systems:
        raise FileError("--systems names columns of a table; text files stand without an option")
    references, files = _files_of_texts(namespace)
    paths = _names_of_paths(files)
    check_no_tables([*references, *files])
    lines_of_path = {path: read_lines(path) for path in [*references, *files]}
    n_lines = len(lines_of_path[references[0]])
    for path, lines in lines_of_path.items():
        if len(lines) != n_lines:
            raise FileError(
                f"{shown_name(path)} has {len(lines):,} lines and "
                f"{shown_name(references[0])} {n_lines:,}: each line is one item"
            )
    predictions = {
        name: checked_predictions(
            lines_of_path[path],
            [f"{shown_name(path)}, line {n + 1}: the line" for n in range(n_lines)],
            allow_empty=namespace.allow_empty,
        )
        for name, path in paths.items()
    }
    rows = list(zip(*(lines_of_path[path] for path in references), strict=True))
    wanted = namespace.baseline
    is_path = [name for name, path in paths.items() if str(path) == wanted]
    names = list(map(shown_name, references))
    return Systems(
        _baseline(next(iter(is_path), wanted), paths),
        predictions,
        references_of_lines(names, rows),
        [shown_name(Path(path.name)) for path in references],
    )


def _files_of_texts(namespace: argparse.Namespace) -> tuple[list[Path], list[Path]]:
    """Return the files of references and those of systems."""
    references = [Path(name) for name in namespace.reference or []]
    systems = list(namespace.files)
    if not references:
        references, systems = systems[:1], systems[1:]
    if not systems:
        raise FileError(
            f"{shown_name(references[0])} is read as the references: give the systems behind it"
        )
    return references, systems


def _names_of_paths(paths: Sequence[Path]) -> dict[str, Path]:
    """Return paths by the names of their files; by all of them where names are doubled."""
    _check_unique(list(map(str, paths)), "FILES")
    stems = [_stem(path) for path in paths]
    is_unique = len(set(stems)) == len(stems)
    return dict(zip(stems if is_unique else map(str, paths), paths, strict=True))


def _stem(path: Path) -> str:
    """Return the name of a file without its extension, that of .gz too."""
    is_packed = path.suffix.lower() == ".gz"
    name = (path.with_suffix("") if is_packed else path).stem
    return shown_name(path) if name == "-" else name


def _systems_of_table(namespace: argparse.Namespace, path: Path) -> Systems:
    names, name = namespace.systems, shown_name(path)
    if not names:
        batch = next(iter(read_batches(path, [], file_format=namespace.format)))
        raise FileError(
            f"{name}: name the columns of the systems with --systems; the columns are "
            f"{', '.join(map(repr, batch.column_names))}"
        )
    _check_unique(names, "--systems")
    baseline = _baseline(namespace.baseline, names)
    references = namespace.reference or [REFERENCES]
    wanted = list(dict.fromkeys([*names, *references]))
    table = read_table(path, wanted, namespace.format)
    predictions = {
        column: predictions_of(table, column, name, allow_empty=namespace.allow_empty)
        for column in names
    }
    return Systems(baseline, predictions, references_of(table, references, name), references)


def _check_unique(names: Sequence[str], argument: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise FileError(f"{argument} has {name!r} {names.count(name)} times")


def _baseline(wanted: str | None, names: Any) -> str:
    if wanted is None:
        return next(iter(names))
    if wanted not in names:
        raise FileError(f"--baseline must be one of {', '.join(map(repr, names))}, got {wanted!r}")
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
            is_read = any(is_same_file(path, other) for other in read)
            path.exists()  # a name that is too long
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


def parsed(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Return the arguments, and the options for the metrics that were given."""
    parser = OneLineParser(
        prog="rouge-bleu compare",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", metavar="FILES", type=Path, nargs="*", help="text files, or a table")
    add(
        "-r",
        "--reference",
        metavar="REF",
        nargs="+",
        action="extend",
        help="text files with references, or columns of the table (references)",
    )
    add(
        "--systems",
        metavar="COLUMN",
        nargs="+",
        action="extend",
        help="columns of the predictions of each system",
    )
    add("--baseline", metavar="NAME", help="the system to compare with (the first)")
    add_metric_option(parser, "both")
    add_format_options(parser)
    add("--percent", action="store_true", help="scores from 0 to 100")
    add("--json", action="store_true", help="print the comparison as JSON")
    add(
        "--write",
        metavar="OUT",
        type=Path,
        action="append",
        default=[],
        help="write the table as .csv, .json or .tex, or a plot as .png or .svg; may be repeated",
    )
    _add_design(parser)
    options = add_metric_options(parser)
    namespace = parser.parse_args(with_file_first(arguments))
    return namespace, given_options(namespace, options)


def _add_design(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument_group("intervals and tests").add_argument
    # Without defaults: a signature as preset may say them.
    add("--confidence-level", metavar="LEVEL", type=float, help="(0.95)")
    add("--n-resamples", metavar="N", type=int, help="for intervals and p-values (1000)")
    add("--seed", type=int, help="of the resamples (0)")
    add("--paired-test", choices=TEST_NAMES, default="randomization", help="(randomization)")
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
        help="correct the p-values for the number of comparisons (none)",
    )


_RESAMPLING = {"confidence_level": 0.95, "n_resamples": 1000, "seed": 0}


def design_of(namespace: argparse.Namespace, preset: str | None) -> Design:
    """Return how systems are compared; the metrics check their own options.

    What is not given is that of the preset, as where it is a signature of sacreBLEU.
    """
    if not 0 < namespace.significance_level < 1:
        raise FileError(
            f"--significance-level must be between 0 and 1, got {namespace.significance_level:g}"
        )
    of_preset = {} if preset is None else _options_of_preset(preset)
    resampling: dict[str, Any] = dict(_RESAMPLING)
    for values in (of_preset, vars(namespace)):
        said = {name: values.get(name) for name in _RESAMPLING}
        resampling |= {name: value for name, value in said.items() if value is not None}
    return Design(
        **resampling,
        paired_test=namespace.paired_test,
        significance_level=namespace.significance_level,
        correction=namespace.correction,
    )


def _options_of_preset(preset: str) -> Mapping[str, Any]:
    """Return the options of a preset of BLEU; none where it is another or has an error.

    No preset of ROUGE that can be compared says how resamples are drawn.
    """
    from rouge_bleu._bleu.presets import bleu_preset

    with suppress(ValueError):  # the metric says it
        if found := bleu_preset(preset):
            return found.options
    return {}


def run(arguments: Sequence[str] | None) -> str:
    """Return what the command prints, and write the files."""
    namespace, options = parsed(arguments)
    design = design_of(namespace, options.get("preset"))
    systems = systems_of(namespace)
    texts = [*namespace.files, *map(Path, namespace.reference or [])]
    check_can_write(namespace.write, texts)
    metrics = metrics_of_names(namespace.metric or METRICS)
    comparison = compared(metrics, systems, design, options)
    unit = UNITS["percent" if namespace.percent else "score"]
    for path in namespace.write:
        write(comparison, unit, path)
    if namespace.json:
        return json_table(comparison, unit).removesuffix("\n")
    return page(comparison, unit, systems.places)


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
