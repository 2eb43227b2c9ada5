"""The functions and recipes of README.md and docs/training.md, called by the real libraries.

`make test-training` runs this; it is skipped where transformers or torch are not installed, and
each recipe where its library is not. Blocks without other libraries are run by test_readme.py too.
"""

import json

import evaluate
import pytest

from helpers.metrics import loaded
from helpers.pages import BLOCK, block, text_of

pytest.importorskip("torch", reason="make test-training installs torch")
pytest.importorskip("transformers", reason="make test-training installs transformers")

import torch
import train_summarizer
import transformers

pytestmark = pytest.mark.timeout(600)

torch.set_num_threads(1)  # so small models gain nothing by more


@pytest.fixture(autouse=True)
def metrics_by_bare_name(monkeypatch):
    """As they are when installed."""
    monkeypatch.setattr(evaluate, "load", loaded)


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
    names = {"tokenizer": tokenizer}
    exec(block(page, heading, "python"), names)
    return names["compute_metrics"]


README = ("README.md", "While training")
BOTH = ("docs/training.md", "With both metrics, and batch by batch")


def scores(compute_metrics, model, data, tokenizer, folder, **arguments):
    """What a Trainer gets from a function, of texts of several lengths in several batches."""
    settings = {"predict_with_generate": True, "use_cpu": True, "report_to": "none"}
    settings |= {"per_device_eval_batch_size": 16, "disable_tqdm": True, **arguments}
    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=transformers.Seq2SeqTrainingArguments(output_dir=str(folder), **settings),
        eval_dataset=train_summarizer.encoded(data, tokenizer),
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer, model=model),
        processing_class=tokenizer,
        compute_metrics=compute_metrics,
    )
    result = trainer.evaluate()
    names = ("eval_rouge1", "eval_rouge2", "eval_rougeLsum", "eval_bleu")
    return {name: result[name] for name in names if name in result}


def test_the_functions_of_both_pages(model, data, tokenizer, tmp_path):
    """At once and in batches the same scores, which are floats; labels of several lengths."""
    readme, both = (function_of(*place, tokenizer) for place in (README, BOTH))
    at_once = scores(both, model, data, tokenizer, tmp_path)
    in_batches = scores(both, model, data, tokenizer, tmp_path, batch_eval_metrics=True)
    assert at_once == in_batches
    assert {type(score) for score in at_once.values()} == {float}
    assert len(at_once) == 4
    # `decoded` of the example is the same in other words.
    example = train_summarizer.metrics_of_trainer(tokenizer)
    assert scores(example, model, data, tokenizer, tmp_path) == at_once
    del at_once["eval_bleu"]
    assert scores(readme, model, data, tokenizer, tmp_path) == at_once


@pytest.mark.parametrize("place", [README, BOTH])
def test_without_generation_the_error_says_what_to_set(place, model, data, tokenizer, tmp_path):
    function = function_of(*place, tokenizer)
    with pytest.raises(ValueError, match="set predict_with_generate=True"):
        scores(function, model, data, tokenizer, tmp_path, predict_with_generate=False)


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


