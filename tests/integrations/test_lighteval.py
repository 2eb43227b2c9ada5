"""The metrics of rouge_bleu.integrations.lighteval in a task with a mock model."""

import json

import pytest

import rouge_bleu
from helpers.pages import block

pytest.importorskip("lighteval", reason="make test-integrations installs lighteval")

import torch
from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
from lighteval.tasks.registry import Registry
from lighteval.tasks.requests import Doc

from rouge_bleu.integrations.lighteval import corpus_bleu, rouge

torch.set_grad_enabled(True)  # which lighteval turns off where it is imported

SOURCES = ["Die Katze sass da.", "Ein Hund lief weg.", "Es regnet."]
ANSWERS = ["the cat sat on a mat", "a dog ran off today", ""]
REFERENCES = [["a cat", "the cat sat on the mat"], ["a dog ran off"], ["it rains"]]


class Model(DummyModel):
    def greedy_until(self, docs):
        written = dict(zip(SOURCES, ANSWERS, strict=True))
        return [ModelResponse(text=[written[doc.query]]) for doc in docs]


def test_the_task_of_the_page_has_all_references(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("_load_from_files", "_load_from_subdirs"):  # its own tasks, which download data
        monkeypatch.setattr(Registry, name, lambda *places: {})
    rows = [
        {"source": source, "references": references}
        for source, references in zip(SOURCES, REFERENCES, strict=True)
    ]
    (tmp_path / "data").mkdir()
    lines = "\n".join(map(json.dumps, rows))
    (tmp_path / "data" / "test.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "tasks.py").write_text(
        block("docs/integrations.md", "lighteval", "py"), encoding="utf-8"
    )
    pipeline = Pipeline(
        tasks="translation|0",
        pipeline_parameters=PipelineParameters(
            launcher_type=ParallelismManager.NONE,
            custom_tasks_directory=str(tmp_path / "tasks.py"),
            bootstrap_iters=0,
        ),
        evaluation_tracker=EvaluationTracker(output_dir=str(tmp_path / "results")),
        model=Model(DummyModelConfig(cache_dir=str(tmp_path / "cache"))),
    )
    pipeline.evaluate()
    result = pipeline.get_results()["results"]["translation:0"]
    expected = rouge_bleu.rouge(ANSWERS, REFERENCES, rouge_types=["rouge1", "rougeL"])
    expected |= {"bleu": rouge_bleu.bleu(ANSWERS, REFERENCES, smoothing="exp")["bleu"]}
    assert {name: result[name] for name in expected} == pytest.approx(expected, rel=1e-12)
    firsts = [references[0] for references in REFERENCES]
    assert result["bleu"] > rouge_bleu.bleu(ANSWERS, firsts, smoothing="exp")["bleu"]


def test_several_generations_have_their_mean():
    doc = Doc(query="", choices=["it rains", "x", "rain falls"], gold_index=[0, 2])
    response = ModelResponse(text=["it rains", "rain"])
    score = rouge(["rouge1"]).compute_sample(doc=doc, model_response=response)
    assert score == {"rouge1": pytest.approx((1 + 2 / 3) / 2)}


def test_options_are_checked_at_once():
    with pytest.raises(ValueError, match="rougeX"):
        rouge(["rougeX"])
    with pytest.raises(ValueError, match="smoothing"):
        corpus_bleu(smoothing="expo")
