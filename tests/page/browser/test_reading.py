"""Who can read and use the page: phone and desktop, light and dark, the keyboard alone, WCAG A and AA."""

from urllib.parse import urlencode

import pytest

from helpers.browser.actions import (
    TABS,
    choose,
    fill,
    marked,
    open_card,
    overflow,
    put_back,
    rows,
    settle,
    tab_stops,
    violations,
)
from helpers.browser.files import chosen_column, score_upload
from helpers.browser.sites import DESKTOP, PHONE, wait_until
from rouge_bleu_tools.page.try_it.examples import FIRST

SIZES = {"phone": PHONE, "desktop": DESKTOP}
LONG = {
    "prediction": "unbroken" * 300 + " " + "a word of many " * 150,
    "reference": ["unbroken" * 300, *(f"a word of many {n}" for n in range(19))],
}


def opened(open_page, site, fields=None, **options):
    """A page of its own: of other texts, or for the keyboard, which starts at its top."""
    page = open_page(f"{site}/?{urlencode(fields or {}, doseq=True)}", **options)
    page.locator("#try-scores table").wait_for()
    page.locator("#try-explanation .page-text").first.wait_for()
    return page


@pytest.fixture
def first(site, kept_page):
    """Gives the page with its first texts, of a size, in light or dark, which stays open."""
    texts = FIRST.prediction, list(FIRST.references)

    def shown(**options):
        page = kept_page(site, lambda page: put_back(page, *texts), **options)
        page.locator("#try-explanation .page-text").first.wait_for()
        return page

    return shown


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_nothing_on_any_tab_breaks_wcag(first, is_dark):
    page = first(is_dark=is_dark)
    assert on_each_tab(page, violations) == {tab: {} for tab in TABS}


def on_each_tab(page, look):
    """What a look finds on each tab, whose options and card are unfolded."""
    page.get_by_role("button", name="Options").click()
    found = {}
    for tab in TABS:
        choose(page, tab)
        if tab == "Use it":
            open_card(page)
        settle(page)
        found[tab] = look(page)
    return found


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_no_message_or_warning_breaks_wcag(first, is_dark):
    page = first(is_dark=is_dark)
    fill(page, "try-prediction", "кот")
    fill(page, "try-reference-1", "кот")
    fill(page, "try-reference-2", "пёс")
    page.locator("#try-message .page-warning").wait_for()
    settle(page)
    assert violations(page) == {}
    fill(page, "try-prediction", "")
    page.locator("#try-message .page-error").wait_for()
    settle(page)
    assert violations(page) == {}


@pytest.mark.parametrize("is_dark", [False, True], ids=["light", "dark"])
def test_no_result_breaks_wcag(first, is_dark):
    """Runs in colours; two systems, and the same where options have changed since."""
    page = first(is_dark=is_dark)
    page.locator("#try-measure").get_by_label("ROUGE-L", exact=True).click()
    page.locator("#try-explanation mark[data-run]").first.wait_for()
    page.locator("#try-explanation mark").first.focus()
    assert violations(page) == {}
    choose(page, "Score a file")
    page.locator("#file-sample").click()
    wait_until(lambda: chosen_column(page) == "prediction")
    score_upload(page)
    assert violations(page) == {}
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Stemmer").check()
    page.locator("#file-old").get_by_text("These scores are old").wait_for()
    settle(page)
    assert violations(page) == {}


def test_dark_is_dark(first):
    background = "getComputedStyle(document.body).backgroundColor"
    colours = [first(is_dark=is_dark).evaluate(background) for is_dark in (False, True)]
    brightness = [sum(map(int, colour[4:-1].split(","))) for colour in colours]
    assert brightness[0] > 600
    assert brightness[1] < 200


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("is_long", [False, True], ids=["first texts", "long texts"])
def test_no_tab_scrolls_sideways(open_page, first, site, size, is_long):
    page = opened(open_page, site, LONG, size=size) if is_long else first(size=size)
    assert on_each_tab(page, overflow) == dict.fromkeys(TABS, 0)


def test_a_laptop_shows_scores_without_scrolling(open_page, site):
    page = opened(open_page, site, size={"width": 1280, "height": 800})
    first_row = page.locator("#try-scores tbody tr").first.bounding_box()
    assert first_row["y"] + first_row["height"] < 800


