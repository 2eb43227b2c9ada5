"""The tab "Try it" in a browser: typing gives the scores of `compute` and the words that match."""

import json
from urllib.parse import parse_qs, urlencode, urlparse

import pytest

from helpers.browser.actions import box, fill, marked, message, put_back, rows, shown
from helpers.browser.sites import wait_until

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PAIR = {"prediction": "the cat sat on a mat today", "reference": "the cat sat on the mat"}


def expected_rows(rouge_full, prediction, references, **options):
    """The table: what `compute` gives, by default of the types that are ticked at first."""
    options = {"rouge_types": TYPES, "output": "all", **options}
    result = rouge_full.compute(predictions=[prediction], references=[references], **options)
    names = [key.removesuffix("_fmeasure") for key in result if key.endswith("_fmeasure")]
    outputs = ("fmeasure", "precision", "recall")
    return {
        name.replace("rouge", "ROUGE-"): [f"{100 * result[f'{name}_{one}']:.1f}" for one in outputs]
        for name in names
    }


def link(url, **fields):
    return f"{url}/?{urlencode(fields, doseq=True)}"


@pytest.fixture
def page(site, kept_page):
    """The page with one short pair."""
    texts = PAIR["prediction"], [PAIR["reference"]]
    opened = kept_page(link(site, metric="rouge_full", **PAIR), lambda page: put_back(page, *texts))
    wait_for_pair(opened)
    return opened


def wait_for_pair(page):
    """Wait for the pair, which comes a moment after the page and its first scores."""
    page.locator("#try-scores table").wait_for()
    wait_until(lambda: marked(page)[0] == ["the", "cat", "sat", "on", "mat"])


def wait_for_rows(page, expected):
    wait_until(lambda: rows(page, "try-scores") == expected or None)


# --- scores ---------------------------------------------------------------------------------------


def test_typing_gives_the_scores_of_compute(page, rouge_full):
    """Key by key, and no button is pressed."""
    field = box(page, "try-prediction")
    field.fill("")
    field.press_sequentially("A cat sat.\nOn it.", delay=5)
    expected = expected_rows(rouge_full, "A cat sat.\nOn it.", [PAIR["reference"]])
    wait_for_rows(page, expected)


def test_the_scale_is_switched_for_all_scores(page):
    assert rows(page, "try-scores")["ROUGE-1"] == ["76.9", "71.4", "83.3"]
    page.get_by_label("0 to 1", exact=True).check()
    assert rows(page, "try-scores")["ROUGE-1"] == ["0.769", "0.714", "0.833"]
    fill(page, "try-prediction", "the cat")
    wait_until(lambda: rows(page, "try-scores")["ROUGE-1"] == ["0.500", "1.000", "0.333"])


def test_options_count(page, rouge_full):
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Stemmer").check()
    page.locator("#options-rouge-types").locator("input[name=rouge2]").uncheck()
    fill(page, "try-prediction", "cats sat on the mats")
    chosen = {"use_stemmer": True, "rouge_types": ["rouge1", "rougeL", "rougeLsum"]}
    wait_for_rows(
        page, expected_rows(rouge_full, "cats sat on the mats", [PAIR["reference"]], **chosen)
    )


def test_the_default_of_a_preset_is_named(page):
    page.get_by_role("button", name="Options").click()
    tokenizer = box(page, "options-rouge-tokenizer")
    assert tokenizer.input_value() == "rouge_score (default)"
    box(page, "options-rouge-preset").click()
    page.get_by_role("option", name="pltrdy: ").click()
    wait_until(lambda: tokenizer.input_value() == "whitespace (default of pltrdy)")
    signature = box(page, "try-signature")
    wait_until(lambda: "pltrdy" in signature.input_value())
    assert "tok:whitespace" in signature.input_value()


@pytest.mark.filterwarnings("ignore:-m is stemming")
def test_a_preset_and_a_pasted_command_line(page, rouge_full):
    page.get_by_role("button", name="Options").click()
    line = "ROUGE-1.5.5.pl -n 2 -m -x -a"
    box(page, "options-rouge-command").fill(line)
    box(page, "options-rouge-command").press("Enter")
    references = [PAIR["reference"]]
    # -n 2 asks for the 1- and 2-grams, and -x for no LCS.
    options = {"preset": line, "confidence_level": None, "rouge_types": ["rouge1", "rouge2"]}
    expected = expected_rows(rouge_full, PAIR["prediction"], references, **options)
    wait_for_rows(page, expected)


