"""The tab "Try it" in a browser: typing gives the scores of `compute` and the words that match."""

import json
from urllib.parse import parse_qs, urlencode, urlparse

import pytest

from helpers.browser.actions import box, fill, marked, message, rows, shown
from helpers.browser.sites import wait_until

TYPES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
PAIR = {"prediction": "the cat sat on a mat today", "reference": "the cat sat on the mat"}


def expected_rows(rouge_full, prediction, references, **options):
    """The table: what `compute` gives, by default of the types that are ticked at first."""
    options = {"rouge_types": TYPES, "output": "all", **options}
    result = rouge_full.compute(predictions=[prediction], references=[references], **options)
    names = [key.removesuffix("_fmeasure") for key in result if key.endswith("_fmeasure")]
    outputs = ("precision", "recall", "fmeasure")
    return {name: [f"{result[f'{name}_{output}']:.4f}" for output in outputs] for name in names}


def link(url, **fields):
    return f"{url}/?{urlencode(fields, doseq=True)}"


@pytest.fixture
def page(site, open_page):
    """The page with one short pair."""
    opened = open_page(link(site, metric="rouge_full", **PAIR))
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


def test_the_button_gives_them_too(page, rouge_full):
    page.locator("#try-button").click()
    wait_for_rows(page, expected_rows(rouge_full, PAIR["prediction"], [PAIR["reference"]]))


def test_the_chart_says_what_the_table_says(page):
    of_table = [value for values in rows(page, "try-scores").values() for value in values]
    assert page.locator("#try-chart .page-bar-value").all_inner_texts() == of_table


def test_the_signature_is_that_of_compute(page, rouge_full):
    data = {"predictions": [PAIR["prediction"]], "references": [[PAIR["reference"]]]}
    result = rouge_full.compute(**data, rouge_types=TYPES, output="all", signature=True)
    assert box(page, "try-signature").input_value() == result["signature"]


def test_options_count(page, rouge_full):
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Stemmer").check()
    page.locator("#options-rouge-types").get_by_label("rouge2").uncheck()
    fill(page, "try-prediction", "cats sat on the mats")
    expected = expected_rows(
        rouge_full,
        "cats sat on the mats",
        [PAIR["reference"]],
        use_stemmer=True,
        rouge_types=["rouge1", "rougeL", "rougeLsum"],
    )
    wait_for_rows(page, expected)


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
    assert found["BLEU"] == [f"{result['bleu']:.4f}"]
    assert found["Precision of 2-grams"] == [f"{result['precisions'][1]:.4f}"]
    assert found["Brevity penalty"] == [f"{result['brevity_penalty']:.4f}"]


# --- explanation ----------------------------------------------------------------------------------


def test_the_matching_words_are_marked(page):
    wait_until(lambda: marked(page) == [["the", "cat", "sat", "on", "mat"]] * 2)
    # No `check`, which looks at once: scores that are under way set the choice back for a moment.
    page.locator("#try-measure").get_by_label("rouge2").click()
    wait_until(lambda: marked(page) == [["the", "cat", "sat", "on"]] * 2)


def test_the_arithmetic_is_shown(page):
    # 5 of the 7 words of the prediction and of the 6 of the reference: counted by hand.
    steps = page.locator("#try-explanation .page-steps").first.inner_text()
    assert "5 matching / 7 words of the prediction = 0.7143" in steps
    assert "5 matching / 6 words of the reference = 0.8333" in steps


def test_the_reference_that_counts_is_named(site, open_page):
    page = open_page(link(site, prediction="a b c", reference=["x y", "a b c"]))
    shown(page, "the one that counts")
    chosen = page.locator("#try-explanation .page-chosen").first.inner_text()
    assert chosen.startswith("Reference 2 of 2, the one that counts")


EXAMPLES = {
    "German": "Zug",
    "Russian": "Библиотека",
    "Chinese": "图",
    "Arabic": "تفتح",
    "Hindi": "पुस्तकालय",
    "English": "The",
}


