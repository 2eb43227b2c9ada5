"""rouge_bleu.integrations in tasks of lm-eval, lighteval and inspect-ai, and the rewards of TRL."""

import importlib
import json
import math
import os

import pytest

import rouge_bleu
from helpers.pages import BLOCK, block, text_of
from helpers.programs import run
from helpers.wheels import built, installed
from rouge_bleu.integrations import lm_eval as of_lm_eval
from rouge_bleu.integrations.trl import bleu_reward, rouge_reward

PAGE = "docs/integrations.md"
SOURCES = ["Die Katze sass da.", "Ein Hund lief weg.", "Es regnet."]
ANSWERS = ["the cat sat on a mat", "a dog ran off today", ""]
REFERENCES = [["a cat", "the cat sat on the mat"], ["a dog ran off"], ["it rains"]]
FIRSTS = [references[0] for references in REFERENCES]
ANSWER_OF = dict(zip(SOURCES, ANSWERS, strict=True))


def needs(package):
    return pytest.importorskip(package, reason=f"make test-integrations installs {package}")


def lines_of(**columns):
    rows = zip(*columns.values(), strict=True)
    return "\n".join(json.dumps(dict(zip(columns, row, strict=True))) for row in rows)


@pytest.mark.parametrize(
    ("package", "name", "options", "named"),
    [
        ("lm_eval", "rouge", {"rouge_type": "rougeX"}, "rougeX"),
        ("lm_eval", "bleu", {"smoothing": "expo"}, "smoothing"),
        ("lighteval", "rouge", {"rouge_types": ["rougeX"]}, "rougeX"),
        ("lighteval", "corpus_bleu", {"smoothing": "expo"}, "smoothing"),
        ("inspect_ai", "rouge", {"rouge_types": ["rougeX"]}, "rougeX"),
        ("inspect_ai", "bleu", {"tokenizer": "unicod"}, "unicod"),
        ("trl", "rouge_reward", {"reference": "summary", "rouge_type": "rougeX"}, "rougeX"),
        ("trl", "bleu_reward", {"reference": "summary", "tokenizer": "13"}, "13"),
        ("torchmetrics", "Rouge", {"rouge_types": ["rougeX"]}, "rougeX"),
        # Results of another form:
        ("lm_eval", "rouge", {"use_aggregator": False}, "use_aggregator"),
        ("lm_eval", "rouge", {"output": "all"}, "rougeL_recall"),
        ("lighteval", "rouge", {"signature": True}, "signature"),
        ("inspect_ai", "bleu", {"confidence_level": 0.95}, "confidence_level"),
        ("inspect_ai", "bleu", {"tokenizer": str.split}, "tokenizer"),
        ("trl", "rouge_reward", {"reference": "summary", "signature": True}, "signature"),
        ("torchmetrics", "Bleu", {"signature": True}, "signature"),
        # What concerns averages, of scores that are not averaged, and the other way round:
        ("trl", "rouge_reward", {"reference": "summary", "n_resamples": 5}, "n_resamples"),
        ("inspect_ai", "bleu", {"multi_reference": "best"}, "multi_reference"),
        # Whose name is another one in each process:
        ("torchmetrics", "Bleu", {"tokenizer": str.split}, "tokenizer"),
        # What cannot be added up:
        ("torchmetrics", "Rouge", {"preset": "evaluate"}, "preset"),
        ("torchmetrics", "Rouge", {"confidence_level": 0.95}, "confidence_level"),
        ("torchmetrics", "Rouge", {"use_aggregator": False}, "use_aggregator"),
    ],
)
def test_options_are_checked_before_a_model_runs(package, name, options, named):
    if package not in ("lm_eval", "trl"):  # whose modules import nothing
        needs(package)
    make = getattr(importlib.import_module(f"rouge_bleu.integrations.{package}"), name)
    with pytest.raises(ValueError, match=named):
        make(**options)


@pytest.mark.parametrize("targets", [REFERENCES, FIRSTS])
def test_lm_eval_aggregations_are_scores_of_all_documents(targets):
    pairs = list(zip(ANSWERS, targets, strict=True))
    rouge = rouge_bleu.rouge(ANSWERS, targets, rouge_types=["rouge2"], output="recall")
    assert of_lm_eval.rouge("rouge2", output="recall")(pairs) == rouge["rouge2"]
    bleu = rouge_bleu.bleu(ANSWERS, targets, smoothing="exp")
    assert of_lm_eval.bleu(smoothing="exp")(pairs) == bleu["bleu"]


def test_lm_eval_takes_no_string_for_a_list_and_no_dict_for_references():
    with pytest.raises(TypeError, match="metrics"):
        of_lm_eval.process_results("summaries", "rougeL")
    with pytest.raises(TypeError, match=r"references\[0\]"):  # such as the answers of SQuAD
        of_lm_eval.rouge()([("a cat", {"text": ["a cat"]})])


