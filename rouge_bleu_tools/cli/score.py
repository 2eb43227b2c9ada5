"""Score texts with ROUGE, BLEU or both.

example:
  rouge-bleu score hyp.txt -r ref.txt -m bleu -b
  cat hyp.txt | rouge-bleu score -r ref_1.txt ref_2.txt -m rouge bleu
  rouge-bleu score mine.csv --prediction output --reference human_1 human_2

FILE has a text on each line, or is a table: JSON lines (.jsonl), JSON (.json), CSV and TSV
with a header (.csv, .tsv) or Parquet (.parquet). All may be compressed (.gz), in UTF-8. The
references of a text file are text files with as many lines; those of a table are columns.
With several references, empty ones are left out.

Scores are printed from 0 to 100 with two decimals; --scale 1 prints 0 to 1. --preset
rouge-1.5.5 prints 0 to 1 with five decimals, as the script, unless --scale is given. --json
and --scores always have 0 to 1.

Files may be larger than memory, except .json, and except with --preset evaluate,
--preset rouge-1.5.5 and --no-use-aggregator, which need all texts at once.
"""

from __future__ import annotations

import argparse
import itertools
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .files import (
    SCORE_FILES,
    Texts,
    add_file_flags,
    check_output,
    display_name,
    is_table,
    read_texts,
    write_scores,
)
from .inputs import (
    METRICS,
    CommandError,
    Parser,
    add_metric_flags,
    add_option_flags,
    errors_of,
    exit_status,
    files_first,
    given_options,
    json_text,
    load_metric,
    metric_names,
    options_of_metrics,
    progress,
    say,
    without_blank_references,
)

_N_ROWS = 20_000  # scored together: enough for several processes, some 15 MB of texts
_OUTPUTS = ("precision", "recall", "fmeasure")
_NOT_SCALED = ("brevity_penalty", "length_ratio", "reference_length")  # parts of BLEU


@dataclass
class Run:
    """A metric, its options, and the signature that they come from, if any."""

    metric: Any
    options: dict[str, Any]
    signature: str | None = None
    draws_as_compute: bool = False  # intervals are those of compute, not of fold


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments), names_check=True)


def run(arguments: Sequence[str] | None) -> str:
    """Return the output of the command, and write the scores of rows."""
    namespace, given = _parsed(arguments)
    texts = read_texts(namespace, _N_ROWS)
    texts = itertools.chain([next(texts)], texts)  # a wrong file is an error before all else
    runs = _runs(namespace, given)
    if namespace.scores is not None:
        if len(runs) > 1:
            raise CommandError("--scores needs one metric: -m rouge or -m bleu")
        read = [namespace.file] if namespace.file else []
        if not (read and is_table(read[0], namespace.format)):
            read += map(Path, namespace.reference or [])
        check_output(namespace.scores, "--scores", SCORE_FILES, read)
    n_rows, results = _results(runs, texts, namespace.scores)
    for one, result in zip(runs, results, strict=True):
        if one.signature is not None and one.signature.strip() != result["signature"]:
            say(f"warning: these texts have a different signature: {result['signature']}")
    if namespace.json:
        named = {one.metric.name: result for one, result in zip(runs, results, strict=True)}
        return json_text(results[0] if len(runs) == 1 else named)
    parts = []
    name = Path(display_name(namespace.file or Path("-"))).name
    for one, result in zip(runs, results, strict=True):
        numbers = number_format(one, namespace)
        if namespace.score_only:
            if numbers.factor == 1 and namespace.scale is None:
                say("note: scores are from 0 to 1, as ROUGE-1.5.5 prints them (see --scale)")
            parts += _bare_scores(result, numbers, all_outputs="output" in given)
            continue
        rows = f"{n_rows:,} row{'' if n_rows == 1 else 's'}"
        scale = "" if numbers.factor == 100 else ", scores from 0 to 1"
        lines = [f"{one.metric.name}, {rows} of {name}{scale}", ""]
        is_of_corpus = one.options.get("use_aggregator", True)
        lines += (_table if is_of_corpus else _table_of_rows)(result, numbers)
        parts.append("\n".join([*lines, "", result["signature"]]))
    return ("\n" if namespace.score_only else "\n\n").join(parts)


# --- arguments ------------------------------------------------------------------------


