"""Compare systems with a baseline: scores, intervals, differences, p-values.

example:
  rouge-bleu compare baseline.txt new.txt -r ref_1.txt ref_2.txt
  rouge-bleu compare mine.csv --systems baseline new -r human --latex

FILES are the predictions of systems, the baseline first: text files with one text on each
line, or one table whose columns --systems names. References without a token are left out if
the row has another one. A line is one sentence to rougeLsum;
--sentence-splitter sentences finds more.

Scores are printed from 0 to 100 with two decimals; --scale 1 prints 0 to 1. --json and
--csv always have 0 to 1.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import io
import itertools
import math
import re
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any

from . import analyses, files, inputs, plots
from .inputs import CommandError
from .tables import Reading, display_name, is_table, read_rows

_TESTS = {"randomization": "approximate randomization", "bootstrap": "bootstrap resampling"}


@dataclass(frozen=True)
class Systems:
    """What is compared."""

    baseline: str
    predictions: Mapping[str, list[str]]  # of each system, by name
    references: list[list[str]]
    places: Sequence[str]  # the files or columns of the references


@dataclass(frozen=True)
class Score:
    """One score of one system; the baseline has no difference."""

    metric: str
    key: str
    system: str
    score: float
    low: float
    high: float
    delta: Any = None  # floats, None for the baseline
    delta_low: Any = None
    delta_high: Any = None
    p_value: Any = None
    corrected_p_value: Any = None
    is_significant: bool = False
    smallest_difference: Any = None  # that is found with a power of 80 %; None: there is none
    baseline: str = ""  # what it is compared with, if it is a system of --all-pairs


@dataclass(frozen=True)
class Comparison:
    """The scores of all systems, by metric, key and system, the baseline first in each."""

    systems: Systems
    scores: list[Score]
    signatures: dict[str, str]  # by metric
    confidence_level: float
    n_resamples: int
    seed: int
    paired_test: str
    significance_level: float
    correction: str
    pairs: list[Score] = field(default_factory=list)  # systems that are not the baseline
    analyses: dict[str, dict[str, Any]] = field(default_factory=dict)  # by system and metric

    @property
    def keys(self) -> list[tuple[str, str]]:
        return list(dict.fromkeys((one.metric, one.key) for one in self.scores))

    @property
    def n_tests(self) -> int:
        tested = [*self.scores, *self.pairs]
        return sum(one.p_value is not None and not math.isnan(one.p_value) for one in tested)


def main(arguments: Sequence[str] | None = None) -> int:
    return inputs.exit_status(lambda: run(arguments), names_check=True)


def run(arguments: Sequence[str] | None) -> str:
    """Return the output of the command, and write the plot."""
    namespace, given = _parsed(arguments)
    reading = files.reading_of(namespace)
    systems = read_systems(namespace, reading)
    read = [*namespace.files, *map(Path, namespace.reference or [])]
    for flag, kinds in (("plot", plots.FILES), ("report", analyses.REPORTS)):
        if output := getattr(namespace, flag):
            files.check_output(output, f"--{flag}", kinds, read)
    if namespace.plot is not None:
        plots.import_matplotlib()
    if namespace.signature:
        found = inputs.options_of_signatures(namespace.signature, namespace.metric, given)
        options = {metric.name: options for metric, options, _ in found}
    else:
        names = inputs.metric_names(namespace.metric, ["rouge", "bleu"])
        options = inputs.options_of_metrics(names, given)
    comparison = _compare(systems, options, namespace)
    _warn_of_swapped_sides(systems)
    scale = 1 if namespace.scale == 1 else 100
    if namespace.plot is not None:
        of_key = {
            key: [one for one in comparison.scores if (one.metric, one.key) == (metric, key)]
            for metric, key in comparison.keys
        }
        caption = _caption(comparison)
        plots.draw_comparison(of_key, systems.baseline, caption, scale, namespace.plot)
    if namespace.report is not None:
        _write_report(comparison, options, namespace.report, arguments)
    if namespace.json:
        return _json(comparison)
    if namespace.csv:
        return _csv(comparison)
    if namespace.latex:
        return _latex_table(comparison, scale, has_intervals=namespace.intervals)
    if namespace.markdown:
        return _markdown_table(comparison, scale, has_intervals=namespace.intervals)
    parts = [_page(comparison, scale)]
    if namespace.largest_differences:
        parts.append(_differences(systems, options, namespace.largest_differences, scale))
    if reading.notes:
        parts.append(f"{namespace.files[0]}: {'; '.join(dict.fromkeys(reading.notes))}")
    return "\n\n".join(parts)


# --- arguments and files --------------------------------------------------------------


def _parsed(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, dict[str, Any]]:
    parser = inputs.Parser("compare FILE FILE ... -r REF [options]", __doc__)
    add = parser.add_argument
    files.add_system_flags(parser)
    add("--baseline", metavar="NAME", help="the system to compare with (the first)")
    inputs.add_metric_flags(parser, "both")
    output = parser.add_mutually_exclusive_group().add_argument
    output("--json", action="store_true", help="print everything as JSON")
    output("--csv", action="store_true", help="print a row for each system as CSV")
    output("--latex", action="store_true", help="print a table for LaTeX")
    output("--markdown", action="store_true", help="print a table for Markdown")
    add("--plot", metavar="FILE", type=Path, help=f"draw a plot as {', '.join(plots.FILES)}")
    add("--analysis", action="store_true", help="add to --json where the systems differ")
    analyses.add_report_flags(add)
    text = "leave intervals out of --latex and --markdown"
    add("--no-intervals", dest="intervals", action="store_false", help=text)
    text = "print the N rows in which each system differs most from the baseline"
    add("--largest-differences", metavar="N", type=int, default=0, help=text)
    group = parser.add_argument_group("tests").add_argument
    group("--significance-level", metavar="LEVEL", type=float, default=0.05, help="(0.05)")
    text = "correct p-values for the number of comparisons (none; with --all-pairs: holm)"
    group("--correction", choices=("none", "holm"), help=text)
    group("--all-pairs", action="store_true", help="compare every two systems")
    inputs.add_option_flags(parser, "compare")
    namespace = parser.parse_args(inputs.files_first(arguments, parser))
    if not 0 < namespace.significance_level < 1:
        raise CommandError(
            f"--significance-level must be between 0 and 1, got {namespace.significance_level:g}"
        )
    if namespace.analysis and not namespace.json:
        raise CommandError("--analysis needs --json; --report writes a page")
    if namespace.largest_differences < 0:
        raise CommandError("--largest-differences must be at least 0")
    if not (namespace.intervals or namespace.latex or namespace.markdown):
        raise CommandError("--no-intervals needs --latex or --markdown")
    is_table_of_systems = namespace.csv or namespace.latex or namespace.markdown
    if is_table_of_systems and (namespace.all_pairs or namespace.largest_differences):
        raise CommandError(
            "--all-pairs and --largest-differences need room for pairs and texts: leave out --csv, "
            "--latex and --markdown"
        )
    return namespace, inputs.given_options(namespace)


def read_systems(namespace: argparse.Namespace, reading: Reading) -> Systems:
    """Return the systems that the arguments name."""
    systems = namespace.files
    if not systems:
        raise CommandError(
            "FILES are missing: name the predictions of each system, the baseline first"
        )
    if is_table(systems[0], reading.format):
        if systems[1:]:
            raise CommandError(
                f"{systems[0]}: one table has all systems: name its columns with --systems, and "
                f"leave out {', '.join(map(str, systems[1:]))}"
            )
        return _systems_of_table(systems[0], namespace, reading)
    if namespace.systems:
        raise CommandError("--systems names columns of a table, but FILES are text files")
    if not namespace.reference:
        raise CommandError("the references are missing: give their files with -r")
    if len(set(systems)) < len(systems):
        raise CommandError("FILES has the same file twice")
    paths = [*systems, *map(Path, namespace.reference)]
    lines = [line for some, _ in files.read_lines(paths, 1000, reading) for line in some]
    columns = list(zip(*lines, strict=True))
    labels = [f"line {number}" for number in range(1, len(lines) + 1)]
    names = _short_names(systems)
    predictions = {}
    allow_empty = namespace.allow_empty
    for name, path, column in zip(names, systems, columns, strict=False):
        places = [f"{display_name(path)}, {label}: the line" for label in labels]
        predictions[name] = files.checked_predictions(column, places, allow_empty)
    shown = [display_name(path) for path in paths[len(systems) :]]
    references = files.references_of_lines(columns[len(systems) :], labels, shown, allow_empty)
    baseline = namespace.baseline
    by_path = dict(zip(map(str, systems), names, strict=True))
    baseline = _checked_baseline(by_path.get(baseline, baseline), names)
    return Systems(baseline, predictions, references, [Path(name).name for name in shown])


def _short_names(paths: Sequence[Path]) -> list[str]:
    """Return file names without extensions, or whole paths where names are equal."""
    names = [
        "standard input"
        if str(path) == "-"
        else (path.with_suffix("") if path.suffix == ".gz" else path).stem
        for path in paths
    ]
    return names if len(set(names)) == len(names) else list(map(str, paths))


def _systems_of_table(path: Path, namespace: argparse.Namespace, reading: Reading) -> Systems:
    name, names = display_name(path), namespace.systems
    if not names:
        columns = next(read_rows(path, lambda names: [], 1, reading)).names
        raise CommandError(
            f"{name}: name the columns of the systems with --systems; the columns are "
            f"{', '.join(map(repr, columns))}"
        )
    if len(set(names)) < len(names):
        raise CommandError("--systems names a column twice")
    baseline = _checked_baseline(namespace.baseline, names)
    reference_columns: list[str] = []

    def choose(columns: Sequence[str]) -> list[str]:
        given = namespace.reference
        reference_columns[:] = files.chosen_columns(columns, names[0], given, name, reading)[1:]
        return list(dict.fromkeys([*names, *reference_columns]))

    predictions: dict[str, list[str]] = {system: [] for system in names}
    references: list[list[str]] = []
    for rows in read_rows(path, choose, 1000, reading):
        for system in names:
            texts = files.texts_of_rows(
                rows, system, reference_columns, name, namespace.allow_empty
            )
            predictions[system] += texts.predictions
        references += texts.references
    return Systems(baseline, predictions, references, reference_columns)


def _checked_baseline(wanted: str | None, names: Sequence[str]) -> str:
    if wanted is not None and wanted not in names:
        raise CommandError(f"--baseline must be one of {', '.join(names)}, got {wanted!r}")
    return names[0] if wanted is None else wanted


def _warn_of_swapped_sides(systems: Systems) -> None:
    """Warn where systems are more similar to each other than to the references."""
    if len(systems.predictions) < 2:
        return
    from rouge_bleu import rouge

    def mean_rouge1(pairs: Sequence[tuple[list[str], Any]]) -> float:
        scores = [rouge(one, other, rouge_types=["rouge1"])["rouge1"] for one, other in pairs]
        return sum(scores) / len(scores)

    everything = list(systems.predictions.values())
    with_references = mean_rouge1([(one, systems.references) for one in everything])
    if with_references < mean_rouge1(list(itertools.combinations(everything, 2))):
        inputs.say(
            "warning: the systems are more similar to each other than to the references. This is "
            "common for similar systems; check that -r names the references."
        )


# --- scores ---------------------------------------------------------------------------


def _compare(
    systems: Systems, options_of_metric: Mapping[str, dict[str, Any]], namespace: argparse.Namespace
) -> Comparison:
    """Score each system with `compute(baseline_predictions=...)`."""
    scores: list[Score] = []
    pairs: list[Score] = []
    signatures: dict[str, str] = {}
    of_systems: dict[str, dict[str, Any]] = {}
    checked: Any = None
    for name, options in options_of_metric.items():
        metric = inputs.load_metric(name)
        output = {"output": "score"} if name == "bleu_full" else {}
        with inputs.errors_of(name):
            if not metric.can_fold(**options):
                raise CommandError(
                    f"--preset {options.get('preset')} draws samples of its own, so systems cannot be "
                    "compared with it. Use rouge-bleu score for each, or compare --preset rouge_score"
                )
            checked = metric.scorer.options(options)
            if checked.confidence_level is None:
                options = {**options, "confidence_level": 0.95}
                checked = metric.scorer.options(options)
            options = {**options, **output, "signature": True}
            compute = metric.compute
            if namespace.report is not None or namespace.analysis:
                n_systems = max(1, len(systems.predictions) - 1)
                compute = partial(analyses.analysis, metric, n_systems, namespace.frequencies)
            results = _results(metric, systems, systems.baseline, options, compute)
            if compute is not metric.compute:
                for system, found in results.items():
                    of_systems.setdefault(system, {})[name.removesuffix("_full")] = found
                results = {system: found["scores"] for system, found in results.items()}
            signatures[name] = next(iter(results.values()))["signature"]
            scores += _scores_of_results(name, results, systems.baseline)
            others = [one for one in systems.predictions if one != systems.baseline]
            for place, baseline in enumerate(others[:-1] if namespace.all_pairs else []):
                rest = {one: systems.predictions[one] for one in others[place:]}
                some = replace(systems, predictions=rest)
                results = _results(metric, some, baseline, options, metric.compute)
                of_pairs = _scores_of_results(name, results, baseline)
                tested = [one for one in of_pairs if one.delta is not None]
                pairs += [replace(one, baseline=baseline) for one in tested]
    p_values = [math.nan if one.p_value is None else one.p_value for one in [*scores, *pairs]]
    correction = namespace.correction or ("holm" if namespace.all_pairs else "none")
    corrected = holm(p_values) if correction == "holm" else p_values
    level = namespace.significance_level
    n_corrected = sum(p == p for p in p_values) if correction == "holm" else 1
    everything = []
    for one, p in zip([*scores, *pairs], corrected, strict=True):
        if one.p_value is not None:
            smallest = smallest_difference(
                one.delta_high - one.delta_low,
                checked.confidence_level,
                level / max(n_corrected, 1),
                len(systems.references),
            )
            one = replace(
                one,
                corrected_p_value=p,
                is_significant=p < level,
                smallest_difference=smallest if math.isfinite(smallest) else None,
            )
        everything.append(one)
    n, test = checked.n_resamples, checked.paired_test
    design = (checked.confidence_level, n, checked.seed or 0, test, level, correction)
    scores, pairs = everything[: len(scores)], everything[len(scores) :]
    return Comparison(systems, scores, signatures, *design, pairs, of_systems)


def _results(
    metric: Any,
    systems: Systems,
    baseline_name: str,
    options: dict[str, Any],
    compute: Callable[..., dict[str, Any]],
) -> dict[str, dict[str, Any]]:
    """Return the result of each system beside the baseline; of the baseline if it is alone."""
    baseline = systems.predictions[baseline_name]
    references = inputs.without_blank_references(metric, options, systems.references)
    others = {name: one for name, one in systems.predictions.items() if name != baseline_name}
    if not others:
        result = compute(predictions=baseline, references=references, **options)
        return {baseline_name: result}
    return {
        name: compute(
            predictions=predictions, references=references, baseline_predictions=baseline, **options
        )
        for name, predictions in others.items()
    }


def _scores_of_results(
    metric: str, results: Mapping[str, dict[str, Any]], baseline: str
) -> list[Score]:
    first = next(iter(results.values()))
    is_alone = baseline in results
    end = "" if is_alone else "_baseline"
    keys = [key for key in first if f"{key}{end}_low" in first and not key.endswith("_delta")]
    scores = []
    for key in keys:
        bounds = (first[f"{key}{end}_low"], first[f"{key}{end}_high"])
        scores.append(Score(metric, key, baseline, first[f"{key}{end}"], *bounds))
        for system, result in results.items() if not is_alone else ():
            values = ("", "_low", "_high", "_delta", "_delta_low", "_delta_high", "_p_value")
            scores.append(Score(metric, key, system, *(result[f"{key}{name}"] for name in values)))
    return scores


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number; NaN is no p-value and stays.

    Holm 1979, "A Simple Sequentially Rejective Multiple Test Procedure"
    (https://www.jstor.org/stable/4615733): the smallest of m is multiplied by m, the next
    one by m - 1, and so on, and none may be below the one before it. The chance of one or
    more false positives is then at most the significance level.

    >>> holm([0.25, 0.0625, 0.5])
    [0.5, 0.1875, 0.5]
    """
    places = [place for place, p in enumerate(p_values) if not math.isnan(p)]
    places.sort(key=lambda place: p_values[place])
    corrected, least = list(p_values), 0.0
    for rank, place in enumerate(places):
        least = max(least, (len(places) - rank) * p_values[place])
        corrected[place] = min(1.0, least)
    return corrected


