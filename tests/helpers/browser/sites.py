"""A browser and a server of the page for tests, as fixtures.

The server is `python app.py` in a process of its own, as in a Space. Each opened page
has a session of its own, since Gradio begins one for each; what its console says of
errors, and requests to other hosts, fail the test. To open a page takes more than most
tests do on it: so the files of the page stay in the browser, and `kept_page` keeps pages
open. Needs Playwright and Chromium (`make test-page`).
"""

import os
import shutil
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager
from urllib.parse import urlparse

import pytest

from helpers.programs import wait_until
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
        wait_until(lambda: answers(url) or process.poll() is not None, seconds=240)
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


@pytest.fixture(scope="session")
def visitors(browser):
    """Opens pages, and knows what was wrong on any of them."""
    found = Visitors(browser)
    yield found
    for context in browser.contexts:
        context.close()


class Visitors:
    """Pages of short life share what the browser keeps of the server's files. A page that is kept
    has a context of its own: of each, Chromium has six connections to a server, of which each page
    holds one or two as long as it is open.
    """

    def __init__(self, browser):
        self.browser = browser
        self.context = browser.new_context()
        self.faults = []
        self.kept = {}

    def opened(self, url, size=DESKTOP, is_dark=False, ignored=(), is_kept=False):
        context = self.browser.new_context() if is_kept else self.context
        page = context.new_page()
        page.set_viewport_size(size)
        page.emulate_media(color_scheme="dark" if is_dark else "light")
        page.set_default_timeout(20_000)
        page.on("console", lambda message: note_message(message, self.faults, ignored))
        page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        page.on("request", lambda request: note_request(request, url, self.faults))
        page.goto(url)
        page.get_by_role("button").first.wait_for()
        return page

    def check(self):
        faults, self.faults[:] = list(self.faults), []
        assert faults == []


@pytest.fixture
def open_page(visitors):
    """Opens an address in a session of its own: `open_page(url, size=PHONE, is_dark=True)`.

    `ignored` are texts of Gradio's own console errors that a test expects.
    """
    pages = []

    def opened(url, **options):
        pages.append(visitors.opened(url, **options))
        return pages[-1]

    yield opened
    for page in pages:
        page.close()
    visitors.check()


@pytest.fixture
def kept_page(visitors, request):
    """Opens an address, or gives the page that an earlier test has opened there, put back.

    `kept_page(url, put_back)`: `put_back(page)` gives a page the texts and options that it
    has at first, or fails; then a new one is opened. So it is where a test is tried again.
    """
    used = []

    def kept(url, put_back, **options):
        key = url, str(options)
        page = visitors.kept.pop(key, None)
        if page is not None and (is_tried_again(request) or not can(put_back, page)):
            page.context.close()
            page = None
        if page is None:
            page = visitors.opened(url, is_kept=True, **options)
        used.append((key, page))
        return page

    yield kept
    for key, page in used:
        visitors.kept[key] = page
        page.wait_for_timeout(50)  # a fault that is late is this test's, not the next one's
    visitors.check()


def is_tried_again(request):
    """Whether pytest-rerunfailures runs the test once more."""
    return getattr(request.node, "execution_count", 1) > 1


def can(put_back, page):
    from playwright.sync_api import Error

    try:
        put_back(page)
    except (AssertionError, Error):
        return False
    return True


def note_message(message, faults, ignored):
    if message.type == "error" and not any(text in message.text for text in ignored):
        faults.append(f"console: {message.text}")


def note_request(request, url, faults):
    address = urlparse(request.url)
    if address.scheme in ("http", "https", "ws") and address.netloc != urlparse(url).netloc:
        faults.append(f"request: {request.url}")
