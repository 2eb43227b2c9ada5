"""`rouge-bleu page`: the page of a Space, on this machine."""

from __future__ import annotations

import re
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rouge_bleu_tools.commands.inputs.errors import FileError, exit_status, reason
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
    parser.add_argument(
        "--port", type=int, metavar="N", help="of the server (7860, or the next one)"
    )
    namespace = parser.parse_args(arguments)
    try:
        import gradio  # noqa: F401
    except ImportError as error:
        raise FileError("the page needs gradio: pip install 'rouge-bleu-full[page]'") from error
    try:
        with root_of_scripts(_ROOT) as folder:
            app = runpy.run_path(str(folder / "app.py"))
            _launch(app, namespace.port)
    except OSError as error:  # no files, or no port is free
        raise FileError(reason(error)) from error
    return ""


def _launch(app: dict[str, Any], port: int | None) -> None:
    """Start the server; of a port that it cannot have, Gradio speaks to programmers."""
    try:
        app["launch"](server_port=port)
    except (OSError, OverflowError) as error:
        if port is None or not re.search(r"\bport\b", str(error)):
            raise
        raise FileError(
            f"port {port} is in use, or cannot be used: choose another by --port"
        ) from error


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))
