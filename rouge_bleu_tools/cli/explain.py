"""Show which words of a prediction and its references match.

example:
  rouge-bleu explain "the cat sat on a mat" "the cat sat on the mat"
  rouge-bleu explain "the cat sat" "a cat sat" "the cat" -m bleu --json
  rouge-bleu explain mine.csv --row 17

Matching words are colored on a terminal. They are in brackets in a file or pipe, or if
NO_COLOR is set. Scores are printed from 0 to 100; --scale 1 and --json print 0 to 1.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import inputs
from .files import add_reference_flags, read_all
from .inputs import CommandError
from .score import NumberFormat

_TYPES = ["rouge1", "rouge2", "rougeL"]  # by default
References = Sequence[tuple[str, str]]  # titles and texts
_GREEN, _END = "\x1b[1;32m", "\x1b[0m"


def run(arguments: Sequence[str]) -> str:
    """Return the output of the command."""
    parser = inputs.Parser("explain PREDICTION REFERENCE ... | FILE --row N [options]", __doc__)
    parser.add_argument("texts", metavar="TEXT", nargs="+", help="a prediction and its references")
    parser.add_argument("--row", metavar="N", type=int, help="explain row N of FILE")
    add_reference_flags(parser)
    inputs.add_metric_flags(parser, "rouge")
    parser.add_argument("--json", action="store_true", help="print the explanation as JSON")
    inputs.add_option_flags(parser, "explain")
    namespace = parser.parse_args(arguments)
    if namespace.row is not None:
        if namespace.texts[1:]:
            raise CommandError("--row needs one FILE; its references are named with -r")
        namespace.files = [Path(namespace.texts[0])]
        texts, row = read_all(namespace), namespace.row - 1
        if not 0 <= row < len(texts.predictions):
            raise CommandError(f"--row must be from 1 to {len(texts.predictions):,}, got {row + 1}")
        prediction, references = texts.predictions[row], texts.references[row]
    else:
        prediction, *references = namespace.texts
        if not references:
            raise CommandError("REFERENCE is missing after PREDICTION. For a file, use --row N")
        for text in filter(os.path.isfile, namespace.texts):
            inputs.say(
                f"warning: {text!r} is read as a text. To explain a row of the file, use --row"
            )
    explanations = {}
    for metric, options, _ in inputs.metrics_of(namespace, ["rouge"]):
        if metric.name == "rouge_full" and not {"preset", "rouge_types"} & set(options):
            options["rouge_types"] = _TYPES
        with inputs.errors_of(metric.name):
            explained = metric.explain(prediction=prediction, reference=references, **options)
        explanations[metric.name] = explained
    if namespace.json:
        return inputs.json_text(explained if len(explanations) == 1 else explanations)
    numbers = NumberFormat(1, 4) if namespace.scale == 1 else NumberFormat(100, 2)
    titles = [f"reference {n}" for n in range(1, len(references) + 1)]
    named = list(zip(titles if references[1:] else ["reference"], references, strict=True))
    lines: list[str] = []
    for name, explanation in explanations.items():
        lines_of = _rouge_lines if name == "rouge_full" else _bleu_lines
        lines += lines_of(explanation, prediction, named, numbers)
    return "\n".join(lines).rstrip()


def _rouge_lines(
    explanation: Mapping[str, Any], prediction: str, references: References, numbers: NumberFormat
) -> Iterator[str]:
    def scores(one: Mapping[str, Any]) -> str:
        names = {"precision": "precision", "recall": "recall", "fmeasure": "F"}
        return "  ".join(f"{names[n]} {numbers(one[n])}" for n in names if n in one)

    for name, one in explanation.items():
        yield f"{name}  {scores(one)}"
        pairs = zip(references, one["references"], strict=True)
        for number, ((title, text), pair) in enumerate(pairs):
            star = "* " if one["chosen"] == number else ""
            note = f"  {star}{scores(pair)}" if references[1:] else ""
            yield _row("prediction", prediction, pair["prediction_spans"])
            yield _row(title, text, pair["reference_spans"]) + note
        yield ""
    if references[1:] and any(one["chosen"] is not None for one in explanation.values()):
        yield "* the reference whose scores count"


def _bleu_lines(
    explanation: Mapping[str, Any], prediction: str, references: References, numbers: NumberFormat
) -> Iterator[str]:
    yield (
        f"bleu {numbers(explanation['bleu'])}  brevity penalty "
        f"{explanation['brevity_penalty']:.4f}  ({explanation['translation_length']:g} tokens in "
        f"the prediction, {explanation['reference_length']:g} in the reference)"
    )
    yield ""
    for one in explanation["orders"]:
        yield (
            f"{one['order']}-grams  {one['matches']:g} of {one['total']:g} match  "
            f"precision {numbers(one['precision'])}"
        )
        yield _row("prediction", prediction, one["prediction_spans"])
        for (title, text), spans in zip(references, one["reference_spans"], strict=True):
            yield _row(title, text, spans)
        yield ""


def _row(title: str, text: str, spans: Sequence[Sequence[int] | None]) -> str:
    return f"  {title:12} {marked(text, spans)}"


def marked(text: str, spans: Sequence[Sequence[int] | None]) -> str:
    """Return a text with marks around some spans of characters.

    >>> marked("the cat sat", [[4, 7], None])
    'the [cat] sat'
    """
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    has_colour = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    before, behind = (_GREEN, _END) if has_colour else ("[", "]")
    parts, end = [], 0
    for start, stop in sorted({(span[0], span[1]) for span in spans if span is not None}):
        start = max(start, end)
        if start < stop:
            word = inputs.printable(text[start:stop])
            parts += [inputs.printable(text[end:start]), f"{before}{word}{behind}"]
            end = stop
    return "".join([*parts, inputs.printable(text[end:])])