def smallest_difference(
    width: float, confidence_level: float, significance_level: float, n_examples: int
) -> float:
    """Return the true difference that the randomization test finds with a power of 80 %.

    `width` is that of the interval of the difference, 2 z standard errors s of a normal distribution.
    Exchanges of n examples whose mean difference is d have the standard deviation sqrt(s^2 + d^2 / n). So
    d = z(1 - level / 2) sqrt(s^2 + d^2 / n) + z(0.8) s. It is infinite if no test can find it.

    >>> round(smallest_difference(2 * 1.959964, 0.95, 0.05, 10**9), 4)
    2.8016
    """
    z = NormalDist().inv_cdf
    s = width / (2 * z((1 + confidence_level) / 2)) * math.sqrt(n_examples / max(n_examples - 1, 1))
    critical, shift = z(1 - significance_level / 2), z(0.8) * s
    rest = 1 - critical**2 / n_examples
    if rest <= 0:
        return math.inf
    return (shift + math.sqrt(shift**2 - rest * (shift**2 - (critical * s) ** 2))) / rest


# --- numbers and sentences ------------------------------------------------------------


def _number(value: float, scale: int, sign: str = "") -> str:
    return f"{scale * value:{sign}.{4 if scale == 1 else 2}f}"


def _interval(low: float, high: float, scale: int, sign: str = "") -> str:
    return f"[{_number(low, scale, sign)}, {_number(high, scale, sign)}]"


