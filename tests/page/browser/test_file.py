"""The tab "Score a file" in a browser: each kind of file gives the scores of `compute`, on the page and in
the download; what cannot be scored is refused in words.
"""

import csv

import pytest

from helpers.browser.actions import (
    choose,
    choose_item,
    marked,
    message,
    opened_tab,
    overflow,
    rows,
    settle,
    shown,
)
from helpers.browser.files import (
    TABLE,
    chosen_column,
    score,
    score_upload,
    start_large,
    upload,
    written,
)
from helpers.browser.sites import PHONE, wait_until

DATA = {"predictions": TABLE["prediction"], "references": TABLE["reference"]}
OPTIONS = {"rouge_types": ["rouge1", "rouge2", "rougeL", "rougeLsum"], "output": "all"}


@pytest.fixture
def page(site, open_page):
    return opened_tab(open_page, site, "Score a file")


def downloaded(page):
    with page.expect_download() as download:
        page.locator("#file-download").click()
    with open(download.value.path(), encoding="utf-8") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_a_file_gives_the_scores_of_compute(page, tmp_path, rouge_full, kind):
    score(page, written(tmp_path, kind))
    expected = rouge_full.compute(**DATA, **OPTIONS, confidence_level=0.95)
    keys = ["rouge2_fmeasure", "rouge2_precision", "rouge2_recall"]
    assert rows(page, "file-summary")["ROUGE-2"] == [
        f"{100 * expected[key]:.2f}\n{100 * expected[f'{key}_low']:.2f}–"
        f"{100 * expected[f'{key}_high']:.2f}"
        for key in keys
    ]
    page.get_by_label("0 to 1", exact=True).check()
    score_of_l = rows(page, "file-summary")["ROUGE-L"][0].split("\n")[0]
    assert score_of_l == f"{expected['rougeL_fmeasure']:.4f}"
    of_items = rouge_full.compute(**DATA, **OPTIONS, use_aggregator=False)
    header, *lines = downloaded(page)
    assert header[1:] == list(of_items)
    assert len(lines) == 60
    for number, (_, *scores) in enumerate(lines):
        assert [float(one) for one in scores] == [values[number] for values in of_items.values()]
    caption = f"ROUGE, texts.{kind}, 60 rows, default options"
    assert caption in page.locator("#file-summary").inner_text()


def test_two_systems_are_compared(page, tmp_path, rouge_full):
    upload(page, written(tmp_path, "csv"))
    wait_until(lambda: chosen_column(page))
    choose_item(page, "file-other-column", "other")
    score_upload(page)
    expected = rouge_full.compute(
        **DATA, **OPTIONS, baseline_predictions=TABLE["other"], confidence_level=0.95
    )
    key = "rouge1_fmeasure"
    found = rows(page, "file-summary", table=1)["ROUGE-1"]
    low, high = (100 * expected[f"{key}_delta_{end}"] for end in ("low", "high"))
    assert found[1].startswith(f"{100 * expected[f'{key}_baseline']:.2f}")
    assert found[2] == f"{100 * expected[f'{key}_delta']:+.2f}\n{low:+.2f} to {high:+.2f}"
    assert found[3] == f"{expected[f'{key}_p_value']:.3f}"
    assert expected[f"{key}_p_value"] < 0.05, "so that a constant would not pass"
    assert page.locator("#file-histogram .page-difference").count() == 60
    page.set_viewport_size(PHONE)
    settle(page)
    assert overflow(page) == 0
    rights = page.locator("#file-summary table:visible").evaluate_all(
        "tables => tables.map(table => table.getBoundingClientRect().right)"
    )
    assert len(rights) == 2
    assert max(rights) <= PHONE["width"], "all columns fit"
    p_value = f"p = {expected[f'{key}_p_value']:.3f}"
    assert rows(page, "file-summary", table=1)["ROUGE-1"][2].endswith(p_value)


