"""Compare systems with a baseline: scores, intervals, differences, p-values.

example:
  rouge-bleu compare baseline.txt new.txt -r ref_1.txt ref_2.txt
  rouge-bleu compare mine.csv --systems baseline new -r human --latex

FILES have the predictions of each system, the baseline first. They are text files with one
text on each line, or tables or folders of results with equal references. One table may have
all systems; --systems names their columns. A reference without a token is ignored if the row
has another one. rougeLsum takes each line as one sentence; --sentence-splitter sentences
splits lines.

Scores are printed from 0 to 100 with two decimals; --scale 1 prints 0 to 1. --json and
--csv always have scores from 0 to 1.
"""

from __future__ import annotations

import argparse
import csv
import heapq
import io
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any

from . import analyses, files, inputs, plots
from .inputs import CommandError
from .tables import display_name, is_table, parts_of, read_rows

_TESTS = {"randomization": "approximate randomization", "bootstrap": "bootstrap resampling"}


@dataclass
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
    baseline: str = ""  # the system to compare with


def run(arguments: Sequence[str]) -> str:
    """Return the output of the command, and write the plot."""
    namespace = _parsed(arguments)
    texts = read_systems(namespace)
    baseline = namespace.baseline
    by_path = dict(zip(map(str, namespace.files), texts.systems, strict=False))
    baseline = next(iter(texts.systems)) if baseline is None else by_path.get(baseline, baseline)
    if baseline not in texts.systems:
        raise CommandError(
            f"--baseline must be one of {', '.join(texts.systems)}, got {baseline!r}"
        )
    analyses.check_outputs(namespace)
    metrics = inputs.metrics_of(namespace, ["rouge", "bleu"])
    comparison = _compare(texts, baseline, metrics, namespace)
    scale = 1 if namespace.scale == 1 else 100
    if namespace.plot is not None:
        caption = _caption(comparison)
        plots.draw_comparison(comparison.scores, baseline, caption, scale, namespace.plot)
    if namespace.report is not None:
        analyses.write_report(
            "compare",
            namespace,
            arguments,
            texts,
            {metric.name: options for metric, options, _ in metrics},
            comparison.analysis,
            namespace.significance_level,
            baseline=baseline if comparison.systems else None,
            note=_power_note(comparison, 100),
        )
    if namespace.form == "json":
        return _json(comparison)
    if namespace.form == "csv":
        return _csv(comparison)
    if namespace.form in ("latex", "markdown"):
        table = _latex_table if namespace.form == "latex" else _markdown_table
        return table(comparison, scale, has_intervals=namespace.intervals)
    page = _page(comparison, texts.places, scale)
    n = namespace.largest_differences
    return f"{page}\n\n{_differences(texts, baseline, metrics[0], n, scale)}" if n else page


# --- arguments and files --------------------------------------------------------------


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = inputs.Parser("compare FILE FILE ... -r REF [options]", __doc__)
    add = parser.add_argument
    files.add_file_flags(parser, of_systems=True)
    add("--baseline", metavar="NAME", help="the system to compare with (the first)")
    inputs.add_metric_flags(parser, "both")
    group = parser.add_mutually_exclusive_group()
    for form in ("JSON", "CSV", "LaTeX", "Markdown"):
        how: dict[str, Any] = {"dest": "form", "action": "store_const", "const": form.lower()}
        group.add_argument(f"--{form.lower()}", help=f"print the comparison as {form}", **how)
    add("--plot", metavar="FILE", type=Path, help=f"draw a plot as {', '.join(plots.FILES)}")
    add("--analysis", action="store_true", help="add the analysis of --report to --json")
    analyses.add_report_flags(add)
    text = "leave intervals out of --latex and --markdown"
    add("--no-intervals", dest="intervals", action="store_false", help=text)
    text = "print the N rows in which each system differs most from the baseline"
    add("--largest-differences", metavar="N", type=inputs.count, default=0, help=text)
    test = parser.add_argument_group("tests").add_argument
    text = "mark differences with a p-value below LEVEL (0.05)"
    test("--significance-level", metavar="LEVEL", type=float, default=0.05, help=text)
    text = "correct p-values for the number of comparisons (none; with --all-pairs: holm)"
    test("--correction", choices=("none", "holm"), help=text)
    test("--all-pairs", action="store_true", help="compare every two systems")
    inputs.add_option_flags(parser, "compare")
    namespace: argparse.Namespace = parser.parse_args(arguments)
    if not 0 < namespace.significance_level < 1:
        raise CommandError(
            f"--significance-level must be between 0 and 1, got {namespace.significance_level:g}"
        )
    is_for_paper = namespace.form in ("latex", "markdown")
    if namespace.analysis and namespace.form != "json":
        raise CommandError("--analysis needs --json. Use --report for a page")
    if not (namespace.intervals or is_for_paper):
        raise CommandError("--no-intervals needs --latex or --markdown")
    has_more = namespace.all_pairs or namespace.largest_differences
    if has_more and (is_for_paper or namespace.form == "csv"):
        raise CommandError(
            "--all-pairs and --largest-differences cannot be combined with --csv, --latex and "
            "--markdown"
        )
    return namespace