SEVERAL = """
repeats: 2
filter_list:
  - name: both
    filter:
      - function: take_first_k
        k: 2
"""


@pytest.mark.parametrize(
    ("number", "column", "targets", "types", "more"),
    [
        (0, "summaries", REFERENCES, ["rougeL"], ""),
        (0, "summaries", REFERENCES, ["rougeL"], SEVERAL),
        (1, "summary", FIRSTS, ["rouge1", "rougeL"], ""),
    ],
)
def test_lm_eval_tasks_of_the_page(
    tmp_path, monkeypatch, by_bare_name, number, column, targets, types, more
):
    """By the number of the YAML block: with several targets, and with one."""
    lm_eval = needs("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Model(LM):
        def generate_until(self, requests, disable_tqdm=False):
            return [ANSWER_OF[one.args[0].removesuffix("\nSummary:")] for one in requests]

        def loglikelihood(self, requests):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    monkeypatch.chdir(tmp_path)
    files = {"articles.jsonl": lines_of(**{"article": SOURCES, column: targets})}
    yaml = [text for kind, text in BLOCK.findall(text_of(PAGE)) if kind == "yaml"]
    files |= {
        "task.yaml": yaml[number] + more,
        "utils.py": block(PAGE, "lm-evaluation-harness", "py"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    how = {"tasks": ["summaries"], "task_manager": manager, "bootstrap_iters": 0}
    found = lm_eval.simple_evaluate(model=Model(), **how)
    expected = rouge_bleu.rouge(ANSWERS, targets, rouge_types=types)
    if column == "summaries":
        expected["bleu"] = rouge_bleu.bleu(ANSWERS, targets, smoothing="exp")["bleu"]
    result = found["results"]["summaries"]
    kept = "both" if more else "none"
    found = {name: result[f"{name},{kept}"] for name in expected}
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.fixture
def torch_as_before():
    """lighteval turns gradients off where it is imported."""
    needs("lighteval")
    yield
    importlib.import_module("torch").set_grad_enabled(True)


def test_the_lighteval_task_of_the_page_has_all_references(tmp_path, monkeypatch, torch_as_before):
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry

    class Model(DummyModel):
        def greedy_until(self, docs):
            return [ModelResponse(text=[ANSWER_OF[doc.query]]) for doc in docs]

    monkeypatch.chdir(tmp_path)
    for name in ("_load_from_files", "_load_from_subdirs"):  # its own tasks, which download data
        monkeypatch.setattr(Registry, name, lambda *places: {})
    (tmp_path / "data").mkdir()
    rows = lines_of(source=SOURCES, references=REFERENCES)
    (tmp_path / "data" / "test.jsonl").write_text(rows, encoding="utf-8")
    (tmp_path / "tasks.py").write_text(block(PAGE, "lighteval", "py"), encoding="utf-8")
    how = {"launcher_type": ParallelismManager.NONE, "bootstrap_iters": 0}
    how["custom_tasks_directory"] = str(tmp_path / "tasks.py")
    pipeline = Pipeline(
        tasks="translation|0",
        pipeline_parameters=PipelineParameters(**how),
        evaluation_tracker=EvaluationTracker(output_dir=str(tmp_path / "results")),
        model=Model(DummyModelConfig(cache_dir=str(tmp_path / "cache"))),
    )
    pipeline.evaluate()
    result = pipeline.get_results()["results"]["translation:0"]
    expected = rouge_bleu.rouge(ANSWERS, REFERENCES, rouge_types=["rouge1", "rougeL"])
    expected |= {"bleu": rouge_bleu.bleu(ANSWERS, REFERENCES, smoothing="exp")["bleu"]}
    assert {name: result[name] for name in expected} == pytest.approx(expected, rel=1e-12)
    assert result["bleu"] > rouge_bleu.bleu(ANSWERS, FIRSTS, smoothing="exp")["bleu"]


def test_several_generations_of_lighteval_have_their_mean(torch_as_before):
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from rouge_bleu.integrations.lighteval import rouge

    doc = Doc(query="", choices=["it rains", "x", "rain falls"], gold_index=[0, 2])
    response = ModelResponse(text=["it rains", "rain"])
    score = rouge(["rouge1"]).compute_sample(doc=doc, model_response=response)
    assert score == {"rouge1": pytest.approx((1 + 2 / 3) / 2)}


def test_nan_is_left_out_of_the_means_of_lighteval(torch_as_before):
    from lighteval.logging.info_loggers import MetricsLogger
    from lighteval.metrics import apply_metric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    from rouge_bleu.integrations.lighteval import rouge

    metric = rouge(["rouge2"], zero_division=math.nan)

    class Task:
        aggregation = metric.get_corpus_aggregations

    docs = [Doc(query="", choices=[text], gold_index=0) for text in ("x", "it rains", "it rains")]
    answers = [ModelResponse(text=[text]) for text in ("x", "it rains", "it")]
    logger = MetricsLogger()
    for scores in apply_metric(answers, docs, [metric]):
        logger.log("task", scores)
    logger.aggregate({"task": Task})
    # Of 1 and 0; a reference of one word has no bigram.
    assert logger.metric_aggregated["task"] == {"rouge2": 0.5, "rouge2_stderr": 0.5}


def inspect_model(answers):
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in answers]
    for output in outputs:
        output.usage = ModelUsage()  # else a tokenizer is downloaded, which counts
    return get_model("mockllm/model", custom_outputs=outputs)


def inspect_log(folder, name, answers=ANSWERS, epochs=1, **options):
    """Return the log of an evaluation with a scorer, in which a model gives these answers."""
    inspect_ai = needs("inspect_ai")
    from inspect_ai.dataset import Sample

    from rouge_bleu.integrations import inspect_ai as ours

    rows = enumerate(REFERENCES)
    samples = [Sample(input=f"Write {number}", target=target) for number, target in rows]
    task = inspect_ai.Task(dataset=samples, scorer=getattr(ours, name)(**options))
    how = {"log_dir": str(folder), "display": "none", "max_connections": 1, "max_samples": 1}
    [log] = inspect_ai.eval(task, model=inspect_model(answers), epochs=epochs, **how)
    assert log.status == "success", log.error
    return log


def inspect_scores(log):
    """Return the value of each metric, by the name of the score and its own."""
    return {
        (of.name, metric.name.split("/")[-1]): metric.value
        for of in log.results.scores
        for metric in of.metrics.values()
    }


def test_inspect_ai_has_means_and_the_bleu_of_the_corpus(tmp_path):
    found = inspect_scores(inspect_log(tmp_path, "bleu", tokenizer="whitespace"))
    options = {"preset": "sacrebleu", "tokenizer": "whitespace", "output": "score"}
    each = rouge_bleu.bleu(ANSWERS, REFERENCES, **options, use_aggregator=False)["bleu"]
    assert found["bleu", "mean"] == pytest.approx(sum(each) / 3, rel=1e-12)
    corpus = rouge_bleu.bleu(ANSWERS, REFERENCES, **options)["bleu"]
    assert found["bleu", "corpus_bleu"] == corpus != pytest.approx(sum(each) / 3, abs=0.01)
    # All epochs are in the corpus: samples 1, 2, 3 and again.
    answers = [*ANSWERS, *ANSWERS[1:], "the cat"]
    found = inspect_scores(inspect_log(tmp_path, "bleu", answers, epochs=2, tokenizer="whitespace"))
    corpus = rouge_bleu.bleu(answers, REFERENCES * 2, **options)["bleu"]
    assert found["bleu", "corpus_bleu"] == corpus
    options = {"rouge_types": ["rouge1", "rougeL"], "use_stemmer": True}
    found = inspect_scores(inspect_log(tmp_path, "rouge", **options))
    expected = rouge_bleu.rouge(ANSWERS, REFERENCES, **options)
    assert {name: found[name, "mean"] for name in expected} == pytest.approx(expected, rel=1e-12)
    assert found["rouge1", "stderr"] > 0


def test_the_command_of_inspect_ai_finds_a_scorer_of_an_installed_package(tmp_path):
    log = inspect_log(tmp_path / "logs", "bleu")
    packages = installed(built("wheel", tmp_path), tmp_path / "site-packages")
    options = ("--scorer", "rouge_bleu/rouge", "-S", "rouge_types=rougeL", "--overwrite")
    command = ("-m", "inspect_ai", "score", log.location, *options, "--action", "append")
    run(*command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(packages)})
    again = inspect_scores(importlib.import_module("inspect_ai.log").read_eval_log(log.location))
    expected = rouge_bleu.rouge(ANSWERS, REFERENCES, rouge_types=["rougeL"])
    assert again["rougeL", "mean"] == pytest.approx(expected["rougeL"], rel=1e-12)


def test_the_inspect_ai_code_of_the_page(tmp_path, monkeypatch):
    needs("inspect_ai")
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    names = {"model": inspect_model(["It rains a lot.", "Good morning to you."])}
    exec(block(PAGE, "inspect-ai", "py"), names)
    found = inspect_scores(names["log"])
    assert found["bleu", "corpus_bleu"] == found["bleu", "mean"] == found["rougeL", "mean"] == 1.0


def messages(text):
    return [{"role": "user", "content": "Go on."}, {"role": "assistant", "content": text}]


def parts(text):
    return [{"role": "assistant", "content": [{"type": "text", "text": text}, {"type": "image"}]}]


@pytest.mark.parametrize(("form", "of_reference"), [(str, str), (messages, str), (parts, messages)])
def test_texts_and_messages_have_the_same_rewards(form, of_reference):
    columns = {"prompts": ANSWERS, "completions": list(map(form, ANSWERS)), "trainer_state": None}
    columns |= {"summary": list(map(of_reference, FIRSTS))}
    rouge = rouge_bleu.rouge(ANSWERS, FIRSTS, rouge_types=["rouge1"], use_aggregator=False)
    assert rouge_reward("summary", "rouge1")(**columns) == rouge["rouge1"]
    options = {"smoothing": "exp", "max_order": 2, "use_aggregator": False}
    bleu = rouge_bleu.bleu(ANSWERS, FIRSTS, **options)["bleu"]
    assert bleu_reward("summary", max_order=2)(**columns) == bleu
    best = bleu_reward("summary", max_order=2, multi_reference="best")  # of items only
    assert best(**columns) == bleu


CALL = {"role": "assistant", "content": None, "tool_calls": [{"name": "search"}]}
ANSWER_OF_TOOL = {"role": "tool", "name": "search", "content": "the cat sat"}


@pytest.mark.parametrize(
    ("completion", "score"),
    [
        ([CALL, ANSWER_OF_TOOL], 0.0),  # cut off: the model wrote nothing
        ([CALL, ANSWER_OF_TOOL, {"role": "assistant", "content": "the cat"}], 0.8),
        ([{"role": "assistant", "content": "the cat"}, CALL, ANSWER_OF_TOOL], 0.0),
        ([{"role": "assistant", "content": "the cat"}, ANSWER_OF_TOOL], 0.8),
        ([{"role": "assistant", "content": "the cat"}, {"role": "user", "content": "sat"}], 0.8),
        ([{"role": "assistant"}], 0.0),
        ([{"content": "the cat"}], 0.8),
        ([], 0.0),
        ([{"role": "assistant", "content": [{"text": "the "}, {"text": "cat"}]}], 0.8),
        ([{"role": "assistant", "content": [{"type": "output_text", "text": "the cat"}]}], 0.8),
        # As `datasets` fills columns:
        ([{"role": "assistant", "content": [{"type": None, "text": "the cat"}]}], 0.8),
        ([{"role": "assistant", "content": [{"type": "image", "text": None}]}], 0.0),
    ],
)
def test_only_what_the_model_wrote_last_is_rewarded(completion, score):
    """Of two words, both among the three of the reference: F = 2 * 1 * 2/3 / (1 + 2/3) = 0.8."""
    assert rouge_reward("summary")([completion], summary=["the cat sat"]) == [score]


def test_rewards_of_several_references_and_of_none():
    several = [["x", text] for text in FIRSTS]
    one = rouge_reward("summary")(ANSWERS, summary=FIRSTS)
    assert rouge_reward("summary")(ANSWERS, summary=several) == one
    assert rouge_reward("summary", multi_reference="average")(ANSWERS, summary=several) != one
    # Rows of another task, whose columns `datasets` fills with None.
    mixed = rouge_reward("summary")(ANSWERS, summary=[FIRSTS[0], None, FIRSTS[2]])
    assert mixed == [one[0], None, one[2]]
    for options in ({"rouge_type": "rougeW", "preset": "rouge-1.5.5", "output": "fmeasure"}, {}):
        assert rouge_reward("summary", **options)(["a cat"], summary=[None]) == [None]


@pytest.mark.parametrize(
    ("completions", "summary", "named"),
    [
        (["a", "b"], ["a", ["b", None]], r"summary\[1\]\[1\]"),
        (["a", "b"], ["a", 5], r"summary\[1\]"),
        (["a", "b"], ["a", []], r"summary\[1\]"),
        (["a", "b"], ["a", [{"role": "user", "content": "b"}]], r"summary\[1\]"),
        (["a", ["a", "b"]], ["a", "b"], r"completions\[1\]"),
        (["a", None], ["a", "b"], r"completions\[1\]"),
        (["a", "b"], None, "summary"),
    ],
)
def test_columns_that_are_no_texts_are_named(completions, summary, named):
    with pytest.raises((TypeError, ValueError), match=named):
        rouge_reward("summary")(completions, summary=summary)


def test_rewards_without_their_column():
    with pytest.raises(ValueError, match="summary"):
        rouge_reward("summary")(completions=ANSWERS, prompts=ANSWERS, article=ANSWERS)
