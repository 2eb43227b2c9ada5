"""The last section of docs/integrations.md, for tools without an adapter."""

import pytest

import rouge_bleu
from helpers.pages import BLOCK, text_of

BELOW = text_of("docs/integrations.md").split("\n## Others, in a few lines\n", 1)[1]
LOGGERS, FUNCTIONS, DEEPEVAL, RAGAS, OPENCOMPASS = [code for _, code in BLOCK.findall(BELOW)]
TEXTS = ["the cat sat"], ["a cat sat down"]


def test_functions_of_promptfoo_and_azure():
    """Of 3 and 4 words, 2 match: F = 2 * 2 / (3 + 4)."""
    names = {}
    exec(FUNCTIONS, names)
    context = {"vars": {"summary": TEXTS[1][0]}}
    assert names["get_assert"](TEXTS[0][0], context) == pytest.approx(4 / 7)
    scores = names["score"](response=TEXTS[0][0], ground_truth=TEXTS[1][0])
    assert scores == pytest.approx({"rouge1": 4 / 7, "rougeL": 4 / 7})


def test_loggers(tmp_path, monkeypatch):
    wandb = pytest.importorskip("wandb", reason="make test-integrations installs wandb")
    tensorboard = pytest.importorskip("torch.utils.tensorboard", reason="and tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    scores = rouge_bleu.rouge(*TEXTS)
    writer = tensorboard.SummaryWriter(tmp_path / "board")
    with wandb.init(mode="offline", dir=tmp_path, project="test") as run:
        exec(LOGGERS, {"run": run, "scores": scores, "writer": writer, "step": 3})
        assert {name: run.summary[name] for name in scores} == scores
    writer.close()
    events = EventAccumulator(str(tmp_path / "board")).Reload()
    for name, score in scores.items():
        [event] = events.Scalars(name)
        assert (event.step, event.value) == (3, pytest.approx(score, rel=1e-6))  # 32 bits


def test_deepeval():
    pytest.importorskip("deepeval", reason="pip install -e .[test-ragas]")
    from deepeval.test_case import LLMTestCase

    names = {}
    exec(DEEPEVAL, names)
    case = LLMTestCase(input="", actual_output=TEXTS[0][0], expected_output=TEXTS[1][0])
    metric = names["RougeL"]()
    assert metric.measure(case) == pytest.approx(4 / 7)
    assert metric.is_successful()


def test_ragas():
    pytest.importorskip("ragas", reason="pip install -e .[test-ragas]")
    names = {}
    exec(RAGAS, names)
    result = names["rouge_l"].score(response=TEXTS[0][0], reference=TEXTS[1][0])
    assert result.value == pytest.approx(4 / 7)


def test_opencompass():
    pytest.importorskip("opencompass", reason="pip install -e .[test-opencompass]")
    names = {}
    exec(OPENCOMPASS, names)
    scores = names["RougeEvaluator"]().evaluate(
        1, 1, ["row"], predictions=TEXTS[0], references=TEXTS[1]
    )
    assert scores == pytest.approx({"rouge1": 400 / 7, "rougeL": 400 / 7})