def read_systems(namespace: argparse.Namespace) -> files.Texts:
    """Return the systems that the arguments name."""
    paths, columns, reading = namespace.files, namespace.systems, files.reading_of(namespace)
    if not paths:
        raise CommandError(
            "FILES are missing: name a file of predictions for each system, the baseline first"
        )
    for name, given in (("FILES", paths), ("--systems", columns or [])):
        if len(set(given)) < len(given):
            raise CommandError(f"{name} must be different, got the same name twice")
    is_text = not is_table(paths[0], reading.format)
    if not (is_text or paths[1:] or columns or namespace.prediction):
        part = parts_of(paths[0], reading.format)[0]
        names = next(read_rows(part, lambda names: [], 1, reading)).names
        raise CommandError(
            f"{display_name(paths[0])}: name the columns of the systems with --systems; the "
            f"columns are {', '.join(map(repr, names))}"
        )
    if is_text or not paths[1:]:
        return files.read_all(namespace)
    if columns:
        raise CommandError(f"--systems names columns of one table, got {len(paths)} FILES")
    first: Any = None
    systems = {}
    for name, path in zip(files.short_names(paths), paths, strict=True):
        texts = files.read_all(argparse.Namespace(**{**vars(namespace), "files": [path]}))
        systems[name] = texts.predictions
        first = first or texts
        rows = itertools.zip_longest(first.references, texts.references)
        for row, (of_first, own) in enumerate(rows, start=1):
            if of_first != own:
                raise CommandError(
                    f"{path}, row {row}: the references differ from those of {paths[0]}"
                )
    return replace(first, systems=systems)


# --- scores ---------------------------------------------------------------------------


