"""`rouge-bleu install`: what `python stage.py install` does, with errors of one line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rouge_bleu_tools.commands.inputs.errors import FileError, exit_status, reason
from rouge_bleu_tools.commands.inputs.parser import OneLineParser


def run(arguments: Sequence[str] | None) -> str:
    """Install both metrics and return what the command prints."""
    OneLineParser(
        prog="rouge-bleu install",
        description="Copy the metrics into evaluate's module cache, so that "
        'evaluate.load("rouge_full") and evaluate.load("bleu_full") work in any folder. '
        "HF_HOME and HF_MODULES_CACHE say where that is, as for evaluate itself.",
        formatter_class=argparse.HelpFormatter,
    ).parse_args(arguments)
    from rouge_bleu_tools.staging.command_line import installed_lines
    from rouge_bleu_tools.staging.sources import StageError

    try:
        return "\n".join(installed_lines())
    except StageError as error:
        raise FileError(str(error)) from error
    except OSError as error:
        place = "" if error.filename is None else f": {error.filename}"
        raise FileError(f"{reason(error)}{place}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