def paper_name(key: str) -> str:
    """Return the key of a score as papers write it.

    >>> [paper_name(key) for key in ("rouge1", "rougeLsum_recall", "bleu", "mine")]
    ['ROUGE-1', 'ROUGE-Lsum recall', 'BLEU', 'mine']
    """
    match = re.fullmatch(r"rouge([0-9LWS].*?)(?:_(precision|recall|fmeasure))?", key)
    if match:
        output = {"fmeasure": " F"}.get(match[2], f" {match[2]}") if match[2] else ""
        return f"ROUGE-{match[1]}{output}"
    return re.sub("^bleu(?=$|[0-9])", "BLEU", key)


def _data(comparison: Comparison) -> str:
    counts = [len(texts) for texts in comparison.systems.references]
    numbers = dict.fromkeys([min(counts), max(counts)])
    plural = "s" if max(counts) > 1 else ""
    examples = f"{len(counts):,} example{'s' if len(counts) > 1 else ''}"
    return f"{examples} with {' to '.join(map(str, numbers))} reference{plural} each"


def _caption(comparison: Comparison, *, has_intervals: bool = True) -> str:
    """Return how intervals and p-values were found: for the page, tables and plots."""
    text = f"Scores on {_data(comparison)}"
    if has_intervals:
        text += (
            f", with {100 * comparison.confidence_level:g} % bootstrap intervals "
            f"({comparison.n_resamples:,} resamples)"
        )
    text += "."
    if not comparison.n_tests:
        return text
    corrected = "with Holm's correction" if comparison.correction == "holm" else "uncorrected"
    return (
        f"{text} *: different from {comparison.systems.baseline}, p < "
        f"{comparison.significance_level:g} by two-sided paired {_TESTS[comparison.paired_test]} "
        f"({comparison.n_resamples:,} trials, seed {comparison.seed}), {corrected} for "
        f"{comparison.n_tests} comparison{'s' if comparison.n_tests > 1 else ''}."
    )


