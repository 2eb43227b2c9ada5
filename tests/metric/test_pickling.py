"""A metric that was pickled here, in processes that share some places with this one, or none.

Importing `evaluate` takes a process seconds, so each test starts one process at most.
"""

import copy
import inspect
import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import cloudpickle
import dill
import evaluate
import pytest
import stage
from full_metrics.rouge_full import RougeFull

from helpers.hub import LoopbackHub
from helpers.repository import ROOT
from rouge_bleu.metric.pickling import load_call, metric_in_reach

NOBODY = "http://127.0.0.1:9"  # the port of the discard service
TEXTS = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
# Lin 2004, as in DESIGN: 5 of 6 words and 3 of 5 bigrams.
OPTIONS = {"rouge_types": ["rouge1", "rouge2"], "output": "recall"}
SCORES = {"rouge1": 5 / 6, "rouge2": 3 / 5}

# A worker of a cluster: it knows nothing of metrics, and calls what it was sent.
WORKER = """
import json, pickle, sys
results = []
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        score = pickle.load(file)
    results.append(score())
print(json.dumps(results))
"""


def score_of(metric):
    """A function that holds a metric, as one that a cluster is given, by value."""
    return lambda: metric.compute(**TEXTS)


class Own(RougeFull):
    """A metric of one's own."""


def environment(home, **changes):
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {"HF_HOME": str(home), "HF_ENDPOINT": NOBODY, "HF_UPDATE_DOWNLOAD_COUNTS": "0"}
    return kept | settings | {"NO_PROXY": "127.0.0.1"} | changes


