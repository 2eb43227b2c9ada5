"""The report in Chromium: readable at all sizes, accessible, without requests, with working links."""

import pytest

from helpers.page_server import browser_path
from helpers.repository import ROOT
from rouge_bleu_tools.cli.main import main

pytest.importorskip("playwright", reason="playwright is not installed here")

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

SYSTEMS = ROOT / "examples" / "systems"
SIZES = [(1280, 720, "light"), (390, 844, "light"), (1280, 720, "dark"), (390, 844, "dark")]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    files = [SYSTEMS / f"{name}.txt" for name in ("baseline", "better", "references")]
    arguments = ["compare", *files[:2], "-r", files[2], "--report", path]
    assert main(list(map(str, arguments))) == 0
    return path.as_uri()


@pytest.fixture(scope="module")
def chromium():
    if browser_path() is None:
        pytest.skip("no browser")
    with sync_playwright() as driver:
        arguments = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
        browser = driver.chromium.launch(executable_path=browser_path(), args=arguments)
        yield browser
        browser.close()


@pytest.mark.parametrize(("width", "height", "scheme"), SIZES)
def test_a_report(report, chromium, width, height, scheme):
    viewport = {"width": width, "height": height}
    page = chromium.new_page(viewport=viewport, color_scheme=scheme)
    errors, requests = [], []
    page.on("console", lambda message: errors.append(message.text))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(report)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    caption = page.locator("#scores- ~ .scroll caption").bounding_box()
    assert caption["x"] + caption["width"] <= width
    articles = page.locator("article:visible")
    assert articles.count() == 20
    page.get_by_label("Filter by text").fill("balcony")
    assert 0 < articles.count() < 10
    page.get_by_label("Filter by text").fill("")
    page.locator(".tools select").select_option("file")
    assert articles.first.get_attribute("id") == "example-1"
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
    link = page.locator("#ngrams- ~ details a").first
    name = link.get_attribute("href")[1:]
    link.click()
    assert page.locator(f"#{name}").is_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert (errors, requests) == ([], [report])
    page.close()
