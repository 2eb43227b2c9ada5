"""The page of `python app.py` in a separate process: for `gradio_client`, and in Chromium.

What a browser's console says of errors, and requests to other hosts, fail a test.
"""

import json
import random
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlparse
from xml.etree import ElementTree

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
def server(tmp_path_factory):
    """The address of the page, while its server runs, and its process."""
    with served(ROOT, tmp_path_factory.mktemp("site")) as address_and_process:
        yield address_and_process


@pytest.fixture(scope="module")
def site(server):
    return server[0]


@pytest.fixture(scope="module")
def http(site):
    limits = httpx.Limits(max_connections=100)
    with httpx.Client(base_url=f"{site}/gradio_api/", timeout=200, limits=limits) as http:
        yield http


def ask(http, name, *data, session=None):
    """What a function answers, as programs read it."""
    given = {"data": data, "session_hash": session}
    event = http.post(f"call/{name}", json=given).json()["event_id"]
    return http.get(f"call/{name}/{event}").text


def upload(http, name, content):
    [path] = http.post("upload", files={"files": (name, content)}).json()
    return path


def score_upload(http, path, *columns, session="one"):
    files = [{"path": str(path), "meta": {"_type": "gradio.FileData"}}]
    values = default_settings().values()
    return ask(http, "score_file", files, *columns, "rouge1", *values, session=session)


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


def test_only_who_sent_a_file_can_use_it(http, tmp_path):
    """Others who know its path neither read nor score it. Equal files of two visitors stay apart, no
    folder is listed, and no error has the path. A table for download is read by its path. No other
    file of the server is read.
    """
    columns = "prediction", ["reference"], ""
    (tmp_path / "secret.csv").write_text("prediction,reference\nhidden,hidden\n", encoding="utf-8")
    answer = score_upload(http, tmp_path / "secret.csv", *columns)
    assert ("event: error" in answer, "hidden" in answer) == (True, False)
    paths = [Path(upload(http, "texts.csv", b"prediction,reference\na,b\n")) for _ in range(2)]
    assert paths[0] != paths[1]
    for session, path, is_own in (("one", paths[0], 1), ("two", paths[0], 0), ("two", paths[1], 1)):
        answer = score_upload(http, path, *columns, session=session)
        found = re.search('"path": "([^"]*scores.csv)"', answer)
        assert ("Only the visitor" in answer, bool(found)) == (not is_own, is_own), (session, path)
    assert b"ROUGE-1" in http.get(f"file={found[1]}").content
    for other in (path, f"{path.parent}/./texts.csv", path.parent, Path(found[1]).parent):
        for separator in "=/":
            assert http.get(f"file{separator}{other}").status_code == 403
    answer = score_upload(http, paths[0], "no such column", ["reference"], "")
    assert ("there is no column" in answer, path.parent.name in answer) == (True, False)
    paths[0].unlink()  # an hour later
    assert "was deleted" in score_upload(http, paths[0], *columns)


def test_no_error_is_null(http):
    for name, *data in (
        ("score", None, None, *default_settings().values()),
        ("explain", "a", {"a": 1}, *default_settings().values()),
        ("compare", "a", [1]),
        ("find_settings", "none", "a", ["b"]),
    ):
        error = json.loads(re.search("event: error\ndata: (.*)", ask(http, name, *data))[1])
        assert len(error["error"]) > 10, name
    answer = http.post("call/v2/score", json={"prediction": "a", "references": ["a"], "bta": 2})
    assert (answer.status_code, "bta" in answer.text) == (400, True)
    assert "'/scor'" in http.post("call/v2/scor", json={}).text


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


def visit(http, number):
    """Score a short text; return how many seconds the answer took."""
    n_words = number % 50 + 1
    text = " ".join(f"word{place}" for place in range(n_words))
    began = time.monotonic()
    answer = ask(http, "score", text, [f"{text} x"], *default_settings().values())
    seconds = time.monotonic() - began
    found = json.loads(answer.partition("data: ")[2].partition("\n")[0])[0]["scores"]
    assert found["rouge1"] == pytest.approx(2 * n_words / (2 * n_words + 1))
    return seconds


