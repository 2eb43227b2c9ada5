"""`examples/train_summarizer.py`: a real Seq2SeqTrainer, in one process and in two.

`make test-training` runs this; it is skipped where transformers, accelerate or torch are not
installed.
"""

import json
import os

import pytest

from helpers.programs import python
from helpers.repository import ROOT

for package in ("torch", "transformers", "accelerate"):
    pytest.importorskip(package, reason=f"make test-training installs {package}")

SCRIPT = str(ROOT / "examples" / "train_summarizer.py")
LAUNCH = ("-m", "torch.distributed.run", "--nproc_per_node", "2")  # torchrun
NAMES = ["rouge1", "rouge2", "rougeLsum", "bleu"]
KEYS = [f"eval_{name}" for name in NAMES]

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where models are written; the metrics are installed for what runs there."""
    folder = tmp_path_factory.mktemp("training")
    assert run("-m", "rouge_bleu_tools.hub", "install", folder=ROOT).returncode == 0
    return folder


def run(*command, folder):
    offline = os.environ | {"HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
    return python(*command, cwd=folder, env=offline, seconds=600)


def printed_scores(*command, folder):
    """The scores, of as many processes as the command says."""
    done = run(*command, folder=folder)
    assert done.returncode == 0, done.stderr
    scores = json.loads(done.stdout.splitlines()[-1])
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


@pytest.fixture(scope="module")
def run_of_two(folder):
    """Half trained, by two processes, so that there is something to score."""
    command = (*LAUNCH, SCRIPT, "--folder", "two", "--epochs", "2")
    return printed_scores(*command, folder=folder)


def test_the_scores_climb_from_about_0_to_near_1(full_run, folder):
    _, logs = evaluations(folder, "full")
    assert [log["step"] for log in logs] == [0, 16, 32, 48, 64, 80, 96, 96]
    for key in KEYS:
        assert logs[0][key] < 0.05
        assert logs[-1][key] > 0.95
    assert list(full_run) == NAMES
    assert all(full_run[name] == logs[-1][f"eval_{name}"] for name in NAMES)


def test_the_best_model_is_picked_by_rouge(full_run, folder):
    state, logs = evaluations(folder, "full")
    best = max(logs[1:-1], key=lambda log: log["eval_rougeLsum"])  # the first one of several
    assert state["best_metric"] == best["eval_rougeLsum"]
    assert state["best_model_checkpoint"].endswith(f"checkpoint-{best['step']}")
    again = printed_scores(SCRIPT, "--evaluate", "full", folder=folder)
    assert again["rougeLsum"] == best["eval_rougeLsum"]


def test_batch_by_batch_gives_the_same_scores(full_run, folder):
    command = (SCRIPT, "--folder", "batches", "--epochs", "1", "--batch-eval-metrics")
    printed_scores(*command, folder=folder)
    in_batches = evaluations(folder, "batches")[1]
    at_once = evaluations(folder, "full")[1]
    assert in_batches[:2] == at_once[:2]
    assert in_batches[1]["eval_rouge1"] > 0.2


def test_two_processes_give_the_scores_of_one(run_of_two, folder):
    """The Trainer in two processes, and a loop with gather_for_metrics in two and in one.

    101 articles do not fill the last batch of two processes: repeated ones have to be left out.
    """
    assert 0.2 < run_of_two["bleu"] < 0.95
    assert printed_scores(SCRIPT, "--evaluate", "two", folder=folder) == run_of_two
    assert printed_scores(*LAUNCH, SCRIPT, "--evaluate", "two", folder=folder) == run_of_two
