"""Score texts with ROUGE, BLEU or both.

example:
  rouge-bleu score hyp.txt -r ref.txt -m bleu -b
  cat hyp.txt | rouge-bleu score -r ref_1.txt ref_2.txt -m rouge bleu
  rouge-bleu score mine.csv --prediction output --reference human_1 human_2

FILE has a text on each line, or is a table: JSON lines (.jsonl), JSON (.json), CSV and TSV
with a header (.csv, .tsv), Excel (.xlsx), Parquet (.parquet), Arrow (.arrow, .feather), a log
of inspect-ai (.eval), a folder of datasets.save_to_disk, or the results of lm-eval and
lighteval. FILE may be compressed (.gz). Several tables, or the files of a folder, are read as
one table. For a text file, references are text files with as many lines. For a table,
references are columns. A reference without a token is ignored if the row has another one.

Scores are printed from 0 to 100 with two decimals; --scale 1 prints 0 to 1. --preset
rouge-1.5.5 prints 0 to 1 with five decimals, as the script does, unless --scale is given.
--json and --scores always have scores from 0 to 1.

Long runs show their progress on standard error; 2> /dev/null hides it. Files may be larger
than memory. All texts are in memory at once for .json and .xlsx, and with --preset evaluate,
--preset rouge-1.5.5 or --no-use-aggregator.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rouge_bleu.registry import preset_module

from . import analyses, files, inputs, plots
from .inputs import CommandError
from .tables import STANDARD_INPUT, display_name

_N_ROWS = 20_000  # scored together: enough for several processes, some 15 MB of texts
_MAX_BYTES = 1 << 28  # of statistics that are kept for intervals
_OUTPUTS = ("precision", "recall", "fmeasure")
_NOT_SCALED = ("brevity_penalty", "length_ratio", "reference_length")  # parts of BLEU


def run(arguments: Sequence[str]) -> str:
    """Return the output of the command, and write the scores of rows."""
    namespace = _parsed(arguments)
    path = (namespace.files or [STANDARD_INPUT])[0]
    texts = files.read_texts(namespace, _N_ROWS, namespace.keep)
    texts = itertools.chain([next(texts)], texts)  # a wrong file is an error before all else
    runs = [Scoring(*one, namespace.score_only) for one in inputs.metrics_of(namespace, ["rouge"])]
    analyses.check_outputs(namespace)
    if namespace.report is not None:
        batches = list(texts)
        texts = itertools.chain(batches)
        _write_report(runs, files.joined(batches), namespace, arguments)
    n_rows, results, rows = _results(runs, texts, namespace)
    for one, result in zip(runs, results, strict=True):
        if one.signature is not None:
            _say_differences(one.signature, result["signature"])
    name = Path(display_name(path)).name
    if namespace.plot is not None:
        plots.draw_distributions(results, rows.scores, namespace.plot)
    if namespace.json:
        named = {one.name: result for one, result in zip(runs, results, strict=True)}
        return inputs.json_text(results[0] if len(runs) == 1 else named)
    parts = []
    for one, result in zip(runs, results, strict=True):
        numbers = number_format(one, namespace)
        if namespace.score_only:
            if numbers.factor == 1 and namespace.scale is None:
                inputs.note("scores are from 0 to 1, as ROUGE-1.5.5 prints them (see --scale)")
            if any(key.endswith("_low") for key in result):
                inputs.note("-b prints no intervals. Use --json")
            parts += _bare_scores(result, numbers, all_outputs="output" in namespace)
            continue
        rows_text = f"{n_rows:,} row{'' if n_rows == 1 else 's'}"
        scale = "" if numbers.factor == 100 else ", scores from 0 to 1"
        lines = [f"{one.name}, {rows_text} of {name}{scale}", ""]
        signature = [result["signature"], *_of_sacrebleu(one, result)]
        scores = {key: value for key, value in result.items() if key != "signature"}
        lines += (_table if one.checked.use_aggregator else _table_of_rows)(scores, numbers)
        parts.append("\n".join([*lines, "", *signature]))
    if namespace.score_only:
        return "\n".join(parts)
    for title, listed in rows.listed.items():
        numbers = number_format(runs[0], namespace)
        parts.append("\n".join([f"{title} {rows.key}:", *_listed_rows(listed, numbers)]))
    return "\n\n".join(parts)


def _of_sacrebleu(one: Scoring, result: Mapping[str, Any]) -> list[str]:
    """Return the signature that sacreBLEU prints with this score, if it has these settings."""
    is_bleu = one.name == "bleu_full" and "|tok:given|" not in result["signature"]
    refs = result["signature"].rpartition("refs:")[2]
    sacrebleu = preset_module("sacrebleu")
    line = sacrebleu.sacrebleu_signature(one.checked, refs) if is_bleu else None
    return [f"sacreBLEU: {line}"] if line else []


def _say_differences(given: str, found: str) -> None:
    """Warn of parts of the signature of these texts that differ from the given one."""
    old, new = (dict.fromkeys(line.split("|")[2:]) for line in (given, found))
    sizes = "|".join(one for one in new if one.startswith(("n:", "refs:")) and one not in old)
    if sizes:
        text = f"the numbers of texts differ from those of the signature: {sizes}"
        warnings.warn(text, stacklevel=2)
    tests = ("test:", "bs:", "seed:", "ci:")
    idle = "|".join(one for one in old if one.startswith(tests) and one not in new)
    if idle:
        inputs.note(f"{idle} of the signature belongs to a test, so it has no effect here")


# --- arguments ------------------------------------------------------------------------


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = inputs.Parser("score [FILE] [-r REF ...] [options]", __doc__)
    add = parser.add_argument
    files.add_file_flags(parser)
    inputs.add_metric_flags(parser, "rouge")
    add("-b", "--score-only", action="store_true", help="print numbers only")
    add("-w", "--width", metavar="N", type=int, help="decimals (2; with --scale 1: 4)")
    add("--json", action="store_true", help="print the result as JSON, from 0 to 1")
    for flag, which in (("--worst", "lowest"), ("--best", "highest")):
        text = f"print the N rows with the {which} score"
        add(flag, metavar="N", type=inputs.count, default=0, help=text)
    text = f"write the scores of each row, from 0 to 1, as {', '.join(files.SCORE_FILES)}"
    add("--scores", metavar="OUT", type=Path, help=text)
    text = "columns of the table that are added to the file of --scores"
    add("--keep", metavar="COLUMN", default=[], help=text, **inputs.SEVERAL)
    add("--with-texts", action="store_true", help="add the texts to the file of --scores")
    text = f"draw the distribution of the scores of rows as {', '.join(plots.FILES)}"
    add("--plot", metavar="OUT", type=Path, help=text)
    analyses.add_report_flags(add)
    inputs.add_option_flags(parser, "score")
    namespace: argparse.Namespace = parser.parse_args(arguments)
    if namespace.json and (namespace.scale or namespace.score_only or namespace.width):
        raise CommandError("--json prints unrounded numbers: leave out -b, -w and --scale")
    if namespace.width is not None and not 0 <= namespace.width <= 17:
        raise CommandError(f"--width must be from 0 to 17, got {namespace.width}")
    if (namespace.worst or namespace.best) and (namespace.json or namespace.score_only):
        raise CommandError("--worst and --best print a table: leave out -b and --json")
    if namespace.scores is None and (namespace.keep or namespace.with_texts):
        raise CommandError("--keep and --with-texts need --scores OUT")
    return namespace


# --- scoring --------------------------------------------------------------------------


def _results(
    runs: Sequence[Scoring], texts: Iterator[files.Texts], namespace: argparse.Namespace
) -> tuple[int, list[dict[str, Any]], RowScores]:
    """Return the number of rows, the result of each metric, and the kept rows."""
    n_rows = 0
    needs_rows = namespace.scores or namespace.plot or namespace.worst or namespace.best
    rows = RowScores(namespace)
    with ExitStack() as stack:
        bar = stack.enter_context(inputs.progress("rows"))
        path = namespace.scores
        write = stack.enter_context(files.write_columns(path, "--scores")) if path else None
        for some in texts:
            first, n_rows = n_rows + 1, n_rows + len(some.predictions)
            scores: dict[str, Any] = {}
            for one in runs:
                with inputs.errors_of(one.name):
                    found = one.add(some, first, gives_rows=bool(needs_rows))
                scores |= found
            if needs_rows:
                rows.add(some, first, scores)
            if write is not None:
                given = {"prediction": some.predictions, "references": some.references}
                columns = {"row": np.arange(first, n_rows + 1), **some.kept}
                write({**columns, **(given if namespace.with_texts else {}), **scores})
            bar.total = round(n_rows / some.share) if some.share else None
            bar.update(len(some.predictions))
        results = []
        for one in runs:
            with inputs.errors_of(one.name):
                results.append(one.result())
    return n_rows, results, rows


class RowScores:
    """The rows with the lowest and highest scores, and all scores for a plot."""

    def __init__(self, namespace: argparse.Namespace) -> None:
        self._kinds = {
            "Lowest": (namespace.worst, heapq.nsmallest),
            "Highest": (namespace.best, heapq.nlargest),
        }
        self._keeps_scores = namespace.plot is not None
        self.key = ""  # of the score that orders rows
        self.listed: dict[str, list[Any]] = {}  # (score, row, prediction, references)
        self.scores: dict[str, list[Any]] = {}

    def add(self, texts: files.Texts, first: int, scores: Mapping[str, Any]) -> None:
        """Add rows; `first` is the number of the first one."""
        keys = [key for key in scores if key.endswith("_fmeasure")] or list(scores)
        self.key = keys[0]
        values = np.asarray(scores[self.key]).tolist()
        columns = (values, itertools.count(first), texts.predictions, texts.references)
        rows = [row for row in zip(*columns, strict=False) if row[0] == row[0]]
        for title, (n, extreme) in self._kinds.items():
            if n:
                rows_so_far = [*self.listed.get(title, []), *rows]
                self.listed[title] = extreme(n, rows_so_far, key=lambda row: row[0])
        if self._keeps_scores:
            for key in keys + ["bleu"] * ("bleu" in scores and "bleu" not in keys):
                self.scores.setdefault(key, []).append(np.asarray(scores[key]))


class Scoring:
    """The score of one metric, of texts that come some rows at a time.

    Only sums are kept, so memory does not grow with the file; for intervals also the statistics
    of rows while they are few. Where the score is no function of sums, all texts are kept.
    """

    def __init__(
        self, metric: Any, options: dict[str, Any], signature: str | None, score_only: bool
    ) -> None:
        self.metric, self.name, self.signature = metric, metric.name, signature
        is_rouge = metric.name == "rouge_full"
        defaults = {"output": "all"} if is_rouge and signature is None else {}
        self.options = {**defaults, **options, "signature": True}
        if score_only and not is_rouge:
            self.options["output"] = "score"
        with inputs.errors_of(self.name):
            self.checked = metric.scorer.options(self.options)
            self._folds = self.checked.use_aggregator and metric.can_fold(**self.options)
        # Intervals of a signature, also of sacreBLEU, are drawn as it says.
        of_line = "|" in (options.get("preset") or "") and not is_rouge
        self._may_sum = not of_line and (signature is None or "|draws:" in signature)
        has_interval = self.checked.confidence_level is not None
        self._keeps_rows = has_interval and "|draws:" not in (signature or "")
        self._texts: list[files.Texts] = []
        self._statistics: list[Any] = []  # of all rows, or their sums

    def add(self, texts: files.Texts, first: int, *, gives_rows: bool) -> dict[str, Any]:
        """Score some more rows, and return the scores of each if they are needed."""
        references = inputs.without_blank_references(self.metric, self.options, texts.references)
        if not self._folds:
            self._texts.append(replace(texts, references=references, kept={}))
            if not gives_rows:
                return {}
            return inputs.scores_of_rows(self.metric, self.options, texts.predictions, references)
        import pyarrow as pa

        columns = {
            "predictions": pa.array(texts.predictions, pa.large_string()),
            "references": pa.array(references, pa.list_(pa.large_string())),
        }
        with warnings.catch_warnings():
            if first > 1:  # the first rows show most faults; the last ones may be few
                warnings.simplefilter("ignore")
            rows = self.metric.batch_statistics(pa.table(columns), first_item=first, **self.options)
        self._statistics.append(rows)
        is_too_large = sum(one.nbytes for one in self._statistics) > _MAX_BYTES
        self._keeps_rows = self._keeps_rows and not (is_too_large and self._may_sum)
        if not self._keeps_rows:
            self._statistics = [self.metric.sum_statistics(self._statistics, **self.options)]
        if not gives_rows:
            return {}
        scores = self.metric.item_scores(rows, **self.options)
        names = [name for name in scores.schema.names if name != "item"]
        return {name: scores.column(name).to_numpy() for name in names}

    def result(self) -> dict[str, Any]:
        """Return the result of all rows."""
        result: dict[str, Any]
        if not self._folds:
            texts = files.joined(self._texts)
            result = self.metric.compute(texts.predictions, texts.references, **self.options)
        elif self._keeps_rows:
            import pyarrow as pa

            rows = pa.Table.from_batches(self._statistics)
            result = self.metric.result_of_statistics(rows, **self.options)
        else:
            result = self.metric.fold(self._statistics, **self.options)
        return {key: result[key] for key in result if key not in ("n_items", "n_skipped")}


def _write_report(
    runs: Sequence[Scoring],
    texts: files.Texts,
    namespace: argparse.Namespace,
    arguments: Sequence[str],
) -> None:
    """Write the report of all texts, which are in memory, with intervals."""
    path = (namespace.files or [STANDARD_INPUT])[0]
    name = Path(display_name(path)).name
    of_metrics, options_of_metric = {}, {}
    for one in runs:
        hidden = ("signature",) if "output" in namespace else ("signature", "output")
        options = {key: value for key, value in one.options.items() if key not in hidden}
        kept = inputs.without_blank_references(one.metric, options, texts.references)
        with inputs.errors_of(one.name):
            how = {"predictions": texts.predictions, "references": kept, **options}
            found = analyses.analysis(one.metric, 1, namespace.frequencies, **how)
        of_metrics[one.name.removesuffix("_full")] = found
        options_of_metric[one.name] = options
    texts = replace(texts, systems={name: texts.predictions})
    analyses.write_report(
        "score", namespace, arguments, texts, options_of_metric, {name: of_metrics}
    )


# --- the output ------------------------------------------------------------------


@dataclass(frozen=True)
class NumberFormat:
    """How scores are printed: times 1 or 100, with a number of decimals."""

    factor: float
    decimals: int

    def __call__(self, value: Any, key: str = "") -> str:
        if isinstance(value, list):
            return ",".join(self(one, key) for one in value)
        if isinstance(value, int):  # a count
            return f"{value:,}"
        if key.startswith(_NOT_SCALED):
            return f"{value:.{max(self.decimals, 4)}f}"
        return f"{self.factor * value:.{self.decimals}f}"


def number_format(one: Scoring, namespace: argparse.Namespace) -> NumberFormat:
    """Return the format of the scores of a metric: of ROUGE-1.5.5 that of the script."""
    rules = one.checked.rules
    is_script = one.name == "rouge_full" and rules.decimals == 5
    is_of_one = namespace.scale == 1 or (is_script and namespace.scale is None)
    decimals = (5 if is_script else 4) if is_of_one else 2
    if namespace.score_only and not is_of_one and one.options.get("preset") == "sacrebleu":
        decimals = 1  # as `sacrebleu -b`
    width = decimals if namespace.width is None else namespace.width
    return NumberFormat(1.0 if is_of_one else 100.0, width)


def _bare_scores(result: Mapping[str, Any], numbers: NumberFormat, all_outputs: bool) -> list[str]:
    """Return a line for each score; of rows a line for each row."""
    keys = [key for key in result if key != "signature" and not key.endswith(("_low", "_high"))]
    if not all_outputs and any(key.endswith("_fmeasure") for key in keys):
        keys = [key for key in keys if key.endswith("_fmeasure")]
    if keys and isinstance(result[keys[0]], list):
        rows = zip(*(result[key] for key in keys), strict=True)
        return [" ".join(map(numbers, row)).replace(",", "") for row in rows]
    return [numbers(result[key]).replace(",", "") for key in keys]


def _listed_rows(rows: Sequence[Any], numbers: NumberFormat) -> list[str]:
    """Return two lines for each row: its score and prediction, and its first reference."""
    lines = []
    for score, row, prediction, references in rows:
        more = f" (and {len(references) - 1} more)" if references[1:] else ""
        head = f"{f'row {row}':>10} {numbers(score):>7}  "
        reference = " " * (len(head) - 4) + "ref " + references[0]
        lines += [inputs.shortened(head + prediction), inputs.shortened(reference, more)]
    return lines


def _table_of_rows(scores: Mapping[str, Any], numbers: NumberFormat) -> list[str]:
    """Return a line for each row, with tabs between its scores."""
    lines = ["\t".join(["row", *scores])]
    for number, row in enumerate(zip(*scores.values(), strict=True), start=1):
        cells = [numbers(value, key) for key, value in zip(scores, row, strict=True)]
        lines.append("\t".join([str(number), *cells]))
    return lines


def _table(scores: Mapping[str, Any], numbers: NumberFormat) -> list[str]:
    """Return a row for each ROUGE type with precision, recall and F, or for each number."""
    types = dict.fromkeys(key.rpartition("_")[0] for key in scores if key.endswith(_OUTPUTS))
    rows = [["", "  precision", "recall", "F"]] if types else []
    for name in types:
        for label, end in ((name, ""), ("  low", "_low"), ("  high", "_high")):
            values = [scores.get(f"{name}_{output}{end}") for output in _OUTPUTS]
            if values != [None] * 3:
                rows.append([label, *("" if one is None else numbers(one) for one in values)])
    for key, value in scores.items() if not types else ():
        label = key.replace("_", " ")
        if isinstance(value, list):  # precisions, counts and totals
            names = [f"{label.removesuffix('s')} of {n + 1}-grams" for n in range(len(value))]
            rows += [[name, numbers(one)] for name, one in zip(names, value, strict=True)]
        else:
            rows.append([f"{label:20}", numbers(value, key)])
    return inputs.aligned(rows, gap="", least=9)
