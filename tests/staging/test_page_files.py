"""The files of the page that a Space gets: what is found by following imports."""

import re

import pytest

from rouge_bleu_tools.staging.page_files import page_files
from rouge_bleu_tools.staging.sources import StageError


@pytest.fixture
def root(tmp_path):
    """A folder like the repository: a metric module, an app of two modules, examples of three."""
    write(
        tmp_path,
        {
            "app.py": "import os\nimport sys\n\nfrom page.layout import page\n",
            "page/layout.py": "import gradio as gr\nfrom page import limits\n",
            "page/limits.py": "",
            "page/style.css": "p {}",
            "page/unused.py": "def f():\n    from tables import read\n",
            "page/__pycache__/layout.cpython-311.pyc": "",
            "page/.layout.py.swp": "",
            "examples/tables.py": "import errors_of_files\n",
            "examples/errors_of_files.py": "import tables\n",
            "examples/other.py": "",
            "words.py": "",
            "staging/build.py": "",
        },
    )
    return tmp_path


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def test_the_page_and_what_it_imports_of_the_examples(root):
    files = page_files(root)
    assert sorted(files) == [
        *("app.py", "examples/errors_of_files.py", "examples/tables.py"),
        *("page/layout.py", "page/limits.py", "page/style.css", "page/unused.py"),
    ]
    assert files["page/style.css"] == b"p {}"


def test_an_app_without_a_folder(tmp_path):
    write(tmp_path, {"app.py": "import gradio"})
    assert page_files(tmp_path) == {"app.py": b"import gradio"}


# A file, its text, and what is said of it: what the repository has and a Space has not.
ESCAPES = {
    "a module of the metrics": ("app.py", "\nimport words", "app.py:2: imports words"),
    "in a function": (
        *("page/layout.py", "def f():\n    from words import Words"),
        "page/layout.py:2: imports words",
    ),
    "by an example": ("examples/tables.py", "import words", "examples/tables.py:1: imports words"),
    "another folder": ("app.py", "import staging.build", "app.py:1: imports staging.build"),
    "the folder of examples": (
        *("app.py", "from examples.tables import read", "app.py:1: imports examples.tables"),
    ),
    "a module that is not there": (
        *("app.py", "from page.colours import BLUE", "app.py:1: imports page.colours"),
    ),
}


@pytest.mark.parametrize(("file", "text", "message"), ESCAPES.values(), ids=ESCAPES)
def test_what_a_space_does_not_have_is_named(root, file, text, message):
    write(root, {file: text})
    with pytest.raises(StageError, match=re.escape(f"{message}, which is not in a Space")):
        page_files(root)


def test_a_relative_import_is_refused(root):
    write(root, {"page/layout.py": "from .limits import MOST"})
    with pytest.raises(StageError, match=r"layout\.py:1: the page imports its modules as"):
        page_files(root)
