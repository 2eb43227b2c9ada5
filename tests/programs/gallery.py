"""Runs examples/gallery.ipynb and writes its outputs into it, by `make gallery`."""

import json
import os
import sys

from helpers import cache  # noqa: F401  before evaluate is imported
from helpers.notebooks import cells_of_code, outputs_of_notebook
from helpers.repository import ROOT

GALLERY = ROOT / "examples" / "gallery.ipynb"


def main():
    notebook = json.loads(GALLERY.read_text(encoding="utf-8"))
    os.chdir(GALLERY.parent)
    outputs = outputs_of_notebook(notebook)
    for number, cell in enumerate(cells_of_code(notebook)):
        cell.update(outputs=outputs[number], execution_count=number + 1)
    text = json.dumps(notebook, ensure_ascii=False, indent=1)
    GALLERY.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
