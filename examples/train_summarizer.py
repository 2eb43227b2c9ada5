"""Train a small model that summarizes, and score it with both metrics after every epoch.

    python examples/train_summarizer.py
    torchrun --nproc_per_node 2 examples/train_summarizer.py
    python examples/train_summarizer.py --evaluate summarizer

The articles are made up by a few rules, the tokenizer is trained on them, and the model has 0.2
million weights, so nothing is downloaded and one core needs less than a minute. What concerns the
metrics is the same for a model of any size: `decoded`, `metrics_of_trainer`, `SummaryTrainer`, and the
arguments of the Trainer in `trained`. This model generates, so only a decoder-only model needs
`preprocess_logits_for_metrics`. The first two commands write the best model into the folder
`summarizer`; the last one scores it in a separate loop. All print JSON: scores, number of processes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Callable
from typing import Any

import evaluate
import torch
import transformers
from accelerate import Accelerator
from datasets import Dataset
from tokenizers import ByteLevelBPETokenizer

MAX_SUMMARY = 24  # tokens
BATCH = 32  # articles, over all processes
N_PROCESSES = int(os.environ.get("WORLD_SIZE", "1"))  # that torchrun or accelerate has started

NAMES = "Anna Ben Carla David Emma Felix Greta Hugo".split()
VERBS = "bought sold found lost painted repaired".split()
THINGS = "bicycle piano clock boat mirror lamp camera table".split()
PLACES = "Rome Oslo Paris Lima Cairo Delhi Quito Seoul".split()
REMARKS = ("It rained all day.", "Nobody else had come.", "A dog barked twice.")


def articles(n: int, seed: int) -> Dataset:
    """Return n articles with their summaries, of one or two sentences."""
    draw = random.Random(seed)
    rows = []
    for _ in range(n):
        name, verb, thing, place = map(draw.choice, (NAMES, VERBS, THINGS, PLACES))
        sentences = [f"Yesterday {name} {verb} an old {thing}.", draw.choice(REMARKS)]
        summary = f"{name} {verb} a {thing}."
        if draw.random() < 0.7:
            sentences.append(f"All this happened in {place}.")
            summary += f" It was in {place}."
        draw.shuffle(sentences)
        rows.append({"article": " ".join(sentences), "summary": summary})
    return Dataset.from_list(rows)


def tokenizer_of(data: Dataset) -> transformers.PreTrainedTokenizerFast:
    """Return a tokenizer that is trained on these articles."""
    special = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>"}
    bpe = ByteLevelBPETokenizer(add_prefix_space=True)
    texts = [*data["article"], *data["summary"]]
    bpe.train_from_iterator(texts, 500, special_tokens=[*special.values()], show_progress=False)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=bpe._tokenizer, **special)


def model_of(tokenizer: transformers.PreTrainedTokenizerFast) -> transformers.PreTrainedModel:
    """Return a model with random weights."""
    layers = {"encoder_layers": 2, "decoder_layers": 2}
    heads = {"encoder_attention_heads": 4, "decoder_attention_heads": 4}
    widths = {"d_model": 64, "encoder_ffn_dim": 128, "decoder_ffn_dim": 128}
    special = ("pad_token_id", "bos_token_id", "eos_token_id")
    ids = {name: getattr(tokenizer, name) for name in special}
    config = transformers.BartConfig(
        vocab_size=len(tokenizer),
        max_position_embeddings=64,
        dropout=0.0,
        init_std=0.1,  # a small model learns faster from larger weights
        decoder_start_token_id=tokenizer.bos_token_id,
        forced_eos_token_id=None,
        **(layers | heads | widths | ids),
    )
    return transformers.BartForConditionalGeneration(config)


def encoded(data: Dataset, tokenizer: transformers.PreTrainedTokenizerFast) -> Dataset:
    """Return the token ids of articles and summaries, as models take them."""

    def ids(rows: dict[str, Any]) -> dict[str, Any]:
        articles, labels = (
            tokenizer([text + tokenizer.eos_token for text in rows[name]])
            for name in ("article", "summary")
        )
        names = ("input_ids", "attention_mask")
        return {**{name: articles[name] for name in names}, "labels": labels["input_ids"]}

    return data.map(ids, batched=True, remove_columns=data.column_names)


def decoded(ids, tokenizer):
    rows = []
    for batch in ids if isinstance(ids, list) else [ids]:  # eval_do_concat_batches=False
        batch = batch[0] if isinstance(batch, tuple) else batch
        if batch.ndim != 2:
            raise ValueError(
                "predictions are logits: set predict_with_generate=True or preprocess_logits_for_metrics"
            )
        rows += [row[row >= 0] for row in batch]  # -100 is not a token
    return tokenizer.batch_decode(rows, skip_special_tokens=True)


def preprocess_logits_for_metrics(logits, labels):  # for decoder-only models
    logits = logits[0] if isinstance(logits, tuple) else logits
    # Position i predicts token i + 1; labels of the prompt are -100.
    return logits[:, :-1].argmax(-1).masked_fill(labels[:, 1:] < 0, -100)


def loaded_metrics() -> list[Any]:
    """Return both metrics, with their options."""
    # rougeLsum compares sentences, which are lines; the output of a model has none.
    types = ["rouge1", "rouge2", "rougeLsum"]
    rouge = evaluate.load("rouge_full", rouge_types=types, sentence_splitter="sentences")
    # Without smoothing BLEU is 0 as long as no four words in a row are right, so all early epochs
    # would be equal. Loggers take numbers only, and "score" leaves out lists.
    return [rouge, evaluate.load("bleu_full", smoothing="exp", output="score")]


def metrics_of_trainer(tokenizer: transformers.PreTrainedTokenizerFast) -> Callable[..., Any]:
    """Return the function that the Trainer calls: once, or for each batch with batch_eval_metrics."""
    rouge, bleu = loaded_metrics()

    def compute_metrics(eval_prediction: Any, compute_result: bool = True) -> dict[str, float]:
        predictions = decoded(eval_prediction.predictions, tokenizer)
        references = decoded(eval_prediction.label_ids, tokenizer)
        for metric in (rouge, bleu):
            metric.add_batch(predictions=predictions, references=references)
        return {**rouge.compute(), **bleu.compute()} if compute_result else {}

    return compute_metrics


def scores_of_model(folder: str) -> dict[str, float]:
    """Score a saved model in a loop, in any number of processes.

    Each process generates a part. `gather_for_metrics` gives every process all texts, without those
    that were repeated to fill up the last batch, so the number of processes changes no score.
    """
    accelerator = Accelerator(cpu=True)
    tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
    model = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    loader = torch.utils.data.DataLoader(
        encoded(articles(101, seed=2), tokenizer),
        batch_size=BATCH // accelerator.num_processes,
        collate_fn=transformers.DataCollatorForSeq2Seq(tokenizer),
    )
    loader = accelerator.prepare(loader)
    metrics = loaded_metrics()
    for batch in loader:
        labels = batch.pop("labels")
        with torch.no_grad():
            ids = model.generate(**batch, max_length=MAX_SUMMARY)
        texts = zip(decoded(ids, tokenizer), decoded(labels, tokenizer), strict=True)
        pairs = accelerator.gather_for_metrics(list(texts), use_gather_object=True)
        predictions, references = map(list, zip(*pairs, strict=True))
        for metric in metrics:
            metric.add_batch(predictions=predictions, references=references)
    accelerator.end_training()
    return {name: score for metric in metrics for name, score in metric.compute().items()}


class SummaryTrainer(transformers.Seq2SeqTrainer):
    """A Trainer that scores each article once: `Seq2SeqTrainer` keeps those that fill up the last batch."""

    def evaluation_loop(self, *arguments: Any, **options: Any) -> Any:
        self.gather_function = self.accelerator.gather_for_metrics
        return super().evaluation_loop(*arguments, **options)


def trained(arguments: argparse.Namespace) -> dict[str, float]:
    """Train, save the best model, and return its scores."""
    transformers.set_seed(0)  # before the model gets its random weights
    data = articles(512, seed=1)
    tokenizer = tokenizer_of(data)
    trainer = SummaryTrainer(
        model=model_of(tokenizer),
        args=transformers.Seq2SeqTrainingArguments(
            output_dir=arguments.folder,
            predict_with_generate=True,  # else compute_metrics gets no texts
            generation_max_length=MAX_SUMMARY,  # else 20 tokens, however long summaries are
            batch_eval_metrics=arguments.batch_eval_metrics,
            eval_strategy="epoch",
            eval_on_start=True,
            save_strategy="epoch",
            load_best_model_at_end=True,
            metric_for_best_model="eval_rougeLsum",
            num_train_epochs=arguments.epochs,
            per_device_train_batch_size=BATCH // N_PROCESSES,
            per_device_eval_batch_size=BATCH // N_PROCESSES,
            learning_rate=3e-3,
            lr_scheduler_type="constant_with_warmup",
            warmup_steps=10,
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        ),
        train_dataset=encoded(data, tokenizer),
        eval_dataset=encoded(articles(101, seed=2), tokenizer),
        data_collator=transformers.DataCollatorForSeq2Seq(tokenizer),
        processing_class=tokenizer,
        compute_metrics=metrics_of_trainer(tokenizer),
    )
    trainer.train()
    scores = trainer.evaluate()  # of the best model, which is loaded at the end
    trainer.save_model()
    trainer.save_state()
    return {name: scores[f"eval_{name}"] for name in ("rouge1", "rouge2", "rougeLsum", "bleu")}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", default="summarizer", help="for the model")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--batch-eval-metrics", action="store_true")
    parser.add_argument("--evaluate", metavar="FOLDER", help="a model to score, not train")
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)  # so small a model gains nothing by more
    scores = scores_of_model(given.evaluate) if given.evaluate else trained(given)
    if os.environ.get("RANK", "0") == "0":
        print(json.dumps({**scores, "processes": N_PROCESSES}))


if __name__ == "__main__":
    main()
