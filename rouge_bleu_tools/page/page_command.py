"""`rouge-bleu page`: the page of a Space, on this machine."""

from __future__ import annotations

import os
import runpy
from collections.abc import Sequence
from pathlib import Path

from rouge_bleu_tools.commands.inputs.errors import (
    FileError,
    OneLineParser,
    exit_status,
)
from rouge_bleu_tools.commands.inputs.metrics import full_name

_PROGRAM = Path(__file__).resolve().parents[2] / "app.py"


def run(arguments: Sequence[str] | None) -> str:
    """Serve the page until Ctrl-C."""
    parser = OneLineParser(
        prog="rouge-bleu page",
        description="Start the page with both metrics on this machine, until Ctrl-C. It "
        "prints its address.",
    )
    add = parser.add_argument
    add("-m", "--metric", default="rouge", metavar="NAME", help="what it opens on")
    add("--port", type=int, metavar="N", help="of the server (7860, or the next one)")
    namespace = parser.parse_args(arguments)
    try:
        import gradio  # noqa: F401
    except ImportError as error:
        raise FileError(
            "the page needs gradio: pip install 'rouge-bleu-full[page]'"
        ) from error
    if not _PROGRAM.is_file():
        raise FileError(f"{_PROGRAM}: the page is started from a clone of the project")
    os.environ["METRIC"] = full_name(namespace.metric)
    app = runpy.run_path(str(_PROGRAM))
    app["launch"](server_port=namespace.port)
    return ""


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