def _power_note(comparison: Comparison, scale: int) -> str:
    """Return which differences are likely to be missed; of several systems the largest."""
    smallest: dict[str, float] = {}
    for one in [*comparison.scores, *comparison.pairs]:
        if one.smallest_difference is not None and 0 < one.smallest_difference < 1:
            smallest[one.key] = max(one.smallest_difference, smallest.get(one.key, 0.0))
    if not smallest:
        return ""
    listed = ", ".join(f"{_number(value, scale)} in {key}" for key, value in smallest.items())
    return (
        f"True differences below {listed} would be missed more than one time in five "
        f"(80 % power at p < {comparison.significance_level:g})."
    )


def _notes(comparison: Comparison, scale: int) -> list[str]:
    """Return the caption, and what to know about the number of comparisons, examples and trials."""
    level, n_tests = comparison.significance_level, comparison.n_tests
    notes = [_caption(comparison), *filter(None, [_power_note(comparison, scale)])]
    if n_tests > 1 and comparison.correction == "none":
        notes.append(
            f"If all systems were equal, about {level * n_tests:.2g} of {n_tests} comparisons would "
            "be marked by chance. --correction holm keeps the chance of any false mark at "
            f"{level:g}."
        )
    # The observed scores count as one trial; n examples can be swapped in 2 ** (n - 1) ways
    # that differ in more than sign.
    n_corrected = n_tests if comparison.correction == "holm" else 1
    least = n_corrected / (comparison.n_resamples + 1)
    if comparison.paired_test == "randomization":
        least = max(least, n_corrected * 2.0 ** (1 - len(comparison.systems.references)))
    if n_tests and least >= level:
        notes.append(
            f"No difference can be marked: the smallest possible p-value is {min(least, 1.0):.2g}. "
            "More examples or a larger --n-resamples make smaller ones possible."
        )
    return notes


