"""Start the page with both metrics on this machine, until Ctrl-C."""

from __future__ import annotations

from collections.abc import Sequence

from .inputs import CommandError, Parser, reason


def run(arguments: Sequence[str]) -> str:
    """Serve the page until Ctrl-C; Gradio prints its address."""
    parser = Parser("page [--port N]", __doc__)
    parser.add_argument("--port", type=int, metavar="N", help="port (7860, or the next free one)")
    namespace = parser.parse_args(arguments)
    try:
        from ..app import layout
    except ImportError as error:
        raise CommandError(
            f"the page needs more packages ({reason(error)}): pip install 'rouge-bleu-full[page]'"
        ) from error
    try:
        layout.launch(layout.blocks(), server_port=namespace.port)
    except (OSError, OverflowError) as error:
        raise CommandError(f"--port {namespace.port}: {reason(error)}") from error
    return ""
