"""Both Spaces as the Hub runs them: a folder with nothing of the repository near, an environment with
what its requirements.txt names and no more, `python app.py`.
"""

import subprocess
import sys

import pytest
import stage
from gradio_client import Client

from browser import served

NAMES = ["rouge_full", "bleu_full"]


@pytest.fixture(scope="module")
def spaces(browser, tmp_path_factory):
    """The folders, moved to a place of their own."""
    built = stage.build(tmp_path_factory.mktemp("build"))
    place = tmp_path_factory.mktemp("spaces")
    return {folder.name: folder.rename(place / folder.name) for folder in built}


@pytest.fixture(scope="module")
def python(spaces, tmp_path_factory):
    """The Python of a new environment made from the requirements, which both Spaces share."""
    one, other = ((spaces[name] / "requirements.txt").read_text() for name in NAMES)
    assert one == other
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / "bin" / "python"
    install = [python, "-m", "pip", "install", "--quiet", "--no-compile", "-r"]
    subprocess.run([*install, spaces["rouge_full"] / "requirements.txt"], check=True)
    return python


@pytest.fixture(scope="module", params=NAMES)
def space(request, spaces, python, tmp_path_factory):
    name = request.param
    scratch = tmp_path_factory.mktemp(name)
    with served(spaces[name], scratch, python=python) as (url, _):
        yield name, url


def test_a_program_gets_scores(space):
    pass


def test_the_page_opens(space, open_page):
    name, url = space
    page = open_page(url)
    assert name in page.title()
