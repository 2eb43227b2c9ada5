"""A browser and a server of the page for tests, as fixtures.

The server is `python app.py` in a process of its own, as in a Space. Each opened page
has a session of its own; what its console says of errors, and requests to other hosts,
fail the test. Needs Playwright and Chromium (`make test-page`).
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

from helpers.repository import ROOT

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}

NO_PLAYWRIGHT = "make test-page installs playwright"
NO_BROWSER = "no chromium or google-chrome on the PATH, and CHROMIUM names none"


def executable():
    """The path of a browser, or None."""
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, (shutil.which(name) for name in names if name)), None)


@contextmanager
def served(folder, scratch, python=sys.executable, **environment):
    """The address of the page in a folder while its server runs, and its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    scratch.mkdir(parents=True, exist_ok=True)
    log = scratch / "server.log"
    hidden = ("PYTHONPATH", "METRIC", "HF_MODULES_CACHE")
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
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(python), "app.py"],
            cwd=folder,
            env=settings,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_until(lambda: answers(url) or process.poll() is not None, seconds=120)
        assert process.poll() is None, log.read_text()
        yield url, process
    finally:
        process.terminate()
        process.wait(30)
    assert "Traceback" not in log.read_text(), log.read_text()


def answers(url):
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


def wait_until(is_true, seconds=20):
    """Wait until a function gives something true, and return that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = is_true()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"not true within {seconds} seconds")


# --- fixtures; conftest.py imports them -----------------------------------------------------------


@pytest.fixture(scope="session")
def browser():
    """Chromium without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason=NO_PLAYWRIGHT)
    path = executable()
    if path is None:
        pytest.skip(NO_BROWSER)
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=path,
            headless=True,
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
        )
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def site(browser, tmp_path_factory):
    """The address of the repository's page, which has both metrics."""
    with served(ROOT, tmp_path_factory.mktemp("site")) as (url, _):
        yield url


@pytest.fixture
def open_page(browser):
    """Opens an address in a session of its own: `open_page(url, size=PHONE, is_dark=True)`.

    `ignored` are texts of Gradio's own console errors that a test expects.
    """
    contexts, faults = [], []

    def opened(url, size=DESKTOP, is_dark=False, ignored=()):
        scheme = "dark" if is_dark else "light"
        context = browser.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: note_message(message, faults, ignored))
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("request", lambda request: note_request(request, url, faults))
        page.goto(url)
        page.get_by_role("button").first.wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


def note_message(message, faults, ignored):
    if message.type == "error" and not any(text in message.text for text in ignored):
        faults.append(f"console: {message.text}")


def note_request(request, url, faults):
    address = urlparse(request.url)
    if address.scheme in ("http", "https", "ws") and address.netloc != urlparse(url).netloc:
        faults.append(f"request: {request.url}")
