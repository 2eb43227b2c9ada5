"""The code of README.md and docs/ for transformers and TRL, and examples/train_summarizer.py."""

import json
import os
from functools import partial

import pytest

from helpers.pages import BLOCK, block, text_of
from helpers.programs import run
from helpers.repository import ROOT

pytest.importorskip("torch", reason="make test-integrations installs torch")
pytest.importorskip("transformers", reason="make test-integrations installs transformers")

import datasets
import torch
import train_summarizer
import transformers

pytestmark = [pytest.mark.timeout(900), pytest.mark.usefixtures("by_bare_name")]

torch.set_num_threads(1)  # so small models gain nothing by more


@pytest.fixture(scope="module")
def data():
    return train_summarizer.articles(40, seed=3)


@pytest.fixture(scope="module")
def tokenizer(data):
    return train_summarizer.tokenizer_of(data)


@pytest.fixture
def model(tokenizer):
    """Untrained, but it writes: the words are the same in every run."""
    transformers.set_seed(0)
    model = train_summarizer.model_of(tokenizer)
    model.generation_config.forced_eos_token_id = None
    return model


def function_of(page, heading, tokenizer):
    """Return it after the code of README.md, which the other page shows in part."""
    names = {"tokenizer": tokenizer}
    exec(block(*README, "python"), names)
    exec(block(page, heading, "python"), names)
    return names["compute_metrics"]


NAMES = ["rouge1", "rouge2", "rougeLsum", "bleu"]
KEYS = [f"eval_{name}" for name in NAMES]
WAYS = {
    "one array": {},
    "a list": {"eval_do_concat_batches": False},
    "each batch": {"batch_eval_metrics": True},
}
README = ("README.md", "Training")
BOTH = ("docs/training.md", "With both metrics, and batch by batch")


def scores(compute_metrics, model, data, tokenizer, folder, preprocess=None, **arguments):
    """What a Trainer gets from a function, of texts of several lengths in several batches."""
    settings = {"predict_with_generate": True, "use_cpu": True, "report_to": "none"}
    settings |= {"per_device_eval_batch_size": 16, "disable_tqdm": True}
    settings |= {"generation_max_length": 24, **arguments}
    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=transformers.Seq2SeqTrainingArguments(str(folder), **settings),
        eval_dataset=data,
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model=model),
        processing_class=tokenizer,
        compute_metrics=compute_metrics,
        preprocess_logits_for_metrics=preprocess,
    )
    result = trainer.evaluate()
    return {name: result[name] for name in KEYS if name in result}


def test_the_functions_of_both_pages(model, data, tokenizer, tmp_path):
    """The same scores, which are floats, for every way in which the Trainer passes its batches."""
    data = train_summarizer.encoded(data, tokenizer)
    readme, both = (function_of(*place, tokenizer) for place in (README, BOTH))
    at_once = scores(both, model, data, tokenizer, tmp_path)
    assert {type(score) for score in at_once.values()} == {float}
    assert len(at_once) == 4
    example = train_summarizer.metrics_of_trainer(tokenizer)
    for function in (both, example):
        for name in WAYS:
            assert scores(function, model, data, tokenizer, tmp_path, **WAYS[name]) == at_once
    del at_once["eval_bleu"]
    for name in ("one array", "a list"):
        assert scores(readme, model, data, tokenizer, tmp_path, **WAYS[name]) == at_once


def test_a_decoder_only_model(tokenizer, data, tmp_path):
    """All scores are 1, because the model itself writes the labels after each prompt."""
    sizes = {"n_embd": 32, "n_layer": 1, "n_head": 2, "n_positions": 128}
    special = {"bos_token_id": tokenizer.bos_token_id, "eos_token_id": None}
    transformers.set_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), initializer_range=0.5, **sizes, **special
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    rows = []
    for article in data["article"]:
        prompt = tokenizer(article, return_tensors="pt").input_ids
        ids = model.generate(prompt, do_sample=False, max_new_tokens=12, pad_token_id=0)[0].tolist()
        n_prompt = prompt.shape[1]
        rows.append({"input_ids": ids, "labels": [-100] * n_prompt + ids[n_prompt:]})
    assert len({len(row["labels"]) for row in rows}) > 1
    compute_metrics = function_of(*BOTH, tokenizer)
    given = (compute_metrics, model, datasets.Dataset.from_list(rows), tokenizer, tmp_path)
    ids_of_logits = train_summarizer.preprocess_logits_for_metrics
    for preprocess in (ids_of_logits, lambda logits, labels: ids_of_logits((logits, None), labels)):
        for way in WAYS.values():
            found = scores(*given, preprocess, predict_with_generate=False, **way)
            assert found == dict.fromkeys(KEYS, 1.0)


@pytest.mark.parametrize("place", [README, BOTH])
def test_a_tokenizer_needs_no_pad_token(place, data, tokenizer):
    bare = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer._tokenizer)
    assert bare.pad_token_id is None
    ids = train_summarizer.encoded(data, tokenizer)["labels"][:]
    rows = [torch.tensor(row) for row in ids]
    labels = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=-100)
    assert (labels == -100).any()

    class EvalPrediction:
        predictions = label_ids = labels.numpy()

    assert function_of(*place, bare)(EvalPrediction)["rouge1"] == 1.0