def test_progress_and_result_come_into_view(page, tmp_path):
    page.set_viewport_size(PHONE)
    assert not page.locator("#file-stop").is_visible()
    start_large(page, tmp_path)
    assert page.locator("#file-stop").is_visible()
    wait_until(lambda: is_in_view(page, "#file-progress progress"))
    page.locator("#file-stop").click()
    shown(page, "Stopped.", "file-progress")
    page.locator("#file-stop").wait_for(state="hidden")
    assert page.locator("#file-summary table").count() == 0
    remove(page)  # it is free for the next file at once
    wait_until(lambda: chosen_column(page) == "")
    score(page, written(tmp_path, "csv"))
    wait_until(lambda: is_in_view(page, "#file-summary tbody tr"))


def is_in_view(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box is not None and 0 <= box["y"] <= page.viewport_size["height"] - box["height"]


def test_results_of_other_choices_are_said_to_be_old(page, tmp_path):
    said = "These scores are old: metric, options, file or columns have changed."
    score(page, written(tmp_path, "csv"))
    assert not page.get_by_text(said).is_visible()
    colours = "getComputedStyle(document.querySelector('#file-summary')).filter"
    assert page.evaluate(colours) == "none"
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Stemmer").check()
    shown(page, said, "file-old")
    wait_until(lambda: page.evaluate(colours) == "grayscale(1)")
    page.get_by_label("Stemmer").uncheck()
    page.get_by_text(said).wait_for(state="hidden")
    page.get_by_label("Stemmer").check()
    shown(page, said, "file-old")
    page.locator("#file-button").click()
    page.get_by_text(said).wait_for(state="hidden")
    shown(page, "use_stemmer=True", "file-summary")


def test_rows_are_counted_and_looked_at(page, tmp_path, rouge_full):
    score(page, written(tmp_path, "csv"))
    counts = page.locator("#file-histogram .page-column-count").all_inner_texts()
    assert sum(int(count or 0) for count in counts) == 60
    # Each column is as high as its count, the highest ones too.
    boxes = page.locator("#file-histogram .page-column-fill").evaluate_all(
        "columns => columns.map(column => column.getBoundingClientRect().height)"
    )
    heights = {int(count): height for count, height in zip(counts, boxes, strict=True) if count}
    most = max(heights)
    assert len(heights) > 1
    for count, height in heights.items():
        assert height == pytest.approx(heights[most] * count / most, abs=0.6)
    worst = page.locator("#file-items label").first
    assert worst.inner_text().startswith("worst: ")
    worst.click()
    page.locator("#file-explanation .page-words").first.wait_for()
    steps = page.locator("#file-explanation .page-steps:visible li")
    assert steps.last.inner_text().endswith("\u00a0%")
    # The same row: its text is one of the predictions, with HTML as text.
    shown_text = page.locator("#file-explanation .page-words").first.inner_text()
    assert shown_text in TABLE["prediction"]
    reference = page.locator("#file-explanation .page-words").nth(1).inner_text()
    data = {"predictions": [shown_text], "references": [reference]}
    f = rouge_full.compute(**data, rouge_types=["rouge1"])["rouge1"]
    assert worst.inner_text().endswith(f"{100 * f:.1f}")
    assert marked(page, "file-explanation") != [[], []] or f == 0
    page.get_by_label("0 to 1", exact=True).check()
    wait_until(lambda: worst.inner_text().endswith(f"{f:.3f}"))
    assert steps.last.inner_text().endswith(f" = {f:.4f}")
    assert page.locator("#file-items input").first.is_checked(), "what is chosen stays chosen"
    page.locator("#file-measure").get_by_label("ROUGE-2", exact=True).click()
    of_pairs = rouge_full.compute(**DATA, rouge_types=["rouge2"], use_aggregator=False)["rouge2"]
    wait_until(lambda: worst.inner_text().endswith(f", {min(of_pairs):.3f}"))


def remove(page):
    page.locator("#file-upload").get_by_label("Clear").or_(
        page.locator("#file-upload").get_by_label("Remove")
    ).first.click()


def held(page, addresses):
    """A list for the next request to an address, which waits until the test continues it."""
    routes = []
    page.route(addresses, lambda route: routes.append(route), times=1)
    return routes


def test_stopped_is_said_when_the_button_works_again(page, tmp_path):
    """Gradio ignores a press of the button until the server has ended the work."""
    start_large(page, tmp_path)
    ending = held(page, "**/cancel")
    with page.expect_request("**/cancel"):
        page.locator("#file-stop").click()
    page.wait_for_timeout(500)  # what is said too early is there by now
    assert page.locator("#file-progress").get_by_text("Stopped.").count() == 0
    ending[0].continue_()
    shown(page, "Stopped.", "file-progress")
    page.locator("#file-button").click()
    page.locator("#file-progress progress").wait_for(timeout=60_000)


def refuse_work(route):
    """Refuse the work of the two tabs, whose events have 6 to 25 inputs; "Try it" has more."""
    if 6 <= len(route.request.post_data_json["data"]) <= 25:
        route.fulfill(status=503, json={"detail": "Queue is full."})
    else:
        route.continue_()


@pytest.mark.parametrize("tab", ["file", "settings"])
def test_work_that_fails_was_not_stopped(site, open_page, tab):
    """Here the server refuses it, as Gradio does where too many wait."""
    name = {"file": "Score a file", "settings": "Which settings?"}[tab]
    page = opened_tab(open_page, site, name, ignored=("status of 503",))
    page.route("**/queue/join*", refuse_work)
    page.locator(f"#{tab}-button").click()
    shown(page, "This broke off.", f"{tab}-message")
    assert page.locator(f"#{tab}-progress").inner_text().strip() == ""


def test_a_file_that_comes_while_the_last_one_is_forgotten(page, tmp_path):
    """Its columns are offered, though it came before the answer to the removal."""
    upload(page, written(tmp_path, "csv"))
    wait_until(lambda: chosen_column(page) == "prediction")
    page.wait_for_timeout(1000)  # what the page itself asks for when it is opened is no removal
    removal = held(page, "**/queue/join*")
    with page.expect_request("**/queue/join*"):
        remove(page)
    upload(page, written(tmp_path, "jsonl", {"output": ["a b"], "target": ["a c"]}))
    page.locator("#file-upload").get_by_text(".jsonl").wait_for()
    removal[0].continue_()
    wait_until(lambda: chosen_column(page) == "output")


def test_a_file_that_cannot_be_read_is_refused_in_words(page, tmp_path):
    path = tmp_path / "texts.csv"
    path.write_bytes(bytes(range(256)) * 40)
    upload(page, path)
    said = wait_until(lambda: message(page, "file-message"))
    assert path.name in said
    assert "Traceback" not in said
    assert "/tmp" not in said, "its path on the server is of no use to a visitor"


def test_an_empty_cell_is_named_and_can_be_scored(page, tmp_path):
    texts = {"prediction": ["a b", ""], "reference": ["a b", "c"]}
    upload(page, written(tmp_path, "jsonl", texts))
    wait_until(lambda: chosen_column(page))
    page.locator("#file-button").click()
    shown(page, "Allow empty predictions", "file-message")
    page.get_by_label("Allow empty predictions").check()
    score_upload(page)
    assert rows(page, "file-summary")["ROUGE-1"][0].startswith("50.00")


def test_without_file_or_column_it_says_so(page, tmp_path):
    page.locator("#file-button").click()
    shown(page, "Choose a file first.", "file-message")
    page.locator("#file-stop").wait_for(state="hidden")
    upload(page, written(tmp_path, "jsonl", {"mine": ["a"], "yours": ["b"]}))
    wait_until(lambda: message(page, "file-message") == "")
    page.locator("#file-button").click()
    shown(page, "Choose the column of the predictions.", "file-message")


def test_a_file_that_is_too_large_is_refused(site, open_page, tmp_path):
    # Gradio asks how far an upload is that it has refused, and prints its own error.
    page = open_page(site, ignored=("status of 404", "Response"))
    choose(page, "Score a file")
    path = tmp_path / "large.csv"
    path.write_bytes(b"prediction,reference\n" + b"a b c d e,a b c d f\n" * 2_700_000)
    upload(page, path)
    page.get_by_text("exceed the maximum allowed size of 50.0 Mb").first.wait_for()
    assert page.locator("#file-prediction-column input").input_value() == ""
