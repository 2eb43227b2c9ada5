"""The page of `python app.py` in a separate process: for `gradio_client`, and in Chromium.

What a browser's console says of errors, and requests to other hosts, fail a test.
"""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlparse

import pandas as pd
import pytest

import rouge_bleu
from helpers.page_server import browser_path, served
from helpers.repository import ROOT

pytest.importorskip("gradio_client", reason="the page is not installed here")

import gradio_client
import httpx

from rouge_bleu_tools.app.file import SAMPLE
from rouge_bleu_tools.app.layout import PREVIEW, TITLE
from rouge_bleu_tools.app.settings import TILES, default_settings


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The address of the page, while its server runs."""
    with served(ROOT, tmp_path_factory.mktemp("site")) as (address, _):
        yield address


PREDICTION, REFERENCES = "a b c d e", ["a b c d f", "e"]


@pytest.fixture(scope="module")
def client(site):
    return gradio_client.Client(site, verbose=False)


def test_the_functions(client):
    more = ["rougeW", "rougeSU4"]
    settings = {"use_stemmer": True, "smoothing": "exp", "rouge_types": more, "beta": 2}
    found = client.predict(PREDICTION, REFERENCES, **settings, api_name="/score")
    given = {"predictions": [PREDICTION], "references": [REFERENCES]}
    types = [*TILES, "rougeW-1.2", "rougeSU4"]
    rouge = rouge_bleu.rouge(**given, rouge_types=types, use_stemmer=True, beta=2.0)
    bleu = rouge_bleu.bleu(**given, smoothing="exp", output="score")
    assert found["scores"] == pytest.approx({**rouge, **bleu}, abs=1e-12)
    assert len(found["signatures"]) == 2
    explained = client.predict(PREDICTION, REFERENCES, api_name="/explain")
    assert explained["bleu"] == rouge_bleu.explain_bleu(PREDICTION, REFERENCES)
    rows = client.predict(PREDICTION, REFERENCES, api_name="/compare")
    scores = {row["name"]: row["scores"] for row in rows}
    reported = f"ROUGE-1 {100 * scores['rouge_score']['rouge1']:.2f}"
    found = client.predict(reported, PREDICTION, REFERENCES, api_name="/find_settings")
    assert found["matches"]
    bad = [("", REFERENCES), (PREDICTION, [1]), (PREDICTION, REFERENCES, "spm"), (None, None)]
    for given in bad:
        with pytest.raises(gradio_client.exceptions.AppError) as error:
            client.predict(*given, api_name="/score")
        assert str(error.value)
        assert "Traceback" not in str(error.value)


def test_score_a_file(client):
    file = gradio_client.handle_file(str(SAMPLE))
    columns = ("prediction", ["reference"], "baseline", "rouge1")
    *_, table_of_csv, shown = client.predict(
        [file], *columns, preset="none", beta="", api_name="/score_file"
    )
    table = pd.read_csv(table_of_csv["value"])
    rows = pd.read_csv(SAMPLE)
    assert list(table["prediction"]) == list(rows["prediction"])
    assert list(table["references"]) == list(rows["reference"])
    given = {"predictions": list(rows["prediction"]), "references": list(rows["reference"])}
    scores = rouge_bleu.rouge(**given, rouge_types=["rouge2"], use_aggregator=False)["rouge2"]
    assert list(table["ROUGE-2"]) == [round(100 * one, 1) for one in scores]
    assert len(shown["data"]) == len(rows)


def test_no_file_of_the_server_is_read(site, tmp_path):
    """A path that was not uploaded is an error."""
    secret = tmp_path / "secret.csv"
    secret.write_text("prediction,reference\nhidden,hidden\n", encoding="utf-8")
    files = [{"path": str(secret), "meta": {"_type": "gradio.FileData"}}]
    data = [files, "prediction", ["reference"], "", "rouge1", *default_settings().values()]
    call = f"{site}/gradio_api/call/score_file"
    event = httpx.post(call, json={"data": data}).json()["event_id"]
    answer = httpx.get(f"{call}/{event}").text
    assert ("event: error" in answer, "hidden" in answer) == (True, False)


def test_the_command_of_the_documentation(site, client):
    """With curl, in place of the address of the documentation."""
    text = (ROOT / "docs" / "page.md").read_text(encoding="utf-8")
    command = re.search("```sh\n(.*?)```", text, re.DOTALL)[1]
    command = command.replace("http://127.0.0.1:7860", site)
    answer = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=100)
    found = json.loads(answer.stdout.partition("data: ")[2].partition("\n")[0])[0]["scores"]
    assert found["rouge1"] == 0.5  # "cat", of two words each
    functions = client.view_api(return_format="dict")["named_endpoints"]
    for name in ("/score", "/explain", "/compare"):
        examples = [one["example_input"] for one in functions[name]["parameters"][:2]]
        assert examples == ["the cat sat", ["a cat sat"]]


def test_fifty_visitors_at_once_get_their_own_scores(site):
    def call(number):
        n_words = number % 50 + 1
        text = " ".join(f"word{place}" for place in range(n_words))
        with httpx.Client(base_url=f"{site}/gradio_api/call/", timeout=100) as visitor:
            event = visitor.post(
                "score", json={"data": [text, [f"{text} x"], *default_settings().values()]}
            ).json()
            answer = visitor.get(f"score/{event['event_id']}").text
        found = json.loads(answer.partition("data: ")[2].partition("\n")[0])[0]["scores"]
        assert found["rouge1"] == pytest.approx(2 * n_words / (2 * n_words + 1))

    with ThreadPoolExecutor(50) as pool:
        list(pool.map(call, range(200)))


DESKTOP = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}
TABS = ["Score texts", "Score a file", "Reproduce a score", "Use it"]
HOSTILE = "<img src=x onerror=window.hacked=1><b>bold</b>"
LINKED = ["prediction", "reference", "preset", "beta"]
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


@pytest.fixture(scope="module")
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

    def opened(query="", size=DESKTOP, dark=False, is_ready=True):
        scheme = "dark" if dark else "light"
        contexts.append(browser.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda one: faults.extend([one.text] * (one.type == "error")))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda one: faults.extend([one.url] * is_elsewhere(one.url)))
        page.goto(site + query)
        if is_ready:
            page.locator("#words .words").first.wait_for()
        return page

    def is_elsewhere(url):
        address = urlparse(url)
        return address.scheme in ("http", "https", "ws") and address.netloc != urlparse(site).netloc

    yield opened
    for context in contexts:
        context.close()
    assert faults == []


def score_file(page, path):
    choose(page, "Score a file")
    page.locator("input[type=file]").first.set_input_files(path)
    page.wait_for_function("document.querySelector('[aria-label=Predictions]').value")
    page.locator("#file-start").click()


def choose(page, tab):
    page.get_by_role("tab", name=tab, exact=True).click()


def fill(page, name, text):
    page.locator(f"#{name} textarea, #{name} input").first.fill(text)


def tiles(page, place="tiles"):
    names = page.locator(f"#{place} .tile .name").all_inner_texts()
    return dict(zip(names, page.locator(f"#{place} .tile b").all_inner_texts(), strict=True))


def wait_for_tile(page, name, score):
    text = re.compile(rf"^\s*{name}\s*{re.escape(score)}")
    page.locator("#tiles .tile", has_text=text).wait_for()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_tab_is_wider_than_the_window(open_page, size):
    page = open_page(size=size)
    assert list(tiles(page)) == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum", "BLEU"]
    for tab in TABS:
        choose(page, tab)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab


def test_every_control_shows_that_it_has_the_focus(open_page):
    """Tab goes through the controls of the first tab."""
    page = open_page()
    page.evaluate("document.activeElement.blur()")
    for _ in range(24):
        page.keyboard.press("Tab")
        assert page.evaluate(
            """() => [document.activeElement, document.activeElement.closest("label")].some(
                one => one?.tagName == "BODY" || one && getComputedStyle(one).outlineStyle != "none"
            )"""
        )


def test_scores_and_words_follow_the_texts_and_the_settings(open_page):
    page = open_page()
    fill(page, "prediction", "The cats sat on the mat")
    fill(page, "references", "The cat sat on the mat\n\nA dog")
    wait_for_tile(page, "ROUGE-1", "83.3")
    page.get_by_label("Stemming").check()
    wait_for_tile(page, "ROUGE-1", "100.0")
    page.locator("#tiles .tile", has_text="BLEU").click()
    page.locator("#tiles .tile.chosen", has_text="BLEU").wait_for()
    page.locator("#words .calculation", has_text="BLEU = ").wait_for()
    page.locator('.dots[data-measure="bleu"] .own').wait_for()
    fill(page, "prediction", "the cat")
    fill(page, "references", "the cat")
    page.locator("#note .warning", has_text="the prediction has no 3-grams").wait_for()
    fill(page, "prediction", "")
    page.locator("#note .hint").wait_for()
    assert set(tiles(page).values()) == {"–"}


def test_the_keyboard_chooses_a_measure(open_page):
    page = open_page()
    page.locator("#measure input").first.focus()
    page.keyboard.press("ArrowDown")
    page.locator("#words .calculation", has_text="neighboring").wait_for()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.chosen')).outlineStyle") == "solid"
    )


def test_a_link_shows_only_its_own_scores_and_names_what_it_ignores(open_page):
    page = open_page(
        "?prediction=a+cat+sat&reference=a+cat+sat&preset=pltrdy&bta=2", is_ready=False
    )
    seen = set()
    visible = "one => getComputedStyle(one).visibility == 'visible' ? one.innerText : ''"
    for _ in range(60):
        if page.locator("#tiles .tile b").count():
            seen.add(page.locator("#tiles .tile b").first.evaluate(visible))
        page.wait_for_timeout(50)
    assert seen - {""} == {"100.0"}
    page.locator("#of-link .warning", has_text="bta (did you mean beta?)").wait_for()
    page.locator("#note .warning", has_text="does not have ROUGE-Lsum").wait_for()


def test_a_preview_of_a_link_needs_no_script(site):
    page = httpx.get(site).text
    assert "Click to try" not in page
    assert re.findall('property="og:title" content="(.*?)"', page) == [TITLE]
    picture = re.search('property="og:image" content="(.*?)"', page)[1]
    assert httpx.get(picture).content == PREVIEW.read_bytes()


def test_more_options_and_their_errors(open_page):
    page = open_page()
    page.locator("#more > button").click()
    page.get_by_label("ROUGE-SU4").check()
    page.locator("#tiles .name", has_text="ROUGE-SU4").wait_for()
    fill(page, "field-beta", "-1")
    for place in ("#note .error", "#tiles.stale"):
        page.locator(place).wait_for()
    fill(page, "field-beta", "2")
    page.locator("#tiles:not(.stale)").wait_for()
    assert not page.locator("#note .error").count()
    page.get_by_role("button", name="Chinese").first.click()
    page.locator("#words mark", has_text="图书馆").first.wait_for()


def test_remedies(open_page):
    page = open_page()
    fill(page, "prediction", "Schöne Grüße aus Köln")
    fill(page, "references", "Schöne Grüße von hier")
    page.get_by_role("button", name="Use unicode").click()
    wait_for_tile(page, "ROUGE-1", "50.0")
    wait_for_tile(page, "BLEU", "0.0")
    page.get_by_role("button", name="Try smoothing").click()
    page.locator("#tiles b", has_text=re.compile("^0.0$")).wait_for(state="detached")
    page.get_by_role("button", name="Try smoothing").wait_for(state="hidden")


def test_copies(open_page):
    page = open_page("?prediction=a+b+c&reference=a+b&tokenizer=char")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    wait_for_tile(page, "ROUGE-1", "80.0")
    page.locator("#tiles .tile", has_text="ROUGE-L").first.click()
    page.locator("#tiles .tile.chosen", has_text="ROUGE-L").wait_for()
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("Copied link.").wait_for(timeout=100_000)
    page.wait_for_function(
        "navigator.clipboard.readText().then(text => text.startsWith('http'))", timeout=100_000
    )
    link = page.evaluate("navigator.clipboard.readText()")
    page = open_page("/?" + link.partition("/?")[2])
    wait_for_tile(page, "ROUGE-1", "80.0")
    page.locator("#tiles .tile.chosen", has_text="ROUGE-L").wait_for()
    page = open_page("/?tab=file", is_ready=False)
    page.locator("#file-start").wait_for()


def test_a_file_and_its_rows(open_page):
    page = open_page()
    choose(page, "Score a file")
    page.locator("#file-sample").click()
    page.locator("#file-totals .tile").first.wait_for(timeout=100_000)
    assert list(tiles(page, "file-totals")) == list(tiles(page))
    assert page.locator("#file-totals", has_text="p\u00a0≤\u00a00.001").count() == 1
    row = page.locator("#file-table [role=row]", has_text="The cat dropped asleep")
    row.locator("[role=gridcell]").first.click()
    page.locator("#file-words mark").first.wait_for()
    assert "The cat" in page.locator("#file-words").inner_text()
    first = page.locator("#file-table [role=gridcell]").first
    before = first.inner_text()
    page.get_by_label("Order rows by").click()
    page.get_by_role("option", name="BLEU").click()
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect(first).not_to_have_text(before)
    assert not page.locator("#file-totals .stale").count()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert "The cat dropped asleep" in download.value.path().read_text(encoding="utf-8")


def test_stop_ends_the_work_on_a_file(open_page, tmp_path):
    text = " ".join(f"word{number}" for number in range(100))
    path = tmp_path / "long.csv"
    path.write_text("prediction,reference\n" + f"{text},{text}\n" * 20_000, encoding="utf-8")
    page = open_page()
    score_file(page, path)
    page.locator("#file-note", has_text="of 20,000 rows").wait_for(timeout=100_000)
    page.locator("#file-stop").click()
    page.locator("#file-note", has_text="Stopped").wait_for(timeout=100_000)
    page.wait_for_timeout(2_000)
    assert not page.locator("#file-totals .tile").count()


def test_reproduce_a_score_and_use_the_settings(open_page):
    page = open_page()
    choose(page, "Reproduce a score")
    page.locator("#reproduce-sample").click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Use these settings").first.click(timeout=100_000)
    opened.value.wait_for_function(
        "document.querySelector('#field-preset input')?.value.includes('PyPI')"
    )


def test_nothing_typed_becomes_markup_and_a_hostile_link_is_harmless(open_page, tmp_path):
    page = open_page("?" + "&".join(f"{name}={HOSTILE}" for name in LINKED))
    page.locator("#of-link .warning").wait_for()
    path = tmp_path / f"{HOSTILE.replace('/', '')}.csv"
    path.write_text(f'prediction,"{HOSTILE}"\n{HOSTILE},{HOSTILE}\n', encoding="utf-8")
    score_file(page, path)
    page.locator("#file-table [role=gridcell]").first.click(timeout=100_000)
    page.locator("#file-words .words").first.wait_for()
    choose(page, "Reproduce a score")
    fill(page, "reported", HOSTILE)
    page.locator("#find").click()
    page.locator("#found .error").wait_for()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x], .words b, .error b").count() == 0


@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(open_page, dark):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = open_page(dark=dark)
    for name in ("more", "facts", "packages-all"):
        page.locator(f"#{name} > button").click()
    found = {}
    for tab in TABS:
        choose(page, tab)
        if tab == "Score a file":
            page.locator("#file-sample").click()
            page.locator("#file-table [role=gridcell]").first.wait_for(timeout=100_000)
        if tab == "Use it":
            page.locator(".cm-content", has_text="def decoded").first.wait_for()
        page.wait_for_timeout(1_000)  # until nothing fades any more
        options = {"runOnly": WCAG, "resultTypes": ["violations"]}
        found[tab] = axe.run(page, options=options).response["violations"]
    assert not any(found.values()), json.dumps(found, indent=1)
