"""The scorers of rouge_bleu.integrations.inspect_ai in evaluations with a mock model."""

import os

import pytest

import rouge_bleu
from helpers.pages import block
from helpers.programs import run
from helpers.wheels import built, installed

pytest.importorskip("inspect_ai", reason="make test-integrations installs inspect_ai")

import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from rouge_bleu.integrations.inspect_ai import bleu, rouge

TARGETS = [["the cat sat on the mat", "a cat sat there"], ["a dog ran off"], ["it rains"]]
ANSWERS = ["the cat sat on a mat", "a dog ran off today", ""]


def model_with(answers):
    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:
        output.usage = ModelUsage()  # else a tokenizer is downloaded, which counts
    return get_model("mockllm/model", custom_outputs=outputs)


def evaluated(scorer, folder, answers=ANSWERS, **options):
    """Return the log of an evaluation in which a model gives these answers."""
    samples = [Sample(input=f"Write {n}", target=target) for n, target in enumerate(TARGETS)]
    [log] = inspect_ai.eval(
        inspect_ai.Task(dataset=samples, scorer=scorer),
        model=model_with(answers),
        log_dir=str(folder),
        display="none",
        max_connections=1,
        max_samples=1,
        **options,
    )
    assert log.status == "success", log.error
    return log


def metrics(log):
    """Return the value of each metric, by the name of the score and its own."""
    scores = log.results.scores
    return {
        (of.name, metric.name.split("/")[-1]): metric.value
        for of in scores
        for metric in of.metrics.values()
    }


def test_bleu_has_the_mean_and_the_bleu_of_the_corpus(tmp_path):
    found = metrics(evaluated(bleu(tokenizer="whitespace"), tmp_path))
    options = {"preset": "sacrebleu", "tokenizer": "whitespace", "output": "score"}
    each = rouge_bleu.bleu(ANSWERS, TARGETS, **options, use_aggregator=False)["bleu"]
    assert found["bleu", "mean"] == pytest.approx(sum(each) / 3, rel=1e-12)
    assert found["bleu", "corpus_bleu"] == rouge_bleu.bleu(ANSWERS, TARGETS, **options)["bleu"]
    assert found["bleu", "corpus_bleu"] != pytest.approx(sum(each) / 3, abs=0.01)


def test_all_epochs_are_in_the_corpus(tmp_path):
    answers = [*ANSWERS, *ANSWERS[1:], "the cat"]  # of samples 1, 2, 3 and again
    found = metrics(evaluated(bleu(), tmp_path, answers, epochs=2))
    options = {"preset": "sacrebleu", "output": "score"}
    assert found["bleu", "corpus_bleu"] == rouge_bleu.bleu(answers, TARGETS * 2, **options)["bleu"]


def test_rouge_has_a_mean_for_each_type(tmp_path):
    types = ["rouge1", "rougeL"]
    found = metrics(evaluated(rouge(rouge_types=types, use_stemmer=True), tmp_path))
    expected = rouge_bleu.rouge(ANSWERS, TARGETS, rouge_types=types, use_stemmer=True)
    assert {name: found[name, "mean"] for name in types} == pytest.approx(expected, rel=1e-12)
    assert found["rouge1", "stderr"] > 0


def test_the_command_finds_a_scorer_of_an_installed_package(tmp_path):
    log = evaluated(bleu(), tmp_path / "logs")
    packages = installed(built("wheel", tmp_path), tmp_path / "site-packages")
    options = ("--scorer", "rouge_bleu/rouge", "-S", "rouge_types=rougeL", "--overwrite")
    command = ("-m", "inspect_ai", "score", log.location, *options, "--action", "append")
    run(*command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(packages)})
    again = metrics(read_eval_log(log.location))
    expected = rouge_bleu.rouge(ANSWERS, TARGETS, rouge_types=["rougeL"])
    assert {name: again[name, "mean"] for name in expected} == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("scorer", "options"), [(bleu, {"tokenizer": "unicod"}), (rouge, {"rouge_types": ["rougeX"]})]
)
def test_options_are_checked_before_a_model_writes(scorer, options):
    with pytest.raises(ValueError, match=r"unicod|rougeX"):
        scorer(**options)


def test_the_page(tmp_path, monkeypatch):
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    names = {"model": model_with(["It rains.", "Good morning."])}
    exec(block("docs/integrations.md", "inspect-ai", "py"), names)
    assert metrics(names["log"])["bleu", "mean"] == 1.0
    assert metrics(names["log"])["rougeL", "mean"] == 1.0