def _compare(
    texts: files.Texts, baseline: str, metrics: Sequence[Any], namespace: argparse.Namespace
) -> SimpleNamespace:
    """Score each system with `compute(baseline_predictions=...)`, and return what --json prints.

    Scores are by metric, key and system, the baseline first in each.
    """
    scores: list[Score] = []
    pairs: list[Score] = []
    signatures: dict[str, str] = {}
    analysis: dict[str, dict[str, Any]] = {}
    checked: Any = None
    others = [one for one in texts.systems if one != baseline]
    for metric, options, _ in metrics:
        name = metric.name
        output = {"output": "score"} if name == "bleu_full" else {}
        with inputs.errors_of(name):
            if not metric.can_fold(**options):
                raise CommandError(
                    f"--preset {options.get('preset')} averages random samples, so it cannot compare "
                    "systems. Use rouge-bleu score for each system, or --preset rouge_score"
                )
            if metric.scorer.options(options).confidence_level is None:
                options = {**options, "confidence_level": 0.95}
            options = {**options, **output, "signature": True}
            checked = metric.scorer.options(options)
            kept = inputs.without_blank_references(metric, options, texts.references)
            bases = [baseline, *(others[:-1] if namespace.all_pairs else [])]
            for place, base in enumerate(bases):
                results = {}
                for system in others[place:] or [baseline]:
                    given = {"predictions": texts.systems[system], "references": kept, **options}
                    if others:
                        given["baseline_predictions"] = texts.systems[base]
                    if base == baseline and (namespace.report or namespace.analysis):
                        n_systems = max(1, len(others))
                        found = analyses.analysis(metric, n_systems, namespace.frequencies, **given)
                        analysis.setdefault(system, {})[name.removesuffix("_full")] = found
                        results[system] = found["scores"]
                    else:
                        results[system] = metric.compute(**given)
                    signatures.setdefault(name, results[system]["signature"])
                of_base = _scores_of_results(name, results, base)
                if base == baseline:
                    scores += of_base
                else:
                    pairs += [one for one in of_base if one.delta is not None]
    level = namespace.significance_level
    correction = namespace.correction or ("holm" if namespace.all_pairs else "none")
    tested = [one for one in (*scores, *pairs) if one.p_value is not None]
    p_values = [one.p_value for one in tested]
    n_tests = sum(not math.isnan(p) for p in p_values)
    least_level = level
    if correction == "holm":
        p_values, least_level = holm(p_values), level / max(1, n_tests)
    counts = [len(one) for one in texts.references]
    for one, p in zip(tested, p_values, strict=True):
        width = one.delta_high - one.delta_low
        least = smallest_difference(width, checked.confidence_level, least_level, len(counts))
        one.corrected_p_value, one.is_significant = p, p < level
        one.smallest_difference = least if math.isfinite(least) else None
    return SimpleNamespace(
        baseline=baseline,
        systems=others,  # without the baseline
        n_examples=len(counts),
        numbers_of_references=[min(counts), max(counts)],
        n_comparisons=n_tests,
        confidence_level=checked.confidence_level,
        n_resamples=checked.n_resamples,
        seed=checked.seed or 0,
        paired_test=checked.paired_test,
        significance_level=level,
        correction=correction,
        signatures=signatures,
        scores=scores,
        pairs=pairs,  # systems that are not the baseline
        analysis=analysis,  # by system and metric
    )


def _scores_of_results(
    metric: str, results: Mapping[str, dict[str, Any]], baseline: str
) -> list[Score]:
    first = next(iter(results.values()))
    is_alone = baseline in results
    own = ("", "_low", "_high")
    of_test = (*own, "_delta", "_delta_low", "_delta_high", "_p_value")
    scores = []
    for key in first:
        base = key if is_alone else f"{key}_baseline"
        if f"{base}_low" in first and not key.endswith("_delta"):
            scores.append(Score(metric, key, baseline, *(first[f"{base}{end}"] for end in own)))
            for system, result in results.items() if not is_alone else ():
                values = [result[f"{key}{end}"] for end in of_test]
                scores.append(replace(Score(metric, key, system, *values), baseline=baseline))
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


def _data(comparison: SimpleNamespace) -> str:
    n, numbers = comparison.n_examples, dict.fromkeys(comparison.numbers_of_references)
    plural = "s" if max(numbers) > 1 else ""
    examples = f"{n:,} example{'s' if n > 1 else ''}"
    return f"{examples} with {' to '.join(map(str, numbers))} reference{plural} each"


def _caption(comparison: SimpleNamespace, *, has_intervals: bool = True) -> str:
    """Return how intervals and p-values were found: for the page, tables and plots."""
    text, n = f"Scores on {_data(comparison)}", comparison.n_resamples
    if has_intervals:
        level = 100 * comparison.confidence_level
        text += f", with {level:g} % bootstrap intervals ({n:,} resamples)"
    text += "."
    n_tests = comparison.n_comparisons
    if not n_tests:
        return text
    corrected = "with Holm's correction" if comparison.correction == "holm" else "uncorrected"
    return (
        f"{text} *: different from {comparison.baseline}, p < {comparison.significance_level:g} by "
        f"two-sided paired {_TESTS[comparison.paired_test]} ({n:,} trials, seed "
        f"{comparison.seed}), {corrected} for {n_tests} comparison{'s' if n_tests > 1 else ''}."
    )


def _power_note(comparison: SimpleNamespace, scale: int) -> str:
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