def test_examples_in_six_languages(page):
    for language, word in EXAMPLES.items():
        page.get_by_role("button", name=language, exact=True).click()
        wait_until(lambda word=word: word in box(page, "try-prediction").input_value())
        wait_until(lambda word=word: word in page.locator("#try-explanation").inner_text())
        assert float(rows(page, "try-scores")["rouge1"][2]) > 0.3
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
    wait_until(lambda: rows(page, "try-scores").get("rouge1") == ["1.0000"] * 3)
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


def test_twenty_references(page):
    add = page.locator("#try-add")
    for number in range(2, 21):
        add.click()
        page.locator(f"#try-reference-{number}").wait_for()
    fill(page, "try-reference-20", PAIR["prediction"])
    wait_until(lambda: rows(page, "try-scores").get("rouge1") == ["1.0000"] * 3)
    page.locator("#try-remove").click()
    page.locator("#try-reference-20").wait_for(state="hidden")
    wait_until(lambda: rows(page, "try-scores").get("rouge1") == ["0.7143", "0.8333", "0.7692"])


# --- messages -------------------------------------------------------------------------------------

MISTAKES = {
    "no prediction": ({"prediction": ""}, "Enter a prediction."),
    "no reference": ({"reference": " \n "}, "Enter a reference."),
    "too many characters": ({"prediction": "a b " * 10_001}, "the page takes 40,000"),
    "too many lines": ({"prediction": "a\n" * 1_001}, "the page takes 1,000"),
}