def test_bleu(page, bleu_full):
    page.get_by_label("BLEU", exact=True).check()
    data = {"predictions": [PAIR["prediction"]], "references": [[PAIR["reference"]]]}
    result = bleu_full.compute(**data)
    found = wait_until(lambda: "BLEU" in rows(page, "try-scores") and rows(page, "try-scores"))
    assert found["BLEU"] == [f"{100 * result['bleu']:.1f}"]
    assert found["Precision of 2-grams"] == [f"{100 * result['precisions'][1]:.1f}"]
    assert found["Brevity penalty"] == [f"{result['brevity_penalty']:.3f}"]


# --- explanation ----------------------------------------------------------------------------------


def test_the_matching_words_are_marked(page):
    wait_until(lambda: marked(page) == [["the", "cat", "sat", "on", "mat"]] * 2)
    # No `check`, which looks at once: scores that are under way set the choice back for a moment.
    page.locator("#try-measure").get_by_label("ROUGE-2", exact=True).click()
    wait_until(lambda: marked(page) == [["the", "cat", "sat", "on"]] * 2)


def partners(page):
    """The words that are shown as partners, those of the prediction first."""
    return page.locator("#try-explanation mark.page-partner").all_inner_texts()


def test_pointing_at_a_word_shows_its_match(page):
    fill(page, "try-reference-1", "The mat on which my cat sat")
    wait_until(lambda: "cat" in marked(page)[1] and "which" not in marked(page)[1])
    wait_until(lambda: "The" in marked(page)[1])
    page.locator("#try-explanation .page-text").nth(0).get_by_text("sat", exact=True).hover()
    wait_until(lambda: partners(page) == ["sat", "sat"])
    shown(page, "“sat” matches “sat” (Reference)", "try-explanation")
    page.locator("#try-explanation .page-text").nth(1).get_by_text("The", exact=True).hover()
    wait_until(lambda: partners(page) == ["the", "The"])
    page.locator("h1").hover()
    wait_until(lambda: partners(page) == [])


def test_matches_are_walked_with_the_arrows(page):
    words = page.locator("#try-explanation .page-text").nth(0).locator("mark")
    assert [word.get_attribute("tabindex") for word in words.all()] == ["0", *["-1"] * 4]
    words.first.focus()
    wait_until(lambda: partners(page) == ["the", "the"])
    page.keyboard.press("ArrowRight")
    wait_until(lambda: partners(page) == ["cat", "cat"])
    page.keyboard.press("ArrowDown")  # to the match
    focused = "document.activeElement.closest('.page-text').innerText"
    assert page.evaluate(focused).startswith("Reference")
    page.keyboard.press("End")
    wait_until(lambda: partners(page) == ["mat", "mat"])
    assert [word.get_attribute("tabindex") for word in words.all()] == ["-1", "0", *["-1"] * 3]


def test_runs_of_words_have_colours_and_numbers(page):
    page.locator("#try-measure").get_by_label("ROUGE-L", exact=True).click()
    fill(page, "try-prediction", "the cat lay on the mat")
    wait_until(lambda: "a run in both texts" in page.locator("#try-explanation").inner_text())
    starts = page.locator("#try-explanation mark[data-run]")
    wait_until(lambda: starts.all_inner_texts() == ["the", "on"] * 2)
    colour = "marks => marks.map(mark => getComputedStyle(mark).backgroundColor)"
    one, other, *of_reference = starts.evaluate_all(colour)
    assert one != other
    assert of_reference == [one, other]


EXAMPLES = {"German": "Zug", "Russian": "Библиотека", "Chinese": "图", "Arabic": "تفتح"}
EXAMPLES |= {"Hindi": "पुस्तकालय", "English": "The"}


