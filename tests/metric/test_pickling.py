"""Pickles in pools of processes, and the hash by which `datasets` knows a metric.

That a cluster's workers load received metrics is tested for each way to load, in test_loading.py.
"""

import copy
import json
import multiprocessing
import os
import pickle

import evaluate
import joblib
import multiprocess
import pytest
from datasets.fingerprint import Hasher

import rouge_bleu
from helpers.clones import PACKAGE, clone
from helpers.metrics import loaded
from helpers.programs import run
from helpers.repository import ROOT

TEXTS = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
# Lin 2004, by hand: 5 of 6 words and 3 of 5 bigrams.
OPTIONS = {"rouge_types": ["rouge1", "rouge2"], "output": "recall"}
SCORES = {"rouge1": 5 / 6, "rouge2": 3 / 5}


def test_pools_of_processes():
    """Of the standard library, of `multiprocess`, which `datasets` uses, and of joblib."""
    script, package = loaded("rouge_full", **OPTIONS), rouge_bleu.load("rouge_full", **OPTIONS)
    pools = [library.get_context("spawn").Pool(1) for library in (multiprocessing, multiprocess)]
    with pools[0], pools[1]:
        metrics = zip(pools, (package, script), strict=True)
        results = [pool.apply_async(metric.compute, kwds=TEXTS) for pool, metric in metrics]
        assert [result.get(100) for result in results] == [SCORES] * 2
    work = [joblib.delayed(script.compute)(**TEXTS)] * 2
    assert joblib.Parallel(n_jobs=2)(work) == [SCORES] * 2


def test_copies_are_of_the_same_class(metric):
    """What was pickled can be pickled again, as workers do that start workers."""
    of_pickle = pickle.loads(pickle.dumps(metric, protocol=2))
    again = pickle.loads(pickle.dumps(of_pickle))
    for copied in (of_pickle, again, copy.copy(metric), copy.deepcopy(metric)):
        assert type(copied) is type(metric)
        assert copied is not metric
        assert copied.load_options == metric.load_options
        assert copied.__reduce_ex__(4)[0].args == (str(ROOT / f"{metric.name}.py"),)


def test_a_class_of_the_user_is_found_by_its_name(rouge_full, monkeypatch):
    own = type("Own", (type(rouge_full),), {"__module__": __name__})
    monkeypatch.setitem(globals(), "Own", own)
    assert type(pickle.loads(pickle.dumps(own()))) is own


def test_workers_with_another_version(rouge_full):
    """Machines that score by different rules would give a mixture."""
    state = rouge_full.__getstate__() | {"_version": "0.0.1"}
    with pytest.raises(ImportError, match=rf"0\.0\.1 was pickled.*loads {rouge_full.version}"):
        copy.copy(rouge_full).__setstate__(state)


# --- hashes ---------------------------------------------------------------------------------------

HASHES = """
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


def f_of_rows(rows):
    columns = {f"{name}s": rows[name] for name in ("prediction", "reference")}
    print("computed", file=sys.stderr)
    return metrics["type"].compute(**columns, use_aggregator=False)


hashes = {name: Hasher.hash(metric) for name, metric in metrics.items()}
for metric in metrics.values():
    metric.compute(predictions=["a b c"], references=["a b d"])
    metric.add(prediction="a", reference="b")
    metric.compute()
assert hashes == {name: Hasher.hash(metric) for name, metric in metrics.items()}
hashes["rows"] = Hasher.hash(f_of_rows)
hashes["compute"] = Hasher.hash(metrics["rouge"].compute)
shared = os.path.dirname(folder)
given = {"data_files": f"{shared}/rows.jsonl", "split": "train", "cache_dir": f"{shared}/cache"}
rows = datasets.load_dataset("json", **given).map(f_of_rows, batched=True)
print(json.dumps([hashes, rows["rouge1"][:]]))
"""


def test_every_process_makes_the_same_hash(tmp_path, run_code):
    """So `Dataset.map` finds what another one has computed; 5 of 6 words match. What gives other
    scores has another hash. An experiment does not: it changes where files are.
    """
    row = {"prediction": TEXTS["predictions"][0], "reference": TEXTS["references"][0]}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    found = []
    for place, seed in (("own", {}), ("other", {"PYTHONHASHSEED": "1"})):
        folder = tmp_path / place
        folder.mkdir()
        where = {"cwd": folder, "env": os.environ | {"HF_HOME": str(folder / "home")} | seed}
        given = HASHES, ROOT, folder
        done = run("-c", *given, **where) if seed else run_code(*given, **where)
        hashes, scores = json.loads(done.stdout)
        assert scores == [5 / 6]
        found.append((hashes, "computed" in done.stderr))
    (hashes, was_computed), (others, is_computed_again) = found
    assert hashes == others
    assert (was_computed, is_computed_again) == (True, False)
    assert hashes.pop("of an experiment") == hashes["rouge"]
    assert len(set(hashes.values())) == len(hashes)


def test_what_was_added_is_part_of_the_hash(load, name):
    """Until it is computed: the next compute depends on it. The seed of `evaluate` is random."""
    metric = load(name)
    assert metric.seed == 0
    before = Hasher.hash(metric)
    metric.add(prediction="a b", reference="a c")
    assert Hasher.hash(metric) != before
    metric.compute()
    assert Hasher.hash(metric) == before
    assert load(name, seed=7).seed == 7


def test_another_code_or_version_has_another_hash(tmp_path):
    """As after an update of the script or of any module."""
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
