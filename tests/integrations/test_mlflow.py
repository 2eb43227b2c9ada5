"""rouge_bleu.integrations.mlflow in both kinds of evaluation, with the code of the page."""

import pandas as pd
import pytest

import rouge_bleu
from helpers.pages import block

mlflow = pytest.importorskip("mlflow", reason="make test-integrations installs mlflow")

SUMMARIES = ["the cat sat on a mat", "a dog ran off today"]
REFERENCES = [["a cat", "the cat sat on the mat"], ["the dog ran off"]]


def test_the_code_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("MLFLOW_GENAI_EVAL_SKIP_TRACE_VALIDATION", "true")
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.db")
    names = {"frame": pd.DataFrame({"summary": SUMMARIES, "references": REFERENCES})}
    names |= {"text": "", "summary": SUMMARIES[0], "summaries": REFERENCES[0]}
    exec(block("docs/integrations.md", "mlflow", "py"), names)
    rouge = rouge_bleu.rouge(SUMMARIES, REFERENCES, rouge_types=["rougeL"])["rougeL"]
    bleu = rouge_bleu.bleu(SUMMARIES, REFERENCES, smoothing="exp")["bleu"]
    assert names["result"].metrics == pytest.approx({"rougeL/mean": rouge, "bleu/corpus": bleu})
    options = {"smoothing": "exp", "use_aggregator": False}
    each = rouge_bleu.bleu(SUMMARIES, REFERENCES, **options)["bleu"]
    assert names["result"].tables["eval_results_table"]["bleu/score"].tolist() == pytest.approx(
        each
    )
    first = rouge_bleu.rouge(SUMMARIES[:1], REFERENCES[:1], rouge_types=["rougeL"])["rougeL"]
    assert names["scored"].metrics == pytest.approx({"rougeL/mean": first, "bleu/mean": each[0]})


def test_an_expectation_that_is_missing_is_named():
    from rouge_bleu.integrations.mlflow import rouge_scorer

    with pytest.raises(ValueError, match="expected_response"):
        rouge_scorer()(outputs="a", expectations={"summary": "a"})
