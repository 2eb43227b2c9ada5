"""A metric that was pickled here, in processes that share some places with this one, or none.

Importing `evaluate` takes a process seconds, so each test starts one process at most.
"""

import copy
import inspect
import json
import os
import pickle
import shutil
from pathlib import Path

import cloudpickle
import dill
import evaluate
import pytest
import stage

from helpers.hub import LoopbackHub
from helpers.programs import environment, python, run
from helpers.repository import ROOT
from rouge_bleu.metric.pickling import content_of_script, load_call, metric_in_reach

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


# The same, where a pickle cannot be read: what is said is its result.
WORKER_OF_ERRORS = WORKER.replace(
    """        score = pickle.load(file)
    results.append(score())
""",
    """        try:
            results.append(pickle.load(file)())
        except Exception as error:
            results.append(f"{type(error).__name__}: {error}")
""",
)
# Another script of the same name and version, which says that it ran, and a library that does.
OTHER_SCRIPT = """
import library_of_test
import evaluate

class RougeFull(evaluate.Metric):
    version = {version!r}

library_of_test.ran("script")
"""
LIBRARY = """
def ran(what):
    with open({ran!r}, "a") as file:
        print(what, file=file)

ran("library")
"""
ANOTHER_CONTENT = (
    "ImportError: rouge_full was pickled in another process, and this one finds another content in"
    " {found}, of which nothing was run: all machines need the same script. Run `python stage.py"
    " install` on this machine, load the metric by a path that all machines share, or load it from"
    " the Hub, with a revision"
)


def score_of(metric):
    """A function that holds a metric, as one that a cluster is given, by value."""
    return lambda: metric.compute(**TEXTS)


def results_of_worker(pickles, env, folder, worker=WORKER):
    paths = []
    for number, content in enumerate(pickles):
        paths.append(folder / f"{number}.pickle")
        paths[-1].write_bytes(content)
    return json.loads(run("-c", worker, *paths, env=env, cwd=folder).stdout)


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


def test_the_copy_of_a_clone_is_enough(tmp_path):
    """It has the folder of the package, and no link to it."""
    clone = tmp_path / "clone"
    shutil.copytree(ROOT / "rouge_bleu", clone / "rouge_bleu")
    shutil.copyfile(ROOT / "rouge_full.py", clone / "rouge_full.py")
    (clone / "rouge_bleu.py").symlink_to("rouge_bleu")
    with (clone / "rouge_full.py").open("a", encoding="utf-8") as file:
        file.write(f"\n_OF_TEST = {str(tmp_path)!r}\n")
    metric = evaluate.load(str(clone / "rouge_full.py"), **OPTIONS)
    shutil.rmtree(clone)
    env = environment(tmp_path / "home")
    assert results_of_worker([cloudpickle.dumps(score_of(metric))], env, tmp_path) == [SCORES]


def test_the_state_of_0_2_0_is_read(metric):
    """It had a list of items, each a prediction and a list of its references."""
    metric = copy.deepcopy(metric)
    state = metric.__getstate__()
    assert state["_items"] == []
    metric.__setstate__({**state, "_items": [("a b", ["a b", "c"]), ("a", ["b"])]})
    assert len(metric) == 2
    assert metric.__getstate__()["_items"] == [("a b", ["a b", "c"]), ("a", ["b"])]
    metric.add(prediction="c", reference="c")
    order = {"rouge_full": {"rouge_types": ["rouge1"]}, "bleu_full": {"max_order": 1}}
    items = metric.compute(use_aggregator=False, **order[metric.name])
    assert items["rouge1" if metric.name == "rouge_full" else "bleu"] == [1.0, 0.0, 1.0]


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
        done = python("-c", program, tmp_path / "pickle", env=env, cwd=tmp_path)
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
    done = python("-c", WORKER, pickled, env=environment(tmp_path / "home"), cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: rouge_full was pickled in another process, and this one cannot reach it:"
        f" neither {copied / 'rouge_full.py'} nor {space} is there, and no copy is installed."
        " Run `python stage.py install` on this machine, load the metric by a path that all"
        " machines share, or load it from the Hub"
    )