def test_a_phone_shows_marked_words_on_its_second_screen(first):
    page = first(size=PHONE)
    marked_text = page.locator("#try-explanation .page-text").first.bounding_box()
    assert marked_text["y"] + marked_text["height"] < 2 * PHONE["height"]


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_all_columns_of_the_scores_fit(first, size):
    page = first(size=size)
    headers = page.locator("#try-scores thead th").evaluate_all(
        "cells => cells.map(cell => [cell.scrollWidth, cell.getBoundingClientRect().right])"
    )
    assert len(headers) == 4
    assert max(right for _, right in headers) <= size["width"]
    ends = [right for _, right in headers]
    assert ends == sorted(ends)


@pytest.mark.parametrize("metric", ["rouge", "bleu"])
def test_a_phone_shows_each_default_whole(open_page, site, metric):
    page = opened(open_page, site, {"metric": f"{metric}_full"}, size=PHONE)
    page.get_by_role("button", name="Options").click()
    fields = page.locator(f"#options-{metric}_full input:not([type=checkbox])")
    fields.first.wait_for()
    widths = fields.evaluate_all("boxes => boxes.map(box => box.clientWidth)")
    assert len(widths) >= 5
    assert min(widths) > 200, "“rouge_score (default)” takes 150 pixels, beside an arrow"


def test_what_has_no_effect_is_not_shown(first):
    page = first()
    shown, everything = {}, ["options-metric", "options-scale", "options"]
    for tab in TABS:
        choose(page, tab)
        shown[tab] = [name for name in everything if page.locator(f"#{name}").is_visible()]
    expected = [everything, everything, [], ["options-metric", "options"]]
    assert shown == dict(zip(TABS, expected, strict=True))


def test_the_page_is_as_wide_on_each_tab(first):
    page = first()
    widths = set()
    for tab in TABS:
        choose(page, tab)
        settle(page)
        widths.add(round(page.locator("#tabs").bounding_box()["width"]))
    assert len(widths) == 1


def test_code_stands_line_by_line_also_on_a_phone(first):
    page = first(size=PHONE)
    choose(page, "Use it")
    open_card(page)
    code = page.locator("#code-card pre code").first
    # A line end is shown as one: what is seen has as many lines as the code, or more.
    assert "\n" in code.inner_text().strip()
    assert code.inner_text().strip() == code.text_content().strip()
    assert page.locator("#code-script").bounding_box()["width"] > 300


# --- the keyboard ---------------------------------------------------------------------------------

STOPS = """options-metric options-scale options try-prediction try-example-russian try-reference-1
    try-add try-remove try-measure try-signature try-link""".split()


def test_tab_reaches_every_control_in_order_and_shows_where_it_is(open_page, site):
    page = opened(open_page, site)
    stops = tab_stops(page)
    reached = [
        next((number for number, stop in enumerate(stops) if name in stop["ids"]), None)
        for name in STOPS
    ]
    assert None not in reached, dict(zip(STOPS, reached, strict=True))
    assert reached == sorted(reached)
    unseen = [
        (stop["tag"], stop["name"], stop["ids"][:1])
        for stop in stops
        if not stop["outline"] and stop["shadow"] == "none"
    ]
    assert unseen == []


def test_texts_are_scored_with_the_keyboard_alone(open_page, site):
    page = opened(open_page, site)
    press_tab_until(page, "try-prediction")
    page.keyboard.press("Control+A")
    page.keyboard.type("the quick")
    wait_until(lambda: rows(page, "try-scores").get("ROUGE-1", ["", ""])[1] == "100.0")
    press_tab_until(page, "try-measure")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    chosen = page.locator("#try-measure").get_by_label("ROUGE-2", exact=True)
    wait_until(chosen.is_checked)
    wait_until(lambda: "2-grams" in page.locator("#try-explanation").inner_text())
    assert marked(page)[0]


def press_tab_until(page, elem_id):
    inside = f"document.activeElement.closest('#{elem_id}') !== null"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(inside):
            return
    raise AssertionError(f"Tab does not reach {elem_id}")


def test_tabs_are_chosen_with_the_keyboard_alone(open_page, site):
    page = opened(open_page, site)
    press_tab_until(page, "tab-file-button")
    page.keyboard.press("Enter")
    page.locator("#file-button").wait_for()
