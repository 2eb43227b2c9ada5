"""The tabs "Which settings?" and "Use it" in a browser."""

import os
import subprocess
import sys
from urllib.parse import urlencode

import pytest

from helpers.browser.actions import box, choose, fill, message, rows, shown
from helpers.browser.sites import ROOT, wait_until

PAIR = {"prediction": "the cats sat on a mat", "reference": "The cat was sitting on the mat"}


@pytest.fixture
def page(site, open_page):
    fields = {**PAIR, "use_stemmer": "true", "rouge_types": '["rouge1", "rougeL"]'}
    opened = open_page(f"{site}/?{urlencode(fields)}")
    opened.locator("#try-scores table").wait_for()
    wait_until(lambda: list(rows(opened, "try-scores")) == ["rouge1", "rougeL"])
    return opened


def test_reported_numbers_give_settings(page, rouge_full):
    choose(page, "Which settings?")
    data = {"predictions": [PAIR["prediction"]], "references": [PAIR["reference"]]}
    with_stems = rouge_full.compute(**data, use_stemmer=True, rouge_types=["rouge1"])
    assert with_stems != rouge_full.compute(**data, rouge_types=["rouge1"])
    fill(page, "settings-reported", f"rouge1={100 * with_stems['rouge1']:.2f}")
    fill(page, "settings-prediction", PAIR["prediction"])
    fill(page, "settings-reference", PAIR["reference"])
    page.locator("#settings-button").click()
    page.locator("#settings-result table").first.wait_for(timeout=60_000)
    assert "use_stemmer=True" in page.locator("#settings-result").inner_text()


def test_numbers_that_are_none(page):
    choose(page, "Which settings?")
    fill(page, "settings-reported", "rouge1=<b>much</b>")
    page.locator("#settings-button").click()
    shown(page, "<b>much</b>", "settings-message")
    assert "must be a number" in message(page, "settings-message")


def test_the_code_runs_as_it_is_pasted(page, tmp_path):
    """And prints the scores of the page and its signature, from an installed metric."""
    scores, signature = rows(page, "try-scores"), box(page, "try-signature").input_value()
    choose(page, "Use it")
    wait_until(lambda: "evaluate.load" in box(page, "code-script").input_value())
    script = tmp_path / "pasted.py"
    script.write_text(box(page, "code-script").input_value(), encoding="utf-8")
    environment = {**os.environ, "HF_HOME": str(tmp_path), "HF_EVALUATE_OFFLINE": "1"}
    run = {"check": True, "env": environment, "capture_output": True, "text": True}
    subprocess.run([sys.executable, ROOT / "stage.py", "install"], **run)
    printed = subprocess.run([sys.executable, script], cwd=tmp_path, **run).stdout
    result = dict(line.split(" ", 1) for line in printed.splitlines())
    assert result.pop("signature") == signature
    assert [f"{float(value):.4f}" for value in result.values()] == [
        value for values in scores.values() for value in values
    ]


def test_the_code_for_training_has_the_options(page):
    choose(page, "Use it")
    wait_until(lambda: "def compute_metrics" in box(page, "code-training").input_value())
    code = box(page, "code-training").input_value()
    assert "use_stemmer=True" in code
    compile(code, "pasted", "exec")


def test_the_card_stands_beside_the_code(page):
    choose(page, "Use it")
    page.get_by_role("heading", name="Metric Card for rouge_full").wait_for()
    page.get_by_label("BLEU", exact=True).check()
    page.get_by_role("heading", name="Metric Card for bleu_full").wait_for()
    wait_until(lambda: "bleu.compute" in box(page, "code-script").input_value())
