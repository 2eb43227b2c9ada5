"""Show which words of a prediction and its references match.

    rouge-bleu explain "the cat sat on a mat" "the cat sat on the mat"
    rouge-bleu explain "the cat sat" "a cat sat" "the cat" -m bleu --json

Words that match have a colour in a terminal, unless NO_COLOR is set, and brackets
elsewhere.
"""

from __future__ import annotations

import argparse
import os.path
import sys
from collections.abc import Sequence
from typing import Any

from rouge_bleu_tools.commands.explain.marked import lines_of_bleu, lines_of_rouge, mark_for
from rouge_bleu_tools.commands.inputs.arguments import (
    add_metric_option,
    add_metric_options,
    errors_of_metric,
    given_options,
    options_of_metric,
)
from rouge_bleu_tools.commands.inputs.errors import exit_status, say
from rouge_bleu_tools.commands.inputs.json_text import json_text
from rouge_bleu_tools.commands.inputs.metrics import metrics_of_names
from rouge_bleu_tools.commands.inputs.parser import OneLineParser

_LINES = {"rouge_full": lines_of_rouge, "bleu_full": lines_of_bleu}
_TYPES = ["rouge1", "rouge2", "rougeL"]  # where no type and no preset is chosen


def parsed(arguments: Sequence[str] | None) -> tuple[argparse.Namespace, dict[str, Any]]:
    """Return the arguments, and the options for the metrics that were given."""
    parser = OneLineParser(
        prog="rouge-bleu explain",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("prediction", metavar="PREDICTION", help="the text to explain")
    add("reference", metavar="REFERENCE", nargs="+", help="one reference or more")
    add_metric_option(parser, "rouge")
    add("--json", action="store_true", help="print the explanation as JSON")
    names = add_metric_options(parser)
    namespace = parser.parse_args(arguments)
    return namespace, given_options(namespace, names)


def run(arguments: Sequence[str] | None) -> str:
    """Return what the command prints."""
    namespace, given = parsed(arguments)
    texts = {"prediction": namespace.prediction, "reference": namespace.reference}
    for text in (namespace.prediction, *namespace.reference):
        if os.path.isfile(text):
            say(f"note: {text!r} is a file; what is explained is its name, as a text")
    texts_given = [namespace.prediction, *namespace.reference]
    if texts_given[2:] and all(t.isascii() and len(t.split()) < 2 for t in texts_given):
        say(
            f"note: these are {len(texts_given)} texts of one word each; a text of several "
            "words stands in quotes"
        )
    metrics = metrics_of_names(namespace.metric or ["rouge"])
    explanations = {}
    for metric in metrics:
        options = options_of_metric(metric, metrics, given)
        if metric.name == "rouge_full" and not {"preset", "rouge_types"} & set(options):
            options["rouge_types"] = _TYPES
        with errors_of_metric(metric):
            explanations[metric.name] = metric.explain(**texts, **options)
    if namespace.json:
        is_single = len(metrics) == 1
        content = explanations[metrics[0].name] if is_single else explanations
        return json_text(content)
    mark = mark_for(sys.stdout)
    lines = [
        line
        for name, explanation in explanations.items()
        for line in _LINES[name](explanation, namespace.prediction, namespace.reference, mark)
    ]
    return "\n".join(lines).rstrip()


def main(arguments: Sequence[str] | None = None) -> int:
    # The texts themselves hold no control characters here.
    return exit_status(lambda: run(arguments), keeps="\n\t\x1b")
