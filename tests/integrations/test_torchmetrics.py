"""The metrics of rouge_bleu.integrations.torchmetrics in torchmetrics, Lightning and two processes."""

import copy
import os
import pickle
from functools import partial

import pytest

import rouge_bleu
from helpers.pages import BLOCK, block, text_of
from helpers.programs import run

pytest.importorskip("torchmetrics", reason="make test-integrations installs torchmetrics")

import torch
from torchmetrics import MetricCollection

from rouge_bleu.integrations.torchmetrics import Bleu, Rouge

PAGE = "docs/integrations.md"
PREDICTIONS = ["the cat sat on a mat", "", "a dog ran off today", "it rains", "well-known facts"]
REFERENCES = [["the cat sat on the mat"], ["x"], ["the dog ran off", "a dog ran away today"]]
REFERENCES += [["it rains"], ["a well-known fact, it says"]]
BATCHES = [slice(0, 2), slice(2, 3), slice(3, 5)]
TYPES = ["rouge1", "rougeLsum"]


def added(metric, batches=BATCHES):
    for batch in batches:
        metric.update(PREDICTIONS[batch], REFERENCES[batch])
    return metric


def rouge(**options):
    return rouge_bleu.rouge(PREDICTIONS, REFERENCES, **options)


def bleu(**options):
    return rouge_bleu.bleu(PREDICTIONS, REFERENCES, output="score", **options)["bleu"]


def close_to(expected):
    return pytest.approx(expected, rel=1e-6)  # of torch's 32 bits


def numbers(result):
    return {name: score.item() for name, score in result.items()}


@pytest.mark.parametrize("options", [{}, {"smoothing": "exp"}, {"reference_length": "average"}])
def test_batches_have_the_bleu_of_all_texts(options):
    assert added(Bleu(**options)).compute().item() == close_to(bleu(**options))
    torch.set_default_dtype(torch.float64)
    try:
        found = added(Bleu(**options)).compute().item()
    finally:
        torch.set_default_dtype(torch.float32)
    assert found == pytest.approx(bleu(**options), rel=1e-12)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64])
def test_states_are_exact_for_every_dtype(dtype):
    """Only the result has it: rounded once, from the score that the package has."""
    for metric, score in ((Bleu(), bleu()), (Rouge(rouge_types=["rougeL"]), rouge()["rougeL"])):
        torch.nn.ModuleList([metric]).to(dtype)
        MetricCollection([metric]).set_dtype(dtype)
        assert added(metric).compute() == torch.tensor(score, dtype=torch.float64).to(dtype)


def test_no_texts_score_0_with_the_warning_of_torchmetrics():
    for metric in (Bleu(), Rouge(rouge_types=["rougeL"]), Rouge(rouge_types=TYPES)):
        scores = [metric([], [])]
        metric.reset()
        with pytest.warns(UserWarning, match="before the ``update`` method"):
            scores.append(metric.compute())
        scores = [numbers(one) if isinstance(one, dict) else one.item() for one in scores]
        assert scores in ([0.0, 0.0], [dict.fromkeys(TYPES, 0.0)] * 2)
    metric = Bleu()
    metric.update([], [])
    assert added(metric).compute().item() == close_to(bleu())


def test_the_name_of_a_state_is_the_same_in_every_process():
    """Else a checkpoint does not load: the order of a set depends on the process."""
    code = """if True:
        from rouge_bleu.integrations.torchmetrics import Rouge
        print(*Rouge(stopwords={"a", "the", "of", "in"})._defaults)
    """
    names = {run("-c", code, env=os.environ | {"PYTHONHASHSEED": seed}).stdout for seed in "123"}
    assert len(names) == 1
    assert len(set(Rouge(stopwords={"a"})._defaults) | set(Rouge()._defaults)) == 2


def test_rouge_of_several_types_is_a_dict_and_of_one_a_tensor():
    options = {"use_stemmer": True, "output": "recall", "multi_reference": "average"}
    result = added(Rouge(rouge_types=TYPES, **options)).compute()
    assert numbers(result) == close_to(rouge(rouge_types=TYPES, **options))
    some = {"rouge_types": ["rouge1"], "stopwords": ["a", "the"]}
    once = some | {"stopwords": iter(some["stopwords"])}
    assert added(Rouge(**once)).compute().item() == close_to(rouge(**some)["rouge1"])
    result = added(Rouge(rouge_types=["rougeL"], compute_on_cpu=True)).compute()
    assert result.item() == close_to(rouge(rouge_types=["rougeL"])["rougeL"])


