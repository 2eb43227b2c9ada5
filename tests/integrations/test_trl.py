"""The reward functions of rouge_bleu.integrations.trl, in a GRPOTrainer too."""

from functools import partial

import pytest

import rouge_bleu
from helpers.pages import block
from rouge_bleu.integrations.trl import bleu_reward, rouge_reward

TEXTS = ["the cat sat on a mat", "", "a dog"]
REFERENCES = ["the cat sat on the mat", "it rains", "the dog"]


def messages(text):
    return [{"role": "user", "content": "Go on."}, {"role": "assistant", "content": text}]


def parts(text):
    return [{"role": "assistant", "content": [{"type": "text", "text": text}, {"type": "image"}]}]


@pytest.mark.parametrize("form", [str, messages, parts])
@pytest.mark.parametrize("form_of_reference", [str, messages])
def test_texts_and_messages_have_the_same_rewards(form, form_of_reference):
    columns = {
        "prompts": TEXTS,
        "completions": list(map(form, TEXTS)),
        "summary": list(map(form_of_reference, REFERENCES)),
        "trainer_state": None,
    }
    rouge = rouge_bleu.rouge(TEXTS, REFERENCES, rouge_types=["rouge1"], use_aggregator=False)
    assert rouge_reward("summary", "rouge1")(**columns) == rouge["rouge1"]
    options = {"smoothing": "exp", "max_order": 2, "use_aggregator": False}
    bleu = rouge_bleu.bleu(TEXTS, REFERENCES, **options)["bleu"]
    assert bleu_reward("summary", max_order=2)(**columns) == bleu


def test_several_references():
    references = [["x", text] for text in REFERENCES]
    one, several = (
        rouge_reward("summary")(TEXTS, summary=given) for given in (REFERENCES, references)
    )
    assert one == several
    assert rouge_reward("summary", multi_reference="average")(TEXTS, summary=references) != one


@pytest.mark.parametrize(
    ("make", "options", "named"),
    [(rouge_reward, {"rouge_type": "rougeX"}, "rougeX"), (bleu_reward, {"tokenizer": "13"}, "13")],
)
def test_options_are_checked_before_training(make, options, named):
    with pytest.raises(ValueError, match=named):
        make("summary", **options)


def test_a_column_that_is_not_there_is_named():
    with pytest.raises(ValueError, match="summary"):
        rouge_reward("summary")(completions=TEXTS, prompts=TEXTS, article=TEXTS)


@pytest.mark.timeout(900)
def test_grpo(tmp_path, monkeypatch):
    pytest.importorskip("trl", reason="make test-integrations installs trl")
    import train_summarizer
    import transformers
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
        each = [log[f"rewards/{name}/mean"] for name in ("rouge1", "bleu")]
        assert log["reward"] == pytest.approx(sum(each), rel=1e-5)  # of torch's 32 bits
        assert min(each) >= 0
        assert max(each) < 1
    assert logs[0]["rewards/rouge1/mean"] > 0
