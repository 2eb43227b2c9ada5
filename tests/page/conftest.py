"""A server of the page, and a browser: `python app.py` in a separate process, as in a Space.

What a browser's console says of errors, and requests to other hosts, fail the test.
"""

import os
import shutil
from urllib.parse import urlparse

import pytest

from helpers.page_server import served
from helpers.repository import ROOT

DESKTOP = {"width": 1280, "height": 720}


def browser_path():
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, (shutil.which(name) for name in names if name)), None)


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