def run(arguments, env, folder):
    return subprocess.run(
        [sys.executable, *arguments],
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


def results_of_worker(pickles, env, folder):
    paths = []
    for number, content in enumerate(pickles):
        paths.append(folder / f"{number}.pickle")
        paths[-1].write_bytes(content)
    done = run(["-c", WORKER, *map(str, paths)], env, folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def space(spaces, tmp_path):
    """A folder that a test may remove, with a script of its own."""
    folder = tmp_path / "shared" / "rouge_full"
    shutil.copytree(spaces / "rouge_full", folder)
    with (folder / "rouge_full.py").open("a", encoding="utf-8") as file:
        file.write(f"\n_OF_TEST = {str(tmp_path)!r}\n")
    return folder


def copy_of_evaluate(metric):
    """The folder into which `evaluate` copied the script."""
    return Path(inspect.getfile(type(metric))).parent


def test_a_function_that_holds_a_metric_works_in_a_process_with_the_same_cache(tmp_path):
    """Its options go with it; those of Python's own pickle, of cloudpickle and of dill."""
    metric = evaluate.load(str(ROOT / "rouge_full.py"), **OPTIONS)
    bleu = evaluate.load(str(ROOT / "bleu_full.py"), tokenizer=str.split, output="score")
    pickles = [
        cloudpickle.dumps(score_of(metric)),
        cloudpickle.dumps(score_of(bleu)),
        dill.dumps(score_of(metric), recurse=True),
    ]
    env = environment(os.environ["HF_HOME"])
    results = results_of_worker(pickles, env, tmp_path)
    assert results == [SCORES, bleu.compute(**TEXTS), SCORES]


def test_the_copy_of_the_script_is_enough(tmp_path, space):
    """In a process with another cache, after the script itself has gone."""
    metric = evaluate.load(str(space), **OPTIONS)
    shutil.rmtree(space)
    env = environment(tmp_path / "home")
    assert results_of_worker([cloudpickle.dumps(score_of(metric))], env, tmp_path) == [SCORES]


@pytest.mark.parametrize("is_relative", [False, True])
def test_the_path_of_the_script_is_enough(tmp_path, space, monkeypatch, is_relative):
    """In a process with another cache and folder, where the copy of the script is not."""
    monkeypatch.chdir(space.parent)
    metric = evaluate.load("rouge_full" if is_relative else str(space / "rouge_full.py"), **OPTIONS)
    pickled = cloudpickle.dumps(score_of(metric))
    shutil.rmtree(copy_of_evaluate(metric))
    assert results_of_worker([pickled], environment(tmp_path / "home"), tmp_path) == [SCORES]


def test_an_installed_copy_is_enough(tmp_path, space):
    """On a machine that has neither the path nor the copy; the Hub is not asked."""
    metric = evaluate.load(str(space), **OPTIONS)
    pickled = cloudpickle.dumps(score_of(metric))
    shutil.rmtree(space)
    shutil.rmtree(copy_of_evaluate(metric))
    with LoopbackHub({}) as hub:
        env = environment(tmp_path / "home", HF_ENDPOINT=hub.url)
        stage.install(tmp_path / "home" / "modules" / "evaluate_modules")
        assert results_of_worker([pickled], env, tmp_path) == [SCORES]
        assert not [path for _, path, _ in hub.requests if path.startswith("/spaces/")]


def test_the_hub_is_enough(tmp_path, space):
    program = """
import sys, cloudpickle, evaluate
metric = evaluate.load("user/rouge_full", rouge_types=["rouge1", "rouge2"], output="recall")
texts = {"predictions": ["the cat sat on a mat"], "references": ["the cat sat on the mat"]}
with open(sys.argv[1], "wb") as file:
    file.write(cloudpickle.dumps(lambda: metric.compute(**texts)))
"""
    with LoopbackHub({"user/rouge_full": space}) as hub:
        env = environment(tmp_path / "here", HF_ENDPOINT=hub.url)
        done = run(["-c", program, str(tmp_path / "pickle")], env, tmp_path)
        assert done.returncode == 0, done.stderr
        shutil.rmtree(tmp_path / "here")
        env = environment(tmp_path / "there", HF_ENDPOINT=hub.url)
        pickled = (tmp_path / "pickle").read_bytes()
        assert results_of_worker([pickled], env, tmp_path) == [SCORES]


def test_without_any_of_them_the_error_says_what_to_do(tmp_path, space):
    metric = evaluate.load(str(space), **OPTIONS)
    pickled = tmp_path / "pickle"
    pickled.write_bytes(cloudpickle.dumps(score_of(metric)))
    copied = copy_of_evaluate(metric)
    shutil.rmtree(space)
    shutil.rmtree(copied)
    done = run(["-c", WORKER, str(pickled)], environment(tmp_path / "home"), tmp_path)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: rouge_full was pickled in another process, and this one cannot reach it:"
        f" neither {copied / 'rouge_full.py'} nor {space} is there, and no copy is installed."
        " Run `python stage.py install` on this machine, load the metric by a path that all"
        " machines share, or load it from the Hub"
    )


def test_a_metric_that_load_did_not_make_has_no_path(tmp_path):
    place = {"module": "evaluate_modules.metrics.no_metric.1.no_metric", "name": "NoMetric"}
    file = tmp_path / "no_metric.py"
    with pytest.raises(ImportError, match=f"neither {file} nor its module is there, and no copy"):
        metric_in_reach(**place, file=str(file), version="0.2.0")


def test_another_version_is_refused(rouge_full):
    """Machines that score by different rules would give a mixture."""
    kind = type(rouge_full)
    place = {"module": kind.__module__, "name": kind.__name__, "file": inspect.getfile(kind)}
    assert type(metric_in_reach(**place, version=kind.version)) is kind
    message = "rouge_full 0.0.1 was pickled, and this process finds rouge_full "
    with pytest.raises(ImportError, match=message + kind.version):
        metric_in_reach(**place, version="0.0.1")


def test_copies_in_this_process_are_of_the_same_class(metric):
    for copied in (
        pickle.loads(pickle.dumps(metric)),
        pickle.loads(pickle.dumps(metric, protocol=2)),
        cloudpickle.loads(cloudpickle.dumps(metric)),
        copy.copy(metric),
        copy.deepcopy(metric),
    ):
        assert type(copied) is type(metric)
        assert copied is not metric
        assert copied.load_options == metric.load_options


def test_a_copy_of_a_copy(metric):
    """What was pickled can be pickled again, as workers do that start workers."""
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(metric))))
    assert again.__reduce_ex__(4)[:2] == metric.__reduce_ex__(4)[:2]
    assert again.__reduce_ex__(4)[1][1]["arguments"]["path"] == str(ROOT / f"{metric.name}.py")


def test_one_object_stays_one(metric):
    """In a list that holds it twice, also one that holds what was added."""
    metric = copy.deepcopy(metric)
    metric.add(prediction="a b", reference="a c")
    for copied in (pickle.loads(pickle.dumps([metric] * 2)), copy.deepcopy([metric] * 2)):
        assert copied[0] is copied[1]
        assert len(copied[0]) == 1


def test_a_class_that_evaluate_has_not_loaded_is_found_by_its_name(rouge_full):
    """As for a metric of one's own, made from ours."""
    metric = Own()
    copied = pickle.loads(pickle.dumps(metric))
    assert type(copied) is Own
    assert metric._origin == {}


def test_load_call_of_another_caller():
    assert load_call(None) == {}
    assert load_call(inspect.currentframe()) == {}
