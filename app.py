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
for folder in (FOLDER, FOLDER / "examples"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))

from page.layout import blocks  # noqa: E402
from page.limits import MAX_FILE_BYTES, MAX_SESSIONS  # noqa: E402
from page.style import CSS, theme  # noqa: E402
from page.worker_client import SPARE  # noqa: E402

demo = blocks(FOLDER)


def launch(**options: Any) -> Any:
    """Start the server; options are those of Gradio's `launch`."""
    SPARE.start()
    return demo.launch(
        theme=theme(),
        css=CSS,
        max_file_size=MAX_FILE_BYTES,
        state_session_capacity=MAX_SESSIONS,
        footer_links=["api"],
        ssr_mode=False,
        **options,
    )


if __name__ == "__main__":
    launch()
