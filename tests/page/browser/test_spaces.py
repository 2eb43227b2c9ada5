"""Both Spaces as the Hub runs them: a folder with nothing of the repository near, an environment with
what its requirements.txt names and no more, `python app.py`. To make that takes minutes; what lies in
the folders is tested in tests/hub/test_spaces.py each time.
"""

import subprocess
import sys

import pytest

from helpers.browser.actions import choose, open_card, opened_tab, rows
from helpers.browser.files import score, written
from helpers.browser.sites import served, wait_until
from rouge_bleu_tools.hub.spaces import build

gradio_client = pytest.importorskip("gradio_client", reason="the page is not installed here")

pytestmark = pytest.mark.deep

NAMES = ["rouge_full", "bleu_full"]


@pytest.fixture(scope="module")
def spaces(browser, tmp_path_factory):
    """The folders, moved to a place of their own."""
    built = build(tmp_path_factory.mktemp("build"))
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


def test_a_program_gets_the_scores_of_compute(space, request):
    name, url = space
    prediction, reference = "a b c d e", "a b c d f"
    client = gradio_client.Client(url, verbose=False)
    found = client.predict(name, prediction, [reference], {}, api_name="/score")
    metric = request.getfixturevalue(name)
    output = {"output": "all"} if name == "rouge_full" else {}
    data = {"predictions": [prediction], "references": [[reference]]}
    assert found["result"] == metric.compute(**data, **output)


def test_the_page_opens_on_its_metric(space, open_page):
    name, url = space
    page = open_page(url)
    scored = {"rouge_full": "ROUGE: score summaries", "bleu_full": "BLEU: score translations"}
    assert page.title() == f"{scored[name]}, and see why"
    first = "ROUGE-1" if name == "rouge_full" else "BLEU"
    wait_until(lambda: first in rows(page, "try-scores"))
    assert not page.get_by_label("BLEU", exact=True).is_visible(), "there is no other to choose"
    choose(page, "Use it")
    open_card(page)
    page.get_by_role("heading", name=f"Metric Card for {name}").wait_for()


def test_a_file_is_scored(space, open_page, tmp_path):
    """By the worker, which imports modules of its own."""
    page = opened_tab(open_page, space[1], "Score a file")
    score(page, written(tmp_path, "csv", {"prediction": ["a b c d"], "reference": ["a b c d"]}))
    first = {values[0] for values in rows(page, "file-summary").values()}
    assert {one.split("\n")[0] for one in first} <= {"100.00", "1.000"}