# --- the page -------------------------------------------------------------------------


def _page(comparison: Comparison, scale: int) -> str:
    systems = comparison.systems
    title = f"{_data(comparison)} ({', '.join(systems.places)})"
    if comparison.n_tests:
        title += f"; all compared with {systems.baseline}"
    parts = [[inputs.printable(title)], _table(comparison, scale)]
    parts += [_table_of_pairs(comparison, scale)] if comparison.pairs else []
    parts += [list(map(inputs.filled, _notes(comparison, scale)))]
    return "\n\n".join("\n".join(part) for part in [*parts, comparison.signatures.values()])


def _table(comparison: Comparison, scale: int) -> list[str]:
    """Return a line for each score of each system."""
    level = f"{100 * comparison.confidence_level:g} % interval"
    is_tested = len(comparison.systems.predictions) > 1
    p_title = "Holm's p  " if comparison.correction == "holm" else "p  "
    rows = [["", "system", "score", level, *(["difference", level, p_title] if is_tested else [])]]
    metric = key = ""
    for one in comparison.scores:
        if one.metric != metric:
            rows += [[""] * len(rows[0])] * bool(metric)
            rows.append([one.metric] + [""] * (len(rows[0]) - 1))
        label = "" if (one.metric, one.key) == (metric, key) else f"  {one.key}"
        metric, key = one.metric, one.key
        row = [label, one.system, _number(one.score, scale), _interval(one.low, one.high, scale)]
        row += [] if one.delta is None else _difference(one, scale)
        rows.append([inputs.printable(cell) for cell in row] + [""] * (len(rows[0]) - len(row)))
    return _aligned(rows)