def worst_texts():
    """Of nearly 40,000 characters: spaces, sentences, the longest LCS, and many packages."""
    choose = random.Random(1)
    long = [" ".join(choose.choice("ab") for _ in range(9_900)) for _ in range(2)]
    yield "score", " " * 39_000 + "a", ["b a"], {}
    yield "score", "A b. " * 4_000, ["A c. " * 3_900], {"sentences": True}
    yield "score", long[0], [long[1]], {"rouge_types": ["rougeW"]}
    yield "compare", "a b. " * 4_000, ["A c. " * 3_900], None


def test_nobody_waits_for_the_worst_texts_and_the_worst_file(http, server):
    """Fifty visitors come within ten seconds. Each has an answer in less than one."""
    words = " ".join(random.Random(2).choices(["a", "bb", "ccc", "dddd", "eeeee"], k=380))
    rows = f"{words},{words[9:]},{words[50:]}\n" * (49 * 2**20 // (3 * len(words)))
    path = upload(http, "worst.csv", f"prediction,reference,baseline\n{rows}")

    def ask_for_worst(name, prediction, references, values):
        values = [] if values is None else (default_settings() | values).values()
        return ask(http, name, prediction, references, *values)

    def visit_later(number):
        time.sleep(number / 5)
        return visit(http, number)

    peaks = []
    with ThreadPoolExecutor(60) as pool:
        worst = [pool.submit(ask_for_worst, *one) for one in worst_texts()]
        worst.append(pool.submit(score_upload, http, path, "prediction", ["reference"], "baseline"))
        visits = [pool.submit(visit_later, number) for number in range(50)]
        while not all(one.done() for one in [*worst, *visits]):
            peaks += peak_memory(server[1].pid)
            time.sleep(0.5)
        list(pool.map(lambda number: visit(http, number), range(200)))  # 60 at one instant
    assert all("event: complete" in one.result() for one in worst)
    assert "scores.csv" in worst[-1].result()
    seconds = sorted(one.result() for one in visits)
    assert seconds[-1] < 1, seconds
    assert len(peaks) > 20
    assert max(peaks) < 500


def peak_memory(process):
    """Of a process and its children, in MB."""
    children = [one.read_text("utf-8") for one in Path(f"/proc/{process}/task").glob("*/children")]
    for number in [process, *" ".join(children).split()]:
        with suppress(OSError):  # it has ended
            status = Path(f"/proc/{number}/status").read_text("utf-8")
            yield from (int(peak) / 1024 for peak in re.findall(r"VmHWM:\s+(\d+) kB", status))


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
    page.locator("#file-start:disabled").wait_for()  # until the columns are read
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


def test_scores_and_words_follow_the_texts_and_the_settings_and_the_keyboard(open_page):
    page = open_page()
    page.locator("#measure input").first.focus()
    page.keyboard.press("ArrowDown")
    page.locator("#words .calculation", has_text="neighboring").wait_for()
    style = "getComputedStyle(document.querySelector('.chosen')).outlineStyle"
    assert page.evaluate(style) == "solid"
    fill(page, "prediction", "The cats sat on the mat")
    fill(page, "references", "The cat sat on the mat\n\nA dog")
    wait_for_tile(page, "ROUGE-1", "83.3")
    page.locator("#spoken[role=status]", has_text="ROUGE-1 83.3").wait_for(state="attached")
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
    page.locator("#picture").wait_for(state="hidden")


def test_a_link_shows_only_its_own_scores_and_names_what_it_ignores(open_page):
    page = open_page(
        "?prediction=a+cat+sat&reference=a+cat+sat&preset=py-rouge&measure=rougeL&bta=2",
        is_ready=False,
    )
    seen = set()
    visible = "one => getComputedStyle(one).visibility == 'visible' ? one.innerText : ''"
    for _ in range(60):
        if page.locator("#tiles .tile b").count():
            seen.add(page.locator("#tiles .tile b").first.evaluate(visible))
        page.wait_for_timeout(50)
    assert seen - {""} == {"100.0"}
    page.locator("#of-link .warning", has_text="bta (did you mean beta?)").wait_for()
    page.locator("#note .warning", has_text="does not have ROUGE-L.").wait_for()


def test_the_words_as_a_picture(open_page):
    """SVG without scripts: every word, a box for each mark, measure and score."""
    page = open_page("?prediction=a+cat+%26+sat&reference=a+cat+sat&measure=rouge1")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as picture").click()
    assert download.value.suggested_filename == "ROUGE-1.svg"
    root = ElementTree.parse(download.value.path()).getroot()
    texts = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    shown = page.locator("#words .html-container").inner_text().split()
    n_marks = page.locator("#words mark").count()
    assert " ".join(texts[n_marks:]) == f"{' '.join(shown)} {TITLE}, {urlparse(page.url).netloc}"
    fills = [one.get("fill") for one in root.iter("{http://www.w3.org/2000/svg}rect")]
    assert len(fills) == 1 + n_marks > 2
    assert all(one.startswith("rgb(") for one in fills)


def test_a_frame_has_texts_scores_words_and_a_link(open_page):
    page = open_page("?prediction=a+cat&reference=a+cat&tokenizer=char&embed")
    for name in ("inputs", "tiles", "words", "whole"):
        assert page.locator(f"#{name}").is_visible(), name
    for name in ("intro", "chips", "options", "packages", "signature", "drawing", "second"):
        assert not page.locator(f"#{name}").is_visible(), name
    assert not page.get_by_role("tab").first.is_visible()
    assert not page.locator("#of-link .warning").count()
    with page.context.expect_page() as opened:
        page.locator("#whole a").click()
    assert opened.value.url.endswith("?prediction=a+cat&reference=a+cat&tokenizer=char")


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
    page.locator("#note .error", has_text="“Beta (ROUGE)”").wait_for()
    assert not page.locator("#picture").is_visible()
    opacity = "getComputedStyle(document.querySelector('#tiles')).opacity"
    assert page.evaluate(opacity) == "0.45"
    fill(page, "field-beta", "2")
    page.locator("#note .error").wait_for(state="detached")
    assert page.evaluate(opacity) == "1"
    page.get_by_role("button", name="Chinese").first.click()
    page.locator("#words mark", has_text="图书馆").first.wait_for()


def test_copies(open_page):
    page = open_page("?prediction=a+b+c&reference=a+b&second=a+d&tokenizer=char")
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
    page.locator("#tiles .tile", has_text="Second 50.0 First − second +30.0").first.wait_for()
    choose(page, "Use it")
    page.locator(".cm-content", has_text='"a d"]').wait_for()
    page = open_page("/?tab=file", is_ready=False)
    page.locator("#file-start").wait_for()


def test_a_table_does_not_slow_the_page_and_the_reason_of_a_bad_file_stays(open_page, tmp_path):
    """Gradio copies all cells of a table in each event."""
    (tmp_path / "bad.csv").write_bytes(b"\xff,\xe9\n")
    (tmp_path / "good.csv").write_text("hyp,ref\n" + "a b,b c\n" * 1_000, encoding="utf-8")
    page = open_page()
    score_file(page, tmp_path / "bad.csv")
    page.wait_for_timeout(2_000)
    assert "not UTF-8" in page.locator("#file-note .error").inner_text()
    score_file(page, tmp_path / "good.csv")
    page.locator("#file-table [role=gridcell]").first.wait_for(timeout=100_000)
    choose(page, "Score texts")
    page.evaluate("""window.busy = 0; new PerformanceObserver(list => list.getEntries().forEach(
        one => { window.busy += one.duration; })).observe({type: "longtask"})""")
    page.locator("#prediction textarea").press_sequentially(" the storm closed", delay=100)
    page.wait_for_timeout(2_000)
    assert page.evaluate("window.busy") < 2_500  # milliseconds


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
    page.locator("#file-words .hint").wait_for()  # the row was of another measure
    assert first.inner_text() != before
    assert not page.locator("#file-totals .stale").count()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert "The cat dropped asleep" in download.value.path().read_text(encoding="utf-8")


def test_stop_ends_the_work_on_a_file(open_page, tmp_path):
    text, path = " ".join(f"word{number}" for number in range(100)), tmp_path / "long.csv"
    path.write_text("prediction,reference\n" + f"{text},{text}\n" * 20_000, encoding="utf-8")
    page = open_page()
    score_file(page, path)
    page.locator("#file-note", has_text="of 20,000").wait_for(timeout=100_000)
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
    for name in ("more", "packages-all"):
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
