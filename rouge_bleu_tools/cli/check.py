"""Find mistakes in texts, such as special tokens, before you publish a score.

example:
  rouge-bleu check hyp.txt -r ref.txt
  rouge-bleu check out.jsonl --prediction output --reference human_1 human_2 -m bleu
  rouge-bleu check baseline.txt new.txt -r ref.txt

FILES, columns and options are those of score and compare. For each check that finds something,
the output has the number of rows, the first row with the place in brackets, and up to four more
rows. If the texts can be repaired, it has the score before and after. The exit status is 1 if
something was found.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import files, inputs
from .compare import read_systems
from .files import Texts

_MOST_SCORED = 5_000  # rows, for the scores before and after


def run(arguments: Sequence[str]) -> tuple[str, int]:
    """Return the output of the command, and status 1 if something was found."""
    parser = inputs.Parser("check [FILES] [-r REF ...] [options]", __doc__)
    files.add_file_flags(parser, of_systems=True)
    inputs.add_metric_flags(parser, "rouge", has_scale=False)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    inputs.add_option_flags(parser, "check")
    namespace = parser.parse_args(arguments)
    metrics = inputs.metrics_of(namespace, ["rouge"])
    marks = ("", "") if namespace.json else ("[", "]")
    namespace.allow_empty = True  # faults of texts are listed, not refused
    is_one = len(namespace.files) < 2 and not namespace.systems
    texts = (files.read_all if is_one else read_systems)(namespace)
    systems = {"": texts.predictions} if is_one else texts.systems
    rows = [
        row
        for name, predictions in systems.items()
        for row in _rows(name, Texts({name: predictions}, texts.references), metrics, marks)
    ]
    if namespace.json:
        return inputs.json_text(rows), int(bool(rows))
    if not rows:
        return "nothing found", 0
    lines = [f"{'check':21}{'rows':>7}  side         score"]
    for row in rows:
        score = ""
        if row["score"] is not None:
            name, *values = row["score"].values()
            score = f"{name} {' -> '.join(f'{100 * value:.2f}' for value in values)}"
        lines.append(f"{row['check']:21}{row['n_rows']:>7,}  {row['side']:12} {score}".rstrip())
        system = f"{row['system']}, " if row["system"] else ""
        first, *more = row["rows"][:5]
        lines += [f"  {system}row {first}: {row['text']}".replace("\n", "\\n")]
        if more:
            ends = ", ..." if row["n_rows"] > 5 else ""
            lines += [f"  more rows: {', '.join(map(str, more))}{ends}"]
        lines += [inputs.filled(inputs.with_flags(row["message"]), "  "), ""]
    return "\n".join(lines).rstrip(), 1


def _rows(
    system: str, texts: Texts, metrics: Sequence[Any], marks: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield the findings in the texts of a system, each check once; rows are numbered from 1."""
    from rouge_bleu.checks import CHECKS
    from rouge_bleu.findings import findings_of

    names = set()
    for metric, options, _ in metrics:
        with inputs.errors_of(metric.name), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are in the table
            pairs = texts.predictions, texts.references
            for found in findings_of(*pairs, metric.name, options, marks):
                if (name := found["check"]) not in names:
                    names.add(name)
                    del found["first_example"]
                    rows = [number + 1 for number in found.pop("examples")]
                    found |= {"n_rows": found.pop("n_examples"), "rows": rows, "system": system}
                    yield found | {"score": _scores(metric, options, texts, CHECKS[name])}


def _scores(
    metric: Any, options: Mapping[str, Any], texts: Texts, check: Any
) -> dict[str, Any] | None:
    """Return a score that repaired texts change: its name, and its values before and after."""
    if check.repair is None and not check.options:
        return None
    repair = check.repair or str
    predictions, references = texts.predictions[:_MOST_SCORED], texts.references[:_MOST_SCORED]
    whole = {"use_aggregator": True, "confidence_level": None}
    options = {**options, **whole, **({"output": "score"} if metric.name == "bleu_full" else {})}
    before = metric.compute(predictions, references, **options)
    repaired = [list(map(repair, one)) for one in references]
    changed = {**options, **check.options}
    after = metric.compute(list(map(repair, predictions)), repaired, **changed)
    for name, score in before.items():
        if round(100 * score, 2) != round(100 * after[name], 2):
            return {"name": name, "before": score, "after": after[name]}
    return None