def _parsed(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, dict[str, Any]]:
    parser = Parser("score [FILE] [-r REF ...] [options]", __doc__)
    add = parser.add_argument
    add_file_flags(parser)
    add_metric_flags(parser, "rouge")
    add("-b", "--score-only", action="store_true", help="print numbers only")
    add("-w", "--width", metavar="N", type=int, help="decimals (2; with --scale 1: 4)")
    add("--json", action="store_true", help="print the result as JSON, from 0 to 1")
    add(
        "--scores",
        metavar="OUT",
        type=Path,
        help=f"write the scores of each row, from 0 to 1, as {', '.join(SCORE_FILES)}",
    )
    add(
        "--signature",
        metavar="LINE",
        action="append",
        help="use the settings of a signature; for both metrics, give two",
    )
    several = add_option_flags(parser)
    namespace = parser.parse_args(files_first(arguments, several))
    if namespace.json and (namespace.scale or namespace.score_only or namespace.width):
        raise CommandError("--json prints unrounded numbers: leave out -b, -w and --scale")
    if namespace.width is not None and not 0 <= namespace.width <= 17:
        raise CommandError(f"--width must be from 0 to 17, got {namespace.width}")
    return namespace, given_options(namespace)


def _runs(namespace: argparse.Namespace, given: dict[str, Any]) -> list[Run]:
    if namespace.signature:
        return _runs_of_signatures(namespace, given)
    names = metric_names(namespace.metric, ["rouge"])
    runs = []
    for name, options in options_of_metrics(names, given).items():
        one = Run(load_metric(name), options)
        if name == "bleu_full" and "|" in (options.get("preset") or ""):
            with errors_of(name):  # a signature of sacreBLEU may ask for its intervals
                checked = one.metric.scorer.options(options)
            one.draws_as_compute = checked.confidence_level is not None
        runs.append(one)
    return [_with_output(one, namespace) for one in runs]


def _runs_of_signatures(namespace: argparse.Namespace, given: dict[str, Any]) -> list[Run]:
    """Return the runs of given signatures; functions and stop words come from flags."""
    supplied = {name: given.pop(name) for name in ("stemmer", "stopwords") if name in given}
    output = {"output": given.pop("output")} if "output" in given else {}
    jobs = {"n_jobs": given.pop("n_jobs")} if "n_jobs" in given else {}
    if given:
        flag = next(iter(given)).replace("_", "-")
        raise CommandError(f"--signature sets all options: leave out --{flag}")
    lines = {line.strip().partition("|")[0]: line for line in namespace.signature}
    names = metric_names(namespace.metric, [*lines] if set(lines) <= {*METRICS.values()} else [])
    if sorted(names) != sorted(lines) or len(lines) < len(namespace.signature):
        raise CommandError(
            "--signature takes one line for each metric, which begins with rouge_full| or "
            f"bleu_full|, got {' and '.join(map(repr, lines))}; a signature of sacreBLEU is a "
            "--preset"
        )
    runs = []
    for name in names:
        metric = load_metric(name)
        with errors_of(name):
            options = metric.options_of_signature(
                lines[name], **(supplied if name == "rouge_full" else {})
            )
        has_interval = options.get("confidence_level") is not None
        draws_as_compute = has_interval and "|draws:" not in lines[name]
        one = Run(metric, {**options, **output, **jobs}, lines[name], draws_as_compute)
        runs.append(_with_output(one, namespace))
    return runs


def _with_output(one: Run, namespace: argparse.Namespace) -> Run:
    """Return a run whose result has all that is printed."""
    if one.metric.name == "rouge_full" and one.signature is None:
        one.options = {"output": "all", **one.options}
    elif one.metric.name == "bleu_full" and namespace.score_only:
        one.options["output"] = "score"
    one.options["signature"] = True
    if namespace.scores is not None:
        one.draws_as_compute = False
    return one


# --- scoring --------------------------------------------------------------------------


def _results(
    runs: Sequence[Run], texts: Iterator[tuple[Texts, float]], path: Path | None
) -> tuple[int, list[dict[str, Any]]]:
    """Return the number of rows and the result of each metric."""
    n_rows = 0
    with ExitStack() as stack:
        show = stack.enter_context(progress("rows"))
        write = stack.enter_context(write_scores(path, "--scores")) if path else None
        scorings = []
        for one in runs:
            with errors_of(one.metric.name):
                scorings.append(_Scoring(one, write))
        for some, share in texts:
            for scoring in scorings:
                with errors_of(scoring.metric.name):
                    scoring.add(some)
            n_rows += len(some.predictions)
            show(len(some.predictions), share)
        results = []
        for scoring in scorings:
            with errors_of(scoring.metric.name):
                results.append(scoring.result())
    return n_rows, results


