"""The tabs "Which settings?" and "Use it" in a browser."""

import os
import subprocess
import sys
from urllib.parse import urlencode

import pytest

from helpers.browser.actions import box, choose, fill, opened_tab, rows
from helpers.browser.sites import DESKTOP, PHONE, ROOT, wait_until

PAIR = {"prediction": "the cats sat on a mat", "reference": "The cat was sitting on the mat"}


FIELDS = {**PAIR, "use_stemmer": "true", "rouge_types": '["rouge1", "rougeL"]'}


@pytest.fixture
def page(site, kept_page):
    """For "Use it": options that code has to have."""
    opened = kept_page(f"{site}/?{urlencode(FIELDS)}", put_back)
    opened.locator("#try-scores table").wait_for()
    wait_until(lambda: list(rows(opened, "try-scores")) == ["ROUGE-1", "ROUGE-L"])
    wait_until(lambda: "|stem:porter|" in box(opened, "try-signature").input_value())
    return opened


def put_back(page):
    """No test of "Use it" types texts or chooses options; that of the card chooses a metric."""
    page.set_viewport_size(DESKTOP)
    choose(page, "Use it")
    choose(page, "Python")
    choose(page, "Try it")
    assert page.get_by_label("ROUGE", exact=True).is_checked()


@pytest.fixture
def settings(site, open_page):
    """A page that shows "Which settings?"."""
    return opened_tab(open_page, site, "Which settings?")


def test_reported_numbers_give_settings(settings, rouge_full):
    data = {"predictions": [PAIR["prediction"]], "references": [PAIR["reference"]]}
    with_stems = rouge_full.compute(**data, use_stemmer=True, rouge_types=["rouge1"])
    assert with_stems != rouge_full.compute(**data, rouge_types=["rouge1"])
    fill(settings, "settings-reported", f"rouge1={100 * with_stems['rouge1']:.2f}")
    fill(settings, "settings-prediction", PAIR["prediction"])
    fill(settings, "settings-reference", PAIR["reference"])
    settings.locator("#settings-button").click()
    settings.locator("#settings-result table").first.wait_for(timeout=60_000)
    assert "use_stemmer=True" in settings.locator("#settings-result").inner_text()


def test_a_sample_has_settings(settings):
    settings.locator("#settings-sample").click()
    wait_until(lambda: "rougeL=" in box(settings, "settings-reported").input_value())
    wait_until(lambda: column_of(settings) == "prediction")
    settings.locator("#settings-button").click()
    settings.locator("#settings-result table").first.wait_for(timeout=120_000)
    said = settings.locator("#settings-result").inner_text()
    assert "These give all of the numbers" in said
    assert 'preset="pltrdy"' in said
    settings.set_viewport_size(PHONE)
    call = settings.locator("#settings-result .page-code").first
    wait_until(lambda: 250 < call.bounding_box()["width"] < PHONE["width"])


def column_of(page):
    return page.locator("#settings-prediction-column input").input_value()


def code(page, elem_id):
    """The code in a block of "Use it"; "" where there is none yet."""
    return "".join(page.locator(f"#{elem_id} code").all_text_contents())


def test_the_code_runs_as_it_is_pasted(page, tmp_path):
    """And prints the scores of the page and its signature, from an installed metric."""
    scores, signature = rows(page, "try-scores"), box(page, "try-signature").input_value()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    choose(page, "Use it")
    wait_until(lambda: "evaluate.load" in code(page, "code-script"))
    page.get_by_role("button", name="Copy: Scores the texts").click()
    page.get_by_text("Copied").wait_for()
    script = tmp_path / "pasted.py"
    script.write_text(page.evaluate("navigator.clipboard.readText()"), encoding="utf-8")
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_EVALUATE_OFFLINE": "1"}
    run = {"check": True, "env": environment, "capture_output": True, "text": True}
    subprocess.run([sys.executable, "-m", "rouge_bleu_tools.hub", "install"], cwd=ROOT, **run)
    printed = subprocess.run([sys.executable, script], cwd=tmp_path, **run).stdout
    result = dict(line.split(" ", 1) for line in printed.splitlines())
    assert result.pop("signature") == signature
    names = {"ROUGE-1": "rouge1", "ROUGE-L": "rougeL"}
    outputs = ("fmeasure", "precision", "recall")
    assert {
        name: [f"{100 * float(result[f'{names[name]}_{one}']):.1f}" for one in outputs]
        for name in scores
    } == scores


def test_the_code_for_training_has_the_options(page):
    choose(page, "Use it")
    choose(page, "Trainer")
    wait_until(lambda: "def compute_metrics" in code(page, "code-training"))
    found = code(page, "code-training")
    assert "use_stemmer=True" in found
    compile(found, "pasted", "exec")
    choose(page, "Command line")
    wait_until(lambda: "--rouge-types rouge1 rougeL --use-stemmer" in code(page, "code-command"))


def test_long_lines_scroll_and_do_not_break(page):
    page.set_viewport_size(PHONE)
    choose(page, "Use it")
    wait_until(lambda: "evaluate.load" in code(page, "code-script"))
    sizes = page.locator("#code-script pre").evaluate(
        "pre => [pre.scrollWidth, pre.clientWidth, pre.querySelector('code').innerText]"
    )
    assert sizes[0] > sizes[1]
    assert sizes[2].splitlines() == code(page, "code-script").splitlines()
    page.locator("#code-script pre").focus()
    page.keyboard.press("ArrowRight")
    wait_until(lambda: page.locator("#code-script pre").evaluate("pre => pre.scrollLeft") > 0)


def test_the_card_unfolds_below_the_code(page):
    choose(page, "Use it")
    heading = page.get_by_role("heading", name="Metric Card for rouge_full")
    assert not heading.is_visible()
    page.get_by_role("button", name="Metric card").click()
    heading.wait_for()
    page.get_by_label("BLEU", exact=True).check()
    page.get_by_role("heading", name="Metric Card for bleu_full").wait_for()
    wait_until(lambda: "bleu.compute" in code(page, "code-script"))
