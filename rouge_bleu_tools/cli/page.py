"""Start the page with both metrics on this machine, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Sequence

from .inputs import CommandError, Parser, exit_status, reason


def main(arguments: Sequence[str] | None = None) -> int:
    return exit_status(lambda: run(arguments))


def run(arguments: Sequence[str] | None) -> str:
    """Serve the page until Ctrl-C; Gradio prints its address."""
    parser = Parser("page [--port N]", __doc__)
    parser.add_argument("--port", type=int, metavar="N", help="(7860, or the next free one)")
    namespace = parser.parse_args(arguments)
    try:
        from ..app import launch
    except ImportError as error:
        raise CommandError(f"the page needs gradio: {reason(error)}") from error
    try:
        launch(server_port=namespace.port)
    except (OSError, OverflowError) as error:
        raise CommandError(f"--port {namespace.port}: {reason(error)}") from error
    return ""
