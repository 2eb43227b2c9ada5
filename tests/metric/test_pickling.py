"""A metric in other processes: pickles, copies, and the hash by which `datasets` knows it.

Each program has a module cache, a folder and a hash seed of its own.
"""

import copy
import json
import multiprocessing
import os
import pickle
import shutil

import cloudpickle
import dill
import evaluate
import joblib
import multiprocess
import pytest
from datasets.fingerprint import Hasher

import rouge_bleu
from helpers.clones import PACKAGE, clone
from helpers.hub import LoopbackHub
from helpers.programs import environment, run
from helpers.repository import ROOT
from rouge_bleu_tools.hub.install import install

TEXTS = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
# Lin 2004, as in DESIGN: 5 of 6 words and 3 of 5 bigrams.
OPTIONS = {"rouge_types": ["rouge1", "rouge2"], "output": "recall"}
SCORES = {"rouge1": 5 / 6, "rouge2": 3 / 5}

# A worker of a cluster: it knows nothing of metrics, and calls the object it received. Its output of a
# pickle that it cannot read is its result.
WORKER = """
import json, pickle, sys
results = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        try:
            results.append(pickle.load(file)())
        except Exception as error:
            results.append(f"{type(error).__name__}: {error}")
print(json.dumps(results))
"""


def pickled(metric):
    """A function that holds a metric, as one that a cluster is given, by value."""
    return cloudpickle.dumps(lambda: metric.compute(**TEXTS))