def _notes(comparison: SimpleNamespace, scale: int) -> list[str]:
    """Return the caption, and what to know about the number of comparisons, examples and trials."""
    n_tests, level = comparison.n_comparisons, comparison.significance_level
    is_corrected = comparison.correction == "holm"
    notes = [_caption(comparison), *filter(None, [_power_note(comparison, scale)])]
    if n_tests > 1 and not is_corrected:
        notes.append(
            f"If all systems were equal, about {level * n_tests:.2g} of {n_tests} comparisons would "
            "be marked by chance. --correction holm keeps the chance of any false mark at "
            f"{level:g}."
        )
    # The observed scores count as one trial; n examples can be swapped in 2 ** (n - 1) ways
    # that differ in more than sign.
    least = 1 / (comparison.n_resamples + 1)
    if comparison.paired_test == "randomization":
        least = max(least, 2.0 ** (1 - comparison.n_examples))
    least *= n_tests if is_corrected else 1
    if n_tests and least >= level:
        notes.append(
            f"No difference can be marked: the smallest possible p-value is {min(least, 1.0):.2g}. "
            "More examples or a larger --n-resamples make smaller p-values possible."
        )
    return notes


# --- the page -------------------------------------------------------------------------


def _page(comparison: SimpleNamespace, places: Sequence[str], scale: int) -> str:
    title = f"{_data(comparison)} ({', '.join(places)})"
    if comparison.n_comparisons:
        title += f"; all compared with {comparison.baseline}"
    parts = [[inputs.printable(title)], _table(comparison, scale)]
    if comparison.pairs:
        rows = [["", "system - other system", "difference", "interval", "p  "]]
        for one in comparison.pairs:
            names = inputs.printable(f"{one.system} - {one.baseline}")
            rows.append([one.key, names, *_difference(one, scale)])
        parts.append(inputs.aligned(rows, n_left=2))
    parts += [list(map(inputs.filled, _notes(comparison, scale)))]
    return "\n\n".join("\n".join(part) for part in [*parts, comparison.signatures.values()])


def _table(comparison: SimpleNamespace, scale: int) -> list[str]:
    """Return a line for each score of each system."""
    level = f"{100 * comparison.confidence_level:g} % interval"
    p_title = "Holm's p  " if comparison.correction == "holm" else "p  "
    of_tests = ["difference", level, p_title] if comparison.systems else []
    rows = [["", "system", "score", level, *of_tests]]
    metric = key = ""
    for one in comparison.scores:
        if one.metric != metric:
            rows += [[], [one.metric]] if metric else [[one.metric]]
        label = "" if (one.metric, one.key) == (metric, key) else f"  {one.key}"
        metric, key = one.metric, one.key
        name, interval = inputs.printable(one.system), _interval(one.low, one.high, scale)
        of_test = [] if one.delta is None else _difference(one, scale)
        rows.append([inputs.printable(label), name, _number(one.score, scale), interval, *of_test])
    return inputs.aligned(rows, n_left=2)


def _difference(one: Score, scale: int) -> list[str]:
    """Return the difference from the baseline, its interval and its p-value."""
    interval = _interval(one.delta_low, one.delta_high, scale, "+")
    p_text = "<0.0001" if one.corrected_p_value < 0.00005 else f"{one.corrected_p_value:.4f}"
    star = " *" if one.is_significant else "  "
    return [_number(one.delta, scale, "+"), interval, p_text + star]


def _differences(
    texts: files.Texts, baseline: str, of_metric: Sequence[Any], n: int, scale: int
) -> str:
    """Return the rows in which the first score of each system differs most from the baseline."""
    metric, given, _ = of_metric
    references = inputs.without_blank_references(metric, given, texts.references)
    scores: dict[str, list[float]] = {}
    key = ""
    for system, predictions in texts.systems.items():
        with inputs.errors_of(metric.name):
            found = inputs.scores_of_rows(metric, given, predictions, references)
        key, scores[system] = next(iter(found.items()))
    lines = []
    for system in [one for one in scores if one != baseline]:
        pairs = zip(scores[system], scores[baseline], strict=True)
        deltas = [(new - old, row) for row, (new, old) in enumerate(pairs)]
        lines.append(f"Largest differences of {key}: {system} - {baseline}")
        for delta, row in heapq.nlargest(n, deltas, key=lambda one: abs(one[0])):
            lines.append(f"  row {row + 1}  {_number(delta, scale, '+')}")
            for label in (baseline, system):
                lines.append(f"    {label:12.12} {texts.systems[label][row]}")
            lines.append(f"    {'reference':12} {references[row][0]}")
    return "\n".join(map(inputs.shortened, lines))


# --- other formats --------------------------------------------------------------------


