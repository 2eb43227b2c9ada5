"""The functions of rouge_bleu.integrations.lm_eval in tasks with a mock model."""

import json

import evaluate
import pytest

import rouge_bleu
from helpers.metrics import loaded
from helpers.pages import BLOCK, block, text_of
from rouge_bleu.integrations import lm_eval as ours

ARTICLES = ["A cat came in.", "A dog ran.", "Rain fell."]
ANSWERS = ["the cat sat on a mat", "the dog ran off", ""]
TARGETS = [["the cat sat on the mat", "a cat sat on a mat"], ["the dog ran off"], ["it rains"]]


@pytest.mark.parametrize("targets", [TARGETS, [row[0] for row in TARGETS]])
def test_aggregations_are_scores_of_all_documents(targets):
    pairs = list(zip(ANSWERS, targets, strict=True))
    options = {"use_stemmer": True, "output": "recall"}
    expected = rouge_bleu.rouge(ANSWERS, targets, rouge_types=["rouge2"], **options)["rouge2"]
    assert ours.rouge("rouge2", **options)(pairs) == expected
    assert (
        ours.bleu(smoothing="exp")(pairs)
        == rouge_bleu.bleu(ANSWERS, targets, smoothing="exp")["bleu"]
    )


def test_options_are_checked_at_once():
    with pytest.raises(ValueError, match="rougeX"):
        ours.rouge("rougeX")
    with pytest.raises(ValueError, match="smoothing"):
        ours.bleu(smoothing="expo")


def results_of_page(folder, monkeypatch, rows, number):
    """Return the results of a task on the page, by the number of its YAML block."""
    pytest.importorskip("lm_eval", reason="make test-integrations installs lm_eval")
    import lm_eval
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Model(LM):
        def generate_until(self, requests, disable_tqdm=False):
            written = dict(zip(ARTICLES, ANSWERS, strict=True))
            return [written[request.args[0].removesuffix("\nSummary:")] for request in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    monkeypatch.chdir(folder)
    monkeypatch.setattr(evaluate, "load", loaded)  # as if they were installed
    blocks = BLOCK.findall(text_of("docs/integrations.md"))
    files = {"articles.jsonl": "\n".join(map(json.dumps, rows))}
    files["task.yaml"] = [text for kind, text in blocks if kind == "yaml"][number]
    files["utils.py"] = block("docs/integrations.md", "lm-evaluation-harness", "py")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(
        model=Model(), tasks=["summaries"], task_manager=manager, bootstrap_iters=0
    )
    return found["results"]["summaries"]


def test_a_task_with_several_targets(tmp_path, monkeypatch):
    texts = zip(ARTICLES, TARGETS, strict=True)
    rows = [{"article": article, "summaries": targets} for article, targets in texts]
    result = results_of_page(tmp_path, monkeypatch, rows, 0)
    rouge = rouge_bleu.rouge(ANSWERS, TARGETS, rouge_types=["rougeL"])["rougeL"]
    assert result["rougeL,none"] == rouge
    assert result["bleu,none"] == rouge_bleu.bleu(ANSWERS, TARGETS, smoothing="exp")["bleu"]


def test_a_task_with_one_target(tmp_path, monkeypatch):
    firsts = [targets[0] for targets in TARGETS]
    texts = zip(ARTICLES, firsts, strict=True)
    rows = [{"article": article, "summary": text} for article, text in texts]
    result = results_of_page(tmp_path, monkeypatch, rows, 1)
    expected = rouge_bleu.rouge(ANSWERS, firsts, rouge_types=["rouge1", "rougeL"])
    for name, score in expected.items():
        assert result[f"{name},none"] == pytest.approx(score, rel=1e-12)