@pytest.fixture
def results_of(tmp_path, run_code):
    """What a worker with an empty cache makes of pickles."""

    def results_of(*contents, home=tmp_path / "worker", **variables):
        paths = [tmp_path / f"{number}.pickle" for number in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        done = run_code(WORKER, *paths, env=environment(home, **variables), cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return results_of


@pytest.fixture
def space(spaces, tmp_path):
    """A folder that a test may remove."""
    return shutil.copytree(spaces / "rouge_full", tmp_path / "shared" / "rouge_full")


# --- pickles --------------------------------------------------------------------------------------


def test_workers_load_the_same_path(space, results_of, monkeypatch):
    """Of a clone and, given from its folder, of a Space; with pickles of all kinds."""
    rouge = evaluate.load(str(ROOT / "rouge_full.py"), **OPTIONS)
    rouge.compute(**TEXTS)
    bleu = evaluate.load(str(ROOT / "bleu_full.py"), tokenizer=str.split, output="score")
    monkeypatch.chdir(space.parent)
    of_space = evaluate.load("rouge_full", **OPTIONS)
    pickles = [*map(pickled, (rouge, bleu, of_space))]
    pickles.append(dill.dumps(lambda: rouge.compute(**TEXTS), recurse=True))
    assert results_of(*pickles) == [SCORES, bleu.compute(**TEXTS), SCORES, SCORES]


def test_workers_that_cannot_reach_the_path(space, results_of):
    """The error names the missing part."""
    content = pickled(evaluate.load(str(space), **OPTIONS))
    shutil.rmtree(space)
    (error,) = results_of(content)
    assert error.startswith("FileNotFoundError: ")
    assert str(space) in error


def test_workers_with_another_version(rouge_full):
    """Machines that score by different rules would give a mixture."""
    state = rouge_full.__getstate__() | {"_version": "0.0.1"}
    with pytest.raises(ImportError, match=rf"0\.0\.1 was pickled.*loads {rouge_full.version}"):
        copy.copy(rouge_full).__setstate__(state)


def test_workers_with_an_installed_copy(tmp_path, run_code, results_of):
    """Of a metric that was loaded by its bare name."""
    home = tmp_path / "installed"
    install(home / "modules" / "evaluate_modules")
    content = pickle_of_program(tmp_path, run_code, "rouge_full", home, HF_EVALUATE_OFFLINE="1")
    assert results_of(content, home=home, HF_EVALUATE_OFFLINE="1") == [SCORES]


def test_workers_that_reach_the_hub(tmp_path, space, run_code, results_of):
    with LoopbackHub({"user/rouge_full": space}) as hub:
        address = {"HF_ENDPOINT": hub.url}
        content = pickle_of_program(
            tmp_path, run_code, "user/rouge_full", tmp_path / "here", **address
        )
        assert results_of(content, **address) == [SCORES]


PROGRAM_THAT_PICKLES = """
import json, sys, cloudpickle, evaluate
metric = evaluate.load(sys.argv[1], **json.loads(sys.argv[2]))
texts = json.loads(sys.argv[3])
with open(sys.argv[4], "wb") as file:
    file.write(cloudpickle.dumps(lambda: metric.compute(**texts)))
"""


def pickle_of_program(tmp_path, run_code, path, home, **variables):
    file = tmp_path / "of program.pickle"
    given = path, json.dumps(OPTIONS), json.dumps(TEXTS), file
    env = environment(home, **variables)
    done = run_code(PROGRAM_THAT_PICKLES, *given, env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    return file.read_bytes()


def test_pools_of_processes():
    """Of the standard library, of `multiprocess`, which `datasets` uses, and of joblib."""
    script = evaluate.load(str(ROOT / "rouge_full.py"), **OPTIONS)
    script.compute(**TEXTS)
    package = rouge_bleu.load("rouge_full", **OPTIONS)
    for library, metric in ((multiprocessing, package), (multiprocess, script)):
        with library.get_context("spawn").Pool(1) as pool:
            assert pool.apply_async(metric.compute, kwds=TEXTS).get(60) == SCORES
    work = [joblib.delayed(script.compute)(**TEXTS)] * 2
    assert joblib.Parallel(n_jobs=2)(work) == [SCORES] * 2


def test_copies_are_of_the_same_class(metric):
    """What was pickled can be pickled again, as workers do that start workers."""
    of_pickle = pickle.loads(pickle.dumps(metric))
    copies = (of_pickle, pickle.loads(pickle.dumps(of_pickle)), copy.copy(metric))
    for copied in (*copies, pickle.loads(pickle.dumps(metric, protocol=2)), copy.deepcopy(metric)):
        assert type(copied) is type(metric)
        assert copied is not metric
        assert copied.load_options == metric.load_options
        assert copied.__reduce_ex__(4)[0].args == (str(ROOT / f"{metric.name}.py"),)


def test_one_object_stays_one(metric):
    """In a list that holds it twice, also one that holds added examples."""
    metric = copy.deepcopy(metric)
    metric.add(prediction="a b", reference="a c")
    for copied in (pickle.loads(pickle.dumps([metric] * 2)), copy.deepcopy([metric] * 2)):
        assert copied[0] is copied[1]
        assert len(copied[0]) == 1


def test_a_class_of_the_user_is_found_by_its_name(rouge_full, monkeypatch):
    own = type("Own", (type(rouge_full),), {"__module__": __name__})
    monkeypatch.setitem(globals(), "Own", own)
    assert type(pickle.loads(pickle.dumps(own()))) is own


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


def test_every_process_makes_the_same_hash(tmp_path, run_code):
    """So `Dataset.map` finds what another one has computed; 5 of 6 words match. What gives other
    scores has another hash. An experiment does not: it changes where files are.
    """
    row = {"prediction": "the cat sat on a mat", "reference": "the cat sat on the mat"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    found = []
    for place in ("own", "other"):
        folder = tmp_path / place
        folder.mkdir()
        env = os.environ | {"HF_HOME": str(folder / "home")}
        if place == "own":
            done = run_code(HASHES, ROOT, folder, cwd=folder, env=env)
        else:
            env["PYTHONHASHSEED"] = "1"
            done = run("-c", HASHES, ROOT, folder, cwd=folder, env=env)
        hashes, scores = json.loads(done.stdout)
        assert scores == [5 / 6]
        found.append((hashes, "computed" in done.stderr))
    (hashes, was_computed), (others, is_computed_again) = found
    assert hashes == others
    assert (was_computed, is_computed_again) == (True, False)
    assert hashes.pop("of an experiment") == hashes["rouge"]
    assert len(set(hashes.values())) == len(hashes)


def test_what_was_added_is_part_of_the_hash(load, name):
    """Until it is computed: the next compute depends on it."""
    metric = load(name)
    before = Hasher.hash(metric)
    metric.add(prediction="a b", reference="a c")
    added = Hasher.hash(metric)
    metric.compute()
    assert added != before
    assert Hasher.hash(metric) == before


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


def test_the_seed_is_not_random(rouge_full, load):
    """`evaluate` takes one from numpy's random state where none is given."""
    assert rouge_full.seed == 0
    assert load("rouge_full", seed=7).seed == 7