def test_examples_in_six_languages(page):
    for language, word in EXAMPLES.items():
        page.get_by_role("button", name=language, exact=True).click()
        wait_until(lambda word=word: word in box(page, "try-prediction").input_value())
        wait_until(lambda word=word: word in page.locator("#try-explanation").inner_text())
        assert float(rows(page, "try-scores")["ROUGE-1"][0]) > 30
        assert len(marked(page)[0]) >= 3
        wait_until(lambda: message(page, "try-message") == "")


# --- texts of any kind ----------------------------------------------------------------------------

HTML = (
    '<img src="/x.png" onerror="window.hacked = 1"><b id="bold">bold</b> ${window.hacked = 1} **c**'
)


def test_a_text_with_html_is_shown_letter_by_letter(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    fill(page, "try-prediction", HTML)
    fill(page, "try-reference-1", HTML)
    wait_until(lambda: rows(page, "try-scores").get("ROUGE-1") == ["100.0"] * 3)
    wait_until(lambda: HTML in page.locator("#try-explanation .page-words").first.inner_text())
    assert page.evaluate("window.hacked") is None
    assert page.locator("#bold").count() == 0
    assert not [url for url in asked if "x.png" in url]


def test_html_in_a_message_is_shown_letter_by_letter(page):
    page.get_by_role("button", name="Options").click()
    box(page, "options-rouge-command").fill('<b id="bold">x</b>')
    box(page, "options-rouge-command").press("Enter")
    shown(page, '<b id="bold">', "try-message")
    assert page.locator("#bold").count() == 0


def test_twenty_references(site, open_page):
    page = open_page(link(site, prediction="a b", reference=[f"{n}" for n in range(19)]))
    page.locator("#try-reference-19").wait_for()
    page.locator("#try-add").click()
    page.locator("#try-reference-20").wait_for()
    page.locator("#try-add").wait_for(state="hidden")  # there is no place for more
    fill(page, "try-reference-20", "a b")
    wait_until(lambda: rows(page, "try-scores").get("ROUGE-1") == ["100.0"] * 3)
    page.locator("#try-remove").click()
    page.locator("#try-reference-20").wait_for(state="hidden")
    wait_until(lambda: rows(page, "try-scores").get("ROUGE-1") == ["0.0"] * 3)
    page.locator("#try-add").wait_for()


def test_the_only_reference_stays(page):
    remove = page.locator("#try-remove")
    remove.wait_for(state="hidden")
    page.locator("#try-add").click()
    page.locator("#try-reference-2").wait_for()
    fill(page, "try-reference-2", PAIR["prediction"])
    wait_until(lambda: rows(page, "try-scores").get("ROUGE-1") == ["100.0"] * 3)
    remove.click()
    page.locator("#try-reference-2").wait_for(state="hidden")
    remove.wait_for(state="hidden")
    wait_until(lambda: rows(page, "try-scores").get("ROUGE-1") == ["76.9", "71.4", "83.3"])
    assert page.locator("#try-reference-1").is_visible()


# --- messages -------------------------------------------------------------------------------------

MISTAKES = {
    "no prediction": ({"prediction": ""}, "Enter a prediction."),
    "too many lines": ({"prediction": "a\n" * 1_001}, "the page takes 1,000"),
}


@pytest.mark.parametrize(("texts", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_said_in_words_and_mended(page, texts, said):
    fields = {"prediction": "try-prediction", "reference": "try-reference-1"}
    for name, text in texts.items():
        fill(page, fields[name], text)
    shown(page, said, "try-message")
    assert page.locator("#try-scores table").count() == 0, "no scores of other texts"
    for elem_id in ("try-signature", "try-link", "try-measure"):
        assert not page.locator(f"#{elem_id}").is_visible(), "no empty boxes"
    for name in texts:
        fill(page, fields[name], PAIR[name])
    page.locator("#try-scores table").wait_for()
    wait_until(lambda: message(page, "try-message") == "")


def test_a_warning_stands_on_the_page_with_its_remedy(page):
    text = "Кошка сидела на ковре."
    fill(page, "try-prediction", text)
    fill(page, "try-reference-1", text)
    shown(page, "tokenizer='unicode'", "try-message")
    assert rows(page, "try-scores")["ROUGE-1"] == ["0.0"] * 3
    page.locator("#try-remedy").click()
    wait_until(lambda: rows(page, "try-scores").get("ROUGE-1") == ["100.0"] * 3)
    wait_until(lambda: message(page, "try-message") == "")
    assert not page.locator("#try-remedy").is_visible()


# --- sessions and links ---------------------------------------------------------------------------


def test_two_visitors_do_not_disturb_each_other(site, open_page):
    one, other = (open_page(link(site, **PAIR)) for _ in range(2))
    wait_for_pair(one)
    wait_for_pair(other)
    for page, text in ((one, "the cat"), (other, "dogs")):
        fill(page, "try-prediction", text)
    wait_until(lambda: rows(one, "try-scores").get("ROUGE-1", [""])[0] == "50.0")
    wait_until(lambda: rows(other, "try-scores").get("ROUGE-1", [""])[0] == "0.0")
    assert marked(one)[0] == ["the", "cat"]
    assert marked(other)[0] == []
    assert box(one, "try-prediction").input_value() == "the cat"


EVERYTHING = {
    "rouge_types": '["rouge2", "rougeW"]',
    "weight": "1.5",
    "tokenizer": "unicode",
    "use_stemmer": "true",
    "sentences": "true",
    "multi_reference": "average",
    "beta": "2",
    "preset": "rouge_score",
}


def test_a_link_that_the_page_made_restores_everything(site, open_page):
    """All options at once: the next page gives the same link, signature and scores."""
    texts = {"prediction": ["The cats <b>sat</b>"], "reference": ["a & b", "cat"]}
    texts["metric"] = ["rouge_full"]
    page = open_page(link(site, **texts, **EVERYTHING))

    def made_by(page):
        return parse_qs(urlparse(box(page, "try-link").input_value()).query)

    asked = texts | {field: [value] for field, value in EVERYTHING.items()}
    wait_until(lambda: made_by(page) == asked)
    again = open_page(box(page, "try-link").input_value())
    wait_until(lambda: made_by(again) == asked)
    assert box(again, "try-signature").input_value() == box(page, "try-signature").input_value()
    assert rows(again, "try-scores") == rows(page, "try-scores") != {}
    assert message(page, "link-message") == message(again, "link-message") == ""
    again.get_by_role("button", name="Options").click()
    assert again.get_by_label("Stemmer").is_checked()


FOREIGN = (
    '<img src="https://example.org/x.png"><form action="https://example.org/"><input id="foreign">'
    "<button>Log in</button></form>"
)
HOSTILE = {
    "types that are HTML": ({"rouge_types": json.dumps([FOREIGN])}, "must be a list of some of ro"),
    "a list that is HTML": ({"preset": FOREIGN}, "preset must be one of default"),
    "beyond 64 bits": ({"metric": "bleu_full", "max_order": "1" + "0" * 400}, "got '1000"),
}


@pytest.mark.parametrize(("fields", "said"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_link_opens_the_page_without_it(site, open_page, fields, said):
    """`open_page` sees to it that no other host is asked for anything."""
    page = open_page(link(site, **PAIR, **fields))
    wait_for_pair(page)
    first = "BLEU" if "metric" in fields else "ROUGE-1"
    wait_until(lambda: first in rows(page, "try-scores"))
    found = message(page, "link-message")
    assert found.startswith("Left out of the link: ")
    assert said in found
    assert page.locator("#foreign, form").count() == 0
    assert "".join(page.locator(".toast-wrap").all_inner_texts()).strip() == ""
    assert message(page, "try-message") == ""


def test_a_link_that_makes_no_sense_opens_the_page(site, open_page):
    fields = {"metric": "x", "beta": "x", "use_stemmer": "5", "rouge_types": "{", "other": "y"}
    page = open_page(link(site, **fields))
    page.locator("#try-scores table").wait_for()
    assert list(rows(page, "try-scores")) == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-Lsum"]
    said = page.locator("#link-message p").all_inner_texts()
    starts = [f"Left out of the link: {field} must be" for field in list(fields)[:-1]]
    assert [text[: len(start)] for text, start in zip(said, starts, strict=True)] == starts