def test_trl_s_grpo(data, tokenizer, tmp_path):
    trl = pytest.importorskip("trl", reason="make test-training installs trl")
    given = []
    names = {"evaluate": evaluate}
    exec(block("docs/training.md", "Rewards", "python"), names)
    of_page = names["reward"]

    def reward(completions, summary, **columns):
        rewards = of_page(completions, summary, **columns)
        given.append((completions, summary, rewards))
        return rewards

    tokens = ("bos_token_id", "eos_token_id", "pad_token_id")
    of_tokenizer = {name: getattr(tokenizer, name) for name in tokens}
    size = {"n_embd": 32, "n_layer": 1, "n_head": 2, "n_positions": 128}
    config = transformers.GPT2Config(vocab_size=len(tokenizer), **size, **of_tokenizer)

    def trainer_of_page(**arguments):
        return trl.GRPOTrainer(processing_class=tokenizer, **arguments)

    sizes = {"per_device_train_batch_size": 8, "num_generations": 4, "max_completion_length": 12}
    steps = {"max_steps": 2, "logging_steps": 1, "disable_tqdm": True, "report_to": "none"}
    arguments = {"output_dir": str(tmp_path), "use_cpu": True, "bf16": False, **sizes, **steps}
    names |= {
        "model": transformers.GPT2LMHeadModel(config),
        "reward": reward,
        "arguments": arguments,
        "rows": data.rename_column("article", "prompt"),
    }
    code = block("docs/training.md", "Rewards", "py")
    code = code.replace("from trl import GRPOConfig, GRPOTrainer\n", "")
    names |= {"GRPOConfig": trl.GRPOConfig, "GRPOTrainer": trainer_of_page}
    exec(code, names)
    assert [len(completions) for completions, _, _ in given] == [8, 8]
    completions, summaries, rewards = given[0]
    assert {type(reward) for reward in rewards} == {float}
    rouge = evaluate.load("rouge_full", rouge_types=["rougeL"])
    each = [
        rouge.compute(predictions=[text], references=[summary])["rougeL"]
        for text, summary in zip(completions, summaries, strict=True)
    ]
    assert rewards == each
    logged = [log["reward"] for log in names["trainer"].state.log_history if "reward" in log]
    assert logged[0] == pytest.approx(sum(rewards) / 8, rel=1e-6)  # of torch's 32 bits


def test_lightning():
    lightning = pytest.importorskip("lightning", reason="make test-training installs lightning")
    names = {}
    exec(block("docs/training.md", "Your own loop", "py"), names)

    class Model(names["Validated"]):
        def texts_of(self, batch):
            predictions, references = batch
            return list(predictions), list(references)

    pairs = [("a b c d", "a b c d"), ("a b c e", "a b c d"), ("d c", "a b c d")]
    loader = torch.utils.data.DataLoader(pairs, batch_size=2)
    trainer = lightning.Trainer(
        accelerator="cpu", logger=False, enable_checkpointing=False, enable_progress_bar=False
    )
    [result] = trainer.validate(Model(), loader, verbose=False)
    predictions, references = map(list, zip(*pairs, strict=True))
    bleu = evaluate.load("bleu_full", smoothing="exp")
    expected = bleu.compute(predictions=predictions, references=references)["bleu"]
    assert result == pytest.approx({"bleu": expected}, rel=1e-6)  # of torch's 32 bits


def test_lm_eval(tmp_path, monkeypatch):
    pytest.importorskip("lm_eval", reason="make test-training installs lm_eval")
    from lm_eval.api.model import LM

    summaries = ["the cat sat on the mat", "a dog"]
    written = {summaries[0]: "the cat sat on a mat", summaries[1]: "a dog"}

    class Model(LM):
        """What it writes depends on the article."""

        def generate_until(self, requests, disable_tqdm=False):
            articles = [request.args[0].removesuffix("\nSummary:") for request in requests]
            return [written[article] for article in articles]

        def loglikelihood(self, requests):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    rows = [json.dumps({"article": text, "summary": text}) for text in summaries]
    (tmp_path / "articles.jsonl").write_text("\n".join(rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    names = {"model": Model()}
    exec(block("docs/training.md", "lm-evaluation-harness", "py"), names)
    result = names["evaluation"]["results"]["summaries"]
    texts = {"predictions": list(written.values()), "references": summaries}
    bleu = evaluate.load("bleu_full", smoothing="exp", output="score").compute(**texts)["bleu"]
    assert result["rouge1,none"] == pytest.approx((5 / 6 + 1) / 2, rel=1e-12)
    assert result["bleu,none"] == pytest.approx(bleu, rel=1e-12)


def test_what_the_page_has_for_several_processes_stands_in_the_example():
    """Which test_train_summarizer.py runs in two processes."""
    below = text_of("docs/training.md").split("\n## Several processes\n", 1)[1]
    command, trainer, loop = [text for _, text in BLOCK.findall(below)][:3]
    assert command.strip() in (train_summarizer.__doc__ or "")
    lines = [line.strip() for line in text_of("examples/train_summarizer.py").splitlines()]
    for line in (*trainer.splitlines()[3:], *loop.splitlines()):
        types = "arguments: Any, **options: Any) -> Any:"
        assert line.replace("arguments, **options):", types).strip() in lines
