"""The page of a metric's Space.

It serves the metrics whose scripts lie beside it: one in a Space, both in the
repository, where the environment variable METRIC names the one that it opens on:

    METRIC=bleu_full python app.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
if str(FOLDER) not in sys.path:  # where another folder starts it
    sys.path.append(str(FOLDER))

from rouge_bleu_tools.page.layout import blocks
from rouge_bleu_tools.page.shared.limits import MAX_FILE_BYTES, MAX_SESSIONS
from rouge_bleu_tools.page.shared.looks.script import SCRIPT
from rouge_bleu_tools.page.shared.looks.style import CSS, theme
from rouge_bleu_tools.page.shared.worker_client import SPARE

demo = blocks(FOLDER)


def launch(**options: Any) -> Any:
    """Start the server; options are those of Gradio's `launch`."""
    SPARE.start()
    return demo.launch(
        theme=theme(),
        css=CSS,
        js=SCRIPT,
        max_file_size=MAX_FILE_BYTES,
        state_session_capacity=MAX_SESSIONS,
        footer_links=["api"],
        ssr_mode=False,
        **options,
    )


if __name__ == "__main__":
    launch()
