"""The hash that `datasets` makes of a metric, in this process and in others.

Each other process has a module cache, a folder and a hash seed of its own.
"""

import json
import os

import datasets.utils._dill
import evaluate
import pytest
from datasets.fingerprint import Hasher

from helpers.clones import PACKAGE, clone
from helpers.programs import run
from helpers.repository import ROOT
from rouge_bleu.metric.hashing import register_hash

TEXTS = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}

PROGRAM = """
import json, os, sys
import datasets, evaluate
from datasets.fingerprint import Hasher

root, folder = sys.argv[1:]


def words(text):
    return text.split()


def load(name, *configuration, **options):
    return evaluate.load(f"{root}/{name}.py", *configuration, **options)


metrics = {
    "rouge": load("rouge_full"),
    "bleu": load("bleu_full"),
    "of an experiment": load("rouge_full", experiment_id=folder, cache_dir=folder),
    "type": load("rouge_full", rouge_types=["rouge1"]),
    "preset": load("rouge_full", "rouge_score"),
    "stop words": load("rouge_full", stopwords={"a", "the", "of", "on", "in", "is", "to"}),
    "function": load("rouge_full", tokenizer=words),
    "weights": load("bleu_full", weights={"bleu2": [1, 1], "bleu1": [1]}),
    "seed": load("rouge_full", seed=1),
}
rouge = load("rouge_full", rouge_types=["rouge1"])


def f_of_rows(rows):
    scores = rouge.compute(
        predictions=rows["prediction"], references=rows["reference"], use_aggregator=False
    )
    print("computed", file=sys.stderr)
    return {"rouge1": scores["rouge1"]}


hashes = {name: Hasher.hash(metric) for name, metric in metrics.items()}
for metric in metrics.values():
    metric.compute(predictions=["a b c"], references=["a b d"])
    metric.add(prediction="a", reference="b")
    metric.compute()
after = {name: Hasher.hash(metric) for name, metric in metrics.items()}
assert after == hashes
hashes["rows"] = Hasher.hash(f_of_rows)
hashes["compute"] = Hasher.hash(metrics["rouge"].compute)
shared = os.path.dirname(folder)
rows = datasets.load_dataset(
    "json", data_files=f"{shared}/rows.jsonl", split="train", cache_dir=f"{shared}/cache"
)
rows = rows.map(f_of_rows, batched=True)
print(json.dumps([hashes, rows["rouge1"][:]]))
"""


@pytest.fixture(scope="module")
def processes(tmp_path_factory, run_code):
    """Output and errors of two processes, the second one after the first."""
    folder = tmp_path_factory.mktemp("processes")
    row = {"prediction": "the cat sat on a mat", "reference": "the cat sat on the mat"}
    (folder / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    own, other = folder / "own", folder / "other"
    own.mkdir()
    other.mkdir()
    first = run_code(PROGRAM, ROOT, own, cwd=own, env=os.environ | {"HF_HOME": str(own / "home")})
    env = os.environ | {"PYTHONHASHSEED": "1", "HF_HOME": str(other / "home")}
    return first, run("-c", PROGRAM, ROOT, other, cwd=other, env=env)


def hashes_of(done):
    return json.loads(done.stdout)[0]


def test_every_process_makes_the_same_hash(processes):
    """Also of a function that holds a metric, and after compute."""
    first, second = map(hashes_of, processes)
    assert first == second


def test_what_gives_other_scores_has_another_hash(processes):
    """An experiment is none: it changes where files are."""
    hashes = hashes_of(processes[0])
    assert hashes.pop("of an experiment") == hashes["rouge"]
    assert len(set(hashes.values())) == len(hashes)


def test_map_finds_in_another_process_what_it_has_computed(processes):
    """5 of 6 words match."""
    assert [json.loads(done.stdout)[1] for done in processes] == [[5 / 6]] * 2
    assert ["computed" in done.stderr for done in processes] == [True, False]


def test_what_was_added_is_part_of_the_hash(metric):
    """Until it is computed: the next compute depends on it."""
    metric = evaluate.load(str(ROOT / f"{metric.name}.py"))
    before = Hasher.hash(metric)
    metric.add(prediction="a b", reference="a c")
    added = Hasher.hash(metric)
    metric.compute()
    assert added != before
    assert Hasher.hash(metric) == before


def test_another_code_or_version_has_another_hash(tmp_path):
    """As after an update of the script or of any module; the name of the class has the hash of the
    code in it.
    """
    folder = clone(tmp_path / "rouge_full")
    metrics = [evaluate.load(str(folder)) for _ in range(2)]
    for file in (folder / "rouge_full.py", next((folder / PACKAGE).rglob("[a-z]*.py"))):
        with file.open("a", encoding="utf-8") as opened:
            opened.write("\n_CHANGED = True\n")
        metrics.append(evaluate.load(str(folder)))
    first, same, *changed = (Hasher.hash(metric) for metric in metrics)
    assert first == same
    assert len({first, *changed}) == 3
    metrics[1].version = "0.0.1"
    assert Hasher.hash(metrics[1]) != first


def test_without_a_place_for_hashes_a_metric_still_loads(rouge_full, monkeypatch):
    """As with another release of datasets."""
    monkeypatch.delattr(datasets.utils._dill, "pklregister")

    class Own(type(rouge_full)):
        pass

    register_hash(Own)
    assert Own not in datasets.utils._dill.Pickler.dispatch
    assert Own().compute(**TEXTS, rouge_types=["rouge1"]) == {"rouge1": 5 / 6}


def test_the_seed_is_not_random(rouge_full):
    """`evaluate` takes one from numpy's random state where none is given."""
    assert rouge_full.seed == 0
    assert evaluate.load(str(ROOT / "rouge_full.py"), seed=7).seed == 7
