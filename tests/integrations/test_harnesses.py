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
from rouge_bleu.integrations import verl
from rouge_bleu.integrations.trl import bleu_reward, rouge_reward
from rouge_bleu_tools.cli.main import main

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
        ("lm_eval", "sentence_bleu", {"smoothing": "expo"}, "smoothing"),
        ("lm_eval", "corpus_bleu", {"max_order": 0}, "max_order"),
        ("lighteval", "rouge", {"rouge_types": ["rougeX"]}, "rougeX"),
        ("lighteval", "corpus_bleu", {"smoothing": "expo"}, "smoothing"),
        ("inspect_ai", "rouge", {"rouge_types": ["rougeX"]}, "rougeX"),
        ("inspect_ai", "bleu", {"tokenizer": "unicod"}, "unicod"),
        ("trl", "rouge_reward", {"reference": "summary", "rouge_type": "rougeX"}, "rougeX"),
        ("trl", "bleu_reward", {"reference": "summary", "tokenizer": "13"}, "13"),
        ("torchmetrics", "Rouge", {"rouge_types": ["rougeX"]}, "rougeX"),
        ("mlflow", "rouge", {"rouge_type": "rougeX"}, "rougeX"),
        ("mlflow", "bleu_scorer", {"tokenizer": "13"}, "13"),
        ("verl", "rouge_reward", {"rouge_type": "rougeX"}, "rougeX"),
        ("verl", "bleu_reward", {"form": "batches"}, "form"),
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
    if package not in ("lm_eval", "trl", "verl"):  # whose modules import nothing
        needs(package)
    make = getattr(importlib.import_module(f"rouge_bleu.integrations.{package}"), name)
    with pytest.raises(ValueError, match=named):
        make(**options)


@pytest.mark.parametrize("targets", [REFERENCES, FIRSTS])
def test_lm_eval_scores_documents_and_all_of_them(targets):
    metrics = {"rouge": of_lm_eval.rouge("rouge2", output="recall"), "texts": of_lm_eval.texts}
    process = of_lm_eval.process_results("summaries", **metrics)
    rows = zip(ANSWERS, targets, strict=True)
    found = [process({"summaries": target}, [answer]) for answer, target in rows]
    options = {"rouge_types": ["rouge2"], "output": "recall", "use_aggregator": False}
    expected = rouge_bleu.rouge(ANSWERS, targets, **options)["rouge2"]
    assert [scores["rouge"] for scores in found] == expected
    together = of_lm_eval.corpus_bleu(smoothing="exp")([scores["texts"] for scores in found])
    assert together == rouge_bleu.bleu(ANSWERS, targets, smoothing="exp")["bleu"]


