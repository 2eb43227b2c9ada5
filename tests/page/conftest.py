"""A server of the page, and a browser: `python app.py` in a process of its own, as in a Space.

What a browser's console says of errors, and requests to other hosts, fail the test.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from urllib.parse import urlparse

import pytest

from helpers.programs import wait_until
from helpers.repository import ROOT

DESKTOP = {"width": 1280, "height": 720}


def browser_path():
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, (shutil.which(name) for name in names if name)), None)


@contextmanager
def served(folder, scratch, python=sys.executable, **environment):
    """Give the address of the page in a folder while its server runs, and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    hidden = ("PYTHONPATH", "HF_MODULES_CACHE")
    settings = {
        **{name: value for name, value in os.environ.items() if name not in hidden},
        "GRADIO_SERVER_NAME": "127.0.0.1",
        "GRADIO_SERVER_PORT": str(port),
        "GRADIO_ANALYTICS_ENABLED": "False",
        "GRADIO_TEMP_DIR": str(scratch / "gradio"),
        "HF_HOME": str(scratch / "hf"),
        "HF_HUB_OFFLINE": "1",
        **environment,
    }
    log = scratch / "server.log"
    began = time.monotonic()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(python), "app.py"], cwd=folder, env=settings, stdout=output, stderr=output
        )
    try:
        wait_until(lambda: answers(url) or process.poll() is not None, seconds=240)
        assert process.poll() is None, log.read_text()
        print(f"the server started in {time.monotonic() - began:.1f} s")
        yield url, process
    finally:
        process.terminate()
        process.wait(30)
    text = log.read_text()  # Gradio prints a path that it refuses
    assert text.count("Traceback") == text.count("InvalidPathError:"), text


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of the page, and the process of its server."""
    pytest.importorskip("gradio", reason="the page is not installed here")
    with served(ROOT, tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="session")
def site(server):
    return server[0]


@pytest.fixture(scope="session")
def browser():
    """Chromium without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="`make test-page` has it")
    if browser_path() is None:
        pytest.skip("no chromium or google-chrome on the PATH, and CHROMIUM names none")
    with playwright.sync_playwright() as driver:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        chromium = driver.chromium.launch(executable_path=browser_path(), args=arguments)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser, site):
    """Opens the page with a query: `open_page("?beta=2", size=PHONE, dark=True)`."""
    contexts, faults = [], []

    def opened(query="", size=DESKTOP, dark=False):
        scheme = "dark" if dark else "light"
        contexts.append(browser.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda message: note(message.type == "error", message.text))
        page.on("pageerror", lambda error: note(True, str(error)))
        page.on("request", lambda request: note(is_elsewhere(request.url), request.url))
        page.goto(site + query)
        page.locator("#words .words").first.wait_for()
        return page

    def note(is_fault, text):
        if is_fault:
            faults.append(text)

    def is_elsewhere(url):
        address = urlparse(url)
        return address.scheme in ("http", "https", "ws") and address.netloc != urlparse(site).netloc

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