def _table_of_pairs(comparison: Comparison, scale: int) -> list[str]:
    """Return a line for each score of every two systems, except the baseline."""
    rows = [["", "system - other system", "difference", "interval", "p  "]]
    for one in comparison.pairs:
        names = inputs.printable(f"{one.system} - {one.baseline}")
        rows.append([one.key, names, *_difference(one, scale)])
    return _aligned(rows)


def _difference(one: Score, scale: int) -> list[str]:
    """Return the difference to the baseline, its interval and its p-value."""
    interval = _interval(one.delta_low, one.delta_high, scale, "+")
    p_text = "<0.0001" if one.corrected_p_value < 0.00005 else f"{one.corrected_p_value:.4f}"
    star = " *" if one.is_significant else "  "
    return [_number(one.delta, scale, "+"), interval, p_text + star]


def _differences(systems: Systems, options: Mapping[str, Any], n: int, scale: int) -> str:
    """Return the rows in which the first score of each system differs most from the baseline."""
    name, given = next(iter(options.items()))
    metric = inputs.load_metric(name)
    references = inputs.without_blank_references(metric, given, systems.references)
    scores: dict[str, list[float]] = {}
    key = ""
    for system, predictions in systems.predictions.items():
        with inputs.errors_of(name):
            found = inputs.scores_of_rows(metric, given, predictions, references)
        key, scores[system] = next(iter(found.items()))
    width = max(40, shutil.get_terminal_size((inputs.WIDTH, 24)).columns)
    lines = []
    for system in [one for one in scores if one != systems.baseline]:
        own, base = scores[system], scores[systems.baseline]
        deltas = [(new - old, row) for row, (new, old) in enumerate(zip(own, base, strict=True))]
        lines += [f"Largest differences of {key}: {system} - {systems.baseline}"]
        for delta, row in heapq.nlargest(n, deltas, key=lambda one: abs(one[0])):
            lines.append(f"  row {row + 1}  {_number(delta, scale, '+')}")
            for label in (systems.baseline, system):
                lines.append(f"    {label:12.12} {systems.predictions[label][row]}")
            lines.append(f"    {'reference':12} {references[row][0]}")
    return "\n".join(inputs.shortened(line, width) for line in lines)


