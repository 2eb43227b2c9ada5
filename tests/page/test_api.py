"""The functions for programs, by `gradio_client`, on a server without a browser."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pandas as pd
import pytest

import rouge_bleu

pytest.importorskip("gradio_client", reason="the page is not installed here")

import gradio_client

from rouge_bleu_tools.app.file import SAMPLE
from rouge_bleu_tools.app.settings import TILES, default_settings

PREDICTION, REFERENCES = "a b c d e", ["a b c d f", "e"]


@pytest.fixture(scope="module")
def client(site):
    return gradio_client.Client(site, verbose=False)


def test_score_and_explain(client):
    more = ["rougeW", "rougeSU4"]
    settings = {"use_stemmer": True, "smoothing": "exp", "rouge_types": more}
    found = client.predict(PREDICTION, REFERENCES, settings, api_name="/score")
    given = {"predictions": [PREDICTION], "references": [REFERENCES]}
    types = [*TILES, "rougeW-1.2", "rougeSU4"]
    rouge = rouge_bleu.rouge(**given, rouge_types=types, use_stemmer=True)
    bleu = rouge_bleu.bleu(**given, smoothing="exp", output="score")
    assert found["scores"] == pytest.approx({**rouge, **bleu}, abs=1e-12)
    assert len(found["signatures"]) == 2
    explained = client.predict(PREDICTION, REFERENCES, {}, api_name="/explain")
    assert explained["bleu"] == rouge_bleu.explain_bleu(PREDICTION, REFERENCES)


def test_compare_and_find_settings(client):
    rows = client.predict(PREDICTION, REFERENCES, api_name="/compare")
    scores = {row["name"]: row["scores"] for row in rows}
    reported = f"ROUGE-1 {100 * scores['rouge_score']['rouge1']:.2f}"
    found = client.predict(reported, PREDICTION, REFERENCES, api_name="/find_settings")
    assert found["matches"]


def test_what_the_page_refuses_is_an_error_with_a_message(client):
    texts = (PREDICTION, REFERENCES)
    bad = [("", REFERENCES, {}), (PREDICTION, [], {}), (PREDICTION, [1], {}), (*texts, [1])]
    bad += [(*texts, {"n_jobs": 64}), (*texts, {"tokenizer": "spm"}), ("a" * 50_000, ["a"], {})]
    for arguments in bad:
        with pytest.raises(gradio_client.exceptions.AppError) as error:
            client.predict(*arguments, api_name="/score")
        assert str(error.value)
        assert "Traceback" not in str(error.value)


def test_score_a_file(client):
    file = gradio_client.handle_file(str(SAMPLE))
    columns = ("prediction", ["reference"], "baseline", "rouge1")
    *_, table_of_csv, shown = client.predict(
        [file], *columns, *default_settings().values(), api_name="/score_file"
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
    assert "event: error" in answer
    assert "hidden" not in answer


def test_fifty_visitors_at_once_and_the_memory_of_500_calls(site, server):
    """All get their own scores; afterwards the server has at most 50 MB more."""

    def call(number):
        n_words = number % 50 + 1
        text = " ".join(f"word{place}" for place in range(n_words))
        with httpx.Client(base_url=f"{site}/gradio_api/call/", timeout=100) as visitor:
            event = visitor.post("score", json={"data": [text, [f"{text} x"], {}]}).json()
            answer = visitor.get(f"score/{event['event_id']}").text
        found = json.loads(answer.partition("data: ")[2].partition("\n")[0])[0]["scores"]
        assert found["rouge1"] == pytest.approx(2 * n_words / (2 * n_words + 1))

    with ThreadPoolExecutor(50) as pool:
        list(pool.map(call, range(100)))
        before = memory(server[1].pid)
        began = time.monotonic()
        list(pool.map(call, range(500)))
    grown = (memory(server[1].pid) - before) / 2**20
    print(f"500 calls, 50 at once: {time.monotonic() - began:.1f} s, {grown:+.1f} MB")
    assert grown < 50


def memory(process):
    if not sys.platform.startswith("linux"):
        pytest.skip("memory is read from /proc")
    status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
    return next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line) * 1024