def _json(comparison: SimpleNamespace) -> str:
    content = dict(vars(comparison))
    for name in ("scores", "pairs"):
        content[name] = list(map(asdict, content[name]))
    for one in content["scores"]:
        del one["baseline"]
    unused = [name for name in ("pairs", "analysis") if not content[name]]
    return inputs.json_text({name: content[name] for name in content if name not in unused})


def _scores_of_systems(comparison: SimpleNamespace) -> dict[str, list[Score]]:
    """Return the scores of each system, the baseline first."""
    scores: dict[str, list[Score]] = {}
    for one in comparison.scores:
        scores.setdefault(one.system, []).append(one)
    return scores


def _csv(comparison: SimpleNamespace) -> str:
    """Return a row for each system, with scores from 0 to 1 under the names of papers."""
    columns = {"score": "", "low": " low", "high": " high"}
    if comparison.systems:
        columns |= {"delta": " difference", "delta_low": " difference low"}
        columns |= {"delta_high": " difference high", "p_value": " p"}
        columns |= {"corrected_p_value": " corrected p", "is_significant": " significant"}
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    of_systems = _scores_of_systems(comparison)
    keys = [paper_name(one.key) for one in of_systems[comparison.baseline]]
    writer.writerow(["System", *(f"{key}{end}" for key in keys for end in columns.values())])
    for system, scores in of_systems.items():
        writer.writerow([system, *(getattr(one, name) for one in scores for name in columns)])
    return file.getvalue().rstrip("\n")


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


def _latex_table(comparison: SimpleNamespace, scale: int, *, has_intervals: bool) -> str:
    """Return systems in rows and scores in columns, the best in bold, with intervals below."""
    of_systems = _scores_of_systems(comparison)
    heads = [latex(paper_name(one.key)) for one in of_systems[comparison.baseline]]
    columns = zip(*of_systems.values(), strict=True)
    best = [max(_number(one.score, scale) for one in column) for column in columns]
    rows = []
    for system, scores in of_systems.items():
        cells = [latex(system)]
        for one, highest in zip(scores, best, strict=True):
            number = _number(one.score, scale)
            bold = rf"\textbf{{{number}}}" if number == highest else number
            cells.append(bold + "$^{*}$" * one.is_significant)
        rows.append(" & ".join(cells) + r" \\")
        if has_intervals:
            intervals = [_interval(one.low, one.high, scale) for one in scores]
            cells = [rf" & {{\scriptsize {interval}}}" for interval in intervals]
            rows.append("".join(cells).lstrip() + r" \\")
        if scores[0].delta is None and comparison.systems:
            rows.append(r"\midrule")
    notes = []
    for line in comparison.signatures.values():
        note = re.sub(r"(\\textbar\{\}|,)", r"\1\\allowbreak{}", latex(line))
        box = r"\par\smallskip\parbox{\linewidth}{\raggedright\scriptsize\texttt{"
        notes.append(f"{box}{note}}}}}")
    return "\n".join(
        [
            "% needs \\usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\begin{{tabular}}{{l{'r' * len(heads)}}}",
            r"\toprule",
            " & ".join(["System", *heads]) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            *notes,
            rf"\caption{{{latex(_caption(comparison, has_intervals=has_intervals))}}}",
            r"\label{tab:comparison}",
            r"\end{table}",
        ]
    )


def _markdown_table(comparison: SimpleNamespace, scale: int, *, has_intervals: bool) -> str:
    def escaped(text: str) -> str:
        return re.sub(r"([\\|*_`<\[])", r"\\\1", inputs.printable(text))

    of_systems = _scores_of_systems(comparison)
    heads = [paper_name(one.key) for one in of_systems[comparison.baseline]]
    rows = [["System", *heads], ["---", *["---:"] * len(heads)]]
    for system, scores in of_systems.items():
        cells = [
            _number(one.score, scale)
            + r" \*" * one.is_significant
            + f" {_interval(one.low, one.high, scale)}" * has_intervals
            for one in scores
        ]
        rows.append([escaped(system), *cells])
    caption = escaped(_caption(comparison, has_intervals=has_intervals))
    signatures = [f"`{inputs.printable(line)}`" for line in comparison.signatures.values()]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, "", caption, "", *signatures])
