"""The page of a Space, and of `rouge-bleu page`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
if str(FOLDER) not in sys.path:  # where another folder starts it
    sys.path.append(str(FOLDER))

from rouge_bleu_tools.app import layout

demo = layout.blocks()


def launch(**options: Any) -> Any:
    """Start the server; options are those of Gradio's `launch`."""
    return layout.launch(demo, **options)


if __name__ == "__main__":
    launch()
