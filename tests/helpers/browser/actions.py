"""What a visitor of the page does and sees, for tests in a browser."""

import json
from functools import cache
from urllib.parse import parse_qs, urlparse

from helpers.browser.sites import wait_until

TABS = ["Try it", "Score a file", "Which settings?", "Use it"]

# The rules of WCAG 2.2, levels A and AA, by axe-core's tags.
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def choose(page, tab):
    page.get_by_role("tab", name=tab, exact=True).click()


def opened_tab(open_page, url, tab, **options):
    """A page that shows a tab, as soon as the first texts have their scores."""
    page = open_page(url, **options)
    page.locator("#try-scores table").wait_for()
    choose(page, tab)
    return page


def open_card(page):
    """Unfold the metric card of "Use it"."""
    if not page.locator("#code-card").is_visible():
        page.get_by_role("button", name="Metric card").click()
    page.locator("#code-card h1").wait_for()


def shown(page, text, elem_id=None):
    """Wait until a text is to be seen, on the page or in a component."""
    place = page if elem_id is None else page.locator(f"#{elem_id}")
    place.get_by_text(text).first.wait_for()


def box(page, elem_id):
    """The box for text in a component."""
    return page.locator(f"#{elem_id}").locator("textarea, input").first


def fill(page, elem_id, text):
    """Paste a text: one event for all of it, while `fill` of Playwright makes two a line."""
    box(page, elem_id).evaluate(
        """(box, text) => {
            box.focus();
            box.value = text;
            box.dispatchEvent(new Event("input", {bubbles: true}));
        }""",
        text,
    )


def choose_item(page, elem_id, name):
    """Choose an item of a list that opens, and closes again where the page moves meanwhile."""
    from playwright.sync_api import TimeoutError as TooLate

    option = page.get_by_role("option", name=name, exact=True)
    for _ in range(4):
        page.locator(f"#{elem_id} input").first.click()
        try:
            option.click(timeout=4000)
            return
        except TooLate:
            page.keyboard.press("Escape")
    option.click()


def put_back(page, prediction, references):
    """Give a page the texts, the tab and the scale that it opened with; fail where options or the
    metric were chosen, or references added: such a page is not as it was.
    """
    choose(page, "Try it")
    page.mouse.move(0, 0)
    before = link_fields(page)
    assert before.keys() <= {"metric", "prediction", "reference"}
    assert before.get("metric") in (None, ["rouge_full"])
    assert page.locator("[id^=try-reference-]:visible").count() == len(references)
    if page.locator("#options-rouge_full").is_visible():
        page.get_by_role("button", name="Options").click()
    page.get_by_label("0 to 100", exact=True).check()
    fill(page, "try-prediction", prediction)
    for number, reference in enumerate(references, start=1):
        fill(page, f"try-reference-{number}", reference)
    texts = {"metric": ["rouge_full"], "prediction": [prediction], "reference": references}
    wait_until(lambda: link_fields(page) == texts, seconds=10)
    page.locator("#try-measure label").first.click()
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")


def link_fields(page):
    """What the link of "Try it" opens the page with; nothing where there is none."""
    links = page.locator("#try-link").locator("textarea, input").all()
    return parse_qs(urlparse(links[0].input_value()).query) if links else {}


def message(page, elem_id):
    """What the box for messages says; "" where there is no message."""
    return " ".join(page.locator(f"#{elem_id} .page-message").all_inner_texts())


def rows(page, elem_id, table=0):
    """The rows of a table in a component: the cells by the first one, without its meaning."""
    found = page.locator(f"#{elem_id} table").nth(table)
    cells = found.locator("tbody tr").evaluate_all(
        """rows => rows.map(row => [...row.cells].map(
            cell => (cell.querySelector(".page-name") || cell).innerText.trim()
        ))"""
    )
    return {first: others for first, *others in cells}


def marked(page, elem_id="try-explanation"):
    """The marked words of the first prediction and the first reference that are shown."""
    texts = page.locator(f"#{elem_id} .page-text")
    return [texts.nth(side).locator("mark").all_inner_texts() for side in (0, 1)]


def settle(page):
    """Wait until nothing fades, and the page keeps its size for a tenth of a second."""
    page.wait_for_function(
        """() => {
            const root = document.documentElement;
            const now = [root.scrollWidth, root.scrollHeight, root.innerHTML.length].join();
            const runs = document.getAnimations().some((one) => one.playState === "running"
                && isFinite(one.effect.getComputedTiming().endTime));
            if (runs || now !== window.sizeBefore) window.sizeSince = performance.now();
            window.sizeBefore = now;
            return performance.now() - window.sizeSince > 100;
        }""",
        polling=20,
    )


def overflow(page):
    """By how many pixels the page is wider than the window."""
    return page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )


@cache
def axe():
    from axe_playwright_python.sync_playwright import Axe

    return Axe()


def violations(page):
    """What breaks WCAG A or AA: each rule with the elements, as axe-core names them."""
    options = {"runOnly": WCAG, "resultTypes": ["violations"]}
    found = axe().run(page, options=options).response["violations"]
    return {
        f"{one['id']}: {one['help']}": [
            f"{node['target'][-1]}: {node['html'][:200]} {reason(node)}" for node in one["nodes"]
        ]
        for one in found
    }


def reason(node):
    return "; ".join(check["message"] for check in [*node["any"], *node["all"]])


FOCUSED = """() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const name = element.getAttribute("aria-label") || element.innerText
        || (element.labels && element.labels.length ? element.labels[0].innerText : "");
    const ids = [];
    for (let node = element; node !== null; node = node.parentElement)
        if (node.id) ids.push(node.id);
    return {
        tag: element.tagName.toLowerCase(), type: element.type || "", name: name.trim(), ids,
        outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
        shadow: style.boxShadow, border: style.borderColor, width: box.width, height: box.height,
    };
}"""


def tab_stops(page, most=150):
    """What has the focus after each press of Tab, from the start of the page to its end."""
    page.evaluate("document.activeElement.blur(); window.scrollTo(0, 0)")
    stops = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if stop is None or (stops and stop == stops[0]):
            return stops
        stops.append(stop)
    raise AssertionError(f"more than {most} stops: {json.dumps(stops[-3:])}")