def test_forward_is_the_score_of_a_batch_and_reset_forgets():
    metric = Bleu(smoothing="exp")
    for batch in BATCHES:
        alone = rouge_bleu.bleu(PREDICTIONS[batch], REFERENCES[batch], smoothing="exp")["bleu"]
        assert metric(PREDICTIONS[batch], REFERENCES[batch]).item() == close_to(alone)
    assert metric.compute().item() == close_to(bleu(smoothing="exp"))
    metric.reset()
    assert metric("it rains hard today", "it rains hard today").item() == 1.0
    assert metric.compute().item() == 1.0


def test_a_collection_keeps_metrics_apart_that_agree_on_the_first_batch():
    tokenizers = {"plain": "whitespace", "13a": "13a", "same": "13a"}
    metrics = {name: Bleu(tokenizer=one) for name, one in tokenizers.items()}
    collection = MetricCollection({"rouge": Rouge(rouge_types=TYPES), **metrics})
    result = numbers(added(collection).compute())
    expected = {name: bleu(tokenizer=one) for name, one in tokenizers.items()}
    assert result == close_to(rouge(rouge_types=TYPES) | expected)
    assert result["plain"] != result["13a"]
    first = PREDICTIONS[BATCHES[0]], REFERENCES[BATCHES[0]]
    assert len({rouge_bleu.bleu(*first, tokenizer=one)["bleu"] for one in tokenizers.values()}) == 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_go_on(copied):
    metric = added(Bleu(), BATCHES[:1])
    assert added(copied(metric), BATCHES[1:]).compute().item() == close_to(bleu())


class Texts(torch.utils.data.Dataset):
    def __init__(self, n_rows):
        self.rows = list(zip(PREDICTIONS, REFERENCES, strict=True))[:n_rows]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, number):
        return self.rows[number]


def _score_rank(rank, file, n_rows):
    torch.distributed.init_process_group("gloo", f"file://{file}", rank=rank, world_size=2)
    names = {
        "dataset": Texts(n_rows),
        "rank": rank,
        "world_size": 2,
        "DataLoader": partial(
            torch.utils.data.DataLoader,
            batch_size=2,
            collate_fn=lambda rows: zip(*rows, strict=True),
        ),
    }
    exec(next(code for _, code in BLOCK.findall(text_of(PAGE)) if "sampler=" in code), names)
    for make, name in ((Bleu, "bleu"), (Rouge, "rouge")):
        options = {"smoothing": "exp"} if name == "bleu" else {"rouge_types": ["rouge1"]}
        metric = make(**options)
        for predictions, references in names["loader"]:
            metric.update(list(predictions), list(references))
        function = getattr(rouge_bleu, name)
        expected = function(PREDICTIONS[:n_rows], REFERENCES[:n_rows], **options)
        score = expected["bleu" if name == "bleu" else "rouge1"]
        assert metric.compute().item() == torch.tensor(score).item()
    torch.distributed.destroy_process_group()


@pytest.mark.parametrize("n_rows", [1, 3, 5])
def test_two_processes_have_the_score_of_one(tmp_path, n_rows):
    """With the sampler of the page; of one row, the second process has none."""
    how = {"nprocs": 2, "start_method": "fork"}
    torch.multiprocessing.start_processes(_score_rank, args=(tmp_path / "meeting", n_rows), **how)


def test_lightning_logs_the_score_of_all_batches():
    lightning = pytest.importorskip("lightning", reason="make test-integrations installs lightning")

    names = {}
    exec(block(PAGE, "torchmetrics and Lightning", "py"), names)

    class Model(names["Summarizer"]):
        def texts_of(self, batch):
            return batch

    batches = [(PREDICTIONS[batch], REFERENCES[batch]) for batch in BATCHES]
    loader = torch.utils.data.DataLoader(batches, batch_size=None)
    silent = {"logger": False, "enable_checkpointing": False, "enable_progress_bar": False}
    trainer = lightning.Trainer(accelerator="cpu", **silent)
    [result] = trainer.validate(Model(), loader, verbose=False)
    expected = rouge(rouge_types=["rougeL"], use_stemmer=True) | {"bleu": bleu(smoothing="exp")}
    assert result == close_to(expected)