@pytest.mark.parametrize(("texts", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_said_in_words_and_mended(page, texts, said):
    fields = {"prediction": "try-prediction", "reference": "try-reference-1"}
    for name, text in texts.items():
        fill(page, fields[name], text)
    shown(page, said, "try-message")
    assert page.locator("#try-scores table").count() == 0, "no scores of other texts"
    for name in texts:
        fill(page, fields[name], PAIR[name])
    page.locator("#try-scores table").wait_for()
    wait_until(lambda: message(page, "try-message") == "")


def test_weights_that_are_no_numbers(site, open_page):
    page = open_page(link(site, metric="bleu_full", weights="much", **PAIR))
    shown(page, "must be a number, got 'much'", "try-message")


def test_a_warning_stands_on_the_page_with_its_remedy(page):
    text = "Кошка сидела на ковре."
    fill(page, "try-prediction", text)
    fill(page, "try-reference-1", text)
    shown(page, "tokenizer='unicode'", "try-message")
    assert rows(page, "try-scores")["rouge1"] == ["0.0000"] * 3
    page.locator("#try-remedy").click()
    wait_until(lambda: rows(page, "try-scores").get("rouge1") == ["1.0000"] * 3)
    wait_until(lambda: message(page, "try-message") == "")
    assert not page.locator("#try-remedy").is_visible()


# --- sessions and links ---------------------------------------------------------------------------


def test_two_visitors_do_not_disturb_each_other(site, open_page):
    one, other = (open_page(link(site, **PAIR)) for _ in range(2))
    wait_for_pair(one)
    wait_for_pair(other)
    for page, text in ((one, "the cat"), (other, "dogs")):
        fill(page, "try-prediction", text)
    wait_until(lambda: rows(one, "try-scores").get("rouge1", [""])[0] == "1.0000")
    wait_until(lambda: rows(other, "try-scores").get("rouge1", [""])[0] == "0.0000")
    assert marked(one)[0] == ["the", "cat"]
    assert marked(other)[0] == []
    assert box(one, "try-prediction").input_value() == "the cat"


def test_a_link_opens_the_page_with_texts_and_options(page, open_page):
    page.get_by_role("button", name="Options").click()
    page.get_by_label("Stemmer").check()
    fill(page, "try-prediction", "cats & mats\n= 100 % <b>")
    wait_until(lambda: "use_stemmer" in box(page, "try-link").input_value())
    wait_until(lambda: "mats" in box(page, "try-link").input_value())
    address = box(page, "try-link").input_value()
    fields = parse_qs(urlparse(address).query)
    assert fields["prediction"] == ["cats & mats\n= 100 % <b>"]
    assert json.loads(fields["use_stemmer"][0]) is True
    again = open_page(address)
    wait_until(lambda: box(again, "try-prediction").input_value() == fields["prediction"][0])
    wait_until(lambda: rows(again, "try-scores") == rows(page, "try-scores"))
    again.get_by_role("button", name="Options").click()
    assert again.get_by_label("Stemmer").is_checked()
    assert box(again, "try-signature").input_value() == box(page, "try-signature").input_value()


EVERYTHING = {
    "rouge_full": {
        "rouge_types": '["rouge2", "rougeW"]',
        "weight": "1.5",
        "tokenizer": "unicode",
        "use_stemmer": "true",
        "sentences": "true",
        "multi_reference": "average",
        "beta": "2",
        "preset": "rouge_score",
    },
    "bleu_full": {
        "tokenizer": "13a",
        "max_order": "3",
        "weights": "0.5 0.3 0.2",
        "smoothing": "exp",
        "lowercase": "true",
        "preset": "nltk",
    },
}


@pytest.mark.parametrize("name", EVERYTHING)
def test_a_link_that_the_page_made_restores_everything(site, open_page, name):
    """All options at once: the next page gives the same link, signature and scores."""
    texts = {"metric": [name], "prediction": ["The cats <b>sat</b>"], "reference": ["a & b", "cat"]}
    page = open_page(link(site, **texts, **EVERYTHING[name]))

    def made_by(page):
        return parse_qs(urlparse(box(page, "try-link").input_value()).query)

    asked = texts | {field: [value] for field, value in EVERYTHING[name].items()}
    wait_until(lambda: made_by(page) == asked)
    again = open_page(box(page, "try-link").input_value())
    wait_until(lambda: made_by(again) == asked)
    assert box(again, "try-signature").input_value() == box(page, "try-signature").input_value()
    assert rows(again, "try-scores") == rows(page, "try-scores") != {}
    assert message(page, "link-message") == message(again, "link-message") == ""


FOREIGN = (
    '<img src="https://example.org/x.png"><form action="https://example.org/"><input id="foreign">'
    "<button>Log in</button></form>"
)
HOSTILE = {
    "types that are HTML": (
        {"rouge_types": json.dumps([FOREIGN])},
        "rouge_types must be a list of some of rouge1",
    ),
    "a list that is HTML": ({"preset": FOREIGN}, "preset must be one of default"),
    "a type that is none": ({"rouge_types": '["rouge5"]'}, """got '["rouge5"]'"""),
    "a tokenizer that is none": ({"tokenizer": "x"}, "tokenizer must be one of default"),
    "no number": ({"metric": "bleu_full", "max_order": "NaN"}, "got 'NaN'"),
    "beyond all numbers": ({"metric": "bleu_full", "max_order": "1e400"}, "got '1e400'"),
    "beyond 64 bits": ({"metric": "bleu_full", "max_order": "1" + "0" * 400}, "got '1000"),
}


@pytest.mark.parametrize(("fields", "said"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_link_opens_the_page_without_it(site, open_page, fields, said):
    """`open_page` sees to it that no other host is asked for anything."""
    page = open_page(link(site, **PAIR, **fields))
    wait_for_pair(page)
    first = "BLEU" if "metric" in fields else "rouge1"
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
    assert list(rows(page, "try-scores")) == TYPES
    said = page.locator("#link-message p").all_inner_texts()
    starts = [f"Left out of the link: {field} must be" for field in list(fields)[:-1]]
    assert [text[: len(start)] for text, start in zip(said, starts, strict=True)] == starts