def test_lm_eval_takes_functions_and_no_dict_for_references():
    with pytest.raises(TypeError, match="rougeL"):
        of_lm_eval.process_results("summaries", rougeL="rougeL")
    with pytest.raises(TypeError, match=r"references\[0\]"):  # such as the answers of SQuAD
        of_lm_eval.rouge()("a cat", {"text": ["a cat"]})


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
    shared = yaml[0].partition("doc_to_target")[0]  # with the second task, which is shown in part
    files |= {
        "task.yaml": shared * number + yaml[number] + more,
        "utils.py": block(PAGE, "lm-evaluation-harness", "py"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    manager = TaskManager(include_path=str(tmp_path), include_defaults=False)
    how = {"tasks": ["summaries"], "task_manager": manager, "bootstrap_iters": 2}
    logged = lm_eval.simple_evaluate(model=Model(), log_samples=True, **how)
    expected = rouge_bleu.rouge(ANSWERS, targets, rouge_types=types)
    if column == "summaries":
        expected["bleu"] = rouge_bleu.bleu(ANSWERS, targets, smoothing="exp")["bleu"]
        options = {"smoothing": "exp", "use_aggregator": False}
        sentences = rouge_bleu.bleu(ANSWERS, targets, **options)["bleu"]
        expected["sentence_bleu"] = sum(sentences) / len(sentences)
        assert [one["sentence_bleu"] for one in logged["samples"]["summaries"]] == sentences
    result = logged["results"]["summaries"]
    kept = "both" if more else "none"
    assert result[f"rougeL_stderr,{kept}"] > 0
    found = {name: result[f"{name},{kept}"] for name in expected}
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.fixture
def torch_as_before():
    """lighteval turns gradients off when it is imported."""
    needs("lighteval")
    yield
    importlib.import_module("torch").set_grad_enabled(True)


def lighteval_run(tmp_path, monkeypatch, **model):
    """Return the results of the page's task with a model, and the texts that it wrote."""
    from lighteval.logging.evaluation_tracker import EvaluationTracker
    from lighteval.pipeline import ParallelismManager, Pipeline, PipelineParameters
    from lighteval.tasks.registry import Registry

    monkeypatch.chdir(tmp_path)
    for name in ("_load_from_files", "_load_from_subdirs"):  # its own tasks, which download data
        monkeypatch.setattr(Registry, name, lambda *places: {})
    (tmp_path / "data").mkdir()
    rows = lines_of(source=SOURCES, references=REFERENCES)
    (tmp_path / "data" / "test.jsonl").write_text(rows, encoding="utf-8")
    code = block(PAGE, "lighteval", "py").replace("generation_size=100", "generation_size=8")
    (tmp_path / "tasks.py").write_text(code, encoding="utf-8")
    how = {"launcher_type": ParallelismManager.NONE, "bootstrap_iters": 0}
    how["custom_tasks_directory"] = str(tmp_path / "tasks.py")
    pipeline = Pipeline(
        tasks="translation|0",
        pipeline_parameters=PipelineParameters(**how),
        evaluation_tracker=EvaluationTracker(output_dir=str(tmp_path / "results")),
        **model,
    )
    pipeline.evaluate()
    [details] = pipeline.evaluation_tracker.details_logger.details.values()
    text_of = {one.doc.query: one.model_response.final_text[0] for one in details}
    texts = [text_of[source] for source in SOURCES]
    return pipeline.get_results()["results"]["translation:0"], texts


def assert_lighteval_scores(result, texts):
    expected = rouge_bleu.rouge(texts, REFERENCES, rouge_types=["rouge1", "rougeL"])
    expected |= {"bleu": rouge_bleu.bleu(texts, REFERENCES, smoothing="exp")["bleu"]}
    assert {name: result[name] for name in expected} == pytest.approx(expected, rel=1e-12)


def test_the_lighteval_task_of_the_page_has_all_references(tmp_path, monkeypatch, torch_as_before):
    from lighteval.models.dummy.dummy_model import DummyModel, DummyModelConfig
    from lighteval.models.model_output import ModelResponse

    class Model(DummyModel):
        def greedy_until(self, docs):
            return [ModelResponse(text=[ANSWER_OF[doc.query]]) for doc in docs]

    model = Model(DummyModelConfig(cache_dir=str(tmp_path / "cache")))
    result, texts = lighteval_run(tmp_path, monkeypatch, model=model)
    assert texts == ANSWERS
    assert_lighteval_scores(result, texts)
    assert result["bleu"] > rouge_bleu.bleu(ANSWERS, FIRSTS, smoothing="exp")["bleu"]


def test_the_lighteval_task_of_the_page_runs_a_model_of_transformers(
    tmp_path, monkeypatch, torch_as_before
):
    """Whose stop sequences must be a list."""
    import train_summarizer
    import transformers
    from lighteval.models.transformers.transformers_model import TransformersModelConfig

    tokenizer = train_summarizer.tokenizer_of(train_summarizer.articles(16, seed=3))
    special = {name: getattr(tokenizer, name) for name in ("bos_token_id", "eos_token_id")}
    size = {"n_embd": 32, "n_layer": 1, "n_head": 2, "n_positions": 256}
    config = transformers.GPT2Config(vocab_size=len(tokenizer), **size, **special)
    for part in (transformers.GPT2LMHeadModel(config), tokenizer):
        part.save_pretrained(tmp_path / "model")
    how = {
        "batch_size": 3,
        "device": "cpu",
        "max_length": 200,
        "cache_dir": str(tmp_path / "cache"),
    }
    model = TransformersModelConfig(model_name=str(tmp_path / "model"), **how)
    result, texts = lighteval_run(tmp_path, monkeypatch, model_config=model)
    assert any(texts)
    assert_lighteval_scores(result, texts)


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


def test_the_command_reads_logs_of_inspect_ai(tmp_path, capsys):
    """Which are a folder with one log."""
    inspect_log(tmp_path, "bleu")
    assert main(["score", str(tmp_path), "-m", "bleu", "-b", "--allow-empty"]) == 0
    expected = 100 * rouge_bleu.bleu(ANSWERS, REFERENCES, output="score")["bleu"]
    assert capsys.readouterr().out == f"{expected:.2f}\n"


@pytest.mark.parametrize("is_editable", [True, False])
def test_the_command_of_inspect_ai_finds_the_scorers(tmp_path, is_editable):
    """In this environment the package is editable."""
    log = inspect_log(tmp_path / "logs", "bleu")
    how = {"cwd": tmp_path}
    if not is_editable:
        packages = installed(built("wheel", tmp_path), tmp_path / "site-packages")
        how["env"] = os.environ | {"PYTHONPATH": str(packages)}
    kept = ("--overwrite", "--action", "append")
    command = ("-m", "inspect_ai", "score", log.location, *kept, "--scorer")
    run(*command, "rouge_bleu/rouge", "-S", "rouge_types=rougeL", **how)
    run(*command, "rouge_bleu/bleu", **how)
    again = inspect_scores(importlib.import_module("inspect_ai.log").read_eval_log(log.location))
    expected = rouge_bleu.rouge(ANSWERS, REFERENCES, rouge_types=["rougeL"])
    assert again["rougeL", "mean"] == pytest.approx(expected["rougeL"], rel=1e-12)
    corpus = [value for (_, name), value in again.items() if name == "corpus_bleu"]
    assert corpus == [rouge_bleu.bleu(ANSWERS, REFERENCES, preset="sacrebleu")["bleu"]] * 2


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
        ([CALL, ANSWER_OF_TOOL], 0.0),  # truncated: the model wrote nothing
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


def test_rewards_have_names_of_their_own_in_the_log():
    rewards = [rouge_reward("summary"), rouge_reward("title"), rouge_reward("summary", "rouge1")]
    rewards += [rouge_reward("summary", stopwords={"b", "a"}), bleu_reward("summary")]
    names = [reward.__name__ for reward in rewards]
    assert names[:3] == ["rougeL_summary", "rougeL_title", "rouge1_summary"]
    assert names[3:] == ["rougeL_summary_stopwords=['a', 'b']", "bleu_summary"]


def test_rewards_without_their_column():
    with pytest.raises(ValueError, match="summary"):
        rouge_reward("summary")(completions=ANSWERS, prompts=ANSWERS, article=ANSWERS)


SUMMARIES = {"predictions": ["a cat sat", "the dog ran"], "references": [["the cat sat", "x"], "a"]}


def test_rewards_of_verl_and_openrlhf(tmp_path, monkeypatch):
    predictions, references = SUMMARIES.values()
    references = [references[0], [references[1]]]
    options = {"rouge_types": ["rouge1"], "use_aggregator": False}
    expected = rouge_bleu.rouge(predictions, references, **options)["rouge1"]
    one = verl.rouge_reward("one", "rouge1")
    pairs = zip(predictions, references, strict=True)
    assert expected == [one("articles", *pair, extra_info={"index": 1}) for pair in pairs]
    columns = {"data_sources": ["a", "b"], "solution_strs": predictions, "extra_infos": [{}, {}]}
    assert verl.rouge_reward("batch", "rouge1")(**columns, ground_truths=references) == expected
    needs("torch")
    prompts = ["Write. ", "Go on: "]
    queries = [prompt + text for prompt, text in zip(prompts, predictions, strict=True)]
    found = verl.rouge_reward("openrlhf", "rouge1")(queries, prompts, references, step=1)
    assert found["rewards"].tolist() == found["scores"].tolist() == pytest.approx(expected)
    assert found["extra_logs"]["rouge1"] is found["rewards"]


def test_verl_loads_the_function_of_the_page(tmp_path):
    """verl 0.9 is for transformers before 5.11, so `make test-integrations` has none."""
    loader = pytest.importorskip("verl.trainer.ppo.reward", reason="verl is not installed")
    from omegaconf import OmegaConf

    (tmp_path / "reward.py").write_text(block(PAGE, "verl and OpenRLHF", "py"), encoding="utf-8")
    for name in ("compute_score", "compute_scores"):
        given = {"path": str(tmp_path / "reward.py"), "name": name, "reward_kwargs": {}}
        config = OmegaConf.create({"reward": {"custom_reward_function": given}})
        reward = loader.get_custom_reward_fn(config)
        if name == "compute_score":
            how = {"data_source": "x", "solution_str": "a b", "ground_truth": "a b"}
            assert reward(**how, extra_info={}) == 1.0
        else:
            how = {"data_sources": ["x"], "solution_strs": ["a b"], "ground_truths": [["a b"]]}
            assert reward(**how, extra_infos=[{}]) == [1.0]
