"""`rouge-bleu page`: the page of a Space, on this machine."""

from __future__ import annotations

import os
import runpy
from collections.abc import Sequence
from pathlib import Path

from rouge_bleu_tools.commands.inputs.errors import (
    FileError,
    exit_status,
    reason,
)
from rouge_bleu_tools.commands.inputs.metrics import full_name
from rouge_bleu_tools.commands.inputs.parser import OneLineParser
from rouge_bleu_tools.installed import root_of_scripts

_ROOT = Path(__file__).resolve().parents[3]


def run(arguments: Sequence[str] | None) -> str:
    """Serve the page until Ctrl-C."""
    parser = OneLineParser(
        prog="rouge-bleu page",
        description="Start the page with both metrics on this machine, until Ctrl-C. It "
        "prints its address.",
    )
    add = parser.add_argument
    add(
        "-m",
        "--metric",
        default="rouge",
        metavar="NAME",
        help="the metric that the page shows first",
    )
    add("--port", type=int, metavar="N", help="of the server (7860, or the next one)")
    namespace = parser.parse_args(arguments)
    try:
        import gradio  # noqa: F401
    except ImportError as error:
        raise FileError(
            "the page needs gradio: pip install 'rouge-bleu-full[page]'"
        ) from error
    os.environ["METRIC"] = full_name(namespace.metric)
    try:
        with root_of_scripts(_ROOT) as folder:
            app = runpy.run_path(str(folder / "app.py"))
            app["launch"](server_port=namespace.port)
    except OSError as error:  # no files, or a port that is taken
        raise FileError(reason(error)) from error
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
