"""Train a small model that summarizes, and score it with both metrics after every epoch.

    python examples/train_summarizer.py
    torchrun --nproc_per_node 2 examples/train_summarizer.py
    python examples/train_summarizer.py --evaluate summarizer

The articles are made up by a few rules, the tokenizer is trained on them, and the model
has 0.2 million weights, so that nothing is downloaded and one core needs less than a
minute. What concerns the metrics is the same for a model of any size: `decoded`,
`metrics_of_trainer`, `SummaryTrainer`, and the arguments of the Trainer in `trained`.

The first two write the best model into the folder `summarizer`, and the last one scores
it in a loop of its own, without the Trainer. All of them print the scores as JSON, with
the number of processes: `accelerate launch --cpu` starts one, whatever it is told, where
there is no MPI.
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
from accelerate import Accelerator
from datasets import Dataset
from tokenizers import ByteLevelBPETokenizer
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    DataCollatorForSeq2Seq,
    PreTrainedTokenizerFast,
    Seq2SeqTrainer,
    Seq2SeqTrainingArguments,
    set_seed,
)

MAX_SUMMARY = 24  # tokens
BATCH = 32  # articles, over all processes

NAMES = "Anna Ben Carla David Emma Felix Greta Hugo".split()
VERBS = "bought sold found lost painted repaired".split()
THINGS = "bicycle piano clock boat mirror lamp camera table".split()
PLACES = "Rome Oslo Paris Lima Cairo Delhi Quito Seoul".split()
REMARKS = (
    "It rained all day.",
    "Nobody else had come.",
    "The neighbours were surprised.",
    "A dog barked twice.",
)


# --- data, tokenizer, model -----------------------------------------------------------


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


def tokenizer_of(data: Dataset) -> PreTrainedTokenizerFast:
    """Return a tokenizer that is trained on these articles."""
    special = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>"}
    bpe = ByteLevelBPETokenizer(add_prefix_space=True)
    bpe.train_from_iterator(
        [*data["article"], *data["summary"]],
        vocab_size=500,
        special_tokens=list(special.values()),
        show_progress=False,
    )
    return PreTrainedTokenizerFast(tokenizer_object=bpe._tokenizer, **special)


def model_of(tokenizer: PreTrainedTokenizerFast) -> BartForConditionalGeneration:
    """Return a model with random weights."""
    config = BartConfig(
        vocab_size=len(tokenizer),
        d_model=64,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=128,
        decoder_ffn_dim=128,
        max_position_embeddings=64,
        dropout=0.0,
        init_std=0.1,  # a small model learns faster from larger weights
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        decoder_start_token_id=tokenizer.bos_token_id,
        forced_eos_token_id=None,
    )
    return BartForConditionalGeneration(config)


def encoded(data: Dataset, tokenizer: PreTrainedTokenizerFast) -> Dataset:
    """Return the token ids of articles and summaries, as models take them."""

    def ids(rows: dict[str, Any]) -> dict[str, Any]:
        end = tokenizer.eos_token
        summaries = [summary + end for summary in rows["summary"]]
        columns = tokenizer([article + end for article in rows["article"]])
        return {
            "input_ids": columns["input_ids"],
            "attention_mask": columns["attention_mask"],
            "labels": tokenizer(summaries)["input_ids"],
        }

    return data.map(ids, batched=True, remove_columns=data.column_names)


# --- scores ---------------------------------------------------------------------------


def decoded(ids: Any, tokenizer: PreTrainedTokenizerFast) -> list[str]:
    """Return the texts of token ids, which the Trainer gives as arrays or tensors."""
    ids = ids[0] if isinstance(ids, tuple) else ids
    if ids.ndim != 2:
        raise ValueError("these are scores of tokens, no tokens: set predict_with_generate=True")
    # Labels are filled up with -100, which is no token, and so are predictions where
    # batches of other lengths are put together.
    rows = [row[row >= 0] for row in ids]
    return tokenizer.batch_decode(rows, skip_special_tokens=True)


def loaded_metrics() -> list[Any]:
    """Return both metrics, with their options."""
    rouge = evaluate.load(
        "rouge_full",
        rouge_types=["rouge1", "rouge2", "rougeLsum"],
        # rougeLsum compares sentences, which are lines; what a model writes has none.
        sentence_splitter="sentences",
    )
    # Without smoothing BLEU is 0 as long as no four words in a row are right, and all
    # early epochs are equal. Loggers take numbers only, and "score" leaves out lists.
    bleu = evaluate.load("bleu_full", smoothing="exp", output="score")
    return [rouge, bleu]


def metrics_of_trainer(tokenizer: PreTrainedTokenizerFast) -> Callable[..., Any]:
    """Return the function that the Trainer calls, with and without batch_eval_metrics.

    With it, each batch comes by itself, and the last one with compute_result=True.
    An untrained model writes nothing at all: an empty text scores 0.
    """
    metrics = loaded_metrics()

    def compute_metrics(given: Any, compute_result: bool = True) -> dict[str, float]:
        predictions = decoded(given.predictions, tokenizer)
        references = decoded(given.label_ids, tokenizer)
        for metric in metrics:
            metric.add_batch(predictions=predictions, references=references)
        if not compute_result:
            return {}
        return {name: score for metric in metrics for name, score in metric.compute().items()}

    return compute_metrics


def scores_of_model(folder: str, n_articles: int) -> dict[str, float]:
    """Score a saved model in a loop, in any number of processes.

    Each process generates a part. `gather_for_metrics` gives all of them all texts, and
    leaves out those that were repeated to fill up the last batch, so that the result
    does not depend on the number of processes.
    """
    accelerator = Accelerator(cpu=True)
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    model = BartForConditionalGeneration.from_pretrained(folder).eval()
    loader = torch.utils.data.DataLoader(
        encoded(articles(n_articles, seed=2), tokenizer),
        batch_size=BATCH // accelerator.num_processes,
        collate_fn=DataCollatorForSeq2Seq(tokenizer),
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


# --- training -------------------------------------------------------------------------


class SummaryTrainer(Seq2SeqTrainer):
    """Scores each article once in several processes, as in one.

    `Seq2SeqTrainer.evaluate` keeps those that were repeated to fill up the last batch.
    """

    def evaluation_loop(self, *arguments: Any, **options: Any) -> Any:
        self.gather_function = self.accelerator.gather_for_metrics
        return super().evaluation_loop(*arguments, **options)


def trained(arguments: argparse.Namespace) -> dict[str, float]:
    """Train, save the best model, and return its scores."""
    set_seed(0)  # before the model gets its random weights
    data = articles(512, seed=1)
    tokenizer = tokenizer_of(data)
    model = model_of(tokenizer)
    trainer = SummaryTrainer(
        model=model,
        args=Seq2SeqTrainingArguments(
            output_dir=arguments.folder,
            predict_with_generate=True,  # else compute_metrics gets no texts
            generation_max_length=MAX_SUMMARY,  # else 20 tokens, however long summaries are
            batch_eval_metrics=arguments.batch_eval_metrics,
            eval_strategy="epoch",
            eval_on_start=True,
            save_strategy="epoch",
            load_best_model_at_end=True,
            metric_for_best_model="eval_rougeLsum",
            save_total_limit=2,
            num_train_epochs=arguments.epochs,
            per_device_train_batch_size=BATCH // n_processes(),
            per_device_eval_batch_size=BATCH // n_processes(),
            learning_rate=3e-3,
            lr_scheduler_type="constant_with_warmup",
            warmup_steps=10,
            logging_strategy="epoch",
            report_to="none",
            disable_tqdm=True,
            use_cpu=True,
        ),
        train_dataset=encoded(data, tokenizer),
        eval_dataset=encoded(articles(arguments.articles, seed=2), tokenizer),
        data_collator=DataCollatorForSeq2Seq(tokenizer, model=model),
        processing_class=tokenizer,
        compute_metrics=metrics_of_trainer(tokenizer),
    )
    trainer.train()
    scores = trainer.evaluate()  # of the best model, which is loaded at the end
    trainer.save_model()
    trainer.save_state()
    names = ("rouge1", "rouge2", "rougeLsum", "bleu")
    return {name: scores[f"eval_{name}"] for name in names}


def n_processes() -> int:
    """Return how many processes torchrun or `accelerate launch` has started."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", default="summarizer", help="for the model")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--articles", type=int, default=101, help="to score")
    parser.add_argument("--batch-eval-metrics", action="store_true")
    parser.add_argument("--evaluate", metavar="FOLDER", help="a model to score, not train")
    given = parser.parse_args(arguments)
    torch.set_num_threads(1)  # so small a model gains nothing by more
    folder, n_articles = given.evaluate, given.articles
    scores = scores_of_model(folder, n_articles) if folder else trained(given)
    if os.environ.get("RANK", "0") == "0":
        print(json.dumps({**scores, "processes": n_processes()}))


if __name__ == "__main__":
    main()
