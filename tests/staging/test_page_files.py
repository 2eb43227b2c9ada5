"""The files of the page that a Space gets: what is found by following imports."""

import re

import pytest

from rouge_bleu_tools.staging.page_files import page_files
from rouge_bleu_tools.staging.sources import StageError

TOOLS = "rouge_bleu_tools"


@pytest.fixture
def root(tmp_path):
    """A folder like the repository: a package of metrics, an app, a page of two rooms, commands."""
    write(
        tmp_path,
        {
            "app.py": f"import os\nimport sys\n\nfrom {TOOLS}.page.layout import page\n",
            f"{TOOLS}/page/layout.py": f"import gradio as gr\nfrom {TOOLS}.page.shared import limits\n",
            f"{TOOLS}/page/shared/limits.py": "",
            f"{TOOLS}/page/shared/style.css": "p {}",
            f"{TOOLS}/page/worker.py": f"def f():\n    from {TOOLS}.commands.inputs import tables\n",
            f"{TOOLS}/page/__pycache__/layout.cpython-311.pyc": "",
            f"{TOOLS}/page/.layout.py.swp": "",
            f"{TOOLS}/commands/inputs/tables.py": f"import {TOOLS}.commands.inputs.errors\n",
            f"{TOOLS}/commands/inputs/errors.py": f"from {TOOLS}.commands.inputs.tables import f\n",
            f"{TOOLS}/commands/inputs/other.py": "",
            f"{TOOLS}/commands/score/main.py": "",
            f"{TOOLS}/staging/build.py": "",
            "examples/demo.py": "",
            "rouge_bleu/words.py": "",
            "stage.py": "",
        },
    )
    for folder in [tmp_path / TOOLS, *(tmp_path / TOOLS).rglob("[a-z]*/")]:
        if folder.is_dir() and "__pycache__" not in folder.parts:
            (folder / "__init__.py").touch()
    return tmp_path


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def test_the_page_and_what_it_imports_of_the_commands(root):
    files = page_files(root)
    assert sorted(files) == [
        "app.py",
        *(f"{TOOLS}/__init__.py", f"{TOOLS}/commands/__init__.py"),
        f"{TOOLS}/commands/inputs/__init__.py",
        *(f"{TOOLS}/commands/inputs/{name}.py" for name in ("errors", "tables")),
        *(f"{TOOLS}/page/{name}.py" for name in ("__init__", "layout")),
        *(f"{TOOLS}/page/shared/{name}" for name in ("__init__.py", "limits.py", "style.css")),
        f"{TOOLS}/page/worker.py",
    ]
    assert files[f"{TOOLS}/page/shared/style.css"] == b"p {}"


def test_an_app_without_a_folder(tmp_path):
    write(tmp_path, {"app.py": "import gradio"})
    assert page_files(tmp_path) == {"app.py": b"import gradio"}


LAYOUT = f"{TOOLS}/page/layout.py"
ABSENT = f"{TOOLS}.commands.inputs.colours"
# A file, its text, and which line imports what the repository has and a Space has not.
ESCAPES = {
    "a module of the metrics": ("app.py", "\nimport rouge_bleu.words", 2, "rouge_bleu.words"),
    "in a function": (
        LAYOUT,
        "def f():\n    from rouge_bleu.words import W",
        2,
        "rouge_bleu.words",
    ),
    "another room": ("app.py", f"import {TOOLS}.staging.build", 1, f"{TOOLS}.staging.build"),
    "another room by its name": ("app.py", f"from {TOOLS} import staging", 1, f"{TOOLS}.staging"),
    "a script": ("app.py", "import stage", 1, "stage"),
    "a command that is not there": ("app.py", f"import {ABSENT}", 1, ABSENT),
}


@pytest.mark.parametrize(("file", "text", "line", "name"), ESCAPES.values(), ids=ESCAPES)
def test_what_a_space_does_not_have_is_named(root, file, text, line, name):
    write(root, {file: text})
    message = f"{file}:{line}: imports {name}, which is not in a Space"
    with pytest.raises(StageError, match=re.escape(message)):
        page_files(root)


def test_a_relative_import_is_refused(root):
    write(root, {f"{TOOLS}/page/layout.py": "from .shared.limits import MOST"})
    message = rf"^{TOOLS}/page/layout\.py:1: the page imports its modules as `from {TOOLS}\.page\."
    with pytest.raises(StageError, match=message):
        page_files(root)
