"""What the server of the page keeps: memory of programs that call, and files of visitors.

Here since it needs a server of its own.
"""

import json
import os
import urllib.request

import pytest

from helpers.browser.actions import opened_tab
from helpers.browser.files import score, start_large, written
from helpers.browser.sites import NO_PLAYWRIGHT, ROOT, served, wait_until

pytest.importorskip("playwright", reason=NO_PLAYWRIGHT)
gradio_client = pytest.importorskip("gradio_client", reason="the page is not installed here")

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the server has its files."""
    return tmp_path_factory.mktemp("server")


@pytest.fixture(scope="module")
def server(folder):
    """Address and process of a server that the tests of this file share."""
    with served(ROOT, folder / "own", TMPDIR=str(folder)) as running:
        yield running


def call(url, number=0):
    """Call `/score` as a program without Gradio's client does: a session for each call."""
    address = f"{url}/gradio_api/call/score"
    body = {"data": ["rouge_full", f"a b c {number}", ["a b d"], {}]}
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        event = json.load(answer)["event_id"]
    with urllib.request.urlopen(f"{address}/{event}", timeout=60) as answer:
        text = answer.read().decode()
    assert "event: complete" in text, text


def resident(process):
    """The bytes of memory that a process has."""
    with open(f"/proc/{process.pid}/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="it is not Linux")
def test_150_calls_cost_less_than_15_MB(server):
    """Gradio keeps a session of 0.3 MB for each: 500 took 155 MB, and now 7."""
    url, process = server
    for number in range(20):  # what is imported and remembered once
        call(url, number)
    before = resident(process)
    for number in range(150):
        call(url, number)
    assert resident(process) - before < 15 * MEGABYTE


def test_programs_do_not_take_the_place_of_a_visitor(server, open_page, tmp_path):
    """The page keeps the sessions of 50, so each call of a program gives its own back."""
    url, _ = server
    page = opened_tab(open_page, url, "Score a file")
    score(page, written(tmp_path, "csv"))
    for number in range(60):
        call(url, number)
    page.locator("#file-items label").first.click()
    page.locator("#file-explanation .page-words").first.wait_for()


def files(folder):
    """What the server has, but for Gradio's log of its own editor."""
    own = [folder / "own" / "gradio", *folder.glob("tmp*")]
    return sorted(path for one in own for path in one.rglob("*") if "vibe" not in path.name)


def test_all_files_go_when_the_visitor_leaves(server, folder, open_page, tmp_path):
    """The upload, the scores of its rows, and what was made on the way."""
    page = opened_tab(open_page, server[0], "Score a file")
    score(page, written(tmp_path, "csv"))
    names = {path.name for path in files(folder)}
    assert {"texts.csv", "texts-rouge_full.csv"} <= names
    page.close()
    wait_until(lambda: files(folder) == [])


def test_all_files_go_when_the_visitor_leaves_while_it_works(server, folder, open_page, tmp_path):
    page = opened_tab(open_page, server[0], "Score a file")
    start_large(page, tmp_path)
    assert files(folder)
    page.close()
    wait_until(lambda: files(folder) == [])


@pytest.mark.deep
def test_all_files_go_when_the_client_of_a_program_ends(server, folder, tmp_path):
    """Those of its own, whatever visitors have left."""
    before = set(files(folder))
    client = gradio_client.Client(server[0], verbose=False, download_files=str(tmp_path / "got"))
    file = gradio_client.handle_file(written(tmp_path, "csv"))
    request = {"prediction_column": "prediction", "reference_columns": ["reference"]}
    _, scores = client.predict(file, request, api_name="/score_file")
    with open(scores, encoding="utf-8") as rows:
        assert len(rows.readlines()) == 61
    assert before < set(files(folder))
    client.close()
    # The next beat of its heart is in 15 seconds.
    wait_until(lambda: before.issuperset(files(folder)), seconds=60)