def _aligned(rows: list[list[str]]) -> list[str]:
    """Return lines of cells, the first two columns to the left; long names are shortened."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    space = max(12, inputs.WIDTH - 2 * (len(widths) - 1) - sum(widths) + widths[1])
    short = {row[1]: row[1] for row in rows}
    for name in short:
        if len(name) > space:
            short[name] = f"{name[: space // 2 - 1]}…{name[space // 2 - space :]}"
    if len(set(short.values())) == len(short):
        rows = [[row[0], short[row[1]], *row[2:]] for row in rows]
        widths[1] = max(len(row[1]) for row in rows)
    lines = []
    for row in rows:
        cells = [
            f"{cell:{'<' if column < 2 else '>'}{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _write_report(
    comparison: Comparison,
    options: Mapping[str, dict[str, Any]],
    path: Path,
    arguments: Sequence[str] | None,
) -> None:
    systems = comparison.systems
    is_alone = len(systems.predictions) == 1
    parts = [
        {
            "system": system,
            "baseline": None if is_alone else systems.baseline,
            "analyses": of_metrics,
            "note": _power_note(comparison, 100),
            "findings": analyses.findings(systems.predictions[system], systems.references, options),
        }
        for system, of_metrics in comparison.analyses.items()
    ]
    given = sys.argv[1:] if arguments is None else arguments
    analyses.write_report(path, parts, ["compare", *given], comparison.significance_level)


# --- other formats --------------------------------------------------------------------


def _json(comparison: Comparison) -> str:
    design = asdict(replace(comparison, analyses={}))
    systems, scores, pairs = (design.pop(name) for name in ("systems", "scores", "pairs"))
    del design["signatures"], design["analyses"]
    counts = [len(texts) for texts in systems["references"]]
    content = {
        "baseline": systems["baseline"],
        "systems": [name for name in systems["predictions"] if name != systems["baseline"]],
        "n_examples": len(counts),
        "numbers_of_references": [min(counts), max(counts)],
        "n_comparisons": comparison.n_tests,
        **design,
        "signatures": comparison.signatures,
        "scores": [{k: v for k, v in one.items() if k != "baseline"} for one in scores],
        **({"pairs": pairs} if pairs else {}),
        **({"analysis": comparison.analyses} if comparison.analyses else {}),
    }
    return inputs.json_text(content)


def _csv(comparison: Comparison) -> str:
    """Return a row for each system, with scores from 0 to 1 under the names of papers."""
    columns = {"score": "", "low": " low", "high": " high"}
    if comparison.n_tests:
        columns |= {"delta": " difference", "delta_low": " difference low"}
        columns |= {"delta_high": " difference high", "p_value": " p"}
        columns |= {"corrected_p_value": " corrected p", "is_significant": " significant"}
    rows: dict[str, dict[str, Any]] = {}
    for one in comparison.scores:
        row = rows.setdefault(one.system, {"System": one.system})
        row |= {f"{paper_name(one.key)}{end}": getattr(one, name) for name, end in columns.items()}
    file = io.StringIO()
    writer = csv.DictWriter(file, list(next(iter(rows.values()))), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows.values())
    return file.getvalue().rstrip("\n")


def _rows_of_systems(comparison: Comparison) -> list[list[Score]]:
    """Return the scores of each system, the baseline first."""
    names = dict.fromkeys(one.system for one in comparison.scores)
    return [[one for one in comparison.scores if one.system == name] for name in names]


_LATEX = {
    **{letter: f"\\{letter}" for letter in "{}$&#_%"},
    **{"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\textasciitilde{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
    "…": r"\dots{}",
}


def latex(text: str) -> str:
    r"""Return a text as LaTeX prints it.

    >>> print(latex("rouge_full: 95 %"))
    rouge\_full: 95 \%
    """
    return "".join(_LATEX.get(letter, letter) for letter in inputs.printable(text))


def _latex_table(comparison: Comparison, scale: int, *, has_intervals: bool) -> str:
    """Return systems in rows and scores in columns, the best in bold, with intervals below."""
    heads = [latex(paper_name(key)) for _, key in comparison.keys]
    rows = _rows_of_systems(comparison)
    best = [max(_number(one.score, scale) for one in column) for column in zip(*rows, strict=True)]
    lines = ["% needs \\usepackage{booktabs}", r"\begin{table}", r"\centering"]
    lines += [rf"\begin{{tabular}}{{l{'r' * len(heads)}}}", r"\toprule"]
    lines += [" & ".join(["System", *heads]) + r" \\", r"\midrule"]
    for scores in rows:
        numbers = []
        for one, highest in zip(scores, best, strict=True):
            number = _number(one.score, scale)
            bold = rf"\textbf{{{number}}}" if number == highest else number
            numbers.append(bold + ("$^{*}$" if one.is_significant else ""))
        lines.append(" & ".join([latex(scores[0].system), *numbers]) + r" \\")
        if has_intervals:
            intervals = [_interval(one.low, one.high, scale) for one in scores]
            cells = [rf"{{\scriptsize {interval}}}" for interval in intervals]
            lines.append(" & ".join(["", *cells]).lstrip() + r" \\")
        if scores[0].delta is None and comparison.n_tests:
            lines.append(r"\midrule")
    lines += [r"\bottomrule", r"\end{tabular}"]
    for line in comparison.signatures.values():
        note = re.sub(r"(\\textbar\{\}|,)", r"\1\\allowbreak{}", latex(line))
        box = r"\par\smallskip\parbox{\linewidth}{\raggedright\scriptsize\texttt{"
        lines.append(f"{box}{note}}}}}")
    lines.append(rf"\caption{{{latex(_caption(comparison, has_intervals=has_intervals))}}}")
    return "\n".join([*lines, r"\label{tab:comparison}", r"\end{table}"])


def _markdown_table(comparison: Comparison, scale: int, *, has_intervals: bool) -> str:
    def escaped(text: str) -> str:
        return re.sub(r"([\\|*_`<\[])", r"\\\1", inputs.printable(text))

    star = r" \*"
    heads = [paper_name(key) for _, key in comparison.keys]
    lines = [f"| System | {' | '.join(heads)} |", f"| --- |{' ---: |' * len(heads)}"]
    for scores in _rows_of_systems(comparison):
        cells = [
            f"{_number(one.score, scale)}{star if one.is_significant else ''}"
            + (f" {_interval(one.low, one.high, scale)}" if has_intervals else "")
            for one in scores
        ]
        lines.append(f"| {escaped(scores[0].system)} | {' | '.join(cells)} |")
    signatures = [f"`{inputs.printable(line)}`" for line in comparison.signatures.values()]
    return "\n".join(
        [*lines, "", escaped(_caption(comparison, has_intervals=has_intervals)), "", *signatures]
    )