class _Scoring:
    """The score of one metric, of texts that come some rows at a time.

    Only sums are kept, so memory does not grow with the file. Where the score is no
    function of sums, all texts are kept.
    """

    def __init__(self, one: Run, write: Callable[[Any], None] | None) -> None:
        self.metric, self._options, self._write = one.metric, one.options, write
        is_of_corpus = one.options.get("use_aggregator", True)
        folds = is_of_corpus and one.metric.can_fold(**one.options)
        self._keeps_texts = one.draws_as_compute or not folds
        self._texts = Texts([], [])
        self._sums: Any = None
        self._n_rows = 0
        self._n_rows_of_warning: Counter[tuple[str, type[Warning]]] = Counter()

    def add(self, texts: Texts) -> None:
        """Score some more rows."""
        first = self._n_rows + 1
        self._n_rows += len(texts.predictions)
        references = without_blank_references(self.metric, self._options, texts.references)
        if self._keeps_texts:
            self._texts.predictions.extend(texts.predictions)
            self._texts.references.extend(references)
            return
        import pyarrow as pa

        table = pa.table(
            [
                pa.array(texts.predictions, pa.large_string()),
                pa.array(references, pa.list_(pa.large_string())),
            ],
            names=["predictions", "references"],
        )
        with self._counted_warnings(len(texts.predictions)):
            rows = self.metric.batch_statistics(table, first_item=first, **self._options)
        if self._write is not None:
            scores = self.metric.item_scores(rows, **self._options)
            self._write(scores.rename_columns(["row", *scores.schema.names[1:]]))
        batches = [rows] if self._sums is None else [self._sums, rows]
        self._sums = self.metric.sum_statistics(batches, **self._options)

    @contextmanager
    def _counted_warnings(self, n_rows: int) -> Iterator[None]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
        for warning in {(str(warning.message), warning.category) for warning in caught}:
            self._n_rows_of_warning[warning] += n_rows

    def result(self) -> dict[str, Any]:
        """Return the result of all rows."""
        if self._keeps_texts:
            return self._result_of_texts()
        for (message, category), n_rows in self._n_rows_of_warning.items():
            if 2 * n_rows > self._n_rows:  # the last batch may be a single row
                warnings.warn(message, category, stacklevel=1)
        result = self.metric.fold(self._sums, **self._options)
        return {key: result[key] for key in result if key not in ("n_items", "n_skipped")}

    def _result_of_texts(self) -> dict[str, Any]:
        texts = {"predictions": self._texts.predictions, "references": self._texts.references}
        result: dict[str, Any] = self.metric.compute(**texts, **self._options)
        if self._write is not None:
            import pyarrow as pa

            no_interval = ("confidence_level", "n_resamples", "seed", "signature")
            options = {k: value for k, value in self._options.items() if k not in no_interval}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # shown already
                scores = self.metric.compute(**texts, **{**options, "use_aggregator": False})
            columns = {"row": range(1, self._n_rows + 1), **scores}
            self._write(pa.RecordBatch.from_pydict(columns))
        return result


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


def number_format(one: Run, namespace: argparse.Namespace) -> NumberFormat:
    """Return the format of the scores of a metric: of ROUGE-1.5.5 that of the script."""
    rules = one.metric.scorer.options(one.options).rules
    is_script = one.metric.name == "rouge_full" and rules.decimals == 5
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


def _table_of_rows(result: Mapping[str, Any], numbers: NumberFormat) -> list[str]:
    scores = {key: value for key, value in result.items() if key != "signature"}
    lines = ["\t".join(["row", *scores])]
    for number, row in enumerate(zip(*scores.values(), strict=True), start=1):
        cells = [numbers(value, key) for key, value in zip(scores, row, strict=True)]
        lines.append("\t".join([str(number), *cells]))
    return lines


def _table(result: Mapping[str, Any], numbers: NumberFormat) -> list[str]:
    """Return a row for each ROUGE type with precision, recall and F, or for each number."""
    scores = {key: value for key, value in result.items() if key != "signature"}
    types = dict.fromkeys(key.rpartition("_")[0] for key in scores if key.endswith(_OUTPUTS))
    if not types:
        return _rows_of_numbers(scores, numbers)
    width = max(map(len, types))
    lines = [f"{'':{width}}  precision   recall        F"]
    for name in types:
        for label, end in ((name, ""), ("  low", "_low"), ("  high", "_high")):
            values = [scores.get(f"{name}_{output}{end}") for output in _OUTPUTS]
            if values != [None] * 3:
                cells = ["" if value is None else numbers(value) for value in values]
                lines.append(f"{label:{width}}  " + "".join(f"{cell:>9}" for cell in cells))
    return lines


def _rows_of_numbers(scores: Mapping[str, Any], numbers: NumberFormat) -> list[str]:
    rows = []
    for key, value in scores.items():
        label = key.replace("_", " ")
        if isinstance(value, list):  # precisions, counts and totals
            rows += [
                (f"{label.removesuffix('s')} of {order}-grams", numbers(part))
                for order, part in enumerate(value, start=1)
            ]
        else:
            rows.append((label, numbers(value, key)))
    width = max(20, *(len(label) for label, _ in rows))
    return [f"{label:{width}}{cell:>9}" for label, cell in rows]