# --- other scripts in the same place --------------------------------------------------------------


@pytest.fixture
def other_script(tmp_path, rouge_full):
    """Another script, the environment in which it would run, and the file that would say so."""
    ran, library = tmp_path / "ran", tmp_path / "library"
    library.mkdir()
    (library / "library_of_test.py").write_text(LIBRARY.format(ran=str(ran)))
    paths = os.pathsep.join([str(library), *filter(None, [os.environ.get("PYTHONPATH")])])
    return OTHER_SCRIPT.format(version=rouge_full.version), {"PYTHONPATH": paths}, ran


@pytest.mark.parametrize("cache", ["the same", "another"])
def test_another_script_in_the_same_place_does_not_run(tmp_path, space, other_script, cache):
    """In the place of the copy of `evaluate`, and in that of the script that it copied."""
    script, paths, ran = other_script
    metric = evaluate.load(str(space), **OPTIONS)
    pickled = cloudpickle.dumps(score_of(metric))
    copied = copy_of_evaluate(metric)
    for folder in (copied, space):
        (folder / "rouge_full.py").write_text(script)
    home = os.environ["HF_HOME"] if cache == "the same" else tmp_path / "home"
    env = environment(home, **paths)
    results = results_of_worker([pickled], env, tmp_path, WORKER_OF_ERRORS)
    found = f"{copied / 'rouge_full.py'} and {space / 'rouge_full.py'}"
    assert results == [ANOTHER_CONTENT.format(found=found)]
    assert not ran.exists()


def test_another_sibling_does_not_run(tmp_path, other_script):
    """The script is the same, and a module that it names is another one."""
    _, paths, ran = other_script
    folder = tmp_path / "modules"
    shutil.copytree(ROOT / "rouge_bleu", folder / "rouge_bleu")
    shutil.copyfile(ROOT / "rouge_full.py", folder / "rouge_full.py")
    (folder / "rouge_bleu.py").symlink_to("rouge_bleu")
    with (folder / "rouge_bleu" / "ground" / "lazy.py").open("a", encoding="utf-8") as file:
        file.write(f"\n_OF_TEST = {str(tmp_path)!r}\n")
    metric = evaluate.load(str(folder / "rouge_full.py"), **OPTIONS)
    pickled = cloudpickle.dumps(score_of(metric))
    for place in (folder, copy_of_evaluate(metric)):
        with (place / "rouge_bleu" / "kernels" / "ngrams.py").open("a", encoding="utf-8") as file:
            file.write("\nimport library_of_test\n")
    env = environment(os.environ["HF_HOME"], **paths)
    (result,) = results_of_worker([pickled], env, tmp_path, WORKER_OF_ERRORS)
    assert "finds another content in" in result
    assert not ran.exists()