SCRIPT = str(ROOT / "examples" / "train_summarizer.py")
LAUNCH = ("-m", "torch.distributed.run", "--nproc_per_node", "2")  # torchrun


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where models are written; the metrics are installed for what runs there."""
    output("-m", "rouge_bleu_tools.hub", "install", folder=ROOT)
    return tmp_path_factory.mktemp("training")


def output(*command, folder):
    offline = os.environ | {"HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
    return run(*command, cwd=folder, env=offline, seconds=600).stdout


def printed_scores(*command, folder):
    """The scores, of as many processes as the command says."""
    scores = json.loads(output(*command, folder=folder).splitlines()[-1])
    assert scores.pop("processes") == (2 if command[: len(LAUNCH)] == LAUNCH else 1)
    return scores


def evaluations(folder, model):
    """The scores of each evaluation, as the Trainer has written them, by step."""
    state = json.loads((folder / model / "trainer_state.json").read_text(encoding="utf-8"))
    logs = [log for log in state["log_history"] if "eval_bleu" in log]
    return state, [{key: log[key] for key in KEYS} | {"step": log["step"]} for log in logs]


@pytest.fixture(scope="module")
def full_run(folder):
    """To convergence, in one process."""
    return printed_scores(SCRIPT, "--folder", "full", folder=folder)


def test_the_scores_climb_and_the_best_model_is_picked_by_rouge(full_run, folder):
    """From about 0 to near 1."""
    state, logs = evaluations(folder, "full")
    assert [log["step"] for log in logs] == [0, 16, 32, 48, 64, 80, 96, 96]
    for name in NAMES:
        assert logs[0][f"eval_{name}"] < 0.05
        assert full_run[name] == logs[-1][f"eval_{name}"] > 0.95
    assert list(full_run) == NAMES
    best = max(logs[1:-1], key=lambda log: log["eval_rougeLsum"])  # the first one of several
    assert state["best_metric"] == best["eval_rougeLsum"]
    assert state["best_model_checkpoint"].endswith(f"checkpoint-{best['step']}")
    again = printed_scores(SCRIPT, "--evaluate", "full", folder=folder)
    assert again["rougeLsum"] == best["eval_rougeLsum"]


def test_two_processes_give_the_scores_of_one(folder):
    """The Trainer in two processes, and a loop with gather_for_metrics in two and in one.

    101 articles do not fill the last batch of two processes: repeated ones have to be left out.
    """
    of_two = printed_scores(*LAUNCH, SCRIPT, "--folder", "two", "--epochs", "2", folder=folder)
    assert 0.2 < of_two["bleu"] < 0.95  # half trained, so that there is something to score
    assert printed_scores(SCRIPT, "--evaluate", "two", folder=folder) == of_two
    assert printed_scores(*LAUNCH, SCRIPT, "--evaluate", "two", folder=folder) == of_two


def test_what_the_page_has_for_several_processes_stands_in_the_example():
    """Which the test above runs in two processes."""
    below = text_of("docs/training.md").split("\n## Several processes\n", 1)[1]
    command, trainer, loop = [text for _, text in BLOCK.findall(below)][:3]
    assert command.strip() in (train_summarizer.__doc__ or "")
    code = text_of("examples/train_summarizer.py").replace("transformers.", "")
    lines = [line.strip() for line in code.splitlines()]
    for line in (*trainer.splitlines()[3:], *loop.splitlines()):
        types = "arguments: Any, **options: Any) -> Any:"
        assert line.replace("arguments, **options):", types).strip() in lines


def test_grpo(tmp_path, monkeypatch):
    pytest.importorskip("trl", reason="make test-integrations installs trl")
    import trl

    data = train_summarizer.articles(16, seed=3).rename_column("article", "prompt")
    tokenizer = train_summarizer.tokenizer_of(data.rename_column("prompt", "article"))
    special = {name: getattr(tokenizer, name) for name in ("bos_token_id", "eos_token_id")}
    size = {"n_embd": 32, "n_layer": 1, "n_head": 2, "n_positions": 128}
    config = transformers.GPT2Config(vocab_size=len(tokenizer), **size, **special)
    settings = {"per_device_train_batch_size": 8, "num_generations": 4, "max_completion_length": 12}
    settings |= {"max_steps": 2, "logging_steps": 1, "disable_tqdm": True, "report_to": "none"}
    names = {
        "model": transformers.GPT2LMHeadModel(config),
        "arguments": {"output_dir": str(tmp_path), "use_cpu": True, "bf16": False, **settings},
        "rows": data,
    }
    trainer_of_page = partial(trl.GRPOTrainer, processing_class=tokenizer)
    monkeypatch.setattr(trl, "GRPOTrainer", trainer_of_page)
    exec(block("docs/integrations.md", "TRL", "py"), names)
    trainer = names["trainer"]
    logs = [log for log in trainer.state.log_history if "reward" in log]
    assert len(logs) == 2
    for log in logs:
        each = [log[f"rewards/{name}/mean"] for name in ("rouge1_summary", "bleu_summary")]
        assert log["reward"] == pytest.approx(sum(each), rel=1e-5)  # of torch's 32 bits
        assert min(each) >= 0
        assert max(each) < 1
    assert logs[0]["rewards/rouge1_summary/mean"] > 0