def test_another_script_of_the_hub_does_not_run(tmp_path, space, other_script):
    """It is downloaded into the cache, and that is all."""
    script, paths, ran = other_script
    program = """
import sys, cloudpickle, evaluate
metric = evaluate.load("user/rouge_full")
with open(sys.argv[1], "wb") as file:
    file.write(cloudpickle.dumps(lambda: metric.compute(predictions=["a"], references=["a"])))
"""
    with LoopbackHub({"user/rouge_full": space}) as hub:
        env = environment(tmp_path / "here", HF_ENDPOINT=hub.url)
        done = python("-c", program, tmp_path / "pickle", env=env, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        shutil.rmtree(tmp_path / "here")
        (space / "rouge_full.py").write_text(script)
        env = environment(tmp_path / "there", HF_ENDPOINT=hub.url, **paths)
        pickled = (tmp_path / "pickle").read_bytes()
        (result,) = results_of_worker([pickled], env, tmp_path, WORKER_OF_ERRORS)
    assert f"finds another content in {tmp_path / 'there'}" in result
    assert "script" not in ran.read_text()  # `evaluate` imports libraries that it names


def test_an_installed_copy_is_taken_where_another_script_is_in_the_place(tmp_path, space):
    metric = evaluate.load(str(space), **OPTIONS)
    pickled = cloudpickle.dumps(score_of(metric))
    (copy_of_evaluate(metric) / "rouge_full.py").write_text("raise SystemExit")
    (space / "rouge_full.py").write_text("raise SystemExit")
    stage.install(tmp_path / "home" / "modules" / "evaluate_modules")
    assert results_of_worker([pickled], environment(tmp_path / "home"), tmp_path) == [SCORES]


def test_a_script_that_cannot_be_imported_says_why(tmp_path, space):
    """It is there, in the shared cache and by its path, and not missing."""
    with (space / "rouge_full.py").open("a", encoding="utf-8") as file:
        file.write(
            "\nif os.environ.get('LIBRARY_IS_BROKEN'):\n    raise ImportError('no libm.so')\n"
        )
    metric = evaluate.load(str(space), **OPTIONS)
    pickled = cloudpickle.dumps(score_of(metric))
    results = []
    for home in (os.environ["HF_HOME"], tmp_path / "home"):
        env = environment(home, LIBRARY_IS_BROKEN="1")
        results += results_of_worker([pickled], env, tmp_path, WORKER_OF_ERRORS)
    assert results == ["ImportError: no libm.so"] * 2


def test_a_script_that_refuses_packages_says_why(tmp_path, space):
    """As versions.py does with those that are too old."""
    with (space / "rouge_full.py").open("a", encoding="utf-8") as file:
        file.write(
            "\nif os.environ.get('NUMPY_IS_OLD'):\n"
            "    def check_versions():\n"
            "        raise ImportError('numpy 1.0 is too old')\n"
        )
    metric = evaluate.load(str(space), **OPTIONS)
    pickled = cloudpickle.dumps(score_of(metric))
    env = environment(os.environ["HF_HOME"], NUMPY_IS_OLD="1")
    results = results_of_worker([pickled], env, tmp_path, WORKER_OF_ERRORS)
    assert results == ["ImportError: numpy 1.0 is too old"]


def test_content_of_a_script(tmp_path, metric):
    """The clone and the copy of `evaluate` have the same, whatever order their files are listed in."""
    copied = Path(inspect.getfile(type(metric)))
    content = content_of_script(str(copied))
    assert content == content_of_script(str(ROOT / copied.name))
    assert metric.__reduce_ex__(4)[1][1]["arguments"]["content"] == content
    (installed,) = [
        path / copied.name for path in stage.install(tmp_path) if metric.name in str(path)
    ]
    assert content_of_script(str(installed)) not in (content, None)
    assert content_of_script(str(tmp_path / "nothing.py")) is None
    alone = tmp_path / copied.name  # without its package
    shutil.copyfile(copied, alone)
    assert content_of_script(str(alone)) is None
    alone.write_bytes(b"\xff")
    assert content_of_script(str(alone)) is None


def test_each_file_of_the_package_counts(tmp_path):
    folder = tmp_path / "clone"
    shutil.copytree(ROOT / "rouge_bleu", folder / "rouge_bleu")
    script = folder / "rouge_full.py"
    shutil.copyfile(ROOT / script.name, script)
    contents = {content_of_script(str(script))}
    assert contents == {content_of_script(str(ROOT / script.name))}
    inside = folder / "rouge_bleu" / "rouge" / "perl"
    (inside / "pairs.py").rename(inside / "other.py")
    contents.add(content_of_script(str(script)))
    (inside / "other.py").unlink()
    contents.add(content_of_script(str(script)))
    with (folder / "rouge_bleu" / "ground" / "ragged.py").open("a") as file:
        file.write("\n")
    contents.add(content_of_script(str(script)))
    assert len(contents) == 4


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


def test_a_class_that_evaluate_has_not_loaded_is_found_by_its_name(rouge_full, monkeypatch):
    """As for a metric of one's own, made from ours."""
    own = type("Own", (type(rouge_full),), {"__module__": __name__})
    monkeypatch.setitem(globals(), "Own", own)
    metric = own()
    copied = pickle.loads(pickle.dumps(metric))
    assert type(copied) is own
    assert metric._origin == {}


def test_load_call_of_another_caller():
    assert load_call(None) == {}
    assert load_call(inspect.currentframe()) == {}
